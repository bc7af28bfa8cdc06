// SPDX-License-Identifier: GPL-2.0
/*
 * Floor and ceiling: the greatest key not above a key, and the least key not
 * below it. And *pop*, which finds such a key and removes it.
 *
 * Linearization points: in nearest_look(), the load of the value, or the last
 * load of a key if there is no such key, in the last leaf that is read. An
 * entry is popped in blink_node_remove().
 *
 * A search reads more than one leaf if the leaf that covers the key has no key
 * on the wanted side. The leaves before the last one are *seen*: if their
 * sequences have not changed when the last one was read, all of them were valid
 * at this moment. Otherwise the search begins again, and after some attempts it
 * locks two neighbours.
 *
 * A pop uses locks from the beginning: that of the leaf which covers the key,
 * and that of its neighbour on the wanted side if the leaf has no such key.
 * Meanwhile no key between the given one and the popped one can be added. So
 * pops wait for each other in the queue of a lock, and each of them that gets
 * the lock succeeds, unless an empty leaf is in its way.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../index/merge.h"
#include "../index/near.h"
#include "../node/entries.h"
#include "../node/locking.h"
#include "at_leaf.h"
#include "found.h"

/* The most leaves that a search reads without locks. */
#define NEAREST_SEEN 16
/* Attempts without locks before an attempt with locks. */
#define NEAREST_TRIES 8

/*
 * One search. After a look at the leaf that covers @at: @found and @entry; or
 * @next, the key for which to continue, and @right, where to begin with that; or
 * @end, if there is no such key. The entry is at @pos of @leaf. With @pop a search
 * with locks removes it. @empty is a leaf that is in the way of a search with locks
 * if it has no keys.
 */
struct nearest {
	struct blink_tree *tree;
	blink_key_t key;
	bool below;
	bool pop;
	blink_key_t at;
	struct blink_tree_entry entry;
	bool found;
	bool end;
	blink_key_t next;
	struct blink_node *right;
	struct blink_node *leaf;
	unsigned int pos;
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
	blink_key_t key = near->at;
	unsigned int form = blink_leaf_form(leaf);
	unsigned int pos = blink_leaf_search(leaf, form, key);

