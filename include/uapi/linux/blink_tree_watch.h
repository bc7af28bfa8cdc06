/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Watches of blink_tree: the changes of a tree, as a ring of records in memory that the
 * kernel writes and programs read.
 *
 * BLINK_TREE_IOC_WATCH returns a descriptor, which a program maps for reading. The size to
 * map is @records + @slots * @record_size bytes, of struct blink_tree_watch_ring; a
 * program that maps sizeof(struct blink_tree_watch_ring) bytes first can read them there.
 * Accesses behind the last page of this size raise SIGBUS.
 *
 * Each change of a key in the range of the watch gets the next *position*: 0, 1, 2, … The
 * record of position p is in slot p modulo the number of slots. The positions are one
 * order of all changes, and changes of the same key have the order in which they took
 * effect. Before a record can be read, its change has taken effect.
 *
 * The kernel does not know what programs have read. Each reader has a position of its
 * own, reads the record there, and goes on to the next one:
 *
 *   1. Load @seq of the slot of position p, with acquire semantics.
 *   2. 2p + 2: copy the record, then load @seq again, after an acquire fence. If it is
 *      still the same, the copy is the record of position p.
 *   3. More than 2p + 2, or another value the second time: a later record is there. It is
 *      an *overrun*: this reader has missed changes.
 *   4. Less than 2p + 2: if @lost is greater than p, it is an overrun. Otherwise, if
 *      @head is greater than p, a writer is about to write the record: try again.
 *      Otherwise there is no change yet.
 *
 * To wait for a change, a program uses poll() or read(). A read() of 8 bytes returns
 * @head, a __u64, as soon as it is greater than what the last read() returned, and the
 * descriptor is readable as long as it is. With O_NONBLOCK it fails with EAGAIN instead.
 * Threads and processes that share the descriptor also share what the last read()
 * returned: once one of them has read a head, none of the others is woken for it. Let one
 * of them wait, or give each of them a watch of its own.
 *
 * After an overrun the reader sets its position to @head, and scans the tree again. The
 * begin is the same: a copy of a tree is equal to it once a program has created the watch,
 * scanned the tree, and applied all changes from position 0 on. A change that the scan
 * has already seen is applied again, which does no harm: INSERT and UPDATE mean that @key
 * has @value from now on, and an erased key may be absent.
 *
 * Records with an @op of BLINK_TREE_CHANGE_TREE or more have no key, and tell of the tree
 * itself: its name was removed, its attributes were set, or it refused a change for lack
 * of room. Every watch gets them, whatever its range. A program skips those that it does
 * not know. It learns by BLINK_TREE_IOC_ATTR what was so before the watch began, or was
 * missed in an overrun.
 *
 * A tree that has neither a name nor a descriptor (nor a handle of BPF programs) cannot
 * change any more. Its watches then end as a pipe without writers: once a read() has
 * returned the last @head, further ones return 0, and poll() tells POLLIN and POLLHUP. A
 * program that keeps a descriptor of the tree itself does not see this end.
 *
 * In a tree of kind BLINK_TREE_KEY_MULTI a key is a pair: @key and @last are the keys
 * proper, @key_low and @last_low are the values that belong to them, and @value and @old
 * are 0. All of them are numbers, as everywhere in the ring; pairs in records
 * (<linux/blink_tree_records.h>) have bytes in an order of their own. INSERT adds the pair
 * of @key and @key_low, and ERASE removes it. UPDATE changes nothing: a STORE of a pair
 * that was there. ERASE_RANGE removes the pairs from @key and @key_low to @last and
 * @last_low, which can be some values of one key.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_WATCH_H
#define _UAPI_LINUX_BLINK_TREE_WATCH_H

#include <linux/types.h>

/*
 * The most watches of a tree; each one makes each change of the tree a little slower.
 * Then the most of a user who neither owns the tree nor has CAP_FOWNER over it. Then
 * those that no such user gets, so that the owner finds a place; the watches of a former
 * owner stay. Users are those of budgets: a user namespace counts as the user who created it.
 */
#define BLINK_TREE_WATCHES_MAX 8
#define BLINK_TREE_WATCHES_USER 2
#define BLINK_TREE_WATCHES_OWNER 2
/* Slots of a ring: the least, the most, and those of a watch that does not say. */
#define BLINK_TREE_WATCH_SLOTS_MIN 64
#define BLINK_TREE_WATCH_SLOTS_MAX (1u << 20)
#define BLINK_TREE_WATCH_SLOTS_DEFAULT (1u << 14)
/* The least @op of records that tell of the tree itself. */
#define BLINK_TREE_CHANGE_TREE 16

