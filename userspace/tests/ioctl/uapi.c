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
#define SIZE(type, bytes) \
	static_assert(sizeof(struct blink_tree_##type) == (bytes), #type)
#define AT(type, member, offset)                                              \
	static_assert(offsetof(struct blink_tree_##type, member) == (offset), \
		      #type " " #member)
#define IS(name, number) static_assert(BLINK_TREE_##name == (number), #name)

SIZE(ioc_op, 32);
AT(ioc_op, flags, 2);
AT(ioc_op, result, 4);
AT(ioc_op, key, 8);
AT(ioc_op, value, 16);
AT(ioc_op, old, 24);
SIZE(entry, 16);
AT(entry, value, 8);
SIZE(ioc_stats, 240);
AT(ioc_stats, known, 4);
AT(ioc_stats, entries, 8);
AT(ioc_stats, max_entries, 16);
AT(ioc_stats, bytes, 24);
AT(ioc_stats, limbo_bytes, 32);
AT(ioc_stats, inserts, 40);
AT(ioc_stats, erases, 48);
AT(ioc_stats, splits, 56);
AT(ioc_stats, merges, 64);
AT(ioc_stats, root_grows, 72);
AT(ioc_stats, root_shrinks, 80);
AT(ioc_stats, read_retries, 88);
AT(ioc_stats, read_locks, 96);
AT(ioc_stats, right_hops, 104);
AT(ioc_stats, reroutes, 112);
AT(ioc_stats, posts_deferred, 120);
AT(ioc_stats, merges_deferred, 128);
AT(ioc_stats, gate_passes, 136);
AT(ioc_stats, gate_releases, 144);
AT(ioc_stats, gate_bounds, 152);
AT(ioc_stats, replication, 160);
AT(ioc_stats, locking, 164);
AT(ioc_stats, placement, 168);
AT(ioc_stats, key, 172);
AT(ioc_stats, indexes, 176);
AT(ioc_stats, lock_waits, 184);
AT(ioc_stats, heat_splits, 192);
AT(ioc_stats, max_bytes, 200);
AT(ioc_stats, create_flags, 208);
AT(ioc_stats, block_bytes, 216);
AT(ioc_stats, reads, 224);
AT(ioc_stats, updates, 232);
SIZE(level_stats, 40);
AT(level_stats, nid, 4);
AT(level_stats, nodes, 8);
AT(level_stats, bytes, 16);
AT(level_stats, used, 24);
AT(level_stats, slots, 32);
SIZE(hot_leaf, 48);
AT(hot_leaf, keys, 4);
AT(hot_leaf, nid, 8);
AT(hot_leaf, low_length, 12);
AT(hot_leaf, low, 16);
SIZE(ioc_hot_leaves, 32);
AT(ioc_hot_leaves, capacity, 4);
AT(ioc_hot_leaves, leaves, 8);
AT(ioc_hot_leaves, leaf_size, 16);
AT(ioc_hot_leaves, known, 20);
AT(ioc_hot_leaves, count, 24);
AT(ioc_hot_leaves, __reserved, 28);
SIZE(ioc_verify, 80);
AT(ioc_verify, known, 4);
AT(ioc_verify, violation, 8);
AT(ioc_verify, level, 12);
AT(ioc_verify, key, 16);
AT(ioc_verify, height, 24);
AT(ioc_verify, __reserved, 28);
AT(ioc_verify, leaves, 32);
AT(ioc_verify, inner, 40);
AT(ioc_verify, entries, 48);
AT(ioc_verify, empty, 56);
AT(ioc_verify, unindexed, 64);
AT(ioc_verify, misplaced, 72);
SIZE(ioc_info, 88);
AT(ioc_info, known, 4);
AT(ioc_info, ioctls, 8);
AT(ioc_info, opcodes, 16);
AT(ioc_info, features, 24);
AT(ioc_info, name_max, 32);
AT(ioc_info, numa_nodes, 36);
AT(ioc_info, leaf_slots, 40);
AT(ioc_info, inner_slots, 44);
AT(ioc_info, leaf_bytes, 48);
AT(ioc_info, inner_bytes, 52);
AT(ioc_info, version, 56);
SIZE(ioc_create, 96);
AT(ioc_create, mode, 4);
AT(ioc_create, max_entries, 8);
AT(ioc_create, name, 16);
AT(ioc_create, replication, 80);
AT(ioc_create, locking, 81);
AT(ioc_create, placement, 82);
AT(ioc_create, __reserved, 83);
AT(ioc_create, key, 84);
AT(ioc_create, max_bytes, 88);
SIZE(ioc_open, 80);
AT(ioc_open, uid, 4);
AT(ioc_open, id, 8);
AT(ioc_open, name, 16);
SIZE(ioc_unlink, 80);
AT(ioc_unlink, __reserved, 4);
AT(ioc_unlink, id, 8);
AT(ioc_unlink, name, 16);
SIZE(list_entry, 128);
AT(list_entry, name, 8);
AT(list_entry, uid, 72);
AT(list_entry, gid, 76);
AT(list_entry, mode, 80);
AT(list_entry, access, 84);
AT(list_entry, entries, 88);
AT(list_entry, max_entries, 96);
AT(list_entry, bytes, 104);
AT(list_entry, max_bytes, 112);
AT(list_entry, key, 120);
AT(list_entry, create_flags, 124);
SIZE(ioc_list, 40);
AT(ioc_list, capacity, 4);
AT(ioc_list, trees, 8);
AT(ioc_list, cursor, 16);
AT(ioc_list, count, 24);
AT(ioc_list, entry_size, 28);
AT(ioc_list, known, 32);
AT(ioc_list, __reserved, 36);
SIZE(ioc_attr, 128);
AT(ioc_attr, known, 4);
AT(ioc_attr, id, 8);
AT(ioc_attr, uid, 16);
AT(ioc_attr, gid, 20);
AT(ioc_attr, mode, 24);
AT(ioc_attr, key, 28);
AT(ioc_attr, max_entries, 32);
AT(ioc_attr, name, 40);
AT(ioc_attr, max_bytes, 104);
AT(ioc_attr, create_flags, 112);
AT(ioc_attr, replication, 120);
AT(ioc_attr, locking, 121);
AT(ioc_attr, placement, 122);
AT(ioc_attr, __reserved, 123);
SIZE(ioc_batch, 24);
AT(ioc_batch, count, 4);
AT(ioc_batch, ops, 8);
AT(ioc_batch, done, 16);
AT(ioc_batch, op_size, 20);
SIZE(ioc_load, 32);
AT(ioc_load, count, 4);
AT(ioc_load, entries, 8);
AT(ioc_load, fill, 16);
AT(ioc_load, done, 20);
AT(ioc_load, entry_size, 24);
AT(ioc_load, __reserved, 28);
SIZE(ioc_scan, 48);
AT(ioc_scan, capacity, 4);
AT(ioc_scan, first, 8);
AT(ioc_scan, last, 16);
AT(ioc_scan, entries, 24);
AT(ioc_scan, count, 32);
AT(ioc_scan, entry_size, 40);
AT(ioc_scan, __reserved, 44);
SIZE(ioc_levels, 32);
AT(ioc_levels, capacity, 4);
AT(ioc_levels, levels, 8);
AT(ioc_levels, level_size, 16);
AT(ioc_levels, known, 20);
AT(ioc_levels, count, 24);
AT(ioc_levels, height, 28);
SIZE(record, 24);
AT(record, opcode, 4);
AT(record, flags, 6);
AT(record, result, 8);
AT(record, key_length, 12);
AT(record, value_length, 14);
AT(record, old_length, 16);
AT(record, __reserved, 18);
SIZE(ioc_records, 64);
AT(ioc_records, fill, 4);
AT(ioc_records, input, 8);
AT(ioc_records, output, 16);
AT(ioc_records, input_size, 24);
AT(ioc_records, output_size, 32);
AT(ioc_records, input_used, 40);
AT(ioc_records, output_used, 48);
AT(ioc_records, done, 56);
SIZE(ioc_record_scan, 64);
AT(ioc_record_scan, __reserved, 4);
AT(ioc_record_scan, first, 8);
AT(ioc_record_scan, last, 16);
AT(ioc_record_scan, first_length, 24);
AT(ioc_record_scan, last_length, 28);
AT(ioc_record_scan, output, 32);
AT(ioc_record_scan, output_size, 40);
AT(ioc_record_scan, output_used, 48);
AT(ioc_record_scan, count, 56);
SIZE(ioc_record_erase, 40);
AT(ioc_record_erase, __reserved, 4);
AT(ioc_record_erase, first, 8);
AT(ioc_record_erase, last, 16);
AT(ioc_record_erase, first_length, 24);
AT(ioc_record_erase, last_length, 28);
AT(ioc_record_erase, count, 32);
SIZE(ioc_bpf_handle, 16);
AT(ioc_bpf_handle, __reserved, 4);
AT(ioc_bpf_handle, handle, 8);
SIZE(ioc_watch, 40);
AT(ioc_watch, slots, 4);
AT(ioc_watch, first, 8);
AT(ioc_watch, first_low, 16);
AT(ioc_watch, last, 24);
AT(ioc_watch, last_low, 32);
SIZE(watch_ring, 192);
AT(watch_ring, record_size, 4);
AT(watch_ring, slots, 8);
AT(watch_ring, head, 64);
AT(watch_ring, lost, 128);
SIZE(change, 64);
AT(change, op, 8);
AT(change, key, 16);
AT(change, key_low, 24);
AT(change, last, 32);
AT(change, last_low, 40);
AT(change, value, 48);
AT(change, old, 56);

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
