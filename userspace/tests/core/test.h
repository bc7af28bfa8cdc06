/* SPDX-License-Identifier: GPL-2.0 */
/* The parts that all tests of the core in userspace share. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <linux/blink_tree.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "../../../kunit/keys_names.h"
#include "../common/random.h"

struct scenario;

/**
 * struct test - one line of TAP
 * @name: the property that it tests
 * @run: fails by EXPECT() and its like
 * @plain: it knows how many keys a leaf has, so no mode compresses its leaves
 * @nr: a number for @run, as test_current() has it
 * @fill: for scenario_race()
 */
struct test {
	const char *name;
	void (*run)(void);
	bool plain;
	unsigned int nr;
	void (*fill)(struct scenario *s, unsigned int at, u64 *random);
};

/*
 * Files that look into nodes are compiled twice, the second time for keys of 128 bits
 * (u128.h). TESTS() is the name of the array of their tests, which ends with an element
 * without a name.
 */
#ifdef BLINK_COMPILE_U128
#define TESTS(name) u128_##name##_tests
#else
#define TESTS(name) name##_tests
#endif

/* Those of kunit/, which kunit_list_tests() makes. */
extern struct test kunit_tests[];
void kunit_list_tests(void);

/* Report a failure of the running test; it goes on unless it asks. */
void test_fail(const char *file, int line, const char *format, ...)
	__printf(3, 4);
bool test_failed(void);
/* Report that the running test cannot be done, and why. */
void test_skip(const char *why);

#define EXPECT(cond)                                                \
	({                                                          \
		bool __expect = (cond);                             \
		if (!__expect)                                      \
			test_fail(__FILE__, __LINE__, "%s", #cond); \
		__expect;                                           \
	})
#define EXPECT_EQ(a, b)                                                     \
	({                                                                  \
		long long __expect_a = (long long)(a);                      \
		long long __expect_b = (long long)(b);                      \
		if (__expect_a != __expect_b)                               \
			test_fail(__FILE__, __LINE__,                       \
				  "%s is %lld (0x%llx), not %lld (0x%llx)", \
				  #a, __expect_a, __expect_a, __expect_b,   \
				  __expect_b);                              \
		__expect_a == __expect_b;                                   \
	})

/* Insert a key; erase it; find it with its value. */
#define EXPECT_INSERT(tree, key, value) \
	EXPECT_EQ(blink_tree_insert(tree, key, value, NULL, GFP_KERNEL), 0)
#define EXPECT_ERASE(tree, key) EXPECT_EQ(blink_tree_erase(tree, key, NULL), 0)
#define EXPECT_FOUND(tree, key, expected)                               \
	({                                                              \
		u64 __found = 0;                                        \
		EXPECT_EQ(blink_tree_lookup(tree, key, &__found), 0) && \
			EXPECT_EQ(__found, expected);                   \
	})

const struct test *test_current(void);
/* The running test's seed, from that of the program. */
u64 test_seed(void);
/* A number of rounds, times what --scale says, 1 at least. */
u64 test_scale(u64 rounds);

static inline bool random_chance(u64 *state, unsigned int percent)
{
	return random_below(state, 100) < percent;
}

/*
 * Count @nr operations on a tree that random choices led to, and whose answers
 * were checked. Any thread of run_threads() may.
 */
void test_did(u64 nr);

/* Run @fn(0) to @fn(@nr - 1), each in a thread of its own. */
void run_threads(unsigned int nr, void (*fn)(unsigned int id));

/* The parameters of trees in the mode that the program runs in. */
extern struct blink_tree_params test_params;

/* Whether the keys of these trees are strings (kunit/keys.h). */
static inline bool test_strings(void)
{
	return test_params.key == BLINK_TREE_KEY_BYTES;
}

static inline struct blink_tree_ioc_stats tree_stats(struct blink_tree *tree)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(tree, &stats);
	return stats;
}

/* A tree with these parameters; a failure ends the program. */
struct blink_tree *tree_create(void);
/* The same with the keys from 0 to below @nr, each its own value. */
static inline struct blink_tree *tree_filled(u64 nr)
{
	struct blink_tree *tree = tree_create();
	u64 key;

	for (key = 0; key < nr; key++)
		EXPECT_INSERT(tree, key, key);
	return tree;
}

/* Verify the tree; its keys must be as many as its count says. */
void expect_sound(struct blink_tree *tree);
/* The same, and destroy it. */
void tree_end(struct blink_tree *tree);
/* The report of a tree without violations. */
struct blink_tree_ioc_verify tree_verified(struct blink_tree *tree);
/* The tree has no key: it must be one leaf, and nothing else left of it. */
void expect_one_leaf(struct blink_tree *tree);

#endif /* TESTS_TEST_H */
