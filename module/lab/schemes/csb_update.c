// SPDX-License-Identifier: GPL-2.0
/* The full CSB+-tree: steps that all updates share, and updates of NO and TL (csb.h). */
#include <linux/errno.h>

#include "csb.h"
#include "slots.h"

/* Take an empty group from @stock, which has one. */
struct csb_group *csb_stock_take(const struct csb_tree *tree,
				 struct csb_stock *stock, unsigned int level)
{
	struct csb_group *group = stock->first;

	stock->first = group->link;
	stock->nr--;
	csb_group_init(tree, group, level);
	return group;
}

/* Allocate spare groups, until there are @nr at least. */
int csb_stock_fill(struct csb_tree *tree, struct csb_stock *stock,
		   unsigned int nr)
{
	struct csb_group *group;

	while (stock->nr < nr) {
		group = csb_group_alloc(tree);
		if (!group)
			return -ENOMEM;
		group->link = stock->first;
		stock->first = group;
		stock->nr++;
	}
	return 0;
}

/* Free the spare groups of an update. */
void csb_stock_end(struct csb_tree *tree, struct csb_stock *stock)
{
	struct csb_group *group;

	while (stock->nr--) {
		group = stock->first;
		stock->first = group->link;
		csb_group_free(tree, group);
	}
}

/* Make a node equal to another one of its level. The caller owns both places. */
void csb_node_copy(const struct csb_tree *tree, struct csb_node *to,
		   const struct csb_node *from, unsigned int level)
{
	slot_copy(to->word, from->word, from->count);
	if (level)
		csb_set_group(tree, to, csb_group_of(tree, from));
	else
		slot_copy(to->word + tree->slots, from->word + tree->slots,
			  from->count);
	WRITE_ONCE(to->high, from->high);
	WRITE_ONCE(to->count, from->count);
}

/* Move the children of a full node from @keep on to a new group, the next one. */
static struct csb_group *move_children(const struct csb_tree *tree,
				       struct csb_stock *stock,
				       const struct csb_node *node,
				       unsigned int keep, unsigned int level)
{
	struct csb_group *from = csb_group_of(tree, node), *to;
	unsigned int i;

	to = csb_stock_take(tree, stock, level);
	for (i = keep; i < node->count; i++) {
		struct csb_node *child = csb_node_at(tree, from, i);

		csb_node_copy(tree, csb_node_at(tree, to, i - keep), child,
			      level);
		WRITE_ONCE(child->high, 0);
		WRITE_ONCE(child->count, 0);
	}
	to->link = from->link;
	WRITE_ONCE(from->link, to);
	return to;
}

/*
 * Split a child in its group. The nodes on its right move by one place. The new half
 * of an inner node gets a group for its children: @stock has one, if @level, that of
 * the child, is not 0. @parent is not full, so there is a place for one more node.
 *
 * The caller owns @parent; the child, the places on its right and that of the new
 * last one; and if @level is not 0, the children of the child that move
 * (csb_inner_keep()), and the link of their group.
 */
void csb_split_child(const struct csb_tree *tree, struct csb_stock *stock,
		     struct csb_node *parent, unsigned int pos,
		     unsigned int level)
{
	struct csb_group *group = csb_group_of(tree, parent);
	struct csb_node *left = csb_node_at(tree, group, pos);
	struct csb_node *right = csb_node_at(tree, group, pos + 1);
	unsigned int n = left->count / 2, keep = left->count - n, i;

	for (i = parent->count; i > pos + 1; i--)
		csb_node_copy(tree, csb_node_at(tree, group, i),
			      csb_node_at(tree, group, i - 1), level);
	slot_copy(right->word, left->word + keep, n);
	if (level)
		csb_set_group(tree, right,
			      move_children(tree, stock, left, keep,
					    level - 1));
	else
		slot_copy(right->word + tree->slots,
			  left->word + tree->slots + keep, n);
	WRITE_ONCE(right->high, left->high);
	WRITE_ONCE(right->count, n);
	WRITE_ONCE(left->high, left->word[keep - 1]);
	WRITE_ONCE(left->count, keep);
	slot_insert(parent->word, parent->count, pos, left->high);
	WRITE_ONCE(parent->count, parent->count + 1);
}

/*
 * Make a root of a group from @stock, which has one. The group of the old root
 * becomes the only child. The caller publishes the new group.
 */
struct csb_group *csb_root_above(const struct csb_tree *tree,
				 struct csb_stock *stock, struct csb_group *old)
{
	struct csb_group *group = csb_stock_take(tree, stock, old->level + 1);
	struct csb_node *root = csb_node_at(tree, group, 0);

