// SPDX-License-Identifier: GPL-2.0
/* The limit on entries (core/tree/limit.h): it is exact, wherever the room lies. */
#include <string.h>

#include "core/core.h"
#include "core/node/node.h"
#include "core/tree/limit.h"
#include "core/tree/writer.h"
#include "fiber.h"
#include "test.h"

#define CPUS 3
/* From here on stocks are open at first. */
#define ENOUGH (2 * BLINK_STOCK_MAX * CPUS)

static struct blink_tree *tree;
static unsigned int cpus;

static void begin(u64 most)
{
	struct blink_tree_params params = test_params;

	cpus = shim_cpus;
	shim_cpus = CPUS;
	params.max_entries = most;
	tree = blink_tree_create(&params, GFP_KERNEL);
	EXPECT(!IS_ERR(tree));
}

static void end(void)
{
	tree_end(tree);
	shim_cpus = cpus;
}

/* Add keys until the tree is full; returns how many it took. */
static u64 fill(u64 from)
{
	u64 key = from;

	while (!blink_tree_insert(tree, key, key, NULL, GFP_KERNEL))
		key++;
	return key - from;
}

static void accepts(u64 most)
{
	u64 key;

	begin(most);
	EXPECT_EQ(tree->limit.open, most >= ENOUGH);
	EXPECT_EQ(fill(0), most);
	EXPECT(!tree->limit.open);
	EXPECT_EQ(blink_tree_insert(tree, U64_MAX, 0, NULL, GFP_KERNEL),
		  -ENOSPC);
	for (key = 0; key < most; key++)
		EXPECT_ERASE(tree, key);
	EXPECT_EQ(tree->limit.open, most >= ENOUGH);
	EXPECT_EQ(fill(7), most);
	end();
}

/* Around the number where stocks are opened, and where a batch is left. */
static void exact_alone(void)
{
	u64 most;

	accepts(1);
	for (most = ENOUGH - 2; most < ENOUGH + 2; most++)
		accepts(most);
	accepts(ENOUGH + BLINK_STOCK_MAX);
	accepts(4 * ENOUGH + 1);
}

#define EACH (4 * ENOUGH / CPUS)

static atomic_t accepted;

/* All of it fits but for what the last of them adds: stocks must be found. */
static void add_own(unsigned int id)
{
	u64 key;

	for (key = 0; key < EACH; key++)
		if (!blink_tree_insert(tree, key * CPUS + id, 0, NULL,
				       GFP_KERNEL))
			atomic_inc(&accepted);
}

static void exact_together(void)
{
	u64 rounds = test_scale(200), most = EACH * CPUS - 1;

	while (rounds-- && !test_failed()) {
		atomic_set(&accepted, 0);
		begin(most);
		run_threads(CPUS, add_own);
		EXPECT_EQ(atomic_read(&accepted), most);
		EXPECT_EQ(blink_tree_count(tree), most);
		end();
	}
}

/* max_entries, at any time, in a tree that counts. */
static void entries_limited_anew(void)
{
	struct blink_tree_params params = test_params;
	u64 i;

	tree = tree_create();
	EXPECT(!blink_tree_counted(tree));
	blink_tree_destroy(tree);

	params.max_entries = 100;
	tree = blink_tree_create(&params, GFP_KERNEL);
	if (!EXPECT(!IS_ERR(tree) && blink_tree_counted(tree)))
		return;
	EXPECT_EQ(fill(0), 100);
	blink_tree_set_max_entries(tree, 50);
	EXPECT_EQ(fill(100), 0);
	for (i = 0; i < 50; i++)
		EXPECT_ERASE(tree, i);
	EXPECT_EQ(fill(100), 0);
	EXPECT_ERASE(tree, 50);
	EXPECT_EQ(fill(100), 1);
	/* Entries are counted also while there is no limit. */
	blink_tree_set_max_entries(tree, 0);
	for (i = 101; i < 200; i++)
		EXPECT_INSERT(tree, i, i);
	EXPECT_EQ(blink_tree_count(tree), 149);
	blink_tree_set_max_entries(tree, 150);
	EXPECT_EQ(fill(200), 1);
	blink_tree_set_max_entries(tree, U64_MAX);
	EXPECT_INSERT(tree, 201, 0);
	tree_end(tree);
}

#ifdef SHIM_POINTS
#define STEPS 12

/*
 * @held: entries that are in the tree for certain; @possible: those that may be,
 * because somebody is about to add or to erase them. While a fiber adds one,
 * @peak is the most that there may have been besides.
 */
static unsigned int held, possible, own[CPUS], peak[CPUS];
static bool adding[CPUS];
static u64 most_held, dice[CPUS];

static void raise_possible(unsigned int id)
{
	unsigned int other;

	possible++;
	for (other = 0; other < CPUS; other++)
		if (other != id && adding[other])
			peak[other] = max(peak[other], possible - 1);
}

static void add_one(unsigned int id)
{
	unsigned long flags;
	bool taken;

	peak[id] = possible;
	adding[id] = true;
	raise_possible(id);
	flags = blink_writer_begin(tree);
	taken = blink_tree_reserve(tree);
	blink_writer_end(tree, flags);
	adding[id] = false;
	if (taken) {
		own[id]++;
		EXPECT(++held <= most_held);
		return;
	}
	possible--;
	/* It is full only if there was a moment at which it was. */
	EXPECT(peak[id] >= most_held);
}

