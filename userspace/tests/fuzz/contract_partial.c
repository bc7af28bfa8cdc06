// SPDX-License-Identifier: GPL-2.0
/* Calls that end half-way, or are done in pieces, and what they leave. */
#include <endian.h>
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract.h"
#include "memory.h"

/* More than the longest chunk of a load, and of a batch without memory. */
#define ENTRIES 300
#define OPS 70
/* An element that is longer than the module's by a field. */
#define LONGER 8

/* Operations of a longer size; there is no memory for one long chunk of them. */
static void chunks_of_operations(int tree)
{
	const size_t size = sizeof(struct blink_tree_ioc_op) + LONGER;
	char *ops = array(OPS * size);
	struct blink_tree_ioc_batch arg = {
		.count = OPS,
		.ops = array_address(),
		.op_size = size,
	};
	struct blink_tree_ioc_op *op;
	unsigned int i;

	for (i = 0; i < OPS; i++) {
		op = (void *)(ops + i * size);
		op->opcode = BLINK_TREE_OP_INSERT;
		op->key = i;
		op->result = 1;
	}
	fail_allocation(1);
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &arg) && arg.done == OPS);
	for (i = 0; i < OPS; i++) {
		op = (void *)(ops + i * size);
		tap_check(op->result == 0 && op->key == i);
	}
}

static struct blink_tree_ioc_load load_of(unsigned int count, size_t size)
{
	return (struct blink_tree_ioc_load){
		.count = count,
		.entries = array_address(),
		.fill = 100,
		.entry_size = size,
	};
}

/* @count entries from @first on. */
static void fill_entries(__u64 first, unsigned int count, size_t size)
{
	char *entries = array(count * size);
	struct blink_tree_entry *entry;
	unsigned int i;

	for (i = 0; i < count; i++) {
		entry = (void *)(entries + i * size);
		entry->key = first + i;
		entry->value = ~entry->key;
	}
}

static bool has(int tree, __u64 key)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.key = key,
	};

	return !call(tree, BLINK_TREE_IOC_OP, &op);
}

static void chunks_of_entries(int tree)
{
	const size_t size = sizeof(struct blink_tree_entry) + LONGER;
	struct blink_tree_ioc_load arg = load_of(ENTRIES, size);
	unsigned int i;

	fill_entries(1000, ENTRIES, size);
	tap_check(!call(tree, BLINK_TREE_IOC_LOAD, &arg));
	tap_check(arg.done == ENTRIES);
	for (i = 0; i < ENTRIES; i++)
		tap_check(has(tree, 1000 + i));
}

/* All entries of the tree, with or without memory for a long chunk of them. */
static void chunks_of_a_scan(int tree, bool memory)
{
	const size_t size = sizeof(struct blink_tree_entry) + LONGER;
	char *entries = array((OPS + ENTRIES) * size);
	struct blink_tree_ioc_scan arg = {
		.capacity = OPS + ENTRIES,
		.last = ~0ULL,
		.entries = array_address(),
		.entry_size = size,
	};
	struct blink_tree_entry *entry;
	unsigned int i;

	fail_allocation(!memory);
	tap_check(!call(tree, BLINK_TREE_IOC_SCAN, &arg));
	tap_check(arg.count == OPS + ENTRIES && allocation_failed());
	for (i = 0; i < arg.count; i++) {
		entry = (void *)(entries + i * size);
		tap_check(entry->key == (i < OPS ? i : 1000 + i - OPS));
	}
}

void second_chunks(void)
{
	int tree = create("", 0);

	chunks_of_operations(tree);
	chunks_of_entries(tree);
	chunks_of_a_scan(tree, true);
	chunks_of_a_scan(tree, false);
	fuzz_close(tree);
	tap_case("the second chunk of an array is where it is");
}

/* The entries before the key in the way are there, and counted. */
static void loaded_until(int tree)
{
	const size_t size = sizeof(struct blink_tree_entry);
	struct blink_tree_ioc_load arg = load_of(10, size);
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = 2005,
	};

	tap_check(!call(tree, BLINK_TREE_IOC_OP, &op));
	fill_entries(2000, 10, size);
	tap_check(call(tree, BLINK_TREE_IOC_LOAD, &arg) == -EEXIST);
	tap_check(arg.done == 5 && has(tree, 2004) && !has(tree, 2006));
}

