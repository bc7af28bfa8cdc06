// SPDX-License-Identifier: GPL-2.0
/*
 * The cohort lock by itself: two locks of which the addresses lead to one gate.
 * They guard plain memory, so it is a data race if two fibers hold a lock at once, or if
 * a holder does not find the stores of the last one.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "core/tree/tree.h"
#include "explore.h"
#include "lock/cohort.h"

#define LOCKS 1024

struct guarded {
	struct blink_lock lock;
	u64 held;
};

static struct guarded *guarded[2];
/* Which of the two each fiber wants, one after the other. */
static const unsigned char wanted[FIBERS_MAX][2] = { { 0, 1 },
						     { 0, 0 },
						     { 1, 0 } };

static void take(struct guarded *g)
{
	struct blink_gates *gates = blink_gates_get(false);

	if (blink_cohort_lock(gates, &g->lock)) {
		g->held++;
		blink_cohort_unlock(gates, &g->lock, true);
	} else {
		g->held++;
		blink_unlock(&g->lock);
	}
}

static void body(unsigned int fiber)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		take(guarded[wanted[fiber][i]]);
}

static void check(void)
{
	if (guarded[0]->held != 4 || guarded[1]->held != 2)
		explore_fail("somebody was in at the same time as another");
	if (guarded[0]->lock.raw.locked || guarded[1]->lock.raw.locked)
		explore_fail("a lock is left locked");
}

void gates_run(const struct scenario *scenario, struct search *search)
{
	struct guarded *all = kzalloc(LOCKS * sizeof(*all), GFP_KERNEL);
	unsigned int i;

	for (i = 1; i < LOCKS; i++)
		if (hash_ptr(&all[i].lock, 8) == hash_ptr(&all[0].lock, 8))
			break;
	if (i == LOCKS)
		explore_fail("no two locks share a gate");
	guarded[0] = &all[0];
	guarded[1] = &all[i];
	blink_lock_init(&guarded[0]->lock, 0, false);
	blink_lock_init(&guarded[1]->lock, 0, false);
	search->nr = 3;
	search->body = body;
	search->check = check;
	search_run(search);
}
