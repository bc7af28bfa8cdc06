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
static_assert(sizeof(struct blink_tree_ioc_op) == 32, "blink_op");
static_assert(offsetof(struct blink_tree_ioc_op, flags) == 2, "flags");
static_assert(offsetof(struct blink_tree_ioc_op, result) == 4, "result");
static_assert(offsetof(struct blink_tree_ioc_op, key) == 8, "key");
static_assert(offsetof(struct blink_tree_ioc_op, value) == 16, "value");
static_assert(offsetof(struct blink_tree_ioc_op, old) == 24, "old");
static_assert(sizeof(struct blink_tree_entry) == 16, "blink_entry");
static_assert(offsetof(struct blink_tree_entry, value) == 8, "value");
static_assert(sizeof(struct blink_tree_ioc_stats) == 240, "blink_stats");
static_assert(offsetof(struct blink_tree_ioc_stats, known) == 4, "known");
static_assert(offsetof(struct blink_tree_ioc_stats, entries) == 8, "entries");
static_assert(offsetof(struct blink_tree_ioc_stats, max_entries) == 16,
	      "max_entries");
static_assert(offsetof(struct blink_tree_ioc_stats, bytes) == 24, "bytes");
static_assert(offsetof(struct blink_tree_ioc_stats, limbo_bytes) == 32,
	      "limbo_bytes");
static_assert(offsetof(struct blink_tree_ioc_stats, inserts) == 40, "inserts");
static_assert(offsetof(struct blink_tree_ioc_stats, erases) == 48, "erases");
static_assert(offsetof(struct blink_tree_ioc_stats, splits) == 56, "splits");
static_assert(offsetof(struct blink_tree_ioc_stats, merges) == 64, "merges");
static_assert(offsetof(struct blink_tree_ioc_stats, root_grows) == 72,
	      "root_grows");
static_assert(offsetof(struct blink_tree_ioc_stats, root_shrinks) == 80,
	      "root_shrinks");
static_assert(offsetof(struct blink_tree_ioc_stats, read_retries) == 88,
	      "read_retries");
static_assert(offsetof(struct blink_tree_ioc_stats, read_locks) == 96,
	      "read_locks");
static_assert(offsetof(struct blink_tree_ioc_stats, right_hops) == 104,
	      "right_hops");
static_assert(offsetof(struct blink_tree_ioc_stats, reroutes) == 112,
	      "reroutes");
static_assert(offsetof(struct blink_tree_ioc_stats, posts_deferred) == 120,
	      "posts_deferred");
static_assert(offsetof(struct blink_tree_ioc_stats, merges_deferred) == 128,
	      "merges_deferred");
static_assert(offsetof(struct blink_tree_ioc_stats, gate_passes) == 136,
	      "gate_passes");
static_assert(offsetof(struct blink_tree_ioc_stats, gate_releases) == 144,
	      "gate_releases");
static_assert(offsetof(struct blink_tree_ioc_stats, gate_bounds) == 152,
	      "gate_bounds");
static_assert(offsetof(struct blink_tree_ioc_stats, replication) == 160,
	      "replication");
static_assert(offsetof(struct blink_tree_ioc_stats, locking) == 164, "locking");
static_assert(offsetof(struct blink_tree_ioc_stats, placement) == 168,
	      "placement");
static_assert(offsetof(struct blink_tree_ioc_stats, key) == 172, "key");
static_assert(offsetof(struct blink_tree_ioc_stats, indexes) == 176, "indexes");
static_assert(offsetof(struct blink_tree_ioc_stats, lock_waits) == 184,
	      "lock_waits");
static_assert(offsetof(struct blink_tree_ioc_stats, heat_splits) == 192,
	      "heat_splits");
static_assert(offsetof(struct blink_tree_ioc_stats, max_bytes) == 200,
	      "max_bytes");
static_assert(offsetof(struct blink_tree_ioc_stats, create_flags) == 208,
	      "create_flags");