/* An operation that was executed counts, though its result cannot be written. */
static void executed_untold(int tree)
{
	__u64 there = memory_address(0, PLACE_READ_ONLY, 0, true);
	struct blink_tree_ioc_op ops[3] = {};
	struct blink_tree_ioc_batch arg = {
		.count = 3,
		.ops = there,
		.op_size = sizeof(ops[0]),
	};
	size_t bytes = sizeof(ops);
	unsigned int i;

	for (i = 0; i < 3; i++) {
		ops[i].opcode = BLINK_TREE_OP_INSERT;
		ops[i].key = 3000 + i;
	}
	memcpy(memory_alias(there, &bytes), ops, sizeof(ops));
	tap_check(call(tree, BLINK_TREE_IOC_BATCH, &arg) == -EFAULT);
	tap_check(arg.done == 3 && has(tree, 3000) && has(tree, 3002));
}

/* Nothing is set, if what came of it could not be told. */
static void set_untold(int tree)
{
	struct blink_tree_ioc_attr attr = {
		.flags = BLINK_TREE_ATTR_MODE,
		.mode = 0,
	};

	tap_check(call_at(PLACE_READ_ONLY, tree, BLINK_TREE_IOC_ATTR, &attr) ==
		  -EFAULT);
	tap_check(!attr_of(tree, &attr) && attr.mode == 0600);
}

/* How many there are does not depend on the room. */
static void levels_without_room(int tree)
{
	struct blink_tree_ioc_levels arg = {
		.capacity = 1,
		.levels = array_address(),
		.level_size = sizeof(struct blink_tree_level_stats),
	};
	struct blink_tree_level_stats *levels = array(2 * sizeof(*levels));

	tap_check(!call(tree, BLINK_TREE_IOC_LEVELS, &arg));
	tap_check(arg.count == arg.height && arg.count > 1);
	tap_check(levels[0].nodes && !levels[1].nodes);
	arg.levels = memory_address(0, PLACE_END, 0, true);
	tap_check(call(tree, BLINK_TREE_IOC_LEVELS, &arg) == -EFAULT);
	arg.capacity = 0;
	tap_check(!call(tree, BLINK_TREE_IOC_LEVELS, &arg) && !arg.count);
}

/* A name that is taken costs no descriptor, and is free for the one that has it. */
static void names_taken(int tree)
{
	struct blink_tree_ioc_attr same = {
		.flags = BLINK_TREE_ATTR_NAME,
		.name = "h",
	};
	unsigned int i;

	for (i = 0; i < 2 * FUZZ_FILES; i++)
		tap_check(create("h", 0600) == -EEXIST);
	tap_check(!call(tree, BLINK_TREE_IOC_ATTR, &same));
}

/* Nothing is done by an operation whose result cannot be written. */
static void op_untold(int tree)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = 5000,
	};

	tap_check(call_at(PLACE_READ_ONLY, tree, BLINK_TREE_IOC_OP, &op) ==
		  -EFAULT);
	tap_check(!has(tree, 5000));
}

/* How many of the keys from @first on are there; no others between may be. */
static unsigned int row_of(int tree, __u64 first, unsigned int nr)
{
	unsigned int i, row = 0;

	for (i = 0; i < nr; i++) {
		if (!has(tree, first + i))
			continue;
		tap_check(row == i);
		row++;
	}
	return row;
}

