/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that work on a tree at the same time.
 *
 * A *crew* has members, spread evenly over the CPUs and bound to them. They
 * begin together. A *leader* does a set amount of work; a *follower* goes on
 * until the last leader is done. Who finds something wrong notes it with
 * crew_fail(), which stops everybody; the test's own thread reports it.
 */
#ifndef BLINK_KUNIT_CREW_H
#define BLINK_KUNIT_CREW_H

#include <linux/atomic.h>
#include <linux/completion.h>

#include "fixture.h"

#define CREW_MAX 24

struct crew_member;
typedef void (*crew_work_t)(struct crew_member *me);

/**
 * struct crew_member - one thread
 * @crew: the crew
 * @task: the thread
 * @work: what it does
 * @leader: whether the others go on until it is done
 * @id: its number among those hired with it
 * @nr: how many they are
 * @arg: theirs
 * @rnd: its own random numbers
 * @rounds: how often it asked whether to go on
 * @error: what it found wrong
 */
struct crew_member {
	struct crew *crew;
	struct task_struct *task;
	crew_work_t work;
	bool leader;
	unsigned int id;
	unsigned int nr;
	void *arg;
	struct rnd_state rnd;
	unsigned long rounds;
	char error[160];
};

/**
 * struct crew - threads that work on a tree
 * @test: the test
 * @tree: the tree
 * @rnd: where the members' seeds come from
 * @nr: how many members there are
 * @ready: how many have come to where they begin together
 * @leading: how many leaders are not done yet
 * @stop: followers shall end, and leaders too if something was wrong
 * @failed: something was wrong
 * @all_ready: @ready is @nr
 * @begin: the beginning
 * @done: @leading is 0, or something was wrong
 * @member: the members
 */
struct crew {
	struct kunit *test;
	struct blink_tree *tree;
	struct rnd_state rnd;
	unsigned int nr;
	atomic_t ready;
	atomic_t leading;
	bool stop;
	bool failed;
	struct completion all_ready;
	struct completion begin;
	struct completion done;
	struct crew_member member[CREW_MAX];
};

struct crew *crew_create(struct kunit *test, struct blink_tree *tree);
unsigned int crew_cpus(void);
void crew_lead(struct crew *crew, unsigned int nr, crew_work_t work, void *arg);
void crew_follow(struct crew *crew, unsigned int nr, crew_work_t work,
		 void *arg);
void crew_run(struct crew *crew);

bool crew_goes_on(struct crew_member *me);
void crew_fail(struct crew_member *me, const char *fmt, ...) __printf(2, 3);

#endif /* BLINK_KUNIT_CREW_H */
