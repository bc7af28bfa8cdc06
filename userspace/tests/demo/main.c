// SPDX-License-Identifier: GPL-2.0
/*
 * blinktree-main-job: the steps of the main job, on existing empty trees and with a
 * copy of /proc/kallsyms. The script main-job creates the trees before, and shows,
 * verifies and removes them afterwards.
 */
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../streams.h"
#include "workers.h"

/* Width of the text that report() prints before its own. */
#define REPORT_INDENT 22

void fail(const char *format, ...)
{
	char text[512];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	fflush(stdout);
	/* In one piece, because several processes can print at the same time. */
	dprintf(STDERR_FILENO, "main-job: %s\n", text);
	exit(EXIT_FAILURE);
}

double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

void report(const char *step, double start, const char *format, ...)
{
	va_list list;

	printf("ok %6.2f s  %-9s", now() - start, step);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
}

void detail(const char *format, ...)
{
	va_list list;

	printf("%*s", REPORT_INDENT, "");
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
}

void *shared_alloc(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		fail("no memory: %m");
	return memory;
}

void shared_free(void *memory, size_t size)
{
	munmap(memory, size);
}

struct blinktree *open_tree(const struct job *job)
{
	struct blinktree_ctl *ctl;
	struct blinktree *tree;
	int err = blinktree_ctl_open(NULL, &ctl);

	if (err)
		fail("%s: %s", BLINK_TREE_DEVICE, strerror(-err));
	err = blinktree_open(ctl, job->tree_name,
			     BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE,
			     &tree);
	if (err)
		fail("tree %s: %s", job->tree_name, strerror(-err));
	blinktree_ctl_close(ctl);
	return tree;
}

__u64 entries_of(struct blinktree *tree)
{
	struct blinktree_stats *stats;
	__u64 entries;

	if (blinktree_stats_read(tree, 0, &stats))
		fail("no statistics");
	entries = blinktree_stats_counters(stats)->entries;
	blinktree_stats_free(stats);
	return entries;
}

static void usage(FILE *to)
{
	fprintf(to,
		"Usage: blinktree-main-job [OPTIONS] TREE COPIED PLAIN NAMES ALIASES KALLSYMS\n"
		"It uses five trees. COPIED and PLAIN get a few of the symbols. NAMES has\n"
		"keys of the kind bytes, and gets all names with all addresses of each.\n"
		"ALIASES has keys of the kind multi, and gets all symbols of each address.\n"
		"  -m MODULE   erase the symbols of this module (default: blink_tree)\n"
		"  -p N        load and resolve with N processes (default: 4)\n"
		"  -n N        resolve N addresses in each process (default: 50000)\n"
		"  -o N        run N mixed operations on each CPU (default: 50000)\n"
		"  -s SEED     seed of the random numbers (default: the time)\n"
		"  -h          print this help\n");
}

static size_t number(const char *text, size_t most)
{
	char *end;
	unsigned long long n;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || end == text || !n || n > most) {
		fprintf(stderr, "main-job: %s: not a value from 1 to %zu\n",
			text, most);
		exit(2);
	}
	return n;
}

static unsigned int usable_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		fail("sched_getaffinity: %m");
	return CPU_COUNT(&set) < WORKERS_MAX ? CPU_COUNT(&set) : WORKERS_MAX;
}

static void parse(int argc, char **argv, struct job *job)
{
	int c;

	while ((c = getopt(argc, argv, "hm:n:o:p:s:")) != -1) {
		switch (c) {
		case 'm':
			job->module = optarg;
			break;
		case 'n':
			job->lookups = number(optarg, SIZE_MAX / 2);
			break;
		case 'o':
			job->mixed_ops = number(optarg, SIZE_MAX / 2);
			break;
		case 'p':
			job->processes = number(optarg, WORKERS_MAX);
			break;
		case 's':
			job->seed = number(optarg, SIZE_MAX);
			break;
		default:
			usage(c == 'h' ? stdout : stderr);
			exit(c == 'h' ? 0 : 2);
		}
	}
	if (argc - optind != JOB_TREES + 2) {
		usage(stderr);
		exit(2);
	}
	for (c = 0; c < JOB_TREES; c++)
		job->names[c] = argv[optind + c];
	job->aliases = argv[optind + JOB_TREES];
	job->tree_name = job->names[JOB_MAIN];
}

int main(int argc, char **argv)
{
	struct job job = {
		.module = "blink_tree",
		.processes = 4,
		.lookups = 50000,
		.mixed_ops = 50000,
		.seed = time(NULL),
	};

	streams_open();
	parse(argc, argv, &job);
	job.cpus = usable_cpus();
	job.tree = open_tree(&job);
	if (entries_of(job.tree))
		fail("the tree %s is not empty", job.tree_name);
	symbols_read(&job.symbols, argv[argc - 1]);
	names_sort(&job.by_name, &job.symbols);
	printf("seed %llu\n", job.seed);

	step_load(&job);
	step_compare(&job);
	step_aliases(&job, job.aliases);
	step_names(&job);
	step_resolve(&job);
	step_circles(&job);
	step_scan_noisy(&job);
	step_erase_module(&job);
	step_scan(&job);
	step_batch(&job);
	step_copies(&job, job.names[JOB_SMALL_COPIED]);
	step_copies(&job, job.names[JOB_SMALL_PLAIN]);
	step_contend(&job, JOB_MAIN);
	step_contend(&job, JOB_NAMES);
	step_mixed(&job);
	step_compare(&job);
	step_numa(&job);
	blinktree_close(job.tree);
	return EXIT_SUCCESS;
}
