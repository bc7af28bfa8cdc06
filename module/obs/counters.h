/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of a tree. Each CPU writes its own copy and no shared memory;
 * blink_counters_sum() adds the copies up.
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
 * struct blink_counters - the counters of one CPU
 * @event: how often each event of stats_list.h occurred
 * @limbo: bytes of dead nodes that this CPU has not added to &blink_tree.limbo
 *	yet
 * @limbo_in: bytes of nodes that died on this CPU
 * @limbo_out: bytes of dead nodes that this CPU freed
 * @stock: room for entries in the stock of this CPU, in trees with max_entries
 *	(core/tree/limit.h)
 * @turn: NUMA node of the last leaf that this CPU allocated, with
 *	BLINK_TREE_PLACE_INTERLEAVE
 * @bytes: bytes of nodes that this CPU allocated, less those that it freed; the
 *	copy of a single CPU can be negative
 * @block_bytes: as @bytes, of blocks alone (core/tree/block.h), which @bytes contains
 * @byte_stock: bytes that are charged and not used by a node
 *	(core/tree/charge.h)
 */
struct blink_counters {
	u64 event[BLINK_STAT_NR];
	s64 bytes;
	s64 block_bytes;
	s64 limbo;
	u64 limbo_in;
	u64 limbo_out;
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
