/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Noise: processes insert and erase keys between the symbols while readers check their
 * answers. Each symbol has at most one *noise key*, directly after it. The key belongs to
 * one process, which announces in shared memory each change before and after it makes
 * it. A reader looks at this state before and after its own operation. If the state is
 * the same, the reader knows whether the key was in the tree, and only one answer is
 * right.
 *
 * Only the *hot* symbols have noise, with many changes at the same time, so that leaves
 * are split and merged at the place that the readers use.
 */
#ifndef BLINKTREE_MAIN_JOB_NOISE_H
#define BLINKTREE_MAIN_JOB_NOISE_H

#include <stdatomic.h>

#include "workers.h"

struct noise {
	/* Counts of each symbol: absent, being added, present, being removed, ... */
	atomic_uint *states;
	size_t states_size;
	/* The hot symbols: indices of the sorted table. */
	size_t hot_first;
	size_t hot_nr;
	unsigned int processes;
	atomic_bool stop;
	/* Keys that were added and removed again. */
	atomic_ullong rounds;
	struct workers workers;
};

/* Start the noise. noise_stop() ends it and removes all noise keys. */
struct noise *noise_start(struct job *job, unsigned int processes);

/* Returns the number of keys that were added and removed. */
__u64 noise_stop(struct job *job, struct noise *noise);

/* Whether there is room for a noise key after this symbol. */
bool noise_possible(const struct symbols *symbols, size_t i);

/* The noise key after a symbol, and its value. */
__u64 noise_key(const struct symbols *symbols, size_t i);
__u64 noise_value(__u64 key);

/* Whether a noise key was in the tree between two looks at its state. */
enum noise_known {
	NOISE_ABSENT,
	NOISE_PRESENT,
	NOISE_UNKNOWN,
};

__u32 noise_look(const struct noise *noise, size_t i);
enum noise_known noise_between(__u32 before, __u32 after);

#endif /* BLINKTREE_MAIN_JOB_NOISE_H */