static_assert(offsetof(struct blink_tree_ioc_stats, block_bytes) == 216,
	      "block_bytes");
static_assert(offsetof(struct blink_tree_ioc_stats, reads) == 224, "reads");
static_assert(offsetof(struct blink_tree_ioc_stats, updates) == 232, "updates");
static_assert(sizeof(struct blink_tree_level_stats) == 40, "blink_level_stats");
static_assert(offsetof(struct blink_tree_level_stats, nid) == 4, "nid");
static_assert(offsetof(struct blink_tree_level_stats, nodes) == 8, "nodes");
static_assert(offsetof(struct blink_tree_level_stats, bytes) == 16, "bytes");
static_assert(offsetof(struct blink_tree_level_stats, used) == 24, "used");
static_assert(offsetof(struct blink_tree_level_stats, slots) == 32, "slots");
static_assert(sizeof(struct blink_tree_hot_leaf) == 48, "hot_leaf");
static_assert(offsetof(struct blink_tree_hot_leaf, keys) == 4, "keys");
static_assert(offsetof(struct blink_tree_hot_leaf, nid) == 8, "nid");
static_assert(offsetof(struct blink_tree_hot_leaf, low_length) == 12,
	      "low_length");
static_assert(offsetof(struct blink_tree_hot_leaf, low) == 16, "low");
static_assert(sizeof(struct blink_tree_ioc_hot_leaves) == 32, "hot_leaves");
static_assert(offsetof(struct blink_tree_ioc_hot_leaves, capacity) == 4,
	      "capacity");
static_assert(offsetof(struct blink_tree_ioc_hot_leaves, leaves) == 8,
	      "leaves");
static_assert(offsetof(struct blink_tree_ioc_hot_leaves, leaf_size) == 16,
	      "leaf_size");
static_assert(offsetof(struct blink_tree_ioc_hot_leaves, known) == 20, "known");
static_assert(offsetof(struct blink_tree_ioc_hot_leaves, count) == 24, "count");
static_assert(offsetof(struct blink_tree_ioc_hot_leaves, __reserved) == 28,
	      "__reserved");
static_assert(sizeof(struct blink_tree_ioc_verify) == 80, "blink_verify");
static_assert(offsetof(struct blink_tree_ioc_verify, known) == 4, "known");
static_assert(offsetof(struct blink_tree_ioc_verify, violation) == 8,
	      "violation");
static_assert(offsetof(struct blink_tree_ioc_verify, level) == 12, "level");
static_assert(offsetof(struct blink_tree_ioc_verify, key) == 16, "key");
static_assert(offsetof(struct blink_tree_ioc_verify, height) == 24, "height");
static_assert(offsetof(struct blink_tree_ioc_verify, __reserved) == 28,
	      "__reserved");
static_assert(offsetof(struct blink_tree_ioc_verify, leaves) == 32, "leaves");
static_assert(offsetof(struct blink_tree_ioc_verify, inner) == 40, "inner");
static_assert(offsetof(struct blink_tree_ioc_verify, entries) == 48, "entries");
static_assert(offsetof(struct blink_tree_ioc_verify, empty) == 56, "empty");
static_assert(offsetof(struct blink_tree_ioc_verify, unindexed) == 64,
	      "unindexed");
static_assert(offsetof(struct blink_tree_ioc_verify, misplaced) == 72,
	      "misplaced");
static_assert(sizeof(struct blink_tree_ioc_info) == 88, "blink_ioc_info");
static_assert(offsetof(struct blink_tree_ioc_info, known) == 4, "known");
static_assert(offsetof(struct blink_tree_ioc_info, ioctls) == 8, "ioctls");
static_assert(offsetof(struct blink_tree_ioc_info, opcodes) == 16, "opcodes");
static_assert(offsetof(struct blink_tree_ioc_info, features) == 24, "features");
static_assert(offsetof(struct blink_tree_ioc_info, name_max) == 32, "name_max");
static_assert(offsetof(struct blink_tree_ioc_info, numa_nodes) == 36,
	      "numa_nodes");
