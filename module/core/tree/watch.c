// SPDX-License-Identifier: GPL-2.0
/* Writing records of changes (watch.h). */
#include <linux/atomic.h>
#include <linux/blink_tree.h>
#include <linux/build_bug.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "tree.h"
#include "watch.h"

/* A record has a cache line of its own. */
static_assert(sizeof(struct blink_tree_change) == 64);
static_assert(sizeof(struct blink_tree_watch_ring) % 64 == 0);
/* A commit has a record for each operation, and for each gap between two. */
static_assert(2 * BLINK_TREE_COMMIT_MAX - 1 <= BLINK_TREE_WATCH_SLOTS_MIN);

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
	WRITE_ONCE(slot->more, change->more);
	WRITE_ONCE(slot->key, change->key);
	WRITE_ONCE(slot->key_low, change->key_low);
	WRITE_ONCE(slot->last, change->last);
	WRITE_ONCE(slot->last_low, change->last_low);
	WRITE_ONCE(slot->value, change->value);
	WRITE_ONCE(slot->old, change->old);
	/* Pairs with the acquire of readers: they find the record. */
	smp_store_release(&slot->seq, busy + 1);
}

/* Take the positions of @nr records. Returns the first one. */
static u64 record_take(struct blink_watch *watch, unsigned int nr)
{
	/*
	 * Pairs with smp_mb() in blink_watch_fresh(), and with the acquire of readers of
	 * the head.
	 */
	return atomic64_add_return(nr, word(&watch->ring->head)) - nr;
}

/* Wake readers, after records were written. */
static void record_end(struct blink_watch *watch)
{
	if (unlikely(atomic_read(&watch->waiting)) &&
	    atomic_xchg(&watch->waiting, 0))
		watch->wake(watch);
}

static void record_put(struct blink_watch *watch,
		       const struct blink_tree_change *change)
{
	record_write(watch, record_take(watch, 1), change);
	record_end(watch);
}

/* Whether a change is in the range of a watch; if so, leave what is outside off. */
static bool change_clip(const struct blink_watch *watch,
			struct blink_tree_change *change)
{
	u128 first = blink_watch_key(change->key, change->key_low);
	u128 last = blink_watch_key(change->last, change->last_low);

	if (first > watch->last || last < watch->first)
		return false;
	first = max(first, watch->first);
	last = min(last, watch->last);
	change->key = first >> 64;
	change->key_low = first;
	change->last = last >> 64;
	change->last_low = last;
	return true;
}

/* A key was added: a later refusal is another one. */
static void change_clear(struct blink_watch *watch, u32 op)
{
	if (op == BLINK_TREE_CHANGE_INSERT &&
	    unlikely(atomic_read(&watch->refused)))
		atomic_set(&watch->refused, 0);
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
		struct blink_tree_change clipped = *change;

		if (change_clip(watch, &clipped))
			record_put(watch, &clipped);
		change_clear(watch, change->op);
	}
}

/* Write the records of a commit that are in the range of a watch. */
static void commit_put(struct blink_watch *watch, blink_watch_tell_t tell,
		       const void *arg, unsigned int nr)
{
	struct blink_tree_change change;
	unsigned int more = 0, i;
	u64 position = 0;

	for (i = 0; i < nr; i++)
		more += tell(arg, i, &change) && change_clip(watch, &change);
	if (more)
		position = record_take(watch, more);
	for (i = 0; i < nr; i++) {
		if (!tell(arg, i, &change))
			continue;
		change_clear(watch, change.op);
		if (!change_clip(watch, &change))
			continue;
		change.more = --more;
		record_write(watch, position++, &change);
		if (!more)
			record_end(watch);
	}
}

/**
 * blink_watch_put_all() - write the records of a commit for all watches
 * @tree: the tree
 * @tell: makes a change of the commit
 * @arg: for @tell
 * @nr: how many changes @tell can make
 *
 * The records of a commit are consecutive in each ring, since their positions are taken at
 * once. A ring has room for those of the largest commit.
 *
 * Context: rcu_read_lock() held since before the changes, and the locks of all leaves that
 * changed.
 */
void blink_watch_put_all(struct blink_tree *tree, blink_watch_tell_t tell,
			 const void *arg, unsigned int nr)
{
	struct blink_watch *watch;

	/* Pairs with blink_watch_link(). */
	for (watch = rcu_dereference(tree->watches); watch;
	     watch = rcu_dereference(watch->next))
		commit_put(watch, tell, arg, nr);
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
