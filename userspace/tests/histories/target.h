/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The target of the recorders: one tree at a time, and clients that use it at once.
 * core.c has threads and the userspace build of the core; device.c has
 * processes and the library. Keys are numbers, of which a target makes keys of the tree.
 */
#ifndef LINEAR_TARGET_H
#define LINEAR_TARGET_H

#include <stdbool.h>

#include <linux/blink_tree.h>

/**
 * struct mode - the parameters of trees
 * @name: in a word
 * @nodes: NUMA nodes, where they can be chosen
 * @how: the members that a mode has (kunit/modes.h)
 */
struct mode {
	const char *name;
	int nodes;
	struct blink_tree_ioc_create how;
};

/**
 * struct range - keys that are to be scanned
 * @first: the least
 * @last: the greatest
 * @desc: from the greatest on
 * @done: nothing is left; otherwise the others say what is
 */
struct range {
	__u64 first;
	__u64 last;
	bool desc;
	bool done;
};

/* Once, and before anything else. */
void target_init(void);

/* An empty tree, in the place of the one before. */
void target_new_tree(const struct mode *mode);

/* Run @fn(0) to @fn(@nr - 1) at once, each by a client of its own. */
void target_run(unsigned int nr, void (*fn)(unsigned int id));

void target_op(struct blink_tree_ioc_op *op);
void target_batch(struct blink_tree_ioc_op *ops, unsigned int nr);

/* Execute all at one instant; or none, with -ESTALE or another error. */
int target_commit(struct blink_tree_ioc_op *ops, unsigned int nr);

/* Add entries in their order; *@done is how many. Returns 0 or why not the next. */
int target_load(const struct blink_tree_entry *entries, unsigned int nr,
		unsigned int *done);

/* Build an index again, any of them; nothing where that cannot be asked for. */
void target_rebuild(unsigned int any);

/* Whether each target_scan() with this room is one look at one leaf, if that is all. */
bool target_scans_at_once(unsigned int room);

/*
 * Scan some of a range, so many entries at a time, or with a @room of 0 all of it
 * as by a cursor. Returns how many entries there were; @entries is large enough
 * for all keys there can be.
 */
unsigned int target_scan(struct range *range, struct blink_tree_entry *entries,
			 unsigned int room);

/* The counters of the tree. */
void target_stats(struct blink_tree_ioc_stats *stats);

#endif /* LINEAR_TARGET_H */
