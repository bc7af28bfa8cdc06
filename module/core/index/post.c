// SPDX-License-Identifier: GPL-2.0
/*
 * Entering nodes into an index, and dropping them.
 *
 * To *post* a node is to add an entry for it to the level above, in one index.
 * Until then its bit for that index is set in @unposted. A node is posted under
 * its own lock and, if it is a leaf that was just split off, under the lock of
 * its left neighbour too. So it cannot die between the decision and the entry
 * (I7). If this splits an inner node, the new inner node has to be posted as
 * well. This is *completed* after the locks below are released, one level at a
 * time. So a writer never holds the locks of more than two nodes of one level
 * and one parent.
 *
 * It is no error if a node could not be posted because memory ran out. Right
 * links lead to it, and the next insert or store that follows one of them posts
 * it.
 */
#include <linux/bug.h>
#include <linux/errno.h>

#include "../node/entries.h"
#include "../node/locking.h"
#include "alloc.h"
#include "post.h"
#include "root.h"

/**
 * blink_parent_lock() - lock the parent of a node
 * @tree: the tree
 * @idx: the index in which to look for it
 * @level: level of the node
 * @low: its low key
 * @hint: an inner node from which to search, or NULL
 *
 * @hint is not usable if it begins to the right of the node. This happens if
 * the node was split off a leaf which had absorbed the leaf that @hint led
 * to.
 *
 * Context: rcu_read_lock() held, in blink_writer_begin(); only locks of @level
 * and below held.
 * Return: the parent, locked, or NULL if the index has no such level.
 */
struct blink_node *blink_parent_lock(struct blink_tree *tree,
				     struct blink_index *idx,
				     unsigned int level, blink_bound_t low,
				     struct blink_node *hint)
{
	blink_key_t key = blink_key_after(low);
	struct blink_node *parent = hint;

	level++;
	if (hint && !blink_node_leftmost(hint) &&
	    blink_bound_less(low, blink_bound_key(hint->low)))
		parent = NULL;
	for (;;) {
		if (!parent)
			parent = blink_descend(tree, idx, key, level, NULL);
		if (parent->level != level)
			return NULL;
		parent = blink_lock_covering(tree, NULL, parent, key);
		if (parent)
			return parent;
	}
}

/*
 * The slot of the child with this low key, or the slot at which it would be
 * inserted.
 */
static unsigned int child_slot(struct blink_node *parent, blink_bound_t low)
{
	if (blink_bound_equal(parent->low, low) && !blink_node_leftmost(parent))
		return 0;
	return 1 + blink_inner_search(parent, blink_bound_key(low));
}

static void set_child(struct blink_node *parent, unsigned int pos,
		      struct blink_node *child)
{
	blink_write_begin(parent);
	WRITE_ONCE(blink_node_values(parent)[pos], (uintptr_t)child);
	/* LP: post, unpost, in the first slot of an inner node */
	blink_write_end(parent);
}

/*
 * Add an entry for @node, which is locked and alive, to @idx. If this splits
 * the parent, *@split is set to the new inner node, which has to be posted
 * next. -ENOENT: there is no level above; -ENOMEM: the parent is full and @state
 * has no spare node.
 */
static int index_post(struct blink_state *state, struct blink_index *idx,
		      struct blink_node *node, struct blink_node *hint,
		      struct blink_node **split)
{
	struct blink_node *child = blink_leaf_member(node, idx->id);
	struct blink_tree *tree = state->tree;
	struct blink_node *parent, *right;
	unsigned int pos;
	int ret = 0;

	blink_assert_locked(&node->lock);
	parent = blink_parent_lock(tree, idx, node->level, node->low, hint);
	if (!parent)
		return -ENOENT;
	pos = child_slot(parent, node->low);
	right = state->inner_of == idx ? state->inner : NULL;
	if (!pos) {
		WARN_ON_ONCE(blink_inner_child(parent, 0));
		set_child(parent, 0, child);
	} else if (!blink_inner_full(parent)) {
		blink_node_insert(parent, pos, blink_bound_key(node->low),
				  (uintptr_t)child);
	} else if (right) {
		state->inner = NULL;
		blink_inner_set_level(tree, right, parent->level);
		right->unposted = BIT(idx->id);
		blink_node_split(tree, parent, right, pos,
				 blink_bound_key(node->low), (uintptr_t)child);
		*split = right;
	} else {
		ret = -ENOMEM;
	}
	blink_node_unlock(tree, parent);
	if (!ret)
		WRITE_ONCE(node->unposted, node->unposted & ~BIT(idx->id));
	return ret;
}

