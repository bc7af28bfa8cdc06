/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Actors: threads that each take and give up one latch of a stand-in node when the test
 * says so. An actor that waits in a loop makes a turn of it when the test says so, by
 * the hook of cpu_relax(); so the test decides the order of all steps, and an actor that
 * does not get its latch in many turns waits for another one. The semaphores of POSIX
 * threads have no such loops: there the test waits for some time.
 */
#ifndef TESTS_LAB_ACTOR_H
#define TESTS_LAB_ACTOR_H

#include <pthread.h>
#include <semaphore.h>

#include "schemes/latch.h"
#include "schemes/spread_latch.h"

/* The kinds of latches, and one that has the modes Read and Write alone. */
#define LATCH_SPREAD (LATCH_WRITERS + 1)
#define LATCH_KINDS (LATCH_SPREAD + 1)

/**
 * struct latched - the latches of a stand-in node
 * @kind: their kind
 * @spread: of LATCH_SPREAD
 * @latch: of all others
 */
struct latched {
	unsigned int kind;
	struct spread_latch spread;
	char latch[4096] __aligned(L1_CACHE_BYTES);
};

void latched_init(struct latched *latched, unsigned int kind);
void latched_lock(struct latched *latched, enum latch_mode mode,
		  unsigned int part);
void latched_unlock(struct latched *latched, enum latch_mode mode,
		    unsigned int part);

/**
 * struct actor - an actor
 * @thread: its thread
 * @go: posted to let it make a step
 * @came: posted by the actor after the step
 * @stepping: @go was posted, and @came not yet waited for
 * @latched: the latches
 * @mode: the mode that it takes, or has
 * @part: its NUMA node
 * @quit: its next step is the last
 * @unlock: its next step gives up the latch
 * @has: it has the latch
 */
struct actor {
	pthread_t thread;
	sem_t go;
	sem_t came;
	bool stepping;
	struct latched *latched;
	enum latch_mode mode;
	unsigned int part;
	bool quit;
	bool unlock;
	bool has;
};

void actor_start(struct actor *actor, struct latched *latched,
		 unsigned int part);
void actor_end(struct actor *actor);

/* Ask for a latch, in the first of the steps that follow. */
void actor_ask(struct actor *actor, enum latch_mode mode);
/* Whether it gets the latch that it asked for, or waits for it in so many turns. */
bool actor_enters(struct actor *actor);
bool actor_waits(struct actor *actor, unsigned int turns);
void actor_leave(struct actor *actor);

#endif /* TESTS_LAB_ACTOR_H */
