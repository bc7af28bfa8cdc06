// SPDX-License-Identifier: GPL-2.0
/*
 * Budgets: the charge of a tree, the operations that each limit refuses, with which
 * error, and that no key is lost and no byte.
 */
#include <linux/err.h>

#include "../../../kunit/keys_text.h"
#include "core/core.h"
#include "core/index/alloc.h"
#include "fiber.h"
#include "test.h"

static u64 all_limit, user_limit;
static unsigned int puts_seen;

static void count_put(struct blink_budget *budget)
{
	__atomic_fetch_add(&puts_seen, 1, __ATOMIC_RELAXED);
}

static struct blink_budget all = { .limit = &all_limit, .error = -ENOMEM };
static struct blink_budget user = {
	.parent = &all,
	.limit = &user_limit,
	.error = -EDQUOT,
	.put = count_put,
};

static struct blink_tree *tree;
static u64 leaf_cost;

static struct blink_tree *create(u64 max_bytes)
{
	struct blink_tree_params params = test_params;

	params.max_bytes = max_bytes;
	return blink_tree_create_for(&params, &user, 0, GFP_KERNEL);
}

static void begin(u64 max_bytes, u64 user_max, u64 all_max)
{
	WRITE_ONCE(user_limit, user_max);
	WRITE_ONCE(all_limit, all_max);
	puts_seen = 0;
	tree = create(max_bytes);
	if (IS_ERR(tree))
		shim_die(__FILE__, __LINE__, "no tree");
	leaf_cost = blink_node_cost(tree, true);
}

static long used(const struct blink_budget *budget)
{
	return atomic_long_read(&budget->used);
}

static long stocks(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += atomic_long_read(
			&per_cpu_ptr(tree->counters, cpu)->byte_stock);
	return sum;
}

/* Without other threads, the charge is the bytes of the nodes, plus the stocks. */
static void expect_charged(void)
{
	rcu_barrier();
	EXPECT_EQ(used(&tree->charge.own), tree_stats(tree).bytes + stocks());
	EXPECT_EQ(used(&user), used(&tree->charge.own) + tree->charge.fixed);
	EXPECT_EQ(used(&all), used(&user));
}

static void end(void)
{
	expect_sound(tree);
	expect_charged();
	blink_tree_destroy(tree);
	rcu_barrier();
	EXPECT_EQ(used(&user), 0);
	EXPECT_EQ(used(&all), 0);
	EXPECT_EQ(puts_seen, 1);
}

/* A key for each number, in no order. */
#define scattered(i) ((i) * 0x9e3779b97f4a7c15ULL)

/* Insert from number @i on until it is refused, as it must be; returns where. */
static u64 fill(u64 i, u64 step, int err)
{
	u64 end = i + 100000000;
	int ret;

	while (!(ret = blink_tree_insert(tree, scattered(i), i, NULL,
					 GFP_KERNEL)) &&
	       i < end)
		i += step;
	EXPECT_EQ(ret, err);
	return i;
}

static void all_comes_back(void)
{
	u64 nr = test_scale(20000), i;

	begin(0, 0, 0);
	expect_charged();
	for (i = 0; i < nr; i++)
		EXPECT_INSERT(tree, scattered(i), i);
	expect_charged();
	for (i = 0; i < nr; i++)
		EXPECT_ERASE(tree, scattered(i));
	end();
}

static void all_comes_back_from_failures(void)
{
	u64 nr = test_scale(20000), i, added = 0;

	begin(0, 0, 0);
	shim_self->fail_one_in = 3;
	for (i = 0; i < nr; i++)
		added += !blink_tree_insert(tree, scattered(i), i, NULL,
					    GFP_KERNEL);
	shim_self->fail_one_in = 0;
	EXPECT_EQ(blink_tree_count(tree), added);
	end();
}

