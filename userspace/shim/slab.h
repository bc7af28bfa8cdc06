/* SPDX-License-Identifier: GPL-2.0 */
/* Questions that a program may ask the allocator of slab.c. */
#ifndef SHIM_SLAB_H
#define SHIM_SLAB_H

#include <linux/types.h>

/* Each object of each cache, in use or not, with the name and the size of the cache's. */
void slab_each(void (*visit)(const char *name, const void *object,
			     unsigned int size));

/* Memory of the objects of all caches; no thread allocates or frees meanwhile. */
u64 slab_live_bytes(void);

#endif /* SHIM_SLAB_H */
