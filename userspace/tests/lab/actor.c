// SPDX-License-Identifier: GPL-2.0
/* Actors (actor.h). */
#include <linux/kernel.h>
#include <time.h>

#include "actor.h"

/* Turns of an actor that gets its latch, and how long one without turns waits. */
#define TURNS_MAX 10000
#define NSEC_WAITS 20000000L
#define SEC_ENTERS 5

/* NULL in threads that are no actors. */
static __thread struct actor *me;

void latched_init(struct latched *latched, unsigned int kind)
{
	latched->kind = kind;
	if (kind == LATCH_SPREAD)
		spread_latch_init(&latched->spread);
	else
		latch_init(kind, latched->latch, 0, 0);
}

void latched_lock(struct latched *latched, enum latch_mode mode,
		  unsigned int part)
{
	if (latched->kind != LATCH_SPREAD)
		latch_lock(latched->kind, latched->latch, mode, part);
	else if (mode == LATCH_READ)
		spread_read_lock(&latched->spread);
	else
		spread_write_lock(&latched->spread, 0);
}

void latched_unlock(struct latched *latched, enum latch_mode mode,
		    unsigned int part)
{
	if (latched->kind != LATCH_SPREAD)
		latch_unlock(latched->kind, latched->latch, mode, part);
	else if (mode == LATCH_READ)
		spread_read_unlock(&latched->spread);
	else
		spread_write_unlock(&latched->spread);
}

static void end_turn(void)
{
	if (!me)
		return;
	sem_post(&me->came);
	sem_wait(&me->go);
}

static void *actor_main(void *arg)
{
	me = arg;
	shim_thread_register();
	for (sem_wait(&me->go); !me->quit; end_turn()) {
		if (me->unlock)
			latched_unlock(me->latched, me->mode, me->part);
		else
			latched_lock(me->latched, me->mode, me->part);
		me->has = !me->unlock;
	}
	shim_thread_unregister();
	return NULL;
}

void actor_start(struct actor *actor, struct latched *latched,
		 unsigned int part)
{
	*actor = (struct actor){ .latched = latched, .part = part };
	sem_init(&actor->go, 0, 0);
	sem_init(&actor->came, 0, 0);
	shim_hooks.spin = end_turn;
	if (pthread_create(&actor->thread, NULL, actor_main, actor))
		shim_die(__FILE__, __LINE__, "no thread");
}

void actor_end(struct actor *actor)
{
	actor->quit = true;
	sem_post(&actor->go);
	pthread_join(actor->thread, NULL);
	sem_destroy(&actor->go);
	sem_destroy(&actor->came);
}

/* Let an actor make a step; false if it has not come to its end in time. */
static bool step(struct actor *actor, time_t sec, long nsec)
{
	struct timespec end;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += sec + (end.tv_nsec + nsec) / 1000000000L;
	end.tv_nsec = (end.tv_nsec + nsec) % 1000000000L;
	if (!actor->stepping)
		sem_post(&actor->go);
	actor->stepping = sem_timedwait(&actor->came, &end);
	return !actor->stepping;
}

void actor_ask(struct actor *actor, enum latch_mode mode)
{
	actor->mode = mode;
	actor->unlock = false;
}

/* An actor that is still at its step may get the latch at any time. */
static bool has_latch(const struct actor *actor)
{
	return !actor->stepping && actor->has;
}

bool actor_enters(struct actor *actor)
{
	unsigned int i;

	for (i = 0; i < TURNS_MAX && !has_latch(actor); i++) {
		if (!step(actor, SEC_ENTERS, 0))
			return false;
	}
	return has_latch(actor);
}

bool actor_waits(struct actor *actor, unsigned int turns)
{
	bool sleeps = actor->latched->kind == LATCH_RWSEM;

	while (turns-- && !has_latch(actor)) {
		if (!step(actor, sleeps ? 0 : SEC_ENTERS, NSEC_WAITS))
			return sleeps;
	}
	return !has_latch(actor);
}

void actor_leave(struct actor *actor)
{
	if (!actor_enters(actor))
		shim_die(__FILE__, __LINE__, "an actor does not get its latch");
	actor->unlock = true;
	if (!step(actor, SEC_ENTERS, 0) || actor->has)
		shim_die(__FILE__, __LINE__,
			 "an actor does not give its latch up");
}
