// SPDX-License-Identifier: GPL-2.0
/*
 * Bulk load: adding many entries in ascending order, a leaf at a time.
 *
 * Linearization points: entries appear at the end of a write section, all
 * entries of the section at once, in blink_leaf_append() or
 * blink_leaf_extend(). An entry that is inserted by itself appears as in
 * insert.c.
 *
 * Keys that follow all keys of the leaf which covers them are appended to it
 * together, up to the requested fill. Further keys get a new leaf, which is
 * complete before it is linked, and whose entries are never moved by this load.
 * Other operations, also other loads, may use the tree meanwhile: the next
 * entries are compared with each leaf under its lock. An entry that does not
 * belong behind all others of its leaf is inserted by itself.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../index/alloc.h"
#include "../index/state.h"
#include "../node/entries.h"
#include "../node/form.h"
#include "../node/locking.h"
#include "../tree/limit.h"
#include "at_leaf.h"
#include "change.h"

/**
 * struct load - a bulk load
 * @state: the descent, and the nodes for the next leaf
 * @entry: the next entry
 * @end: the end of the entries
 * @fill: percentage of a leaf that should be filled
 */
struct load {
	struct blink_state state;
	const struct blink_tree_entry *entry;
	const struct blink_tree_entry *end;
	unsigned int fill;
};

/*
 * The number of next entries that ascend and belong into @leaf, at most @room.
 */
static unsigned int load_run_length(const struct load *load,
				    const struct blink_node *leaf,
				    unsigned int room)
{
	const struct blink_tree_entry *entry = load->entry;
	unsigned int left = load->end - entry, n = 0, most = min(left, room);

	while (n < most &&
	       !blink_node_behind(leaf, blink_entry_key(&entry[n])) &&
	       (!n || blink_key_less(blink_entry_key(&entry[n - 1]),
				     blink_entry_key(&entry[n]))))
		n++;
	return n;
}

/*
 * Reserve up to @n entries under the tree's limit. Returns how many were
 * reserved.
 */
static unsigned int reserve_entries(struct blink_tree *tree, unsigned int n)
{
	unsigned int got = 0;

	while (got < n && blink_tree_reserve(tree))
		got++;
	return got;
}

static blink_key_t last_key(const struct blink_node *leaf)
{
	return blink_leaf_key(leaf, blink_leaf_form_locked(leaf),
			      leaf->count - 1);
}

/* How many entries the load gives to a leaf of this form. */
static unsigned int load_slots(const struct load *load, unsigned int form)
{
	return max(blink_leaf_slots(form) * load->fill / 100, 1U);
}

/* How many of the next entries a leaf should get. */
static unsigned int load_room(const struct load *load,
			      const struct blink_node *leaf)
{
	unsigned int slots = load_slots(load, 0);

	if (unlikely(blink_node_narrow(leaf)))
		return blink_narrow_run(leaf, false, load->entry,
					load->end - load->entry, load->fill);
	return leaf->count < slots ? slots - leaf->count : 0;
}

/* The same for a new leaf behind it. */
static unsigned int load_room_behind(const struct load *load,
				     const struct blink_node *leaf)
{
	if (unlikely(blink_node_narrow(leaf)))
		return blink_narrow_run(leaf, true, load->entry,
					load->end - load->entry, load->fill);
	return load_slots(load, 0);
}

/* The next @n entries were added to locked leaves. */
static void entries_added(const struct load *load, unsigned int n)
{
	struct blink_tree *tree = load->state.tree;
	unsigned int i;

	if (!blink_watched(tree))
		return;
	for (i = 0; i < n; i++)
		blink_change_put(tree, BLINK_TREE_CHANGE_INSERT,
				 blink_entry_key(&load->entry[i]),
				 load->entry[i].value, 0);
}

static void load_append(struct load *load, struct blink_node *leaf,
			unsigned int n)
{
	blink_leaf_append(leaf, load->entry, n);
	entries_added(load, n);
}

static void load_extend(struct load *load, struct blink_node *left,
			unsigned int n)
{
	struct blink_node *right = blink_state_take_leaf(&load->state);

	blink_leaf_extend(load->state.tree, left, right, load->entry, n);
	entries_added(load, n);
	blink_state_publish(&load->state, right);
}

/*
 * Add entries to a locked leaf, or behind it. Returns how many; -EAGAIN: a
 * spare leaf is needed; -ERANGE: the next entry does not belong to the end of
 * this leaf.
 */
