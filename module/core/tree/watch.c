// SPDX-License-Identifier: GPL-2.0
/* Writing records of changes (watch.h). */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "tree.h"
#include "watch.h"

/* A record has a cache line of its own. */
static_assert(sizeof(struct blink_tree_change) == 64);
static_assert(sizeof(struct blink_tree_watch_ring) % 64 == 0);

static atomic64_t *word(u64 *shared)
{
	return (atomic64_t *)shared;
}

/**
 * blink_watch_size() - the memory that a ring needs
 * @slots: number of slots
 *
 * Context: any.
 * Return: bytes.
 */
size_t blink_watch_size(u32 slots)
{
	return sizeof(struct blink_tree_watch_ring) +
	       slots * sizeof(struct blink_tree_change);
}

/**
 * blink_watch_init() - initialise the ring of a watch
 * @watch: the watch, with its range and its @wake
 * @memory: blink_watch_size() bytes of zeroes
 * @slots: number of slots, a power of two
 *
 * Context: any.
 */
void blink_watch_init(struct blink_watch *watch, void *memory, u32 slots)
{
	struct blink_tree_watch_ring *ring = memory;

	watch->ring = ring;
	watch->slots = memory + sizeof(*ring);
	watch->mask = slots - 1;
	ring->records = sizeof(*ring);
	ring->record_size = sizeof(*watch->slots);
	ring->slots = slots;
}

/**
 * blink_watch_link() - let the writers of a tree write records
 * @tree: the tree
 * @watch: the watch
 *
 * Changes of writers that did not see the watch take effect within a grace period.
 *
 * Context: a lock of the caller protects the list.
 */
void blink_watch_link(struct blink_tree *tree, struct blink_watch *watch)
{
	RCU_INIT_POINTER(watch->next, rcu_access_pointer(tree->watches));
	/* Pairs with blink_watch_put(): the watch is initialised. */
	rcu_assign_pointer(tree->watches, watch);
}

/**
 * blink_watch_unlink() - end a watch
 * @tree: the tree
 * @watch: the watch, which writers use until a grace period has passed
 *
 * Context: a lock of the caller protects the list.
 */
void blink_watch_unlink(struct blink_tree *tree, struct blink_watch *watch)
{
	struct blink_watch __rcu **link = &tree->watches;

	while (rcu_access_pointer(*link) != watch)
		link = &rcu_dereference_protected(*link, true)->next;
	rcu_assign_pointer(*link, rcu_dereference_protected(watch->next, true));
}

/**
 * blink_watch_head() - the position of the next change
 * @watch: the watch
 *
 * Context: any.
 * Return: the position.
 */
u64 blink_watch_head(const struct blink_watch *watch)
{
	/* Pairs with record_put(): the changes before took effect. */
	return smp_load_acquire(&watch->ring->head);
}

/**
 * blink_watch_fresh() - whether there are changes, and otherwise wake at the next one
 * @watch: the watch
 * @seen: the position before which the caller knows the changes
 *
 * Context: any; the caller is already in the queue that @wake wakes.
 * Return: true if there are.
 */
bool blink_watch_fresh(struct blink_watch *watch, u64 seen)
{
	atomic_set(&watch->waiting, 1);
	/*
	 * Pairs with the fetch-and-add of record_put(): a writer sees @waiting, or this
	 * function sees its change.
	 */
	smp_mb();
	return blink_watch_head(watch) > seen;
}

/* The record of this position cannot be written. */
static void record_lose(struct blink_watch *watch, u64 position)
{
	atomic64_t *lost = word(&watch->ring->lost);
	s64 old = atomic64_read(lost);

	/* It only rises, so another try follows a higher value. */
	while (old <= (s64)position &&
	       !atomic64_try_cmpxchg(lost, &old, position + 1))
		;
}

static void record_write(struct blink_watch *watch, u64 position,
			 const struct blink_tree_change *change)
{
	struct blink_tree_change *slot = &watch->slots[position & watch->mask];
	u64 seq = READ_ONCE(slot->seq), busy = 2 * position + 1;

	/* A later record is there. */
	if (unlikely(seq > busy))
		return;
	/* The cmpxchg() orders the stores below behind that of @busy. */
	if (unlikely(seq & 1 || cmpxchg(&slot->seq, seq, busy) != seq)) {
		record_lose(watch, position);
		return;
	}
	WRITE_ONCE(slot->op, change->op);
	WRITE_ONCE(slot->key, change->key);
	WRITE_ONCE(slot->key_low, change->key_low);
	WRITE_ONCE(slot->last, change->last);
	WRITE_ONCE(slot->last_low, change->last_low);
	WRITE_ONCE(slot->value, change->value);
	WRITE_ONCE(slot->old, change->old);
	/* Pairs with the acquire of readers: they find the record. */
	smp_store_release(&slot->seq, busy + 1);
}

