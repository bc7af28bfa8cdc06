/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that work on a tree at the same time.
 *
 * They are spread evenly over the CPUs, bound to them, and begin together. A
 * *leader* does a set amount of work; a *follower* goes on until the last leader is
 * done. A thread that finds something wrong notes it by thread_fail(), which stops
 * all of them; the test's own thread reports it.
 */
#ifndef BLINK_KUNIT_THREADS_H
#define BLINK_KUNIT_THREADS_H

#include <linux/atomic.h>

#include "fixture.h"

#define THREADS_MAX 24

struct thread;
typedef void (*thread_work_t)(struct thread *me);

/**
 * struct thread - one thread
 * @threads: the threads
 * @work: its function
 * @leader: whether the others go on until it is done
 * @id: its number among those added with it
 * @nr: how many they are
 * @arg: theirs
 * @rnd: its own random numbers
 * @rounds: how often it asked whether to go on
 * @error: the message about the first fault that it found
 */
struct thread {
	struct threads *threads;
	thread_work_t work;
	bool leader;
	unsigned int id;
	unsigned int nr;
	void *arg;
	struct rnd_state rnd;
	unsigned long rounds;
	char error[160];
};

/**
 * struct threads - threads that work on a tree
 * @test: the test
 * @tree: the tree
 * @rnd: where the threads' seeds come from
 * @nr: how many there are
 * @leading: how many leaders are not done yet
 * @stop: followers shall end, and leaders too if something was wrong
 * @failed: something was wrong
 * @thread: each of them
 */
struct threads {
	struct kunit *test;
	struct blink_tree *tree;
	struct rnd_state rnd;
	unsigned int nr;
	atomic_t leading;
	bool stop;
	bool failed;
	struct thread thread[THREADS_MAX];
};

struct threads *threads_create(struct kunit *test, struct blink_tree *tree);
void threads_lead(struct threads *threads, unsigned int nr, thread_work_t work,
		  void *arg);
void threads_follow(struct threads *threads, unsigned int nr,
		    thread_work_t work, void *arg);
void threads_run(struct threads *threads);
void thread_run(struct thread *me);

bool thread_goes_on(struct thread *me);
bool thread_is_stopped(const struct thread *me);
void thread_fail(struct thread *me, const char *fmt, ...) __printf(2, 3);

#endif /* BLINK_KUNIT_THREADS_H */
