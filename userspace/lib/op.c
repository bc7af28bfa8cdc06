// SPDX-License-Identifier: GPL-2.0
/* Single operations: each is one BLINK_TREE_IOC_OP. */
#include "internal.h"

/* Return the result of an operation. The ioctl fails with the same error. */
static int execute(struct blinktree *tree, struct blink_tree_ioc_op *op)
{
	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_OP, op);

	return err ?: op->result;
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

int blinktree_insert(struct blinktree *tree, __u64 key, __u64 value,
		     __u64 *present)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = key,
		.value = value,
	};
	int ret = execute(tree, &op);

	if (ret == -EEXIST && present)
		*present = op.old;
	return ret;
}

int blinktree_store(struct blinktree *tree, __u64 key, __u64 value, __u64 *old)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_STORE,
		.key = key,
		.value = value,
	};
	int ret = execute(tree, &op);

	if (ret == 1 && old)
		*old = op.old;
	return ret;
}

int blinktree_get_or_insert(struct blinktree *tree, __u64 key, __u64 *value)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_GET_OR_INSERT,
		.key = key,
		.value = *value,
	};
	int ret = execute(tree, &op);

	if (ret == 1)
		*value = op.old;
	return ret;
}

int blinktree_replace(struct blinktree *tree, __u64 key, __u64 value,
		      __u64 *old)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_REPLACE,
		.key = key,
		.value = value,
	};
	int ret = execute(tree, &op);

	if (!ret && old)
		*old = op.old;
	return ret;
}

int blinktree_erase(struct blinktree *tree, __u64 key, __u64 *old)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_ERASE,
					.key = key };
	int ret = execute(tree, &op);

	if (!ret && old)
		*old = op.old;
	return ret;
}

int blinktree_cmpxchg(struct blinktree *tree, __u64 key, __u64 *expected,
		      __u64 value)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_CMPXCHG,
		.key = key,
		.value = value,
		.old = *expected,
	};
	int ret = execute(tree, &op);

	if (ret == -ESTALE)
		*expected = op.old;
	return ret;
}

int blinktree_cmperase(struct blinktree *tree, __u64 key, __u64 *expected)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_CMPERASE,
		.key = key,
		.old = *expected,
	};
	int ret = execute(tree, &op);

	if (ret == -ESTALE)
		*expected = op.old;
	return ret;
}

static int find(struct blinktree *tree, unsigned int opcode, __u64 key,
		struct blink_tree_entry *entry)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = key };
	int ret = execute(tree, &op);

	if (!ret) {
		entry->key = op.key;
		entry->value = op.value;
	}
	return ret;
}

int blinktree_floor(struct blinktree *tree, __u64 key,
		    struct blink_tree_entry *entry)
{
	return find(tree, BLINK_TREE_OP_FLOOR, key, entry);
}

int blinktree_ceiling(struct blinktree *tree, __u64 key,
		      struct blink_tree_entry *entry)
{
	return find(tree, BLINK_TREE_OP_CEILING, key, entry);
}

static int pop(struct blinktree *tree, unsigned int opcode, __u64 key,
	       struct blink_tree_entry *entry)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = key };
	int ret = execute(tree, &op);

	if (!ret) {
		entry->key = op.key;
		entry->value = op.old;
	}
	return ret;
}

int blinktree_pop_min(struct blinktree *tree, __u64 first,
		      struct blink_tree_entry *entry)
{
	return pop(tree, BLINK_TREE_OP_POP_MIN, first, entry);
}

int blinktree_pop_max(struct blinktree *tree, __u64 last,
		      struct blink_tree_entry *entry)
{
	return pop(tree, BLINK_TREE_OP_POP_MAX, last, entry);
}
