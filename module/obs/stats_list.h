/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only list of the counters: BLINK_STAT_LIST(X) expands X(field, text) for
 * each of them. struct blink_tree_ioc_stats of the UAPI header has a field of
 * the same name; a new counter is appended there, too.
 */
#ifndef BLINK_OBS_STATS_LIST_H
#define BLINK_OBS_STATS_LIST_H

#define BLINK_STAT_LIST(X)                                             \
	X(inserts, "keys added")                                       \
	X(erases, "keys removed")                                      \
	X(splits, "nodes split")                                       \
	X(merges, "nodes merged away")                                 \
	X(root_grows, "levels added to an index")                      \
	X(root_shrinks, "levels taken from an index")                  \
	X(read_retries, "nodes read again, a writer moved entries")    \
	X(read_locks, "nodes read under their lock")                   \
	X(right_hops, "right links and dead nodes followed")           \
	X(reroutes, "descents started again from a lower key")         \
	X(posts_deferred, "index entries that had to wait for memory") \
	X(merges_deferred, "merges left undone, too much in limbo")    \
	X(gate_passes, "leaf locks passed on at a gate")               \
	X(gate_releases, "leaf locks unlocked, nobody at the gate")    \
	X(gate_bounds, "leaf locks unlocked, passed often enough")     \
	X(lock_waits, "locks that a writer had to wait for")           \
	X(heat_splits, "leaves split because writers met there")       \
	X(reads, "keys searched for by ioctls")                        \
	X(updates, "values replaced by ioctls")

#endif /* BLINK_OBS_STATS_LIST_H */
