// SPDX-License-Identifier: GPL-2.0
/*
 * Commits under the locks of their leaves.
 *
 * A commit locks the leaves of its keys in the order of the keys, and tests its
 * conditions under the locks. It makes room for new entries by splits, before it changes
 * an entry. Then it makes the sequences of all leaves that it changes odd, changes the
 * leaves, and makes the sequences even again.
 *
 * Linearization point: any moment after the last sequence became odd, and before the
 * first one becomes even again. A reader that finds a change has loaded an even sequence
 * of that leaf, whose release follows the stores of all odd ones: it finds every other
 * leaf of the commit odd, or changed.
 *
 * Memory is allocated without locks. An attempt that has too few spare leaves splits
 * none, tells how many it needs, and unlocks. Every attempt has more of them than the one
 * before, and there is a greatest number that can be needed (commit_splits()): so the
 * number of attempts is bounded, whatever other writers do.
 *
 * Bound: the locks of BLINK_TREE_COMMIT_MAX leaves, and the changes and splits in them,
 * with preemption disabled.
 */
#include <linux/errno.h>
#include <linux/minmax.h>

#include "../index/alloc.h"
#include "../index/merge.h"
#include "../index/post.h"
#include "../node/entries.h"
#include "../node/form.h"
#include "../node/locking.h"
#include "../tree/limit.h"
#include "at_leaf.h"
#include "change.h"
#include "commit.h"

/*
 * The entries of a leaf in the gap before the operation of a place, from position *@from to
 * what is returned. The leaf has this operation, or the one before, or is a part of the gap.
 */
static unsigned int commit_gap(const struct blink_commit *c,
			       const struct blink_commit_leaf *leaf,
			       unsigned int k, unsigned int *from)
{
	unsigned int i;

	*from = 0;
	if (k > leaf->first) {
		i = c->order[k - 1];
		*from = c->pos[i] + !!(c->present & BIT(i));
	}
	return k < leaf->end ? c->pos[c->order[k]] : leaf->node->count;
}

/* Decide on a gap that has @n entries in a locked leaf. */
static void commit_examine_gap(struct blink_commit *c,
			       struct blink_commit_leaf *leaf, unsigned int k,
			       unsigned int n)
{
	unsigned int i = c->order[k - 1];

	if (c->clear & BIT(k - 1)) {
		c->cleared |= BIT(k - 1);
		leaf->removes += n;
		leaf->changes = true;
	} else if (i < c->failed) {
		c->failed = i;
		c->change[i] = BLINK_COMMIT_OCCUPIED;
	}
}

/* Likewise, for all gaps of the leaf. */
static void commit_examine_gaps(struct blink_commit *c,
				struct blink_commit_leaf *leaf)
{
	unsigned int k, from, to;

	for (k = leaf->first; k <= leaf->end; k++) {
		if (!blink_commit_joined(c, k))
			continue;
		to = commit_gap(c, leaf, k, &from);
		if (from < to)
			commit_examine_gap(c, leaf, k, to - from);
	}
}

/* Look up the keys of a locked leaf, and decide what the operations do. */
static void commit_examine(struct blink_commit *c,
			   struct blink_commit_leaf *leaf)
{
	struct blink_node *node = leaf->node;
	unsigned int form = blink_leaf_form_locked(node), k, i, pos;
	bool found;

	blink_assert_locked(&node->lock);
	leaf->adds = 0;
	leaf->removes = 0;
	leaf->changes = false;
	for (k = leaf->first; k < leaf->end; k++) {
		i = c->order[k];
		pos = blink_leaf_search_locked(node, form, c->op[i].key);
		found = pos < node->count &&
			blink_leaf_has(node, form, pos, c->op[i].key);
		c->pos[i] = pos;
		blink_commit_decide(c, i, found,
				    found ? blink_leaf_value(node, form, pos) :
					    0);
		leaf->adds += c->change[i] == BLINK_COMMIT_ADD;
		leaf->removes += c->change[i] == BLINK_COMMIT_REMOVE;
		leaf->changes |= c->change[i] > BLINK_COMMIT_NOTHING;
	}
	if (c->empty | c->clear)
		commit_examine_gaps(c, leaf);
}

