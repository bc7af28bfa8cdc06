// SPDX-License-Identifier: GPL-2.0
/*
 * The movement of entries in nodes. Readers look on, so the entries of a published
 * node move one word at a time, with WRITE_ONCE().
 */
#include <linux/kernel.h>

#include "../../obs/trace.h"
#include "../tree/tree.h"
#include "node.h"
#include "section.h"

/**
 * blink_node_init() - make a node what it is before it holds anything
 * @tree: its tree
 * @node: the node, private to the caller
 * @level: its level
 *
 * The range is that of a level's only node.
 *
 * Context: any.
 */
void blink_node_init(struct blink_tree *tree, struct blink_node *node,
		     unsigned int level)
{
	blink_lock_init(&node->lock, level, tree->flags & BLINK_TREE_IRQSAFE);
	node->seq = 0;
	node->count = 0;
	node->level = level;
	node->flags = BLINK_NODE_LEFTMOST;
	node->gated = false;
	node->heat = 0;
	node->low = 0;
	node->high = U64_MAX;
	RCU_INIT_POINTER(node->right, NULL);
	node->unposted = 0;
	blink_keys_unuse(node, 0, blink_node_slots(node));
	if (!level && tree->copied)
		blink_copies_init(node);
}

/**
 * blink_inner_set_level() - make a spare inner node one of this level
 * @tree: its tree
 * @node: the node, as blink_inner_alloc() returned it
 * @level: its level
 *
 * Context: any.
 */
void blink_inner_set_level(struct blink_tree *tree, struct blink_node *node,
			   unsigned int level)
{
	blink_lock_init(&node->lock, level, tree->flags & BLINK_TREE_IRQSAFE);
	node->level = level;
}

static void slots_insert(u64 *slot, unsigned int count, unsigned int pos,
			 u64 word)
{
	unsigned int i;

	for (i = count; i > pos; i--)
		WRITE_ONCE(slot[i], slot[i - 1]);
	WRITE_ONCE(slot[pos], word);
}

static void slots_remove(u64 *slot, unsigned int count, unsigned int pos)
{
	unsigned int i;

	for (i = pos; i + 1 < count; i++)
		WRITE_ONCE(slot[i], slot[i + 1]);
}

static void slots_copy(u64 *to, const u64 *from, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		WRITE_ONCE(to[i], from[i]);
}

static void entries_insert(struct blink_node *node, unsigned int pos, u64 key,
			   u64 value)
{
	unsigned int count = node->count;

	slots_insert(node->slot, count, pos, key);
	slots_insert(blink_node_values(node), count, pos, value);
	WRITE_ONCE(node->count, count + 1);
}

static void entries_append(struct blink_node *to, struct blink_node *from,
			   unsigned int first)
{
	unsigned int n = from->count - first;

	slots_copy(to->slot + to->count, from->slot + first, n);
	slots_copy(blink_node_values(to) + to->count,
		   blink_node_values(from) + first, n);
	WRITE_ONCE(to->count, to->count + n);
}

/**
 * blink_node_insert() - add an entry to a node that is not full
 * @node: the node
 * @pos: its position
 * @key: key or separator
 * @value: value or child
 *
 * Linearization point: the end of the write section.
 *
 * Context: @node's lock held.
 */
void blink_node_insert(struct blink_node *node, unsigned int pos, u64 key,
		       u64 value)
{
	blink_write_begin(node);
	entries_insert(node, pos, key, value);
	blink_write_end_from(node, pos);
}

/**
 * blink_node_remove() - remove an entry from a node
 * @node: the node
 * @pos: its position
 *
 * Linearization point: the end of the write section.
 *
 * Context: @node's lock held.
 */
void blink_node_remove(struct blink_node *node, unsigned int pos)
{
	unsigned int count = node->count;

	blink_write_begin(node);
	slots_remove(node->slot, count, pos);
	blink_keys_unuse(node, count - 1, count);
	slots_remove(blink_node_values(node), count, pos);
	WRITE_ONCE(node->count, count - 1);
	blink_write_end_from(node, pos);
}

/*
 * How many entries stay in a node that is split and gets one at @pos. Half of
 * them, except that the last node of a level, when appended to, keeps all: keys
 * that come in ascending order leave full nodes behind.
 */
static unsigned int split_point(struct blink_node *node, unsigned int pos)
{
	if (pos == node->count && node->high == U64_MAX)
		return node->count;
	return (node->count + 1) / 2;
}

