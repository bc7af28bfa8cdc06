// SPDX-License-Identifier: GPL-2.0
/*
 * The indexes: entering nodes, dropping them, and the height.
 *
 * To *post* a node is to enter it into the level above it, in one index; until
 * then its bit for that index is set in @unposted. Posting happens under the
 * node's own lock and, for a leaf split off just now, under the left one's as
 * well, so that a node cannot die between the decision and the entry (I7). A
 * split of an inner node leaves another node to post; this is *completed* when
 * the locks below are released, one level at a time: two nodes of one level and
 * one parent are all that is ever locked at once.
 *
 * A node that could not be posted for want of memory is no error: right links
 * lead to it, and the next insert or store that takes one posts it.
 */
#include <linux/bug.h>
#include <linux/errno.h>

#include "../../obs/trace.h"
#include "post.h"

/*
 * Lock, in @idx, the parent of the node of this level and low key. @hint is an
 * inner node from which to look, or NULL; it is of no use if it begins right of
 * the node, which happens when that was split off a leaf that had absorbed the
 * one @hint led to. Returns NULL if the index has no such level.
 */
static struct blink_node *lock_parent(struct blink_tree *tree,
				      struct blink_index *idx,
				      unsigned int level, u64 low,
				      struct blink_node *hint)
{
	u64 key = blink_key_after(low);
	struct blink_node *parent = hint;

	level++;
	if (hint && !blink_node_leftmost(hint) && hint->low > low)
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

/* The slot of a child with this low key, or where it would be inserted. */
static unsigned int slot_of(struct blink_node *parent, u64 low)
{
	if (parent->low == low && !blink_node_leftmost(parent))
		return 0;
	return 1 + blink_inner_search(parent, low, true);
}

static void set_child(struct blink_node *parent, unsigned int pos,
		      struct blink_node *child)
{
	blink_write_begin(parent);
	WRITE_ONCE(blink_node_values(parent)[pos], (uintptr_t)child);
	blink_write_end(parent);
}

/*
 * Enter @node, locked and live, into @idx. *@split is set to a node of the
 * level above that has to be posted in its turn. -ENOENT: there is no level
 * above; -ENOMEM: the parent is full and @post has no spare node.
 */
static int index_post(struct blink_post *post, struct blink_index *idx,
		      struct blink_node *node, struct blink_node *hint,
		      struct blink_node **split)
{
	struct blink_node *child = blink_leaf_member(node, idx->id);
	struct blink_tree *tree = post->tree;
	struct blink_node *parent, *right;
	unsigned int pos;
	int ret = 0;