static void erase_one(unsigned int id)
{
	unsigned long flags;

	own[id]--;
	held--;
	flags = blink_writer_begin(tree);
	blink_tree_unreserve(tree);
	blink_writer_end(tree, flags);
	possible--;
}

static void add_and_erase(unsigned int id)
{
	unsigned int step;

	for (step = 0; step < STEPS; step++)
		if (own[id] && random_chance(&dice[id], 55))
			erase_one(id);
		else
			add_one(id);
}

/*
 * The interleavings: room moves between a stock and what all share while another
 * CPU looks at one of them, or at all; a stock that was looked at gets some, and
 * one that was not loses it.
 */
static void exact_in_any_order(void)
{
	u64 rounds = test_scale(20000), points = 200, random = test_seed(), i;
	struct fiber_run run;
	unsigned int id, room;

	for (i = 0; i < rounds && !test_failed(); i++) {
		most_held = ENOUGH - 2 + random_below(&random, 6);
		begin(most_held);
		held = 0;
		possible = 0;
		memset(own, 0, sizeof(own));
		for (id = 0; id < CPUS; id++)
			dice[id] = random_next(&random);
		room = 1 + random_below(&random, 2 * BLINK_STOCK_MAX);
		while (held < most_held - room)
			add_one(held % CPUS);
		fibers_run(CPUS, add_and_erase, points, &random, &run);
		points = max(run.points, 100ULL);
		while (held)
			erase_one(own[0] ? 0 : own[1] ? 1 : 2);
		EXPECT_EQ(fill(0), most_held);
		end();
	}
	test_did(i * CPUS * STEPS);
}

static unsigned int moments, room_at;
static bool room_moved;

/*
 * Room for five is left. Others erase so much that stocks are opened, and then add
 * until what all share is used up: all of the room is in a stock.
 */
static void move_room(void)
{
	/* Softirqs are off, and no lock is held. */
	if (room_moved || shim_self->atomic != 1 || ++moments < room_at)
		return;
	room_moved = true;
	while (!tree->limit.open)
		blink_tree_unreserve(tree);
	while (atomic64_read(&tree->limit.left))
		EXPECT(blink_tree_reserve(tree));
}

static bool reached_while_room_moves(unsigned int at)
{
	unsigned long flags;

	begin(ENOUGH + 5);
	flags = blink_writer_begin(tree);
	while (tree->limit.open || atomic64_read(&tree->limit.left) > 5)
		EXPECT(blink_tree_reserve(tree));
	while (atomic64_read(&tree->limit.left) < 5)
		blink_tree_unreserve(tree);
	EXPECT(!tree->limit.open);
	moments = 0;
	room_at = at;
	room_moved = false;
	shim_hooks.point = move_room;
	EXPECT(!blink_limit_reached(tree));
	shim_hooks.point = NULL;
	blink_writer_end(tree, flags);
	blink_tree_destroy(tree);
	shim_cpus = cpus;
	return room_moved;
}

/*
 * The interleaving: a writer sees that stocks are closed; by the time that it looks
 * at what all share, that is used up, but stocks are open again and have room. There
 * was some at any moment.
 */
static void reached_only_when_full(void)
{
	unsigned int at = 1;

	while (reached_while_room_moves(at) && !test_failed())
		at++;
	EXPECT(at > 1);
}
#endif

/* A full leaf in a full tree: an insertion is refused before it allocates memory. */
static void refused_without_memory(void)
{
	u64 key, before;

	begin(BLINK_LEAF_SLOTS);
	EXPECT_EQ(fill(0), BLINK_LEAF_SLOTS);
	before = shim_self->allocs;
	for (key = 100; key < 110; key++)
		EXPECT_EQ(blink_tree_insert(tree, key, 0, NULL, GFP_KERNEL),
			  -ENOSPC);
	EXPECT_EQ(shim_self->allocs, before);
	end();
}

/* The limit moves over what stocks hold, in both directions. */
static void exact_when_set(void)
{
	u64 key, keys;

	begin(2 * ENOUGH);
	for (keys = 0; keys < ENOUGH; keys++)
		EXPECT_INSERT(tree, keys, 0);
	blink_tree_set_max_entries(tree, ENOUGH + 5);
	EXPECT(!tree->limit.open);
	EXPECT_EQ(fill(keys), 5);
	blink_tree_set_max_entries(tree, ENOUGH);
	EXPECT_EQ(fill(keys + 5), 0);
	for (key = 0; key < 7; key++)
		EXPECT_ERASE(tree, key);
	EXPECT_EQ(fill(0), 2);
	blink_tree_set_max_entries(tree, 3 * ENOUGH);
	EXPECT(tree->limit.open);
	EXPECT_EQ(fill(keys + 5), 2 * ENOUGH);
	blink_tree_set_max_entries(tree, 0);
	EXPECT(tree->limit.open);
	blink_tree_set_max_entries(tree, 3 * ENOUGH + 1);
	EXPECT_EQ(fill(10 * ENOUGH), 1);
	end();
}

const struct test TESTS(limit)[] = {
	{ "limit: max_entries is set anew", entries_limited_anew },
	{ "limit: exactly so many keys", exact_alone },
	{ "limit: exactly so many keys when it is set", exact_when_set },
	{ "limit: refused without memory", refused_without_memory },
	{ "limit: exactly so many keys, by all together", exact_together },
#ifdef SHIM_POINTS
	{ "limit: refused only when it is full", exact_in_any_order },
	{ "limit: reached only when it is full", reached_only_when_full },
#endif
	{}
};
