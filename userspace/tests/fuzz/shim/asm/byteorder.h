/* SPDX-License-Identifier: GPL-2.0 */
/* Words in the order of bytes that memcmp() compares. */
#ifndef FUZZ_ASM_BYTEORDER_H
#define FUZZ_ASM_BYTEORDER_H

#include <endian.h>
#include <linux/types.h>

#define cpu_to_be64(word) htobe64(word)
#define be64_to_cpu(word) be64toh(word)

#endif /* FUZZ_ASM_BYTEORDER_H */
