/* SPDX-License-Identifier: GPL-2.0 */
/* Mutexes. Their owner may sleep, so that they are no locks to shim_holds_locks(). */
#ifndef SHIM_LINUX_MUTEX_H
#define SHIM_LINUX_MUTEX_H

#include <linux/irqflags.h>
#include <pthread.h>

#include "lab/marks.h"

struct mutex {
	pthread_mutex_t mutex;
};

#define mutex_init(lock) ((void)pthread_mutex_init(&(lock)->mutex, NULL))
#define mutex_destroy(lock) ((void)pthread_mutex_destroy(&(lock)->mutex))

static inline void mutex_lock(struct mutex *lock)
{
	might_sleep();
	blink_tell_lock(lock, BLINK_TAG_LOCK);
	pthread_mutex_lock(&lock->mutex);
}

static inline void mutex_unlock(struct mutex *lock)
{
	pthread_mutex_unlock(&lock->mutex);
	blink_tell_lock(lock, BLINK_TAG_UNLOCK);
}

#endif /* SHIM_LINUX_MUTEX_H */
