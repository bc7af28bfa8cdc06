// SPDX-License-Identifier: GPL-2.0
/* The churn of reader_checks.h, and what readers check meanwhile. */
#include <linux/rcupdate.h>

#include "reader_checks.h"

/* Lookups between two questions whether to go on. */
#define BURST 32

/* Insert the kept keys. */
void groups_fill(struct kunit *test, struct blink_tree *tree,
		 const struct key_groups *groups)
{
	u64 group;

	for (group = 0; group <= groups->nr; group++)
		fixture_fill(test, tree, group * KEY_GROUP, 1, KEPT_PER_GROUP);
}

/* Insert or erase a key that comes and goes; others may be faster. */
static void churn_one(struct thread *me, u64 key, bool add)
{
	int ret;

	if (add) {
		ret = blink_tree_insert(me->threads->tree, key,
					fixture_value(key), NULL, GFP_KERNEL);
		if (ret && ret != -EEXIST)
			thread_fail(me, "insert %llu: %d", key, ret);
	} else {
		ret = blink_tree_erase(me->threads->tree, key, NULL);
		if (ret && ret != -ENOENT)
			thread_fail(me, "erase %llu: %d", key, ret);
	}
}

/* All keys of some neighbouring groups, up or down. */
static void churn_range(struct thread *me, u64 first, u64 nr, bool add)
{
	bool up = fixture_below(&me->rnd, 2);
	u64 i, key;

	for (i = 0; i < nr && !READ_ONCE(me->threads->failed); i++) {
		key = first + (up ? i : nr - 1 - i);
		if (!key_is_kept(key) && !key_is_never(key))
			churn_one(me, key, add);
	}
	cond_resched();
}

/* Let the keys of a few groups come, and go again. */
void groups_wave(struct thread *me, const struct key_groups *groups)
{
	u64 nr = 1 + fixture_below(&me->rnd, min(groups->nr, 4ULL));
	u64 first = fixture_below(&me->rnd, groups->nr - nr + 1);

	churn_range(me, first * KEY_GROUP, nr * KEY_GROUP, true);
	churn_range(me, first * KEY_GROUP, nr * KEY_GROUP, false);
}

/* Make waves, for leaders; @arg is a struct key_groups here and below. */
void groups_churn(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	unsigned long n;

	for (n = 0; n < groups->waves && thread_goes_on(me); n++)
		groups_wave(me, groups);
}

static void look_up(struct thread *me, u64 key)
{
	u64 value = 0;
	int ret = blink_tree_lookup(me->threads->tree, key, &value);

	if (!ret && value != fixture_value(key))
		thread_fail(me, "key %llu has the value of another", key);
	if (ret && ret != -ENOENT)
		thread_fail(me, "lookup of %llu: %d", key, ret);
	if (ret && key_is_kept(key))
		thread_fail(me, "key %llu is not found", key);
	if (!ret && key_is_never(key))
		thread_fail(me, "key %llu is found", key);
}

/* Look up keys, for followers. */
void check_lookups(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	unsigned int i;
	u64 key;

	while (thread_goes_on(me)) {
		for (i = 0; i < BURST; i++) {
			key = fixture_below(&me->rnd, groups_keys(groups));
			look_up(me, key);
			/* Kept keys, and one that is never there, more often than by chance. */
			look_up(me, round_down(key, KEY_GROUP) + i % 3);
		}
	}
}

/* The kept key that a floor of @key cannot be below. */
static u64 floor_bound(u64 key)
{
	u64 group = round_down(key, KEY_GROUP);

	return min(key, group + KEPT_PER_GROUP - 1);
}

/* The kept key that a ceiling of @key cannot be above. */
static u64 ceiling_bound(u64 key)
{
	return key_is_kept(key) ? key : round_up(key, KEY_GROUP);
}

static void check_found(struct thread *me, const char *what, u64 key, int ret,
			const struct blink_tree_entry *entry, u64 least,
			u64 greatest)
{
	if (ret)
		thread_fail(me, "%s of %llu: %d", what, key, ret);
	else if (entry->key < least || entry->key > greatest)
		thread_fail(me, "%s of %llu is %llu, not in %llu to %llu", what,
			    key, entry->key, least, greatest);
	else if (key_is_never(entry->key))
		thread_fail(me, "%s of %llu is %llu, which is not there", what,
			    key, entry->key);
	else if (entry->value != fixture_value(entry->key))
		thread_fail(me, "%s of %llu is %llu with the value of another",
			    what, key, entry->key);
}

