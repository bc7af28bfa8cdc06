// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the scenarios, each in a process of its own, and prints TAP: how many
 * executions there are within the bounds, and that all of them were right.
 */
#include <getopt.h>
#include <linux/kernel.h>
#include <linux/topology.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/core.h"
#include "explore.h"
#include "litmus.h"

static const char usage[] =
	"usage: blink_explore [OPTION]...\n"
	"Run small scenarios on the core of blink_tree under all schedules, and\n"
	"with all outcomes of loads that nothing orders, up to bounds; TAP.\n"
	"  -s, --size ci|full     bounds: for each change (default), for days off\n"
	"  -o, --only PATTERN     scenarios whose names contain PATTERN\n"
	"  -p, --preemptions N    bounds other than those of the size\n"
	"  -w, --stale N\n"
	"  -f, --fail-fast        end with the first that fails\n"
	"  -L, --litmus           litmus tests, all of each\n"
	"  -l, --list             list the scenarios\n"
	"  -h, --help             print this\n"
	"Exit status: 0 all passed, 1 some failed, 2 wrong usage.\n";

static struct bounds bounds = { -1, -1 };
static enum size size;
static const char *only = "";
static bool fail_fast, litmus;

static void crashed(int signal)
{
	explore_fail("signal %d: a pointer that leads nowhere", signal);
}

static void __noreturn run(const struct scenario *s, unsigned int number)
{
	struct search search = { .nid = s->nid, .bounds = s->bounds[size] };

	if (bounds.preemptions != -1U)
		search.bounds.preemptions = bounds.preemptions;
	if (bounds.stale != -1U)
		search.bounds.stale = bounds.stale;
	signal(SIGSEGV, crashed);
	signal(SIGBUS, crashed);
	if (s->run)
		s->run(s, &search);
	else
		scenario_run(s, &search);
	printf("ok %u - %s # %llu executions, %u choices at most, ", number,
	       s->name, search.executions, search.longest);
	printf("%u preemptions, %u stale loads\n", search.bounds.preemptions,
	       search.bounds.stale);
	fflush(stdout);
	_exit(0);
}

/* Run one; whether it passed. */
static bool run_apart(const struct scenario *s, unsigned int number)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (!pid)
		run(s, number);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && !status)
		return true;
	printf("not ok %u - %s\n", number, s->name);
	return false;
}

static bool wanted(const struct scenario *s)
{
	return strstr(s->name, only);
}

static int run_all(bool list)
{
	const struct scenario *s;
	unsigned int nr = 0, failed = 0;

	for (s = scenarios; s->name; s++) {
		nr += wanted(s);
		if (list)
			printf("%s\n", s->name);
	}
	if (list)
		return 0;
	printf("TAP version 13\n1..%u\n", nr);
	nr = 0;
	for (s = scenarios; s->name && !(failed && fail_fast); s++)
		if (wanted(s))
			failed += !run_apart(s, ++nr);
	return failed || !nr;
}

static int parse(int argc, char **argv, bool *list)
{
	static const struct option options[] = {
		{ "size", required_argument, NULL, 's' },
		{ "only", required_argument, NULL, 'o' },
		{ "preemptions", required_argument, NULL, 'p' },
		{ "stale", required_argument, NULL, 'w' },
		{ "fail-fast", no_argument, NULL, 'f' },
		{ "litmus", no_argument, NULL, 'L' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	int c;

	while ((c = getopt_long(argc, argv, "s:o:p:w:fLlh", options, NULL)) >=
	       0) {
		if (c == 's' && !strcmp(optarg, "full"))
			size = SIZE_FULL;
		else if (c == 'o')
			only = optarg;
		else if (c == 'p')
			bounds.preemptions = atoi(optarg);
		else if (c == 'w')
			bounds.stale = atoi(optarg);
		else if (c == 'f')
			fail_fast = true;
		else if (c == 'L')
			litmus = true;
		else if (c == 'l')
			*list = true;
		else if (c != 's' || strcmp(optarg, "ci"))
			return c == 'h' ? 0 : 2;
	}
	return optind < argc ? 2 : -1;
}

int main(int argc, char **argv)
{
	bool list = false;
	int status = parse(argc, argv, &list);

	if (status >= 0) {
		fputs(usage, status ? stderr : stdout);
		return status;
	}
	shim_nodes = 2;
	search_prepare();
	if (blink_core_init())
		return 1;
	return litmus ? litmus_run_all() : run_all(list);
}
