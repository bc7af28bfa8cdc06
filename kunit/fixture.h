/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts that all suites share: trees that are verified and destroyed when their
 * test ends, the shape of nodes, checks of a tree at rest, and reproducible random
 * numbers.
 *
 * KUNIT_EXPECT_*() is slow and belongs to the test's own thread. Loops compare
 * with a plain if and report through fixture_fail_at() once.
 */
#ifndef BLINK_KUNIT_FIXTURE_H
#define BLINK_KUNIT_FIXTURE_H

#include <kunit/test.h>
#include <linux/blink_tree.h>
#include <linux/prandom.h>
#include <linux/rcupdate.h>

#include "keys_names.h"
#include "world.h"

/* Rows for blink_tree_levels(): far more levels and NUMA nodes than here. */
#define FIXTURE_LEVEL_ROWS 64

/* The least memory of a string. */
#define FIXTURE_STRING_MIN (8 + sizeof(struct rcu_head) + sizeof(void *))

/* Keys that a leaf has room for, however small nodes are. */
#define FIXTURE_ONE_LEAF 4

/**
 * struct fixture_shape - how large nodes are
 * @leaf_slots: entries that fit a leaf
 * @leaf_bytes: memory of a leaf
 * @inner_slots: children that fit an inner node
 * @inner_bytes: memory of an inner node
 */
struct fixture_shape {
	unsigned int leaf_slots;
	unsigned int leaf_bytes;
	unsigned int inner_slots;
	unsigned int inner_bytes;
};

/* A case that runs once for each parameter. */
#define FIXTURE_PARAM(fn, params) KUNIT_CASE_PARAM_ATTR(fn, params, {})
#define FIXTURE_PARAM_SLOW(fn, params) \
	KUNIT_CASE_PARAM_ATTR(fn, params, { .speed = KUNIT_SPEED_SLOW })

/*
 * A suite of these cases. Its trees are of the mode that its name ends in, after a dash,
 * or of that of the module's parameter. KUnit keeps the outcome of a case in the case
 * itself, so each suite has cases of its own.
 */
#define FIXTURE_SUITE(name, ...) FIXTURE_SUITE_AT(__LINE__, name, __VA_ARGS__)
#define FIXTURE_SUITE_AT(...) FIXTURE_SUITE_LINE(__VA_ARGS__)
#define FIXTURE_SUITE_LINE(line, _name, ...)                                   \
	static struct kunit_case fixture_cases_##line[] = { __VA_ARGS__, {} }; \
	static struct kunit_suite fixture_suite_##line = {                     \
		.name = "blink_tree_" _name,                                   \
		.suite_init = world_enter_suite,                               \
		.suite_exit = world_leave_suite,                               \
		.init = world_enter_test,                                      \
		.test_cases = fixture_cases_##line,                            \
	};                                                                     \
	kunit_test_suite(fixture_suite_##line)

void *fixture_alloc(struct kunit *test, size_t nr, size_t size);
struct blink_tree *fixture_tree(struct kunit *test);
struct blink_tree *fixture_plain_tree(struct kunit *test);
struct blink_tree *fixture_tree_with(struct kunit *test,
				     const struct blink_tree_params *params);
void fixture_shape(struct kunit *test, struct fixture_shape *shape);
unsigned int fixture_three_levels(struct kunit *test);
void fixture_level(struct kunit *test, struct blink_tree *tree,
		   unsigned int level, struct blink_tree_level_stats *sum);

void fixture_fill(struct kunit *test, struct blink_tree *tree, u64 first,
		  u64 step, u64 nr);
void fixture_call(struct blink_tree *tree, struct blink_tree_ioc_op *op);
struct blink_tree_ioc_verify fixture_verified(struct kunit *test,
					      struct blink_tree *tree);
void fixture_content(struct kunit *test, struct blink_tree *tree, u64 entries);
void fixture_sound(struct kunit *test, struct blink_tree *tree, u64 entries);
void fixture_emptied(struct kunit *test, struct blink_tree *tree);

u64 fixture_seed(struct kunit *test, struct rnd_state *rnd);
void fixture_shuffle(struct rnd_state *rnd, u64 *keys, unsigned int nr);

static inline struct blink_tree_ioc_stats fixture_stats(struct blink_tree *tree)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	return stats;
}

static inline u64 fixture_random(struct rnd_state *rnd)
{
	u64 high = prandom_u32_state(rnd);

	return high << 32 | prandom_u32_state(rnd);
}

/* Uniform enough within [0, @ceil) for @ceil far below 2^32. */
static inline u32 fixture_below(struct rnd_state *rnd, u32 ceil)
{
	return (u64)prandom_u32_state(rnd) * ceil >> 32;
}

/* The value that belongs to a key; no two keys that tests use share one. */
static inline u64 fixture_value(u64 key)
{
	return key * 0x9e3779b97f4a7c15ULL + 1;
}

/* Report what went wrong where, and leave the function. */
#define fixture_fail_at(test, key, fmt, ...)                              \
	KUNIT_FAIL_AND_ABORT(test, "key %llu (0x%llx): " fmt, (u64)(key), \
			     (u64)(key), ##__VA_ARGS__)

#endif /* BLINK_KUNIT_FIXTURE_H */
