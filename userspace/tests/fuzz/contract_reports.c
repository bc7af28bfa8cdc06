// SPDX-License-Identifier: GPL-2.0
/*
 * Reports of what happens in a tree: how many operations read, how many replaced a value,
 * and in which leaves writers waited.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/record.h"
#include "../common/tap.h"
#include "contract.h"
#include "memory.h"

#include "chardev/registry.h"
#include "core/inspect/visit.h"
#include "core/node/node.h"

/* More operations than a chunk of a batch has, and more than a chunk of records. */
#define OPS 300
#define RECORDS 90

static char input[RECORDS * (RECORD_HEADER + 32)];
/* Room for a long string, which a search could find. */
static char output[RECORDS * 48 + 2048];

/* An operation on the tree that has the key 5 with the value 50. */
struct step {
	__u16 opcode;
	__u64 key;
	__u64 old;
	bool reads;
	bool updates;
};

static const struct step steps[] = {
	{ BLINK_TREE_OP_LOOKUP, 5, .reads = true },
	{ BLINK_TREE_OP_LOOKUP, 6, .reads = true },
	{ BLINK_TREE_OP_FLOOR, 6, .reads = true },
	{ BLINK_TREE_OP_FLOOR, 4, .reads = true },
	{ BLINK_TREE_OP_CEILING, 4, .reads = true },
	{ BLINK_TREE_OP_CEILING, 6, .reads = true },
	{ BLINK_TREE_OP_STORE, 5, .updates = true },
	{ BLINK_TREE_OP_REPLACE, 5, .updates = true },
	{ BLINK_TREE_OP_ADD_SATURATE, 5, .updates = true },
	{ BLINK_TREE_OP_STORE, 5, .updates = true },
	{ BLINK_TREE_OP_CMPXCHG, 5, .old = 50, .updates = true },
	{ BLINK_TREE_OP_CMPXCHG, 5, .old = 51 },
	{ BLINK_TREE_OP_CMPXCHG, 6 },
	{ BLINK_TREE_OP_REPLACE, 6 },
	{ BLINK_TREE_OP_INSERT, 5 },
	{ BLINK_TREE_OP_GET_OR_INSERT, 5 },
	{ BLINK_TREE_OP_ERASE, 6 },
	{ BLINK_TREE_OP_CMPERASE, 5, .old = 51 },
};

static struct blink_tree_ioc_stats stats_of(int tree)
{
	struct blink_tree_ioc_stats stats = {};

	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	return stats;
}

/* Whether the counters of a tree became greater by these numbers. */
static bool counted(int tree, const struct blink_tree_ioc_stats *before,
		    __u64 reads, __u64 updates)
{
	const struct blink_tree_ioc_stats now = stats_of(tree);

	return now.reads - before->reads == reads &&
	       now.updates - before->updates == updates;
}

static struct blink_tree_ioc_op op_of(const struct step *step)
{
	return (struct blink_tree_ioc_op){
		.opcode = step->opcode,
		.key = step->key,
		.value = 50,
		.old = step->old,
	};
}

static void by_op(int tree, const struct step *step)
{
	const struct blink_tree_ioc_stats before = stats_of(tree);
	struct blink_tree_ioc_op op = op_of(step);

	call(tree, BLINK_TREE_IOC_OP, &op);
	tap_check(counted(tree, &before, step->reads, step->updates));
}

static void by_batch(int tree, const struct step *step, unsigned int count)
{
	const struct blink_tree_ioc_stats before = stats_of(tree);
	struct blink_tree_ioc_batch arg = {
		.count = count,
		.ops = array_address(),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	struct blink_tree_ioc_op *ops = array(count * sizeof(*ops));
	unsigned int i;

	for (i = 0; i < count; i++)
		ops[i] = op_of(step);
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &arg));
	tap_check(counted(tree, &before, count * step->reads,
			  count * step->updates));
}

static void by_records(int tree, enum blink_tree_key kind,
		       const struct step *step, unsigned int count)
{
	const bool pairs = kind == BLINK_TREE_KEY_MULTI;
	const struct blink_tree_ioc_stats before = stats_of(tree);
	char bytes[16];
	const struct rec rec = {
		.opcode = step->opcode,
		.key = number_put(bytes, kind, 0, step->key),
		.value = takes_value(step->opcode) ? WORD(50) : NO_STRING,
		.old = takes_old(step->opcode) ? WORD(step->old) : NO_STRING,
	};
	struct blink_tree_ioc_records arg = {};
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < count; i++)
		size += rec_put(input + size, &rec);
	tap_check(
		!call_records(tree, input, size, output, sizeof(output), &arg));
	tap_check(arg.done == count);
	/* A pair has no value that could be replaced. */
	tap_check(
		counted(tree, &before, count * step->reads,
			pairs ? count * (step->opcode == BLINK_TREE_OP_STORE) :
				count * step->updates));
}

