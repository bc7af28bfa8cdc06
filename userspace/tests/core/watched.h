/* SPDX-License-Identifier: GPL-2.0 */
/* A tree and a watch of it, for tests of its records. */
#ifndef TESTS_WATCHED_H
#define TESTS_WATCHED_H

#include <linux/rcupdate.h>

#include "../../lib/ring.h"
#include "core/tree/tree.h"
#include "core/tree/watch.h"
#include "test.h"

#define INSERT BLINK_TREE_CHANGE_INSERT
#define UPDATE BLINK_TREE_CHANGE_UPDATE
#define ERASE BLINK_TREE_CHANGE_ERASE
#define ERASE_RANGE BLINK_TREE_CHANGE_ERASE_RANGE

/**
 * struct watched - a tree and a watch of it
 * @tree: the tree
 * @watch: the watch
 * @memory: the memory of its ring
 * @position: where the reader goes on
 * @wakes: calls of @wake
 */
struct watched {
	struct blink_tree *tree;
	struct blink_watch watch;
	void *memory;
	u64 position;
	atomic_t wakes;
};

/* A key of the tests, which are small numbers, as the numbers that watches use. */
static inline u128 wide(u64 key)
{
#ifdef BLINK_COMPILE_U128
	return key;
#else
	return blink_watch_key(key, 0);
#endif
}

static inline u64 number(u64 high, u64 low)
{
#ifdef BLINK_COMPILE_U128
	EXPECT_EQ(high, 0);
	return low;
#else
	EXPECT_EQ(low, 0);
	return high;
#endif
}

static inline void on_wake(struct blink_watch *watch)
{
	atomic_inc(&container_of(watch, struct watched, watch)->wakes);
}

static inline void watch_begin(struct watched *w, struct blink_tree *tree,
			       u64 first, u64 last, u32 slots)
{
	*w = (struct watched){
		.tree = tree,
		.memory = kzalloc(blink_watch_size(slots), GFP_KERNEL),
		.watch = { .first = wide(first),
			   .last = wide(last),
			   .wake = on_wake },
	};
	blink_watch_init(&w->watch, w->memory, slots);
	blink_watch_link(tree, &w->watch);
	synchronize_rcu();
}

static inline void watch_end(struct watched *w)
{
	blink_watch_unlink(w->tree, &w->watch);
	synchronize_rcu();
	kfree(w->memory);
}

/* The same with its tree. */
static inline void watched_end(struct watched *w)
{
	watch_end(w);
	blink_tree_destroy(w->tree);
}

/* @more: how many of the next ones belong to the same commit. */
static inline void expect_one_of(struct watched *w, u32 more, u32 op, u64 key,
				 u64 last, u64 value, u64 old)
{
	struct blink_tree_change change;

	if (!EXPECT_EQ(ring_read(w->memory, w->position, &change), 1))
		return;
	w->position++;
	EXPECT_EQ(change.op, op);
	EXPECT_EQ(change.more, more);
	EXPECT_EQ(number(change.key, change.key_low), key);
	EXPECT_EQ(number(change.last, change.last_low), last);
	EXPECT_EQ(change.value, value);
	EXPECT_EQ(change.old, old);
}

static inline void expect_record(struct watched *w, u32 op, u64 key, u64 last,
				 u64 value, u64 old)
{
	expect_one_of(w, 0, op, key, last, value, old);
}

static inline void expect_none(struct watched *w)
{
	struct blink_tree_change change;

	EXPECT_EQ(ring_read(w->memory, w->position, &change), 0);
	EXPECT_EQ(ring_head(w->memory), w->position);
}

#endif /* TESTS_WATCHED_H */
