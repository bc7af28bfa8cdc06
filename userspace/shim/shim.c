// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, locks and RCU callbacks of the userspace stand-ins.
 *
 * RCU callbacks queue up on one stack; the *reclaimer*, a thread of its own,
 * takes all of them at once, waits for a grace period, and runs them.
 */
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__thread struct shim_thread *shim_self;

static struct shim_thread threads[SHIM_THREADS];
static bool slot_taken[SHIM_THREADS];

static struct rcu_head *rcu_stack;
static long rcu_pending;
static sem_t rcu_work;

#ifdef SHIM_TSAN
char shim_fence_token;
char shim_rcu_token;
#endif
#ifdef SHIM_POINTS
struct shim_hooks shim_hooks;
#endif

void shim_die(const char *file, int line, const char *what)
{
	fflush(stdout);
	fprintf(stderr, "%s:%d: %s\n", file, line, what);
	abort();
}

struct shim_thread *shim_thread_add(void)
{
	unsigned int slot = 0;

	while (__atomic_test_and_set(&slot_taken[slot], __ATOMIC_ACQUIRE))
		if (++slot == SHIM_THREADS)
			shim_die(__FILE__, __LINE__, "too many threads");
	threads[slot].slot = slot;
	threads[slot].random = slot + 1;
	return &threads[slot];
}

void shim_thread_register(void)
{
	shim_self = shim_thread_add();
	shim_urcu(register_thread)();
}

void shim_thread_unregister(void)
{
	unsigned int slot = shim_self->slot;

	might_sleep();
	shim_urcu(unregister_thread)();
	shim_self = NULL;
	__atomic_clear(&slot_taken[slot], __ATOMIC_RELEASE);
}

void shim_lock_slow(raw_spinlock_t *lock)
{
	unsigned int spins = 0;

	SHIM_CHECK(!lockdep_is_held(lock), "a lock is taken twice");
	do {
		while (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED)) {
			cpu_relax();
			/* Its owner may be waiting for this very CPU. */
			if (!(++spins % 128))
				sched_yield();
		}
	} while (!raw_spin_trylock(lock));
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	struct rcu_head *next = __atomic_load_n(&rcu_stack, __ATOMIC_RELAXED);

	head->func = func;
#ifdef SHIM_POINTS
	if (shim_hooks.call_rcu) {
		shim_hooks.call_rcu(head);
		return;
	}
#endif
	__atomic_fetch_add(&rcu_pending, 1, __ATOMIC_RELAXED);
	do {
		head->next = next;
	} while (!__atomic_compare_exchange_n(&rcu_stack, &next, head, true,
					      __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
	/* The reclaimer takes all there is: only the first one wakes it. */
	if (!next)
		sem_post(&rcu_work);
}

static void *reclaimer(void *unused)
{
	struct rcu_head *head, *next;

	shim_thread_register();
	for (;;) {
		while (sem_wait(&rcu_work))
			;
		head = __atomic_exchange_n(&rcu_stack, NULL, __ATOMIC_ACQUIRE);
		shim_urcu(synchronize_rcu)();
		shim_rcu_acquire();
		/* As in a softirq: nothing may sleep. */
		preempt_disable();
		for (; head; head = next) {
			next = head->next;
			head->func(head);
			__atomic_fetch_sub(&rcu_pending, 1, __ATOMIC_RELEASE);
		}
		preempt_enable();
	}
	return unused;
}

void rcu_barrier(void)
{
	might_sleep();
	while (__atomic_load_n(&rcu_pending, __ATOMIC_ACQUIRE))
		usleep(100);
}

static void shim_attribute(__constructor__) shim_start(void)
{
	pthread_t thread;

	shim_thread_register();
	sem_init(&rcu_work, 0, 0);
	if (pthread_create(&thread, NULL, reclaimer, NULL))
		shim_die(__FILE__, __LINE__, "no thread for RCU callbacks");
	pthread_detach(thread);
}
