// SPDX-License-Identifier: GPL-2.0
/*
 * blink_bench: options, and one process for each round and setting.
 *
 * The process of a round is this program again, which writes its sample to
 * standard output as it is in memory.
 */
#include <errno.h>
#include <getopt.h>
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "core/core.h"

static const char usage[] =
	"usage: blink_bench [OPTION]...\n"
	"Measure the core of blink_tree in userspace, one index by itself.\n"
	"  -k, --keys N[,N]...     sizes of the tree (1000000,10000000)\n"
	"  -t, --threads N[,N]...  numbers of pinned threads (1,2)\n"
	"  -m, --modes NAME[,NAME]...  what trees are like (none); the first one\n"
	"                          is what the others are compared with: none,\n"
	"                          cohort, compress, watched, inner2, inner4, full2\n"
	"  -r, --rounds N          rounds, 99 at most (5)\n"
	"  -n, --ops N             operations of each thread and workload but\n"
	"                          insert, erase, load and range (4000000)\n"
	"  -q, --quick             1,000,000 keys, 3 rounds, 1,000,000 operations\n"
	"  -j, --json FILE         write the figures there too\n"
	"  -h, --help              print this\n"
	"Exit status: 0; 1 an answer was wrong or the system failed; 2 wrong usage.\n";

struct arguments {
	u64 keys[SETTINGS_MAX];
	unsigned int nr_keys;
	u64 threads[SETTINGS_MAX];
	unsigned int nr_threads;
	const struct mode *modes[SETTINGS_MAX];
	unsigned int nr_modes;
	u64 rounds;
	u64 ops;
	const char *json;
	bool child;
};

static void __noreturn wrong_usage(const char *what)
{
	fprintf(stderr, "blink_bench: %s; see --help\n", what);
	exit(2);
}

static u64 parse(const char *text, char **end, u64 most)
{
	unsigned long long n;

	errno = 0;
	n = strtoull(text, end, 10);
	if (*text < '0' || *text > '9' || errno || !n || n > most)
		wrong_usage("a number is missing or out of range");
	return n;
}

static u64 parse_one(const char *text, u64 most)
{
	char *end;
	u64 n = parse(text, &end, most);

	if (*end)
		wrong_usage("a number is followed by something else");
	return n;
}

static unsigned int parse_list(const char *text, u64 *list, u64 most)
{
	unsigned int n = 0;
	char *end;

	for (;; text = end + 1) {
		if (n == SETTINGS_MAX)
			wrong_usage("a list is too long");
		list[n++] = parse(text, &end, most);
		if (!*end)
			return n;
		if (*end != ',')
			wrong_usage("a list has commas between its numbers");
	}
}

static const struct mode *parse_mode(const char *name, size_t length)
{
	const struct mode *mode;

	for (mode = modes; mode->name; mode++)
		if (strlen(mode->name) == length &&
		    !memcmp(mode->name, name, length))
			return mode;
	wrong_usage("there is no such mode");
}

static unsigned int parse_modes(const char *text, const struct mode **list)
{
	unsigned int n = 0;
	size_t length;

	for (;; text += length + 1) {
		if (n == SETTINGS_MAX)
			wrong_usage("a list is too long");
		length = strcspn(text, ",");
		list[n++] = parse_mode(text, length);
		if (!text[length])
			return n;
	}
}

static void parse_options(struct arguments *args, int argc, char **argv)
{
	static const struct option options[] = {
		{ "keys", required_argument, NULL, 'k' },
		{ "threads", required_argument, NULL, 't' },
		{ "modes", required_argument, NULL, 'm' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "ops", required_argument, NULL, 'n' },
		{ "quick", no_argument, NULL, 'q' },
		{ "json", required_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ "child", no_argument, NULL, 'C' },
		{}
	};
	int c;

	while ((c = getopt_long(argc, argv, "k:t:m:r:n:qj:h", options, NULL)) !=
	       -1) {
		switch (c) {
		case 'k':
			args->nr_keys =
				parse_list(optarg, args->keys, 1U << 30);
			break;
		case 't':
			args->nr_threads =
				parse_list(optarg, args->threads, THREADS_MAX);
			break;
		case 'm':
			args->nr_modes = parse_modes(optarg, args->modes);
			break;
		case 'r':
			args->rounds = parse_one(optarg, ROUNDS_MAX);
			break;
		case 'n':
			args->ops = parse_one(optarg, 1ULL << 40);
			break;
		case 'q':
			args->keys[0] = 1000000;
			args->nr_keys = 1;
			args->rounds = 3;
			args->ops = 1000000;
			break;
		case 'j':
			args->json = optarg;
			break;
		case 'C':
			args->child = true;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			wrong_usage("unknown option");
		}
	}
	if (optind < argc)
		wrong_usage("there are no arguments but options");
}

