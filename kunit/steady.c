// SPDX-License-Identifier: GPL-2.0
/* The churn of steady.h, and what readers check in it. */
#include "steady.h"

/* Lookups between two questions whether to go on. */
#define BURST 32

/**
 * steady_fill() - insert the steady keys
 * @test: the test
 * @tree: the tree
 * @steady: the groups
 */
void steady_fill(struct kunit *test, struct blink_tree *tree,
		 const struct steady *steady)
{
	u64 group;

	for (group = 0; group <= steady->groups; group++)
		fixture_fill(test, tree, group * STEADY_GROUP, 1,
			     STEADY_PER_GROUP);
}

/* Insert or erase a key that comes and goes; others may be faster. */
static void churn_one(struct crew_member *me, u64 key, bool add)
{
	int ret;

	if (add) {
		ret = blink_tree_insert(me->crew->tree, key, fixture_value(key),
					NULL, GFP_KERNEL);
		if (ret && ret != -EEXIST)
			crew_fail(me, "insert %llu: %d", key, ret);
	} else {
		ret = blink_tree_erase(me->crew->tree, key, NULL);
		if (ret && ret != -ENOENT)
			crew_fail(me, "erase %llu: %d", key, ret);
	}
}

/* All keys of some neighbouring groups, up or down. */
static void churn_range(struct crew_member *me, u64 first, u64 nr, bool add)
{
	bool up = fixture_below(&me->rnd, 2);
	u64 i, key;

	for (i = 0; i < nr && !READ_ONCE(me->crew->failed); i++) {
		key = first + (up ? i : nr - 1 - i);
		if (!steady_is_steady(key) && !steady_is_void(key))
			churn_one(me, key, add);
	}
	cond_resched();
}

/**
 * steady_wave() - let the keys of a few groups come, and go again
 * @me: who does it
 * @steady: the groups
 */
void steady_wave(struct crew_member *me, const struct steady *steady)
{
	u64 nr = 1 + fixture_below(&me->rnd, min(steady->groups, 4ULL));
	u64 first = fixture_below(&me->rnd, steady->groups - nr + 1);

	churn_range(me, first * STEADY_GROUP, nr * STEADY_GROUP, true);
	churn_range(me, first * STEADY_GROUP, nr * STEADY_GROUP, false);
}

/**
 * steady_churn() - make waves, for leaders
 * @me: the leader; @arg is a struct steady
 */
void steady_churn(struct crew_member *me)
{
	const struct steady *steady = me->arg;
	unsigned long n;

	for (n = 0; n < steady->waves && crew_goes_on(me); n++)
		steady_wave(me, steady);
}

static void look_up(struct crew_member *me, u64 key)
{
	u64 value = 0;
	int ret = blink_tree_lookup(me->crew->tree, key, &value);

	if (!ret && value != fixture_value(key))
		crew_fail(me, "key %llu has the value of another", key);
	if (ret && ret != -ENOENT)
		crew_fail(me, "lookup of %llu: %d", key, ret);
	if (ret && steady_is_steady(key))
		crew_fail(me, "key %llu is not found", key);
	if (!ret && steady_is_void(key))
		crew_fail(me, "key %llu is found", key);
}

/**
 * steady_lookups() - look up keys, for followers
 * @me: the follower; @arg is a struct steady
 */
void steady_lookups(struct crew_member *me)
{
	const struct steady *steady = me->arg;
	unsigned int i;
	u64 key;

	while (crew_goes_on(me)) {
		for (i = 0; i < BURST; i++) {
			key = fixture_below(&me->rnd, steady_keys(steady));
			look_up(me, key);
			/* Steady and void ones more often than by chance. */
			look_up(me, round_down(key, STEADY_GROUP) + i % 3);
		}
	}
}

/* The steady key that a floor of @key cannot be below. */
static u64 floor_bound(u64 key)
{
	u64 group = round_down(key, STEADY_GROUP);

	return min(key, group + STEADY_PER_GROUP - 1);
}

/* The steady key that a ceiling of @key cannot be above. */
static u64 ceiling_bound(u64 key)
{
	return steady_is_steady(key) ? key : round_up(key, STEADY_GROUP);
}

