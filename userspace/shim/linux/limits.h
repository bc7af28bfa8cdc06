/* SPDX-License-Identifier: GPL-2.0 */
/* glibc includes this header too, as the UAPI's. */
#include_next <linux/limits.h>

#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#define U8_MAX ((u8)~0U)
#define U16_MAX ((u16)~0U)
#define U32_MAX (~0U)
#define U64_MAX (~0ULL)
#define S64_MAX ((s64)(U64_MAX >> 1))
#define S64_MIN (-S64_MAX - 1)
#ifndef UINT_MAX
#define UINT_MAX (~0U)
#endif
#ifndef INT_MAX
#define INT_MAX 0x7fffffff
#endif

#endif /* SHIM_LINUX_LIMITS_H */
