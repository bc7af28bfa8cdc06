// SPDX-License-Identifier: GPL-2.0
/*
 * blink_fuzz: calls the module in all ways that it should survive, led by what
 * that makes it do. Needs root and the module, built for a kernel with kcov; one
 * worker stays root, the other becomes a user without rights.
 *
 * It prints JSON, an object a line: how far it is, now and then and at the
 * end, and what went wrong.
 */
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "../../streams.h"
#include "shared.h"

#define TELL_SECONDS 15
#define LOOK_MICROSECONDS 100000
/*
 * A worker that ends no program during so many looks, two minutes of them, is
 * stuck. The clock would not do: that of a guest which was stopped jumps.
 */
#define STUCK_LOOKS 1200

/**
 * struct watched - a worker as its parent sees it
 * @pid: 0 when it has ended
 * @executions: how many it had done when it was last seen to move
 * @idle: looks since then
 */
struct watched {
	pid_t pid;
	__u64 executions;
	unsigned int idle;
};

static struct shared *shared;
static struct plan plan = { .seed = 1, .seconds = 60 };
static struct watched workers[WORKERS];
static const char *save_path, *crash_path = "/dev/stderr";
static double began;

static const char usage[] =
	"usage: blink_fuzz [OPTION...] [FILE...]\n"
	"Fuzz the module, from the programs in FILEs on.\n"
	"  --seconds N   for so long (60)\n"
	"  --replay      only execute the programs of the FILEs\n"
	"  --seed N      of random choices (1)\n"
	"  --plain       without kcov\n"
	"  --save FILE   leave there all programs that did something new\n"
	"  --crash FILE  leave there what was executed when something went wrong\n";

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void tell(const char *what)
{
	__u64 executions = 0, ioctls = 0, calls = 0;
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		executions += shared->workers[i].executions;
		ioctls += shared->workers[i].ioctls;
		calls += shared->workers[i].calls;
	}
	fprintf(stdout,
		"{\"event\": \"%s\", \"seconds\": %.1f, \"executions\": %llu, \"ioctls\": %llu, \"calls\": %llu, \"edges\": %u, \"blocks\": %u, \"corpus\": %u}\n",
		what, now() - began, executions, ioctls, calls,
		shared->seen.nr_edges, shared->seen.nr_blocks,
		shared->nr_corpus);
	fflush(stdout);
}

/* Failures that programs ask for reach every allocation, and are not told. */
static void allow_failures(void)
{
	static const char *const knobs[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[80];
	unsigned int i;
	int fd;

	for (i = 0; i < sizeof(knobs) / sizeof(*knobs); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s",
			 knobs[i][0]);
		/* A kernel that has none fails nothing. */
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (write(fd, knobs[i][1], 1) != 1)
			complain(path);
		close(fd);
	}
}

static int start_workers(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		workers[i].pid = fork();
		if (workers[i].pid < 0)
			return complain("fork");
		if (!workers[i].pid)
			_exit(worker_main(shared, &plan, i));
	}
	return 0;
}

static void stop_workers(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		if (workers[i].pid > 0)
			kill(workers[i].pid, SIGKILL);
	}
}

/* How a worker ended: false if it should not have. */
static bool ended_well(struct worker_state *state, int status)
{
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	if (WIFSIGNALED(status) && !*state->complaint)
		snprintf(state->complaint, sizeof(state->complaint),
			 "killed by signal %d", WTERMSIG(status));
	return false;
}

/* False if it ended as it should not, or does not go on. */
static bool look_at(unsigned int id)
{
	struct worker_state *state = &shared->workers[id];
	struct watched *worker = &workers[id];
	int status;

	if (waitpid(worker->pid, &status, WNOHANG) == worker->pid) {
		worker->pid = 0;
		return ended_well(state, status);
	}
	if (state->executions != worker->executions) {
		worker->executions = state->executions;
		worker->idle = 0;
	} else if (++worker->idle > STUCK_LOOKS) {
		snprintf(state->complaint, sizeof(state->complaint), "stuck");
		return false;
	}
	return true;
}

/* Returns how many are still at work; -1 if one did something wrong. */
static int look_at_all(void)
{
	unsigned int i, left = 0;

	for (i = 0; i < WORKERS; i++) {
		if (!workers[i].pid)
			continue;
		if (!look_at(i))
			return -1;
		left += workers[i].pid > 0;
	}
	return left;
}

static bool private_is_well(int device)
{
	if (private_intact(device))
		return true;
	snprintf(shared->workers[0].complaint,
		 sizeof(shared->workers[0].complaint),
		 "root's tree was changed");
	return false;
}

/* Until all workers have ended; false if anything is wrong. */
static bool watch(int device)
{
	double told = began;
	int left;

	while ((left = look_at_all()) > 0) {
		usleep(LOOK_MICROSECONDS);
		if (plan.seconds && now() - began >= plan.seconds)
			__atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
		if (now() - told < TELL_SECONDS)
			continue;
		tell("progress");
		told = now();
		if (!private_is_well(device))
			return false;
	}
	return !left && private_is_well(device);
}

static void tell_failures(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		if (*shared->workers[i].complaint)
			printf("{\"event\": \"failure\", \"worker\": %u, \"what\": \"%s\"}\n",
			       i, shared->workers[i].complaint);
	}
}

static int run(void)
{
	bool well;
	int device;

	if (chmod(BLINK_TREE_DEVICE, 0666))
		return complain(BLINK_TREE_DEVICE);
	if (!plan.plain && kcov_find_module())
		return complain("the module's address");
	device = private_make(&plan.private);
	if (device < 0)
		return complain("a tree of root's");
	allow_failures();
	began = now();
	well = !start_workers() && watch(device);
	stop_workers();
	private_unlink(device);
	tell_failures();
	tell("end");
	if (!well)
		write_crash(shared, crash_path);
	if (save_path && write_corpus(shared, save_path))
		return -1;
	return well ? 0 : -1;
}

static int parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' },
		{ "save", required_argument, NULL, 'w' },
		{ "crash", required_argument, NULL, 'c' },
		{ "replay", no_argument, NULL, 'y' },
		{ "plain", no_argument, NULL, 'p' },
		{}
	};
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 's':
			plan.seconds = strtoul(optarg, NULL, 10);
			break;
		case 'r':
			plan.seed = strtoull(optarg, NULL, 10);
			break;
		case 'w':
			save_path = optarg;
			break;
		case 'c':
			crash_path = optarg;
			break;
		case 'y':
			plan.seconds = 0;
			break;
		case 'p':
			plan.plain = true;
			break;
		default:
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	streams_open();
	if (parse(argc, argv)) {
		fputs(usage, stderr);
		return 2;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		complain("memory");
		return 1;
	}
	for (; optind < argc; optind++) {
		if (read_programs(&plan, argv[optind]))
			return 2;
	}
	return run() ? 1 : 0;
}