	root->count = 1;
	root->high = PLAIN_KEY_MAX;
	root->word[0] = PLAIN_KEY_MAX;
	csb_set_group(tree, root, old);
	return group;
}

/*
 * Split the full nodes on the way from a node, which is not full, to a key. The
 * caller owns @node and all below it.
 *
 * Returns the leaf of the key, or NULL without spare groups; splits done stay.
 */
struct csb_node *csb_make_room(const struct csb_tree *tree,
			       struct csb_stock *stock, struct csb_node *node,
			       unsigned int level, u64 key)
{
	struct csb_node *child;
	unsigned int pos;

	while (level--) {
		pos = csb_search(node, key);
		child = csb_node_at(tree, csb_group_of(tree, node), pos);
		if (csb_is_full(tree, child, level)) {
			if (level && !stock->nr)
				return NULL;
			csb_split_child(tree, stock, node, pos, level);
			pos = csb_search(node, key);
		}
		node = csb_node_at(tree, csb_group_of(tree, node), pos);
	}
	return node;
}

static void entry_insert(const struct csb_tree *tree, struct csb_node *leaf,
			 unsigned int pos, u64 key, u64 value)
{
	slot_insert(leaf->word, leaf->count, pos, key);
	slot_insert(leaf->word + tree->slots, leaf->count, pos, value);
	WRITE_ONCE(leaf->count, leaf->count + 1);
}

static void entry_remove(const struct csb_tree *tree, struct csb_node *leaf,
			 unsigned int pos)
{
	slot_remove(leaf->word, leaf->count, pos);
	slot_remove(leaf->word + tree->slots, leaf->count, pos);
	WRITE_ONCE(leaf->count, leaf->count - 1);
}

/*
 * Execute an update in the leaf that covers its key. The caller owns @leaf.
 *
 * Returns 0; -EEXIST for PLAIN_INSERT of a key that is there; -ENOENT for PLAIN_ERASE
 * of one that is absent; -ENOSPC if the leaf has no room for an entry more.
 */
int csb_leaf_update(const struct csb_tree *tree, struct csb_node *leaf,
		    enum plain_op op, u64 key, u64 value)
{
	unsigned int pos = csb_search(leaf, key);
	bool found = csb_has_key(leaf, pos, key);

	if (!found && op == PLAIN_ERASE)
		return -ENOENT;
	if (found && op == PLAIN_INSERT)
		return -EEXIST;
	if (!found && csb_is_full(tree, leaf, 0))
		return -ENOSPC;
	if (op == PLAIN_ERASE)
		entry_remove(tree, leaf, pos);
	else if (found)
		WRITE_ONCE(leaf->word[tree->slots + pos], value);
	else
		entry_insert(tree, leaf, pos, key, value);
	return 0;
}

/* A leaf was full: split nodes from the root on, for the leaf of a key; or NULL. */
static struct csb_node *make_room(struct csb_tree *tree,
				  struct csb_stock *stock, u64 key)
{
	struct csb_group *root = csb_root(tree);

	if (csb_is_full(tree, csb_node_at(tree, root, 0), root->level)) {
		if (stock->nr < CSB_STOCK)
			return NULL;
		root = csb_root_above(tree, stock, root);
		rcu_assign_pointer(tree->root, root);
	}
	return csb_make_room(tree, stock, csb_node_at(tree, root, 0),
			     root->level, key);
}

/* One attempt of an update; -EAGAIN without spare groups. */
static int attempt(struct csb_tree *tree, struct csb_stock *stock,
		   enum plain_op op, u64 key, u64 value)
{
	struct csb_node *leaf = csb_find_leaf(tree, key).node;
	int ret = csb_leaf_update(tree, leaf, op, key, value);

	if (ret != -ENOSPC)
		return ret;
	leaf = make_room(tree, stock, key);
	return leaf ? csb_leaf_update(tree, leaf, op, key, value) : -EAGAIN;
}

/* An update of NO or TL, or of VN or VT before there are readers. */
int csb_update(void *data, enum plain_op op, u64 key, u64 value)
{
	struct csb_tree *tree = data;
	struct csb_stock stock = {};
	int ret;

	do {
		if (tree->control != CSB_NO)
			write_lock(&tree->latch);
		ret = attempt(tree, &stock, op, key, value);
		if (tree->control != CSB_NO)
			write_unlock(&tree->latch);
	} while (ret == -EAGAIN && !csb_stock_fill(tree, &stock, CSB_STOCK));
	csb_stock_end(tree, &stock);
	return ret == -EAGAIN ? -ENOMEM : ret;
}

/* The tree of VN or VT has no readers yet, so its groups are changed in place. */
int csb_load(void *data, u64 key, u64 value)
{
	return csb_update(data, PLAIN_STORE, key, value);
}
