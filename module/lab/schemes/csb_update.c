// SPDX-License-Identifier: GPL-2.0
/* The full CSB+-tree: its updates (csb.h). */
#include <linux/errno.h>
#include <linux/string.h>

#include "csb.h"

/* Spare groups of an update; the first word of each leads to the next. */
struct csb_stock {
	void *first;
	unsigned int nr;
};

static void *stock_take(struct csb_stock *stock)
{
	void *group = stock->first;

	stock->first = *(void **)group;
	stock->nr--;
	return group;
}

/* Enough for a root that is split. */
static int stock_fill(struct csb_tree *tree, struct csb_stock *stock)
{
	void *group;

	while (stock->nr < 2) {
		group = csb_group_alloc(tree);
		if (!group)
			return -ENOMEM;
		*(void **)group = stock->first;
		stock->first = group;
		stock->nr++;
	}
	return 0;
}

static void stock_end(struct csb_tree *tree, struct csb_stock *stock)
{
	while (stock->nr)
		csb_group_free(tree, stock_take(stock));
}

/*
 * Split a child in its group. Its parent is not full, so there is a place for one more
 * node. The new half of an inner node gets a group for its children.
 */
static void split_child(struct csb_tree *tree, struct csb_stock *stock,
			struct csb_node *parent, unsigned int pos,
			unsigned int level)
{
	void *group = csb_group_of(tree, parent), *moved;
	struct csb_node *left = csb_node_at(tree, group, pos);
	struct csb_node *right = csb_node_at(tree, group, pos + 1);
	unsigned int n = left->count / 2, keep = left->count - n;

	memmove(csb_node_at(tree, group, pos + 2), right,
		(parent->count - pos - 1) * (size_t)tree->bytes);
	memcpy(right->word, left->word + keep, n * sizeof(u64));
	if (level) {
		moved = stock_take(stock);
		memcpy(moved, csb_node_at(tree, csb_group_of(tree, left), keep),
		       n * (size_t)tree->bytes);
		csb_set_group(tree, right, moved);
	} else {
		memcpy(right->word + tree->slots,
		       left->word + tree->slots + keep, n * sizeof(u64));
	}
	right->count = n;
	left->count = keep;
	memmove(parent->word + pos + 1, parent->word + pos,
		(parent->count - pos) * sizeof(u64));
	parent->word[pos] = left->word[keep - 1];
	parent->count++;
}

/* A full root gets a parent, and is split. */
static int grow(struct csb_tree *tree, struct csb_stock *stock)
{
	struct csb_node *root;

	if (!csb_is_full(tree, tree->root, tree->level))
		return 0;
	if (stock->nr < 2)
		return -EAGAIN;
	root = stock_take(stock);
	root->count = 1;
	root->word[0] = PLAIN_KEY_MAX;
	csb_set_group(tree, root, tree->root);
	split_child(tree, stock, root, 0, tree->level++);
	tree->root = root;
	return 0;
}

/* Split the full nodes on the way to a key; -EAGAIN without spare groups. */
static int make_room(struct csb_tree *tree, struct csb_stock *stock, u64 key)
{
	struct csb_node *node, *child;
	unsigned int level, pos;
	int ret;

	ret = grow(tree, stock);
	if (ret)
		return ret;
	node = tree->root;
	for (level = tree->level; level--;) {
		pos = csb_search(node, key);
		child = csb_node_at(tree, csb_group_of(tree, node), pos);
		if (csb_is_full(tree, child, level)) {
			if (level && !stock->nr)
				return -EAGAIN;
			split_child(tree, stock, node, pos, level);
			pos = csb_search(node, key);
		}
		node = csb_node_at(tree, csb_group_of(tree, node), pos);
	}
	return 0;
}

static void entry_insert(struct csb_tree *tree, struct csb_node *leaf,
			 unsigned int pos, u64 key, u64 value)
{
	u64 *values = leaf->word + tree->slots;
	size_t bytes = (leaf->count - pos) * sizeof(u64);

	memmove(leaf->word + pos + 1, leaf->word + pos, bytes);
	memmove(values + pos + 1, values + pos, bytes);
	leaf->word[pos] = key;
	values[pos] = value;
	leaf->count++;
}

static void entry_remove(struct csb_tree *tree, struct csb_node *leaf,
			 unsigned int pos)
{
	u64 *values = leaf->word + tree->slots;
	size_t bytes;

	leaf->count--;
	bytes = (leaf->count - pos) * sizeof(u64);
	memmove(leaf->word + pos, leaf->word + pos + 1, bytes);
	memmove(values + pos, values + pos + 1, bytes);
}

/* One attempt of an update; the leaf is looked for again if nodes were split. */
static int attempt(struct csb_tree *tree, struct csb_stock *stock,
		   enum plain_op op, u64 key, u64 value)
{
	struct csb_node *leaf = csb_find_leaf(tree, key).node;
	unsigned int pos = csb_search(leaf, key);
	bool found = csb_has_key(leaf, pos, key);
	int ret;

	if (found && op == PLAIN_INSERT)
		return -EEXIST;
	if (!found && op == PLAIN_ERASE)
		return -ENOENT;
	if (op == PLAIN_ERASE) {
		entry_remove(tree, leaf, pos);
		return 0;
	}
	if (found) {
		leaf->word[tree->slots + pos] = value;
		return 0;
	}
	if (csb_is_full(tree, leaf, 0)) {
		ret = make_room(tree, stock, key);
		if (ret)
			return ret;
		leaf = csb_find_leaf(tree, key).node;
		pos = csb_search(leaf, key);
	}
	entry_insert(tree, leaf, pos, key, value);
	return 0;
}

static int update(struct csb_tree *tree, enum plain_op op, u64 key, u64 value)
{
	struct csb_stock stock = {};
	int ret;

	do {
		csb_lock_exclusive(tree);
		ret = attempt(tree, &stock, op, key, value);
		csb_unlock_exclusive(tree);
	} while (ret == -EAGAIN && !stock_fill(tree, &stock));
	stock_end(tree, &stock);
	return ret == -EAGAIN ? -ENOMEM : ret;
}

/**
 * csb_insert() - add a key
 * @data: the tree
 * @key: the key
 * @value: its value
 *
 * Context: process; sleeps.
 * Return: 0, -EEXIST or -ENOMEM.
 */
int csb_insert(void *data, u64 key, u64 value)
{
	return update(data, PLAIN_INSERT, key, value);
}

/**
 * csb_store() - add a key, or overwrite its value
 * @data: the tree
 * @key: the key
 * @value: its value
 *
 * Context: process; sleeps.
 * Return: 0 or -ENOMEM.
 */
int csb_store(void *data, u64 key, u64 value)
{
	return update(data, PLAIN_STORE, key, value);
}

/**
 * csb_erase() - remove a key
 * @data: the tree
 * @key: the key
 *
 * Context: process.
 * Return: 0 or -ENOENT.
 */
int csb_erase(void *data, u64 key)
{
	return update(data, PLAIN_ERASE, key, 0);
}
