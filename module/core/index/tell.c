// SPDX-License-Identifier: GPL-2.0
/*
 * Telling the indexes of leaves (tell.h): at once, or by the queue of records.
 */
#include "../node/locking.h"
#include "apply.h"
#include "merge.h"
#include "queue.h"
#include "tell.h"

/**
 * blink_tell_now() - the indexes that are told of leaves at once
 * @tree: the tree
 *
 * Context: any.
 * Return: a bit for each: all indexes, or none if the tree has a queue.
 */
unsigned long blink_tell_now(const struct blink_tree *tree)
{
	return tree->queue ? 0 : blink_index_all(tree);
}

/*
 * This is done under the leaf's lock, so the record of its death comes later.
 * When this record is applied, its address cannot be that of another leaf that
 * took the memory.
 */
static void queue_split(struct blink_tree *tree, struct blink_node *leaf)
{
	const struct blink_record record = { .leaf = leaf, .low = leaf->low };
	struct blink_index *idx;

	if (blink_queue_tell(tree, &record))
		return;
	blink_stat_inc(tree, posts_deferred);
	for_each_blink_index(idx, tree)
		blink_ask_mend(tree, idx, leaf->low);
}

/**
 * blink_tell_split() - tell the indexes of a leaf that was split off
 * @post: the descent that led to it
 * @leaf: the leaf
 *
 * Without a queue, it is posted in the index that the descent used. The other
 * indexes, and nodes that cannot be posted under the locks, are left for
 * blink_tell_rest().
 *
 * Context: the lock of @leaf and of its left neighbour held.
 */
void blink_tell_split(struct blink_post *post, struct blink_node *leaf)
{
	post->added = true;
	blink_bound_set(post->tree, &post->low, leaf->low);
	if (post->tree->queue)
		queue_split(post->tree, leaf);
	else
		blink_index_add(post, leaf);
}

/*
 * Post the pending node in the index of the descent, then the new leaf in the
 * other indexes.
 */
static int complete_rest(struct blink_post *post)
{
	struct blink_index *own = post->walk.idx, *idx;
	int ret = 0;

	if (post->walk.pending)
		ret = blink_index_complete(post, own, post->walk.level,
					   post->walk.low, NULL, post->gfp);
	for_each_blink_index(idx, post->tree)
		if (idx != own && post->added)
			ret = blink_index_complete(post, idx, 0, post->low, NULL, post->gfp) ?:
				      ret;
	return ret;
}

/**
 * blink_tell_rest() - post the nodes that were left after a descent
 * @post: the descent
 *
 * If memory runs out, a node stays unposted. Searches for it follow one more
 * right link until another writer or the mender posts it.
 *
 * Context: as @post->gfp allows, no lock held. The RCU read section of the
 * descent may have ended, because the pending node is searched for again.
 * Return: 0; -ENOMEM: some index lacks an entry on the way to the key after
 * @post->low.
 */
int blink_tell_rest(struct blink_post *post)
{
	if (!post->added)
		blink_bound_set(post->tree, &post->low, post->walk.low);
	return post->tree->queue ? blink_apply_after(post) :
				   complete_rest(post);
}

/**
 * blink_tell_death_begin() - prepare to tell the indexes that a leaf dies
 * @tree: the tree
 *
 * Context: in blink_writer_begin(); the locks of the leaf and of its left neighbour
 * held.
 * Return: true, then blink_tell_death() must follow; false if the queue is
 * full.
 */
bool blink_tell_death_begin(struct blink_tree *tree)
{
	return !tree->queue || blink_queue_begin(tree);
}

/**
 * blink_tell_death() - tell the indexes that a leaf has died
 * @tree: the tree
 * @leaf: the leaf; the indexes of blink_tell_now() have dropped it
 *
 * Context: after blink_tell_death_begin(), with the locks of the leaf and of
 * its left neighbour held since then.
 */
void blink_tell_death(struct blink_tree *tree, struct blink_node *leaf)
{
	const struct blink_record record = {
		.leaf = leaf,
		.low = leaf->low,
		.dead = true,
	};

	if (tree->queue)
		blink_queue_end(tree, &record);
}

/**
 * blink_tell_death_end() - update the indexes after the death of a leaf
 * @pair: the dead leaf and its left neighbour, unlocked
 *
 * Context: rcu_read_lock() held, no node lock held.
 */
void blink_tell_death_end(struct blink_pair *pair)
{
	struct blink_post post = { .tree = pair->tree };

	if (!pair->tree->queue) {
		blink_merge_settle(pair);
		return;
	}
	post.walk.idx = blink_tree_index(pair->tree);
	blink_apply_after(&post);
	blink_post_end(&post);
}

/**
 * blink_tell_missing() - post a node without an entry
 * @post: memory for it; its walk is used
 * @idx: the index
 * @level: level of the node
 * @low: its low key
 *
 * Context: as @post->gfp allows, no lock held.
 * Return: 0, or -ENOMEM.
 */
int blink_tell_missing(struct blink_post *post, struct blink_index *idx,
		       unsigned int level, blink_bound_t low)
{
	if (!post->tree->queue)
		return blink_index_complete(post, idx, level, low, NULL,
					    post->gfp);
	blink_apply(post, idx, true);
	return blink_apply_mend(post, idx, level, low);
}

/**
 * blink_tell_catch_up() - let an index apply the records that it was told until
 *	now
 * @post: memory for it; its walk is used
 * @idx: the index
 *
 * Context: as @post->gfp allows, no node lock held.
 * Return: as blink_apply().
 */
int blink_tell_catch_up(struct blink_post *post, struct blink_index *idx)
{
	return post->tree->queue ? blink_apply(post, idx, true) : 0;
}

/**
 * blink_tell_all() - let all indexes apply the records that they were told
 *	until now
 * @tree: the tree
 * @gfp: how to allocate, or 0
 *
 * Context: as @gfp allows, no node lock held.
 */
void blink_tell_all(struct blink_tree *tree, gfp_t gfp)
{
	if (tree->queue)
		blink_apply_all(tree, gfp);
}

/**
 * blink_tell_down() - take an index down, or put it up
 * @tree: the tree
 * @idx: the index
 * @down: whether to take it down
 *
 * With a queue, the applier lock is held, so that for each record it is certain
 * whether it applies to the index.
 *
 * Context: process; no lock held. An index that is put up has applied all of
 * its records.
 */
void blink_tell_down(struct blink_tree *tree, struct blink_index *idx,
		     bool down)
{
	struct blink_lock *applier;
	unsigned long flags;

	if (!tree->queue) {
		/*
		 * Pairs with the acquire in blink_index_down(): a CPU that sees
		 * the index up sees its new root, and not the one that was
		 * freed.
		 */
		smp_store_release(&idx->down, down);
		return;
	}
	applier = &blink_queue_reader(tree, idx)->applier;
	flags = blink_writer_begin(tree);
	blink_lock(applier);
	if (down)
		blink_queue_leave(tree, idx);
	else
		blink_queue_join(tree, idx);
	blink_unlock(applier);
	blink_writer_end(tree, flags);
}

/**
 * blink_tell_end() - let the indexes drop all dead leaves
 * @tree: the tree
 *
 * Context: process; no other operation on the tree.
 */
void blink_tell_end(struct blink_tree *tree)
{
	if (tree->queue)
		blink_apply_end(tree);
}
