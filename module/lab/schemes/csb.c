// SPDX-License-Identifier: GPL-2.0
/* The full CSB+-tree: a tree, and its readers (csb.h). */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "csb.h"

/* Entries of a leaf (the paper's table 1), if the caller does not say. */
#define CSB_SLOTS 15
/* Less makes no tree, and a group of more is too large to allocate. */
#define CSB_SLOTS_MIN 4
#define CSB_SLOTS_MAX 128

static int tree_init(struct csb_tree *tree, unsigned int bytes)
{
	struct csb_node *root;

	tree->slots = (bytes - min_t(unsigned int, bytes, sizeof(*root))) /
		      (2 * sizeof(u64));
	if (tree->slots < CSB_SLOTS_MIN || tree->slots > CSB_SLOTS_MAX ||
	    bytes % sizeof(u64))
		return -EINVAL;
	tree->bytes = bytes;
	tree->groups = kmem_cache_create("lab_csb", csb_group_bytes(tree),
					 L1_CACHE_BYTES, 0, NULL);
	if (!tree->groups)
		return -ENOMEM;
	tree->root = csb_group_alloc(tree);
	if (!tree->root) {
		kmem_cache_destroy(tree->groups);
		return -ENOMEM;
	}
	root = tree->root;
	root->count = 0;
	return 0;
}

/**
 * csb_create() - create a tree
 * @latched: with a latch, or without any concurrency control
 * @params: its parameters
 *
 * Context: process; sleeps.
 * Return: the tree, or an ERR_PTR().
 */
void *csb_create(bool latched, const struct lab_params *params)
{
	const unsigned int bytes =
		sizeof(struct csb_node) + 2 * sizeof(u64) * CSB_SLOTS;
	struct csb_tree *tree = kzalloc(sizeof(*tree), LAB_GFP);
	int ret;

	if (!tree)
		return ERR_PTR(-ENOMEM);
	rwlock_init(&tree->latch);
	tree->latched = latched;
	ret = tree_init(tree, params->node_bytes ?: bytes);
	if (ret) {
		kfree(tree);
		return ERR_PTR(ret);
	}
	return tree;
}

/**
 * csb_lookup() - read the value of a key
 * @data: the tree
 * @key: the key
 * @value: set to its value
 *
 * Context: process.
 * Return: 0 or -ENOENT.
 */
int csb_lookup(void *data, u64 key, u64 *value)
{
	struct csb_tree *tree = data;
	struct csb_node *leaf;
	unsigned int pos;
	bool found;

	csb_lock_shared(tree);
	leaf = csb_find_leaf(tree, key).node;
	pos = csb_search(leaf, key);
	found = csb_has_key(leaf, pos, key);
	if (found)
		*value = leaf->word[tree->slots + pos];
	csb_unlock_shared(tree);
	return found ? 0 : -ENOENT;
}

static void copy_entry(const struct csb_tree *tree, const struct csb_node *leaf,
		       unsigned int pos, struct blink_tree_entry *entry)
{
	entry->key = leaf->word[pos];
	entry->value = leaf->word[tree->slots + pos];
}

/**
 * csb_scan() - copy entries from a key on
 * @data: the tree
 * @key: the key
 * @entry: where to
 * @nr: how many at most
 *
 * The leaves of a group follow each other in memory; a group is entered from the root.
 *
 * Context: process.
 * Return: how many it copied.
 */
unsigned int csb_scan(void *data, u64 key, struct blink_tree_entry *entry,
		      unsigned int nr)
{
	struct csb_tree *tree = data;
	unsigned int got = 0, i, pos;
	struct csb_leaf leaf;

	csb_lock_shared(tree);
	do {
		leaf = csb_find_leaf(tree, key);
		for (i = 0; i <= leaf.rest && got < nr; i++) {
			struct csb_node *node = csb_node_at(tree, leaf.node, i);

			for (pos = csb_search(node, key);
			     pos < node->count && got < nr; pos++)
				copy_entry(tree, node, pos, &entry[got++]);
		}
		key = leaf.high + 1;
	} while (got < nr && leaf.high != PLAIN_KEY_MAX);
	csb_unlock_shared(tree);
	return got;
}

