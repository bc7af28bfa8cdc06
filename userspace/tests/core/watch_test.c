// SPDX-License-Identifier: GPL-2.0
/* Watches: the records of all operations, overruns, and copies kept by their records. */
#include <linux/bitops.h>
#include <linux/rcupdate.h>

#include "core/index/walk.h"
#include "core/node/node.h"
#include "core/tree/tree.h"
#include "core/tree/watch.h"
#include "test.h"
#include "watched.h"

#define WRITERS 4
#define SLOTS 64
#define KEYS 400
#define ROUNDS 20000

static void updates(struct watched *w)
{
	struct blink_tree *tree = w->tree;
	u64 old = 5;

	EXPECT_INSERT(tree, 7, 1);
	expect_record(w, INSERT, 7, 7, 1, 0);
	EXPECT_EQ(blink_tree_insert(tree, 7, 2, NULL, GFP_KERNEL), -EEXIST);
	EXPECT_EQ(blink_tree_store(tree, 7, 2, NULL, GFP_KERNEL), 1);
	expect_record(w, UPDATE, 7, 7, 2, 1);
	EXPECT_EQ(blink_tree_store(tree, 8, 3, NULL, GFP_KERNEL), 0);
	expect_record(w, INSERT, 8, 8, 3, 0);
	EXPECT_EQ(blink_tree_replace(tree, 9, 3, NULL), -ENOENT);
	EXPECT_EQ(blink_tree_replace(tree, 8, 4, NULL), 0);
	expect_record(w, UPDATE, 8, 8, 4, 3);
	EXPECT_EQ(blink_tree_cmpxchg(tree, 8, &old, 9), -ESTALE);
	EXPECT_EQ(old, 4);
	EXPECT_EQ(blink_tree_cmpxchg(tree, 8, &old, 9), 0);
	expect_record(w, UPDATE, 8, 8, 9, 4);
	expect_none(w);
}

static void erasures(struct watched *w)
{
	struct blink_tree *tree = w->tree;
	struct blink_tree_entry entry;
	u64 old = 5;

	EXPECT_EQ(blink_tree_cmperase(tree, 8, &old), -ESTALE);
	EXPECT_EQ(blink_tree_cmperase(tree, 8, &old), 0);
	expect_record(w, ERASE, 8, 8, 0, 9);
	EXPECT_EQ(blink_tree_erase(tree, 8, NULL), -ENOENT);
	EXPECT_ERASE(tree, 7);
	expect_record(w, ERASE, 7, 7, 0, 2);
	old = 11;
	EXPECT_EQ(blink_tree_get_or_insert(tree, 1, &old, GFP_KERNEL), 0);
	expect_record(w, INSERT, 1, 1, 11, 0);
	EXPECT_EQ(blink_tree_get_or_insert(tree, 1, &old, GFP_KERNEL), 1);
	EXPECT_EQ(blink_tree_add(tree, 1, 4, NULL, GFP_KERNEL), 1);
	expect_record(w, UPDATE, 1, 1, 15, 11);
	EXPECT_EQ(blink_tree_pop_min(tree, 0, &entry), 0);
	expect_record(w, ERASE, 1, 1, 0, 15);
	EXPECT_EQ(blink_tree_add_saturate(tree, 1, -4, NULL, GFP_KERNEL), 0);
	expect_record(w, INSERT, 1, 1, 0, 0);
	EXPECT_EQ(blink_tree_pop_min(tree, 0, &entry), 0);
	expect_record(w, ERASE, 1, 1, 0, 0);
	expect_none(w);
}

