/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees whose keys are strings of bytes (BLINK_TREE_KEY_BYTES).
 *
 * Keys have 0 to BLINK_BYTES_MAX bytes of any value. They are ordered by memcmp(), and a
 * key comes before all longer ones that begin with it. Each function does for them what
 * the function of the same name without "bytes" does for 64-bit keys (blink_tree.h), in
 * the same contexts and with the same errors, and with two more: -EINVAL for a key that
 * is too long to be added, and -EOPNOTSUPP for a tree with keys of another kind.
 *
 * Each entry takes memory of its own. A function that adds one allocates it first, as its
 * gfp tells, and also returns the errors of that allocation: -ENOMEM, -ENOSPC, -EDQUOT and
 * -EAGAIN.
 */
#ifndef _LINUX_BLINK_TREE_BYTES_H
#define _LINUX_BLINK_TREE_BYTES_H

#include <linux/atomic.h>
#include <linux/blink_tree.h>
#include <linux/types.h>

/* The most bytes of a key. */
#define BLINK_BYTES_MAX 1024

/**
 * struct blink_bytes_key - a key, or a place beside a key
 * @data: its bytes; NULL for the place behind all keys
 * @length: their number
 * @side: 0; in a range, for blink_tree_bytes_floor() and for blink_tree_bytes_ceiling()
 *	also -1 and 1, for the place before the key and behind it
 */
struct blink_bytes_key {
	const u8 *data;
	u32 length;
	s32 side;
};

/**
 * blink_bytes_key() - a key
 * @data: its bytes
 * @length: their number
 *
 * Return: the key.
 */
static inline struct blink_bytes_key blink_bytes_key(const void *data,
						     u32 length)
{
	return (struct blink_bytes_key){
		.data = (const u8 *)data,
		.length = length,
	};
}

/**
 * struct blink_tree_bytes_entry - a key and its value
 * @key: the bytes of the key. For blink_tree_bytes_floor(), _ceiling(), _pop_min() and
 *	_pop_max(), the caller's buffer of BLINK_BYTES_MAX bytes, to which the key is
 *	copied; after a scan, in the buffer of the scan
 * @length: their number
 * @value: the value
 */
struct blink_tree_bytes_entry {
	u8 *key;
	u32 length;
	u64 value;
};

/**
 * struct blink_tree_bytes_op - one operation and its result
 * @opcode: enum blink_tree_opcode
 * @flags: BLINK_TREE_COMMIT_EMPTY or BLINK_TREE_COMMIT_CLEAR in a commit, otherwise 0
 * @result: as that of struct blink_tree_ioc_op
 * @key: the key
 * @value: as that of struct blink_tree_ioc_op
 * @old: likewise
 * @found: for FLOOR, CEILING, POP_MIN and POP_MAX, a buffer of BLINK_BYTES_MAX bytes, to
 *	which the key that was found is copied
 * @found_length: set to the length of this key
 */
struct blink_tree_bytes_op {
	u16 opcode;
	u16 flags;
	s32 result;
	struct blink_bytes_key key;
	u64 value;
	u64 old;
	u8 *found;
	u32 found_length;
};

/**
 * struct blink_bytes_link - the part of a caller's object that makes it an entry
 * @key: the bytes of the key, as many as blink_tree_bytes_link() is told; they do not
 *	change while the object is in the tree, nor until it is released
 *
 * A tree that was created with a function @release does not copy keys. Its entries are
 * objects of the caller, and this structure is the end of each of them. The value of an
 * entry is the address of its link, which the functions that read return. A caller that
 * reads within its own RCU read section can use the object until the section ends::
 *
 *	rcu_read_lock();
 *	if (!blink_tree_bytes_lookup(tree, key, &value))
 *		use(container_of(blink_bytes_link(value), struct object, link));
 *	rcu_read_unlock();
 *
 * The key of an object that was removed can still be a bound of a node. The tree calls
 * @release, after a grace period, when it does not need the object any more; when it is
 * destroyed, it calls @release for all objects that it contains. The calls for objects that
 * were removed before can come after blink_tree_destroy(), and blink_tree_barrier() waits
 * for them.
 */
struct blink_bytes_link {
	/* private: */
	struct rcu_head rcu;
	struct blink_tree *tree;
	u32 length;
	atomic_t refs;
	u64 self;
	/* public: */
	u8 key[];
};

/**
 * blink_bytes_link() - the link of an entry
 * @value: the value of the entry
 *
 * Return: the link.
 */
