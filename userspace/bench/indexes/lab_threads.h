/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of lab_threads.c that module/lab/threads.h does not declare. */
#ifndef COMPARE_LAB_THREADS_H
#define COMPARE_LAB_THREADS_H

/* Let one of so many allocations of the threads fail (0: none). */
extern unsigned int lab_threads_fail_one_in;

/*
 * If not 0, there are said to be so many CPUs on so many NUMA nodes in turn. A program in
 * which threads take turns needs no more CPUs than there are.
 */
extern unsigned int lab_threads_said_cpus;
extern unsigned int lab_threads_said_nodes;

/*
 * If not 0, the descriptors by which perf stat takes orders (--control=fd:CONTROL,ACK) and
 * acknowledges them.
 */
extern int lab_threads_control;
extern int lab_threads_ack;

/*
 * How many NUMA nodes the CPUs of this process are on: for shim_nodes, before
 * standin_init().
 */
int lab_threads_nodes(void);

#endif /* COMPARE_LAB_THREADS_H */