	/* LP: floor, ceiling, pop (-ENOENT), in the last leaf */
	near->found = blink_leaf_nearest(leaf, form, key, near->below, &pos);
	if (near->found) {
		near->pos = pos;
		/* LP: floor, ceiling (entry), the load of the value */
		blink_found_set(&near->entry, leaf, form, pos);
	} else if (near->below) {
		near->next = blink_bound_key(leaf->low);
		near->end = blink_node_leftmost(leaf);
	} else {
		near->next = blink_key_after(blink_node_high(leaf));
		near->right = rcu_dereference(leaf->right);
		near->end = !near->right;
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
 * too many leaves.
 */
static int nearest_optimistic(struct nearest *near, struct blink_place *place)
{
	struct blink_node *leaf = place->leaf;
	u32 seq;

	near->at = near->key;
	for (near->nr_seen = 0; near->nr_seen < NEAREST_SEEN;
	     leaf = near->right) {
		if (!leaf)
			leaf = blink_descend_near(near->tree, near->at,
						  &place->walk);
		leaf = blink_read_covering(near->tree, leaf, near->at,
					   nearest_look, near, &seq);
		if (!leaf)
			return -EAGAIN;
		near->seen[near->nr_seen].leaf = leaf;
		near->seen[near->nr_seen++].seq = seq;
		if (near->found || near->end) {
			if (!nearest_unchanged(near))
				return -ERESTART;
			place->leaf = leaf;
			return near->found ? 0 : -ENOENT;
		}
		near->at = near->next;
	}
	return -ERESTART;
}

/* Look at a locked leaf. */
static void nearest_in(struct nearest *near, struct blink_node *leaf,
		       blink_key_t at)
{
	blink_assert_locked(&leaf->lock);
	near->leaf = leaf;
	near->at = at;
	nearest_look(leaf, near);
}

/*
 * Lock the right neighbour, and look at it: a ceiling continues there, and the
 * key of a floor can be there. Returns the neighbour, or NULL.
 */
static struct blink_node *nearest_in_right(struct nearest *near,
					   struct blink_node *left)
{
	struct blink_node *right = blink_node_right(left);

	if (!right)
		return NULL;
	blink_lock_right(&right->lock);
	if (!near->below) {
		nearest_in(near, right, near->next);
	} else if (!blink_node_behind(right, near->key)) {
		nearest_in(near, right, near->key);
		if (!near->found)
			nearest_in(near, left, blink_bound_key(left->high));
	}
	return right;
}

/*
 * Search under the locks of two neighbours: the leaf that covers @from, and its
 * right neighbour if the search needs it. @leaf is where the descent ended, or
 * NULL. -ERESTART: the answer is in neither of them, or they are no longer the
 * right ones.
 */
static int nearest_in_pair(struct nearest *near, struct blink_node *leaf,
			   blink_key_t from)
{
	struct blink_tree *tree = near->tree;
	/* As in set_from() (update.c). */
	struct blink_walk walk = { .idx = blink_tree_index(tree) };
	struct blink_node *left, *right = NULL;
	bool covers;
	int ret = -ERESTART;

	near->found = false;
	near->end = false;
	left = leaf ? blink_lock_covering(tree, &walk, leaf, from) :
		      blink_lock_leaf(tree, &walk, from);
	covers = !blink_node_behind(left, near->key);
	if (covers)
		nearest_in(near, left, near->key);
	if (near->below ? !covers : !near->found)
		right = nearest_in_right(near, left);
	if (near->found)
		ret = 0;
	else if (near->end)
		ret = -ENOENT;
	else
		near->empty = near->below ? left : right;
	if (near->found && near->pop)
		blink_leaf_erase(tree, near->leaf, near->pos, 1);
	if (right)
		blink_node_unlock(tree, right);
	blink_node_unlock(tree, left);
	return ret;
}

static int nearest_with_locks(struct nearest *near, struct blink_node *leaf)
{
	struct blink_tree *tree = near->tree;
	unsigned long flags;
	int ret;

	flags = blink_writer_begin(tree);
	ret = nearest_in_pair(near, leaf, near->key);
	/*
	 * The left neighbour covers the low key of the leaf, and is locked
	 * first.
	 */
	if (ret == -ERESTART && near->below)
		ret = nearest_in_pair(near, NULL, near->next);
	blink_writer_end(tree, flags);
	if (ret == -ERESTART)
		blink_merge(tree, NULL, near->empty);
	return ret;
}

/* The search has failed without locks too often. */
static int nearest_contended(struct nearest *near)
{
	if (!blink_may_wait(near->tree))
		return -EAGAIN;
	blink_stat_inc(near->tree, read_locks);
	return nearest_with_locks(near, NULL);
}

/**
 * blink_nearest_from() - find a key or the nearest one, after the descent
 * @tree: the tree
 * @place: where to begin, or zeroes; set to the leaf of the answer
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
 * Context: as blink_tree_lookup(); rcu_read_lock() held since @place was filled
 * in, unless it is zeroes.
 * Return: as blink_tree_floor().
 */
int blink_nearest_from(struct blink_tree *tree, struct blink_place *place,
		       blink_key_t key, bool below,
		       struct blink_tree_entry *entry)
{
	unsigned int tries = 0;
	struct nearest near;
	int ret;

	/* Not the leaves that it will see: most searches see one. */
	near.tree = tree;
	near.key = key;
	near.below = below;
	near.pop = false;
	near.right = NULL;
	blink_found_begin(&near.entry, entry);
	do {
		rcu_read_lock();
		if (tries++ % (NEAREST_TRIES + 1) < NEAREST_TRIES)
			ret = nearest_optimistic(&near, place);
		else
			ret = nearest_contended(&near);
		rcu_read_unlock();
		if (unlikely(ret == -ERESTART)) {
			*place = (struct blink_place){};
			blink_stat_inc(tree, read_retries);
		}
	} while (unlikely(ret == -ERESTART));
	if (!ret)
		*entry = near.entry;
	return ret;
}

static int nearest(struct blink_tree *tree, blink_key_t key, bool below,
		   struct blink_tree_entry *entry)
{
	struct blink_place place = {};

	if (!blink_tree_fits(tree))
		return -EOPNOTSUPP;
	return blink_nearest_from(tree, &place, key, below, entry);
}

/**
 * blink_tree_floor() - find the greatest key not above a key
 * @tree: the tree
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -ENOENT if every key is above; -EOPNOTSUPP and -EAGAIN as
 * blink_tree_lookup().
 */
int blink_tree_floor(struct blink_tree *tree, blink_key_t key,
		     struct blink_tree_entry *entry)
{
	return nearest(tree, key, true, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_floor);

/**
 * blink_tree_ceiling() - find the least key not below a key
 * @tree: the tree
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -ENOENT if every key is below; -EOPNOTSUPP and -EAGAIN as
 * blink_tree_lookup().
 */
int blink_tree_ceiling(struct blink_tree *tree, blink_key_t key,
		       struct blink_tree_entry *entry)
{
	return nearest(tree, key, false, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_ceiling);

/**
 * blink_pop_from() - remove a key or the nearest one, after the descent
 * @tree: the tree
 * @leaf: the leaf where the descent ended, or NULL to begin with a descent
 * @key: the key
 * @below: whether to remove the next smaller key if @key is absent, otherwise
 *	the next greater one
 * @entry: set to the key removed and its value
 *
 * Context: as blink_tree_erase(); with @leaf, rcu_read_lock() held since the
 * descent.
 * Return: 0 or -ENOENT.
 */
int blink_pop_from(struct blink_tree *tree, struct blink_node *leaf,
		   blink_key_t key, bool below, struct blink_tree_entry *entry)
{
	struct nearest near;
	int ret;

	/* As in blink_nearest_from(). */
	near.tree = tree;
	near.key = key;
	near.below = below;
	near.pop = true;
	near.right = NULL;
	blink_found_begin(&near.entry, entry);
	do {
		rcu_read_lock();
		ret = nearest_with_locks(&near, leaf);
		if (!ret)
			blink_merge(tree, NULL, near.leaf);
		rcu_read_unlock();
		leaf = NULL;
	} while (unlikely(ret == -ERESTART));
	if (!ret)
		*entry = near.entry;
	return ret;
}

/**
 * blink_pop() - remove a key or the nearest one
 * @tree: the tree
 * @key: the key
 * @below: as that of blink_pop_from()
 * @entry: set to the key removed and its value
 *
 * Context: as blink_tree_erase(); @tree fits.
 * Return: 0; -ENOENT; -EPERM in a context that must not modify this tree.
 */
int blink_pop(struct blink_tree *tree, blink_key_t key, bool below,
	      struct blink_tree_entry *entry)
{
	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	return blink_pop_from(tree, NULL, key, below, entry);
}

/**
 * blink_tree_pop_min() - remove the least key not below a key
 * @tree: the tree
 * @first: the key; 0 for the least key of the tree
 * @entry: set to the key removed and its value
 *
 * The search and the removal are one atomic operation. When several callers pop
 * at the same time, each gets another entry.
 *
 * Context: as blink_tree_erase().
 * Return: 0; -ENOENT if every key is below; -EPERM and -EOPNOTSUPP as
 * blink_tree_insert().
 */
int blink_tree_pop_min(struct blink_tree *tree, blink_key_t first,
		       struct blink_tree_entry *entry)
{
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_pop(tree, first, false, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_pop_min);

/**
 * blink_tree_pop_max() - remove the greatest key not above a key
 * @tree: the tree
 * @last: the key; U64_MAX for the greatest key of the tree
 * @entry: set to the key removed and its value
 *
 * As blink_tree_pop_min(), at the other end.
 *
 * Context: as blink_tree_erase().
 * Return: 0; -ENOENT if every key is above; -EPERM and -EOPNOTSUPP as
 * blink_tree_insert().
 */
int blink_tree_pop_max(struct blink_tree *tree, blink_key_t last,
		       struct blink_tree_entry *entry)
{
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_pop(tree, last, true, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_pop_max);