	blink_assert_locked(&node->lock);
	parent = lock_parent(tree, idx, node->level, node->low, hint);
	if (!parent)
		return -ENOENT;
	pos = slot_of(parent, node->low);
	right = post->spare_of == idx ? post->spare : NULL;
	if (!pos) {
		WARN_ON_ONCE(blink_inner_child(parent, 0));
		set_child(parent, 0, child);
	} else if (!blink_node_full(parent)) {
		blink_node_insert(parent, pos, node->low, (uintptr_t)child);
	} else if (right) {
		post->spare = NULL;
		blink_inner_set_level(tree, right, parent->level);
		right->unposted = BIT(idx->id);
		blink_node_split(tree, parent, right, pos, node->low,
				 (uintptr_t)child);
		*split = right;
	} else {
		ret = -ENOMEM;
	}
	blink_node_unlock(tree, parent);
	if (!ret)
		WRITE_ONCE(node->unposted, node->unposted & ~BIT(idx->id));
	return ret;
}

static void set_pending(struct blink_walk *walk, struct blink_node *node)
{
	walk->pending = true;
	walk->level = node->level;
	walk->low = node->low;
}

/**
 * blink_post_alloc() - get a spare inner node
 * @post: what it is for
 * @idx: the index in which it may be used: it lies on the same NUMA node
 * @gfp: how to allocate
 *
 * Context: no node lock held; what @gfp allows.
 * Return: whether there is one.
 */
bool blink_post_alloc(struct blink_post *post, struct blink_index *idx,
		      gfp_t gfp)
{
	if (post->spare && post->spare_of == idx)
		return true;
	if (!gfp)
		return false;
	blink_node_free(post->tree, post->spare, false);
	post->spare = blink_inner_alloc(post->tree, idx->nid, gfp);
	post->spare_of = idx;
	return post->spare;
}

/*
 * Under the leaf's lock, so that the record of its death comes after this one,
 * and it is not another leaf of the same address when this one is applied.
 */
static void queue_split(struct blink_tree *tree, struct blink_node *leaf)
{
	const struct blink_record record = { .leaf = leaf, .low = leaf->low };
	struct blink_index *idx;

	if (blink_queue_tell(tree, &record))
		return;
	blink_stat_inc(tree, posts_deferred);
	for_each_blink_index(idx, tree)
		blink_mender_ask(idx, blink_key_after(leaf->low));
}

/**
 * blink_index_add() - tell the indexes of a leaf that was split off
 * @post: the descent that led to it
 * @node: the leaf
 *
 * It is entered into the index that the descent came through, unless that is
 * done lazily. The others, and whatever cannot be done under the locks, are for
 * blink_index_complete().
 *
 * Context: the lock of @node and of its left neighbour held.
 */
void blink_index_add(struct blink_post *post, struct blink_node *node)
{
	struct blink_walk *walk = &post->walk;
	struct blink_node *split = NULL;

	post->added = true;
	post->low = node->low;
	if (post->tree->queue)
		queue_split(post->tree, node);
	else if (index_post(post, walk->idx, node, walk->parent, &split))
		set_pending(walk, node);
	else if (split)
		set_pending(walk, split);
}

/**
 * blink_index_fetch() - fetch what a split or a merge of leaves will change
 * @tree: the tree
 * @but: an index that it was fetched of already, or NULL
 * @key: a key of the leaf that will be entered, or removed
 *
 * Other indexes lie where this CPU seldom is: nobody waits here for what is fetched,
 * and by the time it is needed, under the locks of leaves, it has come. A lazy index
 * is left alone.
 *
 * Context: rcu_read_lock() held, no node lock.
 */
void blink_index_fetch(struct blink_tree *tree, const struct blink_index *but,
		       u64 key)
{
	struct blink_index *idx;

	if (tree->queue)
		return;
	for_each_blink_index(idx, tree)
		if (idx != but && !blink_index_down(idx))
			blink_descend(tree, idx, key, 1, NULL);
}

/*
 * Put a root above one that got a neighbour. The new root is published before
 * the old one's lock is dropped. -ENOMEM: @post has no spare node.
 */
static int grow_root(struct blink_post *post, struct blink_index *idx,
		     struct blink_node *child)
{
	struct blink_node *old = blink_node_primary(child);
	struct blink_node *root = post->spare;

	if (!root || post->spare_of != idx)
		return -ENOMEM;
	blink_lock(&old->lock);
	if (rcu_dereference_protected(
		    idx->root, blink_lock_is_held(&old->lock)) == child &&
	    blink_node_right(old)) {
		post->spare = NULL;
		blink_inner_set_level(post->tree, root, old->level + 1);
		root->slot[0] = old->low;
		blink_node_values(root)[0] = (uintptr_t)child;
		root->count = 1;
		/* Pairs with rcu_dereference() in blink_descend(). */
		rcu_assign_pointer(idx->root, root);
		blink_stat_inc(post->tree, root_grows);
		trace_blink_tree_root(post->tree, idx->id, root->level);
	}
	blink_node_unlock(post->tree, old);
	return 0;
}

/*
 * Whether a locked node may be entered into an index that is told lazily. The
 * index may lead to a dead leaf of the same low key, until it has applied the
 * record of that death, which is before that of this leaf's birth. So it is
 * this record's turn (@only), or all records have been applied.
 */
static bool its_turn(struct blink_tree *tree, struct blink_index *idx,
		     struct blink_node *node, struct blink_node *only)
{
	if (!tree->queue || node->level)
		return true;
	return only ? node == only : !blink_queue_lag(tree, idx);
}

/*
 * Post the node that is pending, if it still lives and is not in @idx, and it is
 * its turn. Leaves the next one up pending, if
 * there is one. -EAGAIN: the index grew, or changed under our feet; -ENOMEM: a
 * spare node is needed.
 */
static int complete_once(struct blink_post *post, struct blink_index *idx,
			 struct blink_node *only)
{
	struct blink_walk *walk = &post->walk, path = {};
	u64 key = blink_key_after(walk->low);
	struct blink_node *root, *node, *split = NULL;
	int ret = 0;