/* Operations, or entries, up to the end of memory: as many are done as are counted. */
static void unreadable(int tree)
{
	static const unsigned int readable[] = { 0, 1, 50, 128, 250 };
	const __u64 end = memory_address(0, PLACE_END, 0, true);
	struct blink_tree_ioc_batch batch = {
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	struct blink_tree_ioc_load load =
		load_of(0, sizeof(struct blink_tree_entry));
	size_t bytes = MEMORY_WRITABLE;
	struct blink_tree_entry *entry;
	struct blink_tree_ioc_op *op;
	unsigned int i, k, nr;
	__u64 first;

	for (i = 0; i < ARRAY_SIZE(readable); i++) {
		nr = readable[i];
		first = 10000 + 1000 * i;
		batch.count = nr + 1;
		batch.ops = end - nr * sizeof(*op);
		op = memory_alias(batch.ops, &bytes);
		for (k = 0; k < nr; k++)
			op[k] = (struct blink_tree_ioc_op){
				.opcode = BLINK_TREE_OP_INSERT,
				.result = 1,
				.key = first + k,
			};
		tap_check(call(tree, BLINK_TREE_IOC_BATCH, &batch) == -EFAULT);
		tap_check(batch.done <= nr &&
			  row_of(tree, first, nr) == batch.done);
		for (k = 0; k < nr; k++)
			tap_check(op[k].result == (k >= batch.done));
		first += 500;
		load.count = nr + 1;
		load.entries = end - nr * sizeof(*entry);
		entry = memory_alias(load.entries, &bytes);
		for (k = 0; k < nr; k++)
			entry[k] = (struct blink_tree_entry){ first + k, 0 };
		tap_check(call(tree, BLINK_TREE_IOC_LOAD, &load) == -EFAULT);
		tap_check(load.done <= nr &&
			  row_of(tree, first, nr) == load.done);
	}
}

/* The same range can be scanned again, though some entries were written already. */
static void scan_untold(int tree)
{
	static const unsigned int room[] = { 0, 1, 50, 256 };
	const __u64 end = memory_address(0, PLACE_END, 0, true);
	struct blink_tree_ioc_scan arg = {
		.first = 1001,
		.last = 1298,
		.entry_size = sizeof(struct blink_tree_entry),
	}, before;
	unsigned int i, desc;

	for (i = 0; i < 2 * ARRAY_SIZE(room); i++) {
		desc = i % 2 ? BLINK_TREE_SCAN_DESC : 0;
		arg.flags = desc;
		arg.first = 1001;
		arg.last = 1298;
		arg.capacity = room[i / 2] + 1;
		arg.entries =
			end - room[i / 2] * sizeof(struct blink_tree_entry);
		before = arg;
		tap_check(call(tree, BLINK_TREE_IOC_SCAN, &arg) == -EFAULT);
		tap_check(arg.first == before.first &&
			  arg.last == before.last && arg.flags == before.flags);
		/* Room that is not needed need not be there. */
		arg.capacity = ~0u;
		arg.last = arg.first + room[i / 2] - 1;
		if (!room[i / 2])
			continue;
		tap_check(!call(tree, BLINK_TREE_IOC_SCAN, &arg));
		tap_check(arg.count == room[i / 2]);
	}
}

static long erase(unsigned int place, int tree, __u64 first, __u64 last,
		  struct blink_tree_ioc_record_erase *arg)
{
	__u64 *bounds = array(2 * sizeof(*bounds));

	bounds[0] = htobe64(first);
	bounds[1] = htobe64(last);
	arg->first = array_address();
	arg->last = array_address() + sizeof(*bounds);
	arg->first_length = sizeof(*bounds);
	arg->last_length = sizeof(*bounds);
	return call_at(place, tree, BLINK_TREE_IOC_RECORD_ERASE, arg);
}

/* The count and the rest of the range are told, and nothing is removed untold. */
static void range_erased(int tree)
{
	const size_t size = sizeof(struct blink_tree_entry);
	struct blink_tree_ioc_load load = load_of(10, size);
	struct blink_tree_ioc_record_erase arg = {}, done = {
		.flags = BLINK_TREE_RECORD_ERASE_DONE,
	};

	fill_entries(4000, 10, size);
	tap_check(!call(tree, BLINK_TREE_IOC_LOAD, &load));
	tap_check(erase(PLACE_READ_ONLY, tree, 4002, 4007, &arg) == -EFAULT);
	tap_check(has(tree, 4002));
	tap_check(erase(PLACE_START, tree, 4008, 4007, &arg) == -EINVAL);
	tap_check(has(tree, 4002));
	arg.count = 99;
	tap_check(!erase(PLACE_START, tree, 4002, 4007, &arg));
	tap_check(arg.count == 6 && arg.flags & BLINK_TREE_RECORD_ERASE_DONE);
	tap_check(has(tree, 4001) && !has(tree, 4002));
	tap_check(!has(tree, 4007) && has(tree, 4008));
	/* After DONE, as after the end. */
	tap_check(!erase(PLACE_START, tree, 4000, 4007, &done) && !done.count);
	tap_check(has(tree, 4000) && done.first == array_address());
}

void halves(void)
{
	int tree = create("h", 0600);

	chunks_of_entries(tree);
	loaded_until(tree);
	executed_untold(tree);
	set_untold(tree);
	range_erased(tree);
	levels_without_room(tree);
	names_taken(tree);
	unreadable(tree);
	scan_untold(tree);
	op_untold(tree);
	fuzz_close(tree);
	unlink_tree("h");
	tap_case("a call that fails half-way tells, and leaves, what it did");
}

/*
 * Keys that rise, that fall, and that jump, within chunks and from one to the next. One
 * that is present ends the call there.
 */
void loaded_in_any_order(void)
{
	static const unsigned int steps[] = { 1, ENTRIES - 1, 7, 101 };
	const size_t size = sizeof(struct blink_tree_entry);
	struct blink_tree_ioc_load arg;
	struct blink_tree_entry *entries;
	unsigned int i, k;
	int tree;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		tree = create("", 0);
		entries = array(ENTRIES * size);
		for (k = 0; k < ENTRIES; k++)
			entries[k].key = k * steps[i] % ENTRIES;
		arg = load_of(ENTRIES, size);
		tap_check(!call(tree, BLINK_TREE_IOC_LOAD, &arg));
		tap_check(arg.done == ENTRIES);
		for (k = 0; k < ENTRIES; k++)
			tap_check(has(tree, k));
		tap_check(!has(tree, ENTRIES));
		entries[0].key = 1000;
		arg = load_of(2, size);
		tap_check(call(tree, BLINK_TREE_IOC_LOAD, &arg) == -EEXIST);
		tap_check(arg.done == 1 && has(tree, 1000));
		fuzz_close(tree);
	}
	tap_case("a load takes keys in any order");
}

