/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace stand-ins for the kernel: the functions that tests and benchmarks call.
 *
 * The sources of module/core are compiled unchanged against userspace/shim: a
 * *thread* takes the place of a CPU, liburcu that of RCU. Every thread that
 * uses the core registers first; the initial one is registered already. There
 * is what the core uses, and no more; but kmem_cache is the program's own, as
 * tests want to see each object, and benchmarks speed.
 *
 * Build variants:
 *   SHIM_TSAN    for ThreadSanitizer, with liburcu's mb flavour
 *   SHIM_POINTS  every access, barrier and lock calls the hooks below
 *   SHIM_FAST    leave out the checks of context, and let RCU callbacks wait for a
 *                tick, for benchmarks
 *   SHIM_LINES   a prefetch tells QEMU's plugin its address (lab/marks.h)
 *   SHIM_TRACED  and so do locks and allocations of objects
 *   SHIM_GCOV    for gcov, which counts best what is not optimised
 *
 * SHIM_INSTRUMENTED is set where a sanitizer or a hook has to see each access.
 */
#ifndef SHIM_H
#define SHIM_H

#include <linux/types.h>

/* Half of them are for the threads of a benchmark. */
#ifdef SHIM_FAST
#define SHIM_THREADS 512
#else
#define SHIM_THREADS 64
#endif
#define SHIM_HELD 80

/**
 * struct shim_thread - the data that the shim keeps for each thread
 * @slot: its number, below SHIM_THREADS; those of ended threads are used again
 * @nid: the NUMA node that it is said to run on
 * @stays: it is not moved to others, as it is where preemption is on
 * @held: locks that it was said to hold
 * @spins: it waits for a spinlock that another thread holds
 * @locks: how many it ever did
 * @most_held: and at once, since a test set this to 0
 * @atomic: preempt_disable() and its like, together
 * @signalled: a signal is pending
 * @killed: a fatal one is
 * @irqs_off: between local_irq_save() and local_irq_restore()
 * @rcu_depth: nesting of rcu_read_lock()
 * @rcu_section: grows at each end of the outermost rcu_read_lock()
 * @compares: calls of memcmp(), in a build with SHIM_COMPARES
 * @allocs: allocations asked for
 * @fail_nth: let the allocation fail that makes this 0 (0 now: none)
 * @fail_from: let all fail but those before the one of this number (0: none)
 * @fail_one_in: let one of so many fail, at random (0: none)
 * @fail_nowait: let all fail that may not sleep
 * @fail_nowait_in: or only those from the cache of this name
 * @for_user: kmalloc() and per-CPU variables must be charged to a user
 * @reclaimer: it is the thread that runs RCU callbacks
 * @random: state of that, and of whatever a hook decides
 */
struct shim_thread {
	unsigned int slot;
	int nid;
	bool stays;
	const struct lockdep_map *held[SHIM_HELD];
	bool spins;
	u64 locks;
	unsigned int most_held;
	unsigned int atomic;
	bool signalled;
	bool killed;
	bool irqs_off;
	unsigned int rcu_depth;
	u64 rcu_section;
	u64 compares;
	u64 allocs;
	u64 fail_nth;
	u64 fail_from;
	unsigned int fail_one_in;
	bool fail_nowait;
	const char *fail_nowait_in;
	bool for_user;
	bool reclaimer;
	u64 random;
} __aligned(64);

extern __thread struct shim_thread *shim_self;

/* Keep this thread on a NUMA node, or let it roam (NUMA_NO_NODE). */
void shim_stay(int nid);

/* NUMA nodes that there are said to be: 1 unless a program says otherwise. */
extern int shim_nodes;
/* How many there are besides that have memory, but no CPU. */
extern int shim_far;
/* One of these nodes that has no memory, or NUMA_NO_NODE; not for tests of the core. */
extern int shim_bare;

/* CPUs that a program says there are at most; slots of more threads are there. */
extern unsigned int shim_cpus;

/*
 * Callbacks of RCU's wait for rcu_barrier(), and are its caller's: a program of
 * one thread then does the same whenever it runs.
 */
extern bool shim_rcu_waits;

/*
 * A program whose children use RCU, and not itself before, sets this in a constructor of
 * priority 101. Then there is no thread for RCU callbacks until one is started: liburcu
 * cannot forget a thread that its process lost by fork().
 */
extern bool shim_forks;
void shim_start_reclaimer(void);

/*
 * Do one thing of what irq_work_queue() and queue_work_node() were told: false if
 * there is nothing. And whether there is something.
 */
bool shim_work_step(void);
bool shim_work_left(void);

/* Whether somebody waits for the end of the work. */
struct work_struct;
bool shim_work_canceled(const struct work_struct *work);

/* The time, in ticks. */
extern unsigned long shim_jiffies;

void shim_thread_register(void);
void shim_thread_unregister(void);

/* A slot without a thread of the system's, for one that a test makes up. */
struct shim_thread *shim_thread_add(void);

/* Objects allocated and not freed yet, of all kinds. */
long shim_live_objects(void);

/* For kmem_cache: whether to fail now; to count objects. */
bool shim_alloc_fails(gfp_t gfp);
bool shim_cache_fails(const char *name, gfp_t gfp);
void shim_count_live(long n);

/* Report a broken rule of the kernel's and abort. */
void __noreturn shim_die(const char *file, int line, const char *what);

/**
 * struct shim_hooks - how a test steers the threads (SHIM_POINTS only)
 * @point: called before each access, barrier and lock, but for those of the reclaimer
 * @spin: called where the thread waits for another one
 * @call_rcu: takes the place of call_rcu(); liburcu is not told of read
 *	sections either then, only struct shim_thread is
 * @synchronized: called then at the end of synchronize_rcu()
 * @placed: told of each object from a cache that was asked for on a NUMA node
 */
struct shim_hooks {
	void (*point)(void);
	void (*spin)(void);
	void (*call_rcu)(struct rcu_head *head);
	void (*synchronized)(void);
	void (*placed)(const void *object, int nid);
};

#ifdef SHIM_POINTS
extern struct shim_hooks shim_hooks;
#define shim_hook(name) __atomic_load_n(&shim_hooks.name, __ATOMIC_RELAXED)
#define shim_point() \
	shim_call_hook(shim_self->reclaimer ? NULL : shim_hook(point))
#define shim_spin() shim_call_hook(shim_hook(spin))

static inline void shim_call_hook(void (*hook)(void))
{
	if (hook)
		hook();
}
#else
#define shim_hook(...) false
#define shim_point() ((void)0)
#define shim_spin() ((void)0)
#endif

#ifdef SHIM_FAST
#define SHIM_CHECKS 0
#else
#define SHIM_CHECKS 1
#endif
#define SHIM_CHECK(cond, what) \
	shim_check(!SHIM_CHECKS || (cond), __FILE__, __LINE__, what)

/* A function, so that a count of branches in the core contains the core's own only. */
static inline void shim_check(bool good, const char *file, int line,
			      const char *what)
{
	if (!good)
		shim_die(file, line, what);
}

#endif /* SHIM_H */
