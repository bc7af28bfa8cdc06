/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tree's counters: one copy per CPU, written without any shared memory,
 * summed up by who asks.
 */
#ifndef BLINK_OBS_COUNTERS_H
#define BLINK_OBS_COUNTERS_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "stats_list.h"

#define BLINK_STAT_ID(name, text) BLINK_STAT_##name,
enum blink_stat { BLINK_STAT_LIST(BLINK_STAT_ID) BLINK_STAT_NR };
#undef BLINK_STAT_ID

/**
 * struct blink_counters - what one CPU counted
 * @event: times that each thing of stats_list.h happened
 * @limbo: bytes of dead nodes that this CPU has not added to &blink_tree.limbo
 * @stock: room for entries that this CPU has, of trees with max_entries (core/tree/limit.h)
 * @turn: NUMA node that this CPU placed a leaf on last, of BLINK_TREE_PLACE_INTERLEAVE
 * @bytes: memory allocated for nodes less what was freed, on this CPU, so that
 *	a single copy may well be negative
 * @byte_stock: memory that is charged and in no node (core/tree/charge.h)
 */
struct blink_counters {
	u64 event[BLINK_STAT_NR];
	s64 bytes;
	s64 limbo;
	atomic_t stock;
	int turn;
	atomic_long_t byte_stock;
};

#define blink_stat_inc(tree, name) \
	this_cpu_inc((tree)->counters->event[BLINK_STAT_##name])

#define blink_stat_add(tree, name, n) \
	this_cpu_add((tree)->counters->event[BLINK_STAT_##name], n)

void blink_counters_sum(const struct blink_counters __percpu *counters,
			struct blink_counters *sum);

#endif /* BLINK_OBS_COUNTERS_H */