/* Whether all new values and entries fit into the form that a narrow leaf has. */
static bool commit_same_form(const struct blink_commit *c,
			     const struct blink_commit_leaf *leaf)
{
	unsigned int k, i;
	u64 value;

	for (k = leaf->first; k < leaf->end; k++) {
		i = c->order[k];
		value = blink_commit_value(c, i);
		if (c->change[i] == BLINK_COMMIT_SET &&
		    !blink_narrow_fits(leaf->node, value))
			return false;
		if (c->change[i] == BLINK_COMMIT_ADD &&
		    !blink_narrow_fits_entry(leaf->node, c->op[i].key, value))
			return false;
	}
	return true;
}

/* The most splits that give a leaf room for what the commit adds to it. */
static unsigned int commit_splits(const struct blink_commit *c,
				  const struct blink_commit_leaf *leaf)
{
	unsigned int form = blink_leaf_form_locked(leaf->node);
	unsigned int count = leaf->node->count, splits = 0;

	if (!leaf->adds && !form)
		return 0;
	if (form && count + leaf->adds <= blink_leaf_slots(form) &&
	    commit_same_form(c, leaf))
		return 0;
	/* There is room for so many entries in any form. */
	for (; count + leaf->adds > BLINK_LEAF_SLOTS; count = (count + 1) / 2)
		splits++;
	if (!blink_node_narrow(leaf->node))
		return splits;
	/* They can be needed on the way to each key, but each way begins as others do. */
	return min(splits * (leaf->end - leaf->first), (1U << splits) - 1);
}

static struct blink_node *commit_take_spare(struct blink_commit *c)
{
	struct blink_node *leaf = c->spares;

	c->spares = rcu_dereference_protected(leaf->right, true);
	c->nr_spares--;
	blink_node_set_right(leaf, NULL);
	return leaf;
}

/* Note a new leaf, to post it later. Menders post those for which there is no place. */
static void commit_note(struct blink_commit *c, struct blink_node *leaf)
{
	struct blink_index *idx;

	if (c->nr_added < ARRAY_SIZE(c->added)) {
		c->added[c->nr_added++] = leaf;
		return;
	}
	for_each_blink_index(idx, c->state.tree)
		blink_ask_mend(c->state.tree, idx, leaf->low);
}

/*
 * Split a leaf. The new one follows it in @leaf. One of them that has no key of the commit, and
 * is no part of a gap, is unlocked. The new one is posted when no leaf is locked any more.
 */
static void commit_split(struct blink_commit *c, unsigned int l)
{
	struct blink_commit_leaf *leaf = &c->leaf[l];
	struct blink_node *left = leaf->node, *right;
	unsigned int k = leaf->first;

	c->state.leaf = commit_take_spare(c);
	right = blink_state_take_leaf(&c->state);
	blink_node_split(c->state.tree, left, right, BLINK_POS_NONE,
			 blink_commit_op(c, k)->key, 0);
	commit_note(c, right);
	while (k < leaf->end &&
	       !blink_node_behind(left, blink_commit_op(c, k)->key))
		k++;
	if (k == leaf->end && !blink_commit_joined(c, k)) {
		blink_node_unlock(c->state.tree, right);
	} else if (k == leaf->first && !blink_commit_joined(c, k)) {
		blink_node_unlock(c->state.tree, left);
		leaf->node = right;
	} else {
		memmove(leaf + 1, leaf, (c->nr_leaves++ - l) * sizeof(*leaf));
		leaf[0].end = k;
		leaf[1].node = right;
		leaf[1].first = k;
		commit_examine(c, &leaf[1]);
	}
	commit_examine(c, &leaf[0]);
}

