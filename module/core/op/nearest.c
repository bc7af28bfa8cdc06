// SPDX-License-Identifier: GPL-2.0
/*
 * Floor and ceiling: the greatest key not above a key, and the least key not
 * below it.
 *
 * Linearization points: in nearest_look(), the load of the value, or the last
 * load of a key if there is no such key, in the last leaf that is read.
 *
 * A search reads more than one leaf if the leaf that covers the key has no key
 * on the wanted side. The leaves before the last one are *seen*: if their
 * sequences have not changed when the last one was read, all of them were valid
 * at this moment. Otherwise the search begins again, and after some attempts it
 * locks two neighbours.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "../index/merge_leaf.h"
#include "../node/locking.h"
#include "at_leaf.h"

/* The most leaves that a search reads without locks. */
#define NEAREST_SEEN 16
/* Attempts without locks before an attempt with locks. */
#define NEAREST_TRIES 8

/*
 * One search. After a look at the leaf that covers @at: @found and @entry; or
 * @next, the key for which to continue; or @end, if there is no such key.
 * @empty is a leaf without keys that is in the way of a search with locks.
 */
struct nearest {
	struct blink_tree *tree;
	u64 key;
	bool below;
	u64 at;
	struct blink_tree_entry entry;
	bool found;
	bool end;
	u64 next;
	struct blink_node *empty;
	unsigned int nr_seen;
	struct {
		struct blink_node *leaf;
		u32 seq;
	} seen[NEAREST_SEEN];
};

static __always_inline void nearest_look(struct blink_node *leaf, void *arg)
{
	struct nearest *near = arg;
	u64 key = near->at;
	unsigned int count = READ_ONCE(leaf->count);
	unsigned int pos = blink_leaf_search(leaf, key);

	/* LP: floor, ceiling (-ENOENT), in the last leaf */
	if (near->below && (pos == count || blink_node_key(leaf, pos) != key))
		near->found = pos--;
	else
		near->found = pos < count;
	if (near->found) {
		near->entry.key = blink_node_key(leaf, pos);
		/* LP: floor, ceiling (entry) */
		near->entry.value = blink_leaf_value(leaf, pos);
	} else if (near->below) {
		near->next = leaf->low;
		near->end = blink_node_leftmost(leaf);
	} else {
		near->next = blink_key_after(READ_ONCE(leaf->high));
		near->end = !rcu_access_pointer(leaf->right);
	}
}

/* Whether the leaves seen before the last one are unchanged. */
static bool nearest_unchanged(struct nearest *near)
{
	unsigned int i;

	/*
	 * The loads from the last leaf come before the loads of the sequences.
	 * Pairs with the smp_wmb() in blink_write_begin() for the leaves seen
	 * before: an unchanged sequence means that this leaf was unchanged when
	 * the last leaf was read.
	 */
	smp_rmb();
	for (i = 0; i + 1 < near->nr_seen; i++)
		if (READ_ONCE(near->seen[i].leaf->seq) != near->seen[i].seq)
			return false;
	return true;
}

/*
 * Search without locks. -ERESTART: a leaf changed meanwhile, or the search read
 * too many leaves. @leaf is where the first descent ended, or NULL.
 */
static int nearest_optimistic(struct nearest *near, struct blink_node *leaf)
{
	u32 seq;

	near->at = near->key;
	for (near->nr_seen = 0; near->nr_seen < NEAREST_SEEN; leaf = NULL) {
		if (!leaf)
			leaf = blink_descend_leaf(near->tree, near->at, NULL);
		leaf = blink_read_covering(near->tree, leaf, near->at,
					   nearest_look, near, &seq);
		if (!leaf)
			return -EAGAIN;
		near->seen[near->nr_seen].leaf = leaf;
		near->seen[near->nr_seen++].seq = seq;
		if (near->found || near->end) {
			if (!nearest_unchanged(near))
				return -ERESTART;
			return near->found ? 0 : -ENOENT;
		}
		near->at = near->next;
	}
	return -ERESTART;
}

/* Look at a locked leaf. */
static void nearest_in(struct nearest *near, struct blink_node *leaf, u64 at)
{
	blink_assert_locked(&leaf->lock);
	near->at = at;
	nearest_look(leaf, near);
}

