// SPDX-License-Identifier: GPL-2.0
/*
 * Every ioctl with every allocation and every copy from and to user memory
 * failed in turn: it must succeed all the same, or fail with ENOMEM or EFAULT
 * and leave the trees as they were, or as if it had succeeded where the answer
 * alone got lost.
 *
 * A *trial* is one ioctl: it prepares it, makes the call with a fault armed,
 * notes in @wrong if what is there afterwards does not fit the result, and
 * puts everything back for the next.
 */
#include "kselftest_harness.h"

#include "../common/record.h"
#include "fault_inject.h"

#define NAME "selftest.faults"
#define OTHER "selftest.faults.other"
#define KEYS 200
#define BATCH 100
#define POINTS 100

struct subject {
	struct fault_inject inject;
	unsigned int nth;
	const char *wrong;
	int device;
	int tree;
	struct blink_tree_ioc_create how;
	struct blink_tree_ioc_op ops[BATCH];
	struct blink_tree_entry entries[KEYS];
	struct blink_tree_level_stats levels[16];
	struct blink_tree_hot_leaf leaves[4];
	struct blink_tree_list_entry listed[8];
};

FIXTURE(faults)
{
	struct subject subject;
};

FIXTURE_VARIANT(faults)
{
	int (*run)(struct subject *s);
	struct blink_tree_ioc_create how;
};

static int control(struct subject *s, unsigned long cmd, void *arg)
{
	return fault_nth(&s->inject, s->nth, s->device, cmd, arg);
}

static int on_tree(struct subject *s, unsigned long cmd, void *arg)
{
	return fault_nth(&s->inject, s->nth, s->tree, cmd, arg);
}

static void wrong_if(struct subject *s, bool wrong, const char *what)
{
	if (wrong)
		s->wrong = what;
}

static int run_info(struct subject *s)
{
	struct blink_tree_ioc_info info = {};
	int ret = control(s, BLINK_TREE_IOC_INFO, &info);

	wrong_if(s, !ret && info.known != sizeof(info), "no info");
	return ret;
}

static int run_create(struct subject *s)
{
	struct blink_tree_ioc_create create = s->how;
	int ret;

	create.mode = 0600;
	ret = control(s, BLINK_TREE_IOC_CREATE, &create);
	if (ret >= 0)
		close(ret);
	return ret;
}

static int run_create_named(struct subject *s)
{
	struct blink_tree_ioc_create create = { .mode = 0600, .name = OTHER };
	int ret = control(s, BLINK_TREE_IOC_CREATE, &create);
	int unlinked = tree_unlink(s->device, OTHER);

	if (ret >= 0)
		close(ret);
	wrong_if(s, unlinked != (ret < 0 ? -ENOENT : 0),
		 "a name without a creator, or the reverse");
	return ret;
}

static int run_open(struct subject *s)
{
	struct blink_tree_ioc_open open = { .flags = BLINK_TREE_OPEN_READ,
					    .name = NAME };
	int ret = control(s, BLINK_TREE_IOC_OPEN, &open);

	if (ret >= 0)
		close(ret);
	return ret;
}

static int run_unlink(struct subject *s)
{
	struct blink_tree_ioc_unlink unlink = { .name = OTHER };
	int ret;

	close(tree_create(s->device, OTHER, 0600, 0));
	ret = control(s, BLINK_TREE_IOC_UNLINK, &unlink);
	wrong_if(s, tree_unlink(s->device, OTHER) != (ret ? 0 : -ENOENT),
		 "unlinked in spite of an error, or the reverse");
	return ret;
}

static int run_list(struct subject *s)
{
	struct blink_tree_ioc_list list = {
		.capacity = ARRAY_SIZE(s->listed),
		.trees = ptr_to_u64(s->listed),
		.entry_size = sizeof(s->listed[0]),
	};
	int ret = control(s, BLINK_TREE_IOC_LIST, &list);

	wrong_if(s, !ret && !list.count, "nothing listed");
	return ret;
}

