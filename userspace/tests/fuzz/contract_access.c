// SPDX-License-Identifier: GPL-2.0
/*
 * The access of a descriptor: which ioctls and operations it permits, cell by cell, and
 * that no reply of them has a key or a value of the tree unless it is open for reading.
 */
#include <stdio.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"

#define READ BLINK_TREE_OPEN_READ
#define WRITE BLINK_TREE_OPEN_WRITE
#define RW (READ | WRITE)

/* Bytes of the keys and values that no caller here names, in either byte order. */
#define SECRET_BYTE 0xa7
#define SECRET_LENGTH 4
#define SECRET 0xa7a7a7a7a7a70000ULL
/* The key that the callers name: its value is secret. */
#define NAMED 5
/* More than a call erases before it looks for signals; and a few. */
#define SECRETS 3000
#define FEW 4

/* Room for each array, and for the longest result that a tree of strings can have. */
#define ROOM 1200

/*
 * The access that each operation needs; and its result on the named key, whose value is
 * not the one given.
 */
static const struct {
	unsigned int need;
	int result;
} operations[] = {
	[BLINK_TREE_OP_LOOKUP] = { READ, 0 },
	[BLINK_TREE_OP_INSERT] = { WRITE, -EEXIST },
	[BLINK_TREE_OP_STORE] = { WRITE, 1 },
	[BLINK_TREE_OP_REPLACE] = { WRITE, 0 },
	[BLINK_TREE_OP_ERASE] = { WRITE, 0 },
	[BLINK_TREE_OP_CMPXCHG] = { RW, -ESTALE },
	[BLINK_TREE_OP_CMPERASE] = { RW, -ESTALE },
	[BLINK_TREE_OP_FLOOR] = { READ, 0 },
	[BLINK_TREE_OP_CEILING] = { READ, 0 },
	[BLINK_TREE_OP_GET_OR_INSERT] = { RW, 1 },
	[BLINK_TREE_OP_POP_MIN] = { RW, 0 },
	[BLINK_TREE_OP_POP_MAX] = { RW, 0 },
	[BLINK_TREE_OP_ADD] = { WRITE, 1 },
	[BLINK_TREE_OP_ADD_SATURATE] = { WRITE, 1 },
	/* Only in commits. */
	[BLINK_TREE_OP_EXPECT] = { READ, -EINVAL },
	[BLINK_TREE_OP_ABSENT] = { READ, -EINVAL },
	/* An unknown operation fails with any access. */
	[BLINK_TREE_OP_NR] = { 0, -EINVAL },
};

union arg {
	struct blink_tree_ioc_attr attr;
	struct blink_tree_ioc_batch batch;
	struct blink_tree_ioc_bpf_handle handle;
	struct blink_tree_ioc_hot_leaves hot;
	struct blink_tree_ioc_levels levels;
	struct blink_tree_ioc_load load;
	struct blink_tree_ioc_record_erase record_erase;
	struct blink_tree_ioc_record_scan record_scan;
	struct blink_tree_ioc_records records;
	struct blink_tree_ioc_scan scan;
	struct blink_tree_ioc_stats stats;
	struct blink_tree_ioc_verify verify;
	struct blink_tree_ioc_watch watch;
	struct blink_tree_ioc_range range;
};

