// SPDX-License-Identifier: GPL-2.0
/* module/lab/threads.h for pthreads; a signal ends the process. */
#include <linux/kernel.h>
#include <pthread.h>

#include "lab/threads.h"
#include "lab_threads.h"
#include "thread.h"

#define THREADS_MAX 32

struct thread {
	int (*work)(void *arg);
	void *arg;
	unsigned int id;
	int ret;
};

unsigned int lab_threads_fail_one_in;

static pthread_barrier_t start;

static void *thread_main(void *arg)
{
	struct thread *me = arg;

	thread_pin(me->id);
	shim_thread_register();
	shim_self->fail_one_in = lab_threads_fail_one_in;
	pthread_barrier_wait(&start);
	me->ret = me->work(me->arg);
	shim_self->fail_one_in = 0;
	shim_thread_unregister();
	return NULL;
}

int lab_threads_run_spread(int (*work)(void *arg), void *args, size_t size,
			   unsigned int nr, bool *stop)
{
	struct thread thread[THREADS_MAX];
	unsigned int i;
	int ret = 0;

	if (nr > THREADS_MAX)
		return -ERANGE;
	for (i = 0; i < nr; i++)
		thread[i] = (struct thread){
			.work = work,
			.arg = (char *)args + i * size,
			.id = i,
		};
	if (!threads_run(nr, thread_main, thread, sizeof(*thread), &start))
		return -EAGAIN;
	for (i = 0; i < nr; i++)
		ret = ret ?: thread[i].ret;
	return ret;
}
