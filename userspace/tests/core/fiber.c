// SPDX-License-Identifier: GPL-2.0
/*
 * Fibers: see fiber.h.
 *
 * The shim calls a hook at every *point*: before each access to shared memory,
 * each barrier and lock. Two ways to choose where to switch take turns: either
 * each fiber has a priority, the one with the highest runs, and at a few points
 * chosen beforehand the running one's becomes the lowest (which finds any bug
 * that takes few switches with a known probability: Burckhardt and others,
 * "A randomized scheduler with probabilistic guarantees of finding bugs", 2010);
 * or the running fiber changes at random, every so many points.
 */
#ifdef SHIM_POINTS
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#include "fiber.h"
#include "test.h"

#define STACK_BYTES (256UL << 10)
#define SWITCHES_MAX 4
#define DEFERRED_MAX 4096
/* No end in sight after so many points: somebody waits for ever. */
#define STUCK_POINTS 2000000ULL

struct fiber {
	ucontext_t context;
	struct shim_thread *self;
	char *stack;
	void *fake_stack;
	int priority;
	bool done;
};

/* A callback, and the read section that each fiber was in, or 0. */
struct deferred {
	struct rcu_head *head;
	u64 section[FIBERS_MAX];
};

static struct fiber fibers[FIBERS_MAX];
static unsigned int nr_fibers;
static unsigned int now;
static int lowest;
static void (*body)(unsigned int id);

static ucontext_t outside;
static void *outside_fake_stack;
static struct shim_thread *outside_self;

static u64 points, next_switch, ticks;
static u64 switch_at[SWITCHES_MAX];
static unsigned int gap;
static u64 *dice;

static struct deferred deferred[DEFERRED_MAX];
static unsigned int nr_deferred;
static u64 total_deferred;
static bool in_callback;

u64 fiber_clock(void)
{
	return ++ticks;
}

#ifdef __SANITIZE_ADDRESS__
static const void *outside_stack;
static size_t outside_stack_bytes;

static void leaving(void **fake_stack, const void *stack, size_t bytes)
{
	__sanitizer_start_switch_fiber(fake_stack, stack, bytes);
}

static void arrived(void *fake_stack)
{
	__sanitizer_finish_switch_fiber(fake_stack, NULL, NULL);
}

/* A run's first fiber is entered from outside and learns where that is. */
static void arrived_first(void)
{
	const void *stack;
	size_t bytes;

	__sanitizer_finish_switch_fiber(NULL, &stack, &bytes);
	if (!outside_stack) {
		outside_stack = stack;
		outside_stack_bytes = bytes;
	}
}
#else
#define outside_stack NULL
#define outside_stack_bytes 0
static void leaving(void **fake_stack, const void *stack, size_t bytes)
{
	(void)fake_stack;
	(void)stack;
	(void)bytes;
}

static void arrived(void *fake_stack)
{
	(void)fake_stack;
}

static void arrived_first(void)
{
}
#endif

static u64 section_of(const struct fiber *fiber)
{
	return fiber->self->rcu_depth ? fiber->self->rcu_section + 1 : 0;
}

static void fiber_call_rcu(struct rcu_head *head)
{
	struct deferred *d = &deferred[nr_deferred];
	unsigned int i;

	if (nr_deferred == DEFERRED_MAX)
		shim_die(__FILE__, __LINE__, "too many callbacks");
	d->head = head;
	for (i = 0; i < nr_fibers; i++)
		d->section[i] = section_of(&fibers[i]);
	nr_deferred++;
	total_deferred++;
}

static bool grace_period_over(const struct deferred *d)
{
	unsigned int i;

	for (i = 0; i < nr_fibers; i++)
		if (d->section[i] && d->section[i] == section_of(&fibers[i]))
			return false;
	return true;
}

static void run_deferred(void)
{
	struct rcu_head *head;
	unsigned int i = 0;

	in_callback = true;
	while (i < nr_deferred) {
		if (!grace_period_over(&deferred[i])) {
			i++;
			continue;
		}
		head = deferred[i].head;
		deferred[i] = deferred[--nr_deferred];
		head->func(head);
	}
	in_callback = false;
}