/* Operations on key 10, which has a value, and on 11, which is not there. */
static int run_op(struct subject *s, unsigned int opcode, __u64 key)
{
	struct blink_tree_ioc_op op = {
		.opcode = opcode,
		.key = key,
		.value = 1,
		.old = value_of(10),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_OP, &op), there;
	__u64 value;

	/* There is room: none of them needs memory of its own. */
	wrong_if(s, ret && ret != -EFAULT, "an error that is none of its own");
	there = lookup(s->tree, 10, &value);
	wrong_if(s,
		 there ? opcode != BLINK_TREE_OP_ERASE :
			 value != value_of(10) && value != 1,
		 "key 10 lost or with another value");
	wrong_if(s, !ret && opcode == BLINK_TREE_OP_ERASE && !there,
		 "key 10 still there");
	wrong_if(s,
		 !ret &&
			 (opcode == BLINK_TREE_OP_INSERT ||
			  opcode == BLINK_TREE_OP_GET_OR_INSERT) &&
			 lookup(s->tree, 11, &value),
		 "key 11 not there");
	store(s->tree, 10, value_of(10));
	erase(s->tree, 11);
	return ret;
}

static int run_lookup(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_LOOKUP, 10);
}

static int run_insert(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_INSERT, 11);
}

static int run_store(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_STORE, 10);
}

static int run_replace(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_REPLACE, 10);
}

static int run_erase(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_ERASE, 10);
}

static int run_cmpxchg(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_CMPXCHG, 10);
}

static int run_floor(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_FLOOR, 11);
}

static int run_ceiling(struct subject *s)
{
	return run_op(s, BLINK_TREE_OP_CEILING, 9);
}

/* Key 10 is there and stays as it is; key 11 is added. */
static int run_get_or_insert(struct subject *s)
{
	int ret = run_op(s, BLINK_TREE_OP_GET_OR_INSERT, 11);
	__u64 value;

	wrong_if(s, lookup(s->tree, 10, &value) || value != value_of(10),
		 "key 10 changed");
	return ret;
}

/*
 * A pop of @key, which is beyond all others. Another key is never lost; @key is
 * lost if the answer could not be written.
 */
static int pop(struct subject *s, unsigned int opcode, __u64 from, __u64 key)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = from };
	__u64 value;
	int ret;

	insert(s->tree, key, value_of(key));
	ret = on_tree(s, BLINK_TREE_IOC_OP, &op);
	wrong_if(s, ret && ret != -EFAULT, "an error that is none of its own");
	wrong_if(s, !ret && (op.key != key || op.old != value_of(key)),
		 "another key popped");
	wrong_if(s, !ret && lookup(s->tree, key, &value) != -ENOENT,
		 "popped and still there");
	erase(s->tree, key);
	wrong_if(s, entries_of(s->tree) != KEYS, "another key lost");
	return ret;
}

static int run_pop_min(struct subject *s)
{
	return pop(s, BLINK_TREE_OP_POP_MIN, 10 * KEYS, 10 * KEYS);
}

static int run_pop_max(struct subject *s)
{
	return pop(s, BLINK_TREE_OP_POP_MAX, U64_MAX, 10 * KEYS);
}

/* Several leaves: an error comes before the first one is erased or after the last. */
static int run_erase_range(struct subject *s)
{
	struct number_erase erase;
	__u64 left;
	int ret;

	number_erase_init(&erase, 10 * KEYS, 10 * KEYS + KEYS - 1);
	fill(s->tree, 10 * KEYS, KEYS, 1);
	ret = on_tree(s, BLINK_TREE_IOC_RECORD_ERASE, &erase.arg);
	left = entries_of(s->tree) - KEYS;
	wrong_if(s, !ret && (erase.arg.count != KEYS || left),
		 "not all erased");
	wrong_if(s, ret && left && left != KEYS,
		 "some erased in spite of an error");
	apply(s->tree, BLINK_TREE_OP_ERASE, 10 * KEYS, KEYS, 1);
	return ret;
}

