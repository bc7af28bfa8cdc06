/* SPDX-License-Identifier: GPL-2.0 */
/* glibc includes this header too, as the UAPI's. */
#include_next <linux/limits.h>

#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#define U64_MAX (~0ULL)

#endif /* SHIM_LINUX_LIMITS_H */