	if (blink_index_down(idx))
		return 0;
	/*
	 * All leaves in between are not entered yet. The builder will come to this
	 * one: a writer that splits a leaf which the builder has looked at has
	 * locked it after that, and finds @built greater.
	 */
	if (walk->low >= READ_ONCE(idx->built))
		return 0;
	root = rcu_dereference(idx->root);
	if (root->level < walk->level)
		return 0;
	if (root->level == walk->level && rcu_access_pointer(root->right))
		return grow_root(post, idx, root) ?: -EAGAIN;
	node = blink_descend(post->tree, idx, key, walk->level, &path);
	if (node->level != walk->level)
		return 0;
	node = blink_lock_covering(post->tree, NULL, node, key);
	if (!node)
		return 0;
	if (node->low == walk->low && node->unposted & BIT(idx->id) &&
	    its_turn(post->tree, idx, node, only)) {
		ret = index_post(post, idx, node,
				 node->level ? NULL : path.parent, &split);
		if (ret == -ENOENT)
			ret = -EAGAIN;
	}
	if (!ret && split)
		set_pending(walk, split);
	blink_node_unlock(post->tree, node);
	return ret;
}

static int complete_index(struct blink_post *post, struct blink_index *idx,
			  struct blink_node *only, gfp_t gfp)
{
	struct blink_tree *tree = post->tree;
	unsigned long flags;
	int ret;

	do {
		post->walk.pending = false;
		rcu_read_lock();
		flags = blink_writer_begin(tree);
		ret = complete_once(post, idx, only);
		blink_writer_end(tree, flags);
		rcu_read_unlock();
		if (ret == -ENOMEM && blink_post_alloc(post, idx, gfp))
			ret = -EAGAIN;
	} while (ret == -EAGAIN || post->walk.pending);
	if (ret)
		blink_stat_inc(tree, posts_deferred);
	/* Otherwise the caller may have memory. */
	if (ret && gfp)
		blink_mender_ask(idx, blink_key_after(post->walk.low));
	return ret;
}

/**
 * blink_index_complete() - post what is left after a descent
 * @post: the descent
 *
 * What is pending in the index that it came through first, then a leaf that was
 * added in the other ones. Without memory it stays undone, which costs a right
 * link until another writer comes by.
 *
 * Context: what @post->gfp allows, no lock held; what the node pending was is
 * found anew, so that the RCU read section of the walk may have ended.
 * Return: 0, or -ENOMEM: some index lacks an entry on the way to the key behind
 * @post->low.
 */
int blink_index_complete(struct blink_post *post)
{
	struct blink_index *own = post->walk.idx, *idx;
	int ret = 0;

	if (!post->added)
		post->low = post->walk.low;
	if (post->tree->queue)
		return blink_apply_after(post);
	if (post->walk.pending)
		ret = complete_index(post, own, NULL, post->gfp);
	for_each_blink_index(idx, post->tree) {
		if (idx == own || !post->added)
			continue;
		post->walk.level = 0;
		post->walk.low = post->low;
		ret = complete_index(post, idx, NULL, post->gfp) ?: ret;
	}
	return ret;
}

/**
 * blink_index_post() - post a node that an index has no entry for
 * @post: memory for it; its walk is used
 * @idx: the index
 * @level: level of the node
 * @low: its low key
 *
 * Context: what @post->gfp allows, no lock held.
 * Return: 0, or -ENOMEM.
 */
int blink_index_post(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low)
{
	if (post->tree->queue) {
		blink_apply(post, idx, true);
		return blink_apply_mend(post, idx, level, low);
	}
	post->walk.level = level;
	post->walk.low = low;
	return complete_index(post, idx, NULL, post->gfp);
}

/**
 * blink_index_mend() - post a node that a walk met without an entry
 * @post: memory for it, a spare node at most; its walk is used
 * @idx: the index
 * @level: level of the node
 * @low: its low key
 *
 * Context: the applier lock of @idx held.
 * Return: 0, or -ENOMEM: what is left to post is in @post's walk.
 */
int blink_index_mend(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low)
{
	post->walk.level = level;
	post->walk.low = low;
	return complete_index(post, idx, NULL, 0);
}

/**
 * blink_index_enter() - post a leaf that was split off, if it is still there
 * @post: memory for it, a spare node at most; its walk is used
 * @idx: the index
 * @low: its low key
 * @leaf: the leaf; it may have been freed
 *
 * Another leaf with this low key has a record of its own, behind that of the
 * death of this one.
 *
 * Context: the applier lock of @idx held.
 * Return: 0, or -ENOMEM: call it again, it goes on where it stopped.
 */
int blink_index_enter(struct blink_post *post, struct blink_index *idx, u64 low,
		      struct blink_node *leaf)
{
	int ret;

