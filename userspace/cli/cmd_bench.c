// SPDX-License-Identifier: GPL-2.0
/*
 * bench: compare the tree with other indexes of the kernel, in the kernel. Each round
 * runs all indexes in turn, so that a slow period of the machine affects all of them.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "lab.h"
#include "median.h"
#include "printer.h"

/* One for each index, and one for the tree with batches; some are spare. */
#define CONTESTANTS_MAX 8
/* Size of an order to the laboratory: more than the longest order needs. */
#define ORDER_MAX 256

struct contestant {
	unsigned int index;
	__u64 batch;
	bool left_out;
	struct lab_round round[BENCH_ROUNDS_MAX];
};

struct contest {
	const struct args *args;
	struct contestant contestant[CONTESTANTS_MAX];
	size_t nr;
};

/* QEMU without KVM has this name in the CPUID leaf of hypervisors. */
static bool emulated(void)
{
	char name[12] = "";

#ifdef __x86_64__
	unsigned int a, b, c, d;

	__cpuid(1, a, b, c, d);
	if (!(c >> 31))
		return false;
	__cpuid(0x40000000, a, b, c, d);
	memcpy(name, &b, sizeof(b));
	memcpy(name + 4, &c, sizeof(c));
	memcpy(name + 8, &d, sizeof(d));
#endif
	return !memcmp(name, "TCGTCGTCGTCG", sizeof(name));
}

static void order(char text[ORDER_MAX], const struct args *args,
		  const struct contestant *contestant)
{
	const struct bench_args *bench = &args->bench;
	const char *before = " workload=";
	unsigned int i;
	int len;

	len = snprintf(
		text, ORDER_MAX,
		"index=%s threads=%llu keys=%llu ops=%llu batch=%llu replication=%s locking=%s",
		index_words[contestant->index], bench->threads, bench->keys,
		bench->ops, contestant->batch,
		replication_words[args->replication],
		locking_words[args->locking]);
	for (i = 0; workload_words[i]; i++) {
		if (!(bench->workloads >> i & 1))
			continue;
		len += snprintf(text + len, ORDER_MAX - len, "%s%s", before,
				workload_words[i]);
		before = ",";
	}
}

static enum status failed(const char *index, int error,
			  const struct lab_round *round)
{
	unsigned int i;

	switch (error) {
	case EIO:
		for (i = 0; workload_words[i]; i++) {
			if (round->score[i].wrong)
				message("%s, %s: %llu wrong answers", index,
					workload_words[i],
					round->score[i].wrong);
		}
		break;
	case ENOMEM:
		message("%s: no memory for so many keys", index);
		break;
	case ERANGE:
		message("there are fewer CPUs, or fewer keys, than threads");
		break;
	default:
		message("%s: %s", index, strerror(error));
	}
	return STATUS_SYSTEM;
}

static enum status run_round(int fd, struct contest *contest, size_t number)
{
	struct contestant *contestant = contest->contestant;
	const char *index;
	char text[ORDER_MAX];
	int error;

	for (; contestant < contest->contestant + contest->nr; contestant++) {
		if (contestant->left_out)
			continue;
		index = index_words[contestant->index];
		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\r\033[Kround %zu of %llu: %s",
				number + 1, contest->args->bench.rounds, index);
		order(text, contest->args, contestant);
		error = lab_run(fd, text, &contestant->round[number]);
		if (isatty(STDERR_FILENO))
			fputs("\r\033[K", stderr);
		if (error == EFBIG) {
			message("%s: left out: so many keys would take too much memory",
				index);
			contestant->left_out = true;
		} else if (error) {
			return failed(index, error, &contestant->round[number]);
		}
	}
	return STATUS_OK;
}

static enum status run_rounds(int fd, struct contest *contest)
{
	enum status status = STATUS_OK;
	size_t number;

	for (number = 0; !status && number < contest->args->bench.rounds;
	     number++)
		status = run_round(fd, contest, number);
	return status;
}

static void enter(struct contest *contest, unsigned int index, __u64 batch)
{
	contest->contestant[contest->nr++] = (struct contestant){
		.index = index,
		.batch = batch,
	};
}

