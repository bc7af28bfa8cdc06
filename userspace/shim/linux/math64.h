/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_MATH64_H
#define SHIM_LINUX_MATH64_H

#include <linux/types.h>

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (__uint128_t)a * b >> shift;
}

#endif /* SHIM_LINUX_MATH64_H */
