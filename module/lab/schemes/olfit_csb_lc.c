// SPDX-License-Identifier: GPL-2.0
/*
 * Authors: Cha, Hwang, Kim, Kwon. Paper: OLFIT (VLDB 2001), sections 2.3 and 6: LC, lock
 * coupling with the optimistic descent of olfit_lc.c, on the full CSB+-tree (csb.h).
 *
 * Promises: each operation takes effect at one moment; writers of different leaves run in
 * parallel.
 *
 * Left open by the paper: splits. The second descent splits full nodes on its way down, and
 * holds the latch of the parent for itself. A thread comes to a place through the parent
 * alone, with its latch held. So the updater waits once for the latch of each place whose
 * node moves, and lets it go again (drain()): no thread is there then, and none comes. Two
 * latches at a time are enough for that, in a group of any size. As in olfit_lc.c a scan
 * descends once for each leaf.
 */
#include <linux/errno.h>

#include "csb.h"

static rwlock_t *latch_of(struct csb_tree *tree, struct csb_node *node)
{
	struct csb_latch *latch = csb_front(tree, node);

	return &latch->latch;
}

static void lock(struct csb_tree *tree, struct csb_node *node, bool exclusive)
{
	if (exclusive)
		write_lock(latch_of(tree, node));
	else
		read_lock(latch_of(tree, node));
}

/* The leaf of a key, latched; inner nodes are latched as readers do. */
static struct csb_node *descend(struct csb_tree *tree, u64 key, bool exclusive,
				u64 *low)
{
	struct csb_node *node, *child;
	struct csb_group *root;
	unsigned int level, pos;

	read_lock(&tree->latch);
	root = csb_root(tree);
	node = csb_node_at(tree, root, 0);
	level = root->level;
	lock(tree, node, exclusive && !level);
	read_unlock(&tree->latch);
	while (level--) {
		pos = csb_search(node, key);
		if (pos)
			*low = node->word[pos - 1];
		child = csb_node_at(tree, csb_group_of(tree, node), pos);
		lock(tree, child, exclusive && !level);
		read_unlock(latch_of(tree, node));
		node = child;
	}
	return node;
}

static void csb_lc_read_leaf(void *data, struct reading *r,
			     enum reading_wanted wanted)
{
	struct csb_tree *tree = data;
	struct csb_node *leaf = descend(tree, r->key, false, &r->low);

	csb_read_entries(tree, leaf, r, wanted);
	read_unlock(latch_of(tree, leaf));
}

READING_OPERATIONS(csb_lc)

/* Wait for the threads at a place; the latch through which they came is held. */
static void drain(struct csb_tree *tree, struct csb_node *node)
{
	write_lock(latch_of(tree, node));
	write_unlock(latch_of(tree, node));
}

static void drain_children(struct csb_tree *tree, struct csb_node *node,
			   unsigned int from)
{
	struct csb_group *group = csb_group_of(tree, node);

	for (; from < node->count; from++)
		drain(tree, csb_node_at(tree, group, from));
}

/* Split a full child, which is drained, of a latched parent. */
static void split_child(struct csb_tree *tree, struct csb_stock *stock,
			struct csb_node *parent, unsigned int pos,
			unsigned int level)
{
	drain_children(tree, parent, pos + 1);
	if (level)
		drain_children(tree,
			       csb_node_at(tree, csb_group_of(tree, parent),
					   pos),
			       csb_inner_keep(tree));
	csb_split_child(tree, stock, parent, pos, level);
}

/* The root, latched; it gets a parent before if it is full. NULL without groups. */
static struct csb_node *lock_root(struct csb_tree *tree,
				  struct csb_stock *stock, unsigned int *level)
{
	struct csb_group *root;
	struct csb_node *node;

	write_lock(&tree->latch);
	root = csb_root(tree);
	drain(tree, csb_node_at(tree, root, 0));
	if (csb_is_full(tree, csb_node_at(tree, root, 0), root->level)) {
		if (stock->nr < CSB_STOCK) {
			write_unlock(&tree->latch);
			return NULL;
		}
		root = csb_root_above(tree, stock, root);
		rcu_assign_pointer(tree->root, root);
	}
	*level = root->level;
	node = csb_node_at(tree, root, 0);
	lock(tree, node, true);
	write_unlock(&tree->latch);
	return node;
}

/* The leaf of a key, latched, with room for an entry; or NULL without groups. */
static struct csb_node *prepare(struct csb_tree *tree, struct csb_stock *stock,
				u64 key)
{
	struct csb_node *node, *child;
	unsigned int level, pos;

	node = lock_root(tree, stock, &level);
	while (node && level--) {
		pos = csb_search(node, key);
		child = csb_node_at(tree, csb_group_of(tree, node), pos);
		drain(tree, child);
		if (csb_is_full(tree, child, level)) {
			if (level && !stock->nr) {
				write_unlock(latch_of(tree, node));
				return NULL;
			}
			split_child(tree, stock, node, pos, level);
			pos = csb_search(node, key);
		}
		child = csb_node_at(tree, csb_group_of(tree, node), pos);
		lock(tree, child, true);
		write_unlock(latch_of(tree, node));
		node = child;
	}
	return node;
}

static int update(void *data, enum plain_op op, u64 key, u64 value)
{
	struct csb_tree *tree = data;
	struct csb_stock stock = {};
	struct csb_node *leaf;
	int ret;
	u64 low;

	leaf = descend(tree, key, true, &low);
	for (;;) {
		ret = -ENOSPC;
		if (leaf) {
			ret = csb_leaf_update(tree, leaf, op, key, value);
			write_unlock(latch_of(tree, leaf));
		}
		if (ret != -ENOSPC)
			break;
		ret = csb_stock_fill(tree, &stock, CSB_STOCK);
		if (ret)
			break;
		leaf = prepare(tree, &stock, key);
	}
	csb_stock_end(tree, &stock);
	return ret;
}

CSB_SCHEME(olfit_csb_lc, CSB_LC, csb_lc_lookup, csb_lc_scan, csb_lc_floor,
	   update);
