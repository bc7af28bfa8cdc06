// SPDX-License-Identifier: GPL-2.0
/*
 * Initialising nodes, and moving entries in and between them. Readers can read
 * a published node meanwhile, so its entries move one word at a time, by
 * WRITE_ONCE().
 *
 * Operations that add or erase keys have their linearization points here, at
 * the end of a write section. Comments that begin with "LP:" mark them.
 */
#include <linux/kernel.h>

#include "../../obs/trace.h"
#include "../tree/tree.h"
#include "entries.h"
#include "pack.h"
#include "section.h"
#include "signs.h"

/*
 * Leaves in which a value is not overwritten by one store. All copies have the same
 * string.
 */
#define SET_SPECIAL \
	(BLINK_NODE_STRICT | (BLINK_STRINGS ? 0 : BLINK_NODE_COPIED))

/* Set the signposts after the entries of a node have changed. */
static void node_set_signs(struct blink_node *node)
{
	struct blink_signs signs;

	if (unlikely(blink_leaf_form_locked(node)))
		return;
	if (node->level)
		signs = blink_signs_of(node->slot, node->count,
				       blink_node_base(node), false);
	else
		signs = blink_signs_of(node->slot, node->count,
				       blink_node_base(node), true);
	WRITE_ONCE(node->shift, signs.shift);
	WRITE_ONCE(node->sign[0], signs.word[0]);
	WRITE_ONCE(node->sign[1], signs.word[1]);
}

/**
 * blink_node_init() - initialise a node without entries
 * @tree: its tree
 * @node: the node, private to the caller
 * @level: its level
 *
 * The node covers all keys, as the only node of a level does.
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
	node->form = 0;
	node->low = BLINK_BOUND_NONE;
	node->high = BLINK_BOUND_LAST;
	RCU_INIT_POINTER(node->right, NULL);
	node->unposted = 0;
	blink_keys_unuse(node, 0, blink_node_slots(node));
	blink_values_unuse(node, 0, blink_node_slots(node));
	node_set_signs(node);
	if (BLINK_NARROW && !level && tree->flags & BLINK_TREE_COMPRESS)
		blink_narrow_init(node);
	if (!level && tree->copied)
		blink_copies_init(node);
}

/**
 * blink_inner_set_level() - set the level of a spare inner node
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

/**
 * blink_entries_end() - end a write section that changed entries
 * @node: the node
 * @from: the first entry that changed
 *
 * Context: @node's lock held.
 */
void blink_entries_end(struct blink_node *node, unsigned int from)
{
	node_set_signs(node);
	/* LP: commit, in the first leaf that changes; others as the caller says */
	blink_write_end_from(node, from);
}

/*
 * How many entries to move, of which @n are in use: unused ones too, if there are such, so that
 * the rest of an unrolled loop is not a branch that is mispredicted.
 */
static __always_inline unsigned int entries_moved(unsigned int n,
						  unsigned int most)
{
	return ALIGN(n, 4) <= most ? ALIGN(n, 4) : n;
}

/* @leaf is constant. */
static __always_inline void slots_insert(struct blink_node *node,
					 unsigned int pos, bool leaf)
{
	const unsigned int n =
		entries_moved(node->count - pos, blink_slots(leaf) - 1 - pos);
	u64 *value = blink_values(node, leaf);
	blink_slot_t *slot = node->slot;
	unsigned long i;

#pragma GCC unroll 4
	for (i = pos + n; i > pos; i--) {
		blink_slot_store(&slot[i], slot[i - 1]);
		WRITE_ONCE(value[i], value[i - 1]);
	}
}

/* Likewise. */
static __always_inline void slots_remove(struct blink_node *node,
					 unsigned int pos, unsigned int n,
					 bool leaf)
{
	const unsigned int end =
		pos + entries_moved(node->count - n - pos,
				    blink_slots(leaf) - n - pos);
	u64 *value = blink_values(node, leaf);
	blink_slot_t *slot = node->slot;
	unsigned long i;

#pragma GCC unroll 4
	for (i = pos; i < end; i++) {
		blink_slot_store(&slot[i], slot[i + n]);
		WRITE_ONCE(value[i], value[i + n]);
	}
}

