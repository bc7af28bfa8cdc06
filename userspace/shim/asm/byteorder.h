/* SPDX-License-Identifier: GPL-2.0 */
/* Words in the order of bytes that memcmp() compares. */
#ifndef SHIM_ASM_BYTEORDER_H
#define SHIM_ASM_BYTEORDER_H

#include <endian.h>
#include <linux/types.h>

#define be64_to_cpu(x) be64toh(x)
#define cpu_to_be64(x) htobe64(x)

#endif /* SHIM_ASM_BYTEORDER_H */