/* A load, a batch, and an erased range, in one leaf and in many. */
static void many(struct watched *w, unsigned int keys)
{
	struct blink_tree_entry entry[KEYS] = {};
	struct blink_tree_ioc_op op[KEYS] = {};
	struct blink_scan scan = { .last = KEYS };
	struct blink_tree_change change;
	unsigned int i, done;
	u64 next = 0;

	for (i = 0; i < keys; i++) {
		entry[i] = (struct blink_tree_entry){ .key = i, .value = ~i };
		op[i].opcode = BLINK_TREE_OP_REPLACE;
		op[i].key = i;
		op[i].value = i;
	}
	EXPECT_EQ(blink_tree_load(w->tree, entry, keys, 100, GFP_KERNEL, &done),
		  0);
	for (i = 0; i < keys; i++)
		expect_record(w, INSERT, i, i, entry[i].value, 0);
	blink_tree_batch(w->tree, op, keys, GFP_KERNEL);
	for (i = 0; i < keys; i++)
		expect_record(w, UPDATE, i, i, i, entry[i].value);
	EXPECT_EQ(blink_tree_erase_range(w->tree, &scan, NULL, keys), keys);
	/* Each leaf has a record, and they follow each other. */
	while (ring_read(w->memory, w->position, &change) > 0 && next < keys) {
		w->position++;
		EXPECT(change.op == ERASE_RANGE || change.op == ERASE);
		EXPECT_EQ(number(change.key, change.key_low), next);
		next = number(change.last, change.last_low) + 1;
	}
	EXPECT_EQ(next, keys);
	expect_none(w);
}

/* The records of a commit, in the order of their keys; those outside of the range are none. */
static void commits(struct watched *w)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_STORE, .key = 5, .value = 51 },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = 3 },
		{ .opcode = BLINK_TREE_OP_INSERT, .key = 1, .value = 10 },
		{ .opcode = BLINK_TREE_OP_ERASE, .key = 5000 },
	};

	EXPECT_INSERT(w->tree, 5, 50);
	EXPECT_INSERT(w->tree, 5000, 7);
	expect_record(w, INSERT, 5, 5, 50, 0);
	EXPECT_EQ(blink_tree_commit(w->tree, ops, 3, NULL, GFP_KERNEL), 0);
	expect_one_of(w, 1, INSERT, 1, 1, 10, 0);
	expect_one_of(w, 0, UPDATE, 5, 5, 51, 50);
	EXPECT_EQ(blink_tree_commit(w->tree, ops, 3, NULL, GFP_KERNEL),
		  -ESTALE);
	EXPECT_EQ(blink_tree_commit(w->tree, &ops[3], 1, NULL, GFP_KERNEL), 0);
	ops[3] = (struct blink_tree_ioc_op){ .opcode = BLINK_TREE_OP_INSERT,
					     .key = 5000 };
	ops[2].opcode = BLINK_TREE_OP_ERASE;
	EXPECT_EQ(blink_tree_commit(w->tree, &ops[2], 2, NULL, GFP_KERNEL), 0);
	expect_record(w, ERASE, 1, 1, 0, 10);
	expect_none(w);
}

/* A gap that is cleared has one record, without the keys beside it, if it had keys. */
static void gaps(struct watched *w)
{
	struct blink_tree_ioc_op ops[] = {
		{ .opcode = BLINK_TREE_OP_STORE, .key = 2000 },
		{ .opcode = BLINK_TREE_OP_LOOKUP,
		  .flags = BLINK_TREE_COMMIT_CLEAR,
		  .key = 10 },
		{ .opcode = BLINK_TREE_OP_STORE,
		  .flags = BLINK_TREE_COMMIT_CLEAR,
		  .key = 900,
		  .value = 9 },
	};
	u64 key;

	for (key = 10; key < 40; key++) {
		EXPECT_INSERT(w->tree, key, key);
		expect_record(w, INSERT, key, key, key, 0);
	}
	EXPECT_EQ(blink_tree_commit(w->tree, ops, 3, NULL, GFP_KERNEL), 0);
	expect_one_of(w, 1, ERASE_RANGE, 11, 899, 0, 0);
	expect_one_of(w, 0, INSERT, 900, 900, 9, 0);
	EXPECT_INSERT(w->tree, 901, 1);
	expect_record(w, INSERT, 901, 901, 1, 0);
	EXPECT_EQ(blink_tree_commit(w->tree, ops, 3, NULL, GFP_KERNEL), 0);
	expect_one_of(w, 1, UPDATE, 900, 900, 9, 9);
	expect_one_of(w, 0, ERASE_RANGE, 901, 1000, 0, 0);
	expect_none(w);
}

static void records_of_commits(void)
{
	struct watched w;

	/* Nodes of four slots have commits of three operations. */
	watch_begin(&w, tree_create(), 0, 1000, SLOTS);
	commits(&w);
	gaps(&w);
	watched_end(&w);
}

