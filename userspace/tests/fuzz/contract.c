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

static long batch(int tree, struct blink_tree_ioc_op *ops, unsigned int count)
{
	struct blink_tree_ioc_batch arg = {
		.count = count,
		.ops = array_address(),
		.op_size = sizeof(*ops),
	};
	size_t bytes = count * sizeof(*ops);
	void *to = array(bytes);
	long ret;

	if (bytes)
		memcpy(to, ops, bytes);
	ret = call(tree, BLINK_TREE_IOC_BATCH, &arg);
	if (bytes)
		memcpy(ops, to, bytes);
	return ret ?: arg.done == count ? 0 : -EIO;
}

static long op(int tree, unsigned int opcode, __u64 key, __u64 value,
	       __u64 *old)
{
	struct blink_tree_ioc_op arg = {
		.opcode = opcode,
		.key = key,
		.value = value,
		.old = *old,
	};
	long ret = call(tree, BLINK_TREE_IOC_OP, &arg);

	*old = arg.old;
	return ret ?: arg.result;
}

static long batched_op(int tree, unsigned int opcode, __u64 key, __u64 value,
		       __u64 *old)
{
	struct blink_tree_ioc_op ops[2] = {
		{ .opcode = opcode, .key = key, .value = value, .old = *old },
		{ .opcode = BLINK_TREE_OP_STORE, .key = 1, .value = 1 },
	};
	long ret = batch(tree, ops, 2);

	*old = ops[0].old;
	return ret ?: ops[0].result;
}

typedef long op_fn(int tree, unsigned int opcode, __u64 key, __u64 value,
		   __u64 *old);

/* No operation tells a value, by itself or by what it makes of a guess. */
static void check_write_only(int tree, op_fn *do_op)
{
	static const struct {
		unsigned int opcode;
		long result;
	} trials[] = {
		{ BLINK_TREE_OP_INSERT, -EEXIST },
		{ BLINK_TREE_OP_CMPXCHG, -EBADF },
		{ BLINK_TREE_OP_LOOKUP, -EBADF },
		{ BLINK_TREE_OP_CMPERASE, -EBADF },
		{ BLINK_TREE_OP_FLOOR, -EBADF },
		{ BLINK_TREE_OP_GET_OR_INSERT, -EBADF },
		{ BLINK_TREE_OP_POP_MIN, -EBADF },
		{ BLINK_TREE_OP_POP_MAX, -EBADF },
		{ BLINK_TREE_OP_STORE, 1 },
		{ BLINK_TREE_OP_REPLACE, 0 },
		{ BLINK_TREE_OP_ERASE, 0 },
	};
	unsigned int i;
	__u64 old;

	for (i = 0; i < ARRAY_SIZE(trials); i++) {
		old = 7;
		if (!tap_check(do_op(tree, trials[i].opcode, 5, 100 + i,
				     &old) == trials[i].result) ||
		    !tap_check(old == 0 || old == 7))
			printf("# opcode %u\n", trials[i].opcode);
	}
}

static void write_only(void)
{
	int full = create("w", 0600);
	int tree = open_tree("w", BLINK_TREE_OPEN_WRITE);
	__u64 old = 0;

	tap_check(!op(full, BLINK_TREE_OP_INSERT, 5, 99, &old));
	check_write_only(tree, op);
	tap_check(!op(full, BLINK_TREE_OP_INSERT, 5, 99, &old));
	check_write_only(tree, batched_op);
	/* It takes a batch, if only to show that it is a tree's. */
	tap_check(!batch(tree, NULL, 0));
	tap_check(batch(device, NULL, 0) == -ENOTTY);
	fuzz_close(tree);
	fuzz_close(full);
	unlink_tree("w");
	tap_case("a write-only descriptor tells no value");
}

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

static void replies_tell_what_is_known(void)
{
	struct blink_tree_ioc_info info = {};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_verify verify = {};
	int tree = create("", 0);

	tap_check(!call(device, BLINK_TREE_IOC_INFO, &info));
	tap_check(info.known == sizeof(info) && info.version[0]);
	tap_check(info.ioctls == (2ULL << _IOC_NR(BLINK_TREE_IOC_WATCH)) - 1);
	tap_check(info.opcodes == (1ULL << BLINK_TREE_OP_NR) - 1);
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	tap_check(stats.known == sizeof(stats) && stats.indexes == 1);
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	tap_check(verify.known == sizeof(verify) && verify.height == 1);
	fuzz_close(tree);
	tap_case("replies tell what the module knows");
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

static void bytes_without_meaning(void)
{
	struct blink_tree_ioc_create arg = { .mode = 0600, .name = "n" };

	arg.name[BLINK_TREE_NAME_MAX - 1] = 1;
	tap_check(call(device, BLINK_TREE_IOC_CREATE, &arg) == -EINVAL);
	arg.name[BLINK_TREE_NAME_MAX - 1] = 0;
	arg.name[2] = 'x';
	tap_check(call(device, BLINK_TREE_IOC_CREATE, &arg) == -EINVAL);
	memset(arg.name, 'x', BLINK_TREE_NAME_MAX);
	tap_check(call(device, BLINK_TREE_IOC_CREATE, &arg) == -EINVAL);
	memset(arg.name, 0, BLINK_TREE_NAME_MAX);
	arg.__reserved = 1;
	tap_check(call(device, BLINK_TREE_IOC_CREATE, &arg) == -EINVAL);
	tap_case("nothing follows a name's NUL, or is in a reserved place");
}

static bool name_refused(const char *name)
{
	return create(name, 0600) == -EINVAL &&
	       open_tree(name, BLINK_TREE_OPEN_READ) == -EINVAL &&
	       unlink_tree(name) == -EINVAL;
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
	unsigned int i;
	char name[2] = "";

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		if (!tap_check(name_refused(bad[i])))
			printf("# name %u\n", i);
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
#define IN_ANY_HOST                                                            \
	ids, longer_elements, replies_tell_what_is_known, old_program,         \
		bytes_without_meaning, bad_names, write_only, access_by_cells, \
		erase_tells_no_key, read_only_device, second_chunks,           \
		loaded_in_any_order, halves, records_malformed, records_cut,   \
		records_of_pairs, records_concealed, records_in_ranges,        \
		words_refused, records_of_unique_keys, fields_refused,         \
		records_in_order, pairs_erased, records_refused_by_full_trees, \
		kinds_created, arguments_refused, bytes_malformed, bytes_cut,  \
		bytes_loaded, bytes_in_ranges, bytes_at_random,                \
		values_malformed, values_of_all_lengths, values_of_many_keys,  \
		values_in_full_trees, values_cut, values_loaded,               \
		values_concealed, values_at_random

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
	compressed_tree,
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
