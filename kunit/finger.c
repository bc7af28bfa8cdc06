// SPDX-License-Identifier: GPL-2.0
/*
 * Fingers of a single thread: their steps give the answers of floor and ceiling,
 * whatever happened to the leaf where the finger is.
 */
#include <linux/rcupdate.h>

#include "filled.h"

static void expect_at(struct kunit *test, const struct blink_tree_entry *entry,
		      int ret, u64 key)
{
	if (ret)
		fixture_fail_at(test, key, "step: %d", ret);
	if (entry->key != key || entry->value != fixture_value(key))
		fixture_fail_at(test, key, "step to %llu", entry->key);
}

static void expect_next(struct kunit *test, struct blink_finger *finger,
			u64 key)
{
	struct blink_tree_entry entry = {};
	int ret = blink_finger_next(finger, &entry);

	expect_at(test, &entry, ret, key);
}

static void expect_prev(struct kunit *test, struct blink_finger *finger,
			u64 key)
{
	struct blink_tree_entry entry = {};
	int ret = blink_finger_prev(finger, &entry);

	expect_at(test, &entry, ret, key);
}

/* The finger must be at the last entry, or at the first one. */
static void expect_end(struct kunit *test, struct blink_finger *finger,
		       bool last)
{
	struct blink_tree_entry entry = { 1, 2 };
	u64 key = finger->key;
	unsigned int i;

	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_EQ(test,
				last ? blink_finger_next(finger, &entry) :
				       blink_finger_prev(finger, &entry),
				-ENOENT);
	KUNIT_EXPECT_EQ(test, finger->key, key);
	KUNIT_EXPECT_EQ(test, entry.key, 1);
	KUNIT_EXPECT_EQ(test, entry.value, 2);
}

static void empty_tree(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_entry entry;
	struct blink_finger finger;

	blink_finger_init(&finger, tree);
	rcu_read_lock();
	expect_end(test, &finger, true);
	expect_end(test, &finger, false);
	KUNIT_EXPECT_EQ(test, blink_finger_floor(&finger, U64_MAX, &entry),
			-ENOENT);
	KUNIT_EXPECT_EQ(test, blink_finger_ceiling(&finger, 0, &entry),
			-ENOENT);
	KUNIT_EXPECT_FALSE(test, finger.placed);
	rcu_read_unlock();
}

/* Ask the tree for the key where a step ends. */
static int expected_step(const struct blink_finger *finger, bool back,
			 struct blink_tree_entry *entry)
{
	u64 from = back ? U64_MAX : 0;

	if (finger->placed && finger->key == ~from)
		return -ENOENT;
	if (finger->placed)
		from = finger->key + (back ? -1 : 1);
	return back ? blink_tree_floor(finger->tree, from, entry) :
		      blink_tree_ceiling(finger->tree, from, entry);
}

/* Step, or search from a key, and compare with the answer of the tree. */
static void compare(struct kunit *test, struct blink_finger *finger, bool steps,
		    u64 key, bool below)
{
	struct blink_tree_entry entry = {}, expected = {};
	u64 at = finger->key;
	int ret, err;

	if (steps) {
		err = expected_step(finger, below, &expected);
		ret = below ? blink_finger_prev(finger, &entry) :
			      blink_finger_next(finger, &entry);
	} else if (below) {
		ret = blink_finger_floor(finger, key, &entry);
		err = blink_tree_floor(finger->tree, key, &expected);
	} else {
		ret = blink_finger_ceiling(finger, key, &entry);
		err = blink_tree_ceiling(finger->tree, key, &expected);
	}
	if (ret != err || entry.key != expected.key ||
	    entry.value != expected.value)
		fixture_fail_at(test, key, "%s from %llu: %d, %llu, not %llu",
				below ? "down" : "up", at, ret, entry.key,
				expected.key);
}

/* Searches anywhere and close to the finger, and steps over leaves and to both ends. */
static void anywhere(struct kunit *test)
{
	struct blink_tree *tree = filled_tree(test);
	struct blink_finger finger;
	struct rnd_state rnd;
	bool below = false;
	unsigned int i, n;
	u64 key = 0;

	fixture_seed(test, &rnd);
	fixture_fill(test, tree, 0, U64_MAX, 2);
	blink_finger_init(&finger, tree);
	rcu_read_lock();
	for (i = 0; i < 20000; i++) {
		if (fixture_below(&rnd, 8))
			key += fixture_below(&rnd, 200) - 100ULL;
		else
			key = fixture_below(&rnd, LAST + FIRST);
		compare(test, &finger, false, key, fixture_below(&rnd, 2));
		if (fixture_below(&rnd, 100))
			continue;
		below = !below;
		for (n = fixture_below(&rnd, KEYS); n; n--)
			compare(test, &finger, true, 0, below);
	}
	rcu_read_unlock();
}

