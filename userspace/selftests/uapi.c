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
static_assert(sizeof(struct blink_op) == 32, "blink_op");
static_assert(offsetof(struct blink_op, result) == 4, "result");
static_assert(offsetof(struct blink_op, key) == 8, "key");
static_assert(offsetof(struct blink_op, value) == 16, "value");
static_assert(offsetof(struct blink_op, old) == 24, "old");
static_assert(sizeof(struct blink_entry) == 16, "blink_entry");
static_assert(sizeof(struct blink_stats) == 192, "blink_stats");
static_assert(offsetof(struct blink_stats, inserts) == 32, "inserts");
static_assert(offsetof(struct blink_stats, gate_passes) == 128, "gates");
static_assert(offsetof(struct blink_stats, replication) == 152, "options");
static_assert(offsetof(struct blink_stats, lock_waits) == 176, "waits");
static_assert(sizeof(struct blink_level_stats) == 40, "blink_level_stats");
static_assert(sizeof(struct blink_verify) == 72, "blink_verify");
static_assert(offsetof(struct blink_verify, leaves) == 24, "leaves");
static_assert(sizeof(struct blink_ioc_info) == 72, "blink_ioc_info");
static_assert(offsetof(struct blink_ioc_info, version) == 40, "version");
static_assert(sizeof(struct blink_ioc_create) == 88, "blink_ioc_create");
static_assert(offsetof(struct blink_ioc_create, name) == 16, "name");
static_assert(offsetof(struct blink_ioc_create, replication) == 80, "copies");
static_assert(sizeof(struct blink_ioc_open) == 72, "blink_ioc_open");
static_assert(sizeof(struct blink_ioc_unlink) == 72, "blink_ioc_unlink");
static_assert(sizeof(struct blink_list_entry) == 112, "blink_list_entry");
static_assert(offsetof(struct blink_list_entry, uid) == 72, "uid");
static_assert(offsetof(struct blink_list_entry, bytes) == 104, "bytes");
static_assert(sizeof(struct blink_ioc_list) == 32, "blink_ioc_list");
static_assert(offsetof(struct blink_ioc_list, cursor) == 16, "cursor");
static_assert(sizeof(struct blink_ioc_batch) == 24, "blink_ioc_batch");
static_assert(offsetof(struct blink_ioc_batch, ops) == 8, "ops");
static_assert(sizeof(struct blink_ioc_scan) == 40, "blink_ioc_scan");
static_assert(offsetof(struct blink_ioc_scan, entries) == 24, "entries");
static_assert(sizeof(struct blink_ioc_stats) == 216, "blink_ioc_stats");
static_assert(offsetof(struct blink_ioc_stats, stats) == 24, "stats");
static_assert(sizeof(struct blink_ioc_verify) == 80, "blink_ioc_verify");
static_assert(offsetof(struct blink_ioc_verify, report) == 8, "report");

/* So must the numbers, which an old program has compiled in. */
static_assert(BLINK_IOC_INFO == 0xc048bd00, "INFO");
static_assert(BLINK_IOC_CREATE == 0xc058bd01, "CREATE");
static_assert(BLINK_IOC_OPEN == 0xc048bd02, "OPEN");
static_assert(BLINK_IOC_UNLINK == 0xc048bd03, "UNLINK");
static_assert(BLINK_IOC_LIST == 0xc020bd04, "LIST");
static_assert(BLINK_IOC_OP == 0xc020bd05, "OP");
static_assert(BLINK_IOC_BATCH == 0xc018bd06, "BATCH");
static_assert(BLINK_IOC_SCAN == 0xc028bd07, "SCAN");
static_assert(BLINK_IOC_STATS == 0xc0d8bd08, "STATS");
static_assert(BLINK_IOC_VERIFY == 0xc050bd09, "VERIFY");

static __u64 address(const void *ptr)
{
	return (uintptr_t)ptr;
}

static bool info_works(int device)
{
	struct blink_ioc_info info = { .flags = 0 };

	return !ioctl(device, BLINK_IOC_INFO, &info) && info.abi == BLINK_ABI &&
	       info.name_max == BLINK_NAME_MAX && info.version[0];
}

