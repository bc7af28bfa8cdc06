// SPDX-License-Identifier: GPL-2.0
/*
 * A reader among writers that never stop changing the leaves it looks at: it
 * gets its answer all the same, by locks in the end; or, where it must not wait
 * for them, it says so.
 *
 * The leaves are those that keys in ascending order fill, with nodes of four.
 */
#include <linux/blink_range.h>

#include "fiber.h"
#include "nodes.h"
#include "test.h"

#ifdef SHIM_POINTS
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/topology.h>

/* Few runs may end before a reader had to give up. */
#define RUNS 1200
#define RUNS_MIN 100ULL
#define KEYS 64

/*
 * A search for the greatest key up to @key, or for the least from @key on, or for the range of
 * @key.
 */
struct question {
	u64 key;
	bool below;
	bool range;
	int ret;
	u64 answer;
};

static struct blink_tree *tree;
static struct question question;
static bool irqs_off;
static bool done;
static unsigned int gave_up;

/* The range from @answer on ends where the next leaf begins. */
static int ask_range(struct blink_tree_entry *entry)
{
	struct blink_range range;
	int ret = blink_range_lookup(tree, question.key, &range);

	if (!ret)
		EXPECT_EQ(range.last, 31);
	entry->key = range.first;
	return ret;
}

static void ask(void)
{
	struct blink_tree_entry entry;
	unsigned long flags = 0;
	int ret;

	if (irqs_off)
		local_irq_save(flags);
	if (question.range)
		ret = ask_range(&entry);
	else if (question.below)
		ret = blink_tree_floor(tree, question.key, &entry);
	else
		ret = blink_tree_ceiling(tree, question.key, &entry);
	if (irqs_off)
		local_irq_restore(flags);
	if (irqs_off && ret == -EAGAIN) {
		gave_up++;
		return;
	}
	EXPECT_EQ(ret, question.ret);
	if (!ret)
		EXPECT_EQ(entry.key, question.answer);
}

/* Change one leaf over and over; @added and @erased are of its keys. */
static void disturb(u64 added, u64 erased)
{
	while (!READ_ONCE(done)) {
		EXPECT_INSERT(tree, added, 0);
		EXPECT_ERASE(tree, erased);
		EXPECT_INSERT(tree, erased, 0);
		EXPECT_ERASE(tree, added);
	}
}

static void reader_or_writer(unsigned int id)
{
	switch (id) {
	case 0:
		ask();
		WRITE_ONCE(done, true);
		break;
	case 1:
		disturb(25, 24);
		break;
	case 2:
		disturb(37, 36);
		break;
	default:
		disturb(13, 12);
	}
}

/*
 * Every other key, in leaves of up to three, so that nothing splits or merges:
 * leaves end at 6, 14, 22, 30, ..., the first one has nothing left.
 */
static void set_up(unsigned int id)
{
	u64 key;

	(void)id;
	for (key = 0; key < KEYS; key += 2)
		EXPECT_INSERT(tree, key, 0);
	for (key = 0; key < 8; key += 2)
		EXPECT_ERASE(tree, key);
	EXPECT_ERASE(tree, 14);
	EXPECT_ERASE(tree, 28);
	EXPECT_ERASE(tree, 30);
	EXPECT_ERASE(tree, 38);
}

static const struct question questions[] = {
	{ .key = 31, .below = true, .answer = 26 },
	{ .key = 27, .below = false, .answer = 32 },
	{ .key = 7, .below = true, .ret = -ENOENT },
	{ .key = 29, .range = true, .answer = 26 },
};

/* Returns how often a reader took locks. */
static u64 starve(u32 flags, bool off)
{
	struct blink_tree_params params = test_params;
	u64 random = test_seed(), i, runs = max(test_scale(RUNS), RUNS_MIN);
	struct fiber_run run;

	u64 locked;

	irqs_off = off;
	gave_up = 0;
	params.flags = flags;
	tree = blink_tree_create(&params, GFP_KERNEL);
	fibers_run(1, set_up, 1, &random, &run);
	for (i = 0; i < runs && !test_failed(); i++) {
		question = questions[i % ARRAY_SIZE(questions)];
		done = false;
		fibers_run(FIBERS_MAX, reader_or_writer, 0, &random, &run);
	}
	locked = tree_stats(tree).read_locks;
	tree_end(tree);
	return locked;
}

static void reader_locks(void)
{
	EXPECT(starve(0, false));
}

static void reader_gives_up(void)
{
	starve(0, true);
	EXPECT(gave_up);
}

static void reader_locks_irqsafe(void)
{
	EXPECT(starve(BLINK_TREE_IRQSAFE, true));
	EXPECT_EQ(gave_up, 0);
}

#define POINTS_MAX 100000

static unsigned int points;
static bool interrupted_late;