/* New keys in a stretch of their own, as many as make leaves split. */
static int run_batch(struct subject *s)
{
	struct blink_tree_ioc_batch batch = {
		.count = BATCH,
		.ops = ptr_to_u64(s->ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	unsigned int i, there = 0;
	bool hole = false;
	__u64 value;
	int ret;

	for (i = 0; i < BATCH; i++)
		s->ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT,
			.key = 10 * KEYS + i,
		};
	ret = on_tree(s, BLINK_TREE_IOC_BATCH, &batch);
	for (i = 0; i < BATCH; i++) {
		bool found = !lookup(s->tree, 10 * KEYS + i, &value);

		hole |= found && there < i;
		there += found;
		erase(s->tree, 10 * KEYS + i);
	}
	wrong_if(s, !ret && batch.done != BATCH, "an end without a reason");
	wrong_if(s, hole, "not one operation after the other");
	wrong_if(s, there < batch.done, "counted as done but not done");
	return ret;
}

static int scan(struct subject *s, unsigned int flags)
{
	struct blink_tree_ioc_scan arg = {
		.flags = flags,
		.capacity = KEYS,
		.first = 1,
		.last = U64_MAX - 1,
		.entries = ptr_to_u64(s->entries),
		.entry_size = sizeof(s->entries[0]),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_SCAN, &arg);

	wrong_if(s, ret && (arg.first != 1 || arg.last != U64_MAX - 1),
		 "an error moved the range");
	wrong_if(s, !ret && arg.count != KEYS - 1, "not all there");
	return ret;
}

static int run_scan(struct subject *s)
{
	return scan(s, 0);
}

static int run_scan_desc(struct subject *s)
{
	return scan(s, BLINK_TREE_SCAN_DESC);
}

static int run_count(struct subject *s)
{
	__u64 bounds[2];
	struct blink_tree_ioc_record_scan arg = {
		.flags = BLINK_TREE_RECORD_SCAN_COUNT,
		.first = ptr_to_u64(&bounds[0]),
		.last = ptr_to_u64(&bounds[1]),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_RECORD_SCAN, &arg);

	wrong_if(s, !ret && arg.count != KEYS, "not all counted");
	return ret;
}

static int run_stats(struct subject *s)
{
	struct blink_tree_ioc_stats stats = {};
	int ret = on_tree(s, BLINK_TREE_IOC_STATS, &stats);

	wrong_if(s, !ret && stats.entries != KEYS, "other figures");
	return ret;
}

static int run_levels(struct subject *s)
{
	struct blink_tree_ioc_levels arg = {
		.capacity = ARRAY_SIZE(s->levels),
		.levels = ptr_to_u64(s->levels),
		.level_size = sizeof(s->levels[0]),
	};
	int ret = on_tree(s, BLINK_TREE_IOC_LEVELS, &arg);

	wrong_if(s, !ret && arg.count < 2, "other figures");
	return ret;
}

static int run_hot_leaves(struct subject *s)
{
	struct blink_tree_ioc_hot_leaves arg = {
		.capacity = ARRAY_SIZE(s->leaves),
		.leaves = ptr_to_u64(s->leaves),
		.leaf_size = sizeof(s->leaves[0]),
		.count = 99,
	};
	int ret = on_tree(s, BLINK_TREE_IOC_HOT_LEAVES, &arg);

	wrong_if(s, arg.count != (ret ? 99 : 0),
		 "hot leaves where one thread writes, or a count of none");
	return ret;
}

static int run_verify(struct subject *s)
{
	struct blink_tree_ioc_verify verify = {};
	int ret = on_tree(s, BLINK_TREE_IOC_VERIFY, &verify);

	wrong_if(s, !ret && (verify.violation || verify.entries != KEYS),
		 "another report");
	return ret;
}

FIXTURE_VARIANT_ADD(faults, info)
MEMBERS(.run = run_info);
FIXTURE_VARIANT_ADD(faults, create)
MEMBERS(.run = run_create);
FIXTURE_VARIANT_ADD(faults, create_named)
MEMBERS(.run = run_create_named);
FIXTURE_VARIANT_ADD(faults, open)
MEMBERS(.run = run_open);
FIXTURE_VARIANT_ADD(faults, unlink)
MEMBERS(.run = run_unlink);
FIXTURE_VARIANT_ADD(faults, list)
MEMBERS(.run = run_list);
FIXTURE_VARIANT_ADD(faults, lookup)
MEMBERS(.run = run_lookup);
FIXTURE_VARIANT_ADD(faults, insert)
MEMBERS(.run = run_insert);
FIXTURE_VARIANT_ADD(faults, store)
MEMBERS(.run = run_store);
FIXTURE_VARIANT_ADD(faults, replace)
MEMBERS(.run = run_replace);
FIXTURE_VARIANT_ADD(faults, erase)
MEMBERS(.run = run_erase);
FIXTURE_VARIANT_ADD(faults, cmpxchg)
MEMBERS(.run = run_cmpxchg);
FIXTURE_VARIANT_ADD(faults, get_or_insert)
MEMBERS(.run = run_get_or_insert);
FIXTURE_VARIANT_ADD(faults, pop_min)
MEMBERS(.run = run_pop_min);
FIXTURE_VARIANT_ADD(faults, pop_max)
MEMBERS(.run = run_pop_max);
FIXTURE_VARIANT_ADD(faults, erase_range)
MEMBERS(.run = run_erase_range);
FIXTURE_VARIANT_ADD(faults, floor)
MEMBERS(.run = run_floor);
FIXTURE_VARIANT_ADD(faults, ceiling)
MEMBERS(.run = run_ceiling);
FIXTURE_VARIANT_ADD(faults, batch)
MEMBERS(.run = run_batch);
FIXTURE_VARIANT_ADD(faults, scan)
MEMBERS(.run = run_scan);
FIXTURE_VARIANT_ADD(faults, scan_desc)
MEMBERS(.run = run_scan_desc);
FIXTURE_VARIANT_ADD(faults, count)
MEMBERS(.run = run_count);
FIXTURE_VARIANT_ADD(faults, stats)
MEMBERS(.run = run_stats);
FIXTURE_VARIANT_ADD(faults, levels)
MEMBERS(.run = run_levels);
FIXTURE_VARIANT_ADD(faults, hot_leaves)
MEMBERS(.run = run_hot_leaves);
FIXTURE_VARIANT_ADD(faults, verify)
MEMBERS(.run = run_verify);

/* The same where each NUMA node has an index, or all of a tree. */
#define INNER .replication = BLINK_TREE_REPLICATE_INNER
#define FULL .replication = BLINK_TREE_REPLICATE_FULL
#define COMPRESS .flags = BLINK_TREE_CREATE_COMPRESS

FIXTURE_VARIANT_ADD(faults, create_inner)
MEMBERS(.run = run_create, .how = { INNER });
FIXTURE_VARIANT_ADD(faults, create_full)
MEMBERS(.run = run_create, .how = { FULL });
FIXTURE_VARIANT_ADD(faults, batch_inner)
MEMBERS(.run = run_batch, .how = { INNER });
FIXTURE_VARIANT_ADD(faults, batch_full)
MEMBERS(.run = run_batch, .how = { FULL });
FIXTURE_VARIANT_ADD(faults, batch_compress)
MEMBERS(.run = run_batch, .how = { COMPRESS });
FIXTURE_VARIANT_ADD(faults, batch_full_compress)
MEMBERS(.run = run_batch, .how = { FULL, COMPRESS });
FIXTURE_VARIANT_ADD(faults, erase_range_full)
MEMBERS(.run = run_erase_range, .how = { FULL });

FIXTURE_SETUP(faults)
{
	struct blink_tree_ioc_create create = variant->how;
	struct subject *s = &self->subject;
	const char *missing = fault_open(&s->inject);

	if (missing)
		SKIP(return, "%s", missing);
	s->device = device_open();
	ASSERT_GE(s->device, 0);
	tree_unlink(s->device, OTHER);
	tree_unlink(s->device, NAME);
	s->how = variant->how;
	create.mode = 0600;
	snprintf(create.name, sizeof(create.name), "%s", NAME);
	s->tree = call(s->device, BLINK_TREE_IOC_CREATE, &create);
	ASSERT_GE(s->tree, 0);
	ASSERT_EQ(0, fill(s->tree, 0, KEYS, 10));
}

FIXTURE_TEARDOWN(faults)
{
	struct subject *s = &self->subject;

	tree_unlink(s->device, NAME);
	close(s->tree);
	close(s->device);
	fault_close(&s->inject);
}

TEST_F(faults, at_every_point)
{
	struct subject *s = &self->subject;
	unsigned int hits = 0;
	int ret;

	for (s->nth = 1; s->nth <= POINTS; s->nth++) {
		ret = variant->run(s);
		EXPECT_EQ(NULL, s->wrong)
		TH_LOG("fault %u, returned %d: %s", s->nth, ret, s->wrong);
		if (!s->inject.hit)
			break;
		hits++;
		EXPECT_TRUE(ret >= 0 || ret == -ENOMEM || ret == -EFAULT)
		TH_LOG("fault %u, returned %d", s->nth, ret);
	}
	fprintf(stderr, "# %u fault points\n", hits);
	EXPECT_GE(POINTS, s->nth);
	EXPECT_LE(0, ret);
	/* At least copying the structure in can fail. */
	EXPECT_LE(1, hits);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

TEST_HARNESS_MAIN
