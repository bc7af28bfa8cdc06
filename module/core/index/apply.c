// SPDX-License-Identifier: GPL-2.0
/*
 * Applying records to an index (core/index/queue.h). One CPU at a time applies
 * records to an index: the holder of its applier lock.
 *
 * Each writer that split or merged a leaf, or met a node without an entry,
 * brings the local index up to date. Any writer that finds another index too
 * far behind applies records to it in bursts. Bursts make this cheaper than
 * telling each index of each leaf.
 *
 * No memory is allocated under a lock. The holder of the applier lock has at
 * most one spare node; if it needs another one, it releases the lock,
 * allocates, and comes back. A leaf that cannot be entered because memory ran
 * out stays unposted. Applying a death needs no memory.
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

/* The most records applied with softirqs or interrupts disabled. */
#define APPLY_BURST 16

/*
 * Count an index that has applied the death of a leaf. The last one gives the
 * leaf to RCU (I8).
 */
static void leaf_let_go(struct blink_tree *tree, struct blink_node *leaf)
{
	if (atomic_dec_and_test(&leaf->purges))
		blink_node_retire(tree, leaf);
}

static void apply_death(struct blink_tree *tree, struct blink_index *idx,
			struct blink_node *leaf)
{
	unsigned int level = leaf->level;
	blink_bound_t low = leaf->low;

	/*
	 * @unposted has not changed since the leaf died, because a dead leaf is
	 * never entered.
	 */
	if (!blink_index_down(idx) && !(leaf->unposted & BIT(idx->id)) &&
	    blink_index_unpost(tree, idx, leaf))
		blink_merge_trim(tree, BIT(idx->id), level, low);
	blink_root_shrink(tree, idx);
	leaf_let_go(tree, leaf);
}

/*
 * Post a leaf that was split off, if it is still in the tree; it may have been
 * freed. A different leaf with this low key has its own record, behind the
 * record of this leaf's death. -ENOMEM: call it again; it continues where it
 * stopped.
 */
static int apply_birth(struct blink_post *post, struct blink_index *idx,
		       const struct blink_record *record)
{
	struct blink_queue_reader *reader = blink_queue_reader(post->tree, idx);
	blink_bound_t low = reader->left_level ? reader->left_low : record->low;
	int ret;

	ret = blink_index_complete(post, idx, reader->left_level, low,
				   record->leaf, 0);
	reader->left_level = ret ? post->walk.level : 0;
	blink_bound_set(post->tree, &reader->left_low, post->walk.low);
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

/* Whether an index has applied all records before @end. */
static bool reader_has_applied(const struct blink_queue_reader *reader,
			       unsigned long end)
{
	blink_assert_locked(&reader->applier);
	return (long)(end - reader->applied) <= 0;
}

/*
 * Apply some records, up to @end, under the applier lock. Returns their number,
 * which is less than APPLY_BURST if none are left. -ENOMEM: entering the leaf
 * of the first record needs memory; with @skip, that record is skipped instead.
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

/* Take the applier lock. Without @wait, only if it is free. */
static bool lock_applier(struct blink_lock *applier, bool wait)
{
	if (!wait)
		return blink_trylock(applier);
	blink_lock(applier);
	return true;
}

/*
 * Applying a record needed a spare node. Allocate one, or leave the record to a
 * task that may sleep. Skip the record if this task may sleep and has failed,
 * or if the queue is full, since other writers cannot wait then. The leaf stays
 * unposted.
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
 * blink_apply() - apply the records that an index has been told until now
 * @post: memory for it; its walk is used
 * @idx: the index
 * @wait: whether to wait for the CPU that is applying records; otherwise they
 *	are left to that CPU
 *
 * Records that are added meanwhile are left for the next call. So producers can
 * keep this call busy for at most the number of records that fit into the
 * queue.
 *
 * Context: as @post->gfp allows, no node lock held.
 * Return: 0; -ENOMEM: not all records were applied, or a leaf was left without
 * an entry.
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
	blink_ask_mend(tree, idx, post->walk.low);
	return -ENOMEM;
}

/*
 * Enter a node once, with the spare node of @post; -ENOMEM: it needs a spare
 * node. At most a burst of records is applied, because interrupts can be
 * disabled.
 */
static int mend_once(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, blink_bound_t low)
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
 * blink_apply_mend() - enter a node without an entry, after all records
 * @post: memory for it; its walk is used
 * @idx: the index
 * @level: level of the node
 * @low: its low key
 *
 * The node may remain without an entry if other CPUs are busy with the index.
 *
 * Context: as @post->gfp allows, no lock held. @low can be that of the walk, whose
 * reference ends when a record is applied.
 * Return: 0, or -ENOMEM.
 */
int blink_apply_mend(struct blink_post *post, struct blink_index *idx,
		     unsigned int level, blink_bound_t low)
{
	blink_bound_t goal = blink_bound_get(low);
	int ret;

	blink_apply(post, idx, false);
	blink_post_alloc(post, idx, post->gfp);
	do {
		ret = mend_once(post, idx, level, goal);
		/*
		 * If this split an inner node, the new one has to be entered
		 * next.
		 */
		level = post->walk.level;
		blink_bound_set(post->tree, &goal, post->walk.low);
	} while (ret == -ENOMEM && blink_post_alloc(post, idx, post->gfp));
	if (ret == -ENOMEM)
		blink_ask_mend(post->tree, idx, post->walk.low);
	blink_bound_put(post->tree, goal);
	return ret;
}

/**
 * blink_apply_after() - let the indexes catch up at the end of an operation
 * @post: the descent of the operation
 *
 * Context: as @post->gfp allows, no lock held.
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
 * blink_apply_all() - let all indexes apply their records
 * @tree: the tree
 * @gfp: how to allocate, or 0
 *
 * Context: as @gfp allows, no node lock held.
 */
void blink_apply_all(struct blink_tree *tree, gfp_t gfp)
{
	struct blink_post post = { .tree = tree, .gfp = gfp };
	struct blink_index *idx;

	for_each_blink_index(idx, tree)
		blink_apply(&post, idx, true);
	blink_post_end(&post);
}

/**
 * blink_apply_end() - let the indexes of a tree drop all dead leaves
 * @tree: the tree
 *
 * The tree is about to be destroyed. Dead leaves still wait for the indexes,
 * but no leaf is entered any more, so no memory is needed.
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