/*
 * Search under the locks of two neighbours: the leaf that covers the key, and
 * its neighbour on the wanted side. -ERESTART: the answer is in neither of
 * them, or they are no longer the right ones.
 */
static int nearest_in_pair(struct nearest *near, u64 from)
{
	struct blink_node *left = blink_lock_leaf(near->tree, NULL, from);
	struct blink_node *right = blink_node_right(left);
	int ret = -ERESTART;

	if (right)
		blink_lock_right(&right->lock);
	if (near->key <= left->high) {
		nearest_in(near, left, near->key);
		if (!near->below && !near->found && right)
			nearest_in(near, right, near->next);
	} else if (near->below && right && near->key <= right->high) {
		nearest_in(near, right, near->key);
		if (!near->found)
			nearest_in(near, left, left->high);
	} else {
		goto unlock;
	}
	if (near->found)
		ret = 0;
	else if (near->end)
		ret = -ENOENT;
	else
		near->empty = near->below ? left : right;
unlock:
	if (right)
		blink_node_unlock(near->tree, right);
	blink_node_unlock(near->tree, left);
	return ret;
}

/*
 * The low key of the leaf that covers @key: its left neighbour covers this key.
 */
static u64 key_to_the_left(struct blink_tree *tree, u64 key)
{
	struct blink_node *leaf = blink_lock_leaf(tree, NULL, key);
	u64 low = blink_node_leftmost(leaf) ? key : leaf->low;

	blink_node_unlock(tree, leaf);
	return low;
}

static int nearest_with_locks(struct nearest *near)
{
	struct blink_tree *tree = near->tree;
	unsigned long flags;
	u64 from = near->key;
	int ret;

	if (!blink_may_wait(tree))
		return -EAGAIN;
	blink_stat_inc(tree, read_locks);
	near->empty = NULL;
	flags = blink_writer_begin(tree);
	if (near->below)
		from = key_to_the_left(tree, from);
	ret = nearest_in_pair(near, from);
	blink_writer_end(tree, flags);
	if (ret == -ERESTART)
		blink_merge_leaf(tree, near->empty);
	return ret;
}

/**
 * blink_nearest_from() - find a key or the nearest one, after the descent
 * @tree: the tree
 * @leaf: the leaf where the descent ended, or NULL to begin with a descent
 * @key: the key
 * @below: whether to look for the next smaller key, otherwise for the next
 *	greater one
 * @entry: set to the key found and its value
 *
 * The search takes locks if writers change the leaves all the time. It then
 * reads two leaves only. If one of them is empty, because its eraser has not
 * merged it yet, it is merged before the next attempt. So the number of empty
 * leaves in the way decreases.
 *
 * Context: as blink_tree_lookup(); with @leaf, rcu_read_lock() held since the
 * descent.
 * Return: as blink_tree_floor().
 */
int blink_nearest_from(struct blink_tree *tree, struct blink_node *leaf,
		       u64 key, bool below, struct blink_tree_entry *entry)
{
	struct nearest near = { .tree = tree, .key = key, .below = below };
	unsigned int tries = 0;
	int ret;

	do {
		rcu_read_lock();
		if (tries++ % (NEAREST_TRIES + 1) < NEAREST_TRIES)
			ret = nearest_optimistic(&near, leaf);
		else
			ret = nearest_with_locks(&near);
		rcu_read_unlock();
		leaf = NULL;
		if (unlikely(ret == -ERESTART))
			blink_stat_inc(tree, read_retries);
	} while (unlikely(ret == -ERESTART));
	if (!ret)
		*entry = near.entry;
	return ret;
}

/**
 * blink_tree_floor() - find the greatest key not above a key
 * @tree: the tree
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -ENOENT if every key is above; -EAGAIN as blink_tree_lookup().
 */
int blink_tree_floor(struct blink_tree *tree, u64 key,
		     struct blink_tree_entry *entry)
{
	return blink_nearest_from(tree, NULL, key, true, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_floor);

/**
 * blink_tree_ceiling() - find the least key not below a key
 * @tree: the tree
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -ENOENT if every key is below; -EAGAIN as blink_tree_lookup().
 */
int blink_tree_ceiling(struct blink_tree *tree, u64 key,
		       struct blink_tree_entry *entry)
{
	return blink_nearest_from(tree, NULL, key, false, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_ceiling);
