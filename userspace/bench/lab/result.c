// SPDX-License-Identifier: GPL-2.0
/* The rounds of a cell together, beside the paper (study.h). */
#include <linux/types.h>
#include <math.h>
#include <string.h>

#include "median.h"
#include "study.h"

const char *const agreement_words[] = {
	[AGREES_UNKNOWN] = "-",
	[AGREES] = "yes",
	[AGREES_NOT] = "no",
};

static bool has_op(const struct figure *figure, int op)
{
	int i;

	for (i = 0; figure->op[i]; i++) {
		if (!strcmp(figure->op[i], lab_op_names[op]))
			return true;
	}
	return !i;
}

static double mops_of(const struct cell *cell, unsigned int round)
{
	return 1e3 * (double)cell->ops[round] / (double)cell->ns[round];
}

static double value_of(const struct study *study, const struct cell *cell,
		       int op, unsigned int round)
{
	switch (study->figure->unit) {
	case FIGURE_RETRIES:
		return cell->retries[round];
	case FIGURE_NANOSECONDS:
		return op < 0 ? NAN : cell->mean[op][round];
	default:
		return mops_of(cell, round);
	}
}

double result_value(const struct study *study, const struct result *result,
		    unsigned int round)
{
	return value_of(study, result->cell, result->op, round);
}

/* Each round beside the same round of the baseline. Retries are no ratio. */
double result_ratio(const struct study *study, const struct result *result,
		    unsigned int round)
{
	const struct cell *base = result->cell->baseline;

	if (!base || base->error || study->figure->unit == FIGURE_RETRIES)
		return NAN;
	return result_value(study, result, round) /
	       value_of(study, base, result->op, round);
}

/* The greatest number of threads of the figure. */
static unsigned int paper_most(const struct figure *figure)
{
	unsigned int most = 0, i;

	for (i = 0; figure->threads[i]; i++) {
		if (figure->threads[i] > most)
			most = figure->threads[i];
	}
	return most;
}

static const struct figure_value *find_value(const struct figure *figure,
					     const struct result *result,
					     unsigned int threads)
{
	const struct point *point = &result->cell->point;
	const struct figure_point at = {
		.scheme = point->scheme,
		.mix = point->mix,
		.threads = threads,
		.batch = figure->batch[0] ? point->batch : 0,
		.node_bytes = point->node_bytes,
		.op = result->op < 0 ? NULL : lab_op_names[result->op],
	};
	unsigned int i;

	for (i = 0; figure->threads[i]; i++) {
		if (figure->threads[i] == threads)
			return figure_value_find(figure, &at);
	}
	return NULL;
}

/* The greatest number of threads there stands beside the greatest here. */
static void find_paper(const struct study *study, struct result *result)
{
	unsigned int threads = result->cell->point.threads;
	unsigned int most = paper_most(study->figure);

	if (threads == study->threads && most > threads) {
		result->paper_threads = most;
		result->paper = find_value(study->figure, result, most);
	}
	if (!result->paper) {
		result->paper_threads = threads;
		result->paper = find_value(study->figure, result, threads);
	}
	if (!result->paper)
		result->paper_threads = 0;
}

/* Ratios on one side of 1 have the same direction. */
static bool same_direction(double ratio, double other)
{
	return (ratio > 1 && other > 1) || (ratio < 1 && other < 1);
}

/* @same: with as many threads as the paper's. Otherwise its number is a direction. */
static enum agreement agree(const struct figure_value *paper, bool same,
			    double ours)
{
	bool good;

	if (!paper || isnan(ours))
		return AGREES_UNKNOWN;
	switch (paper->relation) {
	case FIGURE_LESS:
		good = ours < paper->ratio;
		break;
	case FIGURE_MORE:
		good = ours > paper->ratio;
		break;
	default:
		good = fabs(ours / paper->ratio - 1) * 100 <= TOLERANCE ||
		       (!same && same_direction(ours, paper->ratio));
	}
	return good ? AGREES : AGREES_NOT;
}

/* Of @n figures, which are put in order. */
static struct summary summarise(double *v, unsigned int n)
{
	double middle = median(v, n);

	return (struct summary){ middle, v[0], v[n - 1] };
}

static void summarise_rounds(const struct study *study, struct result *result)
{
	double mops[ROUNDS_MAX], value[ROUNDS_MAX], ratio[ROUNDS_MAX];
	const struct cell *cell = result->cell;
	unsigned int i;

	for (i = 0; i < study->rounds; i++) {
		mops[i] = mops_of(cell, i);
		value[i] = result_value(study, result, i);
		ratio[i] = result_ratio(study, result, i);
	}
	result->mops = summarise(mops, study->rounds);
	result->value = summarise(value, study->rounds);
	result->ratio = summarise(ratio, study->rounds);
	result->noise = 100 * (result->value.greatest - result->value.least) /
			result->value.median;
}

static void find_result(const struct study *study, const struct cell *cell,
			int op, struct result *result)
{
	const struct summary none = { NAN, NAN, NAN };
	bool absolute = study->figure->unit == FIGURE_RETRIES;

	*result = (struct result){
		.cell = cell,
		.op = op,
		.mops = none,
		.value = none,
		.ratio = none,
	};
	if (!cell->error && study->rounds)
		summarise_rounds(study, result);
	find_paper(study, result);
	result->agrees = agree(
		result->paper, result->paper_threads == cell->point.threads,
		absolute ? result->value.median : result->ratio.median);
}

/* Visit all operations of a cell together, or each kind that the figure shows. */
void study_each(const struct study *study,
		void (*visit)(const struct result *result, void *data),
		void *data)
{
	bool each = study->figure->unit == FIGURE_NANOSECONDS;
	const struct cell *cell;
	struct result result;
	int op;

	for (cell = study->cell; cell < study->cell + study->nr; cell++) {
		if (!each || cell->error) {
			find_result(study, cell, -1, &result);
			visit(&result, data);
			continue;
		}
		for (op = 0; op < LAB_OP_NR; op++) {
			if (!cell->times[op].count ||
			    !has_op(study->figure, op))
				continue;
			find_result(study, cell, op, &result);
			visit(&result, data);
		}
	}
}