static void entries_insert(struct blink_node *node, unsigned int pos,
			   blink_key_t key, u64 value)
{
	unsigned int count = node->count;

	if (node->level)
		slots_insert(node, pos, false);
	else
		slots_insert(node, pos, true);
	blink_slot_store(&node->slot[pos], blink_node_word(node, key));
	WRITE_ONCE(blink_node_values(node)[pos], value);
	WRITE_ONCE(node->count, count + 1);
}

/**
 * blink_entries_add() - add an entry in a write section
 * @node: the node, not full
 * @pos: its position
 * @key: key or separator
 * @value: value or child
 *
 * Context: @node's lock held, between blink_write_begin() and blink_entries_end().
 */
void blink_entries_add(struct blink_node *node, unsigned int pos,
		       blink_key_t key, u64 value)
{
	if (unlikely(blink_node_narrow(node)))
		blink_narrow_insert(node, pos, key, value);
	else
		entries_insert(node, pos, key, value);
}

static void entries_remove(struct blink_node *node, unsigned int pos,
			   unsigned int n)
{
	unsigned int count = node->count;

	if (node->level)
		slots_remove(node, pos, n, false);
	else
		slots_remove(node, pos, n, true);
	blink_keys_unuse(node, count - n, count);
	blink_values_unuse(node, count - n, count);
	WRITE_ONCE(node->count, count - n);
}

/* Copy the entries of a node from @first on behind all entries of another. */
static void entries_join(struct blink_node *to, struct blink_node *from,
			 unsigned int first)
{
	unsigned int n = from->count - first, i;
	u64 *value = blink_node_values(to) + to->count;

	if (unlikely(blink_node_narrow(to))) {
		blink_narrow_join(to, from, first);
		return;
	}

	for (i = 0; i < n; i++) {
		blink_slot_store(&to->slot[to->count + i],
				 from->slot[first + i]);
		WRITE_ONCE(value[i], blink_node_values(from)[first + i]);
	}
	WRITE_ONCE(to->count, to->count + n);
}

/**
 * blink_node_insert() - add an entry to a node that is not full
 * @node: the node
 * @pos: its position
 * @key: key or separator
 * @value: value or child
 *
 * Context: @node's lock held.
 */
void blink_node_insert(struct blink_node *node, unsigned int pos,
		       blink_key_t key, u64 value)
{
	blink_write_begin(node);
	blink_entries_add(node, pos, key, value);
	/* LP: insert, store, add (new key); post, in an inner node */
	blink_entries_end(node, pos);
}

/**
 * blink_entries_remove() - remove entries in a write section
 * @node: the node
 * @pos: position of the first one
 * @n: how many
 *
 * Context: as blink_entries_add().
 */
void blink_entries_remove(struct blink_node *node, unsigned int pos,
			  unsigned int n)
{
	if (unlikely(blink_node_narrow(node)))
		blink_narrow_remove(node, pos, n);
	else
		entries_remove(node, pos, n);
}

/**
 * blink_node_remove() - remove entries from a node
 * @node: the node
 * @pos: position of the first one
 * @n: how many
 *
 * Context: @node's lock held.
 */
void blink_node_remove(struct blink_node *node, unsigned int pos,
		       unsigned int n)
{
	blink_write_begin(node);
	blink_entries_remove(node, pos, n);
	/*
	 * LP: erase, cmperase, pop; erase of a range (all @n entries); unpost,
	 * in an inner node
	 */
	blink_entries_end(node, pos);
}

/* Remove the last entries of a node: @at of them stay. */
static void entries_cut(struct blink_node *node, unsigned int at)
{
	if (unlikely(blink_node_narrow(node))) {
		blink_narrow_cut(node, at);
		return;
	}
	blink_keys_unuse(node, at, node->count);
	blink_values_unuse(node, at, node->count);
	WRITE_ONCE(node->count, at);
}

/*
 * The number of entries that stay in a node which is split and gets an entry at
 * @pos. This is half of them, with one exception: if the last node of a level
 * gets an entry behind all others, all old entries stay. Keys that are added in
 * ascending order therefore leave full nodes.
 */
static unsigned int split_point(struct blink_node *node, unsigned int pos)
{
	if (pos == node->count &&
	    blink_bound_equal(node->high, BLINK_BOUND_LAST))
		return node->count;
	return (node->count + 1) / 2;
}

