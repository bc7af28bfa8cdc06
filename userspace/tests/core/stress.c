// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that work on one tree at once.
 *
 * The universe is split into *roles* by index: an *anchor* is in the tree all
 * the time, a *ghost* never, and every other key belongs to one thread, which
 * alone adds and removes it and so knows exactly what each operation on it must
 * answer. A value names its key, so that any reader can tell a value that is
 * another key's. Anchors bound what any floor, ceiling or scan may answer.
 */
#include <linux/atomic.h>

#include "test.h"

#define THREADS 4
#define UNIVERSE 8192U
/* Every so many keys there is an anchor, and a ghost right behind it. */
#define ANCHOR_EVERY 32U
#define BURST 48U
#define SCAN 512U

static struct blink_tree *tree;
static u64 key_step;
static u64 key_base;
static bool owned_present[UNIVERSE];
static u32 owned_version[UNIVERSE];

static u64 key_of(unsigned int i)
{
	return key_base + i * key_step;
}

static bool is_anchor(unsigned int i)
{
	return i % ANCHOR_EVERY == 0;
}

static bool is_ghost(unsigned int i)
{
	return i % ANCHOR_EVERY == 1;
}

static unsigned int owner_of(unsigned int i)
{
	return i / 4 % THREADS;
}

static bool is_owned(unsigned int i, unsigned int id)
{
	return !is_anchor(i) && !is_ghost(i) && owner_of(i) == id;
}

static u64 value_of(unsigned int i, u32 version)
{
	return (u64)i << 32 | version;
}

/* The index of a key that an answer names, or UNIVERSE. */
static unsigned int index_of(const struct blink_tree_entry *entry)
{
	u64 i = (entry->key - key_base) / key_step;

	if (i >= UNIVERSE || key_of(i) != entry->key)
		return UNIVERSE;
	return i;
}

static bool expect_entry(const struct blink_tree_entry *entry, unsigned int id)
{
	unsigned int i = index_of(entry);

	if (!EXPECT(i < UNIVERSE) || !EXPECT(!is_ghost(i)) ||
	    !EXPECT_EQ(entry->value >> 32, i))
		return false;
	if (!is_owned(i, id))
		return true;
	return EXPECT(owned_present[i]) &&
	       EXPECT_EQ((u32)entry->value, owned_version[i]);
}

static void add_one(unsigned int i, bool store)
{
	u64 key = key_of(i), old = 0, new = value_of(i, owned_version[i] + 1);
	int ret;

	test_did(1);
	if (store)
		ret = blink_tree_store(tree, key, new, &old, GFP_KERNEL);
	else
		ret = blink_tree_insert(tree, key, new, &old, GFP_KERNEL);
	if (owned_present[i]) {
		EXPECT_EQ(ret, store ? 1 : -EEXIST);
		EXPECT_EQ(old, value_of(i, owned_version[i]));
	} else {
		EXPECT_EQ(ret, 0);
	}
	if (store || !owned_present[i])
		owned_version[i]++;
	owned_present[i] = true;
}

static void erase_one(unsigned int i)
{
	u64 old = 0;
	int ret = blink_tree_erase(tree, key_of(i), &old);

	test_did(1);
	EXPECT_EQ(ret, owned_present[i] ? 0 : -ENOENT);
	if (owned_present[i])
		EXPECT_EQ(old, value_of(i, owned_version[i]));
	owned_present[i] = false;
}

static void change_one(unsigned int i, bool cmpxchg)
{
	u64 key = key_of(i), old = value_of(i, owned_version[i]), was = old;
	u64 new = value_of(i, owned_version[i] + 1);
	int ret;

	test_did(1);
	if (cmpxchg)
		ret = blink_tree_cmpxchg(tree, key, &old, new);
	else
		ret = blink_tree_replace(tree, key, new, &old);
	EXPECT_EQ(ret, owned_present[i] ? 0 : -ENOENT);
	if (!owned_present[i])
		return;
	EXPECT_EQ(old, was);
	owned_version[i]++;
}