static_assert(offsetof(struct blink_tree_ioc_info, leaf_slots) == 40,
	      "leaf_slots");
static_assert(offsetof(struct blink_tree_ioc_info, inner_slots) == 44,
	      "inner_slots");
static_assert(offsetof(struct blink_tree_ioc_info, leaf_bytes) == 48,
	      "leaf_bytes");
static_assert(offsetof(struct blink_tree_ioc_info, inner_bytes) == 52,
	      "inner_bytes");
static_assert(offsetof(struct blink_tree_ioc_info, version) == 56, "version");
static_assert(sizeof(struct blink_tree_ioc_create) == 96, "blink_ioc_create");
static_assert(offsetof(struct blink_tree_ioc_create, mode) == 4, "mode");
static_assert(offsetof(struct blink_tree_ioc_create, max_entries) == 8,
	      "max_entries");
static_assert(offsetof(struct blink_tree_ioc_create, name) == 16, "name");
static_assert(offsetof(struct blink_tree_ioc_create, replication) == 80,
	      "replication");
static_assert(offsetof(struct blink_tree_ioc_create, locking) == 81, "locking");
static_assert(offsetof(struct blink_tree_ioc_create, placement) == 82,
	      "placement");
static_assert(offsetof(struct blink_tree_ioc_create, __reserved) == 83,
	      "__reserved");
static_assert(offsetof(struct blink_tree_ioc_create, key) == 84, "key");
static_assert(offsetof(struct blink_tree_ioc_create, max_bytes) == 88,
	      "max_bytes");
static_assert(sizeof(struct blink_tree_ioc_open) == 80, "blink_ioc_open");
static_assert(offsetof(struct blink_tree_ioc_open, uid) == 4, "uid");
static_assert(offsetof(struct blink_tree_ioc_open, id) == 8, "id");
static_assert(offsetof(struct blink_tree_ioc_open, name) == 16, "name");
static_assert(sizeof(struct blink_tree_ioc_unlink) == 80, "blink_ioc_unlink");
static_assert(offsetof(struct blink_tree_ioc_unlink, __reserved) == 4,
	      "__reserved");
static_assert(offsetof(struct blink_tree_ioc_unlink, id) == 8, "id");
static_assert(offsetof(struct blink_tree_ioc_unlink, name) == 16, "name");
static_assert(sizeof(struct blink_tree_list_entry) == 128, "blink_list_entry");
static_assert(offsetof(struct blink_tree_list_entry, name) == 8, "name");
static_assert(offsetof(struct blink_tree_list_entry, uid) == 72, "uid");
static_assert(offsetof(struct blink_tree_list_entry, gid) == 76, "gid");
static_assert(offsetof(struct blink_tree_list_entry, mode) == 80, "mode");
static_assert(offsetof(struct blink_tree_list_entry, access) == 84, "access");
static_assert(offsetof(struct blink_tree_list_entry, entries) == 88, "entries");
static_assert(offsetof(struct blink_tree_list_entry, max_entries) == 96,
	      "max_entries");
static_assert(offsetof(struct blink_tree_list_entry, bytes) == 104, "bytes");
static_assert(offsetof(struct blink_tree_list_entry, max_bytes) == 112,
	      "max_bytes");
static_assert(offsetof(struct blink_tree_list_entry, key) == 120, "key");
static_assert(offsetof(struct blink_tree_list_entry, create_flags) == 124,
	      "create_flags");
static_assert(sizeof(struct blink_tree_ioc_list) == 40, "blink_ioc_list");
static_assert(offsetof(struct blink_tree_ioc_list, capacity) == 4, "capacity");
static_assert(offsetof(struct blink_tree_ioc_list, trees) == 8, "trees");
static_assert(offsetof(struct blink_tree_ioc_list, cursor) == 16, "cursor");
static_assert(offsetof(struct blink_tree_ioc_list, count) == 24, "count");
static_assert(offsetof(struct blink_tree_ioc_list, entry_size) == 28,
	      "entry_size");
