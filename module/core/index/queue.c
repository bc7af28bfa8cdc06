// SPDX-License-Identifier: GPL-2.0
/*
 * The queue of records (queue.h). A writer that adds a record holds the queue's
 * lock. A task that applies records to an index holds this index's @applier
 * lock. A rebuild holds both to take its index down and to put it up.
 */
#include <linux/slab.h>

#include "../node/layout.h"
#include "queue.h"

/**
 * blink_queue_alloc() - allocate a queue
 * @tree: the tree, with its flags and number of indexes set
 * @gfp: how to allocate
 *
 * Context: as @gfp allows.
 * Return: the queue, which is freed by kfree(), or NULL.
 */
struct blink_queue *blink_queue_alloc(struct blink_tree *tree, gfp_t gfp)
{
	bool irqsafe = tree->flags & BLINK_TREE_IRQSAFE;
	struct blink_queue *queue;
	unsigned int i;

	queue = kzalloc(struct_size(queue, reader, tree->nr_indexes), gfp);
	if (!queue)
		return NULL;
	blink_lock_init(&queue->lock, BLINK_LOCK_QUEUE, irqsafe);
	for (i = 0; i < tree->nr_indexes; i++)
		blink_lock_init(&queue->reader[i].applier, BLINK_LOCK_APPLIER,
				irqsafe);
	return queue;
}

/*
 * Whether there is room for one more record besides the reserved ones. @head
 * plus @reserved never exceeds the @applied of an index that is up, or still
 * has records to apply, by more than BLINK_QUEUE_RECORDS. Adding a record in a
 * reserved place does not change the sum, and an index that comes up begins at
 * @head.
 */
static bool queue_has_room(struct blink_tree *tree)
{
	struct blink_queue *queue = tree->queue;
	struct blink_index *idx;
	unsigned long applied;

	blink_assert_locked(&queue->lock);
	for_each_blink_index(idx, tree) {
		/*
		 * Pairs with the release in blink_queue_applied(): the index
		 * has finished reading the records that it has applied, so
		 * their places can be overwritten. blink_queue_lag() may read a
		 * newer count. If another CPU fills the place, the queue's lock
		 * orders that after this load.
		 */
		applied = smp_load_acquire(
			&blink_queue_reader(tree, idx)->applied);
		/*
		 * An index that is down needs only the records that it still
		 * has to apply.
		 */
		if (idx->down && !blink_queue_lag(tree, idx))
			continue;
		if (queue->head + queue->reserved - applied >=
		    BLINK_QUEUE_RECORDS)
			return false;
	}
	return true;
}

/* The number of indexes to which a record applies: those that are not down. */
static unsigned int count_readers(struct blink_tree *tree)
{
	struct blink_index *idx;
	unsigned int nr = 0;

	for_each_blink_index(idx, tree)
		nr += !idx->down;
	return nr;
}

/**
 * blink_queue_forget() - drop the low keys of all records
 * @tree: the tree
 *
 * Context: process; no other operation on the tree.
 */
void blink_queue_forget(struct blink_tree *tree)
{
	unsigned int i;

	for (i = 0; i < BLINK_QUEUE_RECORDS; i++)
		blink_bound_put(tree, tree->queue->ring[i].low);
	for (i = 0; i < tree->nr_indexes; i++)
		blink_bound_put(tree, tree->queue->reader[i].left_low);
}

/* Add a record for which there is room. */
static void queue_put(struct blink_tree *tree,
		      const struct blink_record *record)
{
	struct blink_queue *queue = tree->queue;
	struct blink_record *place =
		&queue->ring[queue->head % BLINK_QUEUE_RECORDS];
	blink_bound_t old = place->low;

	blink_assert_locked(&queue->lock);
	/*
	 * Set here, because no index comes up or goes down under the queue's
	 * lock.
	 */
	if (record->dead)
		atomic_set(&record->leaf->purges, count_readers(tree));
	*place = *record;
	blink_bound_get(place->low);
	blink_bound_put(tree, old);
	/*
	 * Pairs with the acquire in count_told(): a CPU that sees the new head
	 * sees the record.
	 */
	smp_store_release(&queue->head, queue->head + 1);
}

/**
 * blink_queue_begin() - reserve a place for a record
 * @tree: the tree
 *
 * Context: in blink_writer_begin(); node locks may be held.
 * Return: true, then blink_queue_end() must follow; false if the queue is full.
 */
bool blink_queue_begin(struct blink_tree *tree)
{
	struct blink_queue *queue = tree->queue;
	bool room;

	blink_lock(&queue->lock);
	room = queue_has_room(tree);
	queue->reserved += room;
	blink_unlock(&queue->lock);
	return room;
}

/**
 * blink_queue_end() - add the record for which a place was reserved
 * @tree: the tree
 * @record: the record; for a death, @purges of the leaf is set to the number of
 *	indexes that apply it
 *
 * Context: after blink_queue_begin(), the locks of the leaf and of its left
 * neighbour held since.
 */
void blink_queue_end(struct blink_tree *tree, const struct blink_record *record)
{
	struct blink_queue *queue = tree->queue;

	blink_lock(&queue->lock);
	queue->reserved--;
	queue_put(tree, record);
	blink_unlock(&queue->lock);
}

/**
 * blink_queue_tell() - add a record if there is room
 * @tree: the tree
 * @record: the record
 *
 * Context: in blink_writer_begin(), the locks of the leaf and of its left neighbour
 * held.
 * Return: false if the queue is full.
 */