static void switch_to(unsigned int next)
{
	struct fiber *from = &fibers[now];

	if (next == now)
		return;
	now = next;
	leaving(&from->fake_stack, fibers[next].stack, STACK_BYTES);
	shim_self = fibers[next].self;
	swapcontext(&from->context, &fibers[next].context);
	arrived(from->fake_stack);
}

static unsigned int highest(void)
{
	unsigned int best = nr_fibers, i;

	for (i = 0; i < nr_fibers; i++)
		if (!fibers[i].done &&
		    (best == nr_fibers ||
		     fibers[i].priority > fibers[best].priority))
			best = i;
	return best;
}

static void plan_switch(void)
{
	unsigned int i;

	if (gap) {
		next_switch = points + 1 + random_below(dice, 2 * gap);
		return;
	}
	next_switch = STUCK_POINTS;
	for (i = 0; i < SWITCHES_MAX; i++)
		if (switch_at[i] > points && switch_at[i] < next_switch)
			next_switch = switch_at[i];
}

/* The running fiber goes behind all others. */
static void step_back(void)
{
	fibers[now].priority = --lowest;
	switch_to(highest());
}

static void at_point(void)
{
	if (in_callback)
		return;
	if (nr_deferred)
		run_deferred();
	if (++points < next_switch)
		return;
	if (points >= STUCK_POINTS)
		shim_die(__FILE__, __LINE__, "fibers run for ever");
	plan_switch();
	step_back();
}

static void at_spin(void)
{
	if (++points >= STUCK_POINTS)
		shim_die(__FILE__, __LINE__, "fibers wait for ever");
	step_back();
}

static void fiber_main(void)
{
	unsigned int next;

	arrived_first();
	body(now);
	fibers[now].done = true;
	next = highest();
	if (next == nr_fibers) {
		leaving(NULL, outside_stack, outside_stack_bytes);
		shim_self = outside_self;
		setcontext(&outside);
	}
	now = next;
	leaving(NULL, fibers[next].stack, STACK_BYTES);
	shim_self = fibers[next].self;
	setcontext(&fibers[next].context);
}

static void fiber_prepare(struct fiber *fiber)
{
	if (!fiber->stack) {
		fiber->stack = malloc(STACK_BYTES);
		fiber->self = shim_thread_add();
	}
	if (!fiber->stack || getcontext(&fiber->context))
		shim_die(__FILE__, __LINE__, "no fiber");
	fiber->context.uc_stack.ss_sp = fiber->stack;
	fiber->context.uc_stack.ss_size = STACK_BYTES;
	fiber->context.uc_link = NULL;
	makecontext(&fiber->context, fiber_main, 0);
	fiber->fake_stack = NULL;
	fiber->priority = random_below(dice, 1000);
	fiber->done = false;
}

static void plan_run(u64 typical)
{
	unsigned int i;

	points = 0;
	lowest = 0;
	gap = 0;
	if (!typical)
		gap = 1U << random_below(dice, 4);
	else if (random_chance(dice, 50))
		gap = 1U << random_below(dice, 8);
	for (i = 0; i < SWITCHES_MAX; i++)
		switch_at[i] = 1 + random_below(dice, max(typical, 1ULL));
	plan_switch();
}

void fibers_run(unsigned int nr, void (*fn)(unsigned int id), u64 typical,
		u64 *random, struct fiber_run *run)
{
	unsigned int i;

	dice = random;
	body = fn;
	nr_fibers = nr;
	for (i = 0; i < nr; i++)
		fiber_prepare(&fibers[i]);
	plan_run(typical);
	total_deferred = 0;
	outside_self = shim_self;
	/* The thread of the deferred callbacks is no fiber. */
	rcu_barrier();
	shim_hooks.spin = at_spin;
	shim_hooks.call_rcu = fiber_call_rcu;
	shim_hooks.point = at_point;
	now = highest();
	leaving(&outside_fake_stack, fibers[now].stack, STACK_BYTES);
	shim_self = fibers[now].self;
	swapcontext(&outside, &fibers[now].context);
	arrived(outside_fake_stack);
	shim_hooks.point = NULL;
	shim_hooks.spin = NULL;
	run_deferred();
	shim_hooks.call_rcu = NULL;
	run->points = points;
	run->deferred = total_deferred;
}
#endif