/* As if every leaf had just been changed, whenever the reader looks. */
static void change_leaves(void)
{
	static bool inside;
	struct blink_index *idx;
	struct blink_node *node;

	if (inside || ++points > POINTS_MAX)
		return;
	inside = true;
	interrupted_late |= irqs_disabled();
	for_each_blink_index(idx, tree) {
		for (node = first_of(idx, 0); node;
		     node = rcu_access_pointer(node->right))
			node->seq += 2;
	}
	inside = false;
}

/*
 * The locks of two leaves suffice, where nothing can be seen without. A reader
 * that queues for them behind writers leaves interrupts on, as these do.
 */
static void locks_suffice(void)
{
	unsigned int i;

	irqs_off = false;
	interrupted_late = false;
	tree = tree_create();
	set_up(0);
	for (i = 0; i < ARRAY_SIZE(questions); i++) {
		question = questions[i];
		points = 0;
		shim_hooks.point = change_leaves;
		ask();
		shim_hooks.point = NULL;
		EXPECT(points <= POINTS_MAX);
	}
	EXPECT(!interrupted_late);
	tree_end(tree);
}

static unsigned int moments, split_at;
static bool was_split;

/* The leaf that covers the question is split, in a moment without its lock. */
static void split_between(void)
{
	static bool inside;
	u64 key;

	/* Each lock, and what keeps softirqs away, counts once. */
	if (inside || shim_self->irqs_off || shim_self->atomic > 1)
		return;
	if (!shim_self->atomic) {
		if (!was_split)
			change_leaves();
		return;
	}
	/* Between the lock of one leaf and those of two. */
	if (was_split || ++moments < split_at)
		return;
	inside = true;
	was_split = true;
	for (key = 34; key > 30; key--)
		EXPECT_EQ(blink_tree_insert(tree, key, 0, NULL, GFP_NOWAIT), 0);
	inside = false;
}

/* A floor of 37, in leaves that end at 30 and 38. False: no such moment. */
static bool asked_while_split(unsigned int at)
{
	struct blink_tree_entry entry = {};
	u64 key;

	tree = tree_create();
	for (key = 0; key < KEYS; key += 2)
		EXPECT_INSERT(tree, key, 0);
	for (key = 32; key < 38; key += 2)
		EXPECT_ERASE(tree, key);
	points = 0;
	moments = 0;
	split_at = at;
	was_split = false;
	shim_hooks.point = split_between;
	EXPECT_EQ(blink_tree_floor(tree, 37, &entry), 0);
	shim_hooks.point = NULL;
	/* 31 to 33 were never there without 34. */
	EXPECT(entry.key == 30 || entry.key == 34);
	tree_end(tree);
	return was_split;
}

/*
 * The key to begin at was read under a lock that is given up again. If the leaf
 * is split before two locks are taken, the right one of these may end left of the
 * question, which its greatest key does not answer.
 */
static void split_before_locks(void)
{
	unsigned int at = 1;

	while (asked_while_split(at))
		at++;
	EXPECT(at > 1);
}

/* Polls of an odd sequence that one write section may well outlast. */
#define POLLS 200

static struct blink_node *written;
static unsigned int polls, sections;

/*
 * The interleaving: a writer has made the sequence odd and moves entries. The reader
 * polls it, in less time than the writer takes if the CPU does not pause for long (arm64,
 * AMD), and then reads the leaf. All that it read was valid, so it has no reason to queue
 * for the lock behind the writers.
 */
static void end_of_section(void)
{
	if (!(written->seq & 1) || ++polls % POLLS)
		return;
	written->seq++;
	sections++;
}

static void section_is_waited_out(void)
{
	struct blink_tree_ioc_stats before, after;
	struct blink_index *idx;
	unsigned int i;
	u64 value;

	tree = tree_create();
	/* A writer adds to the index of its own node at once, whatever the mode. */
	shim_stay(0);
	set_up(0);
	idx = blink_tree_index(tree);
	written = rcu_access_pointer(idx->root);
	blink_tree_stats(tree, &before);
	polls = 0;
	sections = 0;
	shim_hooks.spin = end_of_section;
	for (i = 0; i < 100; i++) {
		written->seq++;
		EXPECT_EQ(blink_tree_lookup(tree, 8, &value), 0);
	}
	shim_hooks.spin = NULL;
	blink_tree_stats(tree, &after);
	EXPECT_EQ(sections, 100);
	EXPECT_EQ(after.read_locks, before.read_locks);
	shim_stay(NUMA_NO_NODE);
	tree_end(tree);
}

/* The value 0 is a hole, and 12 is the boundary before the keys that are stored. */
static void change_boundary(void)
{
	static bool inside;

	if (inside || shim_self->atomic || ++points > POINTS_MAX)
		return;
	inside = true;
	EXPECT_EQ(blink_tree_replace(tree, 12, points, NULL), 0);
	inside = false;
}