/* @need is 0 if the ioctl decides for each operation, or permits every descriptor. */
static const struct cell {
	const char *name;
	unsigned int cmd;
	unsigned int need;
	union arg arg;
} cells[] = {
	{ "ATTR", BLINK_TREE_IOC_ATTR, 0, {} },
	{ "BPF_HANDLE", BLINK_TREE_IOC_BPF_HANDLE, 0, {} },
	{ "BATCH",
	  BLINK_TREE_IOC_BATCH,
	  0,
	  { .batch.op_size = sizeof(struct blink_tree_ioc_op) } },
	{ "RECORDS", BLINK_TREE_IOC_RECORDS, 0, {} },
	{ "RECORDS with LOAD",
	  BLINK_TREE_IOC_RECORDS,
	  WRITE,
	  { .records = { .flags = BLINK_TREE_RECORDS_LOAD, .fill = 100 } } },
	{ "LOAD",
	  BLINK_TREE_IOC_LOAD,
	  WRITE,
	  { .load = { .fill = 100,
		      .entry_size = sizeof(struct blink_tree_entry) } } },
	{ "RECORD_ERASE",
	  BLINK_TREE_IOC_RECORD_ERASE,
	  WRITE,
	  { .record_erase.flags = BLINK_TREE_RECORD_ERASE_DONE } },
	{ "SCAN",
	  BLINK_TREE_IOC_SCAN,
	  READ,
	  { .scan = { .last = 1,
		      .capacity = 4,
		      .entry_size = sizeof(struct blink_tree_entry) } } },
	{ "RECORD_SCAN",
	  BLINK_TREE_IOC_RECORD_SCAN,
	  READ,
	  { .record_scan.output_size = ROOM } },
	{ "RECORD_SCAN with COUNT",
	  BLINK_TREE_IOC_RECORD_SCAN,
	  READ,
	  { .record_scan.flags = BLINK_TREE_RECORD_SCAN_COUNT } },
	{ "STATS", BLINK_TREE_IOC_STATS, READ, {} },
	{ "LEVELS",
	  BLINK_TREE_IOC_LEVELS,
	  READ,
	  { .levels.level_size = sizeof(struct blink_tree_level_stats) } },
	{ "HOT_LEAVES",
	  BLINK_TREE_IOC_HOT_LEAVES,
	  READ,
	  { .hot = { .capacity = 4,
		     .leaf_size = sizeof(struct blink_tree_hot_leaf) } } },
	{ "VERIFY", BLINK_TREE_IOC_VERIFY, READ, {} },
	{ "WATCH", BLINK_TREE_IOC_WATCH, READ, { .watch.last = ~0ULL } },
	{ "RANGE, LOOKUP", BLINK_TREE_IOC_RANGE, READ, {} },
	{ "RANGE, STORE",
	  BLINK_TREE_IOC_RANGE,
	  WRITE,
	  { .range = { .op = BLINK_TREE_RANGE_STORE } } },
	{ "RANGE, INSERT",
	  BLINK_TREE_IOC_RANGE,
	  RW,
	  { .range = { .op = BLINK_TREE_RANGE_INSERT, .value = 7 } } },
};

/* The addresses of a call's arrays, for those that have any. */
static void set_arrays(unsigned int cmd, union arg *arg)
{
	const __u64 at = array_address();

	array(3 * ROOM);
	if (cmd == BLINK_TREE_IOC_SCAN && arg->scan.capacity) {
		arg->scan.entries = at;
	} else if (cmd == BLINK_TREE_IOC_HOT_LEAVES) {
		arg->hot.leaves = at;
	} else if (cmd == BLINK_TREE_IOC_RECORD_ERASE ||
		   cmd == BLINK_TREE_IOC_RECORD_SCAN) {
		arg->record_erase.first = at;
		arg->record_erase.last = at + ROOM;
		if (arg->record_scan.output_size)
			arg->record_scan.output = at + 2 * ROOM;
	}
}

/* Whether bytes of a secret are here. */
static bool tells(const void *memory, size_t size)
{
	unsigned int run = 0;
	size_t i;

	for (i = 0; i < size; i++) {
		run = ((const __u8 *)memory)[i] == SECRET_BYTE ? run + 1 : 0;
		if (run == SECRET_LENGTH)
			return true;
	}
	return false;
}

/* Call, and return whether the structure or an array has a secret. */
static bool call_tells(int tree, unsigned int cmd, union arg *arg, long *ret)
{
	const __u8 *arrays = array(3 * ROOM);
	bool told;

	set_arrays(cmd, arg);
	*ret = call(tree, cmd, arg);
	told = tells(arg, _IOC_SIZE(cmd)) || tells(arrays, 3 * ROOM);
	array(3 * ROOM);
	return told;
}

/* Not all kernels let BPF programs call functions of a module. */
static bool refuses_programs(void)
{
	struct blink_tree_ioc_info info = {};

	tap_check(!call(device, BLINK_TREE_IOC_INFO, &info));
	return !(info.features & BLINK_TREE_FEATURE_BPF);
}

