// SPDX-License-Identifier: GPL-2.0
/*
 * The contract of the ioctls, in TAP: in a kernel with the module, and where no kernel is
 * needed to see it, beside the sources of module/chardev and of the core in this process,
 * as the target of libFuzzer has them (host.h). Processes, other credentials and time are
 * for the other selftests.
 */
#include <ctype.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "../common/tap.h"
#include "contract.h"
#include "memory.h"

static void read_only_device(void)
{
	int all = device, tree;
	struct blink_tree_ioc_info info = {};

	tree = create("r", 0600);
	fuzz_close(tree);
	device = fuzz_open_device(O_RDONLY);
	tap_check(create("x", 0600) == -EBADF);
	tap_check(create("", 0600) == -EBADF);
	tap_check(unlink_tree("r") == -EBADF);
	tap_check(!call(device, BLINK_TREE_IOC_INFO, &info));
	tree = open_tree("r", BLINK_TREE_OPEN_READ);
	tap_check(tree > 0);
	fuzz_close(tree);
	fuzz_close(device);
	device = all;
	tap_check(open_tree("x", BLINK_TREE_OPEN_READ) == -ENOENT);
	tap_check(!unlink_tree("r"));
	tap_case(
		"a read-only descriptor of the device creates and unlinks nothing");
}

/* An element that is longer than ours by a field. */
#define LONGER 8
#define KEYS 70

static void *element(void *elements, unsigned int i, size_t size)
{
	return (char *)elements + i * (size + LONGER);
}

static void longer_operations(int tree)
{
	const size_t size = sizeof(struct blink_tree_ioc_op);
	char *ops = array(KEYS * (size + LONGER));
	struct blink_tree_ioc_batch arg = {
		.count = KEYS,
		.ops = array_address(),
		.op_size = size + LONGER,
	};
	struct blink_tree_ioc_op *op;
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		op = element(ops, i, size);
		op->opcode = BLINK_TREE_OP_INSERT;
		op->key = i;
		op->value = ~i;
		op->result = 1;
	}
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &arg) && arg.done == KEYS);
	for (i = 0; i < KEYS; i++) {
		op = element(ops, i, size);
		tap_check(op->result == 0 && op->key == i);
		op->opcode = BLINK_TREE_OP_LOOKUP;
	}
	/* The last operation has an unknown field: those before it are done. */
	op = element(ops, KEYS - 1, size);
	((char *)(op + 1))[LONGER - 1] = 1;
	tap_check(call(tree, BLINK_TREE_IOC_BATCH, &arg) == -E2BIG);
	tap_check(arg.done < KEYS);
}

static void longer_entries_in(int tree)
{
	const size_t size = sizeof(struct blink_tree_entry);
	char *entries = array(KEYS * (size + LONGER));
	struct blink_tree_ioc_load arg = {
		.count = KEYS,
		.entries = array_address(),
		.fill = 100,
		.entry_size = size + LONGER,
	};
	struct blink_tree_entry *entry;
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		entry = element(entries, i, size);
		entry->key = 1000 + i;
		entry->value = i;
	}
	tap_check(!call(tree, BLINK_TREE_IOC_LOAD, &arg) && arg.done == KEYS);
	entry = element(entries, 0, size);
	((char *)(entry + 1))[0] = 1;
	tap_check(call(tree, BLINK_TREE_IOC_LOAD, &arg) == -E2BIG && !arg.done);
}

/* Behind what we know there is nothing. */
static bool rest_is_zero(const void *at, size_t size)
{
	return !memchr_inv((const char *)at + size, 0, LONGER);
}

