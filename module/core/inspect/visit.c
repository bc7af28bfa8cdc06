// SPDX-License-Identifier: GPL-2.0
/*
 * The addresses of a tree and its nodes, for code that counts references to
 * them. Leaves without copies belong to all indexes, and are visited once.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "../index/queue.h"
#include "../index/root.h"
#include "level_walk.h"
#include "visit.h"

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

/**
 * blink_tree_visit() - call a function for every node of a tree
 * @tree: the tree
 * @visit: the function, called with @data and a node's address, size and level
 *	within rcu_read_lock(): it may read the node, and must not sleep
 * @data: for @visit
 *
 * While other operations modify the tree, nodes can be missed or visited twice.
 *
 * Context: process; sleeps.
 * Return: 0; -ENOMEM; -EINTR if a fatal signal arrived before the end.
 */
int blink_tree_visit(struct blink_tree *tree, blink_visit_t visit, void *data)
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
EXPORT_SYMBOL_GPL(blink_tree_visit);

/**
 * blink_tree_visit_head() - call a function for the memory of a tree besides
 *	nodes
 * @tree: the tree
 * @visit: the function, called with @data, and address and size of the tree
 *	with its indexes, and of its queue if it has one
 * @data: for @visit
 *
 * Context: any.
 */
void blink_tree_visit_head(struct blink_tree *tree, blink_visit_t visit,
			   void *data)
{
	visit(data, tree, struct_size(tree, index, tree->nr_indexes), 0);
	if (tree->queue)
		visit(data, tree->queue, blink_queue_bytes(tree), 0);
}
EXPORT_SYMBOL_GPL(blink_tree_visit_head);