static void look_up(unsigned int i, unsigned int id)
{
	struct blink_tree_entry entry = { .key = key_of(i) };
	int ret = blink_tree_lookup(tree, entry.key, &entry.value);
	bool known = is_owned(i, id) || is_anchor(i) || is_ghost(i);
	bool present = is_owned(i, id) ? owned_present[i] : is_anchor(i);

	test_did(1);
	if (known)
		EXPECT_EQ(ret, present ? 0 : -ENOENT);
	if (!ret)
		expect_entry(&entry, id);
}

static void look_below(unsigned int i, unsigned int id)
{
	unsigned int anchor = i - i % ANCHOR_EVERY;
	u64 key = key_of(i) + (i + 1 < UNIVERSE ? key_step / 2 : 0);
	struct blink_tree_entry entry;

	test_did(1);
	if (!EXPECT_EQ(blink_tree_floor(tree, key, &entry), 0))
		return;
	EXPECT(entry.key >= key_of(anchor) && entry.key <= key_of(i));
	expect_entry(&entry, id);
}

static void look_above(unsigned int i, unsigned int id)
{
	unsigned int anchor = i + ANCHOR_EVERY - i % ANCHOR_EVERY;
	struct blink_tree_entry entry;
	int ret = blink_tree_ceiling(tree, key_of(i), &entry);

	test_did(1);
	if (anchor < UNIVERSE)
		EXPECT_EQ(ret, 0);
	if (ret)
		return;
	EXPECT(entry.key >= key_of(i));
	if (anchor < UNIVERSE)
		EXPECT(entry.key <= key_of(anchor));
	expect_entry(&entry, id);
}

/* Keys come in order, and each one that is known to be there does come. */
static void look_along(unsigned int from, bool desc, unsigned int id)
{
	unsigned int to = min(from + SCAN, UNIVERSE) - 1, i, last = UNIVERSE;
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	bool seen[SCAN] = {};

	test_did(1);
	if (desc)
		blink_cursor_init_desc(&cursor, tree, key_of(from), key_of(to));
	else
		blink_cursor_init(&cursor, tree, key_of(from), key_of(to));
	while (blink_cursor_next(&cursor, &entry) > 0) {
		i = index_of(&entry);
		if (!expect_entry(&entry, id) || !EXPECT(i >= from && i <= to))
			return;
		if (last < UNIVERSE && !EXPECT(desc ? i < last : i > last))
			return;
		seen[i - from] = true;
		last = i;
	}
	for (i = from; i <= to; i++)
		if (is_anchor(i) || (is_owned(i, id) && owned_present[i]))
			EXPECT(seen[i - from]);
}

/* A burst empties a stretch of the thread's keys, or fills it. */
static void burst(u64 *random, unsigned int id)
{
	unsigned int from = random_below(random, UNIVERSE - BURST), i;
	bool add = random_chance(random, 50);

	for (i = from; i < from + BURST; i++) {
		if (!is_owned(i, id))
			continue;
		if (add)
			add_one(i, i & 1);
		else
			erase_one(i);
	}
}

static void one_step(u64 *random, unsigned int id)
{
	unsigned int i = random_below(random, UNIVERSE);

	switch (random_below(random, 16)) {
	case 0:
	case 1:
		burst(random, id);
		break;
	case 2:
		look_along(i, random_chance(random, 50), id);
		break;
	case 3:
	case 4:
		look_below(i, id);
		break;
	case 5:
	case 6:
		look_above(i, id);
		break;
	case 7:
	case 8:
	case 9:
		look_up(i, id);
		break;
	default:
		if (!is_owned(i, id))
			break;
		if (random_chance(random, 50))
			change_one(i, random_chance(random, 50));
		else if (random_chance(random, 50))
			add_one(i, random_chance(random, 50));
		else
			erase_one(i);
	}
}