/* In each way to add a key: the error, and nothing else. */
static void expect_refused(u64 i, int err)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = scattered(0) },
		{ .opcode = BLINK_TREE_OP_INSERT, .key = scattered(i) },
		{ .opcode = BLINK_TREE_OP_STORE, .key = scattered(i) },
		{ .opcode = BLINK_TREE_OP_STORE, .key = scattered(0) },
		{ .opcode = BLINK_TREE_OP_CEILING, .key = 0 },
	};
	struct blink_tree_entry entry = { .key = scattered(i) };
	u64 count = blink_tree_count(tree), key = entry.key, value;
	unsigned int done;

	EXPECT_EQ(blink_tree_insert(tree, key, 0, NULL, GFP_KERNEL), err);
	EXPECT_EQ(blink_tree_insert(tree, key, 0, NULL, GFP_NOWAIT), err);
	EXPECT_EQ(blink_tree_store(tree, key, 0, NULL, GFP_KERNEL), err);
	EXPECT_EQ(blink_tree_load(tree, &entry, 1, 100, GFP_KERNEL, &done),
		  err);
	EXPECT_EQ(done, 0);
	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	EXPECT_EQ(ops[0].result, 0);
	EXPECT_EQ(ops[1].result, err);
	EXPECT_EQ(ops[2].result, err);
	/* A string needs memory before it is known that its key is present. */
	if (!test_strings() || ops[3].result != err)
		EXPECT_EQ(ops[3].result, 1);
	EXPECT_EQ(ops[4].result, 0);
	EXPECT_EQ(blink_tree_lookup(tree, key, &value), -ENOENT);
	EXPECT_EQ(blink_tree_count(tree), count);
}

/* Change the value of a key that is present. A store of a string needs memory. */
static int overwrite(u64 key, u64 value, u64 *old)
{
	if (test_strings())
		return blink_tree_replace(tree, key, value, old);
	return blink_tree_store(tree, key, value, old, GFP_KERNEL) - 1;
}

/*
 * Fill a tree to a limit; see that it is kept, that what is there is intact, and
 * that an erasure makes room, as well as a greater limit does.
 */
static void at_a_limit(u64 *limit, int err)
{
	u64 i, old, max = *limit, nr = fill(0, 1, err);

	EXPECT(nr > 0);
	expect_charged();
	expect_refused(nr, err);
	for (i = 0; i < nr; i++) {
		EXPECT_EQ(overwrite(scattered(i), i + 1, &old), 0);
		/* That of expect_refused() was the first. */
		EXPECT_EQ(old, i);
	}
	for (i = 0; i < nr; i++)
		EXPECT_ERASE(tree, scattered(i));
	rcu_barrier();
	/* Where leaves are split this time, and what is inner nodes, may differ. */
	i = fill(0, 1, err);
	EXPECT(4 * i > 3 * nr);
	nr = i;
	WRITE_ONCE(*limit, 2 * max);
	EXPECT_INSERT(tree, scattered(nr), 0);
	/* Below what is in use: nothing is taken away. */
	WRITE_ONCE(*limit, 1);
	EXPECT_EQ(blink_tree_count(tree), nr + 1);
	EXPECT_ERASE(tree, scattered(nr));
	WRITE_ONCE(*limit, 0);
	EXPECT_INSERT(tree, scattered(nr), 0);
	end();
}

/* Far from a whole number of leaves. */
#define ROOM(leaves) ((leaves) * 1500ULL)

#define LIMIT(name, limit, err, ...)        \
	static void name(void)              \
	{                                   \
		begin(__VA_ARGS__);         \
		at_a_limit((limit), (err)); \
	}

LIMIT(limit_of_the_tree, &tree->charge.max_bytes, -ENOSPC, ROOM(200), 0, 0)
LIMIT(limit_of_the_user, &user_limit, -EDQUOT, 0, ROOM(200), 0)
LIMIT(limit_of_all, &all_limit, -ENOMEM, 0, 0, ROOM(200))

/* The tree's own comes first, whatever else is used up too. */
static void nearest_limit_is_told(void)
{
	begin(ROOM(100), ROOM(100), ROOM(100));
	WRITE_ONCE(tree->charge.max_bytes, used(&tree->charge.own));
	WRITE_ONCE(user_limit, used(&user));
	WRITE_ONCE(all_limit, used(&all));
	fill(0, 1, -ENOSPC);
	WRITE_ONCE(tree->charge.max_bytes, 0);
	fill(BLINK_LEAF_SLOTS, 1, -EDQUOT);
	WRITE_ONCE(user_limit, 0);
	fill(BLINK_LEAF_SLOTS, 1, -ENOMEM);
	end();
}

