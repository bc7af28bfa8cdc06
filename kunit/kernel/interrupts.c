// SPDX-License-Identifier: GPL-2.0
/*
 * Hard and soft interrupts that use a tree, in the middle of an operation on the
 * same leaves. Lockdep judges what did not happen to deadlock.
 *
 * An *actor* is an interrupt that comes to one CPU again and again. It has keys
 * of its own, of those that no thread inserts (reader_checks.h), so that it knows
 * which must be there; threads make the keys around them come and go.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/smp.h>
#include <linux/timer.h>

#include "../reader_checks.h"

/* Groups that belong to an actor. */
#define GROUPS 3
/* The operations of an actor in one turn, an even number, and its number of turns. */
#define STEPS 4
#define TURNS 100
#define PERIOD_NS (2 * NSEC_PER_MSEC)

/**
 * struct scene - a kind of interrupt, and a tree that it uses
 * @name: its name
 * @irqsafe: the tree has BLINK_TREE_IRQSAFE
 * @hard: the actors come as hard interrupts
 * @writes: they modify the tree
 */
struct scene {
	const char *name;
	bool irqsafe;
	bool hard;
	bool writes;
};

static const struct scene scenes[] = {
	{ "softirqs read", false, false, false },
	{ "softirqs write", false, false, true },
	{ "hardirqs read", false, true, false },
	{ "IRQSAFE, softirqs write", true, false, true },
	{ "IRQSAFE, hardirqs read", true, true, false },
	{ "IRQSAFE, hardirqs write", true, true, true },
};

KUNIT_ARRAY_PARAM_DESC(scene, scenes, name);

struct stage;

/**
 * struct actor - an interrupt that comes to one CPU again and again
 * @stage: shared by all actors
 * @hrtimer: for hard interrupts
 * @timer: for soft interrupts
 * @id: its number, and that of its CPU
 * @n: operations so far
 * @turns: times that it came
 * @unknown: operations that returned -EAGAIN
 * @wrong: the first key with a wrong result, plus one
 * @ret: that result
 */
struct actor {
	struct stage *stage;
	struct hrtimer hrtimer;
	struct timer_list timer;
	unsigned int id;
	unsigned long n;
	unsigned long turns;
	unsigned long unknown;
	u64 wrong;
	int ret;
};

/**
 * struct stage - shared by all actors
 * @scene: the scene that they play
 * @tree: the tree
 * @groups: its groups
 * @turns: how often each has to come
 * @nr: how many actors there are
 * @actor: the actors
 */
struct stage {
	const struct scene *scene;
	struct blink_tree *tree;
	struct key_groups groups;
	unsigned long turns;
	unsigned int nr;
	struct actor *actor;
};

static void note_wrong(struct actor *actor, u64 key, int ret)
{
	if (actor->wrong)
		return;
	actor->ret = ret;
	actor->wrong = key + 1;
}

/* -EAGAIN: the actor may have interrupted a writer, so it cannot wait for its lock. */
static bool unknown(struct actor *actor, int ret)
{
	const struct scene *scene = actor->stage->scene;

	if (ret != -EAGAIN || !scene->hard || scene->irqsafe)
		return false;
	actor->unknown++;
	return true;
}

static void expect_here(struct actor *actor, u64 key, bool there)
{
	u64 value;
	int ret = blink_tree_lookup(actor->stage->tree, key, &value);

	if (unknown(actor, ret))
		return;
	if (ret != (there ? 0 : -ENOENT) ||
	    (there && value != fixture_value(key)))
		note_wrong(actor, key, ret);
}

/* The first key of a group of its own, another one every second time. */
static u64 own_group(const struct actor *actor)
{
	return (actor->id * GROUPS + actor->n / 2 % GROUPS) * KEY_GROUP;
}

/* Steady keys, by all kinds of readers. */
static void read_step(struct actor *actor)
{
	struct blink_tree *tree = actor->stage->tree;
	struct blink_tree_entry found[KEPT_PER_GROUP];
	struct blink_scan scan;
	u64 key = own_group(actor);
	int ret;

	expect_here(actor, key, true);
	expect_here(actor, key + KEPT_PER_GROUP, false);
	ret = blink_tree_floor(tree, key + 1, found);
	if (!unknown(actor, ret) && (ret || found->key != key + 1))
		note_wrong(actor, key + 1, ret);
	ret = blink_tree_ceiling(tree, key, found);
	if (!unknown(actor, ret) && (ret || found->key != key))
		note_wrong(actor, key, ret);
	scan = (struct blink_scan){ .first = key, .last = key + 1 };
	ret = blink_tree_scan(tree, &scan, found, KEPT_PER_GROUP);
	/* The keys may lie in two leaves, of which the second is not known. */
	if (!unknown(actor, ret) && (ret < 1 || (ret == 1 && scan.done)))
		note_wrong(actor, key, ret);
}

