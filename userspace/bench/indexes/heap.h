/* SPDX-License-Identifier: GPL-2.0 */
/*
 * malloc() for all indexes that are not the kernel's: jemalloc, which like
 * slab.c has caches of threads and, as told below, memory in huge pages.
 */
#ifndef COMPARE_HEAP_H
#define COMPARE_HEAP_H

/* A process with this variable in its environment gets huge pages. */
#define HEAP_VARIABLE "MALLOC_CONF"
#define HEAP_HUGE "thp:always"

/* Memory given out, in whole size classes. */
unsigned long long heap_bytes(void);

#endif /* COMPARE_HEAP_H */