/* The bytes of an inner node that was charged regardless of @limit make no leaf. */
static void freed_over(u64 *limit, const struct blink_budget *budget, int err)
{
	/* Empty all stocks. */
	blink_charge_limit(tree, 0);
	WRITE_ONCE(*limit, used(budget));
	blink_charge_inner(tree, leaf_cost);
	blink_uncharge(tree, leaf_cost);
	EXPECT_EQ(used(budget), *limit);
	EXPECT_EQ(blink_charge_leaf(tree, leaf_cost, GFP_NOWAIT), err);
	WRITE_ONCE(*limit, 0);
}

static void freed_beyond_a_limit(void)
{
	u64 i;

	begin(0, 0, 0);
	/* A tree whose stocks may have a leaf. */
	for (i = 0; i < 20000; i++)
		EXPECT_INSERT(tree, scattered(i), i);
	freed_over(&tree->charge.max_bytes, &tree->charge.own, -ENOSPC);
	freed_over(&user_limit, &user, -EDQUOT);
	freed_over(&all_limit, &all, -ENOMEM);
	end();
}

#define THREADS 8
static u64 ends[THREADS];

static void fill_beside(unsigned int id)
{
	ends[id] = fill(id, THREADS, -ENOSPC);
}

/*
 * However many CPUs have stocks: when the last writer is refused there is no room
 * for a leaf, and what exceeds the limit is inner nodes. All of those are there.
 */
static void nearly_all_is_used(void)
{
	u64 max = ROOM(test_scale(4000)), leaves, string;
	struct blink_tree_ioc_verify report;

	begin(max, 0, 0);
	run_threads(THREADS, fill_beside);
	fill(ends[0], THREADS, -ENOSPC);
	rcu_barrier();
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	leaves = report.leaves * leaf_cost;
	/* The string of the refused key was freed. */
	string = test_strings() ? kmalloc_size_roundup(16 + KEYS_TEXT_MAX) : 0;
	EXPECT(tree_stats(tree).bytes + leaf_cost + string > max);
	EXPECT(leaves <= max);
	EXPECT(tree_stats(tree).bytes <=
	       max + report.inner * BLINK_INNER_BYTES);
	EXPECT(!report.unindexed);
	end();
}

static void churn_at_limit(unsigned int id)
{
	u64 round, i, first = id * 100000ULL, nr = test_scale(4000);
	int ret;

	for (round = 0; round < 4; round++) {
		for (i = first; i < first + nr; i++) {
			ret = blink_tree_insert(tree, scattered(i), i, NULL,
						GFP_KERNEL);
			EXPECT(!ret || ret == -EDQUOT);
		}
		for (i = first; i < first + nr; i++)
			blink_tree_erase(tree, scattered(i), NULL);
	}
}

/* Writers and callbacks of RCU on many CPUs at a limit: the sums stay right. */
static void books_balance(void)
{
	begin(0, ROOM(150), 0);
	run_threads(4, churn_at_limit);
	end();
}

/* All stocks together are a small part of what is in use. */
static void grow_beside(unsigned int id)
{
	u64 i, nr = test_scale(40000);

	for (i = id; i < nr; i += THREADS)
		EXPECT_INSERT(tree, scattered(i), i);
}

static void shrink_beside(unsigned int id)
{
	u64 i, nr = test_scale(40000);

	for (i = id; i < nr; i += THREADS)
		EXPECT_ERASE(tree, scattered(i));
}

static void stocks_are_small(void)
{
	long most;

	begin(0, 0, 0);
	run_threads(THREADS, grow_beside);
	/* That of as many CPUs as there are threads, this one too. */
	most = used(&tree->charge.own) * 2 / BLINK_BYTE_STOCK_SHARE;
	most = (most / SHIM_THREADS + (long)leaf_cost) * (THREADS + 1);
	EXPECT(stocks() <= most);
	run_threads(THREADS, shrink_beside);
	rcu_barrier();
	/* A CPU may still have its stock of the full tree: no operation ran there since. */
	EXPECT(stocks() <= most);
	end();
}

