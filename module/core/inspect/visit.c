// SPDX-License-Identifier: GPL-2.0
/*
 * Where a tree and its nodes lie, for code that counts the references to them.
 * Leaves without copies are the same for every index, and come once.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "level_walk.h"
#include "visit.h"

/* Nodes that are looked at within one RCU read section. */
#define VISIT_BURST 64

static void visit_level(struct blink_level_walk *walk, blink_visit_t visit,
			void *data)
{
	bool copies = !walk->level && walk->tree->copied;
	size_t bytes = copies ? BLINK_MEMBER_BYTES :
				blink_node_bytes(!walk->level);
	unsigned int burst;

	do {
		rcu_read_lock();
		for (burst = 0; burst < VISIT_BURST; burst++) {
			if (!blink_level_next(walk))
				break;
			visit(data, walk->snap.node, bytes, walk->level);
		}
		rcu_read_unlock();
		cond_resched();
	} while (burst == VISIT_BURST);
}

/**
 * blink_tree_visit() - call a function for every node of a tree
 * @tree: the tree
 * @visit: the function, called with @data and a node's address, size and level
 *	within rcu_read_lock(): it may read the node and must not sleep
 * @data: for @visit
 *
 * While others modify the tree, nodes may be missed or come twice.
 *
 * Context: process; sleeps.
 * Return: 0 or -ENOMEM.
 */
int blink_tree_visit(struct blink_tree *tree, blink_visit_t visit, void *data)
{
	struct blink_level_walk *walk;
	struct blink_index *idx;
	unsigned int level, lowest;

	walk = kmalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);
	if (!walk)
		return -ENOMEM;
	for_each_blink_index(idx, tree) {
		lowest = idx == tree->index || tree->copied ? 0 : 1;
		for (level = lowest; level < blink_index_height(idx); level++) {
			memset(walk, 0, sizeof(*walk));
			walk->tree = tree;
			walk->idx = idx;
			walk->level = level;
			visit_level(walk, visit, data);
		}
	}
	kfree(walk);
	return 0;
}
EXPORT_SYMBOL_GPL(blink_tree_visit);

/**
 * blink_tree_visit_head() - call a function for what a tree has besides nodes
 * @tree: the tree
 * @visit: the function, called with @data, and address and size of the tree with
 *	its indexes, and of its queue if it has one
 * @data: for @visit
 *
 * Context: any.
 */
void blink_tree_visit_head(struct blink_tree *tree, blink_visit_t visit,
			   void *data)
{
	visit(data, tree, struct_size(tree, index, tree->nr_indexes), 0);
	if (tree->queue)
		visit(data, tree->queue, sizeof(*tree->queue), 0);
}
EXPORT_SYMBOL_GPL(blink_tree_visit_head);