/* Insert a key of its own, next time erase it. */
static void write_step(struct actor *actor)
{
	struct blink_tree *tree = actor->stage->tree;
	u64 key = own_group(actor) + KEPT_PER_GROUP, old;
	bool insert = actor->n % 2 == 0;
	int ret;

	if (insert)
		ret = blink_tree_insert(tree, key, fixture_value(key), NULL,
					GFP_ATOMIC);
	else
		ret = blink_tree_erase(tree, key, &old);
	if (ret || (!insert && old != fixture_value(key)))
		note_wrong(actor, key, ret);
	expect_here(actor, key, insert);
}

static void take_turn(struct actor *actor)
{
	unsigned int i;

	for (i = 0; i < STEPS; i++) {
		if (actor->stage->scene->writes)
			write_step(actor);
		else
			read_step(actor);
		actor->n++;
	}
	WRITE_ONCE(actor->turns, actor->turns + 1);
}

static enum hrtimer_restart hard_turn(struct hrtimer *hrtimer)
{
	struct actor *actor = container_of(hrtimer, struct actor, hrtimer);

	take_turn(actor);
	hrtimer_forward_now(hrtimer, ns_to_ktime(PERIOD_NS));
	return HRTIMER_RESTART;
}

static void soft_turn(struct timer_list *timer)
{
	struct actor *actor = timer_container_of(actor, timer, timer);

	take_turn(actor);
	mod_timer(timer, jiffies + 1);
}

/*
 * A scene that only reads runs in a hardirq on every kernel. A scene that writes
 * may allocate, which PREEMPT_RT forbids in hardirqs; its timer is a hardirq on
 * other kernels only, and lockdep knows this.
 */
static enum hrtimer_mode hrtimer_mode(const struct scene *scene)
{
	return scene->writes ? HRTIMER_MODE_REL_PINNED :
			       HRTIMER_MODE_REL_PINNED_HARD;
}

/* On the actor's CPU, where its timer stays. */
static void enter(void *data)
{
	struct actor *actor = data;
	const struct scene *scene = actor->stage->scene;

	if (scene->hard)
		hrtimer_start(&actor->hrtimer, ns_to_ktime(PERIOD_NS),
			      hrtimer_mode(scene));
	else
		mod_timer(&actor->timer, jiffies + 1);
}

static void clear_stage(void *data)
{
	struct stage *stage = data;
	unsigned int i;

	for (i = 0; i < stage->nr; i++) {
		hrtimer_cancel(&stage->actor[i].hrtimer);
		timer_shutdown_sync(&stage->actor[i].timer);
	}
}

static void raise_curtain(struct kunit *test, struct stage *stage)
{
	unsigned int i, cpu;

	KUNIT_ASSERT_EQ(test, kunit_add_action(test, clear_stage, stage), 0);
	for (i = 0; i < stage->nr; i++) {
		cpu = cpumask_nth(i % num_online_cpus(), cpu_online_mask);
		smp_call_function_single(cpu, enter, &stage->actor[i], true);
	}
}

static struct stage *set_stage(struct kunit *test, const struct scene *scene)
{
	struct blink_tree_params params = {
		.flags = scene->irqsafe ? BLINK_TREE_IRQSAFE : 0,
	};
	struct stage *stage;
	unsigned int i;

	stage = fixture_alloc(test, 1, sizeof(*stage));
	stage->scene = scene;
	stage->tree = fixture_tree_with(test, &params);
	stage->nr = world_cpus();
	stage->groups.nr = GROUPS * stage->nr;
	stage->turns = world_work(TURNS);
	groups_fill(test, stage->tree, &stage->groups);
	stage->actor = fixture_alloc(test, stage->nr, sizeof(*stage->actor));
	for (i = 0; i < stage->nr; i++) {
		struct actor *actor = &stage->actor[i];

		actor->stage = stage;
		actor->id = i;
		hrtimer_setup(&actor->hrtimer, hard_turn, CLOCK_MONOTONIC,
			      hrtimer_mode(scene));
		timer_setup(&actor->timer, soft_turn, TIMER_PINNED);
	}
	return stage;
}

/* Make keys come and go until every actor has come often enough. */
static void churn_until_all_came(struct thread *me)
{
	struct stage *stage = me->arg;
	unsigned int i = 0;

	while (i < stage->nr && thread_goes_on(me)) {
		if (READ_ONCE(stage->actor[i].turns) >= stage->turns)
			i++;
		else
			groups_wave(me, &stage->groups);
	}
}

static void interrupts(struct kunit *test)
{
	struct stage *stage = set_stage(test, test->param_value);
	struct threads *threads = threads_create(test, stage->tree);
	unsigned long unknown = 0;
	unsigned int i;

	raise_curtain(test, stage);
	threads_lead(threads, world_cpus(), churn_until_all_came, stage);
	threads_run(threads);
	kunit_release_action(test, clear_stage, stage);
	for (i = 0; i < stage->nr; i++) {
		struct actor *actor = &stage->actor[i];

		if (actor->wrong)
			fixture_fail_at(test, actor->wrong - 1,
					"actor %u was told %d", i, actor->ret);
		unknown += actor->unknown;
	}
	kunit_info(test, "%lu answers of -EAGAIN\n", unknown);
	fixture_sound(test, stage->tree, groups_count(&stage->groups));
}

FIXTURE_SUITE("interrupts", FIXTURE_PARAM_SLOW(interrupts, scene_gen_params));