/* A tree with so many bytes is not destroyed at once. */
#define LARGE (512UL << 10)

/* The task that drops the last descriptor or the name leaves a large tree to a worker. */
void given_to_a_worker(void)
{
	const size_t size = sizeof(struct blink_tree_entry);
	struct blink_tree_ioc_load arg;
	struct blink_tree_ioc_stats stats = {};
	unsigned int before = fuzz_queued;
	__u64 key = 0;
	int tree, name;

	fuzz_close(create("", 0));
	tap_check(fuzz_queued == before);
	tree = create("", 0);
	name = create("large", 0600);
	do {
		fill_entries(key, ENTRIES, size);
		arg = load_of(ENTRIES, size);
		tap_check(!call(tree, BLINK_TREE_IOC_LOAD, &arg));
		tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
		key += ENTRIES;
		tap_check(!call(name, BLINK_TREE_IOC_LOAD, &arg));
	} while (stats.bytes <= LARGE);
	fuzz_close(tree);
	tap_check(fuzz_queued == before + 1);
	fuzz_close(name);
	tap_check(fuzz_queued == before + 1);
	tap_check(!unlink_tree("large"));
	tap_check(fuzz_queued == before + 2);
	tap_case("a large tree is destroyed by a worker");
}

/* More levels than any tree here has. */
#define LEVELS 64
/* More than fit a root over leaves. */
#define THREE_LEVELS 20

/* The nodes of all levels are those that VERIFY counts, and the bytes those of STATS. */
void levels_add_up(void)
{
	const size_t size = sizeof(struct blink_tree_entry);
	struct blink_tree_level_stats *at = array(LEVELS * sizeof(*at));
	struct blink_tree_ioc_levels arg = {
		.capacity = LEVELS,
		.levels = array_address(),
		.level_size = sizeof(*at),
	};
	struct blink_tree_ioc_verify verify = {};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_ioc_info info = {};
	__u64 used[2] = {}, nodes[2] = {}, bytes = 0;
	struct blink_tree_ioc_load load;
	unsigned int i;
	int tree = create("", 0);

	for (i = 0; i < THREE_LEVELS; i++) {
		fill_entries(i * ENTRIES, ENTRIES, size);
		load = load_of(ENTRIES, size);
		load.fill = 20;
		tap_check(!call(tree, BLINK_TREE_IOC_LOAD, &load));
	}
	tap_check(!call(device, BLINK_TREE_IOC_INFO, &info));
	tap_check(!call(tree, BLINK_TREE_IOC_VERIFY, &verify));
	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	array(LEVELS * sizeof(*at));
	tap_check(!call(tree, BLINK_TREE_IOC_LEVELS, &arg));
	tap_check(arg.known == sizeof(*at) && arg.height == verify.height);
	tap_check(arg.height >= 3 && arg.count >= arg.height);
	for (i = 0; i < arg.count && i < LEVELS; i++) {
		const bool inner = at[i].level;

		tap_check(at[i].level < arg.height);
		tap_check(at[i].slots ==
			  at[i].nodes *
				  (inner ? info.inner_slots : info.leaf_slots));
		tap_check(at[i].bytes ==
			  at[i].nodes *
				  (inner ? info.inner_bytes : info.leaf_bytes));
		tap_check(at[i].used <= at[i].slots);
		nodes[inner] += at[i].nodes;
		used[inner] += at[i].used;
		bytes += at[i].bytes;
	}
	tap_check(nodes[0] == verify.leaves && nodes[1] == verify.inner);
	/* Each node but the root is a child of one. */
	tap_check(used[1] == nodes[0] + nodes[1] - 1);
	tap_check(used[0] == THREE_LEVELS * ENTRIES &&
		  used[0] == stats.entries && !stats.max_entries);
	tap_check(bytes == stats.bytes - stats.limbo_bytes);
	fuzz_close(tree);
	tap_case("levels add up to what is told of the tree");
}