/* The hole begins one key farther on the right, once in each look at the tree. */
static void take_hole(void)
{
	static bool inside;
	static u64 section;

	if (inside || shim_self->atomic || !shim_self->rcu_depth ||
	    section == shim_self->rcu_section || ++points > POINTS_MAX)
		return;
	inside = true;
	section = shim_self->rcu_section;
	EXPECT_EQ(blink_tree_insert(tree, 1000 + points, 0, NULL, GFP_NOWAIT),
		  0);
	EXPECT_EQ(blink_tree_replace(tree, 999 + points, 1, NULL), 0);
	inside = false;
}

static int store_beside(gfp_t gfp)
{
	const struct blink_range range = { 13, 13, 1000000 };
	int ret;

	points = 0;
	shim_hooks.point = change_boundary;
	ret = blink_range_store(tree, &range, gfp);
	shim_hooks.point = NULL;
	return ret;
}

static int alloc_beside(gfp_t gfp)
{
	struct blink_range range = { 1000, U64_MAX, 2 };
	int ret;

	EXPECT_INSERT(tree, 1000, 0);
	points = 0;
	shim_hooks.point = take_hole;
	ret = blink_range_alloc(tree, 1, false, &range, gfp);
	shim_hooks.point = NULL;
	if (ret)
		EXPECT(range.first == 1000 && range.last == U64_MAX);
	return ret;
}

/* Each leaf has just been changed, and so has the next boundary whenever it is read. */
static void change_next_boundary(void)
{
	static bool inside;

	if (inside)
		return;
	change_leaves();
	if (shim_self->atomic || points > POINTS_MAX)
		return;
	inside = true;
	EXPECT_EQ(blink_tree_replace(tree, 32, points, NULL), 0);
	inside = false;
}

static int look_beside(gfp_t gfp)
{
	struct blink_range range;
	int ret;

	(void)gfp;
	points = 0;
	shim_hooks.point = change_next_boundary;
	ret = blink_range_lookup(tree, 29, &range);
	shim_hooks.point = NULL;
	if (!ret)
		EXPECT(range.first == 26 && range.last == 31);
	return ret;
}

/* A call beside a task that never stops, in a task that may be killed already. */
static int called(int (*call)(gfp_t), gfp_t gfp, bool killed)
{
	int ret;

	tree = tree_create();
	set_up(0);
	shim_self->killed = killed;
	ret = call(gfp);
	shim_self->killed = false;
	tree_end(tree);
	return ret;
}

/*
 * The interleaving: whenever a store has read the boundaries, another task changes one. The
 * store begins anew, unless its task is killed, and may sleep and fail: one that must not
 * sleep cannot be ended in the middle of its caller's critical section either.
 */
static void killed_store_ends(void)
{
	static int (*const stores[])(gfp_t) = { store_beside, alloc_beside };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(stores); i++) {
		EXPECT_EQ(called(stores[i], GFP_KERNEL, false), 0);
		EXPECT(points > POINTS_MAX);
		EXPECT_EQ(called(stores[i], GFP_KERNEL, true), -EINTR);
		EXPECT(points < POINTS_MAX);
		EXPECT_EQ(called(stores[i], GFP_NOWAIT, true), 0);
		EXPECT_EQ(called(stores[i], GFP_KERNEL | __GFP_NOFAIL, true),
			  0);
	}
}

static void killed_lookup_ends(void)
{
	EXPECT_EQ(called(look_beside, 0, false), 0);
	EXPECT(points > POINTS_MAX);
	EXPECT_EQ(called(look_beside, 0, true), -EINTR);
	EXPECT(points < POINTS_MAX);
}

/* Without other tasks a task that is killed does what it did before. */
static void killed_alone(void)
{
	struct blink_range all = { 0, U64_MAX, 0 }, one = { 8, 9, 5 };
	u64 key;

	tree = tree_create();
	for (key = 0; key < 16 * KEYS; key++)
		EXPECT_INSERT(tree, key, 1 + key);
	shim_self->killed = true;
	EXPECT_EQ(blink_range_store(tree, &all, GFP_KERNEL), -E2BIG);
	EXPECT_EQ(blink_range_store(tree, &one, GFP_KERNEL), 0);
	EXPECT_EQ(blink_range_store_part(tree, &all, GFP_KERNEL), 1);
	EXPECT(all.first > 8);
	shim_self->killed = false;
	tree_end(tree);
}

const struct test TESTS(starve)[] = {
	{ "starve: one write section is waited out", section_is_waited_out,
	  .plain = true },
	{ "starve: a reader takes locks in the end", reader_locks },
	{ "starve: one with interrupts off gives up", reader_gives_up,
	  .plain = true },
	{ "starve: but not in a tree for interrupts", reader_locks_irqsafe },
	{ "starve: the locks of two leaves suffice", locks_suffice },
	{ "starve: the leaf is split before it is locked", split_before_locks },
	{ "starve: a task that is killed stores no range", killed_store_ends,
	  .plain = true },
	{ "starve: a task that is killed looks up no range", killed_lookup_ends,
	  .plain = true },
	{ "starve: a killed task without others stores ranges", killed_alone,
	  .plain = true },
	{}
};
#else
const struct test TESTS(starve)[] = { {} };
#endif