static void verify_meanwhile(void)
{
	struct blink_tree_level_stats levels[16];
	struct blink_tree_ioc_verify report;

	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT_EQ(report.violation, BLINK_TREE_OK);
	EXPECT(blink_tree_levels(tree, levels, ARRAY_SIZE(levels)));
}

static void mix(unsigned int id)
{
	u64 random = test_seed() + id, step, steps = test_scale(20000);

	for (step = 0; step < steps && !test_failed(); step++) {
		one_step(&random, id);
		if (step % 1024 == id * 256)
			verify_meanwhile();
	}
}

/* Every thread removes what is its own; anchors go by their number. */
static void empty(unsigned int id)
{
	unsigned int i;

	for (i = 0; i < UNIVERSE; i++) {
		if (is_owned(i, id) && owned_present[i])
			erase_one(i);
		if (is_anchor(i) && i / ANCHOR_EVERY % THREADS == id)
			EXPECT_EQ(blink_tree_erase(tree, key_of(i), NULL), 0);
	}
}

static void check_contents(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < UNIVERSE; i++) {
		look_up(i, owner_of(i));
		nr += is_anchor(i) || owned_present[i];
	}
	EXPECT_EQ(blink_tree_count(tree), nr);
	expect_sound(tree);
}

static void partitioned(void)
{
	struct blink_tree_ioc_stats stats;
	unsigned int i, round;

	tree = tree_create();
	for (round = 0; round < 3 && !test_failed(); round++) {
		key_step = round ? U64_MAX / UNIVERSE : 1;
		key_base = round == 1 ? U64_MAX - key_of(UNIVERSE - 1) : 0;
		for (i = 0; i < UNIVERSE; i += ANCHOR_EVERY)
			EXPECT_EQ(blink_tree_insert(tree, key_of(i),
						    value_of(i, 0), NULL,
						    GFP_KERNEL),
				  0);
		run_threads(THREADS, mix);
		check_contents();
		run_threads(THREADS, empty);
		expect_one_leaf(tree);
	}
	blink_tree_stats(tree, &stats);
	EXPECT(stats.splits && stats.merges && stats.root_grows &&
	       stats.root_shrinks);
	printf("# %llu splits, %llu merges, %llu hops, %llu reroutes\n",
	       stats.splits, stats.merges, stats.right_hops, stats.reroutes);
	printf("# %llu retries, %llu locked reads\n", stats.read_retries,
	       stats.read_locks);
	blink_tree_destroy(tree);
}

/*
 * All threads at the same few keys. For each key, the insertions and erasures
 * that succeeded alternate, so that their numbers tell whether it is there; the
 * counters in between, raised by compare-and-exchange, lose no step.
 */
#define HOT 64U
#define COUNTER_EVERY 8U

static atomic64_t balance[HOT];
static atomic64_t raised[HOT];

static void raise_counter(u64 key)
{
	u64 old;

	EXPECT_EQ(blink_tree_lookup(tree, key, &old), 0);
	while (blink_tree_cmpxchg(tree, key, &old, old + 1) == -ESTALE)
		;
	atomic64_inc(&raised[key]);
}

static void hot(unsigned int id)
{
	u64 random = test_seed() + id, step, steps = test_scale(200000), key;

	for (step = 0; step < steps && !test_failed(); step++) {
		key = random_below(&random, HOT);
		if (key % COUNTER_EVERY == 0)
			raise_counter(key);
		else if (random_chance(&random, 50))
			atomic64_add(!blink_tree_insert(tree, key, key, NULL,
							GFP_KERNEL),
				     &balance[key]);
		else
			atomic64_sub(!blink_tree_erase(tree, key, NULL),
				     &balance[key]);
	}
	test_did(step);
}