static void longer_entries_out(int tree)
{
	const size_t size = sizeof(struct blink_tree_entry);
	char *entries = array(2 * KEYS * (size + LONGER));
	struct blink_tree_ioc_scan arg = {
		.capacity = 2 * KEYS,
		.last = ~0ULL,
		.entries = array_address(),
		.entry_size = size + LONGER,
	};
	struct blink_tree_entry *entry;
	unsigned int i;

	memset(entries, 0xff, 2 * KEYS * (size + LONGER));
	tap_check(!call(tree, BLINK_TREE_IOC_SCAN, &arg) &&
		  arg.count == 2 * KEYS);
	for (i = 0; i < 2 * KEYS; i++) {
		entry = element(entries, i, size);
		tap_check(entry->key == (i < KEYS ? i : 1000 + i - KEYS));
		tap_check(rest_is_zero(entry, size));
	}
	/* After DONE, as after the end. */
	tap_check(arg.flags == BLINK_TREE_SCAN_DONE);
	arg.first = 0;
	tap_check(!call(tree, BLINK_TREE_IOC_SCAN, &arg) && !arg.count);
	tap_check(arg.flags == BLINK_TREE_SCAN_DONE && !arg.first);
}

static void longer_levels(int tree)
{
	const size_t size = sizeof(struct blink_tree_level_stats);
	char *levels = array(8 * (size + LONGER));
	struct blink_tree_ioc_levels arg = {
		.capacity = 8,
		.levels = array_address(),
		.level_size = size + LONGER,
	};
	struct blink_tree_level_stats *level;
	__u64 used = 0;
	unsigned int i;

	memset(levels, 0xff, 8 * (size + LONGER));
	tap_check(!call(tree, BLINK_TREE_IOC_LEVELS, &arg) && arg.count > 1);
	tap_check(arg.known == size && arg.height > 1);
	for (i = 0; i < arg.count; i++) {
		level = element(levels, i, size);
		used += level->level ? 0 : level->used;
		tap_check(rest_is_zero(level, size));
	}
	tap_check(used == 2 * KEYS);
}

static void longer_elements(void)
{
	int tree = create("", 0);

	longer_operations(tree);
	longer_entries_in(tree);
	longer_entries_out(tree);
	longer_levels(tree);
	fuzz_close(tree);
	tap_case("elements of arrays may be longer than the module's");
}

static void check_info(const struct blink_tree_ioc_info *info)
{
	tap_check(info->known == sizeof(*info));
	tap_check(info->ioctls == (2ULL << _IOC_NR(BLINK_TREE_IOC_RANGE)) - 1);
	tap_check(info->opcodes == (1ULL << BLINK_TREE_OP_NR) - 1);
	tap_check((info->features | BLINK_TREE_FEATURE_BPF) ==
		  (BLINK_TREE_FEATURE_COMPRESS | BLINK_TREE_FEATURE_U128 |
		   BLINK_TREE_FEATURE_MULTI | BLINK_TREE_FEATURE_BYTES |
		   BLINK_TREE_FEATURE_BYTE_VALUES | BLINK_TREE_FEATURE_BPF |
		   BLINK_TREE_FEATURE_OPEN_OWNER));
	tap_check(info->name_max == BLINK_TREE_NAME_MAX);
	tap_check(info->numa_nodes >= 1);
	tap_check(info->leaf_slots >= 4 && info->inner_slots >= 4);
	tap_check(info->leaf_bytes >=
		  info->leaf_slots * sizeof(struct blink_tree_entry));
	tap_check(info->inner_bytes >=
		  info->inner_slots * sizeof(struct blink_tree_entry));
	tap_check(info->version[0] &&
		  memchr(info->version, 0, sizeof(info->version)));
}

static void replies_tell_what_is_known(void)
{
	struct blink_tree_ioc_info info = {};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_verify verify = {};
	int tree = create("", 0);

	tap_check(!call(device, BLINK_TREE_IOC_INFO, &info));
	check_info(&info);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(stats.known == sizeof(stats) && stats.indexes == 1);
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	tap_check(verify.known == sizeof(verify) && verify.height == 1);
	fuzz_close(tree);
	tap_case("replies tell what the module knows");
}

static void unknown_numbers(void)
{
	char arg[256] = {};
	int tree = create("", 0);
	unsigned int nr;

	for (nr = 0; nr < 256; nr++) {
		const unsigned int cmd = _IOC(_IOC_READ | _IOC_WRITE,
					      BLINK_TREE_IOC_TYPE, nr,
					      sizeof(arg));

		if (nr > _IOC_NR(BLINK_TREE_IOC_LIST))
			tap_check(call(device, cmd, arg) == -ENOTTY);
		if (nr < _IOC_NR(BLINK_TREE_IOC_OP) ||
		    nr > _IOC_NR(BLINK_TREE_IOC_RANGE))
			tap_check(call(tree, cmd, arg) == -ENOTTY);
	}
	fuzz_close(tree);
	tap_case("unknown numbers are no ioctls");
}

