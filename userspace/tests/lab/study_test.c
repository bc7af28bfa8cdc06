// SPDX-License-Identifier: GPL-2.0
/*
 * The driver of the laboratory with a world whose answers are known: plans, rounds,
 * ratios, the comparison with the papers, and failures.
 */
#include <errno.h>
#include <linux/types.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tap.h>

#include "backend.h"
#include "study.h"

#define CASES 6

const struct program program = { .name = "study_test" };
const char *const backend_world = "test";

/* The orders so far, and the error of each point with this text in its order. */
static unsigned int orders;
static char last_order[ORDER_MAX];
static const char *failing = "nothing";
static int failure;

enum status backend_open(const struct args *args)
{
	(void)args;
	return STATUS_OK;
}

void backend_close(void)
{
}

/* The second scheme takes half the time, and the third round twice as long. */
int backend_measure(const char *order, char **answer, char *why, size_t size)
{
	unsigned int ns = strstr(order, "lock-free") ? 1000 : 2000;
	unsigned int round = orders++ / 10;

	snprintf(last_order, sizeof(last_order), "%s", order);
	if (strstr(order, failing)) {
		snprintf(why, size, "signal 11 ended it");
		return failure;
	}
	if (round == 2)
		ns *= 2;
	if (asprintf(
		    answer,
		    "number=1 threads=2 ops=1000 ns=%u wrong=0 retries=500 bytes=- entries=9\n"
		    "op=read count=4 sum=400 least=10 most=300 times=10:2,80:1,288:1\n",
		    ns) < 0)
		return -ENOMEM;
	return 0;
}

static struct study measured(const char *name, unsigned int rounds,
			     enum status *status)
{
	struct args args = { .lab = { .quick = true,
				      .threads = { 2, { 1, 2 } } } };
	struct plan plan = { .args = &args, .rounds = rounds };
	struct study study;

	orders = 0;
	tap_check(study_plan(&study, figure_find(name), &args));
	*status = study_measure(&study, &plan);
	return study;
}

struct found {
	const char *scheme;
	unsigned int threads;
	int op;
	struct result result;
};

static void keep_result(const struct result *result, void *data)
{
	struct found *found = data;

	if (!strcmp(result->cell->point.scheme, found->scheme) &&
	    result->cell->point.threads == found->threads &&
	    result->op == found->op)
		found->result = *result;
}

static struct result find(const struct study *study, const char *scheme,
			  unsigned int threads, int op)
{
	struct found found = { scheme, threads, op, {} };

	study_each(study, keep_result, &found);
	return found.result;
}

static bool near(double number, double expected)
{
	return fabs(number - expected) <= fabs(expected) / 1e9;
}

static void test_rounds(void)
{
	enum status status;
	struct study study = measured("numa-4.3", 3, &status);
	struct result result = find(&study, "mckenzie:lock-free", 2, -1);

	tap_check(status == STATUS_OK && study.nr == 10 && orders == 30);
	tap_check(study.rounds == 3 && study.threads == 2);
	tap_check(near(result.mops.median, 1000) &&
		  near(result.mops.least, 500) &&
		  near(result.mops.greatest, 1000));
	/* A slow round is slow for both. */
	tap_check(near(result.ratio.least, 2) &&
		  near(result.ratio.greatest, 2));
	tap_check(near(result.noise, 50));
	study_free(&study);
	tap_case("rounds: medians, ratios side by side, noise");
}

static void test_papers(void)
{
	enum status status;
	struct study study = measured("numa-4.3", 1, &status);
	struct result result = find(&study, "mckenzie:lock-free", 2, -1);

	/*
	 * The paper's 32 threads stand beside the greatest number here, and only there.
	 * 2 is not 23, but both are above 1.
	 */
	tap_check(result.paper && result.paper_threads == 32 &&
		  result.agrees == AGREES);
	result = find(&study, "mckenzie:lock-free", 1, -1);
	tap_check(!result.paper && !result.paper_threads &&
		  result.agrees == AGREES_UNKNOWN);
	result = find(&study, "mckenzie:granular", 2, -1);
	tap_check(result.paper && result.agrees == AGREES_NOT);
	study_free(&study);

	study = measured("numa-4.6", 1, &status);
	result = find(&study, "mckenzie:lock-free+local", 2, -1);
	tap_check(near(result.ratio.median, 2) && result.agrees == AGREES);
	result = find(&study, "mckenzie:granular+local", 2, -1);
	tap_check(near(result.ratio.median, 1) && result.agrees == AGREES);
	study_free(&study);

	study = measured("numa-4.5", 1, &status);
	/* Three quarters of the last mix are reads. */
	result = find(&study, "mckenzie:lock-free", 1, -1);
	tap_check(near(result.value.median, 500 / 750.) &&
		  isnan(result.ratio.median));
	study_free(&study);
	tap_case("papers: their values beside ours");
}

