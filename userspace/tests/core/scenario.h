/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenarios: a small tree and a few operations at once, by fibers, of which the
 * answers must be linearizable (linear.h).
 */
#ifndef TESTS_SCENARIO_H
#define TESTS_SCENARIO_H

#include "../common/linear.h"
#include "fiber.h"

/* Operations besides those of enum blink_tree_opcode. */
enum {
	OP_SCAN = BLINK_TREE_OP_NR,
	OP_SCAN_DESC,
	OP_VERIFY,
	OP_REBUILD,
	OP_LOAD,
	OP_ERASE_RANGE,
	OP_COUNT_RANGE,
	OP_NR
};

#define SCENARIO_KEYS 64
#define SCENARIO_OPS 4
/* Operations of a commit: fewer than a leaf has slots. */
#define SCENARIO_COMMIT 3U
/* Entries of a load, and keys of an erase of a range. */
#define SCENARIO_LOAD 8U

/**
 * struct scenario - the tree at first, and the operations of each fiber
 * @keys: universe, at most SCENARIO_KEYS keys
 * @key: its keys
 * @value: their values
 * @present: which are present
 * @nr_setup: entries of @setup
 * @setup: positions of keys to add at first, or, with SETUP_ERASE, to remove
 * @nr_fibers: how many
 * @nr_ops: operations of each
 * @op: the operations; a scan is of [@key, @value], and @old entries at a time; a
 *	load, or an erase or a count of a range, is of @old keys from @key on
 * @failing: the fiber's allocations fail at random
 * @batched: the fiber's operations are batches, of one each
 * @committed: they are one commit, of keys that differ, at most SCENARIO_COMMIT
 * @strict: all leaves are strict at first (Documentation/design/commits.rst)
 */
struct scenario {
	struct model keys;
	u64 key[SCENARIO_KEYS];
	u64 value[SCENARIO_KEYS];
	bool present[SCENARIO_KEYS];
	unsigned int nr_setup;
	unsigned int setup[4 * SCENARIO_KEYS];
	unsigned int nr_fibers;
	unsigned int nr_ops[FIBERS_MAX];
	struct blink_tree_ioc_op op[FIBERS_MAX][SCENARIO_OPS];
	bool failing[FIBERS_MAX];
	bool batched[FIBERS_MAX];
	bool committed[FIBERS_MAX];
	bool strict;
};

#define SETUP_ERASE 0x80000000U

/* The universe: so many keys from @base on, @step from one to the next. */
void scenario_init(struct scenario *s, unsigned int nr, u64 base, u64 step);
void scenario_add(struct scenario *s, unsigned int position);
void scenario_erase(struct scenario *s, unsigned int position);

/* Let a fiber do something with the key at @position. */
void scenario_op(struct scenario *s, unsigned int fiber, unsigned int opcode,
		 unsigned int position);
/* Let a fiber scan from one position to another. */
void scenario_scan(struct scenario *s, unsigned int fiber, bool desc,
		   unsigned int first, unsigned int last, unsigned int room);

/* Let a fiber load keys that no other one adds, from @position on. */
void scenario_load(struct scenario *s, unsigned int fiber,
		   unsigned int position, unsigned int nr);

/* Let a fiber erase or count a range, from @position on. */
void scenario_range(struct scenario *s, unsigned int fiber, unsigned int opcode,
		    unsigned int position, unsigned int nr);

/*
 * Run it once and check everything; *@points is about how many points there
 * are, kept from run to run. @tag tells the run in the report of a failure.
 */
void scenario_run(struct scenario *s, u64 *random, u64 *points, u64 tag);

/*
 * Run the current test thousands of times, each in another order: its @fill adds a case to
 * an empty scenario with @nr keys, around the position @at, which is another each time.
 */
void scenario_race(void);

/* An element of an array of tests. */
#define RACE(text, keys, fn) \
	{ .name = (text), .run = scenario_race, .nr = (keys), .fill = (fn) }

#endif /* TESTS_SCENARIO_H */