/**
 * blink_post_split() - post a leaf that was split off in the writer's own index
 * @state: the descent that led to it
 * @leaf: the leaf
 *
 * A node that cannot be posted under the locks is left pending in @state's walk; it
 * and the other indexes are left for blink_post_rest().
 *
 * Context: the lock of @leaf and of its left neighbour held.
 */
void blink_post_split(struct blink_state *state, struct blink_node *leaf)
{
	struct blink_walk *walk = &state->walk;
	struct blink_node *split = NULL;

	state->added = true;
	blink_bound_set(state->tree, &state->low, leaf->low);
	if (index_post(state, walk->idx, leaf, walk->parent, &split))
		blink_walk_pend(state->tree, walk, leaf);
	else if (split)
		blink_walk_pend(state->tree, walk, split);
}

/**
 * blink_index_fetch() - prefetch the nodes that a split or a merge will change
 * @tree: the tree
 * @indexes: the indexes, a bit for each
 * @level: level of the parents of the node that will be posted or dropped
 * @key: a key that this node covers
 *
 * Other indexes are on other NUMA nodes, and this CPU has few of their cache
 * lines. The prefetched lines arrive before they are needed under the locks.
 *
 * Context: rcu_read_lock() held, no node lock.
 */
void blink_index_fetch(struct blink_tree *tree, unsigned long indexes,
		       unsigned int level, blink_key_t key)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree)
		if (indexes & BIT(idx->id) && !blink_index_down(idx))
			blink_descend(tree, idx, key, level, NULL);
}

/* -ENOMEM: @state has no spare node. */
static int grow_root(struct blink_state *state, struct blink_index *idx,
		     struct blink_node *root)
{
	if (state->inner_of != idx)
		return -ENOMEM;
	return blink_root_grow(state->tree, idx, root, &state->inner);
}

/*
 * Post the pending node if it is alive and has no entry in @idx. If a parent was
 * split, the new inner node is pending next. -EAGAIN: the index grew or changed
 * meanwhile; -ENOMEM: a spare node is needed.
 */
static int complete_once(struct blink_state *state, struct blink_index *idx)
{
	struct blink_walk *walk = &state->walk, path = {};
	blink_key_t key = blink_key_after(walk->low);
	struct blink_node *root, *node, *split = NULL;
	int ret = 0;

	if (blink_index_down(idx))
		return 0;
	/*
	 * The rebuild has not entered all leaves before this one, and will
	 * reach it. A writer that splits a leaf which the rebuild has examined
	 * has locked it afterwards, and therefore reads a greater @built.
	 */
	if (!blink_bound_less(walk->low,
			      blink_bound_key(blink_index_built(idx))))
		return 0;
	root = rcu_dereference(idx->root);
	if (root->level < walk->level)
		return 0;
	if (root->level == walk->level && rcu_access_pointer(root->right))
		return grow_root(state, idx, root) ?: -EAGAIN;
	node = blink_descend(state->tree, idx, key, walk->level, &path);
	if (node->level != walk->level)
		return 0;
	node = blink_lock_covering(state->tree, NULL, node, key);
	if (!node)
		return 0;
	/*
	 * The rebuild can have begun after the first look: then a writer that
	 * merged the node with its left neighbour left its entry in this index,
	 * and another split has made a node with the same low key. That writer
	 * read @down under the lock of the left neighbour, which the new node
	 * was split off from, so it is read again under the lock of this node.
	 */
	if (blink_bound_equal(node->low, walk->low) &&
	    node->unposted & BIT(idx->id) && !blink_index_down(idx)) {
		ret = index_post(state, idx, node,
				 node->level ? NULL : path.parent, &split);
		if (ret == -ENOENT)
			ret = -EAGAIN;
	}
	if (!ret && split)
		blink_walk_pend(state->tree, walk, split);
	blink_node_unlock(state->tree, node);
	return ret;
}

