// SPDX-License-Identifier: GPL-2.0
/*
 * The stand-ins themselves, where a wrong one would hide a bug of the core:
 * deferred callbacks are deferred, locks exclude, allocations fail as told.
 */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <unistd.h>

#include "test.h"

#define THREADS 4

static struct rcu_head head;
static atomic_t called;
static atomic_t phase;

static void callback(struct rcu_head *unused)
{
	(void)unused;
	atomic_inc(&called);
}

static void wait_for(int n)
{
	while (atomic_read(&phase) < n)
		usleep(100);
}

/* One thread reads while the other waits for it not to. */
static void read_or_defer(unsigned int id)
{
	if (id) {
		rcu_read_lock();
		atomic_inc(&phase);
		wait_for(2);
		usleep(20000);
		EXPECT_EQ(atomic_read(&called), 0);
		rcu_read_unlock();
		return;
	}
	wait_for(1);
	call_rcu(&head, callback);
	atomic_inc(&phase);
	rcu_barrier();
	EXPECT_EQ(atomic_read(&called), 1);
}

static void rcu_defers(void)
{
	atomic_set(&called, 0);
	atomic_set(&phase, 0);
	run_threads(2, read_or_defer);
}

#ifdef SHIM_POINTS
static const struct shim_thread *tester;
static unsigned int strays;

static void count_stray(void)
{
	strays += shim_self != tester;
}

/* Many hooks change data of their test, or the tree, without a lock. */
static void callbacks_meet_no_hook(void)
{
	tester = shim_self;
	strays = 0;
	shim_hooks.point = count_stray;
	call_rcu(&head, callback);
	rcu_barrier();
	shim_hooks.point = NULL;
	EXPECT_EQ(strays, 0);
}
#endif

static arch_spinlock_t lock;
static struct lockdep_map lock_map;
static u64 under_lock;

static void count_under_lock(unsigned int id)
{
	u64 i, rounds = test_scale(100000);

	(void)id;
	for (i = 0; i < rounds; i++) {
		arch_spin_lock(&lock);
		under_lock++;
		arch_spin_unlock(&lock);
	}
}

static void locks_exclude(void)
{
	under_lock = 0;
	run_threads(THREADS, count_under_lock);
	EXPECT_EQ(under_lock, THREADS * test_scale(100000));
	EXPECT(arch_spin_trylock(&lock));
	EXPECT(!arch_spin_trylock(&lock));
	arch_spin_unlock(&lock);
	EXPECT(!shim_is_held(&lock_map));
	spin_acquire(&lock_map, 0, 0, _RET_IP_);
	EXPECT(shim_is_held(&lock_map));
	spin_release(&lock_map, _RET_IP_);
	EXPECT(!shim_is_held(&lock_map));
}

struct counters {
	u64 unused[20];
	u64 n;
};

static struct counters *counters;

static void count_per_cpu(unsigned int id)
{
	u64 i, rounds = test_scale(100000);

	(void)id;
	for (i = 0; i < rounds; i++)
		this_cpu_inc(counters->n);
}

static void percpu_adds_up(void)
{
	struct counters *other = alloc_percpu(struct counters);
	u64 sum = 0, sum_other = 0;
	int cpu;

	counters = alloc_percpu(struct counters);
	run_threads(THREADS, count_per_cpu);
	for_each_possible_cpu(cpu) {
		sum += per_cpu_ptr(counters, cpu)->n;
		sum_other += per_cpu_ptr(other, cpu)->n;
	}
	EXPECT_EQ(sum, THREADS * test_scale(100000));
	EXPECT_EQ(sum_other, 0);
	free_percpu(counters);
	free_percpu(other);
}

static void allocations_fail(void)
{
	void *p;

	shim_self->fail_nth = 2;
	p = kmalloc(10, GFP_KERNEL);
	EXPECT(p);
	EXPECT(!kmalloc(10, GFP_KERNEL));
	kfree(p);
	shim_self->fail_nowait = true;
	EXPECT(!kmalloc(10, GFP_NOWAIT));
	EXPECT(!kmalloc(10, GFP_ATOMIC));
	p = kmalloc(10, GFP_KERNEL);
	EXPECT(p);
	shim_self->fail_nowait = false;
	kfree(p);
}