static void record_put(struct blink_watch *watch,
		       const struct blink_tree_change *change)
{
	/*
	 * Pairs with smp_mb() in blink_watch_fresh(), and with the acquire of readers of
	 * the head.
	 */
	u64 position = atomic64_inc_return(word(&watch->ring->head)) - 1;

	record_write(watch, position, change);
	if (unlikely(atomic_read(&watch->waiting)) &&
	    atomic_xchg(&watch->waiting, 0))
		watch->wake(watch);
}

/* Put the part of a change that is in the range of a watch. */
static void change_put(struct blink_watch *watch,
		       struct blink_tree_change change)
{
	u128 first = blink_watch_key(change.key, change.key_low);
	u128 last = blink_watch_key(change.last, change.last_low);

	if (first > watch->last || last < watch->first)
		return;
	first = max(first, watch->first);
	last = min(last, watch->last);
	change.key = first >> 64;
	change.key_low = first;
	change.last = last >> 64;
	change.last_low = last;
	record_put(watch, &change);
}

/**
 * blink_watch_put() - write the record of a change for all watches
 * @tree: the tree
 * @change: the change, which has taken effect
 *
 * Context: rcu_read_lock() held since before the change, and the lock of the leaf that
 * changed.
 */
void blink_watch_put(struct blink_tree *tree,
		     const struct blink_tree_change *change)
{
	struct blink_watch *watch;

	/* Pairs with blink_watch_link(). */
	for (watch = rcu_dereference(tree->watches); watch;
	     watch = rcu_dereference(watch->next)) {
		change_put(watch, *change);
		if (change->op == BLINK_TREE_CHANGE_INSERT &&
		    unlikely(atomic_read(&watch->refused)))
			atomic_set(&watch->refused, 0);
	}
}

/**
 * blink_watch_tell() - write a record of the tree itself for all watches
 * @tree: the tree
 * @op: BLINK_TREE_CHANGE_TREE or more
 * @value: its value
 *
 * Context: any; readers find what the record tells.
 */
void blink_watch_tell(struct blink_tree *tree, u32 op, u64 value)
{
	const struct blink_tree_change change = { .op = op, .value = value };
	struct blink_watch *watch;

	rcu_read_lock();
	preempt_disable();
	/* Pairs with blink_watch_link(). */
	for (watch = rcu_dereference(tree->watches); watch;
	     watch = rcu_dereference(watch->next)) {
		record_put(watch, &change);
		/* A new limit can refuse for another reason. */
		atomic_set(&watch->refused, 0);
	}
	preempt_enable();
	rcu_read_unlock();
}

/**
 * blink_watch_end() - tell the readers of all watches that no change follows
 * @tree: the tree, which no caller can change any more
 *
 * Context: any.
 */
void blink_watch_end(struct blink_tree *tree)
{
	struct blink_watch *watch;

	rcu_read_lock();
	/* Pairs with blink_watch_link(). */
	for (watch = rcu_dereference(tree->watches); watch;
	     watch = rcu_dereference(watch->next)) {
		/* Pairs with the acquire of readers: the head is the last one. */
		smp_store_release(&watch->ended, true);
		watch->wake(watch);
	}
	rcu_read_unlock();
}

/**
 * blink_watch_refuse() - tell all watches of a change that the tree refused
 * @tree: the tree
 * @error: -ENOSPC, -EDQUOT or -ENOMEM
 *
 * A watch that has told one gets no record before a key was added.
 *
 * Context: any.
 */
void blink_watch_refuse(struct blink_tree *tree, int error)
{
	const struct blink_tree_change change = {
		.op = BLINK_TREE_CHANGE_REFUSED, .value = -error
	};
	struct blink_watch *watch;

	rcu_read_lock();
	preempt_disable();
	/* Pairs with blink_watch_link(). */
	for (watch = rcu_dereference(tree->watches); watch;
	     watch = rcu_dereference(watch->next)) {
		if (!atomic_read(&watch->refused) &&
		    !atomic_xchg(&watch->refused, 1))
			record_put(watch, &change);
	}
	preempt_enable();
	rcu_read_unlock();
}
