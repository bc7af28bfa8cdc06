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
	struct blink_tree_list_entry listed[4];
	struct blink_tree_level_stats levels[16];
	struct blink_tree_hot_leaf leaves[4];
	struct blink_tree_entry entries[4];
	struct blink_tree_ioc_op ops[2];
	char input[RECORD_HEADER + 8];
	char output[RECORD_HEADER + 32];
	char first[16];
	char last[16];
};

static inline void prepare_create(struct env *env, void *arg)
{
	struct blink_tree_ioc_create create = { .mode = 0600 };

	(void)env;
	memcpy(arg, &create, sizeof(create));
}

static inline void prepare_open(struct env *env, void *arg)
{
	struct blink_tree_ioc_open open = {
		.flags = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE,
		.name = NAME,
	};

	(void)env;
	memcpy(arg, &open, sizeof(open));
}

static inline void prepare_unlink(struct env *env, void *arg)
{
	struct blink_tree_ioc_unlink unlink = { .name = NAME };
	int tree = tree_create(env->device, NAME, 0600, 0);

	if (tree >= 0)
		close(tree);
	memcpy(arg, &unlink, sizeof(unlink));
}

static inline void prepare_list(struct env *env, void *arg)
{
	struct blink_tree_ioc_list list = {
		.capacity = ARRAY_SIZE(env->listed),
		.trees = ptr_to_u64(env->listed),
		.entry_size = sizeof(env->listed[0]),
	};

	memcpy(arg, &list, sizeof(list));
}

static inline void prepare_op(struct env *env, void *arg)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP,
					.key = 7 };

	(void)env;
	memcpy(arg, &op, sizeof(op));
}

static inline void prepare_batch(struct env *env, void *arg)
{
	struct blink_tree_ioc_batch batch = {
		.count = ARRAY_SIZE(env->ops),
		.ops = ptr_to_u64(env->ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};

	memset(env->ops, 0, sizeof(env->ops));
	memcpy(arg, &batch, sizeof(batch));
}

static inline void prepare_load(struct env *env, void *arg)
{
	struct blink_tree_ioc_load load = {
		.entries = ptr_to_u64(env->entries),
		.entry_size = sizeof(struct blink_tree_entry),
		.fill = 100,
	};

	memcpy(arg, &load, sizeof(load));
}

static inline void prepare_scan(struct env *env, void *arg)
{
	struct blink_tree_ioc_scan scan = {
		.capacity = ARRAY_SIZE(env->entries),
		.last = U64_MAX,
		.entries = ptr_to_u64(env->entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};

	memcpy(arg, &scan, sizeof(scan));
}

static inline void prepare_levels(struct env *env, void *arg)
{
	struct blink_tree_ioc_levels levels = {
		.capacity = ARRAY_SIZE(env->levels),
		.levels = ptr_to_u64(env->levels),
		.level_size = sizeof(env->levels[0]),
	};

	memcpy(arg, &levels, sizeof(levels));
}

static inline void prepare_hot_leaves(struct env *env, void *arg)
{
	struct blink_tree_ioc_hot_leaves hot = {
		.capacity = ARRAY_SIZE(env->leaves),
		.leaves = ptr_to_u64(env->leaves),
		.leaf_size = sizeof(env->leaves[0]),
	};

	memcpy(arg, &hot, sizeof(hot));
}

static inline void prepare_records(struct env *env, void *arg)
{
	const struct rec rec = { .opcode = BLINK_TREE_OP_LOOKUP,
				 .key = STRING("\0\0\0\0\0\0\0\1") };
	struct blink_tree_ioc_records records = {
		.input = ptr_to_u64(env->input),
		.output = ptr_to_u64(env->output),
		.input_size = rec_put(env->input, &rec),
		.output_size = sizeof(env->output),
	};

	memcpy(arg, &records, sizeof(records));
}

static inline void prepare_record_scan(struct env *env, void *arg)
{
	struct blink_tree_ioc_record_scan scan = {
		.first = ptr_to_u64(env->first),
		.last = ptr_to_u64(env->last),
		.output = ptr_to_u64(env->output),
		.output_size = sizeof(env->output),
	};

	memcpy(arg, &scan, sizeof(scan));
}

/* No key is less than all keys. */
static inline void prepare_record_erase(struct env *env, void *arg)
{
	struct blink_tree_ioc_record_erase erase = {
		.flags = BLINK_TREE_RECORD_ERASE_LAST_OPEN,
		.first = ptr_to_u64(env->first),
		.last = ptr_to_u64(env->last),
	};

	memcpy(arg, &erase, sizeof(erase));
}

#endif /* BLINK_TEST_ABI_H */
