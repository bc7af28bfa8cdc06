/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: watches
 *
 * A *watch* is a ring of records of the changes of a tree, which programs read without
 * the kernel's help (uapi/linux/blink_tree_watch.h). A tree has a list of watches. Writers
 * read it under RCU, and write the record of a change under the lock of the leaf, after
 * the change took effect.
 *
 * Order: the position of a record is the result of one fetch-and-add on the ring's head
 * under the leaf's lock. A key that moves to another leaf moves under the locks of both:
 * a split keeps the new leaf locked until the record is written. So the changes of a key
 * have positions in their order. A reader that loads the head, and then reads the tree,
 * finds the changes before this position: the fetch-and-add is a release that follows the
 * end of the write section.
 *
 * A record is written in its slot like in a section of a sequence lock, but the sequence
 * says which position it is. Two writers want the same slot if one of them is a lap of the
 * ring behind: it was interrupted under its lock while others wrote all other slots. No
 * writer waits for another. One that finds a later record leaves it: readers of the
 * earlier position see an overrun. One that finds an earlier record unfinished cannot
 * write its own, and raises the ring's @lost instead, so that no reader waits for the
 * record.
 *
 * Records of the tree itself belong to no leaf: they have their place among the others by
 * the same fetch-and-add. The function that puts them disables preemption, since readers
 * try again until a record is written.
 *
 * A watch tells a refused change only if a key was added since the last one, or the tree had
 * a record of its own: a refusal sets @refused, and has a record if it was clear; these
 * clear it behind their own record. So a watch has at most one record of a refusal more than
 * there were such records, and a tree that is full does not fill its rings.
 *
 * Bound: under the lock of a leaf, a change writes one record for each watch, at most
 * BLINK_TREE_WATCHES_MAX. A load writes as many for each entry that it adds to the leaf,
 * and a commit for each of its changes, under the locks of all its leaves.
 * A record of the tree itself is one for each watch, too, with preemption disabled.
 *
 * Without watches a change costs one load and one branch.
 */
#ifndef BLINK_CORE_WATCH_H
#define BLINK_CORE_WATCH_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>
#include <uapi/linux/blink_tree_watch.h>

struct blink_tree;

/**
 * struct blink_watch - a watch
 * @next: the next watch of the tree
 * @ring: the ring, in memory that programs can map
 * @slots: its slots
 * @mask: number of slots - 1
 * @first: least key of the range; a key of 64 bits is the upper half
 * @last: greatest key of the range
 * @wake: wakes the readers, called in an RCU read section, also under the lock of a leaf
 * @ended: no change follows
 * @waiting: a reader waits for the next change, or will look at the head once more
 * @refused: a refusal was told, and no key was added since
 */
struct blink_watch {
	struct blink_watch __rcu *next;
	struct blink_tree_watch_ring *ring;
	struct blink_tree_change *slots;
	u64 mask;
	u128 first;
	u128 last;
	void (*wake)(struct blink_watch *watch);
	bool ended;
	atomic_t waiting ____cacheline_aligned;
	atomic_t refused;
};

/*
 * Make change @i of a commit. False if this operation of the commit changes nothing. The
 * ranges of the changes are keys.
 */
typedef bool (*blink_watch_tell_t)(const void *arg, unsigned int i,
				   struct blink_tree_change *change);

static inline u128 blink_watch_key(u64 high, u64 low)
{
	return (u128)high << 64 | low;
}

size_t blink_watch_size(u32 slots);
void blink_watch_init(struct blink_watch *watch, void *memory, u32 slots);
void blink_watch_link(struct blink_tree *tree, struct blink_watch *watch);
void blink_watch_unlink(struct blink_tree *tree, struct blink_watch *watch);
u64 blink_watch_head(const struct blink_watch *watch);
bool blink_watch_fresh(struct blink_watch *watch, u64 seen);
void blink_watch_put(struct blink_tree *tree,
		     const struct blink_tree_change *change);
void blink_watch_put_all(struct blink_tree *tree, blink_watch_tell_t tell,
			 const void *arg, unsigned int nr);
void blink_watch_tell(struct blink_tree *tree, u32 op, u64 value);
void blink_watch_end(struct blink_tree *tree);
void blink_watch_refuse(struct blink_tree *tree, int error);

#endif /* BLINK_CORE_WATCH_H */
