// SPDX-License-Identifier: GPL-2.0
/*
 * Values that are bytes: their charge, and operations on them where allocations fail.
 */
#include <linux/blink_tree_value.h>
#include <linux/err.h>

#include "core/core.h"
#include "core/index/walk.h"
#include "fiber.h"
#include "test.h"

static u64 user_limit;
static struct blink_budget user = { .limit = &user_limit, .error = -EDQUOT };

static struct blink_tree *tree;

static void begin(u64 user_max)
{
	struct blink_tree_params params = test_params;

	params.flags &= ~BLINK_TREE_COMPRESS;
	params.flags |= BLINK_TREE_BYTE_VALUES;
	WRITE_ONCE(user_limit, user_max);
	tree = blink_tree_create_for(&params, &user, 0, GFP_KERNEL);
	if (IS_ERR(tree))
		shim_die(__FILE__, __LINE__, "no tree");
}

static long used(const struct blink_budget *budget)
{
	return atomic_long_read(&budget->used);
}

/* Without other threads, the charge is the bytes of the tree, plus the stocks. */
static void expect_charged(void)
{
	struct blink_tree_ioc_stats stats;
	long stocks = 0;
	int cpu;

	rcu_barrier();
	for_each_possible_cpu(cpu)
		stocks += atomic_long_read(
			&per_cpu_ptr(tree->counters, cpu)->byte_stock);
	blink_tree_stats(tree, &stats);
	EXPECT_EQ(stats.limbo_bytes, 0);
	EXPECT_EQ(used(&tree->charge.own), stats.bytes + stocks);
	EXPECT_EQ(used(&user), used(&tree->charge.own) + tree->charge.fixed);
}

/* The tree ends with the values that it has. */
static void end(void)
{
	expect_sound(tree);
	expect_charged();
	blink_tree_destroy(tree);
	rcu_barrier();
	EXPECT_EQ(used(&user), 0);
}

/* Values of 0 to 4,096 bytes. */
static u32 length_of(u64 i)
{
	return i * i * 7 % (BLINK_VALUE_MAX + 1);
}

static int make(u64 i, u64 *handle)
{
	static const u8 bytes[BLINK_VALUE_MAX];

	return blink_value_make(tree, bytes, length_of(i), GFP_KERNEL, handle);
}

static int operate(u16 opcode, u64 key, u64 value, u64 *old)
{
	struct blink_tree_ioc_op op = { .opcode = opcode,
					.key = key,
					.value = value };

	blink_tree_value_op(tree, &op, GFP_KERNEL);
	*old = op.old;
	return op.result;
}

/* Store a value, which is freed if this fails. */
static int store(u64 key)
{
	u64 handle, old;
	int ret = make(key, &handle);

	if (ret)
		return ret;
	ret = operate(BLINK_TREE_OP_STORE, key, handle, &old);
	if (ret < 0)
		blink_value_free(tree, handle);
	if (ret == 1)
		blink_value_put(tree, old);
	return ret;
}

static int erase(u64 key)
{
	u64 old;
	int ret = operate(BLINK_TREE_OP_ERASE, key, 0, &old);

	if (!ret)
		blink_value_put(tree, old);
	return ret;
}

static void all_comes_back(void)
{
	u64 nr = test_scale(5000), i;

	begin(0);
	expect_charged();
	for (i = 0; i < nr; i++)
		EXPECT_EQ(store(i), 0);
	expect_charged();
	for (i = 0; i < nr; i += 2)
		EXPECT_EQ(store(i), 1);
	expect_charged();
	for (i = 0; i < nr; i += 3)
		EXPECT_EQ(erase(i), 0);
	end();
}

/* A value comes to the tree and leaves it, or neither. */
static void all_comes_back_from_failures(void)
{
	u64 nr = test_scale(20000), i, count = 0;
	int ret;

	begin(0);
	shim_self->fail_one_in = 3;
	for (i = 0; i < nr; i++) {
		ret = i % 5 ? store(i % 1000) : erase(i % 1000);
		EXPECT(ret == 0 || ret == 1 || ret == -ENOENT ||
		       ret == -ENOMEM);
		if (!ret)
			count += i % 5 ? 1 : -1;
	}
	shim_self->fail_one_in = 0;
	EXPECT_EQ(blink_tree_count(tree), count);
	end();
}

#define CHUNK 20

/* Of a load that fails, the values of the entries that were not added are the caller's. */
static void loads_that_fail(void)
{
	struct blink_tree_entry entries[CHUNK];
	u64 nr = test_scale(300), round, i, count = 0;
	unsigned int done;

	begin(0);
	for (round = 0; round < nr; round++) {
		for (i = 0; i < CHUNK; i++) {
			entries[i].key = round * CHUNK + i;
			EXPECT_EQ(make(i, &entries[i].value), 0);
		}
		shim_self->fail_one_in = 5;
		blink_tree_value_load(tree, entries, CHUNK, 100, GFP_KERNEL,
				      &done);
		shim_self->fail_one_in = 0;
		for (i = done; i < CHUNK; i++)
			blink_value_free(tree, entries[i].value);
		count += done;
	}
	EXPECT_EQ(blink_tree_count(tree), count);
	end();
}

