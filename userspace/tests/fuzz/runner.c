// SPDX-License-Identifier: GPL-2.0
/* Executing programs; see runner.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "memory.h"
#include "runner.h"

/* Where a lane's thread begins: its runner is found from it. */
struct start {
	struct runner *runner;
	struct lane *lane;
};

static struct start second;

static void run_lane(struct runner *runner, struct lane *lane)
{
	const struct program *program = runner->program;
	unsigned int i, fresh;

	lane->fresh = 0;
	lane->fail_next = 0;
	for (i = 0; i < program->nr; i++) {
		if (program->calls[i].lane != lane->id)
			continue;
		lane_call(runner, lane, &program->calls[i]);
		if (!runner->seen)
			continue;
		fresh = kcov_take(&lane->kcov, runner->seen);
		lane->fresh += fresh;
		if (fresh)
			lane->last_fresh = i;
	}
}

/* Open the files of a lane that only its own thread can open. */
static int open_own(struct runner *runner, struct lane *lane)
{
	lane->fail_fd = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (!runner->seen)
		return 0;
	return kcov_open(&lane->kcov) || kcov_record_blocks(&lane->kcov);
}

static void *second_lane(void *arg)
{
	struct start *start = arg;
	struct runner *runner = start->runner;

	if (open_own(runner, start->lane))
		start->lane->complaint = "no kcov for the second lane";
	pthread_barrier_wait(&runner->gate);
	for (;;) {
		pthread_barrier_wait(&runner->gate);
		run_lane(runner, start->lane);
		pthread_barrier_wait(&runner->gate);
	}
	return NULL;
}

static void no_handler(int number)
{
	(void)number;
}

static int open_lanes(struct runner *runner)
{
	struct sigaction action = { .sa_handler = no_handler };
	unsigned int i;

	for (i = 0; i < LANES; i++) {
		runner->lanes[i].id = i;
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
			       runner->lanes[i].socket))
			return -1;
	}
	/* System calls are not to be restarted. */
	return sigaction(SIGALRM, &action, NULL);
}

int runner_open(struct runner *runner, struct seen *seen, struct names names)
{
	pthread_t thread;

	runner->seen = seen;
	runner->names = names;
	second = (struct start){ runner, &runner->lanes[1] };
	if (open_lanes(runner) || memory_map() ||
	    open_own(runner, &runner->lanes[0]) ||
	    pthread_barrier_init(&runner->gate, NULL, LANES) ||
	    pthread_create(&thread, NULL, second_lane, &second))
		return -1;
	pthread_barrier_wait(&runner->gate);
	return runner->lanes[1].complaint ? -1 : 0;
}

int runner_start(struct runner *runner)
{
	unsigned int i;

	runner->device = open(BLINK_TREE_DEVICE, O_RDWR | O_CLOEXEC);
	for (i = 0; i < SLOTS; i++)
		runner->slots[i] = -1;
	runner->slots[SLOT_DEVICE] = runner->device;
	return runner->device < 0 ? -1 : 0;
}

static void unlink_name(struct runner *runner, __u64 name)
{
	struct call call = {
		.kind = CALL_UNLINK,
		.size = sizeof(struct blink_tree_ioc_unlink),
		.value = { 0, 0, name },
	};

	ioctl(runner->device, BLINK_TREE_IOC_UNLINK,
	      call_prepare(&call, &runner->names));
}

/* Leave nothing behind that the next program could see. */
static void clean_up(struct runner *runner)
{
	const struct itimerval never = {};
	unsigned int i;

	if (runner->alarms)
		setitimer(ITIMER_REAL, &never, NULL);
	memory_reset();
	for (i = 0; i < runner->program->nr; i++) {
		const struct call *call = &runner->program->calls[i];

		if (call->kind == CALL_CREATE && call->value[3])
			unlink_name(runner, call->value[3]);
		if (call->kind == CALL_ATTR && call->value[4])
			unlink_name(runner, call->value[4]);
	}
	for (i = 0; i < SLOTS; i++) {
		if (i == SLOT_DEVICE || runner->slots[i] < 0)
			continue;
		close(runner->slots[i]);
		runner->slots[i] = -1;
	}
}

/* No program may break a tree. */
static void verify_all(struct runner *runner)
{
	struct call call = {
		.kind = CALL_VERIFY,
		.size = sizeof(struct blink_tree_ioc_verify),
	};
	unsigned int i;

	for (i = 0; i < SLOTS; i++) {
		if (i == SLOT_DEVICE || runner->slots[i] < 0)
			continue;
		call.slot = i;
		lane_call(runner, &runner->lanes[0], &call);
	}
}

static bool has_alarm(const struct program *program)
{
	unsigned int i;

	for (i = 0; i < program->nr; i++) {
		if (program->calls[i].kind == CALL_ALARM)
			return true;
	}
	return false;
}

unsigned int runner_run(struct runner *runner, const struct program *program)
{
	unsigned int i, fresh = 0;

	runner->program = program;
	runner->parallel = program_is_parallel(program);
	runner->alarms = has_alarm(program);
	for (i = 0; i < LANES; i++) {
		runner->lanes[i].last_fresh = 0;
		runner->lanes[i].fresh = 0;
	}
	if (runner->parallel)
		pthread_barrier_wait(&runner->gate);
	run_lane(runner, &runner->lanes[0]);
	if (runner->parallel)
		pthread_barrier_wait(&runner->gate);
	runner->parallel = false;
	verify_all(runner);
	clean_up(runner);
	for (i = 0; i < LANES; i++)
		fresh += runner->lanes[i].fresh;
	return fresh;
}

unsigned int runner_hints(struct runner *runner, const struct program *program,
			  struct hint *hints, unsigned int room)
{
	struct kcov *kcov = &runner->lanes[0].kcov;
	struct seen *seen = runner->seen;
	unsigned int nr;

	if (!seen || kcov_record_comparisons(kcov))
		return 0;
	runner->seen = NULL;
	runner_run(runner, program);
	runner->seen = seen;
	nr = kcov_take_hints(kcov, hints, room);
	kcov_record_blocks(kcov);
	return nr;
}
