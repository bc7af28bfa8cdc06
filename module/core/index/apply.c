// SPDX-License-Identifier: GPL-2.0
/*
 * Applying records to an index (core/index/queue.h). One CPU at a time does so for
 * an index: the holder of its applier lock.
 *
 * The local index is brought up to date by every writer that split or merged a
 * leaf, or that met a node without an entry; the others by any writer that finds
 * them too far behind, and in whole bursts, which is what makes this cheaper
 * than telling them of each leaf apart.
 *
 * Nothing is allocated under a lock: who holds the applier lock has one spare node
 * at most, and comes again with another one. A leaf that cannot be entered for
 * want of memory stays unposted; a death needs none.
 */
#include <linux/bits.h>
#include <linux/errno.h>

#include "../node/locking.h"
#include "alloc.h"
#include "apply.h"
#include "merge.h"
#include "queue.h"
#include "reclaim.h"
#include "root.h"

/* Records applied with softirqs or interrupts off. */
#define APPLY_BURST 16

/* The last index to do so frees it (I8). */
static void leaf_let_go(struct blink_tree *tree, struct blink_node *leaf)
{
	if (atomic_dec_and_test(&leaf->purges))
		blink_node_retire(tree, leaf);
}

static void apply_death(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *leaf)
{
	unsigned int level = leaf->level;
	u64 low = leaf->low;

	/* Constant since it died: nobody enters a dead leaf. */
	if (!blink_index_down(idx) && !(leaf->unposted & BIT(idx->id)) &&
	    blink_index_unpost(tree, idx, leaf))
		blink_merge_trim(tree, BIT(idx->id), level, low);
	blink_root_shrink(tree, idx);
	leaf_let_go(tree, leaf);
}

/*
 * Post a leaf that was split off, if it is still there; it may have been freed.
 * Another leaf with this low key has a record of its own, behind that of the death
 * of this one. -ENOMEM: call it again, it goes on where it stopped.
 */
static int apply_birth(struct blink_post *post, struct blink_index *idx,
		       const struct blink_record *record)
{
	struct blink_queue_reader *reader = blink_queue_reader(post->tree, idx);
	u64 low = reader->left_level ? reader->left_low : record->low;
	int ret;

	ret = blink_index_complete(post, idx, reader->left_level, low,
				   record->leaf, 0);
	reader->left_level = ret ? post->walk.level : 0;
	reader->left_low = post->walk.low;
	return ret;
}

static int apply_record(struct blink_post *post, struct blink_index *idx,
			const struct blink_record *record)
{
	if (!record->dead)
		return apply_birth(post, idx, record);
	apply_death(post->tree, idx, record->leaf);
	return 0;
}

/* Whether an index has applied so many records. */
static bool reader_has_applied(const struct blink_queue_reader *reader,
			       unsigned long end)
{
	blink_assert_locked(&reader->applier);
	return (long)(end - reader->applied) <= 0;
}

/*
 * Apply some records, the applier lock held, as far as @end. Returns how many;
 * fewer than APPLY_BURST if no more were left; -ENOMEM if the first one is of a
 * leaf that takes memory to enter, unless that is to be @skipped.
 */
static int apply_burst(struct blink_post *post, struct blink_index *idx,
		       unsigned long end, bool skip)
{
	struct blink_queue_reader *reader = blink_queue_reader(post->tree, idx);
	const struct blink_record *record;
	int n;

	for (n = 0; n < APPLY_BURST && !reader_has_applied(reader, end); n++) {
		record = blink_queue_first(post->tree, idx);
		if (!record)
			break;
		if (apply_record(post, idx, record) && !skip)
			return n ?: -ENOMEM;
		blink_queue_applied(post->tree, idx);
		reader->left_level = 0;
		skip = false;
	}
	return n;
}

/* Lock the applier lock; unless @wait, only if nobody has it. */
static bool lock_applier(struct blink_lock *applier, bool wait)
{
	if (!wait)
		return blink_trylock(applier);
	blink_lock(applier);
	return true;
}

/*
 * It took a spare node. Get one, or leave it to somebody else who may sleep; but
 * nobody can wait for that if the queue is full of records, nor if there is none at
 * all: the leaf stays unposted then.
 */
static bool find_memory(struct blink_post *post, struct blink_index *idx,
			bool *skip)
{
	if (blink_post_alloc(post, idx, post->gfp))
		return true;
	*skip = post->gfp & __GFP_DIRECT_RECLAIM ||
		blink_queue_lag(post->tree, idx) == BLINK_QUEUE_RECORDS;
	return *skip;
}

/**
 * blink_apply() - let an index catch up with what was told until now
 * @post: memory for it; its walk is used
 * @idx: the index
 * @wait: whether to wait for who is at it, otherwise that one has to do
 *
 * What is told while this runs is for the next one: producers cannot hold it for
 * more than the records that the queue has room for.
 *
 * Context: what @post->gfp allows, no node lock held.
 * Return: 0, or -ENOMEM: for want of memory it has not, or some leaf is left
 * without an entry.
 */