static_assert(offsetof(struct blink_tree_ioc_list, known) == 32, "known");
static_assert(offsetof(struct blink_tree_ioc_list, __reserved) == 36,
	      "__reserved");
static_assert(sizeof(struct blink_tree_ioc_attr) == 128, "blink_ioc_attr");
static_assert(offsetof(struct blink_tree_ioc_attr, known) == 4, "known");
static_assert(offsetof(struct blink_tree_ioc_attr, id) == 8, "id");
static_assert(offsetof(struct blink_tree_ioc_attr, uid) == 16, "uid");
static_assert(offsetof(struct blink_tree_ioc_attr, gid) == 20, "gid");
static_assert(offsetof(struct blink_tree_ioc_attr, mode) == 24, "mode");
static_assert(offsetof(struct blink_tree_ioc_attr, key) == 28, "key");
static_assert(offsetof(struct blink_tree_ioc_attr, max_entries) == 32,
	      "max_entries");
static_assert(offsetof(struct blink_tree_ioc_attr, name) == 40, "name");
static_assert(offsetof(struct blink_tree_ioc_attr, max_bytes) == 104,
	      "max_bytes");
static_assert(offsetof(struct blink_tree_ioc_attr, create_flags) == 112,
	      "create_flags");
static_assert(offsetof(struct blink_tree_ioc_attr, replication) == 120,
	      "replication");
static_assert(offsetof(struct blink_tree_ioc_attr, locking) == 121, "locking");
static_assert(offsetof(struct blink_tree_ioc_attr, placement) == 122,
	      "placement");
static_assert(offsetof(struct blink_tree_ioc_attr, __reserved) == 123,
	      "__reserved");
static_assert(sizeof(struct blink_tree_ioc_batch) == 24, "blink_ioc_batch");
static_assert(offsetof(struct blink_tree_ioc_batch, count) == 4, "count");
static_assert(offsetof(struct blink_tree_ioc_batch, ops) == 8, "ops");
static_assert(offsetof(struct blink_tree_ioc_batch, done) == 16, "done");
static_assert(offsetof(struct blink_tree_ioc_batch, op_size) == 20, "op_size");
static_assert(sizeof(struct blink_tree_ioc_load) == 32, "blink_ioc_load");
static_assert(offsetof(struct blink_tree_ioc_load, count) == 4, "count");
static_assert(offsetof(struct blink_tree_ioc_load, entries) == 8, "entries");
static_assert(offsetof(struct blink_tree_ioc_load, fill) == 16, "fill");
static_assert(offsetof(struct blink_tree_ioc_load, done) == 20, "done");
static_assert(offsetof(struct blink_tree_ioc_load, entry_size) == 24,
	      "entry_size");
static_assert(offsetof(struct blink_tree_ioc_load, __reserved) == 28,
	      "__reserved");
static_assert(sizeof(struct blink_tree_ioc_scan) == 48, "blink_ioc_scan");
static_assert(offsetof(struct blink_tree_ioc_scan, capacity) == 4, "capacity");
static_assert(offsetof(struct blink_tree_ioc_scan, first) == 8, "first");
static_assert(offsetof(struct blink_tree_ioc_scan, last) == 16, "last");
static_assert(offsetof(struct blink_tree_ioc_scan, entries) == 24, "entries");
static_assert(offsetof(struct blink_tree_ioc_scan, count) == 32, "count");
static_assert(offsetof(struct blink_tree_ioc_scan, entry_size) == 40,
	      "entry_size");
static_assert(offsetof(struct blink_tree_ioc_scan, __reserved) == 44,
	      "__reserved");
static_assert(sizeof(struct blink_tree_ioc_levels) == 32, "blink_ioc_levels");
static_assert(offsetof(struct blink_tree_ioc_levels, capacity) == 4,
	      "capacity");
