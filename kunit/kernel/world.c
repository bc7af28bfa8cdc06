// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel as the suites' world (../world.h): parameters of the module, alarms,
 * kernel threads.
 *
 * A test also fails if the kernel complained while it ran, however right its
 * results were: the *alarms*, a lockdep report, a warning, a bad page, a soft
 * lockup, are compared with what they were when it began. They ring only once
 * per boot; a later test that would set off the same one is not blamed.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/debug_locks.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/panic.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "../modes.h"
#include "../threads.h"

/* Less than KUnit grants a test; hopelessly much for what leaders do. */
#define THREADS_TIMEOUT (240 * HZ)

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of the randomised tests, 0 for another each time");

static unsigned int scale = 100;
module_param(scale, uint, 0444);
MODULE_PARM_DESC(scale, "percent of the usual work that randomised tests do");

static char *mode = "plain";
module_param(mode, charp, 0444);
MODULE_PARM_DESC(mode,
		 "what trees are like: plain, or another mode of modes.h");

/* The mode of the suite that runs, if it has one of its own. */
static const char *suite_mode;

#define MODE_COMPRESS BLINK_TREE_COMPRESS
#define MODE(unused, word, text, nr, ...) \
	{ .name = (text), .params = { __VA_ARGS__ } },

/* Replicated trees have several indexes, where there are several NUMA nodes. */
static const struct mode {
	const char *name;
	struct blink_tree_params params;
} modes[] = { FOR_EACH_MODE(MODE, unused) };

/* The mode of the suite, or of this run; NULL if there is no such mode. */
static const struct mode *this_mode(void)
{
	const char *name = suite_mode ?: mode;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(name, modes[i].name))
			return &modes[i];
	return NULL;
}

/* The state of the alarms when the test began. KUnit runs one at a time. */
static struct {
	bool locks;
	bool warned;
	bool bad_page;
	bool lockup;
} alarm;

static void judge_alarms(void *data)
{
	struct kunit *test = data;

	/* A test includes the RCU callbacks that it queued. */
	blink_tree_barrier();
	if (alarm.locks && !debug_locks)
		KUNIT_FAIL(test, "lockdep gave up: see the kernel log");
	if (!alarm.warned && test_taint(TAINT_WARN))
		KUNIT_FAIL(test, "a warning was given: see the kernel log");
	if (!alarm.bad_page && test_taint(TAINT_BAD_PAGE))
		KUNIT_FAIL(test, "memory misused: see the kernel log");
	if (!alarm.lockup && test_taint(TAINT_SOFTLOCKUP))
		KUNIT_FAIL(test, "a CPU was stuck: see the kernel log");
}

/* Note how the alarms are, and choose the kind of keys. */
int world_enter_test(struct kunit *test)
{
	const struct mode *this = this_mode();

	keys_kind = this ? this->params.key : BLINK_TREE_KEY_U64;
	alarm.locks = debug_locks;
	alarm.warned = test_taint(TAINT_WARN);
	alarm.bad_page = test_taint(TAINT_BAD_PAGE);
	alarm.lockup = test_taint(TAINT_SOFTLOCKUP);
	/* Actions run in reverse: this one after the trees are destroyed. */
	return kunit_add_action(test, judge_alarms, test);
}

int world_enter_suite(struct kunit_suite *suite)
{
	const char *dash = strchr(suite->name, '-');

	suite_mode = dash ? dash + 1 : NULL;
	return 0;
}

void world_leave_suite(struct kunit_suite *suite)
{
	suite_mode = NULL;
}

/* The parameters of trees in the mode of the suite, or of this run. */
struct blink_tree_params world_params(struct kunit *test)
{
	const struct mode *this = this_mode();

	if (!this)
		KUNIT_FAIL_AND_ABORT(test, "no such mode: %s",
				     suite_mode ?: mode);
	return this->params;
}

/* The begin of a test's random numbers, which its log tells. */
u64 world_seed(struct kunit *test)
{
	u64 chosen = seed ?: get_random_u64();

	kunit_info(test, "seed=%llu\n", chosen);
	return chosen;
}

/*
 * The work of a randomised test: the parameter scale, in percent, of it; at least 1.
 */
unsigned long world_work(unsigned long amount)
{
	return max(mult_frac(amount, scale, 100UL), 1UL);
}

/* So many threads make all CPUs busy, within limits. */
unsigned int world_cpus(void)
{
	return clamp(num_online_cpus(), 2U, 8U);
}

/**
 * struct run - threads that run
 * @threads: the threads
 * @task: the task of each
 * @ready: how many have come to where they begin together
 * @running: how many have not ended
 * @all_ready: @ready is the number of threads
 * @begin: the beginning
 * @all_ended: @running is 0
 */
struct run {
	struct threads *threads;
	struct task_struct *task[THREADS_MAX];
	atomic_t ready;
	atomic_t running;
	struct completion all_ready;
	struct completion begin;
	struct completion all_ended;
};

/* One set of threads runs at a time. */
static struct run run;

static int thread_main(void *data)
{
	struct thread *me = data;

	/* A report of a sanitizer in this thread fails the test. */
	current->kunit_test = run.threads->test;
	if (atomic_inc_return(&run.ready) == run.threads->nr)
		complete(&run.all_ready);
	wait_for_completion(&run.begin);
	thread_run(me);
	if (atomic_dec_and_test(&run.running))
		complete(&run.all_ended);
	current->kunit_test = NULL;
	return 0;
}

static int start(void)
{
	struct task_struct *task;
	unsigned int i, cpu;

	for (i = 0; i < run.threads->nr; i++) {
		cpu = cpumask_nth(i % num_online_cpus(), cpu_online_mask);
		task = kthread_create_on_cpu(thread_main,
					     &run.threads->thread[i], cpu,
					     "blink_thread/%u");
		if (IS_ERR(task))
			return PTR_ERR(task);
		/* It may be gone before join() comes to stop it. */
		run.task[i] = get_task_struct(task);
	}
	for (i = 0; i < run.threads->nr; i++)
		wake_up_process(run.task[i]);
	return 0;
}

static void join(void)
{
	unsigned int i;

	WRITE_ONCE(run.threads->stop, true);
	for (i = 0; i < run.threads->nr; i++)
		if (run.task[i])
			kthread_stop_put(run.task[i]);
}

/*
 * Run threads, bound to all CPUs in turn. Returns whether they came to an end in
 * time.
 */
bool world_run_threads(struct threads *threads)
{
	bool ended = false;

	run = (struct run){ .threads = threads };
	atomic_set(&run.running, threads->nr);
	init_completion(&run.all_ready);
	init_completion(&run.begin);
	init_completion(&run.all_ended);
	if (!start()) {
		wait_for_completion(&run.all_ready);
		complete_all(&run.begin);
		ended = wait_for_completion_timeout(&run.all_ended,
						    THREADS_TIMEOUT);
	}
	join();
	return ended;
}

MODULE_DESCRIPTION("KUnit tests of blink_tree");
MODULE_LICENSE("GPL");
