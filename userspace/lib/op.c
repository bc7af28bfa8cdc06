// SPDX-License-Identifier: GPL-2.0
/* Single operations: each is one BLINK_TREE_IOC_OP, or one BLINK_TREE_IOC_RANGE. */
#include "internal.h"

/* Return the result of an operation. The ioctl fails with the same error. */
static int execute(struct blinktree *tree, struct blink_tree_ioc_op *op)
{
	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_OP, op);

	return err ?: op->result;
}

int blinktree_range(struct blinktree *tree, struct blink_tree_ioc_range *range)
{
	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_RANGE, range);

	return err == -ENOTTY ? -EOPNOTSUPP : err;
}

int blinktree_get(struct blinktree *tree, __u64 key, __u64 *value)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP,
					.key = key };
	int ret = execute(tree, &op);

	if (!ret)
		*value = op.value;
	return ret;
}

/* An operation for which @told is the result that comes with a former value. */
static int update(struct blinktree *tree, unsigned int opcode, __u64 key,
		  __u64 value, int told, __u64 *old)
{
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = key,
		.value = value,
	};
	int ret = execute(tree, &op);

	if (ret == told && old)
		*old = op.old;
	return ret;
}

int blinktree_insert(struct blinktree *tree, __u64 key, __u64 value,
		     __u64 *present)
{
	return update(tree, BLINK_TREE_OP_INSERT, key, value, -EEXIST, present);
}

int blinktree_store(struct blinktree *tree, __u64 key, __u64 value, __u64 *old)
{
	return update(tree, BLINK_TREE_OP_STORE, key, value, 1, old);
}

int blinktree_add(struct blinktree *tree, __u64 key, __u64 number, __u64 *old)
{
	return update(tree, BLINK_TREE_OP_ADD, key, number, 1, old);
}

int blinktree_add_saturate(struct blinktree *tree, __u64 key, __s64 number,
			   __u64 *old)
{
	return update(tree, BLINK_TREE_OP_ADD_SATURATE, key, number, 1, old);
}

int blinktree_get_or_insert(struct blinktree *tree, __u64 key, __u64 *value)
{
	return update(tree, BLINK_TREE_OP_GET_OR_INSERT, key, *value, 1, value);
}

int blinktree_replace(struct blinktree *tree, __u64 key, __u64 value,
		      __u64 *old)
{
	return update(tree, BLINK_TREE_OP_REPLACE, key, value, 0, old);
}

int blinktree_erase(struct blinktree *tree, __u64 key, __u64 *old)
{
	return update(tree, BLINK_TREE_OP_ERASE, key, 0, 0, old);
}

static int compare(struct blinktree *tree, unsigned int opcode, __u64 key,
		   __u64 *expected, __u64 value)
{
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = key,
		.value = value,
		.old = *expected,
	};
	int ret = execute(tree, &op);

	if (ret == -ESTALE)
		*expected = op.old;
	return ret;
}

int blinktree_cmpxchg(struct blinktree *tree, __u64 key, __u64 *expected,
		      __u64 value)
{
	return compare(tree, BLINK_TREE_OP_CMPXCHG, key, expected, value);
}

int blinktree_cmperase(struct blinktree *tree, __u64 key, __u64 *expected)
{
	return compare(tree, BLINK_TREE_OP_CMPERASE, key, expected, 0);
}

/* A key that is removed had the former value. */
static int find(struct blinktree *tree, unsigned int opcode, __u64 key,
		bool removes, struct blink_tree_entry *entry)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = key };
	int ret = execute(tree, &op);

	if (!ret) {
		entry->key = op.key;
		entry->value = removes ? op.old : op.value;
	}
	return ret;
}

int blinktree_floor(struct blinktree *tree, __u64 key,
		    struct blink_tree_entry *entry)
{
	return find(tree, BLINK_TREE_OP_FLOOR, key, false, entry);
}

int blinktree_ceiling(struct blinktree *tree, __u64 key,
		      struct blink_tree_entry *entry)
{
	return find(tree, BLINK_TREE_OP_CEILING, key, false, entry);
}

int blinktree_pop_min(struct blinktree *tree, __u64 first,
		      struct blink_tree_entry *entry)
{
	return find(tree, BLINK_TREE_OP_POP_MIN, first, true, entry);
}

int blinktree_pop_max(struct blinktree *tree, __u64 last,
		      struct blink_tree_entry *entry)
{
	return find(tree, BLINK_TREE_OP_POP_MAX, last, true, entry);
}