/* The most leaves without an operation that so many splits of a leaf can leave to a gap. */
static unsigned int commit_halves(const struct blink_commit *c,
				  const struct blink_commit_leaf *leaf,
				  unsigned int splits)
{
	unsigned int k;

	for (k = leaf->first; k <= leaf->end; k++) {
		if (blink_commit_joined(c, k))
			return splits;
	}
	/* Others are unlocked, unless they have operations. */
	return min(splits, leaf->end - leaf->first - 1U);
}

/*
 * Make room in all leaves. -EAGAIN: more spare leaves are needed; -E2BIG: gaps would have too
 * many leaves. Then nothing was split.
 */
static int commit_make_room(struct blink_commit *c)
{
	unsigned int l, splits = 0, leaves = c->nr_leaves, n;

	for (l = 0; l < c->nr_leaves; l++) {
		n = commit_splits(c, &c->leaf[l]);
		splits += n;
		leaves += n ? commit_halves(c, &c->leaf[l], n) : 0;
	}
	if (leaves > BLINK_COMMIT_LEAVES)
		return -E2BIG;
	if (splits > c->nr_spares) {
		c->missing = splits - c->nr_spares;
		return -EAGAIN;
	}
	for (l = 0; l < c->nr_leaves; l++) {
		while (commit_splits(c, &c->leaf[l]))
			commit_split(c, l);
	}
	return 0;
}

/* The number of entries that the commit adds, less those that it removes. */
static int commit_growth(const struct blink_commit *c)
{
	const struct blink_commit_leaf *leaf;
	int growth = 0;

	for_each_blink_commit_leaf(leaf, c)
		growth += leaf->adds - leaf->removes;
	return growth;
}

/* Take room for all new entries. */
static int commit_reserve(struct blink_commit *c, int growth)
{
	struct blink_tree *tree = c->state.tree;
	bool taken = true;

	/* For one entry the stock of the CPU will do, without a lock of all. */
	if (growth == 1)
		taken = blink_tree_reserve(tree);
	else if (growth > 1 && tree->counted)
		taken = blink_limit_take_all(tree, growth);
	return taken ? 0 : -ENOSPC;
}

/* Remove the entries of a leaf that are in a gap which is cleared. */
static void commit_clear_gap(struct blink_commit *c,
			     struct blink_commit_leaf *leaf, unsigned int k)
{
	unsigned int from, to;

	if (!k || !(c->cleared & BIT(k - 1)))
		return;
	to = commit_gap(c, leaf, k, &from);
	if (from < to)
		blink_leaf_discard(c->state.tree, leaf->node, from, to - from);
}

/*
 * Change a leaf in a write section. The last key is the first: so the positions of the
 * others stay as they are.
 */
static void commit_change_leaf(struct blink_commit *c,
			       struct blink_commit_leaf *leaf)
{
	struct blink_node *node = leaf->node;
	unsigned int k = leaf->end, i;

	commit_clear_gap(c, leaf, k);
	while (k-- > leaf->first) {
		i = c->order[k];
		switch (c->change[i]) {
		case BLINK_COMMIT_ADD:
			blink_entries_add(node, c->pos[i], c->op[i].key,
					  blink_commit_entry(c, i));
			break;
		case BLINK_COMMIT_SET:
			blink_entries_set(node, c->pos[i],
					  blink_commit_value(c, i));
			break;
		case BLINK_COMMIT_REMOVE:
			*blink_commit_place(c, i) =
				blink_slot_entry(node, c->pos[i]);
			blink_entries_remove(node, c->pos[i], 1);
			break;
		}
		commit_clear_gap(c, leaf, k);
	}
}

/* The least position of an entry that can have changed in a leaf. */
static unsigned int commit_first_pos(const struct blink_commit *c,
				     const struct blink_commit_leaf *leaf)
{
	if (leaf->first && c->cleared & BIT(leaf->first - 1))
		return 0;
	return c->pos[c->order[leaf->first]];
}

