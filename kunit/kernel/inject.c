// SPDX-License-Identifier: GPL-2.0
/* Making allocations of the current task fail; see inject.h. */
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "../inject.h"

#ifdef CONFIG_FAILSLAB
/* More than any allocation takes. */
#define PLENTY 1000

/*
 * One allocation lowers fail_nth by at least this: a debugging aid that watches an
 * allocation allocates memory too. It works without that memory if it has to.
 */
static unsigned int cost = 1;

static void measure_cost(void)
{
	unsigned int i, least = PLENTY;
	void *p;

	for (i = 0; i < 16; i++) {
		current->fail_nth = PLENTY;
		p = kmalloc(64, GFP_NOWAIT);
		least = min(least, PLENTY - current->fail_nth);
		current->fail_nth = 0;
		kfree(p);
	}
	cost = max(least, 1U);
}

/* Make one allocation fail: 1 is the next. */
void inject_nth(unsigned int n)
{
	current->fail_nth = (n - 1) * cost + 1;
}

/* Make all allocations fail from one on. */
void inject_from(unsigned int n)
{
	inject_nth(n);
	current->make_it_fail = 1;
}

/* Let allocations succeed again. Returns whether it came to the nth. */
bool inject_end(void)
{
	unsigned int left = current->fail_nth;

	current->fail_nth = 0;
	current->make_it_fail = 0;
	return !left;
}
#else
static void measure_cost(void)
{
}

void inject_nth(unsigned int n)
{
}

void inject_from(unsigned int n)
{
}

bool inject_end(void)
{
	return false;
}
#endif

/* Called while failures are injected. */
static bool alloc_fails(gfp_t gfp)
{
	void *p = kmalloc(64, gfp | __GFP_NOWARN);

	kfree(p);
	return !p;
}

/*
 * Whether one allocation of a kind can be made to fail; to be asked before anything
 * is injected.
 */
bool inject_possible(gfp_t gfp)
{
	bool fails;

	measure_cost();
	inject_nth(1);
	fails = alloc_fails(gfp);
	inject_end();
	return fails;
}

/* Whether all allocations can be made to fail. */
bool inject_armed(void)
{
	bool fails;

	inject_from(1);
	fails = alloc_fails(GFP_KERNEL) && alloc_fails(GFP_NOWAIT) &&
		alloc_fails(GFP_KERNEL);
	inject_end();
	return fails;
}
