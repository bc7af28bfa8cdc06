// SPDX-License-Identifier: GPL-2.0
/*
 * The queue of records (queue.h). A writer that adds one holds the queue's lock. A
 * task that applies them to an index holds that index's @applier lock. A rebuild
 * takes its index down, and puts it up, under both.
 */
#include <linux/slab.h>

#include "../node/node.h"
#include "queue.h"

/**
 * blink_queue_alloc() - make a queue
 * @tree: the tree that it is for, its flags and number of indexes set
 * @gfp: how to allocate
 *
 * Context: what @gfp allows.
 * Return: the queue, to be given back by kfree(), or NULL.
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
 * Whether there is room for one more record, besides those reserved. @head and
 * @reserved are together BLINK_QUEUE_RECORDS more, at most, than what any index has
 * applied that is up, or has records to apply: a record that is put in a reserved place
 * leaves the sum as it is, and an index that comes up begins at @head.
 */
static bool queue_has_room(struct blink_tree *tree)
{
	struct blink_queue *queue = tree->queue;
	struct blink_index *idx;
	unsigned long applied;

	blink_assert_locked(&queue->lock);
	for_each_blink_index(idx, tree) {
		/*
		 * Pairs with blink_queue_applied(): this says that the place is
		 * free; what blink_queue_lag() reads may be newer. The record may
		 * be put there by another CPU, which has this by the queue's lock.
		 */
		applied = smp_load_acquire(
			&blink_queue_reader(tree, idx)->applied);
		/* One that is down needs no more than what it has to apply. */
		if (idx->down && !blink_queue_lag(tree, idx))
			continue;
		if (queue->head + queue->reserved - applied >=
		    BLINK_QUEUE_RECORDS)
			return false;
	}
	return true;
}

/* How many indexes a record is for: those that are not down. */
static unsigned int count_readers(struct blink_tree *tree)
{
	struct blink_index *idx;
	unsigned int nr = 0;

	for_each_blink_index(idx, tree)
		nr += !idx->down;
	return nr;
}

/* Add a record, for which there is room. */
static void queue_put(struct blink_tree *tree,
		      const struct blink_record *record)
{
	struct blink_queue *queue = tree->queue;

	blink_assert_locked(&queue->lock);
	/* Here, as no index comes up or goes down meanwhile. */
	if (record->dead)
		atomic_set(&record->leaf->purges, count_readers(tree));
	queue->ring[queue->head % BLINK_QUEUE_RECORDS] = *record;
	/* Pairs with the acquire in blink_queue_lag(). */
	smp_store_release(&queue->head, queue->head + 1);
}

/**
 * blink_queue_begin() - reserve a place for a record
 * @tree: the tree
 *
 * Context: in blink_writer_begin(); node locks may be held.
 * Return: true, then blink_queue_end() has to follow; false if the queue is full.
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
 * blink_queue_end() - add the record that a place was reserved for
 * @tree: the tree
 * @record: the record; of a death, it sets how many indexes it is for
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
	/* Without a lock, the next rebuild may store it at the same time. */
	if (down)
		return READ_ONCE(blink_queue_reader(tree, idx)->stop);
	/* Pairs with queue_put(): what was counted is in its place. */
	return smp_load_acquire(&tree->queue->head);
}

/**
 * blink_queue_told() - how many records are for an index, from the first one on
 * @tree: the tree
 * @idx: the index
 *
 * Context: any.
 * Return: their number, which &blink_index.applied comes to.
 */
unsigned long blink_queue_told(struct blink_tree *tree, struct blink_index *idx)
{
	return count_told(tree, idx, blink_index_down(idx));
}

/**
 * blink_queue_lag() - how many records an index has not applied
 * @tree: the tree
 * @idx: the index
 *
 * Context: any. With the queue's lock held it can only become less, with the
 * index's applier lock held only more. Otherwise it is a hint, which may be any
 * number while the index goes down or comes up.
 * Return: their number.
 */
unsigned long blink_queue_lag(struct blink_tree *tree, struct blink_index *idx)
{
	/* Read first: an index that is up has @applied from then on, or more. */
	bool down = blink_index_down(idx);
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);
	/*
	 * Pairs with blink_queue_applied(): a place is free once it was read.
	 * The head below is not older than this.
	 */
	unsigned long applied = smp_load_acquire(&reader->applied);

	return count_told(tree, idx, down) - applied;
}

/**
 * blink_queue_leave() - take an index down: no later record is for it
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
	/* blink_queue_lag() may read it for the rebuild before. */
	WRITE_ONCE(reader->stop, tree->queue->head);
	/* Pairs with blink_index_down(): a CPU that sees it down sees @stop. */
	smp_store_release(&idx->down, true);
	blink_unlock(&tree->queue->lock);
}

/**
 * blink_queue_join() - put an index up: every record from now on is for it
 * @tree: the tree
 * @idx: the index, which has applied all that were for it
 *
 * Context: the index's applier lock held.
 */
void blink_queue_join(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);

	blink_assert_locked(&reader->applier);
	blink_lock(&tree->queue->lock);
	/* The queue's lock orders this after the head for other CPUs, too. */
	WRITE_ONCE(reader->applied, tree->queue->head);
	/*
	 * Pairs with blink_index_down(): a CPU that sees the index up sees this
	 * count, and the new root.
	 */
	smp_store_release(&idx->down, false);
	blink_unlock(&tree->queue->lock);
}

/**
 * blink_queue_first() - the record that an index is to apply next
 * @tree: the tree
 * @idx: the index
 *
 * Context: the index's applier lock held.
 * Return: the record, which stays until blink_queue_applied(), or NULL.
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
 * blink_queue_applied() - the first record is of no more use to an index
 * @tree: the tree
 * @idx: the index
 *
 * Context: the index's applier lock held.
 */
void blink_queue_applied(struct blink_tree *tree, struct blink_index *idx)
{
	struct blink_queue_reader *reader = blink_queue_reader(tree, idx);

	blink_assert_locked(&reader->applier);
	/* Pairs with the acquire in blink_queue_lag(). */
	smp_store_release(&reader->applied, reader->applied + 1);
}

/**
 * blink_queue_may_enter() - whether a leaf may be entered into an index now
 * @tree: the tree
 * @idx: the index
 * @leaf: the leaf
 * @only: the leaf of the record that is being applied, or NULL
 *
 * The index may lead to a dead leaf of the same low key, until it has applied the
 * record of that death, which is before that of this leaf's birth. So it is this
 * record's turn, or the index has applied all records.
 *
 * Context: the lock of @leaf held.
 * Return: true if it may, as always in a tree without a queue.
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