static void records(void)
{
	struct watched w;

	watch_begin(&w, tree_create(), 0, U64_MAX, 2048);
	updates(&w);
	erasures(&w);
	many(&w, 3);
	many(&w, KEYS);
	watched_end(&w);
}

/* Insertions that split leaves, in both halves. */
static void splits(void)
{
	struct watched w;
	u64 i, key;

	watch_begin(&w, tree_create(), 0, U64_MAX, 1024);
	for (i = 0; i < KEYS; i++) {
		key = i * 167 % KEYS;
		EXPECT_INSERT(w.tree, key, i);
		expect_record(&w, INSERT, key, key, i, 0);
	}
	expect_none(&w);
	EXPECT(tree_stats(w.tree).splits > 0);
	watched_end(&w);
}

static void range(void)
{
	struct blink_scan scan = { .last = KEYS };
	struct watched all, w;
	u64 i;

	watch_begin(&all, tree_create(), 0, U64_MAX, 1024);
	watch_begin(&w, all.tree, 2, 4, SLOTS);
	for (i = 0; i < 7; i++)
		EXPECT_INSERT(w.tree, i, i);
	for (i = 2; i < 5; i++)
		expect_record(&w, INSERT, i, i, i, 0);
	expect_none(&w);
	for (i = 0; i < 7; i++)
		expect_record(&all, INSERT, i, i, i, 0);
	EXPECT_ERASE(w.tree, 1);
	EXPECT_ERASE(w.tree, 5);
	expect_none(&w);
	/* Other leaves of the smallest trees cut the range more often. */
	EXPECT_EQ(blink_tree_erase_range(w.tree, &scan, NULL, KEYS), 5);
	while (blink_watch_head(&w.watch) > w.position) {
		struct blink_tree_change change = {};

		EXPECT_EQ(ring_read(w.memory, w.position++, &change), 1);
		EXPECT(number(change.key, change.key_low) >= 2);
		EXPECT(number(change.last, change.last_low) <= 4);
	}
	/* The first of two in the list goes before the other. */
	watch_end(&all);
	EXPECT_INSERT(w.tree, 3, 0);
	expect_record(&w, INSERT, 3, 3, 0, 0);
	watch_end(&w);
	EXPECT(!rcu_access_pointer(w.tree->watches));
	blink_tree_destroy(w.tree);
}

static void overrun(void)
{
	struct blink_tree_change change;
	struct watched w;
	u64 i;

	watch_begin(&w, tree_create(), 0, U64_MAX, SLOTS);
	for (i = 0; i < SLOTS + 1; i++)
		EXPECT_EQ(blink_tree_store(w.tree, 5, i, NULL, GFP_KERNEL),
			  !!i);
	EXPECT_EQ(ring_read(w.memory, 0, &change), -EOVERFLOW);
	w.position = 1;
	for (i = 1; i < SLOTS + 1; i++)
		expect_record(&w, UPDATE, 5, 5, i, i - 1);
	expect_none(&w);
	watched_end(&w);
}

/* Leave the slot of a position as a writer leaves it that has not finished. */
static void leave_busy(struct watched *w, u64 position)
{
	w->watch.slots[position % SLOTS].seq = 2 * position + 1;
}

static void lap_behind(void)
{
	struct blink_tree_change change;
	struct watched w;

	watch_begin(&w, tree_create(), 0, U64_MAX, SLOTS);
	/* The writer of position 0 is at work still when the ring is full. */
	leave_busy(&w, 0);
	w.watch.ring->head = SLOTS;
	EXPECT_EQ(ring_read(w.memory, 0, &change), -EAGAIN);
	EXPECT_INSERT(w.tree, 5, 1);
	EXPECT_EQ(ring_read(w.memory, SLOTS, &change), -EOVERFLOW);
	EXPECT_EQ(w.watch.ring->lost, SLOTS + 1);
	EXPECT_EQ(ring_read(w.memory, 0, &change), -EOVERFLOW);
	/* A later record is left as it is, finished or not. */
	w.watch.ring->head = 3;
	leave_busy(&w, SLOTS + 3);
	w.watch.slots[4].seq = 2 * (SLOTS + 4) + 2;
	EXPECT_EQ(blink_tree_replace(w.tree, 5, 0, NULL), 0);
	EXPECT_ERASE(w.tree, 5);
	EXPECT_EQ(w.watch.slots[3].seq, 2 * (SLOTS + 3) + 1);
	EXPECT_EQ(w.watch.slots[4].seq, 2 * (SLOTS + 4) + 2);
	EXPECT_EQ(ring_read(w.memory, 3, &change), -EOVERFLOW);
	EXPECT_EQ(ring_read(w.memory, 4, &change), -EOVERFLOW);
	EXPECT_EQ(w.watch.ring->lost, SLOTS + 1);
	watched_end(&w);
}

