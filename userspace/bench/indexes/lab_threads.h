/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of lab_threads.c that module/lab/threads.h does not declare. */
#ifndef COMPARE_LAB_THREADS_H
#define COMPARE_LAB_THREADS_H

/* Let one of so many allocations of the threads fail (0: none). */
extern unsigned int lab_threads_fail_one_in;

/*
 * How many NUMA nodes the CPUs of this process are on: for shim_nodes, before
 * standin_init().
 */
int lab_threads_nodes(void);

#endif /* COMPARE_LAB_THREADS_H */
