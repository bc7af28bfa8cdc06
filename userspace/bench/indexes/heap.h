/* SPDX-License-Identifier: GPL-2.0 */
/*
 * malloc() for all indexes that are not the kernel's: jemalloc, which like
 * slab.c has caches of threads and, as MALLOC_CONF=thp:always says, memory in huge pages.
 */
#ifndef COMPARE_HEAP_H
#define COMPARE_HEAP_H

#include <jemalloc/jemalloc.h>
#include <linux/types.h>

/* Memory given out, in whole size classes. */
static inline unsigned long long heap_bytes(void)
{
	u64 epoch = 1;
	size_t bytes = 0, size = sizeof(bytes);

	/* The figures are those of when the epoch was last advanced. */
	mallctl("epoch", NULL, NULL, &epoch, sizeof(epoch));
	mallctl("stats.allocated", &bytes, &size, NULL, 0);
	return bytes;
}

#endif /* COMPARE_HEAP_H */
