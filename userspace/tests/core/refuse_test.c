// SPDX-License-Identifier: GPL-2.0
/*
 * Records of the tree itself: a change that a full tree refuses is told once until a key
 * is added, and all watches are told.
 */
#include <linux/bitops.h>
#include <linux/rcupdate.h>

#include "core/core.h"
#include "test.h"
#include "watched.h"

#define SLOTS 64
#define ROOM 3
#define WRITERS 3
#define ROUNDS 20000
#define REFUSED BLINK_TREE_CHANGE_REFUSED

static struct blink_tree *create(u64 max_entries, u64 max_bytes)
{
	struct blink_tree_params params = test_params;
	struct blink_tree *tree;

	params.max_entries = max_entries;
	params.max_bytes = max_bytes;
	tree = blink_tree_create(&params, GFP_KERNEL);
	EXPECT(!IS_ERR(tree));
	return tree;
}

static int insert(struct blink_tree *tree, u64 key)
{
	return blink_tree_insert(tree, key, 1, NULL, GFP_KERNEL);
}

static void expect_refusal(struct watched *w, int error)
{
	expect_record(w, REFUSED, 0, 0, -error, 0);
}

static void expect_full(struct watched *w, u64 key)
{
	EXPECT_EQ(insert(w->tree, key), -ENOSPC);
	EXPECT_EQ(blink_tree_store(w->tree, key, 1, NULL, GFP_KERNEL), -ENOSPC);
}

/* Each kind of operation that can add a key. */
static void add_each(struct watched *w)
{
	struct blink_tree_ioc_op op[2] = {
		{ .opcode = BLINK_TREE_OP_STORE, .key = 11 },
		{ .opcode = BLINK_TREE_OP_GET_OR_INSERT, .key = 12 },
	};
	struct blink_tree_entry entry[2] = { { .key = 13 }, { .key = 14 } };
	unsigned int done;
	u64 value = 5;

	EXPECT_EQ(blink_tree_get_or_insert(w->tree, 10, &value, GFP_KERNEL),
		  -ENOSPC);
	blink_tree_batch(w->tree, op, 2, GFP_KERNEL);
	EXPECT_EQ(op[0].result, -ENOSPC);
	EXPECT_EQ(op[1].result, -ENOSPC);
	EXPECT_EQ(blink_tree_add(w->tree, 15, 1, NULL, GFP_KERNEL), -ENOSPC);
	EXPECT_EQ(blink_tree_load(w->tree, entry, 2, 100, GFP_KERNEL, &done),
		  -ENOSPC);
	EXPECT_EQ(done, 0);
}

/* Make room, use it, and let @add be refused: it is told once more. */
static void told_by(struct watched *w, void (*add)(struct watched *w))
{
	EXPECT_ERASE(w->tree, 0);
	expect_record(w, ERASE, 0, 0, 0, 1);
	EXPECT_EQ(insert(w->tree, 0), 0);
	expect_record(w, INSERT, 0, 0, 1, 0);
	add(w);
	expect_refusal(w, -ENOSPC);
	add(w);
	expect_none(w);
}

static void add_one(struct watched *w)
{
	expect_full(w, 99);
}

static void add_by_batch(struct watched *w)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_INSERT,
					.key = 11 };

	blink_tree_batch(w->tree, &op, 1, GFP_KERNEL);
	EXPECT_EQ(op.result, -ENOSPC);
}

static void add_by_load(struct watched *w)
{
	struct blink_tree_entry entry = { .key = 13 };
	unsigned int done;

	EXPECT_EQ(blink_tree_load(w->tree, &entry, 1, 100, GFP_KERNEL, &done),
		  -ENOSPC);
}

