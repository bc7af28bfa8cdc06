// SPDX-License-Identifier: GPL-2.0
/*
 * Readers while writers are at work: they find every key that stays, and no key that
 * is absent throughout; a leaf is seen at one moment; no lock stops them.
 */
#include "../module/core/tree/tree.h"
#include "reader_checks.h"

/* A kernel that checks its memory takes four times as long for strings. */
static unsigned long reader_work(const struct blink_tree *tree,
				 unsigned long amount)
{
	bool slow = IS_ENABLED(CONFIG_KASAN) &&
		    tree->layout == BLINK_LAYOUT_BYTES;

	return world_work(amount) / (slow ? 4 : 1);
}

/* All kinds of readers at once, or many of one kind. */
struct audience {
	const char *name;
	u64 groups;
	unsigned long waves;
	thread_work_t reader[4];
};

static const struct audience audiences[] = {
	{ "lookups, one leaf more or less", 1, 250, { check_lookups } },
	{ "lookups, two levels", 20, 60, { check_lookups } },
	{ "lookups, three levels", 80, 60, { check_lookups } },
	{ "floor and ceiling, two leaves", 2, 120, { check_nearest } },
	{ "floor and ceiling", 20, 60, { check_nearest } },
	{ "scans, a few leaves", 3, 80, { check_scans } },
	{ "scans", 40, 60, { check_scans } },
	{ "fingers, a few leaves", 3, 80, { check_fingers } },
	{ "fingers", 40, 60, { check_fingers, check_nearest } },
	{ "all",
	  60,
	  60,
	  { check_lookups, check_nearest, check_scans, check_verify } },
};

KUNIT_ARRAY_PARAM_DESC(audience, audiences, name);

static void present_throughout(struct kunit *test)
{
	const struct audience *audience = test->param_value;
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	struct key_groups groups = {
		.nr = audience->groups,
		.waves = reader_work(tree, audience->waves),
	};
	unsigned int i, kinds;

	for (kinds = 0; kinds < 4 && audience->reader[kinds];)
		kinds++;
	groups_fill(test, tree, &groups);
	threads_lead(threads, max(world_cpus() / 2, 2U), groups_churn, &groups);
	for (i = 0; i < kinds; i++)
		threads_follow(threads, max(world_cpus() / kinds, 1U),
			       audience->reader[i], &groups);
	threads_run(threads);
	fixture_sound(test, tree, groups_count(&groups));
}

/*
 * The keys of a leaf are, at any moment, all those from one to another: keys
 * come and go at both ends only. A scan that gets the leaf whole must see it so. If the
 * leaf is split for its heat, the row is two leaves; the counter of such splits changes
 * before any reader can see the second one.
 */
struct row {
	u64 keys;
	unsigned long moves;
};

static void move_ends(struct thread *me)
{
	const struct row *row = me->arg;
	struct blink_tree *tree = me->threads->tree;
	u64 first = row->keys / 2, end = first, key;
	unsigned long n;

	for (n = 0; n < row->moves && thread_goes_on(me); n++) {
		bool low = fixture_below(&me->rnd, 2);

		if (fixture_below(&me->rnd, 2)) {
			if (low ? !first : end == row->keys)
				continue;
			key = low ? --first : end++;
			blink_tree_insert(tree, key, fixture_value(key), NULL,
					  GFP_KERNEL);
		} else if (first < end) {
			key = low ? first++ : --end;
			blink_tree_erase(tree, key, NULL);
		}
	}
}

/* Whether the writer waited for readers so often that the leaf was split. */
static bool row_was_split(struct thread *me)
{
	return fixture_stats(me->threads->tree).heat_splits;
}

static void scan_row(struct thread *me)
{
	struct blink_tree_entry entries[BLINK_CURSOR_ENTRIES];
	struct blink_scan scan;
	u64 expected;
	int n, i;

	while (thread_goes_on(me)) {
		scan = (struct blink_scan){
			.first = 0,
			.last = U64_MAX,
			.desc = me->rounds % 2,
		};
		n = blink_tree_scan(me->threads->tree, &scan, entries,
				    ARRAY_SIZE(entries));
		for (i = 0; i < n; i++) {
			expected = entries[0].key + (scan.desc ? -i : i);
			if (entries[i].key == expected &&
			    entries[i].value == fixture_value(expected))
				continue;
			if (row_was_split(me))
				return;
			thread_fail(me, "place %d of %d: %llu", i, n,
				    entries[i].key);
		}
	}
}

static void leaf_at_one_moment(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct row row = { .moves = reader_work(tree, 30000) };
	struct threads *threads = threads_create(test, tree);
	struct fixture_shape shape;

	fixture_shape(test, &shape);
	row.keys = min(shape.leaf_slots, 24U);
	threads_lead(threads, 1, move_ends, &row);
	threads_follow(threads, world_cpus(), scan_row, NULL);
	threads_run(threads);
}

static void overwrite_a_leaf(struct thread *me)
{
	const unsigned long *rounds = me->arg;
	unsigned long n;

	for (n = 0; n < *rounds && thread_goes_on(me); n++)
		blink_tree_replace(me->threads->tree, n % FIXTURE_ONE_LEAF, n,
				   NULL);
}

static void read_a_leaf(struct thread *me)
{
	u64 key, value;

	while (thread_goes_on(me))
		for (key = 0; key < FIXTURE_ONE_LEAF; key++)
			if (blink_tree_lookup(me->threads->tree, key, &value))
				thread_fail(me, "%llu lost", key);
}

/*
 * A writer that holds a lock stops no reader, as it would if lock and version were one
 * word. (Stores would split the leaf after a while, as two of them meet there; so this
 * test replaces.)
 */
static void overwriting_disturbs_nobody(struct kunit *test)
{
	unsigned long rounds = world_work(8000);
	struct blink_tree *tree = fixture_plain_tree(test);
	struct threads *threads = threads_create(test, tree);
	struct blink_tree_ioc_stats stats;

	if (fixture_stats(tree).replication == BLINK_TREE_REPLICATE_FULL)
		kunit_skip(test, "readers retry while copies are written");
	fixture_fill(test, tree, 0, 1, FIXTURE_ONE_LEAF);
	threads_lead(threads, 2, overwrite_a_leaf, &rounds);
	threads_follow(threads, world_cpus(), read_a_leaf, NULL);
	threads_run(threads);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.read_retries, 0);
	KUNIT_EXPECT_EQ(test, stats.read_locks, 0);
	KUNIT_EXPECT_EQ(test, stats.right_hops, 0);
}

#define CASES                                                        \
	FIXTURE_PARAM_SLOW(present_throughout, audience_gen_params), \
		KUNIT_CASE_SLOW(leaf_at_one_moment)

FIXTURE_SUITE("readers", CASES, KUNIT_CASE_SLOW(overwriting_disturbs_nobody));
FIXTURE_SUITE("readers-inner", CASES,
	      KUNIT_CASE_SLOW(overwriting_disturbs_nobody));
FIXTURE_SUITE("readers-u128-full", CASES);
FIXTURE_SUITE("readers-bytes-full", CASES);
