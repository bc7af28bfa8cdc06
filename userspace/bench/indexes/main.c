// SPDX-License-Identifier: GPL-2.0
/* blink_compare: options. */
#include <errno.h>
#include <getopt.h>
#include <linux/kernel.h>
#include <stdlib.h>
#include <unistd.h>

#include "chase.h"
#include "plan.h"
#include "kernel/init.h"

static const char usage[] =
	"usage: blink_compare [OPTION]...\n"
	"Measure blink_tree beside other ordered indexes, natively.\n"
	"  -i, --indexes NAME[,NAME]...  which ones (all); --list says what there is\n"
	"  -w, --workloads NAME[,NAME]...  which ones (all)\n"
	"  -k, --keys N[,N]...     keys in the index (1000000,10000000)\n"
	"  -t, --threads N[,N]...  numbers of pinned threads (1,2)\n"
	"  -b, --batch N[,N]...    operations in a call, 64 at most, where an index\n"
	"                          has such a call (1,8,16,32,64)\n"
	"  -r, --rounds N          rounds, 99 at most (5)\n"
	"  -n, --ops N             operations of each thread in each workload but\n"
	"                          insert; scans are an eighth of it (1000000)\n"
	"  -q, --quick             1,000,000 keys, batches of 1 and 32, 3 rounds,\n"
	"                          100,000 operations, no xarray, to which random\n"
	"                          keys are a burden: 3 minutes at most\n"
	"  -f, --full              10,000 to 50,000,000 keys, 4,000,000 operations\n"
	"  -j, --json FILE         write the figures there too, and what is known of\n"
	"                          the machine beside it\n"
	"  -l, --list              print the names of indexes and workloads\n"
	"  -h, --help              print this\n"
	"Exit status: 0; 1 an answer was wrong or the system failed; 2 wrong usage.\n";

static void __noreturn wrong_usage(const char *what)
{
	fprintf(stderr, "blink_compare: %s; see --help\n", what);
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

static unsigned int parse_numbers(const char *text, u64 *list, u64 most)
{
	unsigned int n = 0;
	char *end;

	for (;; text = end + 1) {
		if (n == LIST_MAX)
			wrong_usage("a list is too long");
		list[n++] = parse(text, &end, most);
		if (!*end)
			return n;
		if (*end != ',')
			wrong_usage("a list has commas between its numbers");
	}
}

static bool is_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !memcmp(name, text, length);
}

static const struct lab_scheme *find_index(const char *text, size_t length)
{
	const struct lab_scheme *scheme;

	for (scheme = lab_schemes; scheme->name; scheme++)
		if (is_name(scheme->name, text, length))
			return scheme;
	wrong_usage("there is no such index");
}

static unsigned int parse_indexes(const char *text,
				  const struct lab_scheme **list)
{
	unsigned int n = 0;
	size_t length;

	for (;; text += length + 1) {
		if (n == LIST_MAX)
			wrong_usage("a list is too long");
		length = strcspn(text, ",");
		list[n++] = find_index(text, length);
		if (!text[length])
			return n;
	}
}

static unsigned int parse_workloads(const char *text)
{
	unsigned int mask = 0, i;
	size_t length;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		for (i = 0; i < WORK_NR; i++)
			if (is_name(workload_name[i], text, length))
				break;
		if (i == WORK_NR)
			wrong_usage("there is no such workload");
		mask |= 1U << i;
		if (!text[length])
			return mask;
	}
}

static void print_names(void)
{
	const struct lab_scheme *scheme;
	unsigned int i;

	for (scheme = lab_schemes; scheme->name; scheme++)
		printf("index     %-19s  %s; %s\n", scheme->name,
		       version_of(scheme), scheme->section);
	for (i = 0; i < WORK_NR; i++)
		printf("workload  %-19s  %s\n", workload_name[i],
		       workload_text[i]);
}

static void set_keys(struct plan *plan, const char *text)
{
	unsigned int i;

	plan->nr_keys = parse_numbers(text, plan->keys, 1U << 30);
	for (i = 0; i < plan->nr_keys; i++)
		if (plan->keys[i] < 10000)
			wrong_usage("there are 10,000 keys or more");
}

/* All schemes that are compared unless told otherwise, but one. */
static void leave_out(struct plan *plan, const struct lab_index_ops *ops)
{
	const struct lab_scheme *scheme;

	plan->nr_index = 0;
	for (scheme = lab_schemes; scheme->name; scheme++)
		if (scheme->promises & LAB_COMPARED && scheme->ops != ops)
			plan->index[plan->nr_index++] = scheme;
}

