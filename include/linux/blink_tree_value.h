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

#define BLINK_VALUE_FUNCTIONS(tree_name, key_type, op_type, entry_type)        \
	void tree_name##_value_op(struct blink_tree *tree, op_type *op,        \
				  gfp_t gfp);                                  \
	void tree_name##_value_batch(struct blink_tree *tree, op_type *ops,    \
				     unsigned int nr);                         \
	int tree_name##_value_cmpxchg(struct blink_tree *tree, key_type key,   \
				      const void *expected, u32 length,        \
				      u64 value, u64 *old);                    \
	int tree_name##_value_cmperase(struct blink_tree *tree, key_type key,  \
				       const void *expected, u32 length,       \
				       u64 *old);                              \
	int tree_name##_value_load(struct blink_tree *tree,                    \
				   const entry_type *entries, unsigned int nr, \
				   unsigned int fill, gfp_t gfp,               \
				   unsigned int *done)

BLINK_VALUE_FUNCTIONS(blink_tree, u64, struct blink_tree_ioc_op,
		      struct blink_tree_entry);
BLINK_VALUE_FUNCTIONS(blink_tree_u128, u128, struct blink_tree_u128_op,
		      struct blink_tree_u128_entry);
BLINK_VALUE_FUNCTIONS(blink_tree_bytes, struct blink_bytes_key,
		      struct blink_tree_bytes_op,
		      struct blink_tree_bytes_entry);

#undef BLINK_VALUE_FUNCTIONS

#endif /* _LINUX_BLINK_TREE_VALUE_H */
