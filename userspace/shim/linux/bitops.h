/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SHIM_LINUX_BITOPS_H
#define SHIM_LINUX_BITOPS_H

#include <linux/types.h>

/* The number of the highest bit that is set, from 1 on; 0 if none is. */
static inline int fls64(u64 word)
{
	return word ? 64 - __builtin_clzll(word) : 0;
}

#define hweight64(word) ((unsigned int)__builtin_popcountll(word))
#define __ffs64(word) ((unsigned long)__builtin_ctzll(word))

#endif /* SHIM_LINUX_BITOPS_H */
