// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, locks and RCU callbacks of the userspace stand-ins.
 *
 * RCU callbacks queue up on one stack; the *reclaimer*, a thread of its own,
 * takes all of them at once, waits for a grace period, and runs them.
 */
#include <linux/cpuhotplug.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/topology.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__thread struct shim_thread *shim_self;
int shim_nodes = 1;
int shim_far;
int shim_bare = NUMA_NO_NODE;
shim_cpu_fn *shim_cpu_prepare;
unsigned int shim_cpus = SHIM_THREADS;
bool shim_rcu_waits;
bool shim_forks;

static struct shim_thread threads[SHIM_THREADS];
static bool slot_taken[SHIM_THREADS];

static struct rcu_head *rcu_stack;
static long rcu_pending;
static sem_t rcu_work;

#ifdef SHIM_TSAN
char shim_fence_token;
char shim_rcu_token;

const char *__tsan_default_options(void);

/* The order of locks is for lockdep to check, which is told of classes of them. */
const char *__tsan_default_options(void)
{
	return "detect_deadlocks=0";
}
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

void shim_relax(unsigned int *spins)
{
	cpu_relax();
	if (!(++*spins % 128))
		sched_yield();
}

void shim_lock_slow(arch_spinlock_t *lock)
{
	unsigned int spins = 0;

	__atomic_store_n(&shim_self->spins, true, __ATOMIC_RELAXED);
	do {
		while (__atomic_load_n(&lock->locked, __ATOMIC_RELAXED))
			shim_relax(&spins);
	} while (!shim_lock_take(lock));
	__atomic_store_n(&shim_self->spins, false, __ATOMIC_RELAXED);
}

unsigned int shim_spinning(void)
{
	unsigned int slot, nr = 0;

	for (slot = 0; slot < SHIM_THREADS; slot++)
		nr += __atomic_load_n(&threads[slot].spins, __ATOMIC_RELAXED);
	return nr;
}

static const struct lockdep_map **find_held(const struct lockdep_map *map)
{
	unsigned int i;

	for (i = 0; i < SHIM_HELD; i++)
		if (shim_self->held[i] == map)
			return &shim_self->held[i];
	return NULL;
}

bool shim_is_held(const struct lockdep_map *map)
{
	return !SHIM_CHECKS || find_held(map);
}

static unsigned int nr_held(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < SHIM_HELD; i++)
		nr += !!shim_self->held[i];
	return nr;
}

bool shim_holds_locks(void)
{
	return nr_held();
}

void shim_note_held(const struct lockdep_map *map, bool held)
{
	const struct lockdep_map **place = find_held(held ? NULL : map);

	SHIM_CHECK(!held || !find_held(map), "a lock is taken twice");
	SHIM_CHECK(place, held ? "too many locks" : "a lock that is not held");
	*place = held ? map : NULL;
	shim_self->locks += held;
	shim_self->most_held = max(shim_self->most_held, nr_held());
}

void shim_stay(int nid)
{
	shim_self->stays = nid >= 0;
	shim_self->nid = nid >= 0 ? nid : 0;
}

#ifdef SHIM_POINTS
void *kmem_cache_alloc_node(struct kmem_cache *cache, gfp_t gfp, int nid)
{
	void *object = kmem_cache_alloc(cache, gfp);

	if (object && shim_hooks.placed)
		shim_hooks.placed(object, nid);
	return object;
}
#endif

int shim_roam(void)
{
	struct shim_thread *self = shim_self;

	if (shim_nodes > 1 && !self->atomic) {
		self->random = self->random * 6364136223846793005ULL + 1;
		self->nid = (self->random >> 33) % shim_nodes;
	}
	return self->nid;
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	struct rcu_head *next = __atomic_load_n(&rcu_stack, __ATOMIC_RELAXED);

	/* Readers may still look at what was in the place of the head (signs.h). */
	WRITE_ONCE(head->func, func);
#ifdef SHIM_POINTS
	if (shim_hooks.call_rcu) {
		shim_hooks.call_rcu(head);
		return;
	}
#endif
	__atomic_fetch_add(&rcu_pending, 1, __ATOMIC_RELAXED);
	do {
		WRITE_ONCE(head->next, next);
	} while (!__atomic_compare_exchange_n(&rcu_stack, &next, head, true,
					      __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
	/* The reclaimer takes all there is: only the first one wakes it. */
	if (!next && !shim_rcu_waits)
		sem_post(&rcu_work);
}

static void reclaim(void)
{
	struct rcu_head *head, *next;

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

static void *reclaimer(void *unused)
{
	shim_thread_register();
	shim_self->reclaimer = true;
	for (;;) {
		while (sem_wait(&rcu_work))
			;
#ifdef SHIM_FAST
		/* A kernel's grace periods take about a tick, not an interrupt of each CPU. */
		usleep(4000);
#endif
		reclaim();
	}
	return unused;
}

#ifdef SHIM_POINTS
struct grace_period {
	struct rcu_head rcu;
	bool over;
};

static void grace_period_over(struct rcu_head *head)
{
	container_of(head, struct grace_period, rcu)->over = true;
}

/* A hook that replaces call_rcu() decides when the grace period is over. */
static void wait_for_hook(void)
{
	struct grace_period gp = {};

	call_rcu(&gp.rcu, grace_period_over);
	while (!READ_ONCE(gp.over))
		shim_spin();
	shim_call_hook(shim_hook(synchronized));
}
#endif

void synchronize_rcu(void)
{
	might_sleep();
#ifdef SHIM_POINTS
	if (shim_hooks.call_rcu) {
		wait_for_hook();
		return;
	}
#endif
	shim_urcu(synchronize_rcu)();
	shim_rcu_acquire();
}

void shim_sleep(void)
{
	might_sleep();
	shim_spin();
	if (shim_rcu_waits)
		reclaim();
	else if (!shim_hook(call_rcu))
		usleep(1000);
}

void rcu_barrier(void)
{
	might_sleep();
	while (__atomic_load_n(&rcu_pending, __ATOMIC_ACQUIRE)) {
		if (shim_rcu_waits)
			reclaim();
		else
			usleep(100);
	}
}

void shim_start_reclaimer(void)
{
	pthread_t thread;

	sem_init(&rcu_work, 0, 0);
	if (pthread_create(&thread, NULL, reclaimer, NULL))
		shim_die(__FILE__, __LINE__, "no thread for RCU callbacks");
	pthread_detach(thread);
}

static void shim_attribute(__constructor__) shim_start(void)
{
	shim_thread_register();
	if (!shim_forks)
		shim_start_reclaimer();
}