/**
 * csb_floor() - copy the entry of the greatest key not above a key
 * @data: the tree
 * @key: the key
 * @entry: where to
 *
 * Context: process.
 * Return: 0 or -ENOENT.
 */
int csb_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	struct csb_tree *tree = data;
	struct csb_leaf leaf;
	unsigned int pos;
	bool found;

	csb_lock_shared(tree);
	do {
		leaf = csb_find_leaf(tree, key);
		pos = csb_search(leaf.node, key);
		found = csb_has_key(leaf.node, pos, key) || pos--;
		if (found)
			copy_entry(tree, leaf.node, pos, entry);
		key = leaf.low;
	} while (!found && key != PLAIN_KEY_MAX);
	csb_unlock_shared(tree);
	return found ? 0 : -ENOENT;
}

/* The entries of a node ascend from @low to @high, which is an inner node's last. */
static bool node_sound(const struct csb_tree *tree, const struct csb_node *node,
		       unsigned int level, u64 low, u64 high)
{
	unsigned int i;

	if (node->count > (level ? csb_inner_slots(tree) : tree->slots))
		return false;
	for (i = 0; i < node->count; i++) {
		/* No key is below the first one, and that may be 0. */
		if (low != PLAIN_KEY_MAX && node->word[i] <= low)
			return false;
		low = node->word[i];
	}
	if (level)
		return node->count && low == high;
	return !node->count || low <= high;
}

/*
 * Visit all nodes, children before their parent: check them, or free their groups. A
 * group is freed with the last child in it.
 */
static int walk(struct csb_tree *tree, bool check)
{
	struct csb_node *path[PLAIN_LEVELS], *node = tree->root;
	unsigned int at[PLAIN_LEVELS], level = tree->level;
	u64 low = PLAIN_KEY_MAX;

	path[level] = node;
	at[level] = 0;
	if (check && !node_sound(tree, node, level, low, PLAIN_KEY_MAX))
		return -EUCLEAN;
	for (;;) {
		node = path[level];
		if (level && at[level] < node->count) {
			u64 high = node->word[at[level]];

			if (at[level])
				low = node->word[at[level] - 1];
			path[level - 1] = csb_node_at(
				tree, csb_group_of(tree, node), at[level]++);
			at[--level] = 0;
			if (check &&
			    !node_sound(tree, path[level], level, low, high))
				return -EUCLEAN;
			continue;
		}
		if (level && !check)
			csb_group_free(tree, csb_group_of(tree, node));
		cond_resched();
		if (level++ == tree->level)
			return 0;
	}
}

/**
 * csb_verify() - check a tree
 * @data: the tree; no other thread uses it
 *
 * Context: process; reschedules.
 * Return: 0 or -EUCLEAN.
 */
int csb_verify(void *data)
{
	return walk(data, true);
}

/**
 * csb_destroy() - free a tree
 * @data: the tree; no other thread uses it
 *
 * Context: process; sleeps.
 */
void csb_destroy(void *data)
{
	struct csb_tree *tree = data;

	walk(tree, false);
	csb_group_free(tree, tree->root);
	WARN_ON_ONCE(atomic_long_read(&tree->nr));
	kmem_cache_destroy(tree->groups);
	kfree(tree);
}

/**
 * csb_bytes() - the memory of a tree
 * @data: the tree
 *
 * Context: any.
 * Return: bytes, with the places of groups that are free.
 */
u64 csb_bytes(void *data)
{
	struct csb_tree *tree = data;

	return atomic_long_read(&tree->nr) * (u64)csb_group_bytes(tree);
}
