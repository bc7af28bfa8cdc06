/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_ASM_BYTEORDER_H
#define SHIM_ASM_BYTEORDER_H

#include <endian.h>

#define be64_to_cpu(x) be64toh(x)

#endif /* SHIM_ASM_BYTEORDER_H */