	post->walk.level = idx->left_level;
	post->walk.low = idx->left_level ? idx->left_low : low;
	ret = complete_index(post, idx, leaf, 0);
	idx->left_level = ret ? post->walk.level : 0;
	idx->left_low = post->walk.low;
	return ret;
}

/**
 * blink_index_unpost() - remove a node's entry from an index
 * @tree: the tree
 * @idx: the index
 * @node: the node, which has one
 *
 * Context: rcu_read_lock() held; the lock of @node, or it is dead and the
 * applier lock of @idx held.
 * Return: whether the parent has become underfull.
 */
bool blink_index_unpost(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *node)
{
	struct blink_node *parent;
	unsigned int pos;
	bool underfull;

	parent = lock_parent(tree, idx, node->level, node->low, NULL);
	if (WARN_ON_ONCE(!parent))
		return false;
	pos = slot_of(parent, node->low);
	if (WARN_ON_ONCE(pos >= parent->count ||
			 blink_node_primary(blink_inner_child(parent, pos)) !=
				 node))
		goto unlock;
	if (pos)
		blink_node_remove(parent, pos);
	else
		set_child(parent, 0, NULL);
unlock:
	underfull = blink_node_underfull(parent);
	blink_node_unlock(tree, parent);
	return underfull;
}

/**
 * blink_index_drop() - tell the indexes to let go of a node that is to die
 * @tree: the tree
 * @of: the index that an inner node belongs to, NULL for a leaf
 * @node: the node
 *
 * When it returns no index has a pointer to @node (I8).
 *
 * Context: the lock of @node and of its left neighbour held.
 * Return: the indexes in which the parent was left underfull, a bit for each.
 */
unsigned long blink_index_drop(struct blink_tree *tree, struct blink_index *of,
			       struct blink_node *node)
{
	unsigned long underfull = 0;
	struct blink_index *idx;

	blink_assert_locked(&node->lock);
	for_each_blink_index(idx, tree) {
		if ((of && idx != of) || node->unposted & BIT(idx->id) ||
		    blink_index_down(idx))
			continue;
		if (blink_index_unpost(tree, idx, node))
			underfull |= BIT(idx->id);
	}
	return underfull;
}

/**
 * blink_index_trim() - merge what blink_index_drop() left underfull
 * @tree: the tree
 * @underfull: what it returned
 * @level: level of the node that died
 * @low: its low key
 *
 * Context: rcu_read_lock() held, no node lock held.
 */
void blink_index_trim(struct blink_tree *tree, unsigned long underfull,
		      unsigned int level, u64 low)
{
	struct blink_node *parent;
	struct blink_index *idx;
	unsigned long flags;

	for_each_blink_index(idx, tree) {
		if (!(underfull & BIT(idx->id)))
			continue;
		flags = blink_writer_begin(tree);
		parent = lock_parent(tree, idx, level, low, NULL);
		if (parent)
			blink_node_unlock(tree, parent);
		blink_writer_end(tree, flags);
		if (parent)
			blink_merge(tree, idx, parent);
	}
}

/* Give up the root if all it leads to is one node without neighbours. */
static bool shrink_once(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_node *root = rcu_dereference(idx->root);
	struct blink_node *child, *below;
	unsigned long flags;
	bool done = false;

	if (!root->level || READ_ONCE(root->count) > 1)
		return false;
	/* The first child of a leftmost node is constant while that lives. */
	below = blink_inner_child(root, 0);
	child = blink_node_primary(below);
	flags = blink_writer_begin(tree);
	blink_lock(&child->lock);
	blink_lock(&root->lock);
	if (rcu_dereference_protected(
		    idx->root, blink_lock_is_held(&root->lock)) == root &&
	    root->count == 1 && !blink_node_right(root) &&
	    !blink_node_right(child)) {
		rcu_assign_pointer(idx->root, below);
		blink_write_begin(root);
		WRITE_ONCE(root->flags, root->flags | BLINK_NODE_DEAD);
		rcu_assign_pointer(root->right, below);
		blink_write_end(root);
		done = true;
	}
	blink_node_unlock(tree, root);
	blink_node_unlock(tree, child);
	blink_writer_end(tree, flags);
	if (done) {
		blink_stat_inc(tree, root_shrinks);
		trace_blink_tree_root(tree, idx->id, child->level);
		blink_node_retire(tree, root);
	}
	return done;
}

/**
 * blink_index_shrink() - take off the levels that have one node only
 * @tree: the tree
 * @of: one index, or NULL for all of them
 *
 * Context: rcu_read_lock() held, no node lock held.
 */
void blink_index_shrink(struct blink_tree *tree, struct blink_index *of)
{
	struct blink_index *idx;

	for_each_blink_index(idx, tree) {
		if ((of && idx != of) || blink_index_down(idx))
			continue;
		while (shrink_once(tree, idx))
			;
	}
}