/* Look for floors and ceilings, for followers. */
void check_nearest(struct thread *me)
{
	const struct key_groups *groups = me->arg;
	struct blink_tree *tree = me->threads->tree;
	struct blink_tree_entry entry;
	unsigned int i;
	u64 key;
	int ret;

	while (thread_goes_on(me)) {
		for (i = 0; i < BURST; i++) {
			key = fixture_below(&me->rnd, groups_keys(groups));
			/* Where groups meet more often than by chance. */
			if (i % 2)
				key = (key | (KEY_GROUP - 1)) + i / 2 % 3;
			ret = blink_tree_floor(tree, key, &entry);
			check_found(me, "floor", key, ret, &entry,
				    floor_bound(key), key);
			ret = blink_tree_ceiling(tree, key, &entry);
			check_found(me, "ceiling", key, ret, &entry, key,
				    ceiling_bound(key));
		}
	}
}

/* The progress of a scan: the last key, how many keys, and how many kept ones. */
struct seen {
	u64 last;
	u64 nr;
	u64 kept;
};

static void check_seen(struct thread *me, struct seen *seen,
		       const struct blink_tree_entry *entry, bool desc)
{
	u64 key = entry->key;

	if (seen->nr && (desc ? key >= seen->last : key <= seen->last))
		thread_fail(me, "scan: %llu after %llu", key, seen->last);
	if (key_is_never(key))
		thread_fail(me, "scan: %llu, which is not there", key);
	if (entry->value != fixture_value(key))
		thread_fail(me, "scan: %llu with the value of another", key);
	seen->last = key;
	seen->nr++;
	seen->kept += key_is_kept(key);
}

static void scan_all(struct thread *me, bool desc)
{
	const struct key_groups *groups = me->arg;
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	struct seen seen = {};
	int ret;

	if (desc)
		blink_cursor_init_desc(&cursor, me->threads->tree, 0, U64_MAX);
	else
		blink_cursor_init(&cursor, me->threads->tree, 0, U64_MAX);
	while ((ret = blink_cursor_next(&cursor, &entry)) > 0)
		check_seen(me, &seen, &entry, desc);
	if (ret)
		thread_fail(me, "scan: %d", ret);
	/* They ascend strictly: so many are each of them once. */
	if (seen.kept != groups_count(groups))
		thread_fail(me, "scan: %llu of %llu kept keys", seen.kept,
			    groups_count(groups));
}

/* Scan everything, up or down in turn, for followers. */
void check_scans(struct thread *me)
{
	while (thread_goes_on(me))
		scan_all(me, me->rounds % 2);
}

/* Steps between two pauses of a finger. */
#define FINGER_STEPS 200

static void finger_all(struct thread *me, bool desc)
{
	const struct key_groups *groups = me->arg;
	struct blink_finger finger;
	struct blink_tree_entry entry;
	struct seen seen = {};
	int ret = 0;

	blink_finger_init(&finger, me->threads->tree);
	while (!ret) {
		rcu_read_lock();
		do {
			ret = desc ? blink_finger_prev(&finger, &entry) :
				     blink_finger_next(&finger, &entry);
			if (!ret)
				check_seen(me, &seen, &entry, desc);
		} while (!ret && seen.nr % FINGER_STEPS);
		blink_finger_pause(&finger);
		rcu_read_unlock();
	}
	if (ret != -ENOENT)
		thread_fail(me, "finger: %d", ret);
	if (seen.kept != groups_count(groups))
		thread_fail(me, "finger: %llu of %llu kept keys", seen.kept,
			    groups_count(groups));
}

/* Step through everything, there and back, for followers. */
void check_fingers(struct thread *me)
{
	while (thread_goes_on(me)) {
		finger_all(me, false);
		finger_all(me, true);
	}
}

/* Verify and measure the tree in use, for followers. */
void check_verify(struct thread *me)
{
	struct blink_tree_level_stats rows[16];
	struct blink_tree_ioc_verify report;
	struct blink_tree_ioc_stats stats;
	int ret;

	while (thread_goes_on(me)) {
		ret = blink_tree_verify(me->threads->tree, &report);
		if (ret)
			thread_fail(me,
				    "verify: %d, violation %u, level %u, %llu",
				    ret, report.violation, report.level,
				    report.key);
		if (!blink_tree_levels(me->threads->tree, rows,
				       ARRAY_SIZE(rows)))
			thread_fail(me, "no levels");
		blink_tree_stats(me->threads->tree, &stats);
	}
}
