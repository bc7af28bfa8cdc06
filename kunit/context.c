// SPDX-License-Identifier: GPL-2.0
/*
 * Where the tree may be used from: sections without interrupts, softirqs,
 * preemption or sleep. Interrupts themselves are in kernel/interrupts.c.
 */
#include <linux/irqflags.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "fixture.h"

/* All operations, without memory that would have to be waited for. */
static int use_tree(struct blink_tree *tree, u64 key)
{
	struct blink_tree_entry entry;
	u64 value = 0;
	int ret;

	ret = blink_tree_insert(tree, key, key, NULL, GFP_ATOMIC);
	if (!ret)
		ret = blink_tree_lookup(tree, key, &value);
	if (!ret)
		ret = blink_tree_cmpxchg(tree, key, &value, key + 1);
	if (!ret)
		ret = blink_tree_floor(tree, key, &entry);
	if (!ret)
		ret = blink_tree_ceiling(tree, key, &entry);
	if (!ret)
		ret = blink_tree_replace(tree, key, key, NULL);
	return ret;
}

#define KEYS 200

/* Add all keys, and erase them. */
static int use_and_clear(struct blink_tree *tree)
{
	int ret = 0;
	u64 key;

	for (key = 0; key < KEYS && !ret; key++)
		ret = use_tree(tree, key);
	for (key = 0; key < KEYS && !ret; key++)
		ret = blink_tree_erase(tree, key, NULL);
	return ret;
}

static void check_used(struct kunit *test, struct blink_tree *tree, int ret)
{
	KUNIT_EXPECT_EQ(test, ret, 0);
	fixture_emptied(test, tree);
}

/* Use a tree between two calls. */
#define USE_BETWEEN(test, tree, enter, leave)   \
	do {                                    \
		struct blink_tree *used = tree; \
		int ret;                        \
		enter;                          \
		ret = use_and_clear(used);      \
		leave;                          \
		check_used(test, used, ret);    \
	} while (0)

static void with_softirqs_off(struct kunit *test)
{
	USE_BETWEEN(test, fixture_tree(test), local_bh_disable(),
		    local_bh_enable());
}

static void with_preemption_off(struct kunit *test)
{
	USE_BETWEEN(test, fixture_tree(test), preempt_disable(),
		    preempt_enable());
}

static void under_a_spinlock(struct kunit *test)
{
	static DEFINE_SPINLOCK(lock);

	USE_BETWEEN(test, fixture_tree(test), spin_lock_bh(&lock),
		    spin_unlock_bh(&lock));
}

static void in_rcu_read_section(struct kunit *test)
{
	USE_BETWEEN(test, fixture_tree(test), rcu_read_lock(),
		    rcu_read_unlock());
}

static void with_interrupts_off(struct kunit *test)
{
	struct blink_tree_params params = { .flags = BLINK_TREE_IRQSAFE };
	unsigned long flags;

	USE_BETWEEN(test, fixture_tree_with(test, &params),
		    local_irq_save(flags), local_irq_restore(flags));
}

/* Readers can use any tree with interrupts off, while there is no writer. */
static void read_with_interrupts_off(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree(test);
	struct blink_tree_entry entry;
	unsigned long flags;
	int ret = 0;
	u64 key, value;

	fixture_fill(test, tree, 0, 1, KEYS);
	local_irq_save(flags);
	for (key = 0; key < KEYS && !ret; key++) {
		ret = blink_tree_lookup(tree, key, &value);
		if (!ret)
			ret = blink_tree_floor(tree, key, &entry);
		if (!ret)
			ret = blink_tree_ceiling(tree, key, &entry);
	}
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, ret, 0);
}

/* An RCU callback is a common place to look up and to erase. */
struct callback {
	struct rcu_head rcu;
	struct blink_tree *tree;
	int ret;
};

static void in_callback(struct rcu_head *rcu)
{
	struct callback *callback = container_of(rcu, struct callback, rcu);

	callback->ret = use_and_clear(callback->tree);
}

static void in_an_rcu_callback(struct kunit *test)
{
	struct callback *callback;

	callback = fixture_alloc(test, 1, sizeof(*callback));
	callback->tree = fixture_tree(test);
	call_rcu(&callback->rcu, in_callback);
	rcu_barrier();
	check_used(test, callback->tree, callback->ret);
}

FIXTURE_SUITE("context", KUNIT_CASE(with_softirqs_off),
	      KUNIT_CASE(with_preemption_off), KUNIT_CASE(under_a_spinlock),
	      KUNIT_CASE(in_rcu_read_section), KUNIT_CASE(with_interrupts_off),
	      KUNIT_CASE(read_with_interrupts_off),
	      KUNIT_CASE(in_an_rcu_callback));
