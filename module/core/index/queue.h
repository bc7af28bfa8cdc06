/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the queue of records
 *
 * With BLINK_TREE_POSTING_LAZY nobody tells the indexes of a leaf at once. What they
 * are to learn becomes a *record*, in one queue for the tree, and every index
 * *applies* all of them in this one order, some time later. A leaf that died is
 * retired when the last index has applied its record (I8).
 *
 * That there is one order for all is what makes this safe. A dead leaf leads to
 * the leaf that absorbed it, which may die in its turn: its record is behind the
 * other's, so that whoever lets go of it has let go of the first one before, and
 * no reader is led to a leaf that was freed.
 *
 * A record is made under the locks of the leaf and of its left neighbour. That of
 * a split may get lost where the queue is full: the leaf is found by right links,
 * and entered by who does. That of a death may not: a place is *reserved* before the
 * leaf dies. Which place it is, is settled when the record is put there, still under
 * the locks of the two leaves. So the order of records is that of these locks, and the
 * queue's own lock is not held while the leaves are merged.
 */
#ifndef BLINK_CORE_QUEUE_H
#define BLINK_CORE_QUEUE_H

#include <linux/cache.h>
#include <linux/slab.h>

#include "../tree/tree.h"

#ifndef BLINK_QUEUE_RECORDS
#define BLINK_QUEUE_RECORDS 256
#endif
/* A writer that finds an index so far behind applies what that lacks. */
#ifndef BLINK_QUEUE_LAG
#define BLINK_QUEUE_LAG 32
#endif

/**
 * struct blink_record - what an index is to learn
 * @leaf: the leaf, which is not looked at if it was split off
 * @low: its low key
 * @dead: it died, otherwise it was split off
 */
struct blink_record {
	struct blink_node *leaf;
	u64 low;
	bool dead;
};

/**
 * struct blink_queue_reader - how far an index has come in the queue
 * @applier: its holder applies records to the index; comes before all node locks
 * @applied: how many records it has applied
 * @stop: while the index is down, how many it has to apply
 * @left_level: level of a node that the record under way still has to enter, 0
 *	for the leaf itself; @applier's
 * @left_low: its low key
 */
struct blink_queue_reader {
	struct blink_lock applier;
	unsigned long applied;
	unsigned long stop;
	unsigned int left_level;
	u64 left_low;
} ____cacheline_aligned;

/**
 * struct blink_queue - the records that not all indexes have applied
 * @lock: held to add a record, and to take an index down or put it up
 * @reserved: records to come, for which there is room
 * @head: records that were ever added
 * @ring: the last ones
 * @reader: how far each index has come
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

/* What the queue of a tree takes, 0 if it has none. */
static inline size_t blink_queue_bytes(const struct blink_tree *tree)
{
	return tree->queue ?
		       struct_size(tree->queue, reader, tree->nr_indexes) :
		       0;
}

struct blink_queue *blink_queue_alloc(struct blink_tree *tree, gfp_t gfp);
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