/* Change all leaves. The room of entries that are removed is given back. */
static void commit_change(struct blink_commit *c, int growth)
{
	struct blink_tree *tree = c->state.tree;
	struct blink_commit_leaf *leaf;

	for_each_blink_commit_leaf(leaf, c) {
		if (leaf->changes)
			blink_write_begin(leaf->node);
	}
	for_each_blink_commit_leaf(leaf, c) {
		if (leaf->changes)
			commit_change_leaf(c, leaf);
	}
	for_each_blink_commit_leaf(leaf, c) {
		if (!leaf->changes)
			continue;
		/*
		 * LP: commit, at the first of them. Its release follows the odd
		 * sequences of all leaves: a reader that loads this sequence, or
		 * was told of the change by another CPU, finds each of the other
		 * leaves odd or changed.
		 */
		blink_entries_end(leaf->node, commit_first_pos(c, leaf));
		blink_stat_add(tree, inserts, leaf->adds);
		blink_stat_add(tree, erases, leaf->removes);
	}
	for (; growth < 0; growth++)
		blink_tree_unreserve(tree);
}

/*
 * Make a change of the commit for the watches: of the operation of each place, and of the gap
 * behind it. False if there is none.
 */
static bool commit_tell(const void *arg, unsigned int n,
			struct blink_tree_change *change)
{
	const struct blink_commit *c = arg;
	unsigned int k = n / 2, i = c->order[k];
	const struct blink_tree_ioc_op *op = &c->op[i];

	if (n % 2) {
		if (c->cleared & BIT(k))
			*change = blink_change_range(
				blink_key_next(op->key),
				blink_key_prev(blink_commit_op(c, k + 1)->key));
		return c->cleared & BIT(k);
	}
	switch (c->change[i]) {
	case BLINK_COMMIT_ADD:
		*change = blink_change(BLINK_TREE_CHANGE_INSERT, op->key,
				       blink_commit_value(c, i), 0);
		return true;
	case BLINK_COMMIT_SET:
		*change = blink_change(BLINK_TREE_CHANGE_UPDATE, op->key,
				       blink_commit_value(c, i), c->value[i]);
		return true;
	case BLINK_COMMIT_REMOVE:
		*change = blink_change(BLINK_TREE_CHANGE_ERASE, op->key, 0,
				       c->value[i]);
		return true;
	default:
		return false;
	}
}

/* Make leaves strict: later, commits read them without their locks. */
static void commit_make_strict(struct blink_commit *c)
{
	struct blink_commit_leaf *leaf;

	for_each_blink_commit_leaf(leaf, c) {
		if (blink_leaf_strict(leaf->node))
			continue;
		/* A reader that finds the flag has loaded the new sequence before. */
		blink_write_begin(leaf->node);
		WRITE_ONCE(leaf->node->flags,
			   leaf->node->flags | BLINK_NODE_STRICT);
		blink_write_end(leaf->node);
	}
}

/* The leaves are locked. -EAGAIN: more spare leaves are needed. */
static int commit_locked(struct blink_commit *c)
{
	struct blink_commit_leaf *leaf;
	int growth, ret;

	c->failed = c->nr;
	c->cleared = 0;
	/* LP: commit that fails, or takes locks to read: any moment under all of them */
	for_each_blink_commit_leaf(leaf, c)
		commit_examine(c, leaf);
	if (!c->writes && !c->empty)
		commit_make_strict(c);
	if (c->failed < c->nr)
		return -ESTALE;
	if (!c->writes)
		return 0;
	growth = commit_growth(c);
	/* Split no leaf for entries that the tree refuses. */
	if (growth > 0 && blink_limit_reached(c->state.tree))
		return -ENOSPC;
	ret = commit_make_room(c) ?: commit_reserve(c, growth);
	if (ret)
		return ret;
	commit_change(c, growth);
	if (blink_watched(c->state.tree))
		blink_watch_put_all(c->state.tree, commit_tell, c, 2 * c->nr);
	for_each_blink_commit_leaf(leaf, c)
		leaf->underfull = leaf->removes &&
				  blink_node_underfull(leaf->node);
	return 0;
}