/* A descriptor that may only write searches for nothing. */
static void refused(void)
{
	const struct blink_tree_ioc_stats none = {};
	int tree = create("reads", 0600);
	int writer = open_tree("reads", BLINK_TREE_OPEN_WRITE);
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP };
	struct blink_tree_ioc_batch batch = {
		.count = 1,
		.ops = array_address(),
		.op_size = sizeof(op),
	};

	array(sizeof(op));
	tap_check(call(writer, BLINK_TREE_IOC_OP, &op) == -EBADF);
	tap_check(!call(writer, BLINK_TREE_IOC_BATCH, &batch));
	/* Neither is an operation that does not exist. */
	op.opcode = BLINK_TREE_OP_NR;
	tap_check(call(tree, BLINK_TREE_IOC_OP, &op) == -EINVAL);
	op.opcode = 64 + BLINK_TREE_OP_LOOKUP;
	tap_check(call(tree, BLINK_TREE_IOC_OP, &op) == -EINVAL);
	op = (struct blink_tree_ioc_op){ .flags = 1 };
	tap_check(call(tree, BLINK_TREE_IOC_OP, &op) == -EINVAL);
	tap_check(counted(tree, &none, 0, 0));
	fuzz_close(writer);
	fuzz_close(tree);
	unlink_tree("reads");
}

static void counted_in(enum blink_tree_key kind)
{
	struct blink_tree_ioc_create how = { .mode = 0600, .key = kind };
	const struct step insert = { BLINK_TREE_OP_INSERT, 5 };
	int tree = call(device, BLINK_TREE_IOC_CREATE, &how);
	const struct step *step;

	by_records(tree, kind, &insert, 1);
	for (step = steps; step < steps + ARRAY_SIZE(steps); step++) {
		by_records(tree, kind, step, 1);
		by_records(tree, kind, step, RECORDS);
		if (kind != BLINK_TREE_KEY_U64)
			continue;
		by_op(tree, step);
		by_batch(tree, step, 1);
		by_batch(tree, step, OPS);
	}
	fuzz_close(tree);
}

