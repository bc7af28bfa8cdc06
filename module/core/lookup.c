// SPDX-License-Identifier: GPL-2.0
/*
 * Point lookups: exact, greatest not above, least not below.
 *
 * Linearization point of a lookup: the last load of a value or key in the read
 * section that was valid.
 *
 * A floor or ceiling may have to look at more than one leaf, when the one that
 * covers the key has nothing on that side. The leaves looked at before are
 * *seen*: if none of their sequences has changed when the answer was read, all
 * of it was true at that moment, which is the linearization point. Otherwise it
 * begins again, and after some tries locks two neighbours.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "walk.h"

/* Look for @key in a leaf that covers it; within a read section. */
static __always_inline bool read_leaf(const struct blink_node *leaf, u64 key,
				      u64 *value)
{
	unsigned int count = READ_ONCE(leaf->count);
	unsigned int pos = blink_leaf_search(leaf, count, key);

	if (pos == count || blink_node_key(leaf, pos) != key)
		return false;
	*value = blink_leaf_value(leaf, pos);
	return true;
}

/**
 * blink_tree_lookup() - find the value of a key
 * @tree: the tree
 * @key: the key
 * @value: set to the value
 *
 * Takes no lock and writes no shared memory, except that a reader that was
 * disturbed by writers eight times on one node waits for its lock.
 *
 * Context: any in which rcu_read_lock() is allowed.
 * Return: 0; -ENOENT if the key is not there; -EAGAIN if it cannot be known in
 * this context: in NMIs, and in hardirqs for a tree without
 * BLINK_TREE_IRQSAFE, which may have interrupted a writer.
 */
int blink_tree_lookup(struct blink_tree *tree, u64 key, u64 *value)
{
	struct blink_node *leaf, *next;
	u64 found = 0;
	int ret = -EAGAIN;

	rcu_read_lock();
	leaf = blink_descend(tree, blink_tree_index(tree), key, 0, NULL);
	for (; leaf; leaf = next) {
		struct blink_read read = {};

		do {
			next = NULL;
			ret = -EAGAIN;
			if (!blink_read_begin(tree, leaf, &read))
				break;
			ret = -ENOENT;
			if (unlikely(blink_node_beyond(leaf, key)))
				next = rcu_dereference(leaf->right);
			else if (read_leaf(leaf, key, &found))
				ret = 0;
		} while (unlikely(blink_read_retry(tree, leaf, &read)));
		if (unlikely(next))
			blink_walk_hop(tree, NULL, next);
	}
	rcu_read_unlock();
	if (!ret)
		*value = found;
	return ret;
}
EXPORT_SYMBOL_GPL(blink_tree_lookup);

/* Leaves that a floor or ceiling may see before the one with the answer. */
#define NEAREST_SEEN 8
/* Tries before it locks. */
#define NEAREST_TRIES 8

struct nearest {
	struct blink_tree *tree;
	u64 key;
	bool below;
	struct blink_entry entry;
	unsigned int nr_seen;
	struct {
		struct blink_node *leaf;
		u32 seq;
	} seen[NEAREST_SEEN];
};

/* What one leaf says: @found, or to go on for the key @next, or @end. */
struct verdict {
	bool found;
	bool end;
	u64 next;
};

/* Look for @key's neighbour in a leaf that covers it; within a read section. */
static void nearest_in_leaf(struct nearest *near, struct blink_node *leaf,
			    u64 key, struct verdict *v)
{
	unsigned int count = READ_ONCE(leaf->count);
	unsigned int pos = blink_leaf_search(leaf, count, key);

	v->found = true;
	if (pos < count && (!near->below || blink_node_key(leaf, pos) == key)) {
		near->entry.key = blink_node_key(leaf, pos);
		near->entry.value = blink_leaf_value(leaf, pos);
	} else if (near->below && pos) {
		near->entry.key = blink_node_key(leaf, pos - 1);
		near->entry.value = blink_leaf_value(leaf, pos - 1);
	} else {
		v->found = false;
		v->next = near->below ? leaf->low :
					blink_key_after(READ_ONCE(leaf->high));
		v->end = near->below ? blink_node_leftmost(leaf) :
				       !rcu_access_pointer(leaf->right);
	}
}

