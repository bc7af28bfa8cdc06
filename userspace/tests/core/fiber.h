/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fibers: threads of a test that really run in turns, so that where each gives
 * way to another is the test's choice and the same again with the same seed.
 */
#ifndef TESTS_FIBER_H
#define TESTS_FIBER_H

#include <linux/types.h>

#define FIBERS_MAX 4

/**
 * struct fiber_run - how a run went
 * @points: accesses, barriers and locks that all fibers came by
 * @deferred: callbacks of call_rcu()
 */
struct fiber_run {
	u64 points;
	u64 deferred;
};

/*
 * Run @fn(0) to @fn(@nr - 1) to their ends, in an order that follows from
 * @random. @typical is how many points such a run has, if that is known; the
 * better it is, the better the few places to switch at are spread. 0: they take
 * turns and none runs for long.
 *
 * Callbacks of call_rcu() are run as early as RCU allows: when the last fiber
 * has left the read section that it was in.
 */
void fibers_run(unsigned int nr, void (*fn)(unsigned int id), u64 typical,
		u64 *random, struct fiber_run *run);

/* A logical clock: greater each time it is read. */
u64 fiber_clock(void);

#endif /* TESTS_FIBER_H */
