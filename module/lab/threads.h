/* SPDX-License-Identifier: GPL-2.0 */
/* Threads that work at the same time, each on a CPU of its own. */
#ifndef BLINK_LAB_THREADS_H
#define BLINK_LAB_THREADS_H

#include <linux/types.h>

unsigned int lab_threads_most(void);
int lab_threads_run(int (*work)(void *arg), void *args, size_t size);
int lab_threads_run_spread(int (*work)(void *arg), void *args, size_t size,
			   unsigned int nr, bool *stop);

/* Around a call, where one thread at a time is to be in one. */
void lab_turn_begin(void);
void lab_turn_end(void);

/*
 * Let perf count the events of this process and its threads, or stop that. In the kernel
 * this does nothing. Returns 0, or -EPROTO if perf does not obey.
 */
int lab_count_events(bool on);

#endif /* BLINK_LAB_THREADS_H */
