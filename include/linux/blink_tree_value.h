/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees whose values are bytes (BLINK_TREE_BYTE_VALUES).
 *
 * A value has 0 to BLINK_VALUE_MAX bytes, which never change: an update replaces it as a
 * whole. The u64 that other trees have as a value is here a *handle* of a struct
 * blink_value. The functions that read (blink_tree_lookup(), _floor(), _ceiling(),
 * _scan(), cursors, fingers) give the handles of present values. A caller that reads
 * within its own RCU read section can follow them until this section ends::
 *
 *	rcu_read_lock();
 *	if (!blink_tree_lookup(tree, key, &handle))
 *		use(blink_value(handle)->data, blink_value(handle)->length);
 *	rcu_read_unlock();
 *
 * A cursor reads ahead. A caller that follows the handles of a cursor stays in one section
 * from the first entry to the last, or begins with another cursor.
 *
 * Functions that write handles take part in the lifetime of values, so they are those
 * below: the others that write return -EOPNOTSUPP. blink_tree_erase_range() works, without
 * a buffer for entries. A writer makes a value (blink_value_make()), and passes its
 * handle. If the operation puts the value into the tree, the tree owns it; otherwise the
 * caller frees it (blink_value_free()). A value that an operation takes out of the tree
 * belongs to the caller. The caller drops it (blink_value_put()) before the tree is
 * destroyed.
 *
 * The functions exist for each kind of keys that a tree with such values can have, and
 * take operations and entries of this kind (blink_tree_u128.h, blink_tree_bytes.h).
 */
#ifndef _LINUX_BLINK_TREE_VALUE_H
#define _LINUX_BLINK_TREE_VALUE_H

#include <linux/blink_tree.h>
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_u128.h>

/* The most bytes of a value. */
#define BLINK_VALUE_MAX 4096

/**
 * struct blink_value - a value
 * @length: its number of bytes
 * @data: the bytes
 */
struct blink_value {
	u32 length;
	u8 data[];
};

/**
 * blink_value() - the value of a handle
 * @handle: the handle
 *
 * Context: the caller owns the value, or is in the RCU read section in which it got the
 * handle from the tree.
 * Return: the value.
 */
static inline const struct blink_value *blink_value(u64 handle)
{
	return (const struct blink_value *)(uintptr_t)handle;
}

int blink_value_make(struct blink_tree *tree, const void *data, u32 length,
		     gfp_t gfp, u64 *handle);
void blink_value_free(struct blink_tree *tree, u64 handle);
void blink_value_put(struct blink_tree *tree, u64 handle);

void blink_tree_value_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
			 gfp_t gfp);
void blink_tree_value_batch(struct blink_tree *tree,
			    struct blink_tree_ioc_op *ops, unsigned int nr);
int blink_tree_value_commit(struct blink_tree *tree,
			    struct blink_tree_ioc_op *ops, unsigned int nr,
			    unsigned int *failed, gfp_t gfp);
int blink_tree_value_cmpxchg(struct blink_tree *tree, u64 key,
			     const void *expected, u32 length, u64 value,
			     u64 *old);
int blink_tree_value_cmperase(struct blink_tree *tree, u64 key,
			      const void *expected, u32 length, u64 *old);
int blink_tree_value_load(struct blink_tree *tree,
			  const struct blink_tree_entry *entries,
			  unsigned int nr, unsigned int fill, gfp_t gfp,
			  unsigned int *done);

void blink_tree_u128_value_op(struct blink_tree *tree,
			      struct blink_tree_u128_op *op, gfp_t gfp);
void blink_tree_u128_value_batch(struct blink_tree *tree,
				 struct blink_tree_u128_op *ops,
				 unsigned int nr);
int blink_tree_u128_value_commit(struct blink_tree *tree,
				 struct blink_tree_u128_op *ops,
				 unsigned int nr, unsigned int *failed,
				 gfp_t gfp);
int blink_tree_u128_value_cmpxchg(struct blink_tree *tree, u128 key,
				  const void *expected, u32 length, u64 value,
				  u64 *old);
int blink_tree_u128_value_cmperase(struct blink_tree *tree, u128 key,
				   const void *expected, u32 length, u64 *old);
int blink_tree_u128_value_load(struct blink_tree *tree,
			       const struct blink_tree_u128_entry *entries,
			       unsigned int nr, unsigned int fill, gfp_t gfp,
			       unsigned int *done);

void blink_tree_bytes_value_op(struct blink_tree *tree,
			       struct blink_tree_bytes_op *op, gfp_t gfp);
void blink_tree_bytes_value_batch(struct blink_tree *tree,
				  struct blink_tree_bytes_op *ops,
				  unsigned int nr);
int blink_tree_bytes_value_commit(struct blink_tree *tree,
				  struct blink_tree_bytes_op *ops,
				  unsigned int nr, unsigned int *failed,
				  gfp_t gfp);
int blink_tree_bytes_value_cmpxchg(struct blink_tree *tree,
				   struct blink_bytes_key key,
				   const void *expected, u32 length, u64 value,
				   u64 *old);
int blink_tree_bytes_value_cmperase(struct blink_tree *tree,
				    struct blink_bytes_key key,
				    const void *expected, u32 length, u64 *old);
int blink_tree_bytes_value_load(struct blink_tree *tree,
				const struct blink_tree_bytes_entry *entries,
				unsigned int nr, unsigned int fill, gfp_t gfp,
				unsigned int *done);

#endif /* _LINUX_BLINK_TREE_VALUE_H */
