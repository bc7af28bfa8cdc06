// SPDX-License-Identifier: GPL-2.0
/* blink_keys: options, the processes that measure, and the table. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../streams.h"
#include "child.h"
#include "keys.h"
#include "summary.h"

static const char usage[] =
	"usage: blink_keys [OPTION]... [FILE]...\n"
	"Measure blink_tree beside other ordered indexes, natively, by kinds of keys:\n"
	"random numbers of 64 and of 128 bits, random strings of 24 bytes, and the\n"
	"lines of each FILE, equal ones once.\n"
	"  -k, --keys N     random keys of each kind (1000000); 0 for none\n"
	"  -p, --probes N   lookups of each round; scans are an eighth (1000000)\n"
	"  -t, --threads N  pinned threads (1)\n"
	"  -r, --rounds N   rounds, 99 at most (5)\n"
	"  -h, --help       print this\n"
	"Each figure is the median of the rounds, in millions of operations a second,\n"
	"with how many times as fast blink_tree was in the same round.\n"
	"Exit status: 0; 1 an answer was wrong or the system failed; 2 wrong usage.\n";

#define ROUNDS_MAX 99

/* The first ones are ours, with keys of each kind. */
static const struct index_ops *const indexes[] = {
	&index_u64,	 &index_u128, &index_bytes, &index_absl,
	&index_map,	 &index_judy, &index_lmdb,
#ifdef KEYS_CRATES
	&index_skiplist,
#endif
};

#define INDEXES (sizeof(indexes) / sizeof(*indexes))

/**
 * struct plan - what is asked for
 * @keys: random keys of each kind
 * @probes: lookups of a round
 * @threads: threads
 * @rounds: rounds
 */
static struct {
	size_t keys;
	size_t probes;
	unsigned int threads;
	unsigned int rounds;
} plan = {
	.keys = 1000000,
	.probes = 1000000,
	.threads = 1,
	.rounds = 5,
};

static struct sample samples[INDEXES][ROUNDS_MAX];

static size_t parse(const char *text, size_t least, size_t most)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || n < least || n > most) {
		fputs("blink_keys: a number is out of range; see --help\n",
		      stderr);
		exit(2);
	}
	return n;
}

static struct set *set_create(enum kind kind, const char *file)
{
	struct set *set = file ? set_of_file(file, plan.probes) :
				 set_random(kind, plan.keys, plan.probes);

	if (!set)
		fprintf(stderr, "blink_keys: %s: no lines\n", file);
	return set;
}

/* Measure one index in this process, and write the sample to the output. */
static int run_child(const char *work, const char *file)
{
	struct sample sample = {};
	unsigned int index, kind;
	struct set *set;

	if (sscanf(work, "%u:%u", &index, &kind) != 2 || index >= INDEXES ||
	    kind >= KIND_NR)
		return 2;
	set = set_create(kind, file);
	if (!set || !work_measure(indexes[index], set, plan.threads, &sample))
		return 1;
	return write(STDOUT_FILENO, &sample, sizeof(sample)) != sizeof(sample);
}

static bool measure(unsigned int index, enum kind kind, const char *file,
		    struct sample *sample)
{
	char work[32], keys[32], probes[32], threads[32];
	const char *const words[] = {
		"blink_keys", "--child",   work,    "--keys", keys, "--probes",
		probes,	      "--threads", threads, file,     NULL,
	};

	snprintf(work, sizeof(work), "%u:%u", index, kind);
	snprintf(keys, sizeof(keys), "%zu", plan.keys);
	snprintf(probes, sizeof(probes), "%zu", plan.probes);
	snprintf(threads, sizeof(threads), "%u", plan.threads);
	return child_run((char *const *)words, sample, sizeof(*sample));
}

/* The speed of an index, or how many times as fast ours was. */
static bool speed(unsigned int index, enum workload which, enum kind ours,
		  bool ratio, struct summary *summary)
{
	double v[ROUNDS_MAX];
	unsigned int i;

	for (i = 0; i < plan.rounds; i++) {
		v[i] = samples[index][i].mops[which];
		if (v[i] && ratio)
			v[i] = samples[ours][i].mops[which] / v[i];
	}
	*summary = summarise(v, plan.rounds);
	return summary->median;
}

