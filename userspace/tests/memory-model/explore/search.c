// SPDX-License-Identifier: GPL-2.0
/*
 * Fibers, and the depth-first search through all choices (explore.h).
 *
 * An execution follows the choices that the last one left and takes the first of
 * every later one; then the last choice that has another is changed. Which
 * locations are shared is learnt on the way: if another one turns out to be, the
 * search begins again.
 */
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "../../../shim/shim.h"
#include "explore.h"

#define STACK_BYTES (128UL << 10)
#define CHOICES_MAX 4096
#define DEFERRED_MAX 64
/* An execution that takes so many points does not end. */
#define STUCK_POINTS 100000

struct fiber {
	ucontext_t context;
	struct shim_thread *self;
	/* Stores that there were when it began to wait for another one. */
	u64 waits_for;
	bool waiting;
	bool done;
};

struct deferred {
	struct rcu_head *head;
	u64 section[FIBERS_MAX];
};

struct choice {
	u8 taken;
	u8 nr;
};

static struct search *search;
static struct fiber fibers[FIBERS_MAX];
static ucontext_t outside;
static struct shim_thread *outside_self;
static bool running, in_callback;
static unsigned int now;

static struct choice choices[CHOICES_MAX];
static unsigned int nr_choices, at_choice;
static struct bounds left;
static u64 stores, ticks, points;

static struct deferred deferred[DEFERRED_MAX];
static unsigned int nr_deferred;

bool search_running(void)
{
	return running;
}

bool search_in_callback(void)
{
	return in_callback;
}

unsigned int search_fiber(void)
{
	return now;
}

void search_stored(void)
{
	stores++;
}

u64 search_clock(void)
{
	return ++ticks;
}

static unsigned int choose(unsigned int nr)
{
	struct choice *choice = &choices[at_choice];

	if (nr < 2)
		return 0;
	if (at_choice == CHOICES_MAX)
		explore_fail("too many choices");
	if (at_choice++ == nr_choices) {
		*choice = (struct choice){ .nr = nr };
		nr_choices++;
	} else if (choice->nr != nr) {
		explore_fail("choice %u had %u ways, now %u: not repeatable",
			     at_choice, choice->nr, nr);
	}
	return choice->taken;
}

unsigned int search_stale(unsigned int nr)
{
	unsigned int taken = left.stale ? choose(nr) : 0;

	left.stale -= taken > 0;
	return taken;
}

static bool may_run(unsigned int f)
{
	return !fibers[f].done &&
	       !(fibers[f].waiting && fibers[f].waits_for == stores);
}

static void switch_to(unsigned int next)
{
	unsigned int from = now;

	fibers[next].waiting = false;
	if (next == now)
		return;
	now = next;
	shim_self = fibers[next].self;
	swapcontext(&fibers[from].context, &fibers[next].context);
}

/* The others that may run, in @list. */
static unsigned int others(unsigned int *list)
{
	unsigned int f, nr = 0;

	for (f = 0; f < search->nr; f++)
		if (f != now && may_run(f))
			list[nr++] = f;
	return nr;
}

/* The others that wait, in @list. */
static unsigned int waiting(unsigned int *list)
{
	unsigned int f, nr = 0;

	for (f = 0; f < search->nr; f++)
		if (f != now && !fibers[f].done)
			list[nr++] = f;
	return nr;
}

static u64 section_of(unsigned int f)
{
	return fibers[f].self->rcu_depth ? fibers[f].self->rcu_section + 1 : 0;
}

static void explore_call_rcu(struct rcu_head *head)
{
	struct deferred *d = &deferred[nr_deferred++];
	unsigned int f;

	if (nr_deferred > DEFERRED_MAX)
		explore_fail("too many callbacks");
	d->head = head;
	for (f = 0; f < FIBERS_MAX; f++)
		d->section[f] = running ? section_of(f) : 0;
	if (running)
		memory_grace_begin();
}

static bool grace_period_over(const struct deferred *d)
{
	unsigned int f;

	for (f = 0; f < FIBERS_MAX; f++)
		if (d->section[f] && d->section[f] == section_of(f))
			return false;
	return true;
}

