// SPDX-License-Identifier: GPL-2.0
/* Trees whose updaters copy nodes: a tree, and its readers (copying.h). */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "copying.h"

/* One class for each level, for all trees: threads latch one tree at a time. */
static struct lock_class_key level_keys[PLAIN_LEVELS];

void copying_latch_init(struct copying_latch *latch, unsigned int level)
{
	spin_lock_init(&latch->latch);
	lockdep_set_class(&latch->latch, &level_keys[level]);
}

static void init_root_latch(void *latch)
{
	copying_latch_init(latch, 0);
}

void *copying_create(const struct copying_policy *how,
		     const struct lab_params *params)
{
	bool latches = how->writers == COPYING_NODE_LATCHES;
	struct copying_tree *tree = kzalloc(sizeof(*tree), LAB_GFP);
	int ret;

	if (!tree)
		return ERR_PTR(-ENOMEM);
	ret = plain_tree_init(&tree->plain,
			      params->node_bytes ?: plain_bytes(how->slots),
			      latches ? sizeof(struct copying_latch) : 0,
			      latches ? init_root_latch : NULL);
	if (ret) {
		kfree(tree);
		return ERR_PTR(ret);
	}
	tree->how = how;
	spin_lock_init(&tree->latch);
	mutex_init(&tree->mutex);
	return tree;
}

void copying_destroy(void *data)
{
	struct copying_tree *tree = data;

	plain_tree_end(&tree->plain);
	mutex_destroy(&tree->mutex);
	kfree(tree);
}

/*
 * The leaf of a key. @low is set to the greatest key that its left neighbour covers,
 * and left alone if there is none.
 */
static struct plain_node *find_leaf(const struct plain_tree *plain,
				    struct plain_node *node, u64 key, u64 *low)
{
	unsigned int pos;

	while (node->level) {
		pos = plain_search(plain, node, key);
		if (pos)
			*low = plain_key(node, pos - 1);
		node = plain_child(plain, node, pos);
	}
	return node;
}

int copying_lookup(void *data, u64 key, u64 *value)
{
	struct copying_tree *tree = data;
	struct plain_node *leaf;
	unsigned int pos;
	bool found;
	u64 low;

	rcu_read_lock();
	leaf = find_leaf(&tree->plain, rcu_dereference(tree->plain.root), key,
			 &low);
	pos = plain_search(&tree->plain, leaf, key);
	found = plain_found(leaf, pos, key);
	if (found)
		*value = plain_value(&tree->plain, leaf, pos);
	rcu_read_unlock();
	return found ? 0 : -ENOENT;
}

/*
 * All leaves are reached from one version of the root: with COPYING_SWAP_ROOT they
 * are those of one moment.
 */
unsigned int copying_scan(void *data, u64 key, struct blink_tree_entry *entry,
			  unsigned int nr)
{
	struct copying_tree *tree = data;
	struct plain_node *root, *leaf;
	unsigned int got = 0;
	u64 low;

	rcu_read_lock();
	root = rcu_dereference(tree->plain.root);
	do {
		leaf = find_leaf(&tree->plain, root, key, &low);
		got += plain_leaf_scan(&tree->plain, leaf, key, entry + got,
				       nr - got);
		key = leaf->high + 1;
	} while (got < nr && leaf->high != PLAIN_KEY_MAX);
	rcu_read_unlock();
	return got;
}

/* Like a scan it uses one version of the root. */
int copying_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	struct copying_tree *tree = data;
	struct plain_node *root, *leaf;
	bool found;
	u64 low;

	rcu_read_lock();
	root = rcu_dereference(tree->plain.root);
	do {
		low = PLAIN_KEY_MAX;
		leaf = find_leaf(&tree->plain, root, key, &low);
		found = plain_leaf_floor(&tree->plain, leaf, key, entry);
		key = low;
	} while (!found && low != PLAIN_KEY_MAX);
	rcu_read_unlock();
	return found ? 0 : -ENOENT;
}