void reads_counted(void)
{
	static const enum blink_tree_key kinds[] = {
		BLINK_TREE_KEY_U64,
		BLINK_TREE_KEY_U128,
		BLINK_TREE_KEY_MULTI,
		BLINK_TREE_KEY_BYTES,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		counted_in(kinds[i]);
	refused();
	tap_case("statistics count what operations read and replaced");
}

/* Keys of a tree with hot leaves, and the longest of them, which a bound does not show. */
#define KEYS 200
#define LONG_KEY 100

static unsigned char leaf_keys[KEYS][LONG_KEY];

/* A key with a number that is a multiple of 3; longer ones end with letters. */
static void make_key(unsigned char *to, unsigned int i, size_t length)
{
	const __u64 number = htobe64(3 * (i + 1));

	memset(to, length == 16 ? 0 : 'x', length);
	memcpy(length == 16 ? to + 8 : to, &number, sizeof(number));
}

/* Insert a key with a value of 8 bytes. */
static void insert_key(int tree, const unsigned char *key, size_t length)
{
	const struct rec rec = { .opcode = BLINK_TREE_OP_INSERT,
				 .key = { length, key },
				 .value = WORD(0) };
	char stream[RECORD_HEADER + LONG_KEY + 16];
	struct blink_tree_ioc_records arg = {};

	tap_check(!call_records(tree, stream, rec_put(stream, &rec), output,
				2048, &arg) &&
		  arg.done == 1);
}

/* Each leaf has less heat than the one before it. The heat of all layouts is one field. */
static void warm_leaf(void *data, const void *node, size_t bytes,
		      unsigned int level)
{
	struct blink_node *leaf = (struct blink_node *)node;
	u8 *heat = data;

	(void)bytes;
	if (!level)
		leaf->heat = *heat ? --*heat : 0;
}

/* The leaves of the only named tree get @heat - 1, @heat - 2, ... 0, 0. */
static void warm(u8 heat)
{
	struct blink_object *object = blink_registry_next(0);

	tap_check(!blink_tree_visit(object->tree, warm_leaf, &heat));
	blink_object_put(object);
}

static struct blink_tree_hot_leaf *hot_leaves(int tree, unsigned int capacity,
					      unsigned int *count)
{
	struct blink_tree_ioc_hot_leaves arg = {
		.capacity = capacity,
		.leaves = array_address(),
		.leaf_size = sizeof(struct blink_tree_hot_leaf),
	};
	void *leaves = array(capacity * arg.leaf_size);

	tap_check(!call(tree, BLINK_TREE_IOC_HOT_LEAVES, &arg));
	tap_check(arg.known == arg.leaf_size && arg.count <= capacity);
	*count = arg.count;
	return leaves;
}

/*
 * The bound of a leaf: a string is the last key of the leaf before, a number the one
 * behind it. Of a pair it is the key that both can have.
 */
static void check_low(const struct blink_tree_hot_leaf *leaf,
		      enum blink_tree_key kind, const unsigned char *last,
		      size_t length)
{
	unsigned char low[LONG_KEY] = {};
	const bool number = kind == BLINK_TREE_KEY_U64 ||
			    kind == BLINK_TREE_KEY_U128;
	const size_t shown = min(length, sizeof(leaf->low));

	if (last) {
		memcpy(low, last, length);
		low[length - 1] += number;
	} else if (kind == BLINK_TREE_KEY_BYTES) {
		length = 0;
	}
	tap_check(leaf->low_length == length);
	tap_check(!memcmp(leaf->low, low, shown));
	tap_check(!memchr_inv(leaf->low + shown, 0, sizeof(leaf->low) - shown));
}

static void told_of(enum blink_tree_key kind, size_t length)
{
	struct blink_tree_ioc_create how = { .mode = 0600,
					     .name = "hot",
					     .key = kind };
	int tree = call(device, BLINK_TREE_IOC_CREATE, &how);
	const struct blink_tree_hot_leaf *leaves;
	unsigned int i, count, few, keys = 0;

	for (i = 0; i < KEYS; i++) {
		make_key(leaf_keys[i], i, length);
		insert_key(tree, leaf_keys[i], length);
	}
	hot_leaves(tree, 10, &count);
	tap_check(!count);
	/* All leaves are hot, and come in the order of their keys. */
	warm(255);
	leaves = hot_leaves(tree, 64, &count);
	tap_check(count > 2 && count < 64);
	for (i = 0; i < count; i++) {
		tap_check(leaves[i].heat == 254 - i && !leaves[i].nid);
		check_low(&leaves[i], kind, keys ? leaf_keys[keys - 1] : NULL,
			  length);
		keys += leaves[i].keys;
	}
	tap_check(keys == KEYS);
	/* Two leaves: first the array has room for two, then two are hot. */
	leaves = hot_leaves(tree, 2, &few);
	tap_check(few == 2 && leaves[0].heat == 254 && leaves[1].heat == 253);
	warm(3);
	leaves = hot_leaves(tree, 64, &few);
	tap_check(few == 2 && leaves[0].heat == 2 && leaves[1].heat == 1);
	fuzz_close(tree);
	unlink_tree("hot");
}

void hot_leaves_told(void)
{
	told_of(BLINK_TREE_KEY_U64, 8);
	told_of(BLINK_TREE_KEY_U128, 16);
	told_of(BLINK_TREE_KEY_MULTI, 8);
	told_of(BLINK_TREE_KEY_BYTES, 8);
	told_of(BLINK_TREE_KEY_BYTES, LONG_KEY);
	tap_case("the hottest leaves are told, with bounds of their keys");
}

/* The error of a call; @count stays as it is. */
static long hot_error(int tree, struct blink_tree_ioc_hot_leaves arg)
{
	long ret;

	arg.count = 99;
	arg.leaves = arg.leaves ?: array_address();
	ret = call(tree, BLINK_TREE_IOC_HOT_LEAVES, &arg);
	tap_check(ret ? arg.count == 99 : arg.count <= arg.capacity);
	return ret;
}

/* An array of which only a part is there; an element that is longer than ours. */
static void hot_arrays(int tree)
{
	const size_t size = sizeof(struct blink_tree_hot_leaf);
	struct blink_tree_ioc_hot_leaves arg = {
		.capacity = 2,
		.leaves = memory_address(0, PLACE_END, 0, true) - 2 * size,
		.leaf_size = size,
	};
	struct blink_tree_hot_leaf *leaves;
	char *longer;

	tap_check(!call(tree, BLINK_TREE_IOC_HOT_LEAVES, &arg));
	arg.leaves += 8;
	tap_check(hot_error(tree, arg) == -EFAULT);
	longer = memset(array(3 * size), 0xff, 3 * size);
	arg.leaves = array_address();
	arg.leaf_size = size + 8;
	tap_check(!call(tree, BLINK_TREE_IOC_HOT_LEAVES, &arg));
	tap_check(arg.known == size && arg.count == 2);
	tap_check(!memchr_inv(longer + size, 0, 8));
	leaves = (void *)longer;
	tap_check(leaves->heat == 254);
	leaves = (void *)(longer + size + 8);
	tap_check(leaves->heat == 253);
	tap_check((unsigned char)longer[2 * (size + 8)] == 0xff);
}

static void hot_interrupted(int tree)
{
	const struct blink_tree_ioc_hot_leaves good = {
		.capacity = 64,
		.leaf_size = sizeof(struct blink_tree_hot_leaf),
	};
	unsigned int nth;

	shim_self->killed = true;
	tap_check(hot_error(tree, good) == -EINTR);
	shim_self->killed = false;
	for (nth = 1; nth <= 2; nth++) {
		fail_allocation(nth);
		tap_check(hot_error(tree, good) == -ENOMEM);
	}
	fail_allocation(0);
	tap_check(!hot_error(tree, good));
}

void hot_leaves_refused(void)
{
	const __u32 size = sizeof(struct blink_tree_hot_leaf);
	int tree = create("hot", 0600), writer;
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		make_key(leaf_keys[i], i, 8);
		insert_key(tree, leaf_keys[i], 8);
	}
	warm(255);
	writer = open_tree("hot", BLINK_TREE_OPEN_WRITE);
#define HOT(fd, ...) \
	hot_error(fd, (struct blink_tree_ioc_hot_leaves){ __VA_ARGS__ })
	tap_check(!HOT(tree, .capacity = 64, .leaf_size = size));
	tap_check(HOT(tree, .capacity = 0, .leaf_size = size) == -EINVAL);
	tap_check(HOT(tree, .capacity = 65, .leaf_size = size) == -EINVAL);
	tap_check(HOT(tree, .capacity = 1, .leaf_size = size - 1) == -EINVAL);
	tap_check(HOT(tree, .capacity = 1,
		      .leaf_size = BLINK_TREE_ELEMENT_MAX + 1) == -EINVAL);
	tap_check(HOT(tree, .capacity = 1, .leaf_size = size, .flags = 1) ==
		  -EINVAL);
	tap_check(HOT(tree, .capacity = 1, .leaf_size = size,
		      .__reserved = 1) == -EINVAL);
	tap_check(HOT(writer, .capacity = 1, .leaf_size = size) == -EBADF);
	tap_check(HOT(device, .capacity = 1, .leaf_size = size) == -ENOTTY);
#undef HOT
	hot_arrays(tree);
	hot_interrupted(tree);
	fuzz_close(writer);
	fuzz_close(tree);
	unlink_tree("hot");
	tap_case("each error of a report of hot leaves");
}