/* A valid read of the leaf that covers @key; it becomes the last one seen. */
static int nearest_read(struct nearest *near, u64 key, struct verdict *v)
{
	struct blink_tree *tree = near->tree;
	struct blink_node *leaf, *next;

	leaf = blink_descend(tree, blink_tree_index(tree), key, 0, NULL);
	for (; leaf; leaf = next) {
		struct blink_read read = {};

		do {
			next = NULL;
			if (!blink_read_begin(tree, leaf, &read))
				return -EAGAIN;
			if (unlikely(blink_node_beyond(leaf, key)))
				next = rcu_dereference(leaf->right);
			else
				nearest_in_leaf(near, leaf, key, v);
		} while (unlikely(blink_read_retry(tree, leaf, &read)));
		if (likely(!next)) {
			near->seen[near->nr_seen].leaf = leaf;
			near->seen[near->nr_seen++].seq = read.seq;
			return 0;
		}
		blink_walk_hop(tree, NULL, next);
	}
	return -EAGAIN;
}

/* Whether the leaves seen before the last one are still what they were. */
static bool nearest_unchanged(struct nearest *near)
{
	unsigned int i;

	/* What the last leaf held before what the others' sequences are now. */
	smp_rmb();
	for (i = 0; i + 1 < near->nr_seen; i++)
		if (READ_ONCE(near->seen[i].leaf->seq) != near->seen[i].seq)
			return false;
	return true;
}

/* -ERESTART: what was seen changed meanwhile, or the way was too long. */
static int nearest_optimistic(struct nearest *near)
{
	struct verdict v;
	u64 key = near->key;
	int ret;

	near->nr_seen = 0;
	do {
		if (near->nr_seen == NEAREST_SEEN)
			return -ERESTART;
		v.end = false;
		ret = nearest_read(near, key, &v);
		if (ret)
			return ret;
		key = v.next;
	} while (!v.found && !v.end);
	if (!nearest_unchanged(near))
		return -ERESTART;
	return v.found ? 0 : -ENOENT;
}

/*
 * The same under the locks of two neighbours: the leaf that covers the key and
 * the one beside it on the side of the answer. -ERESTART: these two are not
 * enough, or not the right ones any more.
 */
static int nearest_locked(struct nearest *near, u64 from)
{
	struct blink_node *left, *right;
	struct verdict v = {};
	int ret = -ERESTART;

	blink_lock_pair(near->tree, from, &left, &right);
	if (near->below && right && near->key > left->high) {
		if (near->key > right->high)
			goto unlock;
		nearest_in_leaf(near, right, near->key, &v);
		if (!v.found)
			nearest_in_leaf(near, left, left->high, &v);
	} else {
		nearest_in_leaf(near, left, near->key, &v);
		if (!near->below && !v.found && right)
			nearest_in_leaf(near, right, v.next, &v);
	}
	if (v.found)
		ret = 0;
	else if (v.end)
		ret = -ENOENT;
unlock:
	if (right)
		blink_unlock(&right->lock);
	blink_unlock(&left->lock);
	return ret;
}

/* The low key of the leaf that covers @key: a key of its left neighbour. */
static u64 key_to_the_left(struct blink_tree *tree, u64 key)
{
	struct blink_node *leaf = blink_lock_leaf(tree, NULL, key);
	u64 low = blink_node_leftmost(leaf) ? key : leaf->low;

	blink_unlock(&leaf->lock);
	return low;
}

static int nearest_with_locks(struct nearest *near)
{
	struct blink_tree *tree = near->tree;
	unsigned long flags;
	u64 from = near->key;
	int ret;

	if (!blink_writer_allowed(tree))
		return -EAGAIN;
	blink_stat_inc(tree, read_locks);
	local_irq_save(flags);
	if (near->below)
		from = key_to_the_left(tree, from);
	ret = nearest_locked(near, from);
	local_irq_restore(flags);
	return ret;
}

static int tree_nearest(struct blink_tree *tree, u64 key, bool below,
			struct blink_entry *entry)
{
	struct nearest near = {
		.tree = tree,
		.key = key,
		.below = below,
	};
	unsigned int tries = 0;
	int ret;

	do {
		rcu_read_lock();
		if (tries++ < NEAREST_TRIES)
			ret = nearest_optimistic(&near);
		else
			ret = nearest_with_locks(&near);
		rcu_read_unlock();
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
		     struct blink_entry *entry)
{
	return tree_nearest(tree, key, true, entry);
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
		       struct blink_entry *entry)
{
	return tree_nearest(tree, key, false, entry);
}
EXPORT_SYMBOL_GPL(blink_tree_ceiling);