static int create(int device)
{
	struct blink_ioc_create create = {
		.mode = 0600,
		.max_entries = 1ULL << 33,
		.name = NAME,
	};

	return ioctl(device, BLINK_IOC_CREATE, &create);
}

static int open_again(int device)
{
	struct blink_ioc_open open = {
		.flags = BLINK_OPEN_READ | BLINK_OPEN_WRITE,
		.name = NAME,
	};

	return ioctl(device, BLINK_IOC_OPEN, &open);
}

/* Keys and values use all of their 64 bits. */
static __u64 key_of(unsigned int i)
{
	return (__u64)i << 33 | 1;
}

static bool op_works(int tree)
{
	struct blink_op op = {
		.opcode = BLINK_OP_INSERT,
		.key = key_of(0),
		.value = ~key_of(0),
	};

	if (ioctl(tree, BLINK_IOC_OP, &op) || op.result)
		return false;
	if (!ioctl(tree, BLINK_IOC_OP, &op) || errno != EEXIST ||
	    op.result != -EEXIST || op.old != ~key_of(0))
		return false;
	op.opcode = BLINK_OP_CEILING;
	op.key = 0;
	op.value = 0;
	return !ioctl(tree, BLINK_IOC_OP, &op) && op.key == key_of(0) &&
	       op.value == ~key_of(0);
}

static bool batch_works(int tree)
{
	struct blink_op ops[KEYS];
	struct blink_ioc_batch batch = {
		.count = KEYS,
		.ops = address(ops),
	};
	unsigned int i;

	memset(ops, 0, sizeof(ops));
	for (i = 0; i < KEYS; i++) {
		ops[i].opcode = BLINK_OP_STORE;
		ops[i].key = key_of(i);
		ops[i].value = ~key_of(i);
	}
	if (ioctl(tree, BLINK_IOC_BATCH, &batch) || batch.done != KEYS)
		return false;
	for (i = 0; i < KEYS; i++) {
		if (ops[i].result != !i)
			return false;
	}
	batch.ops = 16;
	return ioctl(tree, BLINK_IOC_BATCH, &batch) && errno == EFAULT;
}

static bool scan_works(int tree)
{
	struct blink_entry entries[KEYS];
	struct blink_ioc_scan scan = {
		.capacity = KEYS,
		.last = ~0ULL,
		.entries = address(entries),
	};
	unsigned int i;

	if (ioctl(tree, BLINK_IOC_SCAN, &scan) || scan.count != KEYS)
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
	struct blink_level_stats levels[64];
	struct blink_ioc_stats stats = {
		.capacity = 64,
		.levels = address(levels),
	};
	__u64 used = 0;
	unsigned int i;

	if (ioctl(tree, BLINK_IOC_STATS, &stats) || stats.count > 64 ||
	    stats.stats.max_entries != 1ULL << 33)
		return false;
	for (i = 0; i < stats.count; i++)
		used += levels[i].level ? 0 : levels[i].used;
	return stats.stats.entries == KEYS && used == KEYS;
}

static bool verify_works(int tree)
{
	struct blink_ioc_verify verify = { .flags = 0 };

	return !ioctl(tree, BLINK_IOC_VERIFY, &verify) &&
	       verify.report.violation == BLINK_OK &&
	       verify.report.entries == KEYS;
}

static bool list_works(int device)
{
	struct blink_list_entry entry;
	struct blink_ioc_list list = {
		.capacity = 1,
		.trees = address(&entry),
		.entry_size = sizeof(entry),
	};

	while (!ioctl(device, BLINK_IOC_LIST, &list) && list.count) {
		if (!strcmp(entry.name, NAME))
			return entry.entries == KEYS && entry.mode == 0600 &&
			       entry.uid == geteuid();
	}
	return false;
}

static int unlink_tree(int device)
{
	struct blink_ioc_unlink unlink = { .name = NAME };

	return ioctl(device, BLINK_IOC_UNLINK, &unlink);
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
	device = open(BLINK_DEVICE, O_RDWR);
	if (device < 0)
		ksft_exit_fail_msg("%s: %s\n", BLINK_DEVICE, strerror(errno));
	ksft_set_plan(10);
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
	ksft_test_result(verify_works(tree), "verify\n");
	ksft_test_result(list_works(device), "list\n");
	ksft_test_result(unlink_works(device), "unlink\n");
	ksft_finished();
}