/**
 * blink_leaf_splits() - whether a split of a leaf makes room for an entry
 * @leaf: the leaf
 * @pos: position of the entry
 * @key: its key
 * @value: its value
 *
 * In a narrow leaf there can be too many entries that become wider.
 *
 * Context: @leaf's lock held.
 * Return: true if blink_node_split() can add the entry.
 */
bool blink_leaf_splits(struct blink_node *leaf, unsigned int pos,
		       blink_key_t key, u64 value)
{
	return likely(!blink_node_narrow(leaf)) ||
	       blink_narrow_splits(leaf, split_point(leaf, pos), pos, key,
				   value);
}

/* Store the keys of a new node for its bounds. @heads is memory for them. */
static void rebound(struct blink_node *node, struct blink_heads *heads)
{
	blink_heads_prepare(heads, node, node->high, node->count, NULL, 0);
	blink_heads_store(node, heads);
}

/**
 * blink_node_split() - split a node and add an entry
 * @tree: the tree
 * @left: the node
 * @right: a new node, whose lock is held or which no other CPU can reach
 * @pos: position of the entry in @left, not 0 in an inner node; BLINK_POS_NONE
 *	to add no entry
 * @key: key or separator
 * @value: value or child
 *
 * @right is complete, including the new entry, before the write section of
 * @left publishes it (I4: entries move into a new node only).
 *
 * Context: @left's lock held.
 */
void blink_node_split(struct blink_tree *tree, struct blink_node *left,
		      struct blink_node *right, unsigned int pos,
		      blink_key_t key, u64 value)
{
	unsigned int at = split_point(left, pos);
	struct blink_heads heads;

	right->flags &= ~BLINK_NODE_LEFTMOST;
	right->high = left->high;
	blink_node_set_right(right, blink_node_right(left));
	if (!left->level)
		right->low = blink_leaf_bound(left, at - 1);
	entries_join(right, left, at);
	if (pos >= at && pos != BLINK_POS_NONE)
		blink_entries_add(right, pos - at, key, value);
	if (left->level)
		right->low = blink_slot_bound(right, 0);
	rebound(right, &heads);
	node_set_signs(right);
	if (blink_node_copied(right))
		blink_copies_fill(right);
	blink_heads_prepare(&heads, left, right->low, at, NULL, 0);
	blink_write_begin(left);
	blink_heads_store(left, &heads);
	entries_cut(left, at);
	if (pos < at)
		blink_entries_add(left, pos, key, value);
	blink_bound_store(&left->high, right->low);
	blink_node_set_right(left, right);
	/* LP: insert, store, add (new key); split; post, in an inner node */
	blink_entries_end(left, min(pos, at));
	blink_stat_inc(tree, splits);
	trace_blink_tree_split(tree, left->level,
			       blink_key_head(blink_bound_key(right->low)));
}

/* Add entries to a leaf behind all others. */
static void entries_write(struct blink_node *leaf,
			  const struct blink_tree_entry *entries,
			  unsigned int n)
{
	unsigned int i, pos = leaf->count;

	if (unlikely(blink_node_narrow(leaf))) {
		blink_narrow_append(leaf, entries, n);
		return;
	}
	for (i = 0; i < n; i++) {
		blink_slot_store(&leaf->slot[pos + i],
				 blink_node_word(leaf,
						 blink_entry_key(&entries[i])));
		WRITE_ONCE(blink_node_values(leaf)[pos + i], entries[i].value);
	}
	WRITE_ONCE(leaf->count, pos + n);
}

/**
 * blink_leaf_append() - add entries to a leaf that has room for them
 * @leaf: the leaf
 * @entries: the entries, ascending, behind all entries of the leaf
 * @n: how many
 *
 * Context: @leaf's lock held.
 */
void blink_leaf_append(struct blink_node *leaf,
		       const struct blink_tree_entry *entries, unsigned int n)
{
	unsigned int count = leaf->count;

	blink_write_begin(leaf);
	entries_write(leaf, entries, n);
	/* LP: load (all @n entries) */
	blink_entries_end(leaf, count);
}

/**
 * blink_leaf_extend() - add entries behind a leaf, in a new leaf
 * @tree: the tree
 * @left: the leaf, not empty; it no longer covers the keys above its last one
 * @right: a new leaf, its lock held
 * @entries: the entries, ascending, behind all entries of @left, and not above
 *	its high key
 * @n: how many
 *
 * It works as blink_node_split(), but moves no entry.
 *
 * Context: @left's lock held.
 */