static void wakes(void)
{
	struct watched w;
	u64 i;

	watch_begin(&w, tree_create(), 0, U64_MAX, SLOTS);
	for (i = 0; i < 3; i++) {
		EXPECT(!blink_watch_fresh(&w.watch, 2 * i));
		EXPECT_EQ(blink_tree_store(w.tree, 1, 1, NULL, GFP_KERNEL),
			  !!i);
		EXPECT_EQ(blink_tree_store(w.tree, 1, 1, NULL, GFP_KERNEL), 1);
		EXPECT_EQ(atomic_read(&w.wakes), i + 1);
		EXPECT(blink_watch_fresh(&w.watch, 2 * i + 1));
	}
	watched_end(&w);
}

/* The leaf that has a key, or would have it, is locked. */
static void expect_locked(struct blink_tree *tree, u64 key)
{
	struct blink_node *leaf;

	rcu_read_lock();
	leaf = blink_node_primary(blink_descend_leaf(tree, key, NULL));
	while (blink_node_beyond(leaf, key))
		leaf = blink_node_primary(rcu_dereference(leaf->right));
	EXPECT(blink_lock_is_held(&leaf->lock));
	rcu_read_unlock();
}

/* A record is there: its change took effect, and no other one can follow yet. */
static void expect_effect(struct blink_watch *watch)
{
	struct watched *w = container_of(watch, struct watched, watch);
	struct blink_tree_change change = {};
	u64 value, key;

	EXPECT_EQ(ring_read(w->memory, ring_head(w->memory) - 1, &change), 1);
	key = number(change.key, change.key_low);
	if (change.value)
		EXPECT_FOUND(w->tree, key, change.value);
	else
		EXPECT_EQ(blink_tree_lookup(w->tree, key, &value), -ENOENT);
	expect_locked(w->tree, key);
	atomic_inc(&w->wakes);
}

static void effects(void)
{
	struct blink_scan scan = { .last = KEYS };
	struct watched w;
	u64 i, key;

	watch_begin(&w, tree_create(), 0, U64_MAX, 1024);
	w.watch.wake = expect_effect;
	for (i = 0; i < 2 * KEYS; i++) {
		key = i * 167 % KEYS;
		blink_watch_fresh(&w.watch, U64_MAX - 1);
		EXPECT(blink_tree_store(w.tree, key, i + 1, NULL, GFP_KERNEL) >=
		       0);
	}
	for (i = 0; i < KEYS / 2; i++) {
		blink_watch_fresh(&w.watch, U64_MAX - 1);
		EXPECT_ERASE(w.tree, i);
	}
	EXPECT_EQ(atomic_read(&w.wakes), 2 * KEYS + KEYS / 2);
	blink_watch_fresh(&w.watch, U64_MAX - 1);
	blink_tree_erase_range(w.tree, &scan, NULL, KEYS);
	EXPECT_EQ(atomic_read(&w.wakes), 2 * KEYS + KEYS / 2 + 1);
	watched_end(&w);
}

static struct watched feed;
static struct blink_tree *source;
static u32 feed_slots;
static atomic_t writers;
static u64 seeds[WRITERS + 1];
static unsigned int overruns;

static void write_some(u64 *random)
{
	struct blink_scan scan = { .first = random_below(random, KEYS) };
	u64 key = random_below(random, KEYS), value = random_below(random, 99);

	scan.last = scan.first + random_below(random, 20);
	switch (random_below(random, 8)) {
	case 0:
	case 1:
		blink_tree_erase(source, key, NULL);
		break;
	case 2:
		blink_tree_erase_range(source, &scan, NULL, 20);
		break;
	case 3:
		blink_tree_replace(source, key, value, NULL);
		break;
	default:
		blink_tree_store(source, key, value, NULL, GFP_KERNEL);
	}
}

