/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the queue of records
 *
 * With BLINK_TREE_POSTING_LAZY the indexes are not told of leaves at once. A
 * split or a death of a leaf becomes a *record* in one queue for the tree, and
 * every index *applies* all records in this order, some time later. A dead leaf
 * is retired when the last index has applied its record (I8).
 *
 * The single order for all indexes makes this safe. A dead leaf leads to the
 * leaf that absorbed it, which can die too; the record of the second death is
 * behind that of the first. So an index that drops the second leaf has dropped
 * the first one before, and no reader is led to a leaf that was freed.
 *
 * A writer adds a record under the locks of the leaf and of its left neighbour.
 * The record of a split is dropped if the queue is full: searches find the leaf
 * by right links, and a writer that follows one enters it. The record of a
 * death must not be dropped, so a place is *reserved* before the leaf dies. The
 * position of this place is settled when the record is stored, still under the
 * locks of the two leaves. So the order of records is the order of these locks,
 * and the queue's own lock is not held while the leaves are merged.
 */
#ifndef BLINK_CORE_QUEUE_H
#define BLINK_CORE_QUEUE_H

#include <linux/cache.h>
#include <linux/slab.h>

#include "../key/key.h"
#include "../tree/tree.h"

#ifndef BLINK_QUEUE_RECORDS
#define BLINK_QUEUE_RECORDS 256
#endif
/*
 * A writer applies records to another index that lags behind by more than this.
 */
#ifndef BLINK_QUEUE_LAG
#define BLINK_QUEUE_LAG 32
#endif

/**
 * struct blink_record - an event that the indexes have to apply
 * @leaf: the leaf; the record of a split does not dereference it
 * @low: its low key
 * @dead: the leaf died, otherwise it was split off
 */
struct blink_record {
	struct blink_node *leaf;
	blink_bound_t low;
	bool dead;
};

/**
 * struct blink_queue_reader - the position of an index in the queue
 * @applier: its holder applies records to the index; taken before all node
 *	locks
 * @applied: number of records that it has applied
 * @stop: while the index is down, the number of records that it has to apply
 * @left_level: level of the node that is still to be entered for the current
 *	record, 0 for the leaf itself; protected by @applier
 * @left_low: low key of that node
 */
struct blink_queue_reader {
	struct blink_lock applier;
	unsigned long applied;
	unsigned long stop;
	unsigned int left_level;
	blink_bound_t left_low;
} ____cacheline_aligned;

/**
 * struct blink_queue - the records that not all indexes have applied
 * @lock: held to add a record, and to take an index down or put it up
 * @reserved: number of places that are reserved
 * @head: number of records that were ever added
 * @ring: the last records
 * @reader: the position of each index
 */
struct blink_queue {
	struct blink_lock lock;
	unsigned int reserved;
	unsigned long head;
	struct blink_record ring[BLINK_QUEUE_RECORDS];
	struct blink_queue_reader reader[];
};

static inline struct blink_queue_reader *
blink_queue_reader(struct blink_tree *tree, struct blink_index *idx)
{
	return &tree->queue->reader[idx->id];
}

/* The memory of a tree's queue, 0 if it has none. */
static inline size_t blink_queue_bytes(const struct blink_tree *tree)
{
	return tree->queue ?
		       struct_size(tree->queue, reader, tree->nr_indexes) :
		       0;
}

struct blink_queue *blink_queue_alloc(struct blink_tree *tree, gfp_t gfp);
void blink_queue_forget(struct blink_tree *tree);
bool blink_queue_begin(struct blink_tree *tree);
void blink_queue_end(struct blink_tree *tree,
		     const struct blink_record *record);
bool blink_queue_tell(struct blink_tree *tree,
		      const struct blink_record *record);
unsigned long blink_queue_told(struct blink_tree *tree,
			       struct blink_index *idx);
unsigned long blink_queue_lag(struct blink_tree *tree, struct blink_index *idx);
void blink_queue_leave(struct blink_tree *tree, struct blink_index *idx);
void blink_queue_join(struct blink_tree *tree, struct blink_index *idx);
const struct blink_record *blink_queue_first(struct blink_tree *tree,
					     struct blink_index *idx);
void blink_queue_applied(struct blink_tree *tree, struct blink_index *idx);
bool blink_queue_may_enter(struct blink_tree *tree, struct blink_index *idx,
			   struct blink_node *leaf,
			   const struct blink_node *only);

#endif /* BLINK_CORE_QUEUE_H */