static void enter_all(struct contest *contest)
{
	const struct bench_args *bench = &contest->args->bench;
	unsigned int i;

	for (i = 0; index_words[i]; i++) {
		if (bench->indexes && !(bench->indexes >> i & 1))
			continue;
		enter(contest, i, 1);
		if (!i && bench->batch > 1)
			enter(contest, i, bench->batch);
	}
}

static double speed(const struct lab_score *score)
{
	return score->ns ? 1e9 * (double)score->ops / (double)score->ns : NAN;
}

/* The speed of the tree without batches, divided by that of this contestant. */
static double ratio(const struct contest *contest,
		    const struct contestant *contestant, unsigned int workload)
{
	const struct contestant *tree = contest->contestant;
	double ratios[BENCH_ROUNDS_MAX];
	size_t i;

	if (tree->index)
		return NAN;
	for (i = 0; i < contest->args->bench.rounds; i++)
		ratios[i] = speed(&tree->round[i].score[workload]) /
			    speed(&contestant->round[i].score[workload]);
	return median(ratios, contest->args->bench.rounds);
}

/* Medians of all rounds; but the operations are of one, and the errors the sum of all. */
static void print_result(struct printer *out, const struct contest *contest,
			 const struct contestant *contestant,
			 unsigned int workload)
{
	const struct lab_round *round = contestant->round;
	double speeds[BENCH_ROUNDS_MAX];
	size_t nr = contest->args->bench.rounds, i;
	__u64 errors = 0;

	for (i = 0; i < nr; i++) {
		speeds[i] = speed(&round[i].score[workload]);
		errors += round[i].score[workload].wrong;
	}
	print_begin(out, PART_ROW, NULL);
	print_text(out, "workload", workload_words[workload]);
	print_text(out, "index", index_words[contestant->index]);
	print_u64(out, "batch", contestant->batch);
	print_u64(out, "ops", round->score[workload].ops);
	print_u64(out, "ops_per_second", median(speeds, nr));
	/* median() has sorted them. */
	print_u64(out, "least", speeds[0]);
	print_u64(out, "most", speeds[nr - 1]);
	print_real(out, "ratio", ratio(contest, contestant, workload), 2);
	print_real(out, "bytes_per_key",
		   round->bytes ? (double)round->bytes / round->entries : NAN,
		   1);
	print_u64(out, "errors", errors);
	print_end(out);
}

static void print_results(struct printer *out, const struct contest *contest)
{
	const struct contestant *contestant;
	unsigned int workload;
	size_t i;

	print_begin(out, PART_TABLE, "results");
	for (workload = 0; workload_words[workload]; workload++) {
		for (i = 0; i < contest->nr; i++) {
			contestant = &contest->contestant[i];
			if (contestant->round->score[workload].ops)
				print_result(out, contest, contestant,
					     workload);
		}
	}
	print_end(out);
}

static void print_all(struct printer *out, const struct contest *contest)
{
	const struct args *args = contest->args;

	print_begin(out, PART_OBJECT, NULL);
	print_u64(out, "keys", args->bench.keys);
	print_u64(out, "threads", contest->contestant->round->threads);
	print_u64(out, "rounds", args->bench.rounds);
	print_text(out, "replication", replication_words[args->replication]);
	print_text(out, "locking", locking_words[args->locking]);
	print_text(out, "times",
		   emulated() ? "of an emulated CPU, without meaning" :
				"of this machine");
	print_results(out, contest);
	print_end(out);
}

enum status run_bench(const struct args *args, struct printer *out)
{
	struct contest *contest;
	enum status status;
	int fd = lab_open(args->bench.lab ?: LAB_DIRECTORY, "bench");

	if (fd < 0)
		return STATUS_SYSTEM;
	contest = calloc(1, sizeof(*contest));
	if (!contest) {
		close(fd);
		message("no memory");
		return STATUS_SYSTEM;
	}
	contest->args = args;
	enter_all(contest);
	status = run_rounds(fd, contest);
	if (!status)
		print_all(out, contest);
	free(contest);
	close(fd);
	return status;
}