/* The argument and the reply of BLINK_TREE_IOC_INFO before there were versions. */
struct old_info {
	__u32 flags;
	__u32 abi;
	__u64 features;
	__u32 sizes[6];
	char version[32];
};

/*
 * A program of then asked whether @abi is 1, and refused to go on if it is not.
 * (That one of today does so with a module of then, the library's test tells.)
 */
static void old_program(void)
{
	struct old_info info = {};
	__u64 address = memory_address(0, PLACE_START, 0, false);
	size_t bytes = sizeof(info);
	void *alias = memory_alias(address, &bytes);
	unsigned int cmd = _IOWR(BLINK_TREE_IOC_TYPE, 0, struct old_info);
	long ret;

	memcpy(alias, &info, bytes);
	ret = fuzz_ioctl(device, cmd, address, false);
	memcpy(&info, alias, bytes);
	tap_check(!ret && info.abi != 1);
	tap_case("a program of before the first version is told so");
}

static bool name_refused(const char *name)
{
	return create(name, 0600) == -EINVAL &&
	       open_tree(name, BLINK_TREE_OPEN_READ) == -EINVAL &&
	       unlink_tree(name) == -EINVAL;
}

static void bytes_without_meaning(void)
{
	static const unsigned int behind[] = { 2, BLINK_TREE_NAME_MAX - 1 };
	struct blink_tree_ioc_create how = { .mode = 0600, .name = "n" };
	struct blink_tree_ioc_open open = { .flags = 1, .name = "n" };
	struct blink_tree_ioc_unlink unlink = { .name = "n" };
	char name[BLINK_TREE_NAME_MAX + 1] = "";
	unsigned int i;
	int tree;

	for (i = 0; i < ARRAY_SIZE(behind); i++) {
		how.name[behind[i]] = 1;
		open.name[behind[i]] = 1;
		unlink.name[behind[i]] = 1;
		tap_check(call(device, BLINK_TREE_IOC_CREATE, &how) == -EINVAL);
		tap_check(call(device, BLINK_TREE_IOC_OPEN, &open) == -EINVAL);
		tap_check(call(device, BLINK_TREE_IOC_UNLINK, &unlink) ==
			  -EINVAL);
		how.name[behind[i]] = 0;
		open.name[behind[i]] = 0;
		unlink.name[behind[i]] = 0;
	}
	how.__reserved = 1;
	tap_check(call(device, BLINK_TREE_IOC_CREATE, &how) == -EINVAL);
	/* Without a NUL, and one byte less: all of it counts. */
	memset(name, 'x', BLINK_TREE_NAME_MAX);
	tap_check(name_refused(name));
	name[BLINK_TREE_NAME_MAX - 1] = 0;
	tree = create(name, 0600);
	tap_check(tree > 0 && create(name, 0600) == -EEXIST);
	name[BLINK_TREE_NAME_MAX - 2] = 0;
	tap_check(unlink_tree(name) == -ENOENT);
	name[BLINK_TREE_NAME_MAX - 2] = 'x';
	tap_check(open_tree(name, 0) == -EINVAL && !unlink_tree(name));
	fuzz_close(tree);
	/* A tree without a name is not to be found. */
	tree = create("", 0);
	tap_check(open_tree("", BLINK_TREE_OPEN_READ) < 0);
	tap_check(unlink_tree("") < 0);
	fuzz_close(tree);
	tap_case("nothing follows a name's NUL, or is in a reserved place");
}