/* The limit of a user refuses values, whatever leaves have room. */
static void limit_of_the_user(void)
{
	u64 i, nr;

	begin(1 << 20);
	for (i = 0; !store(i); i++)
		;
	EXPECT_EQ(store(i), -EDQUOT);
	EXPECT_EQ(blink_tree_count(tree), i);
	EXPECT(used(&user) <= 1 << 20);
	nr = i;
	for (i = 0; i < nr; i++)
		EXPECT_EQ(erase(i), 0);
	rcu_barrier();
	for (i = 0; i < nr / 2; i++)
		EXPECT_EQ(store(i), 0);
	end();
}

/* The callback of a value is the last that needs its tree. */
static void limbo_outlives_the_tree(void)
{
	u64 nr = test_scale(100), i, handle;

	for (i = 0; i < nr; i++) {
		begin(0);
		EXPECT_EQ(make(i, &handle), 0);
		blink_value_put(tree, handle);
		blink_tree_destroy(tree);
	}
	rcu_barrier();
	EXPECT_EQ(used(&user), 0);
}

/* Values of so many bytes, and the memory that the kernel allocates for each. */
static const struct size {
	u32 length;
	u32 memory;
} sizes[] = {
	{ 0, 32 },	{ 4, 32 },	{ 5, 64 },	{ 36, 64 },
	{ 37, 96 },	{ 100, 128 },	{ 101, 192 },	{ 484, 512 },
	{ 1000, 2048 }, { 4068, 4096 }, { 4069, 4160 }, { 4096, 4160 },
};

static void counted_as_allocated(void)
{
	static u8 data[BLINK_VALUE_MAX];
	const struct size *size;
	u64 handle;
	long before;

	begin(0);
	for (size = sizes; size < sizes + ARRAY_SIZE(sizes); size++) {
		before = used(&tree->charge.own);
		EXPECT_EQ(blink_value_make(tree, data, size->length, GFP_KERNEL,
					   &handle),
			  0);
		EXPECT_EQ(used(&tree->charge.own) - before, size->memory);
		blink_value_free(tree, handle);
		blink_charge_limit(tree, 0);
	}
	end();
}

#ifdef SHIM_POINTS
#define RUNS 2000

static void erase_or_read(unsigned int id)
{
	struct blink_scan scan = { .last = U64_MAX };
	u64 handle, other;

	if (!id) {
		EXPECT_EQ(blink_tree_erase_range(tree, &scan, NULL, 10), 2);
		return;
	}
	rcu_read_lock();
	if (!blink_tree_lookup(tree, 1, &handle)) {
		/* Meanwhile the other thread can go on. */
		blink_tree_lookup(tree, 2, &other);
		EXPECT_EQ(blink_value(handle)->length, length_of(1));
	}
	rcu_read_unlock();
}

static void compare_or_replace(unsigned int id)
{
	static const u8 bytes[BLINK_VALUE_MAX];
	u64 handle, old, before;

	EXPECT_EQ(make(1, &handle), 0);
	if (id) {
		EXPECT_EQ(operate(BLINK_TREE_OP_REPLACE, 1, handle, &old), 0);
	} else {
		before = shim_self->rcu_section;
		EXPECT_EQ(blink_tree_value_cmpxchg(tree, 1, bytes, length_of(1),
						   handle, &old),
			  0);
		EXPECT_EQ(shim_self->rcu_section - before, 1);
	}
	blink_value_put(tree, old);
}

/* A comparison is made once, though others replace the value by equal ones meanwhile. */
static void compared_once(void)
{
	u64 random = test_seed(), points = 0, i, runs = test_scale(RUNS);
	struct fiber_run run;

	begin(0);
	EXPECT_EQ(store(1), 0);
	for (i = 0; i < runs && !test_failed(); i++) {
		fibers_run(3, compare_or_replace, points, &random, &run);
		points = run.points;
	}
	end();
}

/* A range puts a value after no reader can find it any more, in thousands of orders. */
static void read_beside_a_range(void)
{
	u64 random = test_seed(), points = 0, i, runs = test_scale(RUNS);
	struct fiber_run run;

	begin(0);
	for (i = 0; i < runs && !test_failed(); i++) {
		EXPECT_EQ(store(1), 0);
		EXPECT_EQ(store(2), 0);
		fibers_run(2, erase_or_read, points, &random, &run);
		points = run.points;
	}
	end();
}
#endif

const struct test TESTS(value)[] = {
	{ "value: all memory comes back", all_comes_back },
	{ "value: also where allocations fail", all_comes_back_from_failures },
	{ "value: also of loads that fail", loads_that_fail },
	{ "value: limit of the user", limit_of_the_user },
	{ "value: what is allocated is charged", counted_as_allocated },
	{ "value: limbo outlives the tree", limbo_outlives_the_tree },
#ifdef SHIM_POINTS
	{ "value: one attempt compares, beside writers", compared_once },
	{ "value: a range beside a reader, in any order", read_beside_a_range },
#endif
	{},
};