/* Merge the leaves that lost too many entries. */
static void commit_merge(struct blink_commit *c)
{
	struct blink_commit_leaf *leaf;

	for_each_blink_commit_leaf(leaf, c) {
		if (leaf->underfull)
			blink_merge(c->state.tree, NULL, leaf->node);
	}
}

/* Post a leaf in all indexes that have no entry for it. */
static void commit_post_leaf(struct blink_state *state, struct blink_node *leaf)
{
	struct blink_index *idx;

	for_each_blink_index(idx, state->tree) {
		if (READ_ONCE(leaf->unposted) & BIT(idx->id))
			blink_index_complete(state, idx, 0, leaf->low);
	}
}

/*
 * Post the leaves that were split off. RCU still keeps them, so this does not sleep. Where
 * memory is short, menders post them.
 */
static void commit_post(struct blink_commit *c)
{
	struct blink_state state = {
		.tree = c->state.tree,
		.gfp = blink_gfp_easy(c->state.gfp),
	};
	unsigned int i;

	for (i = 0; i < c->nr_added; i++)
		commit_post_leaf(&state, c->added[i]);
	blink_state_end(&state);
}

/* Note the locked leaves that have no entries: an eraser is about to merge them. */
static void commit_note_emptied(struct blink_commit *c)
{
	struct blink_commit_leaf *leaf;

	for_each_blink_commit_leaf(leaf, c) {
		leaf->underfull = leaf->first == leaf->end &&
				  !leaf->node->count;
		c->emptied |= leaf->underfull;
	}
}

/* One attempt under the locks. */
static int commit_once(struct blink_commit *c)
{
	struct blink_node *near[BLINK_COMMIT_MAX];
	struct blink_tree *tree = c->state.tree;
	unsigned long flags;
	int ret;

	rcu_read_lock();
	blink_commit_descend(c, &c->state.walk, near);
	flags = blink_writer_begin(tree);
	c->emptied = false;
	ret = blink_commit_lock(c, near);
	if (!ret)
		ret = commit_locked(c);
	if (ret == -E2BIG)
		commit_note_emptied(c);
	blink_commit_unlock(c);
	blink_writer_end(tree, flags);
	commit_post(c);
	if (!ret || c->emptied)
		commit_merge(c);
	rcu_read_unlock();
	return ret;
}

/* Get the spare leaves that the last attempt needed. */
static int commit_get_spares(struct blink_commit *c)
{
	struct blink_state *state = &c->state;
	struct blink_node *leaf;
	int ret;

	for (; c->missing; c->missing--) {
		leaf = NULL;
		ret = blink_leaf_get(state->tree, &leaf, state->gfp);
		if (ret)
			return ret;
		RCU_INIT_POINTER(leaf->right, c->spares);
		c->spares = leaf;
		c->nr_spares++;
	}
	return 0;
}

/**
 * blink_commit_write() - execute a commit under the locks of its leaves
 * @c: the commit, with its new entries
 *
 * Context: as blink_tree_commit(), no lock held.
 * Return: likewise, but no -EINVAL.
 */
int blink_commit_write(struct blink_commit *c)
{
	struct blink_tree *tree = c->state.tree;
	unsigned int merges = 0;
	bool again;
	int ret;

	do {
		ret = commit_once(c);
		if (ret == -EAGAIN)
			again = !(ret = commit_get_spares(c));
		else
			/* Emptied leaves were merged, so the gap has fewer. */
			again = c->emptied && ++merges < BLINK_COMMIT_LEAVES;
	} while (again);
	blink_state_post(&c->state);
	while (c->spares)
		blink_node_free(tree, commit_take_spare(c), true);
	blink_state_end(&c->state);
	return blink_change_end(tree, ret);
}
