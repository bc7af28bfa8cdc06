/* SPDX-License-Identifier: GPL-2.0 */
/* The calls from the instrumentation, in runtime.c, to memory.c. */
#ifndef EXPLORE_MEMORY_H
#define EXPLORE_MEMORY_H

#include <linux/types.h>

/* Whether this is an access of a fiber's to the arena. */
bool memory_watched(const void *at);

/* @order is as the compiler's: __ATOMIC_ACQUIRE and so on. */
void memory_fence(int order);
u64 memory_load(const void *at, unsigned int size, int order);
void memory_store(void *at, unsigned int size, u64 value, int order);
/* Returns what is there; without the end nothing is stored. */
u64 memory_modify_begin(void *at, unsigned int size, int order,
			unsigned int *location, u16 *view);
void memory_modify_end(void *at, unsigned int size, u64 value, int order,
		       unsigned int location, u16 view);
/* Plain accesses, watched or not. */
void memory_plain(const void *at, unsigned long bytes, bool is_store);

#endif /* EXPLORE_MEMORY_H */
