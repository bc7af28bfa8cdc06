// SPDX-License-Identifier: GPL-2.0
/*
 * bench: compare the tree with other indexes of the kernel, in the kernel. Each workload
 * of an index is a point of the laboratory, on an index of its own. Each round measures
 * all of them in turn, so that a slow period of the machine affects all.
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

#define WORKLOADS_MAX 16
/* Keys of a range that erase-range erases. */
#define RANGE_KEYS 1000

struct contestant {
	unsigned int index;
	__u64 batch;
	struct lab_answer answer[BENCH_ROUNDS_MAX][WORKLOADS_MAX];
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

static __u64 count_threads(const struct args *args)
{
	return args->bench.threads ?: (__u64)sysconf(_SC_NPROCESSORS_ONLN);
}

static __u64 at_least_one(__u64 number)
{
	return number ?: 1;
}

/* Keys before a workload: insertions begin with the least that a point can have. */
static __u64 count_keys(const struct args *args, const char *workload)
{
	return strcmp(workload, "insert") ? args->bench.keys :
					    2 * count_threads(args);
}

/* Of each thread. Those that take all keys take each once, those of many keys are few. */
static __u64 count_ops(const struct args *args, const char *workload)
{
	__u64 share = args->bench.keys / count_threads(args);

	if (!strcmp(workload, "insert"))
		return at_least_one(share);
	if (!strcmp(workload, "erase-range"))
		return at_least_one(share / RANGE_KEYS);
	if (!strcmp(workload, "scan") || !strcmp(workload, "count"))
		return at_least_one(args->bench.ops / 8);
	return args->bench.ops;
}

static void order(char text[ORDER_MAX], const struct args *args,
		  const struct contestant *contestant, const char *workload)
{
	snprintf(
		text, ORDER_MAX,
		"scheme=%s mix=%s threads=%llu keys=%llu ops=%llu batch=%llu replication=%s locking=%s",
		index_words[contestant->index], workload, count_threads(args),
		count_keys(args, workload), count_ops(args, workload),
		contestant->batch, replication_words[args->replication],
		locking_words[args->locking]);
}

static enum status failed(const char *index, const char *workload, int error,
			  const struct lab_answer *answer)
{
	switch (error) {
	case EIO:
		message("%s, %s: %llu wrong answers", index, workload,
			answer->wrong);
		break;
	case ENOMEM:
		message("%s: no memory for so many keys", index);
		break;
	case ERANGE:
		message("there are fewer CPUs, or fewer keys, than threads");
		break;
	default:
		message("%s, %s: %s", index, workload, strerror(error));
	}
	return STATUS_SYSTEM;
}

static enum status measure(int fd, const struct args *args,
			   struct contestant *contestant, size_t round,
			   unsigned int workload)
{
	struct lab_answer *answer = &contestant->answer[round][workload];
	const char *index = index_words[contestant->index];
	const char *name = workload_words[workload];
	char text[ORDER_MAX];
	int error;

	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Kround %zu of %llu: %s, %s", round + 1,
			args->bench.rounds, index, name);
	order(text, args, contestant, name);
	error = lab_measure(fd, text, answer);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (error == EFBIG && !round)
		message("%s, %s: left out: so many keys would take too much memory",
			index, name);
	/* An index need not have the operations of each workload. */
	if (!error || error == EFBIG || error == EOPNOTSUPP)
		return STATUS_OK;
	return failed(index, name, error, answer);
}

static enum status run_round(int fd, struct contest *contest, size_t number)
{
	struct contestant *contestant = contest->contestant;
	const struct args *args = contest->args;
	enum status status = STATUS_OK;
	unsigned int i;

	for (; contestant < contest->contestant + contest->nr; contestant++) {
		for (i = 0; !status && workload_words[i]; i++) {
			if (!args->bench.workloads ||
			    args->bench.workloads >> i & 1)
				status = measure(fd, args, contestant, number,
						 i);
		}
	}
	return status;
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

static double speed(const struct lab_answer *answer)
{
	return answer->ns ? 1e9 * (double)answer->ops / (double)answer->ns :
			    NAN;
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
		ratios[i] = speed(&tree->answer[i][workload]) /
			    speed(&contestant->answer[i][workload]);
	return median(ratios, contest->args->bench.rounds);
}

/* Medians of all rounds; but the operations are of one, and the errors the sum of all. */
static void print_result(struct printer *out, const struct contest *contest,
			 const struct contestant *contestant,
			 unsigned int workload)
{
	const struct lab_answer *first = &contestant->answer[0][workload];
	double speeds[BENCH_ROUNDS_MAX];
	size_t nr = contest->args->bench.rounds, i;
	__u64 errors = 0;

	for (i = 0; i < nr; i++) {
		speeds[i] = speed(&contestant->answer[i][workload]);
		errors += contestant->answer[i][workload].wrong;
	}
	print_begin(out, PART_ROW, NULL);
	print_text(out, "workload", workload_words[workload]);
	print_text(out, "index", index_words[contestant->index]);
	print_u64(out, "batch", contestant->batch);
	print_u64(out, "ops", first->ops);
	print_u64(out, "ops_per_second", median(speeds, nr));
	/* median() has sorted them. */
	print_u64(out, "least", speeds[0]);
	print_u64(out, "most", speeds[nr - 1]);
	print_real(out, "ratio", ratio(contest, contestant, workload), 2);
	print_real(out, "bytes_per_key",
		   first->bytes && first->entries ?
			   (double)first->bytes / first->entries :
			   NAN,
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
			if (contestant->answer[0][workload].ops)
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
	print_u64(out, "threads", count_threads(args));
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
	int fd = lab_open(args->bench.lab ?: LAB_DIRECTORY, "point");

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