static inline struct blink_bytes_link *blink_bytes_link(u64 value)
{
	return (struct blink_bytes_link *)(uintptr_t)value;
}

int blink_tree_bytes_link(struct blink_tree *tree,
			  struct blink_bytes_link *link, u32 length, gfp_t gfp);
int blink_tree_bytes_unlink(struct blink_tree *tree,
			    struct blink_bytes_link *link);

int blink_tree_bytes_lookup(struct blink_tree *tree, struct blink_bytes_key key,
			    u64 *value);
int blink_tree_bytes_floor(struct blink_tree *tree, struct blink_bytes_key key,
			   struct blink_tree_bytes_entry *entry);
int blink_tree_bytes_ceiling(struct blink_tree *tree,
			     struct blink_bytes_key key,
			     struct blink_tree_bytes_entry *entry);

int blink_tree_bytes_insert(struct blink_tree *tree, struct blink_bytes_key key,
			    u64 value, u64 *old, gfp_t gfp);
int blink_tree_bytes_store(struct blink_tree *tree, struct blink_bytes_key key,
			   u64 value, u64 *old, gfp_t gfp);
int blink_tree_bytes_add(struct blink_tree *tree, struct blink_bytes_key key,
			 u64 number, u64 *old, gfp_t gfp);
int blink_tree_bytes_add_saturate(struct blink_tree *tree,
				  struct blink_bytes_key key, s64 number,
				  u64 *old, gfp_t gfp);
int blink_tree_bytes_replace(struct blink_tree *tree,
			     struct blink_bytes_key key, u64 value, u64 *old);
int blink_tree_bytes_cmpxchg(struct blink_tree *tree,
			     struct blink_bytes_key key, u64 *old, u64 value);
int blink_tree_bytes_erase(struct blink_tree *tree, struct blink_bytes_key key,
			   u64 *old);
int blink_tree_bytes_cmperase(struct blink_tree *tree,
			      struct blink_bytes_key key, u64 *old);
int blink_tree_bytes_pop_min(struct blink_tree *tree,
			     struct blink_bytes_key first,
			     struct blink_tree_bytes_entry *entry);
int blink_tree_bytes_pop_max(struct blink_tree *tree,
			     struct blink_bytes_key last,
			     struct blink_tree_bytes_entry *entry);

void blink_tree_bytes_op(struct blink_tree *tree,
			 struct blink_tree_bytes_op *op, gfp_t gfp);
void blink_tree_bytes_batch(struct blink_tree *tree,
			    struct blink_tree_bytes_op *ops, unsigned int nr,
			    gfp_t gfp);
int blink_tree_bytes_commit(struct blink_tree *tree,
			    struct blink_tree_bytes_op *ops, unsigned int nr,
			    unsigned int *failed, gfp_t gfp);
int blink_tree_bytes_load(struct blink_tree *tree,
			  const struct blink_tree_bytes_entry *entries,
			  unsigned int nr, unsigned int fill, gfp_t gfp,
			  unsigned int *done);

/**
 * struct blink_bytes_scan - the part of a range of keys that is still to be scanned,
 *	counted or erased
 * @first: the part begins here; with @side 1 behind this key
 * @last: and ends here; with @side -1 before this key
 * @desc: scan from @last down to @first
 * @done: the scan has reached the end of the range
 * @buffer: for the keys of the entries that blink_tree_bytes_scan() reads
 * @size: its size, at least BLINK_BYTES_MAX
 *
 * The bytes of @first and @last belong to the caller until the scan ends.
 */
struct blink_bytes_scan {
	struct blink_bytes_key first;
	struct blink_bytes_key last;
	bool desc;
	bool done;
	u8 *buffer;
	u32 size;
	/* private: */
	u32 used;
	u8 passed[BLINK_BYTES_MAX];
	u8 reached[BLINK_BYTES_MAX];
	/* public: */
};

int blink_tree_bytes_scan(struct blink_tree *tree,
			  struct blink_bytes_scan *scan,
			  struct blink_tree_bytes_entry *entries,
			  unsigned int nr);
int blink_tree_bytes_count_range(struct blink_tree *tree,
				 struct blink_bytes_scan *scan,
				 unsigned int nr);
int blink_tree_bytes_erase_range(struct blink_tree *tree,
				 struct blink_bytes_scan *scan,
				 struct blink_tree_bytes_entry *entries,
				 unsigned int nr);

#endif /* _LINUX_BLINK_TREE_BYTES_H */
