/* SPDX-License-Identifier: GPL-2.0 */
/* What a program may ask the allocator of slab.c. */
#ifndef SHIM_SLAB_H
#define SHIM_SLAB_H

#include <linux/types.h>

/* Memory of the objects of all caches; nobody allocates or frees meanwhile. */
u64 slab_live_bytes(void);

#endif /* SHIM_SLAB_H */
