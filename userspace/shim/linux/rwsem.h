/* SPDX-License-Identifier: GPL-2.0 */
/* Reader/writer semaphores: the reader/writer locks of POSIX threads. */
#ifndef SHIM_LINUX_RWSEM_H
#define SHIM_LINUX_RWSEM_H

#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <pthread.h>

#include "lab/marks.h"

struct rw_semaphore {
	pthread_rwlock_t lock;
};

#define __init_rwsem(sem, name, key) \
	((void)(name), (void)(key), shim_rwsem_check(shim_rwsem_init(sem)))
#define shim_rwsem_init(sem) pthread_rwlock_init(&(sem)->lock, NULL)

static inline void shim_rwsem_check(int error)
{
	SHIM_CHECK(!error, "a semaphore that cannot be taken or given up");
}

static inline void down_read(struct rw_semaphore *sem)
{
	might_sleep();
	blink_tell_lock(sem, BLINK_TAG_LOCK_SHARED);
	shim_rwsem_check(pthread_rwlock_rdlock(&sem->lock));
}

static inline void up_read(struct rw_semaphore *sem)
{
	shim_rwsem_check(pthread_rwlock_unlock(&sem->lock));
	blink_tell_lock(sem, BLINK_TAG_UNLOCK);
}

static inline void down_write(struct rw_semaphore *sem)
{
	might_sleep();
	blink_tell_lock(sem, BLINK_TAG_LOCK);
	shim_rwsem_check(pthread_rwlock_wrlock(&sem->lock));
}

#define up_write(sem) up_read(sem)
#define down_read_non_owner(sem) down_read(sem)
#define up_read_non_owner(sem) up_read(sem)
#define down_write_nested(sem, subclass) ((void)(subclass), down_write(sem))

#endif /* SHIM_LINUX_RWSEM_H */