static void print_index(unsigned int index, enum kind kind)
{
	struct summary figure, ratio;
	double bytes[ROUNDS_MAX];
	enum workload which;
	unsigned int i;

	printf("%-16s", indexes[index]->name);
	for (which = 0; which < WORK_NR; which++) {
		if (!speed(index, which, kind, false, &figure)) {
			printf("%18s", "-");
			continue;
		}
		speed(index, which, kind, true, &ratio);
		printf("%9.2f (%4.2f)%c%s", figure.median, ratio.median,
		       summary_is_noisy(&ratio) ? '~' : ' ',
		       which < WORK_NR - 1 ? " " : "");
	}
	for (i = 0; i < plan.rounds; i++)
		bytes[i] = samples[index][i].bytes_per_key;
	printf("%10.1f\n", summarise(bytes, plan.rounds).median);
}

/* Whether the scans of two indexes found the same entries, or one had no scans. */
static bool scans_agree(const struct sample *a, const struct sample *b)
{
	return !a->mops[WORK_SCAN] || !b->mops[WORK_SCAN] ||
	       a->scanned == b->scanned;
}

/* Measure an index after ours. */
static bool run_index(unsigned int index, enum kind kind, const char *file,
		      unsigned int round)
{
	struct sample *sample = &samples[index][round];

	if (!measure(index, kind, file, sample)) {
		fprintf(stderr, "blink_keys: %s failed\n",
			indexes[index]->name);
		return false;
	}
	if (scans_agree(sample, &samples[kind][round]))
		return true;
	fprintf(stderr, "blink_keys: scans of %s found other entries\n",
		indexes[index]->name);
	return false;
}

/* Measure all indexes that can have such keys. */
static bool run_set(enum kind kind, const char *file)
{
	static const char *const text[KIND_NR] = {
		"random numbers of 64 bits",
		"random numbers of 128 bits",
		"random strings of 24 bytes",
	};
	unsigned int round, i;

	for (round = 0; round < plan.rounds; round++)
		for (i = 0; i < INDEXES; i++)
			if (indexes[i]->kinds & KIND_BIT(kind) &&
			    !run_index(i, kind, file, round))
				return false;
	printf("\n%s, %u thread%s\n%-16s%16s%18s%18s%18s%11s\n",
	       file ?: text[kind], plan.threads, plan.threads > 1 ? "s" : "",
	       "", "insert", "lookup", "batch of 32", "scan of 48",
	       "bytes/key");
	for (i = 0; i < INDEXES; i++)
		if (indexes[i]->kinds & KIND_BIT(kind))
			print_index(i, kind);
	fflush(stdout);
	return true;
}

static bool run_all(char *const *file)
{
	enum kind kind;

	for (kind = 0; plan.keys && kind < KIND_NR; kind++)
		if (!run_set(kind, NULL))
			return false;
	for (; *file; file++)
		if (!run_set(KIND_BYTES, *file))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "keys", required_argument, NULL, 'k' },
		{ "probes", required_argument, NULL, 'p' },
		{ "threads", required_argument, NULL, 't' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ "child", required_argument, NULL, 'c' },
		{},
	};
	const char *child = NULL;
	int c;

	streams_open();
	while ((c = getopt_long(argc, argv, "k:p:t:r:h", options, NULL)) > 0) {
		switch (c) {
		case 'k':
			plan.keys = parse(optarg, 0, 1000000000);
			break;
		case 'p':
			plan.probes = parse(optarg, 10000, 1000000000);
			break;
		case 't':
			plan.threads = parse(optarg, 1, 32);
			break;
		case 'r':
			plan.rounds = parse(optarg, 1, ROUNDS_MAX);
			break;
		case 'c':
			child = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs("see blink_keys --help\n", stderr);
			return 2;
		}
	}
	if (child)
		return run_child(child, argv[optind]);
	return run_all(argv + optind) ? 0 : 1;
}