static void check_found(struct crew_member *me, const char *what, u64 key,
			int ret, const struct blink_tree_entry *entry,
			u64 least, u64 greatest)
{
	if (ret)
		crew_fail(me, "%s of %llu: %d", what, key, ret);
	else if (entry->key < least || entry->key > greatest)
		crew_fail(me, "%s of %llu is %llu, not in %llu to %llu", what,
			  key, entry->key, least, greatest);
	else if (steady_is_void(entry->key))
		crew_fail(me, "%s of %llu is %llu, which is not there", what,
			  key, entry->key);
	else if (entry->value != fixture_value(entry->key))
		crew_fail(me, "%s of %llu is %llu with the value of another",
			  what, key, entry->key);
}

/**
 * steady_nearest() - look for floors and ceilings, for followers
 * @me: the follower; @arg is a struct steady
 */
void steady_nearest(struct crew_member *me)
{
	const struct steady *steady = me->arg;
	struct blink_tree *tree = me->crew->tree;
	struct blink_tree_entry entry;
	unsigned int i;
	u64 key;
	int ret;

	while (crew_goes_on(me)) {
		for (i = 0; i < BURST; i++) {
			key = fixture_below(&me->rnd, steady_keys(steady));
			/* Where groups meet more often than by chance. */
			if (i % 2)
				key = (key | (STEADY_GROUP - 1)) + i / 2 % 3;
			ret = blink_tree_floor(tree, key, &entry);
			check_found(me, "floor", key, ret, &entry,
				    floor_bound(key), key);
			ret = blink_tree_ceiling(tree, key, &entry);
			check_found(me, "ceiling", key, ret, &entry, key,
				    ceiling_bound(key));
		}
	}
}

/* What a scan has seen: the last key, and how many steady ones. */
struct seen {
	u64 last;
	u64 nr;
	u64 steady;
};

static void check_seen(struct crew_member *me, struct seen *seen,
		       const struct blink_tree_entry *entry, bool desc)
{
	u64 key = entry->key;

	if (seen->nr && (desc ? key >= seen->last : key <= seen->last))
		crew_fail(me, "scan: %llu after %llu", key, seen->last);
	if (steady_is_void(key))
		crew_fail(me, "scan: %llu, which is not there", key);
	if (entry->value != fixture_value(key))
		crew_fail(me, "scan: %llu with the value of another", key);
	seen->last = key;
	seen->nr++;
	seen->steady += steady_is_steady(key);
}

static void scan_all(struct crew_member *me, bool desc)
{
	const struct steady *steady = me->arg;
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	struct seen seen = {};
	int ret;

	if (desc)
		blink_cursor_init_desc(&cursor, me->crew->tree, 0, U64_MAX);
	else
		blink_cursor_init(&cursor, me->crew->tree, 0, U64_MAX);
	while ((ret = blink_cursor_next(&cursor, &entry)) > 0)
		check_seen(me, &seen, &entry, desc);
	if (ret)
		crew_fail(me, "scan: %d", ret);
	/* They ascend strictly: so many are each of them once. */
	if (seen.steady != steady_count(steady))
		crew_fail(me, "scan: %llu of %llu steady keys", seen.steady,
			  steady_count(steady));
}

/**
 * steady_scans_up() - scan everything, ascending, for followers
 * @me: the follower; @arg is a struct steady
 */
void steady_scans_up(struct crew_member *me)
{
	while (crew_goes_on(me))
		scan_all(me, false);
}

/**
 * steady_scans_down() - scan everything, descending, for followers
 * @me: the follower; @arg is a struct steady
 */
void steady_scans_down(struct crew_member *me)
{
	while (crew_goes_on(me))
		scan_all(me, true);
}

/**
 * steady_verify() - verify and measure the tree in use, for followers
 * @me: the follower
 */
void steady_verify(struct crew_member *me)
{
	struct blink_tree_level_stats rows[16];
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;
	int ret;

	while (crew_goes_on(me)) {
		ret = blink_tree_verify(me->crew->tree, &report);
		if (ret)
			crew_fail(me,
				  "verify: %d, violation %u, level %u, %llu",
				  ret, report.violation, report.level,
				  report.key);
		if (!blink_tree_levels(me->crew->tree, rows, ARRAY_SIZE(rows)))
			crew_fail(me, "no levels");
		blink_tree_stats(me->crew->tree, &stats);
	}
}