static void apply(struct blink_tree *copy,
		  const struct blink_tree_change *change)
{
	u64 key = number(change->key, change->key_low);
	struct blink_scan scan = {
		.first = key, .last = number(change->last, change->last_low)
	};

	switch (change->op) {
	case INSERT:
	case UPDATE:
		EXPECT(blink_tree_store(copy, key, change->value, NULL,
					GFP_KERNEL) >= 0);
		break;
	default:
		EXPECT(change->op == ERASE || change->op == ERASE_RANGE);
		while (!scan.done)
			blink_tree_erase_range(copy, &scan, NULL, KEYS);
	}
}

static void erase_everything(struct blink_tree *tree)
{
	struct blink_scan all = { .last = KEYS + 20 };

	while (!all.done)
		blink_tree_erase_range(tree, &all, NULL, KEYS);
}

static void scan_again(struct blink_tree *copy)
{
	struct blink_scan scan = { .last = KEYS + 20 };
	struct blink_tree_entry entry[32];
	int i, n;

	erase_everything(copy);
	while (!scan.done) {
		n = blink_tree_scan(source, &scan, entry, ARRAY_SIZE(entry));
		for (i = 0; i < n; i++)
			blink_tree_store(copy, entry[i].key, entry[i].value,
					 NULL, GFP_KERNEL);
	}
}

/* Apply one change, if there is one. False: there is none. */
static bool follow(struct blink_tree *copy)
{
	struct blink_tree_change change;

	switch (ring_read(feed.memory, feed.position, &change)) {
	case 0:
		return false;
	case 1:
		feed.position++;
		apply(copy, &change);
		break;
	case -EOVERFLOW:
		overruns++;
		feed.position = ring_head(feed.memory);
		scan_again(copy);
		break;
	}
	return true;
}

static void expect_same(struct blink_tree *copy)
{
	struct blink_scan scan = { .last = KEYS + 20 };
	struct blink_tree_entry entry[32];
	u64 keys = 0;
	int i, n;

	while (!scan.done) {
		n = blink_tree_scan(source, &scan, entry, ARRAY_SIZE(entry));
		keys += n;
		for (i = 0; i < n; i++)
			EXPECT_FOUND(copy, entry[i].key, entry[i].value);
	}
	EXPECT_EQ(blink_tree_count(copy), keys);
}

static void keep_copy(void)
{
	struct blink_tree *copy = tree_create();

	/* The writers write already. */
	watch_begin(&feed, source, 0, U64_MAX, feed_slots);
	scan_again(copy);
	while (follow(copy) || atomic_read(&writers))
		;
	while (follow(copy))
		;
	expect_same(copy);
	watch_end(&feed);
	blink_tree_destroy(copy);
}

static void write_or_copy(unsigned int id)
{
	u64 rounds = test_scale(ROUNDS);

	if (id == WRITERS) {
		keep_copy();
		return;
	}
	while (rounds--)
		write_some(&seeds[id]);
	atomic_dec(&writers);
}

static void copies(u32 slots)
{
	unsigned int id;

	source = tree_create();
	feed_slots = slots;
	overruns = 0;
	atomic_set(&writers, WRITERS);
	for (id = 0; id < WRITERS; id++)
		seeds[id] = test_seed() + id;
	run_threads(WRITERS + 1, write_or_copy);
	blink_tree_destroy(source);
}

static void copy_without_overruns(void)
{
	copies(1U << fls64(WRITERS * test_scale(ROUNDS)));
	EXPECT_EQ(overruns, 0);
}

static void copy_with_overruns(void)
{
	copies(SLOTS);
}

const struct test TESTS(watch)[] = {
	{ "watch: commits", records_of_commits, .plain = true },
	{ "watch: records of all operations", records },
	{ "watch: splits", splits },
	{ "watch: a range", range },
	{ "watch: overrun", overrun },
	{ "watch: a writer a lap behind", lap_behind },
	{ "watch: wakes once", wakes },
	{ "watch: records follow their changes", effects },
	{ "watch: a copy", copy_without_overruns },
	{ "watch: a copy, overrun", copy_with_overruns },
	{},
};