static void told_once(void)
{
	struct watched w;
	u64 key;

	watch_begin(&w, create(ROOM, 0), 0, U64_MAX, SLOTS);
	for (key = 0; key < ROOM; key++) {
		EXPECT_EQ(insert(w.tree, key), 0);
		expect_record(&w, INSERT, key, key, 1, 0);
	}
	/* A key that is there needs no room. */
	EXPECT_EQ(insert(w.tree, 1), -EEXIST);
	EXPECT_EQ(blink_tree_replace(w.tree, 99, 1, NULL), -ENOENT);
	expect_none(&w);
	expect_full(&w, 99);
	expect_refusal(&w, -ENOSPC);
	add_each(&w);
	expect_none(&w);
	/* Room alone is not told, nor is an update. */
	EXPECT_EQ(blink_tree_replace(w.tree, 1, 1, NULL), 0);
	expect_record(&w, UPDATE, 1, 1, 1, 1);
	expect_full(&w, 99);
	expect_none(&w);
	told_by(&w, add_one);
	told_by(&w, add_by_batch);
	told_by(&w, add_by_load);
	watched_end(&w);
}

/* A load adds what fits, and is refused the rest. */
static void told_by_load(void)
{
	struct blink_tree_entry entry[ROOM + 2] = {};
	unsigned int done, i;
	struct watched w;

	watch_begin(&w, create(ROOM, 0), 0, U64_MAX, SLOTS);
	for (i = 0; i < ROOM + 2; i++)
		entry[i].key = i;
	EXPECT_EQ(blink_tree_load(w.tree, entry, ROOM + 2, 100, GFP_KERNEL,
				  &done),
		  -ENOSPC);
	EXPECT_EQ(done, ROOM);
	for (i = 0; i < ROOM; i++)
		expect_record(&w, INSERT, i, i, 0, 0);
	expect_refusal(&w, -ENOSPC);
	expect_none(&w);
	watched_end(&w);
}

/* Watches of other keys, and one that begins later. */
static void told_to_all(void)
{
	struct watched w, other, late;

	watch_begin(&w, create(1, 0), 0, 9, SLOTS);
	watch_begin(&other, w.tree, 100, 200, SLOTS);
	EXPECT_EQ(insert(w.tree, 5), 0);
	expect_record(&w, INSERT, 5, 5, 1, 0);
	expect_full(&w, 6);
	expect_refusal(&w, -ENOSPC);
	expect_refusal(&other, -ENOSPC);
	watch_begin(&late, w.tree, 50, 50, SLOTS);
	expect_full(&w, 6);
	expect_refusal(&late, -ENOSPC);
	/* A key of no other watch was added. */
	EXPECT_ERASE(w.tree, 5);
	expect_record(&w, ERASE, 5, 5, 0, 1);
	EXPECT_EQ(insert(w.tree, 6), 0);
	expect_record(&w, INSERT, 6, 6, 1, 0);
	expect_full(&w, 7);
	expect_refusal(&w, -ENOSPC);
	expect_refusal(&other, -ENOSPC);
	expect_refusal(&late, -ENOSPC);
	watch_end(&late);
	watch_end(&other);
	watched_end(&w);
}

/* Of three watches each one ends before the others, which then have records of all. */
static void one_of_three(void)
{
	struct blink_tree *tree = tree_create();
	struct watched w[3];
	unsigned int i, end;

	for (end = 0; end < 3; end++) {
		for (i = 0; i < 3; i++)
			watch_begin(&w[i], tree, i, i, SLOTS);
		watch_end(&w[end]);
		blink_watch_tell(tree, BLINK_TREE_CHANGE_ATTR, end);
		for (i = 0; i < 3; i++) {
			EXPECT(blink_tree_store(tree, i, end, NULL,
						GFP_KERNEL) >= 0);
			EXPECT_ERASE(tree, i);
			if (i == end)
				continue;
			expect_record(&w[i], BLINK_TREE_CHANGE_ATTR, 0, 0, end,
				      0);
			expect_record(&w[i], INSERT, i, i, end, 0);
			expect_record(&w[i], ERASE, i, i, 0, end);
			expect_none(&w[i]);
			watch_end(&w[i]);
		}
		EXPECT(!rcu_access_pointer(tree->watches));
	}
	/* There is no watch left to tell. */
	blink_watch_tell(tree, BLINK_TREE_CHANGE_UNLINKED, 0);
	blink_tree_destroy(tree);
}

