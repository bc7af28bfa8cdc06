// SPDX-License-Identifier: GPL-2.0
/*
 * Every ioctl by a plain program that knows the UAPI header and nothing else,
 * compiled for 64 bits and for 32: the layout of the structures and what the
 * kernel makes of them must be the same.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "kselftest.h"

#define NAME "selftest.uapi"
#define KEYS 100

/* The first version of the contract: nothing of it may ever move. */
#define IS(name, number) static_assert(BLINK_TREE_##name == (number), #name)

/* LAYOUT_OF(structure, bytes, member, offset, member, offset, ...) */
#define LAYOUT_OF(type, bytes, ...)                                        \
	static_assert(sizeof(struct blink_tree_##type) == (bytes), #type); \
	__VA_OPT__(EACH(AT(type, __VA_ARGS__)))
#define AT(type, member, offset, ...)                                         \
	static_assert(offsetof(struct blink_tree_##type, member) == (offset), \
		      #type " " #member);                                     \
	__VA_OPT__(AGAIN NOTHING()()(type, __VA_ARGS__))
#define NOTHING()
#define AGAIN() AT
#define EACH(...) EACH_16(EACH_16(EACH_16(EACH_16(__VA_ARGS__))))
#define EACH_16(...) EACH_4(EACH_4(EACH_4(EACH_4(__VA_ARGS__))))
#define EACH_4(...) EACH_1(EACH_1(EACH_1(EACH_1(__VA_ARGS__))))
#define EACH_1(...) __VA_ARGS__

LAYOUT_OF(ioc_op, 32, flags, 2, result, 4, key, 8, value, 16, old, 24)
LAYOUT_OF(entry, 16, value, 8)
LAYOUT_OF(ioc_stats, 240, known, 4, entries, 8, max_entries, 16, bytes, 24,
	  limbo_bytes, 32, inserts, 40, erases, 48, splits, 56, merges, 64,
	  root_grows, 72, root_shrinks, 80, read_retries, 88, read_locks, 96,
	  right_hops, 104, reroutes, 112, posts_deferred, 120, merges_deferred,
	  128, gate_passes, 136, gate_releases, 144, gate_bounds, 152,
	  replication, 160, locking, 164, placement, 168, key, 172, indexes,
	  176, lock_waits, 184, heat_splits, 192, max_bytes, 200, create_flags,
	  208, block_bytes, 216, reads, 224, updates, 232)
LAYOUT_OF(level_stats, 40, nid, 4, nodes, 8, bytes, 16, used, 24, slots, 32)
LAYOUT_OF(hot_leaf, 48, keys, 4, nid, 8, low_length, 12, low, 16)
LAYOUT_OF(ioc_hot_leaves, 32, capacity, 4, leaves, 8, leaf_size, 16, known, 20,
	  count, 24, __reserved, 28)
LAYOUT_OF(ioc_verify, 80, known, 4, violation, 8, level, 12, key, 16, height,
	  24, __reserved, 28, leaves, 32, inner, 40, entries, 48, empty, 56,
	  unindexed, 64, misplaced, 72)
LAYOUT_OF(ioc_info, 88, known, 4, ioctls, 8, opcodes, 16, features, 24,
	  name_max, 32, numa_nodes, 36, leaf_slots, 40, inner_slots, 44,
	  leaf_bytes, 48, inner_bytes, 52, version, 56)
LAYOUT_OF(ioc_create, 96, mode, 4, max_entries, 8, name, 16, replication, 80,
	  locking, 81, placement, 82, __reserved, 83, key, 84, max_bytes, 88)
LAYOUT_OF(ioc_open, 80, uid, 4, id, 8, name, 16)
LAYOUT_OF(ioc_unlink, 80, __reserved, 4, id, 8, name, 16)
LAYOUT_OF(list_entry, 128, name, 8, uid, 72, gid, 76, mode, 80, access, 84,
	  entries, 88, max_entries, 96, bytes, 104, max_bytes, 112, key, 120,
	  create_flags, 124)
LAYOUT_OF(ioc_list, 40, capacity, 4, trees, 8, cursor, 16, count, 24,
	  entry_size, 28, known, 32, __reserved, 36)
LAYOUT_OF(ioc_attr, 128, known, 4, id, 8, uid, 16, gid, 20, mode, 24, key, 28,
	  max_entries, 32, name, 40, max_bytes, 104, create_flags, 112,
	  replication, 120, locking, 121, placement, 122, __reserved, 123)
LAYOUT_OF(ioc_batch, 24, count, 4, ops, 8, done, 16, op_size, 20)
LAYOUT_OF(ioc_load, 32, count, 4, entries, 8, fill, 16, done, 20, entry_size,
	  24, __reserved, 28)
LAYOUT_OF(ioc_scan, 48, capacity, 4, first, 8, last, 16, entries, 24, count, 32,
	  entry_size, 40, __reserved, 44)
LAYOUT_OF(ioc_levels, 32, capacity, 4, levels, 8, level_size, 16, known, 20,
	  count, 24, height, 28)
LAYOUT_OF(record, 24, opcode, 4, flags, 6, result, 8, key_length, 12,
	  value_length, 14, old_length, 16, __reserved, 18)
LAYOUT_OF(ioc_records, 64, fill, 4, input, 8, output, 16, input_size, 24,
	  output_size, 32, input_used, 40, output_used, 48, done, 56)
LAYOUT_OF(ioc_record_scan, 64, __reserved, 4, first, 8, last, 16, first_length,
	  24, last_length, 28, output, 32, output_size, 40, output_used, 48,
	  count, 56)
LAYOUT_OF(ioc_record_erase, 40, __reserved, 4, first, 8, last, 16, first_length,
	  24, last_length, 28, count, 32)
LAYOUT_OF(ioc_bpf_handle, 16, __reserved, 4, handle, 8)
LAYOUT_OF(ioc_watch, 40, slots, 4, first, 8, first_low, 16, last, 24, last_low,
	  32)
LAYOUT_OF(ioc_range, 64, flags, 4, first, 8, first_low, 16, last, 24, last_low,
	  32, size, 40, size_low, 48, value, 56)
LAYOUT_OF(watch_ring, 192, record_size, 4, slots, 8, head, 64, lost, 128)
LAYOUT_OF(change, 64, op, 8, key, 16, key_low, 24, last, 32, last_low, 40,
	  value, 48, old, 56)

/* So must the numbers, which an old program has compiled in. */
IS(IOC_INFO, 0xc058bd00);
IS(IOC_CREATE, 0xc060bd01);
IS(IOC_OPEN, 0xc050bd02);
IS(IOC_UNLINK, 0xc050bd03);
IS(IOC_LIST, 0xc028bd04);
IS(IOC_OP, 0xc020bd05);
IS(IOC_BATCH, 0xc018bd06);
IS(IOC_SCAN, 0xc030bd07);
IS(IOC_STATS, 0xc0f0bd08);
IS(IOC_VERIFY, 0xc050bd09);
IS(IOC_LOAD, 0xc020bd0a);
IS(IOC_LEVELS, 0xc020bd0b);
IS(IOC_ATTR, 0xc080bd0c);
IS(IOC_HOT_LEAVES, 0xc020bd0d);
IS(IOC_RECORDS, 0xc040bd0e);
IS(IOC_RECORD_SCAN, 0xc040bd0f);
IS(IOC_RECORD_ERASE, 0xc028bd10);
IS(IOC_BPF_HANDLE, 0xc010bd11);
IS(IOC_WATCH, 0xc028bd12);
IS(IOC_RANGE, 0xc040bd13);

static __u64 address(const void *ptr)
{
	return (uintptr_t)ptr;
}

static bool info_works(int device)
{
	struct blink_tree_ioc_info info = { .flags = 0 };

	return !ioctl(device, BLINK_TREE_IOC_INFO, &info) &&
	       info.known == sizeof(info) &&
	       info.name_max == BLINK_TREE_NAME_MAX && info.version[0];
}

static int create(int device)
{
	struct blink_tree_ioc_create create = {
		.mode = 0600,
		.max_entries = 1ULL << 33,
		.name = NAME,
	};

	return ioctl(device, BLINK_TREE_IOC_CREATE, &create);
}

static int open_again(int device)
{
	struct blink_tree_ioc_open open = {
		.flags = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE,
		.name = NAME,
	};

	return ioctl(device, BLINK_TREE_IOC_OPEN, &open);
}

/* Keys and values use all of their 64 bits. */
static __u64 key_of(unsigned int i)
{
	return (__u64)i << 33 | 1;
}

static bool op_works(int tree)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = key_of(0),
		.value = ~key_of(0),
	};

	if (ioctl(tree, BLINK_TREE_IOC_OP, &op) || op.result)
		return false;
	if (!ioctl(tree, BLINK_TREE_IOC_OP, &op) || errno != EEXIST ||
	    op.result != -EEXIST || op.old != ~key_of(0))
		return false;
	op.opcode = BLINK_TREE_OP_CEILING;
	op.key = 0;
	op.value = 0;
	return !ioctl(tree, BLINK_TREE_IOC_OP, &op) && op.key == key_of(0) &&
	       op.value == ~key_of(0);
}

static bool batch_works(int tree)
{
	struct blink_tree_ioc_op ops[KEYS];
	struct blink_tree_ioc_batch batch = {
		.count = KEYS,
		.ops = address(ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	unsigned int i;

	memset(ops, 0, sizeof(ops));
	for (i = 0; i < KEYS; i++) {
		ops[i].opcode = BLINK_TREE_OP_STORE;
		ops[i].key = key_of(i);
		ops[i].value = ~key_of(i);
	}
	if (ioctl(tree, BLINK_TREE_IOC_BATCH, &batch) || batch.done != KEYS)
		return false;
	for (i = 0; i < KEYS; i++) {
		if (ops[i].result != !i)
			return false;
	}
	batch.ops = 16;
	return ioctl(tree, BLINK_TREE_IOC_BATCH, &batch) && errno == EFAULT;
}

static bool scan_works(int tree)
{
	struct blink_tree_entry entries[KEYS];
	struct blink_tree_ioc_scan scan = {
		.capacity = KEYS,
		.last = ~0ULL,
		.entries = address(entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	unsigned int i;

	if (ioctl(tree, BLINK_TREE_IOC_SCAN, &scan) || scan.count != KEYS)
		return false;
	for (i = 0; i < KEYS; i++) {
		if (entries[i].key != key_of(i) ||
		    entries[i].value != ~key_of(i))
			return false;
	}
	return true;
}

static bool stats_work(int tree)
{
	struct blink_tree_ioc_stats stats = { .flags = 0 };

	return !ioctl(tree, BLINK_TREE_IOC_STATS, &stats) &&
	       stats.known == sizeof(stats) && stats.entries == KEYS &&
	       stats.max_entries == 1ULL << 33;
}

static bool levels_work(int tree)
{
	struct blink_tree_level_stats levels[64];
	struct blink_tree_ioc_levels arg = {
		.capacity = 64,
		.levels = address(levels),
		.level_size = sizeof(levels[0]),
	};
	__u64 used = 0;
	unsigned int i;

	if (ioctl(tree, BLINK_TREE_IOC_LEVELS, &arg) || arg.count > 64)
		return false;
	for (i = 0; i < arg.count; i++)
		used += levels[i].level ? 0 : levels[i].used;
	return used == KEYS;
}

static bool verify_works(int tree)
{
	struct blink_tree_ioc_verify verify = { .flags = 0 };

	return !ioctl(tree, BLINK_TREE_IOC_VERIFY, &verify) &&
	       verify.violation == BLINK_TREE_OK && verify.entries == KEYS;
}

static bool list_works(int device)
{
	struct blink_tree_list_entry entry;
	struct blink_tree_ioc_list list = {
		.capacity = 1,
		.trees = address(&entry),
		.entry_size = sizeof(entry),
	};

	while (!ioctl(device, BLINK_TREE_IOC_LIST, &list) && list.count) {
		if (!strcmp(entry.name, NAME))
			return entry.entries == KEYS && entry.mode == 0600 &&
			       entry.uid == geteuid();
	}
	return false;
}

static int unlink_tree(int device)
{
	struct blink_tree_ioc_unlink unlink = { .name = NAME };

	return ioctl(device, BLINK_TREE_IOC_UNLINK, &unlink);
}

static bool unlink_works(int device)
{
	return !unlink_tree(device) && open_again(device) < 0 &&
	       errno == ENOENT;
}

int main(void)
{
	int device, tree;

	ksft_print_header();
	device = open(BLINK_TREE_DEVICE, O_RDWR);
	if (device < 0)
		ksft_exit_fail_msg("%s: %s\n", BLINK_TREE_DEVICE,
				   strerror(errno));
	ksft_set_plan(11);
	unlink_tree(device);
	ksft_test_result(info_works(device), "info\n");
	tree = create(device);
	ksft_test_result(tree >= 0, "create\n");
	close(tree);
	tree = open_again(device);
	ksft_test_result(tree >= 0, "open\n");
	ksft_test_result(op_works(tree), "op\n");
	ksft_test_result(batch_works(tree), "batch\n");
	ksft_test_result(scan_works(tree), "scan\n");
	ksft_test_result(stats_work(tree), "stats\n");
	ksft_test_result(levels_work(tree), "levels\n");
	ksft_test_result(verify_works(tree), "verify\n");
	ksft_test_result(list_works(device), "list\n");
	ksft_test_result(unlink_works(device), "unlink\n");
	ksft_finished();
}
