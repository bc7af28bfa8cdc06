/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Noise: keys between the symbols that come and go while answers are checked.
 * There is one *noise key* at most per symbol, right behind it. It belongs to
 * one process, which says in shared memory what it is about to do and what it
 * has done. So whoever looks at that before and after an operation of his own
 * knows for many a noise key that it was there all the time, or not at all,
 * and then only one answer is right.
 *
 * Noise is made among the *hot* symbols only, many keys at once, so that leaves
 * are split and merged where the readers are.
 */
#ifndef BLINKTREE_MAIN_JOB_NOISE_H
#define BLINKTREE_MAIN_JOB_NOISE_H

#include <stdatomic.h>

#include "workers.h"

struct noise {
	/* Per symbol, in steps: absent, being added, present, being removed. */
	atomic_uint *states;
	size_t states_size;
	/* The hot symbols: indices of the sorted table. */
	size_t hot_first;
	size_t hot_nr;
	unsigned int processes;
	atomic_bool stop;
	/* Added and removed again, so far. */
	atomic_ullong rounds;
	struct workers workers;
};

/* Begin to make noise; noise_stop() ends it with no noise key left. */
struct noise *noise_start(struct job *job, unsigned int processes);

/* Returns how many keys were added and removed. */
__u64 noise_stop(struct job *job, struct noise *noise);

/* Is there room for a noise key behind this symbol? */
bool noise_possible(const struct symbols *symbols, size_t i);

/* The noise key behind a symbol, and its value. */
__u64 noise_key(const struct symbols *symbols, size_t i);
__u64 noise_value(__u64 key);

/* What is known of a noise key between two looks at its state. */
enum noise_known {
	NOISE_ABSENT,
	NOISE_PRESENT,
	NOISE_UNKNOWN,
};

__u32 noise_look(const struct noise *noise, size_t i);
enum noise_known noise_between(__u32 before, __u32 after);

#endif /* BLINKTREE_MAIN_JOB_NOISE_H */
