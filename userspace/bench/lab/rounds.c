// SPDX-License-Identifier: GPL-2.0
/* Measuring the cells of a study, round by round (study.h). */
#include <errno.h>
#include <linux/types.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "study.h"

static bool signalled;

static void take_signal(int signal)
{
	(void)signal;
	__atomic_store_n(&signalled, true, __ATOMIC_RELAXED);
}

static bool interrupted(void)
{
	return __atomic_load_n(&signalled, __ATOMIC_RELAXED);
}

/* A system call that waits returns, so that the results so far are printed. */
void rounds_catch_signals(void)
{
	const struct sigaction action = { .sa_handler = take_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* A scheme that is not made for a point is no failure of the machine. */
static bool is_refusal(int error)
{
	return error == EOPNOTSUPP || error == EFBIG;
}

static void explain(struct cell *cell, int error, const char *why)
{
	const char *text = why;

	switch (error) {
	case EOPNOTSUPP:
		text = "not for these operations or threads";
		break;
	case EFBIG:
		text = "not for so many keys";
		break;
	case ERANGE:
		text = "too few CPUs, or too few keys";
		break;
	case EINVAL:
		text = "no such scheme, mix or size of nodes here";
		break;
	case ENOMEM:
		text = "no memory";
		break;
	case EIO:
		text = "wrong answers";
		break;
	}
	cell->error = error;
	snprintf(cell->failure, sizeof(cell->failure), "%s",
		 *text ? text : strerror(error));
}

/* Of all operations, by the shares of the mix. */
static double count_reads(const struct point *point, u64 ops)
{
	const struct lab_mix *mix = lab_mix_find(point->mix);
	double shares = 0;
	int op;

	for (op = 0; op < LAB_OP_NR; op++)
		shares += mix->share[op];
	return (double)ops * mix->share[LAB_OP_READ] / shares;
}

static void keep(struct cell *cell, unsigned int round,
		 const struct answer *answer)
{
	double reads = count_reads(&cell->point, answer->ops);
	int op;

	cell->ops[round] = answer->ops;
	cell->ns[round] = answer->ns;
	cell->retries[round] = reads ? answer->retries / reads : NAN;
	for (op = 0; op < LAB_OP_NR; op++) {
		cell->mean[op][round] = times_mean(&answer->times[op]);
		lab_times_merge(&cell->times[op], &answer->times[op]);
	}
}

static void measure(struct cell *cell, unsigned int round)
{
	char order[ORDER_MAX], why[FAILURE_MAX] = "", *text = NULL;
	struct answer answer = {};
	int error;

	point_order(&cell->point, order);
	error = backend_measure(order, &text, why, sizeof(why));
	if (!error && !answer_read(&answer, text))
		error = -EPROTO;
	if (error && !interrupted())
		explain(cell, -error, why);
	else if (!error)
		keep(cell, round, &answer);
	free(text);
}

static void show(struct plan *plan, const struct study *study,
		 const struct cell *cell)
{
	progress_update(&plan->progress, plan->measured,
			"%s: %s, %s, %u threads", study->figure->name,
			cell->point.scheme, cell->point.mix,
			cell->point.threads);
}

static void measure_round(struct study *study, struct plan *plan)
{
	struct cell *cell;

	for (cell = study->cell; cell < study->cell + study->nr; cell++) {
		show(plan, study, cell);
		/* A second try of a cell that failed would tell the same. */
		if (!cell->error)
			measure(cell, study->rounds);
		if (interrupted())
			return;
		plan->measured++;
	}
	study->rounds++;
}

enum status study_measure(struct study *study, struct plan *plan)
{
	const struct cell *cell;

	while (study->rounds < plan->rounds && !interrupted())
		measure_round(study, plan);
	progress_end(&plan->progress);
	if (interrupted())
		return STATUS_INTERRUPTED;
	for (cell = study->cell; cell < study->cell + study->nr; cell++) {
		if (cell->error && !is_refusal(cell->error))
			return STATUS_SYSTEM;
	}
	return STATUS_OK;
}