static void contended(void)
{
	u64 key, value;

	tree = tree_create();
	for (key = 0; key < HOT; key++) {
		atomic64_set(&balance[key], 0);
		atomic64_set(&raised[key], 0);
		if (key % COUNTER_EVERY == 0)
			EXPECT_EQ(blink_tree_insert(tree, key, 0, NULL,
						    GFP_KERNEL),
				  0);
	}
	run_threads(THREADS, hot);
	expect_sound(tree);
	for (key = 0; key < HOT; key++) {
		if (key % COUNTER_EVERY == 0) {
			EXPECT_EQ(blink_tree_lookup(tree, key, &value), 0);
			EXPECT_EQ(value, atomic64_read(&raised[key]));
		} else {
			EXPECT_EQ(blink_tree_lookup(tree, key, &value),
				  atomic64_read(&balance[key]) ? 0 : -ENOENT);
		}
		blink_tree_erase(tree, key, NULL);
	}
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

/* As many keys as the limit allows, however many threads add them. */
#define LIMIT 500

static atomic64_t added;

static void add_up_to_limit(unsigned int id)
{
	u64 random = test_seed() + id, step, steps = test_scale(50000), key;
	int ret;

	for (step = 0; step < steps && !test_failed(); step++) {
		key = random_below(&random, 4 * LIMIT);
		if (random_chance(&random, 60)) {
			ret = blink_tree_insert(tree, key, key, NULL,
						GFP_KERNEL);
			EXPECT(!ret || ret == -EEXIST || ret == -ENOSPC);
			atomic64_add(!ret, &added);
		} else {
			atomic64_sub(!blink_tree_erase(tree, key, NULL),
				     &added);
		}
	}
	test_did(step);
}

static void limited(void)
{
	struct blink_tree_params params = test_params;
	u64 key;

	params.max_entries = LIMIT;
	tree = blink_tree_create(&params, GFP_KERNEL);
	atomic64_set(&added, 0);
	run_threads(THREADS, add_up_to_limit);
	expect_sound(tree);
	EXPECT_EQ(blink_tree_count(tree), atomic64_read(&added));
	EXPECT(blink_tree_count(tree) <= LIMIT);
	for (key = 0; blink_tree_count(tree) < LIMIT; key++)
		blink_tree_insert(tree, key, key, NULL, GFP_KERNEL);
	EXPECT_EQ(blink_tree_insert(tree, U64_MAX, 0, NULL, GFP_KERNEL),
		  -ENOSPC);
	blink_tree_destroy(tree);
}

/* Memory fails at random for everybody while all of them work. */
static void mix_failing(unsigned int id)
{
	u64 random = test_seed() + id, step, steps = test_scale(100000), key;
	bool add;
	u64 value;
	int ret;

	shim_self->fail_one_in = 3;
	for (step = 0; step < steps && !test_failed(); step++) {
		key = random_below(&random, UNIVERSE) * THREADS + id;
		add = random_chance(&random, 55);
		if (add)
			ret = blink_tree_insert(tree, key, ~key, NULL,
						GFP_KERNEL);
		else
			ret = blink_tree_erase(tree, key, NULL);
		if (ret == -ENOMEM)
			continue;
		EXPECT(!ret || ret == (add ? -EEXIST : -ENOENT));
		EXPECT_EQ(blink_tree_lookup(tree, key, &value),
			  add ? 0 : -ENOENT);
	}
	shim_self->fail_one_in = 0;
	test_did(step);
}

static void without_memory(void)
{
	u64 key;

	tree = tree_create();
	run_threads(THREADS, mix_failing);
	expect_sound(tree);
	for (key = 0; key < (u64)UNIVERSE * THREADS; key++)
		blink_tree_erase(tree, key, NULL);
	expect_one_leaf(tree);
	blink_tree_destroy(tree);
}

const struct test stress_tests[] = {
	{ "stress: every thread knows its keys", partitioned },
	{ "stress: all threads at the same keys", contended },
	{ "stress: limited number of entries", limited },
	{ "stress: memory fails at random", without_memory },
	{}
};