static void test_times(void)
{
	enum status status;
	struct study study = measured("rcu-project", 2, &status);
	struct result result = find(&study, "rcu:replace", 2, LAB_OP_READ);
	const struct lab_times *times = &result.cell->times[LAB_OP_READ];

	tap_check(strstr(last_order, "timed=1"));
	tap_check(near(result.value.median, 100) && times->count == 8 &&
		  times->least == 10 && times->most == 300);
	tap_check(times_percentile(times, 50) == 10 &&
		  times_percentile(times, 75) == 80 &&
		  times_percentile(times, 99) == 288);
	tap_check(near(times_mean(times), 100));
	/* Of 10, 10, 80 and 288. */
	tap_check(fabs(times_deviation(times) - 113.9) < 0.1);
	study_free(&study);
	tap_case("times: mean, deviation and percentiles of all rounds");
}

static void test_failures(void)
{
	enum status status;
	struct study study;
	struct result result;

	failing = "mckenzie:original";
	failure = -EOPNOTSUPP;
	study = measured("numa-4.3", 2, &status);
	/* It is listed, without a ratio for the others, and not tried again. */
	tap_check(status == STATUS_OK && orders == 10 + 8);
	result = find(&study, "mckenzie:original", 1, -1);
	tap_check(result.cell->error == EOPNOTSUPP &&
		  isnan(result.mops.median));
	result = find(&study, "mckenzie:lock-free", 1, -1);
	tap_check(!result.cell->error && result.mops.median > 0 &&
		  isnan(result.ratio.median));
	study_free(&study);

	failure = -ECHILD;
	study = measured("numa-4.3", 1, &status);
	result = find(&study, "mckenzie:original", 1, -1);
	tap_check(status == STATUS_SYSTEM &&
		  !strcmp(result.cell->failure, "signal 11 ended it"));
	study_free(&study);
	failing = "nothing";
	tap_case("failures: listed, and only refusals are no error");
}

#define ORDER \
	"scheme=blink_tree mix=spiderman-a order=random threads=1 keys=7 ops=8 warm_up=0 batch=1 node_bytes=0 seed=9 timed=0"

static void test_plans(void)
{
	struct args args = { .lab = { .keys = 7, .ops = 8, .seed = 9 } };
	struct study study;
	char order[ORDER_MAX];
	size_t i;

	/* The baseline without batches is there though the figure has batches alone. */
	tap_check(study_plan(&study, figure_find("spiderman-13"), &args));
	tap_check(study.cell->point.batch == 1 &&
		  study.cell[1].point.batch == 16 &&
		  study.cell[1].baseline == study.cell);
	for (i = 0; i < study.nr; i++)
		tap_check(study.cell[i].baseline);
	point_order(&study.cell->point, order);
	tap_check(!strcmp(order, ORDER));
	study_free(&study);

	tap_check(study_plan(&study, figure_find("numa-4.2"), &args));
	tap_check(study.cell[6].point.node_bytes == 262144 &&
		  study.cell[6].baseline == study.cell);
	study_free(&study);
	tap_case("plans: the points of a figure, and their baselines");
}

static bool reads(const char *text)
{
	struct answer answer;

	return answer_read(&answer, text);
}

#define FIRST \
	"number=1 threads=2 ops=3 ns=4 wrong=0 retries=- bytes=5 entries=6\n"

static void test_answers(void)
{
	tap_check(reads(FIRST));
	tap_check(reads(
		FIRST
		"op=read-modify-write count=1 sum=2 least=2 most=2 times=2:1\n"));
	tap_check(!reads(""));
	tap_check(!reads("number=1 threads=2 ops=3\n"));
	tap_check(!reads(
		"number=1 threads=2 ops=3 ns=0 wrong=0 retries=- bytes=5\n"));
	tap_check(!reads(
		FIRST "op=nothing count=1 sum=2 least=2 most=2 times=2:1\n"));
	tap_check(
		!reads(FIRST "op=read count=1 sum=2 least=2 most=2 times=2\n"));
	tap_check(!reads(FIRST "op=read count=1 sum=2 least=2 times=2:1\n"));
	/* No bucket begins there. */
	tap_check(!reads(
		FIRST "op=read count=1 sum=33 least=33 most=33 times=33:1\n"));
	tap_case("answers: complete ones alone");
}

int main(void)
{
	tap_begin(CASES);
	test_rounds();
	test_papers();
	test_times();
	test_failures();
	test_plans();
	test_answers();
	return tap_exit(CASES);
}
