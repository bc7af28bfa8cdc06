/* SPDX-License-Identifier: GPL-2.0 */
/* A completion: its owner may free it as soon as wait_for_completion() returns. */
#ifndef SHIM_LINUX_COMPLETION_H
#define SHIM_LINUX_COMPLETION_H

#include <linux/irqflags.h>
#include <pthread.h>

struct completion {
	unsigned int done;
	pthread_mutex_t mutex;
	pthread_cond_t cond;
};

static inline void init_completion(struct completion *x)
{
	x->done = 0;
	pthread_mutex_init(&x->mutex, NULL);
	pthread_cond_init(&x->cond, NULL);
}

static inline void complete(struct completion *x)
{
	pthread_mutex_lock(&x->mutex);
	WRITE_ONCE(x->done, x->done + 1);
	pthread_cond_signal(&x->cond);
	pthread_mutex_unlock(&x->mutex);
}

static inline void wait_for_completion(struct completion *x)
{
	might_sleep();
	pthread_mutex_lock(&x->mutex);
	while (!x->done)
		pthread_cond_wait(&x->cond, &x->mutex);
	WRITE_ONCE(x->done, x->done - 1);
	pthread_mutex_unlock(&x->mutex);
}

/* Without the mutex, as in the kernel, while it is not complete. */
static inline bool try_wait_for_completion(struct completion *x)
{
	bool done;

	if (!READ_ONCE(x->done))
		return false;
	pthread_mutex_lock(&x->mutex);
	done = x->done;
	WRITE_ONCE(x->done, x->done - done);
	pthread_mutex_unlock(&x->mutex);
	return done;
}

#endif /* SHIM_LINUX_COMPLETION_H */
