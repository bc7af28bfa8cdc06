// SPDX-License-Identifier: GPL-2.0
/* How much memory malloc() gave out. */
#include <jemalloc/jemalloc.h>
#include <linux/types.h>

#include "heap.h"

unsigned long long heap_bytes(void)
{
	u64 epoch = 1;
	size_t bytes = 0, size = sizeof(bytes);

	/* The figures are those of when the epoch was last advanced. */
	mallctl("epoch", NULL, NULL, &epoch, sizeof(epoch));
	mallctl("stats.allocated", &bytes, &size, NULL, 0);
	return bytes;
}