/*
 * In one read section, the leaf of the finger is split, emptied and merged, and its
 * neighbours too. The steps find what is in the tree now.
 */
static void the_leaf_changes(struct kunit *test)
{
	const u64 middle = FIRST + KEYS / 2 * STEP;
	struct blink_tree *tree = filled_tree(test);
	struct blink_finger finger;
	struct blink_tree_entry entry;
	u64 key;

	blink_finger_init(&finger, tree);
	rcu_read_lock();
	expect_at(test, &entry, blink_finger_floor(&finger, middle, &entry),
		  middle);
	/* Splits: keys before and behind the finger. */
	for (key = middle - 300; key < middle + 300; key++)
		if (blink_tree_store(tree, key, fixture_value(key), NULL,
				     GFP_ATOMIC) < 0)
			fixture_fail_at(test, key, "not stored");
	expect_next(test, &finger, middle + 1);
	expect_prev(test, &finger, middle);
	expect_prev(test, &finger, middle - 1);
	/* Merges: all but the ends. */
	for (key = FIRST + 1; key < LAST; key++)
		blink_tree_erase(tree, key, NULL);
	expect_next(test, &finger, LAST);
	expect_prev(test, &finger, FIRST);
	/* The key of the finger is erased, too. */
	KUNIT_EXPECT_EQ(test, blink_tree_erase(tree, FIRST, NULL), 0);
	expect_next(test, &finger, LAST);
	KUNIT_EXPECT_EQ(test, blink_tree_erase(tree, LAST, NULL), 0);
	expect_end(test, &finger, true);
	expect_end(test, &finger, false);
	rcu_read_unlock();
	fixture_emptied(test, tree);
}

#define FINGERS 50
#define APART (KEYS / FINGERS * STEP)

/* Leaves are merged with the entries where fingers are. No finger stays in a dead one. */
static void leaves_die(struct kunit *test)
{
	static struct blink_finger fingers[FINGERS];
	struct blink_tree *tree = filled_tree(test);
	struct blink_tree_entry entry;
	unsigned int i;
	u64 key;

	rcu_read_lock();
	for (i = 0; i < FINGERS; i++) {
		key = FIRST + i * APART;
		blink_finger_init(&fingers[i], tree);
		expect_at(test, &entry,
			  blink_finger_floor(&fingers[i], key, &entry), key);
	}
	for (key = FIRST; key <= LAST; key += STEP)
		if ((key - FIRST) % APART)
			blink_tree_erase(tree, key, NULL);
	for (i = 0; i < FINGERS; i++) {
		key = FIRST + i * APART;
		KUNIT_EXPECT_EQ(test, blink_tree_replace(tree, key, i, NULL),
				0);
		KUNIT_EXPECT_EQ(
			test, blink_finger_floor(&fingers[i], key, &entry), 0);
		KUNIT_EXPECT_EQ(test, entry.key, key);
		KUNIT_EXPECT_EQ(test, entry.value, i);
	}
	rcu_read_unlock();
	fixture_sound(test, tree, FINGERS);
}

/* Keys that are erased while a finger in the midst of them pauses. */
#define STRETCH 100

/* A finger that pauses finds its place again after its leaf was freed. */
static void pauses(struct kunit *test)
{
	struct blink_tree *tree = filled_tree(test);
	struct blink_tree_entry entry;
	struct blink_finger finger;
	u64 first, i;

	blink_finger_init(&finger, tree);
	for (first = KEYS - STRETCH; first; first -= STRETCH) {
		u64 key = FIRST + (first + STRETCH / 2) * STEP;

		rcu_read_lock();
		expect_at(test, &entry,
			  blink_finger_floor(&finger, key + 1, &entry), key);
		blink_finger_pause(&finger);
		rcu_read_unlock();
		for (i = first; i < first + STRETCH; i++)
			blink_tree_erase(tree, FIRST + i * STEP, NULL);
		rcu_barrier();
		rcu_read_lock();
		expect_prev(test, &finger, FIRST + (first - 1) * STEP);
		expect_end(test, &finger, true);
		blink_finger_pause(&finger);
		rcu_read_unlock();
	}
	fixture_sound(test, tree, STRETCH);
}

FIXTURE_SUITE("finger", KUNIT_CASE(empty_tree), KUNIT_CASE(anywhere),
	      KUNIT_CASE(the_leaf_changes), KUNIT_CASE(leaves_die),
	      KUNIT_CASE(pauses));