/* The budgets change once in many leaves, when there are many. */
static void budgets_change_seldom(void)
{
	struct blink_tree_entry entry[BLINK_LEAF_SLOTS];
	u64 key = 0, leaves = 0, changes = 0;
	unsigned int i, done;
	long before;

	if (test_strings()) {
		test_skip("a load takes more memory than its leaves");
		return;
	}
	begin(0, 0, 0);
	/* Those of 64 CPUs get no more before. */
	while (used(&tree->charge.own) < 12L * 1024 * (long)leaf_cost) {
		before = used(&user);
		for (i = 0; i < BLINK_LEAF_SLOTS; i++)
			entry[i].key = key++;
		EXPECT_EQ(blink_tree_load(tree, entry, BLINK_LEAF_SLOTS, 100,
					  GFP_KERNEL, &done),
			  0);
		if (used(&user) < 8L * 1024 * (long)leaf_cost)
			continue;
		leaves++;
		changes += used(&user) != before;
	}
	EXPECT(leaves > 1000);
	/* Inner nodes are taken from the stocks, too. */
	EXPECT(changes * 4 < leaves);
	end();
}

static void impossible_to_create(void)
{
	EXPECT_EQ(PTR_ERR_OR_ZERO(create(1)), -ENOSPC);
	user_limit = 100;
	EXPECT_EQ(PTR_ERR_OR_ZERO(create(0)), -EDQUOT);
	user_limit = 0;
	all_limit = 100;
	EXPECT_EQ(PTR_ERR_OR_ZERO(create(0)), -ENOMEM);
	EXPECT_EQ(used(&all), 0);
	EXPECT_EQ(used(&user), 0);
}

#define TREES 100

/* Each takes more than its leaf. */
static void many_empty_trees(void)
{
	struct blink_tree *trees[TREES];
	unsigned int i, nr = 0;
	long each;

	begin(0, 0, 0);
	each = used(&user);
	EXPECT(each > (long)leaf_cost + 64 * (long)sizeof(*tree->counters));
	user_limit = 10 * each + each / 2;
	for (nr = 0; nr < TREES; nr++) {
		trees[nr] = create(0);
		if (IS_ERR(trees[nr]))
			break;
	}
	EXPECT_EQ(nr, 9);
	EXPECT_EQ(PTR_ERR_OR_ZERO(trees[nr]), -EDQUOT);
	for (i = 0; i < nr; i++)
		blink_tree_destroy(trees[i]);
	EXPECT_EQ(puts_seen, 9);
	puts_seen = 0;
	end();
}

/* Without a payer and a limit nothing is counted. */
static void nobody_pays(void)
{
	struct blink_tree_params params = test_params;
	u64 i;

	tree = tree_create();
	EXPECT_EQ(used(&tree->charge.own), 0);
	blink_tree_destroy(tree);

	params.max_bytes = ROOM(100);
	tree = blink_tree_create(&params, GFP_KERNEL);
	if (!EXPECT(!IS_ERR(tree)))
		return;
	leaf_cost = blink_node_cost(tree, true);
	i = fill(0, 1, -ENOSPC);
	EXPECT_EQ(blink_tree_count(tree), i);
	tree_end(tree);
}

/* No leaf is allocated while the limit is below the use, even if CPUs have stocks. */
static void lowered_below_use(void)
{
	u64 i, leaves;

	begin(0, 0, 0);
	for (i = 0; i < 200 * BLINK_LEAF_SLOTS; i++)
		EXPECT_INSERT(tree, scattered(i), i);
	blink_tree_set_max_bytes(tree, 1);
	leaves = tree_verified(tree).leaves;
	fill(i, 1, -ENOSPC);
	EXPECT_EQ(tree_verified(tree).leaves, leaves);
	blink_tree_set_max_bytes(tree, 0);
	end();
}

#ifdef SHIM_POINTS
static void charge_a_leaf(void)
{
	EXPECT_EQ(blink_charge_leaf(tree, leaf_cost, GFP_KERNEL), 0);
}

static void free_a_word(void)
{
	blink_uncharge(tree, sizeof(u64));
}

/* Two trees of a user who has room for one leaf more. */
static struct blink_tree *two[2];
static int charged[2];

static void charge_one(unsigned int id)
{
	charged[id] = blink_charge_leaf(two[id], leaf_cost, GFP_NOWAIT);
}