int blink_apply(struct blink_post *post, struct blink_index *idx, bool wait)
{
	struct blink_tree *tree = post->tree;
	struct blink_lock *applier = &blink_queue_reader(tree, idx)->applier;
	unsigned long end = blink_queue_told(tree, idx), flags;
	bool skip = false, lacks = false;
	int n = 0;

	do {
		rcu_read_lock();
		flags = blink_writer_begin(tree);
		if (lock_applier(applier, wait)) {
			n = apply_burst(post, idx, end, skip);
			blink_unlock(applier);
		} else {
			n = 0;
		}
		blink_writer_end(tree, flags);
		rcu_read_unlock();
		lacks |= skip;
		skip = false;
	} while (n == -ENOMEM ? find_memory(post, idx, &skip) : n);
	if (n >= 0 && !lacks)
		return 0;
	blink_mender_ask(idx, blink_key_after(post->walk.low));
	return -ENOMEM;
}

/*
 * One attempt, with the memory that there is; -ENOMEM: it takes more. Of what was
 * told meanwhile no more than a burst is applied: nothing interrupts this.
 */
static int mend_once(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low)
{
	struct blink_tree *tree = post->tree;
	struct blink_lock *applier = &blink_queue_reader(tree, idx)->applier;
	unsigned long flags;
	int ret = 0;

	rcu_read_lock();
	flags = blink_writer_begin(tree);
	if (blink_trylock(applier)) {
		apply_burst(post, idx, blink_queue_told(tree, idx), false);
		ret = blink_index_complete(post, idx, level, low, NULL, 0);
		blink_unlock(applier);
	}
	blink_writer_end(tree, flags);
	rcu_read_unlock();
	return ret;
}

/**
 * blink_apply_mend() - enter a node without an entry, behind all that was told
 * @post: memory for it; its walk is used
 * @idx: the index
 * @level: level of the node
 * @low: its low key
 *
 * It may remain undone, if others are busy with the index.
 *
 * Context: what @post->gfp allows, no lock held.
 * Return: 0, or -ENOMEM.
 */
int blink_apply_mend(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, u64 low)
{
	int ret;

	blink_apply(post, idx, false);
	blink_post_alloc(post, idx, post->gfp);
	do {
		ret = mend_once(post, idx, level, low);
		/* What this has split has to be entered in its turn. */
		level = post->walk.level;
		low = post->walk.low;
	} while (ret == -ENOMEM && blink_post_alloc(post, idx, post->gfp));
	if (ret == -ENOMEM)
		blink_mender_ask(idx, blink_key_after(low));
	return ret;
}

/**
 * blink_apply_after() - what a writer does for the indexes when it is done
 * @post: its descent
 *
 * Context: what @post->gfp allows, no lock held.
 * Return: 0, or -ENOMEM.
 */
int blink_apply_after(struct blink_post *post)
{
	struct blink_index *own = post->walk.idx, *idx;
	struct blink_tree *tree = post->tree;
	int ret = 0;

	if (post->walk.pending)
		ret = blink_apply_mend(post, own, post->walk.level,
				       post->walk.low);
	for_each_blink_index(idx, tree)
		if (blink_queue_lag(tree, idx) >
		    (idx == own ? 0 : BLINK_QUEUE_LAG))
			ret = blink_apply(post, idx, false) ?: ret;
	return ret;
}

/**
 * blink_apply_all() - let all indexes catch up
 * @tree: the tree
 * @gfp: how to allocate, or 0
 *
 * Context: what @gfp allows, no node lock held.
 */
void blink_apply_all(struct blink_tree *tree, gfp_t gfp)
{
	struct blink_post post = { .tree = tree, .gfp = gfp };
	struct blink_index *idx;

	for_each_blink_index(idx, tree)
		blink_apply(&post, idx, true);
	blink_node_free(tree, post.spare, false);
}

/**
 * blink_apply_end() - let the indexes of a tree go that nobody uses any more
 * @tree: the tree
 *
 * What they have not been told is of no use, but the leaves that died wait for
 * them. Nothing is entered, so that no memory is needed.
 *
 * Context: process; no other operation on the tree.
 */
void blink_apply_end(struct blink_tree *tree)
{
	const struct blink_record *record;
	struct blink_index *idx;
	struct blink_lock *applier;
	unsigned long flags;

	flags = blink_writer_begin(tree);
	for_each_blink_index(idx, tree) {
		applier = &blink_queue_reader(tree, idx)->applier;
		blink_lock(applier);
		while ((record = blink_queue_first(tree, idx))) {
			if (record->dead)
				leaf_let_go(tree, record->leaf);
			blink_queue_applied(tree, idx);
		}
		blink_unlock(applier);
	}
	blink_writer_end(tree, flags);
}