static void make_quick(struct plan *plan)
{
	leave_out(plan, &lab_xarray_ops);
	plan->nr_keys = parse_numbers("1000000", plan->keys, ~0ULL);
	plan->nr_batch = parse_numbers("1,32", plan->batch, LAB_BATCH_MAX);
	plan->rounds = 3;
	plan->ops = 100000;
}

static void make_full(struct plan *plan)
{
	set_keys(plan, "10000,100000,1000000,10000000,50000000");
	plan->ops = 4000000;
}

/*
 * One of the options; @mask is that of a child: it measures the memory itself
 * where no --indexes follow.
 */
static void parse_option(struct plan *plan, int option, unsigned int *mask)
{
	switch (option) {
	case 'i':
		plan->nr_index = parse_indexes(optarg, plan->index);
		break;
	case 'w':
		plan->mask = parse_workloads(optarg);
		break;
	case 'k':
		set_keys(plan, optarg);
		break;
	case 't':
		plan->nr_threads =
			parse_numbers(optarg, plan->threads, THREADS_MAX);
		break;
	case 'b':
		plan->nr_batch =
			parse_numbers(optarg, plan->batch, LAB_BATCH_MAX);
		break;
	case 'r':
		plan->rounds = parse_one(optarg, ROUNDS_MAX);
		break;
	case 'n':
		plan->ops = parse_one(optarg, 1U << 30);
		if (plan->ops < 10000)
			wrong_usage("there are 10,000 operations or more");
		break;
	case 'q':
		make_quick(plan);
		break;
	case 'f':
		make_full(plan);
		break;
	case 'j':
		plan->json = optarg;
		break;
	case 'C':
		*mask = parse_one(optarg, ~0U);
		plan->index[0] = &index_memory;
		break;
	case 'l':
		print_names();
		exit(0);
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		wrong_usage("unknown option");
	}
}

/* Returns the mask of a child, or 0. */
static unsigned int parse_options(struct plan *plan, int argc, char **argv)
{
	static const struct option options[] = {
		{ "indexes", required_argument, NULL, 'i' },
		{ "workloads", required_argument, NULL, 'w' },
		{ "keys", required_argument, NULL, 'k' },
		{ "threads", required_argument, NULL, 't' },
		{ "batch", required_argument, NULL, 'b' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "ops", required_argument, NULL, 'n' },
		{ "quick", no_argument, NULL, 'q' },
		{ "full", no_argument, NULL, 'f' },
		{ "json", required_argument, NULL, 'j' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ "child", required_argument, NULL, 'C' },
		{}
	};
	unsigned int mask = 0;
	int c;

	while ((c = getopt_long(argc, argv, "i:w:k:t:b:r:n:qfj:lh", options,
				NULL)) != -1)
		parse_option(plan, c, &mask);
	if (optind < argc)
		wrong_usage("there are no arguments but options");
	return mask;
}

/* A process that was asked to measure one setting once. */
static int child_main(const struct plan *plan, unsigned int mask)
{
	struct setting setting = {
		.index = plan->index[0],
		.keys = plan->keys[0],
		.threads = plan->threads[0],
		.batch = plan->batch[0],
	};
	struct sample sample = {};
	bool good;

	if (setting.index == &index_memory)
		good = chase_measure(&setting, &sample);
	else
		good = work_measure(&setting, mask, plan->ops, &sample);
	return !good ||
	       write(STDOUT_FILENO, &sample, sizeof(sample)) != sizeof(sample);
}

int main(int argc, char **argv)
{
	static struct results results;
	static struct plan plan = {
		.keys = { 1000000, 10000000 },
		.nr_keys = 2,
		.threads = { 1, 2 },
		.nr_threads = 2,
		.batch = { 1, 8, 16, 32, 64 },
		.nr_batch = 5,
		.mask = (1U << WORK_NR) - 1,
		.rounds = 5,
		.ops = 1000000,
	};
	unsigned int mask;

	standin_init();
	leave_out(&plan, NULL);
	mask = parse_options(&plan, argc, argv);
	if (mask)
		return child_main(&plan, mask);
	if (!plan_make(&plan))
		wrong_usage("too many settings");
	if (!plan_run(&plan, &results)) {
		fprintf(stderr, "blink_compare: a round failed\n");
		return 1;
	}
	table_print(&results);
	if (plan.json && !json_write(&results, plan.json)) {
		fprintf(stderr, "blink_compare: %s: %s\n", plan.json,
			strerror(errno));
		return 1;
	}
	return 0;
}
