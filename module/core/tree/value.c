// SPDX-License-Identifier: GPL-2.0
/* The memory of values that are bytes (blink_tree_value.h). */
#include <linux/blink_tree_value.h>
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/string.h>

#include "block.h"
#include "tree.h"

/**
 * struct value - a value in memory
 * @block: after it was removed; readers can still read the value
 * @value: the value
 */
struct value {
	struct blink_block block;
	struct blink_value value;
};

static_assert(offsetof(struct value, value.data) + BLINK_VALUE_MAX <=
	      BLINK_BLOCK_MAX);

static struct value *value_of(u64 handle)
{
	return container_of(blink_value(handle), struct value, value);
}

static long value_bytes(u32 length)
{
	return offsetof(struct value, value.data) + length;
}

/**
 * blink_value_make() - make a value, for an operation that adds or replaces one
 * @tree: its tree
 * @data: the bytes
 * @length: how many
 * @gfp: how to allocate
 * @handle: set to the handle of the value
 *
 * Context: no lock of the tree held; as @gfp allows.
 * Return: 0; -EOPNOTSUPP if values of the tree are numbers; -EINVAL if it is too long;
 * -ENOMEM, -ENOSPC, -EDQUOT or -EAGAIN as blink_tree_insert().
 */
int blink_value_make(struct blink_tree *tree, const void *data, u32 length,
		     gfp_t gfp, u64 *handle)
{
	struct value *value;

	if (!(tree->flags & BLINK_TREE_BYTE_VALUES))
		return -EOPNOTSUPP;
	if (length > BLINK_VALUE_MAX)
		return -EINVAL;
	value = blink_block_alloc(tree, value_bytes(length), gfp);
	if (IS_ERR(value))
		return PTR_ERR(value);
	value->value.length = length;
	memcpy(value->value.data, data, length);
	*handle = (uintptr_t)&value->value;
	return 0;
}
EXPORT_SYMBOL_GPL(blink_value_make);

/**
 * blink_value_free() - free a value that no operation has put into its tree
 * @tree: the tree
 * @handle: its handle
 *
 * Context: any but NMI. On PREEMPT_RT: preemptible, because memory cannot be freed
 * elsewhere.
 */
void blink_value_free(struct blink_tree *tree, u64 handle)
{
	struct value *value = value_of(handle);

	blink_block_free(tree, value, value_bytes(value->value.length));
}
EXPORT_SYMBOL_GPL(blink_value_free);

static void value_rcu(struct rcu_head *head)
{
	struct value *value = container_of(head, struct value, block.rcu);

	blink_block_end(value->block.tree, value,
			value_bytes(value->value.length));
}

/**
 * blink_value_put() - free a value that an operation has taken out of its tree
 * @tree: the tree
 * @handle: its handle
 *
 * Readers can read the value until their RCU read sections end.
 *
 * Context: any but NMI.
 */
void blink_value_put(struct blink_tree *tree, u64 handle)
{
	struct value *value = value_of(handle);

	blink_block_retire(tree, &value->block,
			   value_bytes(value->value.length), value_rcu);
}
EXPORT_SYMBOL_GPL(blink_value_put);