static_assert(offsetof(struct blink_tree_ioc_levels, levels) == 8, "levels");
static_assert(offsetof(struct blink_tree_ioc_levels, level_size) == 16,
	      "level_size");
static_assert(offsetof(struct blink_tree_ioc_levels, known) == 20, "known");
static_assert(offsetof(struct blink_tree_ioc_levels, count) == 24, "count");
static_assert(offsetof(struct blink_tree_ioc_levels, height) == 28, "height");
static_assert(sizeof(struct blink_tree_record) == 24, "blink_record");
static_assert(offsetof(struct blink_tree_record, opcode) == 4, "opcode");
static_assert(offsetof(struct blink_tree_record, flags) == 6, "flags");
static_assert(offsetof(struct blink_tree_record, result) == 8, "result");
static_assert(offsetof(struct blink_tree_record, key_length) == 12,
	      "key_length");
static_assert(offsetof(struct blink_tree_record, value_length) == 14,
	      "value_length");
static_assert(offsetof(struct blink_tree_record, old_length) == 16,
	      "old_length");
static_assert(offsetof(struct blink_tree_record, __reserved) == 18,
	      "__reserved");
static_assert(sizeof(struct blink_tree_ioc_records) == 64, "blink_ioc_records");
static_assert(offsetof(struct blink_tree_ioc_records, fill) == 4, "fill");
static_assert(offsetof(struct blink_tree_ioc_records, input) == 8, "input");
static_assert(offsetof(struct blink_tree_ioc_records, output) == 16, "output");
static_assert(offsetof(struct blink_tree_ioc_records, input_size) == 24,
	      "input_size");
static_assert(offsetof(struct blink_tree_ioc_records, output_size) == 32,
	      "output_size");
static_assert(offsetof(struct blink_tree_ioc_records, input_used) == 40,
	      "input_used");
static_assert(offsetof(struct blink_tree_ioc_records, output_used) == 48,
	      "output_used");
static_assert(offsetof(struct blink_tree_ioc_records, done) == 56, "done");
static_assert(sizeof(struct blink_tree_ioc_record_scan) == 64,
	      "blink_ioc_record_scan");
static_assert(offsetof(struct blink_tree_ioc_record_scan, __reserved) == 4,
	      "__reserved");
static_assert(offsetof(struct blink_tree_ioc_record_scan, first) == 8, "first");
static_assert(offsetof(struct blink_tree_ioc_record_scan, last) == 16, "last");
static_assert(offsetof(struct blink_tree_ioc_record_scan, first_length) == 24,
	      "first_length");
static_assert(offsetof(struct blink_tree_ioc_record_scan, last_length) == 28,
	      "last_length");
static_assert(offsetof(struct blink_tree_ioc_record_scan, output) == 32,
	      "output");
static_assert(offsetof(struct blink_tree_ioc_record_scan, output_size) == 40,
	      "output_size");
static_assert(offsetof(struct blink_tree_ioc_record_scan, output_used) == 48,
	      "output_used");
static_assert(offsetof(struct blink_tree_ioc_record_scan, count) == 56,
	      "count");
static_assert(sizeof(struct blink_tree_ioc_record_erase) == 40,
	      "blink_ioc_record_erase");
static_assert(offsetof(struct blink_tree_ioc_record_erase, __reserved) == 4,
	      "__reserved");
static_assert(offsetof(struct blink_tree_ioc_record_erase, first) == 8,
	      "first");
static_assert(offsetof(struct blink_tree_ioc_record_erase, last) == 16, "last");
static_assert(offsetof(struct blink_tree_ioc_record_erase, first_length) == 24,
	      "first_length");
static_assert(offsetof(struct blink_tree_ioc_record_erase, last_length) == 28,
	      "last_length");
static_assert(offsetof(struct blink_tree_ioc_record_erase, count) == 32,
	      "count");
static_assert(sizeof(struct blink_tree_ioc_bpf_handle) == 16,
	      "blink_ioc_bpf_handle");