/* The limit in bytes, and memory that there is not. */
static void told_of_memory(void)
{
	struct blink_tree_change change;
	struct watched w;
	u64 key;
	int err;

	watch_begin(&w, create(0, 1 << 20), 0, U64_MAX, 1024);
	blink_tree_set_max_bytes(w.tree, 1);
	for (key = 0; !(err = insert(w.tree, key)); key++)
		expect_record(&w, INSERT, key, key, 1, 0);
	EXPECT_EQ(err, -ENOSPC);
	expect_refusal(&w, -ENOSPC);
	expect_none(&w);
	watched_end(&w);

	watch_begin(&w, tree_create(), 0, U64_MAX, 1024);
	shim_self->fail_one_in = 1;
	for (key = 0; !(err = insert(w.tree, key)); key++)
		expect_record(&w, INSERT, key, key, 1, 0);
	shim_self->fail_one_in = 0;
	EXPECT_EQ(err, -ENOMEM);
	expect_refusal(&w, -ENOMEM);
	EXPECT_EQ(ring_read(w.memory, w.position, &change), 0);
	watched_end(&w);
}

static void wakes(void)
{
	struct watched w;

	watch_begin(&w, create(1, 0), 7, 7, SLOTS);
	EXPECT_EQ(insert(w.tree, 1), 0);
	EXPECT(!blink_watch_fresh(&w.watch, 0));
	expect_full(&w, 2);
	EXPECT_EQ(atomic_read(&w.wakes), 1);
	EXPECT(!blink_watch_fresh(&w.watch, 1));
	blink_watch_tell(w.tree, BLINK_TREE_CHANGE_ATTR, 1);
	EXPECT_EQ(atomic_read(&w.wakes), 2);
	watched_end(&w);
}

static struct blink_tree *full;
static u64 seeds[WRITERS];

static void write_some(unsigned int id)
{
	u64 rounds = test_scale(ROUNDS), key;

	while (rounds--) {
		key = random_below(&seeds[id], 2 * ROOM);
		if (random_chance(&seeds[id], 20))
			blink_tree_erase(full, key, NULL);
		else
			blink_tree_store(full, key, 1, NULL, GFP_KERNEL);
	}
}

/* There are not many more refusals than insertions, however many writers try. */
static void bounded(void)
{
	u32 slots = 1U << fls64(2 * WRITERS * test_scale(ROUNDS));
	struct blink_tree_change change;
	u64 refusals = 0, inserts = 0;
	struct watched w;
	unsigned int id;

	full = create(ROOM, 0);
	watch_begin(&w, full, 0, U64_MAX, slots);
	for (id = 0; id < WRITERS; id++)
		seeds[id] = test_seed() + id;
	run_threads(WRITERS, write_some);
	for (; ring_read(w.memory, w.position, &change) == 1; w.position++) {
		refusals += change.op == REFUSED;
		inserts += change.op == INSERT;
	}
	EXPECT_EQ(w.position, ring_head(w.memory));
	EXPECT(refusals > 0);
	EXPECT(refusals <= inserts + 1);
	watch_end(&w);
	blink_tree_destroy(full);
}

const struct test TESTS(refuse)[] = {
	{ "refuse: told once", told_once },
	{ "refuse: told by a load", told_by_load },
	{ "refuse: told to all watches", told_to_all },
	{ "refuse: one of three watches ends", one_of_three },
	{ "refuse: told of memory", told_of_memory, .plain = true },
	{ "refuse: wakes", wakes },
	{ "refuse: bounded by insertions", bounded },
	{},
};