/* Whether there was a callback to run: a fiber that waits for it may go on. */
static bool run_deferred(void)
{
	unsigned int nr = nr_deferred, i = 0;
	bool was = in_callback;
	struct rcu_head *head;

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
	in_callback = was;
	if (nr_deferred == nr)
		return false;
	search_stored();
	return true;
}

void search_point(void)
{
	unsigned int list[FIBERS_MAX], nr, taken;

	run_deferred();
	search->points++;
	if (++points == STUCK_POINTS)
		explore_fail("it does not end: somebody waits for ever");
	if (!left.preemptions)
		return;
	nr = others(list);
	taken = choose(nr + 1);
	if (!taken)
		return;
	left.preemptions--;
	switch_to(list[taken - 1]);
}

/* Wait for a store. Somebody else goes on; this is no preemption. */
static void at_spin(void)
{
	unsigned int list[FIBERS_MAX], nr;

	if (!running)
		return;
	/* It may wait for a grace period, and that may be over. */
	if (!in_callback && run_deferred())
		return;
	if (++points == STUCK_POINTS)
		explore_fail("it does not end: somebody waits for ever");
	fibers[now].waiting = true;
	fibers[now].waits_for = stores;
	nr = others(list);
	/*
	 * If all wait, each looks again: the value that it waits for may be there already,
	 * since it can have loaded a stale one.
	 */
	if (nr)
		switch_to(list[choose(nr)]);
	else if (waiting(list))
		switch_to(list[points % waiting(list)]);
}

/* The end of an execution is not the end of the fiber. */
static void fiber_main(void)
{
	unsigned int list[FIBERS_MAX], nr;

	for (;;) {
		search->body(now);
		fibers[now].done = true;
		nr = others(list) ?: waiting(list);
		if (nr)
			switch_to(list[choose(nr)]);
		else
			swapcontext(&fibers[now].context, &outside);
	}
}

void search_prepare(void)
{
	struct fiber *fiber;

	for (fiber = fibers; fiber < fibers + FIBERS_MAX; fiber++) {
		fiber->self = shim_thread_add();
		getcontext(&fiber->context);
		fiber->context.uc_stack.ss_sp = malloc(STACK_BYTES);
		fiber->context.uc_stack.ss_size = STACK_BYTES;
		fiber->context.uc_link = NULL;
		makecontext(&fiber->context, fiber_main, 0);
	}
	outside_self = shim_self;
	shim_hooks.spin = at_spin;
	shim_hooks.call_rcu = explore_call_rcu;
	shim_hooks.synchronized = memory_grace_end;
}

static void execute(void)
{
	unsigned int f, first;

	memory_restart();
	arena_restart();
	left = search->bounds;
	at_choice = 0;
	stores = 0;
	points = 0;
	ticks = 0;
	for (f = 0; f < search->nr; f++) {
		fibers[f].done = false;
		fibers[f].waiting = false;
		fibers[f].self->stays = true;
		fibers[f].self->nid = search->nid[f];
	}
	first = choose(search->nr);
	now = first;
	shim_self = fibers[now].self;
	running = true;
	swapcontext(&outside, &fibers[now].context);
	shim_self = outside_self;
	search->executions++;
	search->longest = max(search->longest, at_choice);
	/* It may store too, and that has to be put back. */
	in_callback = true;
	search->check();
	run_deferred();
	in_callback = false;
	running = false;
}

/* Whether there is another execution. */
static bool next_execution(void)
{
	while (nr_choices) {
		struct choice *choice = &choices[nr_choices - 1];

		if (++choice->taken < choice->nr)
			return true;
		nr_choices--;
	}
	return false;
}

void search_run(struct search *s)
{
	search = s;
	/* Callbacks that the setup left. */
	run_deferred();
	arena_keep();
	nr_choices = 0;
	do {
		execute();
		if (memory_learnt()) {
			nr_choices = 0;
			search->executions = 0;
			search->points = 0;
		}
	} while (!nr_choices || next_execution());
	memory_restart();
	arena_restart();
}

void explore_fail(const char *format, ...)
{
	unsigned int i;
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n# fiber %u, execution %llu; choices:", now,
	       search ? search->executions : 0);
	for (i = 0; i < at_choice; i++)
		printf(" %u/%u", choices[i].taken, choices[i].nr);
	printf("\n");
	running = false;
	history_tell();
	fflush(stdout);
	_exit(1);
}