/* The interleaving: each finds room with the user, before the other one takes it. */
static void one_leaf_for_two(void)
{
	u64 rounds = test_scale(700), points = 0, random = test_seed(), i;
	struct fiber_run run;
	unsigned int id;

	begin(0, 0, 0);
	two[0] = tree;
	two[1] = create(0);
	for (i = 0; i < rounds && !test_failed(); i++) {
		user_limit = used(&user) + leaf_cost + leaf_cost / 2;
		fibers_run(2, charge_one, points, &random, &run);
		points = run.points;
		EXPECT_EQ(charged[0] + charged[1], -EDQUOT);
		user_limit = 0;
		for (id = 0; id < ARRAY_SIZE(two); id++)
			if (!charged[id])
				blink_uncharge(two[id], leaf_cost);
	}
	blink_tree_destroy(two[1]);
	rcu_barrier();
	puts_seen = 0;
	end();
}

static void (*carry)(void);
/* That of the CPU of the task that carries. */
static atomic_long_t *its_stock;

static void note_stock(unsigned int id)
{
	if (id)
		its_stock = &this_cpu_ptr(tree->counters)->byte_stock;
}

static void charge_beside(unsigned int id)
{
	if (id)
		carry();
	else
		charge_a_leaf();
}

/*
 * A task has all free bytes in its hands for a moment; both tasks have room. The room is in
 * the stock of a CPU, or in the budget. With @leaves in use a stock is large.
 */
static void room_in_hands(void (*carrier)(void), long leaves,
			  atomic_long_t *stock)
{
	u64 rounds = test_scale(700), points = 0, random = test_seed(), i;
	struct blink_budget *own = &tree->charge.own;
	long base = used(own), room;
	struct fiber_run run;

	carry = carrier;
	for (i = 0; i < rounds && !test_failed(); i++) {
		EXPECT_EQ(blink_budget_charge(own, leaves * leaf_cost), 0);
		room = max(2 * (long)leaf_cost,
			   used(own) / BLINK_BYTE_STOCK_SHARE);
		if (stock) {
			EXPECT_EQ(blink_budget_charge(own, room), 0);
			atomic_long_add(room, stock);
		}
		WRITE_ONCE(tree->charge.max_bytes,
			   used(own) + (stock ? 0 : room));
		fibers_run(2, charge_beside, points, &random, &run);
		points = run.points;
		blink_charge_limit(tree, 1UL << 30);
		blink_budget_uncharge(own, used(own) - base);
	}
	test_did(2 * i);
}

static void room_on_its_way(void)
{
	u64 random = test_seed();
	struct fiber_run run;
	int cpus = shim_cpus;

	begin(1UL << 30, 0, 0);
	blink_charge_limit(tree, 1UL << 30);
	fibers_run(2, note_stock, 0, &random, &run);
	shim_cpus = 1;
	/* The stock of a CPU on which neither task runs. */
	room_in_hands(charge_a_leaf, 0,
		      &this_cpu_ptr(tree->counters)->byte_stock);
	room_in_hands(free_a_word, 0, its_stock);
	room_in_hands(charge_a_leaf, 64, NULL);
	shim_cpus = cpus;
	end();
}
#endif

const struct test TESTS(charge)[] = {
	{ "charge: a limit below what is used", lowered_below_use },
	{ "charge: all memory comes back", all_comes_back },
	{ "charge: also where allocations fail", all_comes_back_from_failures },
	{ "charge: limit of the tree", limit_of_the_tree },
	{ "charge: limit of the user", limit_of_the_user },
	{ "charge: limit of all trees", limit_of_all },
	{ "charge: the nearest limit is told", nearest_limit_is_told,
	  .plain = true },
	{ "charge: what is freed beyond a limit makes no leaf",
	  freed_beyond_a_limit, .plain = true },
	{ "charge: nearly all of a limit can be used", nearly_all_is_used },
	{ "charge: the books balance after churn", books_balance },
	{ "charge: stocks are small", stocks_are_small },
	{ "charge: budgets change seldom", budgets_change_seldom },
	{ "charge: a tree that has no room is not created",
	  impossible_to_create },
	{ "charge: empty trees are limited too", many_empty_trees },
	{ "charge: a tree that nobody pays for", nobody_pays },
#ifdef SHIM_POINTS
	{ "charge: one leaf for two trees of a user", one_leaf_for_two },
	{ "charge: room on its way is room", room_on_its_way, .plain = true },
#endif
	{},
};