/**
 * enum blink_tree_change_op - kinds of changes
 * @BLINK_TREE_CHANGE_INSERT: @key was added with @value
 * @BLINK_TREE_CHANGE_UPDATE: the value of @key was @old, and is @value
 * @BLINK_TREE_CHANGE_ERASE: @key was removed, its value was @old
 * @BLINK_TREE_CHANGE_ERASE_RANGE: the keys from @key to @last were removed, all that there
 *	were; none outside of the range of the watch is meant
 * @BLINK_TREE_CHANGE_UNLINKED: the name of the tree was removed (BLINK_TREE_IOC_UNLINK),
 *	and may lead to another tree
 * @BLINK_TREE_CHANGE_ATTR: attributes were set by BLINK_TREE_IOC_ATTR; @value has the
 *	BLINK_TREE_ATTR_* bits of those that were set, with or without a difference
 * @BLINK_TREE_CHANGE_REFUSED: a change was refused for lack of room; @value is the errno:
 *	ENOSPC at a limit of the tree, EDQUOT at that of the user who created it, ENOMEM at
 *	that of all trees or without memory. Further refusals have no record until a key
 *	was added, inside or outside of the range of the watch, or attributes were set.
 */
enum blink_tree_change_op {
	BLINK_TREE_CHANGE_INSERT = 1,
	BLINK_TREE_CHANGE_UPDATE = 2,
	BLINK_TREE_CHANGE_ERASE = 3,
	BLINK_TREE_CHANGE_ERASE_RANGE = 4,
	BLINK_TREE_CHANGE_UNLINKED = BLINK_TREE_CHANGE_TREE,
	BLINK_TREE_CHANGE_ATTR = 17,
	BLINK_TREE_CHANGE_REFUSED = 18
};

/**
 * struct blink_tree_change - the record of a change, a slot of the ring
 * @seq: 2 * position + 2, or less by one while the record is written
 * @op: enum blink_tree_change_op
 * @more: how many of the next records tell of changes at the same instant: those of one
 *	commit are consecutive (BLINK_TREE_BATCH_COMMIT)
 * @key: the key, or the upper half of a key of 128 bits
 * @key_low: its lower half, otherwise 0
 * @last: the last key of ERASE_RANGE, otherwise as @key
 * @last_low: its lower half, otherwise as @key_low
 * @value: the new value, what @op says, or 0
 * @old: the former value, or 0
 */
struct blink_tree_change {
	__u64 seq;
	__u32 op;
	__u32 more;
	__u64 key;
	__u64 key_low;
	__u64 last;
	__u64 last_low;
	__u64 value;
	__u64 old;
};

/**
 * struct blink_tree_watch_ring - the begin of the mapped memory
 * @records: the offset of the first slot from here, in bytes
 * @record_size: the distance of slots, in bytes: at least that of
 *	struct blink_tree_change
 * @slots: number of slots, a power of two
 * @__reserved: zero
 * @head: the position of the next change
 * @__pad: zero
 * @lost: zero, or 1 + the position of the last change that has no record, because the
 *	writer of its slot's former record had not finished yet
 * @__pad2: zero
 */
struct blink_tree_watch_ring {
	__u32 records;
	__u32 record_size;
	__u64 slots;
	__u64 __reserved[6];
	__u64 head;
	__u64 __pad[7];
	__u64 lost;
	__u64 __pad2[7];
};

/**
 * struct blink_tree_ioc_watch - BLINK_TREE_IOC_WATCH, on a tree that is open for reading
 * @flags: must be zero
 * @slots: number of slots, a power of two from BLINK_TREE_WATCH_SLOTS_MIN to
 *	BLINK_TREE_WATCH_SLOTS_MAX; 0 for BLINK_TREE_WATCH_SLOTS_DEFAULT
 * @first: least key of the range
 * @first_low: its lower half, if the tree has keys of 128 bits; otherwise 0
 * @last: greatest key of the range
 * @last_low: its lower half, if the tree has keys of 128 bits; otherwise 0, or all ones
 *
 * The watch ends when its descriptor is closed and its ring is mapped no more. It keeps
 * the tree in existence like a descriptor of the tree. Changes that begin after this
 * ioctl has returned are in the ring, and those that it does not contain had taken effect
 * before. The ioctl waits for a grace period.
 *
 * In a tree of kind BLINK_TREE_KEY_MULTI the lower halves are values: from the pair of
 * @first and @first_low to that of @last and @last_low.
 *
 * The memory of the ring is charged to the memory cgroup and to the budget of the caller.
 *
 * Return: a descriptor (close-on-exec). EINVAL also if @first is greater than @last.
 * EOPNOTSUPP if keys or values of the tree are bytes. EUSERS if the tree has
 * BLINK_TREE_WATCHES_MAX watches; or if the caller neither owns the tree nor has
 * CAP_FOWNER over it, and has BLINK_TREE_WATCHES_USER of them, or all such users
 * together have all but BLINK_TREE_WATCHES_OWNER. EDQUOT if the caller has reached the
 * limit of one user. EMFILE, ENFILE or ENOMEM.
 */
struct blink_tree_ioc_watch {
	__u32 flags;
	__u32 slots;
	__u64 first;
	__u64 first_low;
	__u64 last;
	__u64 last_low;
};

#endif /* _UAPI_LINUX_BLINK_TREE_WATCH_H */
