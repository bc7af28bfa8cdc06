// SPDX-License-Identifier: GPL-2.0
/* Trees that were short of memory; see short.h. */
#include <linux/sched.h>

#include "../module/core/tree/tree.h"
#include "inject.h"
#include "short.h"

/* Skip a test if not all allocations can be made to fail. */
void short_need_arms(struct kunit *test)
{
	if (!inject_possible(GFP_NOWAIT) || !inject_armed())
		kunit_skip(test, "no armed failslab, see kunit/run");
}

/* Skip a test that is about the only index of its tree. */
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

/* Let no mender of a tree be asked: each, which is idle, seems to be at work. */
void short_hold(struct blink_tree *tree)
{
	set_asked(tree, 1);
}

/* Undo short_hold(). */
void short_let_go(struct blink_tree *tree)
{
	set_asked(tree, 0);
}

/*
 * Insert the keys below @nr, short of memory; the menders are held. A split gets its
 * leaf and @inner inner nodes, and nothing more. An insertion without a split gets
 * no memory at all; with memory it would add the missing inner nodes. The string of
 * a key is allocated first.
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