void blink_leaf_extend(struct blink_tree *tree, struct blink_node *left,
		       struct blink_node *right,
		       const struct blink_tree_entry *entries, unsigned int n)
{
	struct blink_heads heads;

	right->flags &= ~BLINK_NODE_LEFTMOST;
	right->low = blink_leaf_bound(left, left->count - 1);
	right->high = left->high;
	rebound(right, &heads);
	blink_node_set_right(right, blink_node_right(left));
	entries_write(right, entries, n);
	node_set_signs(right);
	if (blink_node_copied(right))
		blink_copies_fill(right);
	blink_heads_prepare(&heads, left, right->low, left->count, NULL, 0);
	blink_write_begin(left);
	blink_heads_store(left, &heads);
	blink_bound_store(&left->high, right->low);
	if (BLINK_STRINGS)
		node_set_signs(left);
	blink_node_set_right(left, right);
	/* LP: load (all @n entries); split */
	blink_write_end(left);
	blink_stat_inc(tree, splits);
	trace_blink_tree_split(tree, 0,
			       blink_key_head(blink_bound_key(right->low)));
}

/**
 * blink_entries_set() - overwrite a value in a write section
 * @leaf: the leaf, which has room for it
 * @i: position of the entry
 * @value: its new value
 *
 * Context: as blink_entries_add().
 */
void blink_entries_set(struct blink_node *leaf, unsigned int i, u64 value)
{
	if (unlikely(blink_leaf_form_locked(leaf) &&
		     !blink_narrow_fits(leaf, value)))
		blink_narrow_overwrite(leaf, i, value);
	else
		blink_value_store(leaf, i, value);
}

/* Give a leaf another form for a value. False: it has no room for it. */
static bool set_wide(struct blink_node *leaf, unsigned int i, u64 value)
{
	if (!blink_narrow_accepts(leaf, i, value))
		return false;
	blink_write_begin(leaf);
	blink_narrow_overwrite(leaf, i, value);
	/* LP: store, add (old key), replace, cmpxchg, in another form */
	blink_entries_end(leaf, i);
	return true;
}

static void set_strictly(struct blink_node *leaf, unsigned int i, u64 value)
{
	blink_write_begin(leaf);
	blink_value_store(leaf, i, value);
	/* LP: store, add (old key), replace, cmpxchg, in a strict leaf */
	blink_write_end_from(leaf, i);
}

/**
 * blink_leaf_set_value() - overwrite a value
 * @leaf: the leaf
 * @i: position of the entry
 * @value: its new value
 *
 * Without copies the sequence does not change, since a reader finds either value,
 * unless the value gives a narrow leaf another form, or commits read the leaf.
 *
 * Context: @leaf's lock held.
 * Return: true; false if a narrow leaf has no room for the value. It has to be split
 * first, and nothing has changed.
 */
bool blink_leaf_set_value(struct blink_node *leaf, unsigned int i, u64 value)
{
	blink_assert_locked(&leaf->lock);
	if (unlikely(blink_leaf_form_locked(leaf) &&
		     !blink_narrow_fits(leaf, value)))
		return set_wide(leaf, i, value);
	if (likely(!(leaf->flags & SET_SPECIAL)))
		blink_value_store(leaf, i, value);
	else if (blink_leaf_strict(leaf))
		set_strictly(leaf, i, value);
	else
		blink_copies_set_value(leaf, i, value);
	return true;
}

/**
 * blink_node_absorb() - move all entries of a node into its left neighbour
 * @left: the node that gets @right's entries, high key and right link
 * @right: the node; it keeps its entries, so readers in it still find the
 *	correct answer
 *
 * An empty first slot of an inner node is not moved. Searches for its keys go
 * to the child before it, whose low key is less.
 *
 * Context: both locks held.
 */
void blink_node_absorb(struct blink_node *left, struct blink_node *right)
{
	bool empty = right->level && !blink_inner_child(right, 0);
	unsigned int count = left->count;
	struct blink_heads heads;

	blink_assert_locked(&right->lock);
	blink_heads_prepare(&heads, left, right->high, count, right, empty);
	blink_write_begin(left);
	entries_join(left, right, empty);
	blink_heads_store(left, &heads);
	blink_bound_store(&left->high, right->high);
	blink_node_set_right(left, blink_node_right(right));
	/* LP: merge (left node) */
	blink_entries_end(left, count);
}