static_assert(offsetof(struct blink_tree_ioc_bpf_handle, __reserved) == 4,
	      "__reserved");
static_assert(offsetof(struct blink_tree_ioc_bpf_handle, handle) == 8,
	      "handle");
static_assert(sizeof(struct blink_tree_ioc_watch) == 40, "blink_ioc_watch");
static_assert(offsetof(struct blink_tree_ioc_watch, slots) == 4, "slots");
static_assert(offsetof(struct blink_tree_ioc_watch, first) == 8, "first");
static_assert(offsetof(struct blink_tree_ioc_watch, first_low) == 16,
	      "first_low");
static_assert(offsetof(struct blink_tree_ioc_watch, last) == 24, "last");
static_assert(offsetof(struct blink_tree_ioc_watch, last_low) == 32,
	      "last_low");
static_assert(sizeof(struct blink_tree_watch_ring) == 192, "watch_ring");
static_assert(offsetof(struct blink_tree_watch_ring, record_size) == 4,
	      "record_size");
static_assert(offsetof(struct blink_tree_watch_ring, slots) == 8, "slots");
static_assert(offsetof(struct blink_tree_watch_ring, head) == 64, "head");
static_assert(offsetof(struct blink_tree_watch_ring, lost) == 128, "lost");
static_assert(sizeof(struct blink_tree_change) == 64, "blink_tree_change");
static_assert(offsetof(struct blink_tree_change, op) == 8, "op");
static_assert(offsetof(struct blink_tree_change, key) == 16, "key");
static_assert(offsetof(struct blink_tree_change, key_low) == 24, "key_low");
static_assert(offsetof(struct blink_tree_change, last) == 32, "last");
static_assert(offsetof(struct blink_tree_change, last_low) == 40, "last_low");
static_assert(offsetof(struct blink_tree_change, value) == 48, "value");
static_assert(offsetof(struct blink_tree_change, old) == 56, "old");

/* So must the numbers, which an old program has compiled in. */
static_assert(BLINK_TREE_IOC_INFO == 0xc058bd00, "INFO");
static_assert(BLINK_TREE_IOC_CREATE == 0xc060bd01, "CREATE");
static_assert(BLINK_TREE_IOC_OPEN == 0xc050bd02, "OPEN");
static_assert(BLINK_TREE_IOC_UNLINK == 0xc050bd03, "UNLINK");
static_assert(BLINK_TREE_IOC_LIST == 0xc028bd04, "LIST");
static_assert(BLINK_TREE_IOC_OP == 0xc020bd05, "OP");
static_assert(BLINK_TREE_IOC_BATCH == 0xc018bd06, "BATCH");
static_assert(BLINK_TREE_IOC_SCAN == 0xc030bd07, "SCAN");
static_assert(BLINK_TREE_IOC_STATS == 0xc0f0bd08, "STATS");
static_assert(BLINK_TREE_IOC_VERIFY == 0xc050bd09, "VERIFY");
static_assert(BLINK_TREE_IOC_LOAD == 0xc020bd0a, "LOAD");
static_assert(BLINK_TREE_IOC_LEVELS == 0xc020bd0b, "LEVELS");
static_assert(BLINK_TREE_IOC_ATTR == 0xc080bd0c, "ATTR");
static_assert(BLINK_TREE_IOC_HOT_LEAVES == 0xc020bd0d, "HOT_LEAVES");
static_assert(BLINK_TREE_IOC_RECORDS == 0xc040bd0e, "RECORDS");
static_assert(BLINK_TREE_IOC_RECORD_SCAN == 0xc040bd0f, "RECORD_SCAN");
static_assert(BLINK_TREE_IOC_RECORD_ERASE == 0xc028bd10, "RECORD_ERASE");
static_assert(BLINK_TREE_IOC_BPF_HANDLE == 0xc010bd11, "BPF_HANDLE");
static_assert(BLINK_TREE_IOC_WATCH == 0xc028bd12, "WATCH");

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