#define LEVELS 16

/* The keys of all nodes: of inner nodes, and of leaves. */
struct keys_of {
	__u64 leaves;
	__u64 inner;
};

static struct keys_of keys_of(int tree)
{
	struct blink_tree_level_stats *levels = array(LEVELS * sizeof(*levels));
	struct blink_tree_ioc_levels arg = {
		.capacity = LEVELS,
		.levels = array_address(),
		.level_size = sizeof(*levels),
	};
	struct keys_of keys = {};
	unsigned int i;

	tap_check(!call(tree, BLINK_TREE_IOC_LEVELS, &arg));
	tap_check(arg.height > 1 && arg.count <= LEVELS);
	for (i = 0; i < arg.count; i++)
		*(levels[i].level ? &keys.inner : &keys.leaves) +=
			levels[i].used;
	return keys;
}

/* On two NUMA nodes; all memory seems to be on the first one here. */
void levels_of_copies(void)
{
	struct keys_of of[BLINK_TREE_REPLICATE_FULL + 1];
	struct blink_tree_ioc_op op = { BLINK_TREE_OP_INSERT };
	struct blink_tree_ioc_create how = {};
	unsigned int parts;
	int tree;

	for (parts = 0; parts < ARRAY_SIZE(of); parts++) {
		how.replication = parts;
		tree = call(device, BLINK_TREE_IOC_CREATE, &how);
		for (op.key = 0; op.key < OPS; op.key++)
			tap_check(!call(tree, BLINK_TREE_IOC_OP, &op));
		of[parts] = keys_of(tree);
		fuzz_close(tree);
	}
	tap_check(of[BLINK_TREE_REPLICATE_NONE].leaves == OPS);
	tap_check(of[BLINK_TREE_REPLICATE_INNER].leaves == OPS);
	tap_check(of[BLINK_TREE_REPLICATE_FULL].leaves == 2 * OPS);
	tap_check(of[BLINK_TREE_REPLICATE_NONE].inner > 1);
	tap_check(of[BLINK_TREE_REPLICATE_INNER].inner ==
		  2 * of[BLINK_TREE_REPLICATE_NONE].inner);
	tap_check(of[BLINK_TREE_REPLICATE_FULL].inner ==
		  of[BLINK_TREE_REPLICATE_INNER].inner);
	tap_case("levels count each copy as a node");
}