static int load_locked(struct load *load, struct blink_node *leaf)
{
	struct blink_tree *tree = load->state.tree;
	unsigned int room, n;
	bool behind;

	blink_assert_locked(&leaf->lock);
	if (leaf->count &&
	    !blink_key_less(last_key(leaf), blink_entry_key(load->entry)))
		return -ERANGE;
	room = load_room(load, leaf);
	behind = !room;
	if (behind && !load->state.leaf)
		return blink_limit_reached(tree) ? -ENOSPC : -EAGAIN;
	if (behind)
		room = load_room_behind(load, leaf);
	n = reserve_entries(tree, load_run_length(load, leaf, room));
	if (!n)
		return -ENOSPC;
	if (behind)
		load_extend(load, leaf, n);
	else
		load_append(load, leaf, n);
	blink_stat_add(tree, inserts, n);
	return n;
}

static int load_leaf(struct load *load)
{
	struct blink_tree *tree = load->state.tree;
	struct blink_walk *walk = &load->state.walk;
	blink_key_t key = blink_entry_key(load->entry);
	struct blink_node *leaf;
	unsigned long flags;
	int ret;

	rcu_read_lock();
	walk->parent = NULL;
	leaf = blink_descend_leaf(tree, key, walk);
	if (READ_ONCE(leaf->count) >= load_slots(load, blink_leaf_form(leaf)))
		blink_state_prealloc(&load->state, key);
	flags = blink_writer_begin(tree);
	leaf = blink_lock_covering(tree, walk, leaf, key);
	ret = load_locked(load, leaf);
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	rcu_read_unlock();
	return ret;
}

/* Add at least one entry, or fail. */
static int load_some(struct load *load)
{
	struct blink_tree *tree = load->state.tree;
	int ret = load_leaf(load);

	blink_state_post(&load->state);
	switch (ret) {
	case -EAGAIN:
		ret = blink_leaf_get(tree, &load->state.leaf, load->state.gfp);
		break;
	case -ERANGE:
		ret = blink_insert_entry(tree, blink_entry_key(load->entry),
					 load->entry->value, load->state.gfp);
		if (!ret)
			load->entry++;
		return ret;
	default:
		if (ret > 0)
			load->entry += ret;
		ret = min(ret, 0);
	}
	return blink_change_end(tree, ret);
}

/**
 * blink_load_entries() - add many entries that blink_entry_make() has made
 * @tree: the tree
 * @entries: the entries
 * @nr: how many
 * @fill: as that of blink_tree_load()
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, from the first on
 *
 * Context: as blink_tree_load().
 * Return: likewise.
 */
int blink_load_entries(struct blink_tree *tree,
		       const struct blink_tree_entry *entries, unsigned int nr,
		       unsigned int fill, gfp_t gfp, unsigned int *done)
{
	struct load load = {
		.state = { .tree = tree, .walk.posts = true, .gfp = gfp },
		.entry = entries,
		.end = entries + nr,
		.fill = fill,
	};
	int ret = 0;

	*done = 0;
	if (!fill || fill > 100)
		return -EINVAL;
	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	while (!ret && load.entry < load.end)
		ret = load_some(&load);
	*done = load.entry - entries;
	blink_state_end(&load.state);
	return ret;
}

#if !BLINK_STRINGS
/**
 * blink_load() - add many entries
 * @tree: the tree
 * @entries: the entries
 * @nr: how many
 * @fill: as that of blink_tree_load()
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, from the first on
 *
 * Context: as blink_tree_load(); @tree fits.
 * Return: likewise.
 */
int blink_load(struct blink_tree *tree, const struct blink_tree_entry *entries,
	       unsigned int nr, unsigned int fill, gfp_t gfp,
	       unsigned int *done)
{
	return blink_load_entries(tree, entries, nr, fill, gfp, done);
}
#endif

/**
 * blink_tree_load() - add many entries
 * @tree: the tree
 * @entries: the entries; loading is fast while their keys ascend and follow the
 *	keys that are present in the same place
 * @nr: how many
 * @fill: percentage of a leaf to fill, 1 to 100: 100 if no keys will be
 *	inserted between these, otherwise less
 * @gfp: how to allocate
 * @done: set to the number of entries that were added, from the first on
 *
 * It never reschedules, unless @gfp allows sleeping and memory is short; choose
 * @nr for the context.
 *
 * Context: as blink_tree_insert().
 * Return: 0; -EINVAL for an invalid @fill; otherwise as blink_tree_insert() for
 * the entry after the last one that was added.
 */
int blink_tree_load(struct blink_tree *tree,
		    const struct blink_tree_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done)
{
	*done = 0;
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_load(tree, entries, nr, fill, gfp, done);
}
EXPORT_SYMBOL_GPL(blink_tree_load);