/* Each ioctl that trees have, by each descriptor. */
static void ioctls(int tree, unsigned int access)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cells); i++) {
		const struct cell *cell = &cells[i];
		union arg arg = cell->arg;
		bool told;
		long ret;

		told = call_tells(tree, cell->cmd, &arg, &ret);
		if (ret > 0)
			fuzz_close(ret);
		if (ret == -EOPNOTSUPP &&
		    cell->cmd == BLINK_TREE_IOC_BPF_HANDLE &&
		    tap_check(refuses_programs()))
			continue;
		if (!tap_check(cell->need & ~access ? ret == -EBADF :
						      ret >= 0) ||
		    !tap_check(!told || access & READ))
			printf("# %s by access %u: %ld\n", cell->name, access,
			       ret);
	}
}

/* No ioctl is missing in the table. */
static void all_ioctls(void)
{
	struct blink_tree_ioc_info info = {};
	__u64 known = (2ULL << _IOC_NR(BLINK_TREE_IOC_LIST)) - 1;
	unsigned int i;

	known |= 1ULL << _IOC_NR(BLINK_TREE_IOC_OP);
	for (i = 0; i < ARRAY_SIZE(cells); i++)
		known |= 1ULL << _IOC_NR(cells[i].cmd);
	tap_check(!call(device, BLINK_TREE_IOC_INFO, &info));
	tap_check(info.ioctls == known);
	tap_check(info.opcodes == (1ULL << BLINK_TREE_OP_NR) - 1);
}

/* Store a secret with a key. */
static void put_secret(int tree, enum blink_tree_key key, __u64 number)
{
	char input[RECORD_HEADER + 24];
	struct blink_tree_ioc_records arg = {};
	char bytes[16];
	const struct rec rec = {
		.opcode = BLINK_TREE_OP_STORE,
		.key = number_put(bytes, key, number, number),
		.value = WORD(SECRET),
	};

	tap_check(!call_records(tree, input, rec_put(input, &rec), output,
				RESULT_MAX, &arg) &&
		  arg.done == 1);
}

/* A tree of secrets, with one key that callers know. */
static int make(const char *name, struct blink_tree_ioc_create how,
		unsigned int secrets)
{
	int tree;
	unsigned int i;

	how.mode = 0600;
	snprintf(how.name, sizeof(how.name), "%s", name);
	tree = call(device, BLINK_TREE_IOC_CREATE, &how);
	put_secret(tree, how.key, NAMED);
	for (i = 0; i < secrets; i++)
		put_secret(tree, how.key, SECRET + 4 * i);
	return tree;
}

static struct string named_key(void)
{
	static char bytes[16];

	return number_put(bytes, kind->how.key, NAMED, NAMED);
}

/* One operation, twice in a row, on the key that the caller knows; its first result. */
static long operate(int tree, unsigned int opcode, bool *told)
{
	const struct rec rec = {
		.opcode = opcode,
		.key = named_key(),
		.value = takes_value(opcode) ? value_nr(0, 8) : NO_STRING,
		.old = takes_old(opcode) ? value_nr(0, 8) : NO_STRING,
	};
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = NAMED }, *ops;
	struct blink_tree_ioc_batch batch = {
		.count = 2,
		.ops = array_address(),
		.op_size = sizeof(op),
	};
	struct blink_tree_ioc_records records = {};
	long ret;

	if (way == BY_OP) {
		ret = call(tree, BLINK_TREE_IOC_OP, &op);
		*told = tells(&op, sizeof(op));
		return ret ?: op.result;
	}
	if (way == BY_BATCH) {
		ops = array(2 * sizeof(op));
		ops[0] = op;
		ops[1] = op;
		tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &batch));
		*told = tells(ops, 2 * sizeof(op));
		return ops->result;
	}
	stream_size = 0;
	stream_add(&rec);
	stream_add(&rec);
	tap_check(!stream_execute(tree, STREAM_BYTES, &records));
	tap_check(records.done == 2);
	*told = tells(output, STREAM_BYTES) || tells(&records, sizeof(records));
	return ((struct blink_tree_record *)output)->result;
}

/* Whether an operation does what the access permits, and nothing else. */
static bool permitted(int tree, int full, unsigned int access,
		      unsigned int opcode)
{
	const bool pairs = kind->group == KIND_PAIRS;
	const enum way by = way;
	bool told, same;
	struct rec r;
	long ret = operate(tree, opcode, &told);
	const long result = has_bytes() && takes_number(opcode) ?
				    -EOPNOTSUPP :
				    operations[opcode].result;

	way = BY_RECORDS;
	r = ONE(full, STORE, .key = named_key(), .value = value_nr(SECRET, 8));
	same = has_old(&r, 1, pairs ? NO_STRING : value_nr(SECRET, 8));
	way = by;
	if (told && !(access & READ))
		return false;
	if (operations[opcode].need & ~access)
		return ret == -EBADF && same;
	return (pairs ? ret != -EBADF : ret == result) &&
	       (same || access & WRITE);
}