bool blink_queue_tell(struct blink_tree *tree,
		      const struct blink_record *record)
{
	struct blink_queue *queue = tree->queue;
	bool room;

	blink_lock(&queue->lock);
	room = queue_has_room(tree);
	if (room)
		queue_put(tree, record);
	blink_unlock(&queue->lock);
	return room;
}

/* The number of records for an index that was down, or not, a moment ago. */
static unsigned long count_told(struct blink_tree *tree,
				struct blink_index *idx, bool down)
{
	/* This is read without a lock, while the next rebuild may store it. */
	if (down)
		return READ_ONCE(blink_queue_reader(tree, idx)->stop);
	/*
	 * Pairs with the release in queue_put(): a CPU that sees the count sees
	 * the records.
	 */
	return smp_load_acquire(&tree->queue->head);
}

/**
 * blink_queue_told() - the number of records that an index has to apply, from
 *	the first one
 * @tree: the tree
 * @idx: the index
 *
 * Context: any.
 * Return: their number; the @applied of the index reaches it.
 */
unsigned long blink_queue_told(struct blink_tree *tree, struct blink_index *idx)
{
	return count_told(tree, idx, blink_index_down(idx));
}

/**
 * blink_queue_lag() - the number of records that an index has not applied
 * @tree: the tree
 * @idx: the index
 *
 * Context: any. Under the queue's lock the number can only decrease, and under
 * the applier lock of the index only increase. Otherwise it is a hint, and can
 * be any number while the index goes down or comes up.
 * Return: their number.
 */
unsigned long blink_queue_lag(struct blink_tree *tree, struct blink_index *idx)
{
	/* Read first: an index that is up has @applied from then on, or more. */
	bool down = blink_index_down(idx);
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);
	/*
	 * Pairs with the release in blink_queue_applied(): the effect of these
	 * records is visible. The head below is not older than this count.
	 */
	unsigned long applied = smp_load_acquire(&reader->applied);

	return count_told(tree, idx, down) - applied;
}

/**
 * blink_queue_leave() - take an index down: later records do not apply to it
 * @tree: the tree
 * @idx: the index
 *
 * Context: the index's applier lock held.
 */
void blink_queue_leave(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);

	blink_assert_locked(&reader->applier);
	blink_lock(&tree->queue->lock);
	/* blink_queue_lag() may read it meanwhile, for the previous rebuild. */
	WRITE_ONCE(reader->stop, tree->queue->head);
	/*
	 * Pairs with the acquire in blink_index_down(): a CPU that sees the
	 * index down sees @stop.
	 */
	smp_store_release(&idx->down, true);
	blink_unlock(&tree->queue->lock);
}

/**
 * blink_queue_join() - put an index up: all records from now on apply to it
 * @tree: the tree
 * @idx: the index, which has applied all of its records
 *
 * Context: the index's applier lock held.
 */
void blink_queue_join(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);

	blink_assert_locked(&reader->applier);
	blink_lock(&tree->queue->lock);
	/*
	 * The queue's lock orders this after the store of the head, also for
	 * other CPUs.
	 */
	WRITE_ONCE(reader->applied, tree->queue->head);
	/*
	 * Pairs with the acquire in blink_index_down(): a CPU that sees the
	 * index up sees this count and the new root.
	 */
	smp_store_release(&idx->down, false);
	blink_unlock(&tree->queue->lock);
}

/**
 * blink_queue_first() - the next record that an index has to apply
 * @tree: the tree
 * @idx: the index
 *
 * Context: the index's applier lock held.
 * Return: the record, which is valid until blink_queue_applied(), or NULL.
 */
const struct blink_record *blink_queue_first(struct blink_tree *tree,
					     struct blink_index *idx)
{
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);

	blink_assert_locked(&reader->applier);
	if (!blink_queue_lag(tree, idx))
		return NULL;
	return &tree->queue->ring[reader->applied % BLINK_QUEUE_RECORDS];
}

/**
 * blink_queue_applied() - mark the first record as applied to an index
 * @tree: the tree
 * @idx: the index
 *
 * Context: the index's applier lock held.
 */
void blink_queue_applied(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);

	blink_assert_locked(&reader->applier);
	/*
	 * Pairs with the acquires in blink_queue_lag() and queue_has_room(): a
	 * CPU that sees the new count sees that the record was read, and its
	 * effect on the index.
	 */
	smp_store_release(&reader->applied, reader->applied + 1);
}

/**
 * blink_queue_may_enter() - whether a leaf may be entered into an index now
 * @tree: the tree
 * @idx: the index
 * @leaf: the leaf
 * @only: the leaf of the record that is being applied, or NULL
 *
 * The index can still have an entry for a dead leaf with the same low key,
 * until it has applied the record of that death. This record is before the
 * record of @leaf's birth. So @leaf may be entered if its own record is being
 * applied, or if the index has applied all records.
 *
 * Context: the lock of @leaf held.
 * Return: true if it may; always true in a tree without a queue.
 */
bool blink_queue_may_enter(struct blink_tree *tree, struct blink_index *idx,
			   struct blink_node *leaf,
			   const struct blink_node *only)
{
	blink_assert_locked(&leaf->lock);
	if (!tree->queue)
		return true;
	return only ? leaf == only : !blink_queue_lag(tree, idx);
}