/* Objects are distinct, and keep their content until another thread frees them. */
#define OBJECTS 1000
static struct kmem_cache *cache;
static u64 *object[THREADS][OBJECTS];

static void allocate_objects(unsigned int id)
{
	unsigned int i;

	for (i = 0; i < OBJECTS; i++) {
		object[id][i] = kmem_cache_alloc(cache, GFP_KERNEL);
		object[id][i][0] = id;
		object[id][i][1] = i;
	}
}

static void free_objects(unsigned int id)
{
	unsigned int from = (id + 1) % THREADS, i;

	for (i = 0; i < OBJECTS; i++) {
		EXPECT_EQ(object[from][i][0], from);
		EXPECT_EQ(object[from][i][1], i);
		EXPECT_EQ((uintptr_t)object[from][i] % 64, 0);
		kmem_cache_free(cache, object[from][i]);
	}
}

static void objects_are_apart(void)
{
	unsigned int round;

	cache = kmem_cache_create("test", 100, 64, 0, NULL);
	for (round = 0; round < 3; round++) {
		run_threads(THREADS, allocate_objects);
		run_threads(THREADS, free_objects);
	}
	kmem_cache_destroy(cache);
}

static struct workqueue_struct *wq;
static struct irq_work irq;
static struct work_struct work, other_work;
static atomic_t worked;

static void at_interrupt(struct irq_work *unused)
{
	(void)unused;
	EXPECT(queue_work_node(0, wq, &work));
	EXPECT(!queue_work_node(0, wq, &work));
}

/* It would be done again and again, but somebody cancels it. */
static void do_work(struct work_struct *work)
{
	atomic_inc(&worked);
	atomic_inc(&phase);
	while (!shim_work_canceled(work))
		usleep(100);
	queue_work_node(0, wq, work);
	atomic_inc(&worked);
}

static void work_or_cancel(unsigned int id)
{
	if (id) {
		EXPECT(irq_work_queue(&irq));
		EXPECT(shim_work_step());
		EXPECT(shim_work_step());
		return;
	}
	wait_for(1);
	/* It runs, so that there is nothing to take off the list. */
	EXPECT(!cancel_work_sync(&work));
	EXPECT_EQ(atomic_read(&worked), 2);
}

static void work_waits_and_ends(void)
{
	wq = alloc_workqueue("test", WQ_UNBOUND, 0);
	irq = IRQ_WORK_INIT_HARD(at_interrupt);
	INIT_WORK(&work, do_work);
	INIT_WORK(&other_work, do_work);
	atomic_set(&worked, 0);
	atomic_set(&phase, 0);
	EXPECT(!shim_work_step());
	run_threads(2, work_or_cancel);
	EXPECT(!shim_work_left());
	/* Cancelling takes only the given item off the list, if it waits there. */
	EXPECT(irq_work_queue(&irq));
	EXPECT(queue_work_node(0, wq, &other_work));
	irq_work_sync(&irq);
	EXPECT(cancel_work_sync(&work));
	EXPECT(shim_work_left());
	EXPECT(cancel_work_sync(&other_work));
	EXPECT(!shim_work_left());
	EXPECT_EQ(atomic_read(&worked), 2);
	destroy_workqueue(wq);
}

const struct test shim_tests[] = {
	{ "shim: call_rcu waits for a reader", rcu_defers },
#ifdef SHIM_POINTS
	{ "shim: RCU callbacks meet no hook", callbacks_meet_no_hook },
#endif
	{ "shim: locks exclude", locks_exclude },
	{ "shim: per-CPU variables add up", percpu_adds_up },
	{ "shim: allocations fail as told", allocations_fail },
	{ "shim: objects are apart", objects_are_apart },
	{ "shim: work waits and ends", work_waits_and_ends },
	{}
};