static void operations_by(unsigned int access)
{
	int full = make("cells", kind->how, FEW);
	int tree = open_tree("cells", access);
	unsigned int i;

	for (way = 0; way < WAYS; way++)
		for (i = 0; i <= BLINK_TREE_OP_NR && (!way || is_u64()); i++)
			if (!tap_check(permitted(tree, full, access, i)))
				printf("# operation %u, way %u, access %u\n", i,
				       way, access);
	way = BY_RECORDS;
	tap_check(access & WRITE || entries_of(full) == 1 + FEW);
	fuzz_close(tree);
	fuzz_close(full);
	unlink_tree("cells");
}

static void operations_of(int tree)
{
	unsigned int access;

	(void)tree;
	for (access = READ; access <= RW; access++)
		operations_by(access);
}

void access_by_cells(void)
{
	const struct blink_tree_ioc_create u64 = {};
	struct blink_tree_ioc_batch none = { .op_size = 32 };
	unsigned int access;
	int full, tree;

	all_ioctls();
	tap_check(call(device, BLINK_TREE_IOC_BATCH, &none) == -ENOTTY);
	for (access = READ; access <= RW; access++) {
		full = make("cells", u64, SECRETS);
		tree = open_tree("cells", access);
		ioctls(tree, access);
		fuzz_close(tree);
		fuzz_close(full);
		unlink_tree("cells");
	}
	with_each_kind(KIND_ALL, 0, 0, operations_of);
	tap_case(
		"each ioctl and operation needs its access, and tells no more");
}

/* A signal comes after each chunk. */
static void erased_under_signals(int tree, unsigned int flags)
{
	union arg arg = { .record_erase.flags = flags }, before;
	unsigned int calls = 0;
	__u64 total = 0;
	bool told;
	const bool pieces = interrupt(true);
	long ret;

	do {
		set_arrays(BLINK_TREE_IOC_RECORD_ERASE, &arg);
		before = arg;
		told = call_tells(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg,
				  &ret);
		tap_check(!ret && !told);
		total += arg.record_erase.count;
		before.record_erase.count = arg.record_erase.count;
		before.record_erase.flags |= arg.record_erase.flags &
					     BLINK_TREE_RECORD_ERASE_DONE;
		tap_check(!memcmp(&arg, &before, sizeof(arg)));
	} while (!ret && ++calls < 2 * SECRETS &&
		 !(arg.record_erase.flags & BLINK_TREE_RECORD_ERASE_DONE));
	interrupt(false);
	tap_check(calls > pieces && calls < 2 * SECRETS);
	tap_check(total == SECRETS + 1);
}

/* The rest of a range begins at a key: it is for descriptors that may read. */
void erase_tells_no_key(void)
{
	static const struct {
		enum blink_tree_key kind;
		unsigned int flags;
	} ranges[] = {
		{ BLINK_TREE_KEY_U64, 0 },
		{ BLINK_TREE_KEY_U128, BLINK_TREE_RECORD_ERASE_PREFIX },
		{ BLINK_TREE_KEY_MULTI, 0 },
		{ BLINK_TREE_KEY_BYTES, 0 },
		{ BLINK_TREE_KEY_BYTES, BLINK_TREE_RECORD_ERASE_PREFIX },
		{ BLINK_TREE_KEY_BYTES, BLINK_TREE_RECORD_ERASE_FIRST_OPEN },
	};
	struct blink_tree_ioc_stats stats;
	unsigned int i;
	int full, tree;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		const struct blink_tree_ioc_create how = {
			.key = ranges[i].kind,
		};

		full = make("erased", how, SECRETS);
		tree = open_tree("erased", WRITE);
		erased_under_signals(tree, ranges[i].flags);
		stats = (struct blink_tree_ioc_stats){};
		tap_check(!call(full, BLINK_TREE_IOC_STATS, &stats) &&
			  !stats.entries);
		fuzz_close(tree);
		fuzz_close(full);
		unlink_tree("erased");
	}
	tap_case("erasing a range tells no key to a writer");
}
