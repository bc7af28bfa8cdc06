/* SPDX-License-Identifier: GPL-2.0 */
/* The structures with which each ioctl of abi.c succeeds, and the memory for its arrays. */
#ifndef BLINK_TEST_ABI_H
#define BLINK_TEST_ABI_H

#include "../common/record.h"
#include "blink_test.h"

#define NAME "selftest.abi"

/* The ioctl of a variant, and what its structure may point to. */
struct env {
	int device;
	int tree;
	int fd;
	unsigned int cmd;
	void (*prepare)(struct env *env, void *arg);
	char *end;
	struct blink_tree_list_entry trees[4];
	struct blink_tree_level_stats levels[16];
	struct blink_tree_hot_leaf leaves[4];
	struct blink_tree_entry entries[4];
	struct blink_tree_ioc_op ops[2];
	char input[RECORD_HEADER + 8];
	char output[RECORD_HEADER + 32];
	char first[16];
	char last[16];
};

#define PREPARE(type, ...)                                                  \
	static inline void prepare_##type(struct env *env, void *arg)       \
	{                                                                   \
		(void)env;                                                  \
		memcpy(arg, &(struct blink_tree_ioc_##type){ __VA_ARGS__ }, \
		       sizeof(struct blink_tree_ioc_##type));               \
	}
#define BOUNDS .first = ptr_to_u64(env->first), .last = ptr_to_u64(env->last)

PREPARE(create, .mode = 0600)
PREPARE(open, .flags = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE,
	.name = NAME)
PREPARE(list, .capacity = ARRAY_SIZE(env->trees),
	.trees = ptr_to_u64(env->trees), .entry_size = sizeof(env->trees[0]))
PREPARE(op, .opcode = BLINK_TREE_OP_LOOKUP, .key = 7)
/* Operations of zeroes look up the key 0. */
PREPARE(batch, .count = ARRAY_SIZE(env->ops), .ops = ptr_to_u64(env->ops),
	.op_size = sizeof(env->ops[0]))
PREPARE(load, .entries = ptr_to_u64(env->entries),
	.entry_size = sizeof(env->entries[0]), .fill = 100)
PREPARE(scan, .capacity = ARRAY_SIZE(env->entries),
	.entries = ptr_to_u64(env->entries), .last = U64_MAX,
	.entry_size = sizeof(env->entries[0]))
PREPARE(levels, .capacity = ARRAY_SIZE(env->levels),
	.levels = ptr_to_u64(env->levels), .level_size = sizeof(env->levels[0]))
PREPARE(hot_leaves, .capacity = ARRAY_SIZE(env->leaves),
	.leaves = ptr_to_u64(env->leaves), .leaf_size = sizeof(env->leaves[0]))
PREPARE(record_scan, BOUNDS, .output = ptr_to_u64(env->output),
	.output_size = sizeof(env->output))
/* No key is less than all keys. */
PREPARE(record_erase, BOUNDS, .flags = BLINK_TREE_RECORD_ERASE_LAST_OPEN)

static inline void prepare_unlink(struct env *env, void *arg)
{
	const struct blink_tree_ioc_unlink unlink = { .name = NAME };
	int tree = tree_create(env->device, NAME, 0600, 0);

	if (tree >= 0)
		close(tree);
	memcpy(arg, &unlink, sizeof(unlink));
}

static inline void prepare_records(struct env *env, void *arg)
{
	const struct rec rec = { .opcode = BLINK_TREE_OP_LOOKUP,
				 .key = STRING("\0\0\0\0\0\0\0\1") };
	const struct blink_tree_ioc_records records = {
		.input = ptr_to_u64(env->input),
		.output = ptr_to_u64(env->output),
		.input_size = rec_put(env->input, &rec),
		.output_size = sizeof(env->output),
	};

	memcpy(arg, &records, sizeof(records));
}

#endif /* BLINK_TEST_ABI_H */