static void make_plan(struct plan *plan, const struct arguments *args)
{
	unsigned int k, t, m;

	if (args->nr_keys * args->nr_threads * args->nr_modes > SETTINGS_MAX)
		wrong_usage("too many settings");
	memset(plan, 0, sizeof(*plan));
	plan->rounds = args->rounds;
	plan->ops = args->ops;
	for (k = 0; k < args->nr_keys; k++) {
		for (t = 0; t < args->nr_threads; t++) {
			for (m = 0; m < args->nr_modes; m++)
				plan->setting[plan->nr_settings++] =
					(struct setting){
						.keys = args->keys[k],
						.threads = args->threads[t],
						.mode = args->modes[m],
					};
		}
	}
	plan->nr_modes = args->nr_modes;
}

/* A process that was asked to measure one setting once. */
static int child_main(const struct plan *plan)
{
	struct sample sample = {};

	if (blink_core_init() ||
	    !work_measure(&plan->setting[0], plan->ops, &sample))
		return 1;
	blink_core_exit();
	if (write(STDOUT_FILENO, &sample, sizeof(sample)) != sizeof(sample))
		return 1;
	return 0;
}

static void __noreturn become_child(int out, const struct setting *setting,
				    u64 ops)
{
	char keys[32], threads[32], n[32];

	snprintf(keys, sizeof(keys), "%llu", setting->keys);
	snprintf(threads, sizeof(threads), "%u", setting->threads);
	snprintf(n, sizeof(n), "%llu", ops);
	dup2(out, STDOUT_FILENO);
	execl("/proc/self/exe", "blink_bench", "--child", "--keys", keys,
	      "--threads", threads, "--ops", n, "--modes", setting->mode->name,
	      NULL);
	_exit(127);
}

static bool measure_in_child(const struct setting *setting, u64 ops,
			     struct sample *sample)
{
	int pipes[2], status;
	ssize_t got;
	pid_t pid;

	if (pipe(pipes))
		return false;
	pid = fork();
	if (!pid)
		become_child(pipes[1], setting, ops);
	close(pipes[1]);
	got = pid < 0 ? -1 : read(pipes[0], sample, sizeof(*sample));
	close(pipes[0]);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status &&
	       got == sizeof(*sample);
}

static bool run_round(const struct plan *plan, struct results *results)
{
	const struct setting *setting = plan->setting;
	unsigned int s, round = results->rounds;

	for (s = 0; s < plan->nr_settings; s++, setting++) {
		fprintf(stderr, "round %u of %u: %llu keys, %u threads, %s\n",
			round + 1, plan->rounds, setting->keys,
			setting->threads, setting->mode->name);
		if (!measure_in_child(setting, plan->ops,
				      &results->sample[s][round]))
			return false;
	}
	results->rounds++;
	return true;
}

int main(int argc, char **argv)
{
	static struct results results;
	struct arguments args = {
		.keys = { 1000000, 10000000 },
		.nr_keys = 2,
		.threads = { 1, 2 },
		.nr_threads = 2,
		.modes = { &modes[0] },
		.nr_modes = 1,
		.rounds = 5,
		.ops = 4000000,
	};
	struct facts facts;
	struct plan plan;

	parse_options(&args, argc, argv);
	make_plan(&plan, &args);
	if (args.child)
		return child_main(&plan);
	facts_read(&facts);
	results.plan = &plan;
	while (results.rounds < plan.rounds) {
		if (!run_round(&plan, &results)) {
			fprintf(stderr, "blink_bench: a round failed\n");
			return 1;
		}
	}
	report_table(&results, &facts);
	if (args.json && !report_json(&results, &facts, args.json)) {
		fprintf(stderr, "blink_bench: %s: %s\n", args.json,
			strerror(errno));
		return 1;
	}
	return 0;
}