/**
 * blink_index_complete() - post a node without an entry
 * @state: memory for it; its walk is used
 * @idx: the index
 * @level: level of the node
 * @low: its low key
 *
 * If this splits an inner node, the new one is posted as well, and so on
 * upwards.
 *
 * Context: as @state->gfp allows, no node lock held.
 * Return: 0; -ENOMEM: the node that is left to post is in @state's walk.
 */
int blink_index_complete(struct blink_state *state, struct blink_index *idx,
			 unsigned int level, blink_bound_t low)
{
	struct blink_tree *tree = state->tree;
	unsigned long flags;
	int ret;

	state->walk.level = level;
	blink_bound_set(state->tree, &state->walk.low, low);
	do {
		state->walk.pending = false;
		rcu_read_lock();
		flags = blink_writer_begin(tree);
		ret = complete_once(state, idx);
		blink_writer_end(tree, flags);
		rcu_read_unlock();
		if (ret == -ENOMEM &&
		    blink_state_alloc_inner(state, idx, state->gfp))
			ret = -EAGAIN;
	} while (ret == -EAGAIN || state->walk.pending);
	if (ret) {
		blink_stat_inc(tree, posts_deferred);
		blink_ask_mend(tree, idx, state->walk.low);
	}
	return ret;
}

/**
 * blink_post_rest() - post the nodes that were left after a descent
 * @state: the descent
 *
 * First the pending node in the index of the descent, then the new leaf in the other
 * indexes. If memory runs out, a node stays unposted. Searches for it follow one more
 * right link until another writer or the mender posts it.
 *
 * Context: as @state->gfp allows, no lock held. The RCU read section of the
 * descent may have ended, because the pending node is searched for again.
 * Return: 0; -ENOMEM: some index lacks an entry on the way to the key after
 * @state->low.
 */
int blink_post_rest(struct blink_state *state)
{
	struct blink_index *own = state->walk.idx, *idx;
	int ret = 0, err;

	if (!state->added)
		blink_bound_set(state->tree, &state->low, state->walk.low);
	if (state->walk.pending)
		ret = blink_index_complete(state, own, state->walk.level,
					   state->walk.low);
	for_each_blink_index(idx, state->tree) {
		if (idx == own || !state->added)
			continue;
		err = blink_index_complete(state, idx, 0, state->low);
		ret = err ?: ret;
	}
	return ret;
}

/*
 * Remove the entry of a node, which is locked, from an index. Returns whether the
 * parent is underfull.
 */
static bool index_unpost(struct blink_tree *tree, struct blink_index *idx,
			 struct blink_node *node)
{
	struct blink_node *parent;
	unsigned int pos;
	bool underfull;

	parent = blink_parent_lock(tree, idx, node->level, node->low, NULL);
	if (WARN_ON_ONCE(!parent))
		return false;
	pos = child_slot(parent, node->low);
	if (WARN_ON_ONCE(pos >= parent->count ||
			 blink_node_primary(blink_inner_child(parent, pos)) !=
				 node))
		goto unlock;
	if (pos)
		blink_node_remove(parent, pos, 1);
	else
		set_child(parent, 0, NULL);
unlock:
	underfull = blink_node_underfull(parent);
	blink_node_unlock(tree, parent);
	return underfull;
}

/**
 * blink_index_drop() - remove the entries of a node that is about to die
 * @tree: the tree
 * @indexes: the indexes, a bit for each
 * @node: the node
 *
 * When it returns, none of these indexes has a pointer to @node (I8).
 *
 * Context: the lock of @node and of its left neighbour held.
 * Return: the indexes in which the parent is underfull, a bit for each.
 */
unsigned long blink_index_drop(struct blink_tree *tree, unsigned long indexes,
			       struct blink_node *node)
{
	unsigned long underfull = 0;
	struct blink_index *idx;

	blink_assert_locked(&node->lock);
	for_each_blink_index(idx, tree) {
		if (!(indexes & BIT(idx->id)) ||
		    node->unposted & BIT(idx->id) || blink_index_down(idx))
			continue;
		if (index_unpost(tree, idx, node))
			underfull |= BIT(idx->id);
	}
	return underfull;
}
