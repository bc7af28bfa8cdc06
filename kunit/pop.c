// SPDX-License-Identifier: GPL-2.0
/*
 * Popping the least or the greatest key: in order, at the ends of the key space,
 * beside empty leaves, and by several threads, which use the tree as a queue.
 */
#include "threads.h"

typedef int (*pop_t)(struct blink_tree *tree, u64 key,
		     struct blink_tree_entry *entry);

/* Pop the next key, which must be this one. */
static void expect_pop(struct kunit *test, struct blink_tree *tree, bool max,
		       u64 from, u64 key)
{
	struct blink_tree_entry entry = {};
	pop_t pop = max ? blink_tree_pop_max : blink_tree_pop_min;
	int ret = pop(tree, from, &entry);

	if (ret || entry.key != key || entry.value != fixture_value(key))
		fixture_fail_at(test, key, "pop: %d, key %llu", ret, entry.key);
}

static bool compressed(struct blink_tree *tree)
{
	return fixture_stats(tree).create_flags & BLINK_TREE_CREATE_COMPRESS;
}

/* The empty leaves of a tree, which readers and pops pass. */
static u64 empty_leaves(struct kunit *test, struct blink_tree *tree)
{
	return fixture_verified(test, tree).empty;
}

/*
 * An empty first leaf takes over the entries of the leaf beside it, however full
 * that is. The last one stays empty beside a leaf that is too full.
 */
static void empty_leaf_at_the_end(struct kunit *test)
{
	struct fixture_shape shape;
	struct blink_tree *tree;
	u64 nr, i;

	fixture_shape(test, &shape);
	nr = 4 * shape.leaf_slots;
	tree = fixture_tree(test);
	fixture_fill(test, tree, 0, 1, nr + 1);
	for (i = 0; i < shape.leaf_slots; i++)
		KUNIT_ASSERT_EQ(test, blink_tree_erase(tree, i, NULL), 0);
	/* The entries of a compressed leaf may not fit into the first leaf. */
	if (!compressed(tree))
		KUNIT_EXPECT_EQ(test, empty_leaves(test, tree), 0);
	KUNIT_ASSERT_EQ(test, blink_tree_erase(tree, nr, NULL), 0);
	expect_pop(test, tree, false, 0, shape.leaf_slots);
	expect_pop(test, tree, false, 0, shape.leaf_slots + 1);
	expect_pop(test, tree, true, U64_MAX, nr - 1);
	expect_pop(test, tree, true, U64_MAX, nr - 2);
	fixture_sound(test, tree, nr - shape.leaf_slots - 4);
}

/**
 * struct queue - a tree that is used as a queue
 * @keys: keys that are added, from 0 up
 * @max: threads pop the greatest key
 * @popped: how often each key was popped
 */
struct queue {
	u64 keys;
	bool max;
	atomic_t *popped;
};

static struct queue *queue_create(struct kunit *test, u64 keys)
{
	struct queue *queue = fixture_alloc(test, 1, sizeof(*queue));

	queue->keys = keys;
	queue->popped = fixture_alloc(test, keys, sizeof(*queue->popped));
	return queue;
}

static void queue_check(struct kunit *test, struct queue *queue)
{
	u64 key;

	for (key = 0; key < queue->keys; key++)
		if (atomic_xchg(&queue->popped[key], 0) != 1)
			fixture_fail_at(test, key, "not popped once");
}

/* Pop the next key. Returns false if there is none. */
static bool pop_next(struct thread *me, struct queue *queue, u64 *last)
{
	struct blink_tree *tree = me->threads->tree;
	struct blink_tree_entry entry;
	int ret;

	if (queue->max)
		ret = blink_tree_pop_max(tree, U64_MAX, &entry);
	else
		ret = blink_tree_pop_min(tree, 0, &entry);
	if (ret == -ENOENT)
		return false;
	if (ret || entry.key >= queue->keys ||
	    entry.value != fixture_value(entry.key)) {
		thread_fail(me, "pop: %d, key %llu", ret, entry.key);
		return false;
	}
	if (*last != U64_MAX &&
	    (queue->max ? entry.key >= *last : entry.key <= *last))
		thread_fail(me, "key %llu after %llu", entry.key, *last);
	atomic_inc(&queue->popped[entry.key]);
	*last = entry.key;
	return true;
}

static void drain(struct thread *me)
{
	u64 last = U64_MAX;

	while (thread_goes_on(me) && pop_next(me, me->arg, &last))
		;
}

/* Several threads empty a tree: each key goes to one, and to each in order. */
static void drained_together(struct kunit *test)
{
	struct queue *queue = queue_create(test, world_work(20000));
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads;
	unsigned int round;

	for (round = 0; round < 2; round++) {
		queue->max = round;
		fixture_fill(test, tree, 0, 1, queue->keys);
		threads = threads_create(test, tree);
		threads_lead(threads, world_cpus(), drain, queue);
		threads_run(threads);
		queue_check(test, queue);
		fixture_emptied(test, tree);
	}
}

#define CASES \
	KUNIT_CASE(empty_leaf_at_the_end), KUNIT_CASE_SLOW(drained_together)

FIXTURE_SUITE("pop", CASES);
FIXTURE_SUITE("pop-full", CASES);