static void bad_names(void)
{
	static const char *const bad[] = {
		"-",	     ".",	"..",
		"-rf",	     ".hidden", "a/b",
		"a b",	     "$(a)",	"`a`",
		"a;b",	     "a\"b",	"a'b",
		"a\\b",	     "a*",	"~a",
		"a\xc3\xa4", "\xff",	"\x9b[2J",
		"a\n",	     "\x7f",	"\xe2\x80\xae",
		"a=b",	     "a,b",	"a%",
	};
	static const char *const good[] = { "n.", "n..", "n-", "n+A_z",
					    "user@host:1" };
	unsigned int i;
	char name[2] = "";

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (!tap_check(name_refused(bad[i])))
			printf("# name %u\n", i);
	}
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		long fd = create(good[i], 0600);

		tap_check(fd > 0 && !unlink_tree(good[i]));
		fuzz_close(fd > 0 ? fd : -1);
	}
	for (i = 1; i < 256; i++) {
		bool inner = i < 128 && (isalnum(i) || strchr("._@:+-", i));
		long fd;

		name[0] = i;
		fd = create(name, 0600);
		if (inner && !strchr(".-", i))
			tap_check(fd > 0 && !unlink_tree(name));
		else
			tap_check(fd == -EINVAL);
		fuzz_close(fd > 0 ? fd : -1);
	}
	tap_case("names have a safe alphabet");
}

static void ids(void)
{
	struct blink_tree_ioc_open open = { .flags = 1, .name = "i" };
	struct blink_tree_ioc_unlink unlink = { .name = "i" };
	struct blink_tree_ioc_attr named, unnamed;
	int trees[2] = { create("i", 0600), create("", 0) }, tree;

	tap_check(!attr_of(trees[0], &named) && !attr_of(trees[1], &unnamed));
	tap_check(named.id && named.id < unnamed.id);
	tap_check(!strcmp(named.name, "i") && !unnamed.name[0]);
	open.id = unnamed.id;
	unlink.id = unnamed.id;
	tap_check(call(device, BLINK_TREE_IOC_OPEN, &open) == -ESTALE);
	tap_check(call(device, BLINK_TREE_IOC_UNLINK, &unlink) == -ESTALE);
	open.id = named.id;
	unlink.id = named.id;
	tree = call(device, BLINK_TREE_IOC_OPEN, &open);
	tap_check(tree > 0);
	fuzz_close(tree);
	tap_check(!call(device, BLINK_TREE_IOC_UNLINK, &unlink));
	tap_check(!attr_of(trees[0], &named) && !named.name[0]);
	fuzz_close(trees[0]);
	fuzz_close(trees[1]);
	tap_case("a tree is known by its id");
}

/* The cases that run with the module in a kernel, too. */
#define IN_ANY_HOST                                                        \
	ids, longer_elements, replies_tell_what_is_known, unknown_numbers, \
		old_program, bytes_without_meaning, bad_names,             \
		access_by_cells, erase_tells_no_key, read_only_device,     \
		second_chunks, loaded_in_any_order, halves, levels_add_up, \
		records_malformed, fields_refused, records_in_order,       \
		kinds_created, words_refused, arguments_refused,           \
		operations_of_all_ways, operations_on_many_keys,           \
		operations_on_pairs, full_trees, records_cut, loads_cut,   \
		ranges_bounded, operations_at_random, commits_of_records,  \
		commits_of_pairs, commits_of_batches, ranges_of_keys,      \
		ranges_of_a_full_tree, parts_of_ranges

static void (*const cases[])(void) = {
	IN_ANY_HOST,
#ifndef CONTRACT_IN_KERNEL
	names_of_namespaces,
	attributes,
	rights_by_cells,
	attributes_all_or_none,
	three_names,
	owners_demanded,
	list_tells_what_may_be_read,
	given_to_a_worker,
	nothing_waits,
	owner_sets_limits,
	limit_of_the_tree,
	limit_of_the_user,
	limit_of_all_trees,
	reserve_of_services,
	users_are_shown,
	shares_become_bytes,
	objects_are_charged,
	users_of_namespaces,
	creator_pays,
	reads_counted,
	hot_leaves_told,
	hot_leaves_refused,
	levels_of_copies,
	handles_malformed,
	handles_end,
	handles_unforeseeable,
	handles_have_access,
	programs_read,
	programs_read_bytes,
	programs_modify,
#endif
};

int main(void)
{
	unsigned int i;

	contract_begin();
	tap_begin(ARRAY_SIZE(cases));
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		cases[i]();
	return tap_exit(i);
}
