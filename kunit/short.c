// SPDX-License-Identifier: GPL-2.0
/* Trees that were short of memory; see short.h. */
#include <linux/sched.h>

#include "../module/core/tree/tree.h"
#include "inject.h"
#include "short.h"

/**
 * short_need_arms() - skip a test if not all allocations can be made to fail
 * @test: the test
 */
void short_need_arms(struct kunit *test)
{
	if (!inject_possible(GFP_NOWAIT) || !inject_armed())
		kunit_skip(test, "no armed failslab, see kunit/run");
}

/**
 * short_need_one_index() - skip a test that is about the only index of its tree
 * @test: the test
 * @tree: the tree
 */
void short_need_one_index(struct kunit *test, struct blink_tree *tree)
{
	if (tree->nr_indexes > 1)
		kunit_skip(test, "the tree has several indexes");
}

static void set_asked(struct blink_tree *tree, int asked)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree)
		atomic_set(&idx->mender.asked, asked);
}

/**
 * short_hold() - let no mender of a tree be asked: each seems to be at work
 * @tree: the tree, whose menders are idle
 */
void short_hold(struct blink_tree *tree)
{
	set_asked(tree, 1);
}

/**
 * short_let_go() - undo short_hold()
 * @tree: the tree
 */
void short_let_go(struct blink_tree *tree)
{
	set_asked(tree, 0);
}

/**
 * short_of_inner() - insert the keys below a number, short of memory
 * @test: the test
 * @tree: the tree, whose menders are held
 * @order: in this order
 * @nr: the number
 * @inner: inner nodes that each split gets
 *
 * A split gets its leaf and so many inner nodes, and nothing more. An insertion without
 * a split gets no memory at all; with memory it would add the missing inner nodes. The
 * string of a key is allocated first.
 */
void short_of_inner(struct kunit *test, struct blink_tree *tree,
		    enum order order, unsigned int nr, unsigned int inner)
{
	unsigned int first = 1 + (tree->layout == BLINK_LAYOUT_BYTES), i;
	u64 *keys = order_keys(test, order, nr);
	u64 value;
	int ret;

	for (i = 0; i < nr; i++) {
		value = fixture_value(keys[i]);
		inject_from(first);
		ret = blink_tree_insert(tree, keys[i], value, NULL,
					GFP_NOWAIT | __GFP_NOWARN);
		if (ret) {
			inject_from(first + 1 + inner);
			ret = blink_tree_insert(tree, keys[i], value, NULL,
						GFP_NOWAIT | __GFP_NOWARN);
		}
		inject_end();
		if (ret)
			fixture_fail_at(test, keys[i], "insert: %d", ret);
		cond_resched();
	}
}
