// SPDX-License-Identifier: GPL-2.0
/*
 * The addresses of a tree and its nodes, for code that counts references to
 * them. Leaves without copies belong to all indexes, and are visited once.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "../index/root.h"
#include "inspect.h"
#include "level_walk.h"

struct visit {
	blink_visit_t visit;
	void *data;
};

static int visit_node(struct blink_level_walk *walk, void *data)
{
	bool copies = !walk->level && walk->tree->copied;
	struct visit *visit = data;

	visit->visit(visit->data, walk->snap.node,
		     copies ? BLINK_MEMBER_BYTES :
			      blink_node_bytes(!walk->level),
		     walk->level);
	return 0;
}

/* As blink_tree_visit(). */
int blink_visit(struct blink_tree *tree, blink_visit_t visit, void *data)
{
	struct visit call = { .visit = visit, .data = data };
	struct blink_level_walk *walk;
	struct blink_index *idx;
	unsigned int level, lowest;
	int ret = 0;

	walk = kmalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);
	if (!walk)
		return -ENOMEM;
	walk->tree = tree;
	for_each_blink_index(idx, tree) {
		lowest = idx == tree->index || tree->copied ? 0 : 1;
		for (level = lowest; level < blink_index_height(idx); level++) {
			ret = blink_level_visit(walk, idx, level, visit_node,
						&call);
			if (ret)
				goto out;
		}
	}
out:
	kfree(walk);
	return ret;
}