/**
 * blink_node_split() - split a node and add an entry
 * @tree: the tree
 * @left: the node
 * @right: a fresh node, its lock held or itself still unknown to all others
 * @pos: position of the entry in @left, not 0 in an inner node, or
 *	BLINK_POS_NONE if there is none to be added
 * @key: key or separator
 * @value: value or child
 *
 * @right is complete, the new entry included, before @left's write section
 * publishes it (I4: entries move into a fresh node only).
 *
 * Linearization point: the end of the write section of @left.
 *
 * Context: @left's lock held.
 */
void blink_node_split(struct blink_tree *tree, struct blink_node *left,
		      struct blink_node *right, unsigned int pos, u64 key,
		      u64 value)
{
	unsigned int at = split_point(left, pos), count = left->count;

	right->flags &= ~BLINK_NODE_LEFTMOST;
	right->high = left->high;
	blink_node_set_right(right, blink_node_right(left));
	right->count = 0;
	slots_copy(right->slot, left->slot + at, left->count - at);
	slots_copy(blink_node_values(right), blink_node_values(left) + at,
		   left->count - at);
	right->count = left->count - at;
	if (pos >= at && pos != BLINK_POS_NONE)
		entries_insert(right, pos - at, key, value);

	right->low = left->level ? right->slot[0] : left->slot[at - 1];
	if (blink_node_copied(right))
		blink_copies_fill(right);
	blink_write_begin(left);
	blink_keys_unuse(left, at, count);
	WRITE_ONCE(left->count, at);
	if (pos < at)
		entries_insert(left, pos, key, value);
	WRITE_ONCE(left->high, right->low);
	blink_node_set_right(left, right);
	blink_write_end_from(left, min(pos, at));
	blink_stat_inc(tree, splits);
	trace_blink_tree_split(tree, left->level, right->low);
}

static void entries_write(struct blink_node *leaf, unsigned int pos,
			  const struct blink_tree_entry *entries,
			  unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		WRITE_ONCE(leaf->slot[pos + i], entries[i].key);
		WRITE_ONCE(blink_node_values(leaf)[pos + i], entries[i].value);
	}
	WRITE_ONCE(leaf->count, pos + n);
}

/**
 * blink_leaf_append() - add entries to a leaf that has room for them
 * @leaf: the leaf
 * @entries: the entries, ascending, behind all that it has
 * @n: how many
 *
 * Linearization point of all: the end of the write section.
 *
 * Context: @leaf's lock held.
 */
void blink_leaf_append(struct blink_node *leaf,
		       const struct blink_tree_entry *entries, unsigned int n)
{
	unsigned int count = leaf->count;

	blink_write_begin(leaf);
	entries_write(leaf, count, entries, n);
	blink_write_end_from(leaf, count);
}

/**
 * blink_leaf_extend() - add entries behind a leaf, in a leaf of their own
 * @tree: the tree
 * @left: the leaf, not empty: it gives up what it covers above its last key
 * @right: a fresh leaf, its lock held
 * @entries: the entries, ascending, behind all that @left has, within its high
 *	key
 * @n: how many
 *
 * As blink_node_split(), except that nothing moves.
 *
 * Linearization point of all: the end of the write section of @left.
 *
 * Context: @left's lock held.
 */
void blink_leaf_extend(struct blink_tree *tree, struct blink_node *left,
		       struct blink_node *right,
		       const struct blink_tree_entry *entries, unsigned int n)
{
	right->flags &= ~BLINK_NODE_LEFTMOST;
	right->low = left->slot[left->count - 1];
	right->high = left->high;
	blink_node_set_right(right, blink_node_right(left));
	entries_write(right, 0, entries, n);
	if (blink_node_copied(right))
		blink_copies_fill(right);
	blink_write_begin(left);
	WRITE_ONCE(left->high, right->low);
	blink_node_set_right(left, right);
	blink_write_end(left);
	blink_stat_inc(tree, splits);
	trace_blink_tree_split(tree, 0, right->low);
}

/**
 * blink_node_absorb() - move all entries of a node into its left neighbour
 * @left: the node that takes over @right's entries, high key and right link
 * @right: the node; it keeps a copy, so that readers in it still are right
 *
 * An empty first slot of an inner node is dropped: its keys are then routed to
 * the child before, whose low key is less.
 *
 * Context: both locks held.
 */
void blink_node_absorb(struct blink_node *left, struct blink_node *right)
{
	bool empty = right->level && !blink_inner_child(right, 0);
	unsigned int count = left->count;

	blink_assert_locked(&right->lock);
	blink_write_begin(left);
	entries_append(left, right, empty);
	WRITE_ONCE(left->high, right->high);
	blink_node_set_right(left, blink_node_right(right));
	blink_write_end_from(left, count);
}
