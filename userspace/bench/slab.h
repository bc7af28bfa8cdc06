/* SPDX-License-Identifier: GPL-2.0 */
/* What a benchmark may ask the slab stand-in. */
#ifndef BENCH_SLAB_H
#define BENCH_SLAB_H

#include <linux/types.h>

/* Memory of the objects of all caches; nobody allocates or frees meanwhile. */
u64 slab_live_bytes(void);

#endif /* BENCH_SLAB_H */
