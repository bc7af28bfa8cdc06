// SPDX-License-Identifier: GPL-2.0
/* The results of a study, beside the paper's (study.h). */
#include <linux/types.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer.h"
#include "study.h"

/* A column that is only there if it tells the rows apart, or if the unit needs it. */
enum shown {
	MIXES = 1,
	BATCHES = 2,
	SIZES = 4,
	OPS = 8,
	VALUES = 16,
};

/* The table that is being printed. */
struct table {
	struct printer *out;
	const struct study *study;
	unsigned int shown;
};

static unsigned int find_shown(const struct study *study)
{
	const struct point *first = &study->cell->point, *point;
	unsigned int shown = 0;
	size_t i;

	for (i = 0; i < study->nr; i++) {
		point = &study->cell[i].point;
		if (strcmp(point->mix, first->mix))
			shown |= MIXES;
		if (point->batch != first->batch)
			shown |= BATCHES;
		if (point->node_bytes != first->node_bytes)
			shown |= SIZES;
	}
	if (study->figure->unit == FIGURE_NANOSECONDS)
		shown |= OPS;
	if (study->figure->unit != FIGURE_SPEED)
		shown |= VALUES;
	return shown;
}

static void print_paper(struct printer *out, const struct result *result)
{
	char text[64] = "-";
	size_t length;

	if (result->paper) {
		figure_value_format(result->paper, text, sizeof(text));
		length = strlen(text);
		if (result->paper_threads != result->cell->point.threads)
			snprintf(text + length, sizeof(text) - length,
				 " (%u threads)", result->paper_threads);
	}
	print_text(out, "paper", text);
}

static void print_remark(struct printer *out, const struct result *result)
{
	char text[FAILURE_MAX] = "";

	if (result->cell->error)
		snprintf(text, sizeof(text), "%s", result->cell->failure);
	else if (result->noise > NOISE_MAX)
		snprintf(text, sizeof(text),
			 "too noisy: rounds differ by %.0f %%", result->noise);
	print_text(out, "remark", text);
}

static void print_digits(struct printer *out, const char *name, double number)
{
	print_real(out, name, number, THREE_DIGITS);
}

static void print_row(const struct result *result, void *data)
{
	const struct table *table = data;
	const struct point *point = &result->cell->point;
	struct printer *out = table->out;

	print_begin(out, PART_ROW, NULL);
	print_text(out, "scheme", point->scheme);
	print_u64(out, "threads", point->threads);
	if (table->shown & MIXES)
		print_text(out, "mix", point->mix);
	if (table->shown & BATCHES)
		print_u64(out, "batch", point->batch);
	if (table->shown & SIZES)
		print_u64(out, "node_bytes", point->node_bytes);
	if (table->shown & OPS)
		print_text(out, "op",
			   result->op < 0 ? "-" : lab_op_names[result->op]);
	print_digits(out, "Mop/s", result->mops.median);
	if (table->shown & VALUES)
		print_digits(out, figure_units[table->study->figure->unit],
			     result->value.median);
	print_digits(out, "min", result->value.least);
	print_digits(out, "max", result->value.greatest);
	print_digits(out, "ratio", result->ratio.median);
	print_digits(out, "min", result->ratio.least);
	print_digits(out, "max", result->ratio.greatest);
	print_paper(out, result);
	print_text(out, "agrees", agreement_words[result->agrees]);
	print_remark(out, result);
	print_end(out);
}

/* The times of one kind of operation, in nanoseconds. */
static void print_times_row(const struct result *result, void *data)
{
	const struct lab_times *times = &result->cell->times[result->op];
	struct printer *out = data;

	if (!times->count)
		return;
	print_begin(out, PART_ROW, NULL);
	print_text(out, "scheme", result->cell->point.scheme);
	print_u64(out, "threads", result->cell->point.threads);
	print_text(out, "op", lab_op_names[result->op]);
	print_u64(out, "count", times->count);
	print_digits(out, "least", (double)times->least);
	print_digits(out, "mean", times_mean(times));
	print_digits(out, "most", (double)times->most);
	print_digits(out, "deviation", times_deviation(times));
	print_digits(out, "p50", times_percentile(times, 50));
	print_digits(out, "p99", times_percentile(times, 99));
	print_digits(out, "p999", times_percentile(times, 99.9));
	print_end(out);
}

static void print_heading(const struct study *study)
{
	const struct figure *figure = study->figure;
	const struct point *point = &study->cell->point;

	printf("%s: %s (%s, %s)\n", figure->name, figure->title, figure->paper,
	       figure->place);
	printf("%llu keys, %llu operations of each thread, medians of %u rounds; %s\n",
	       point->keys, point->ops, study->rounds,
	       figure_units[figure->unit]);
	printf("ratio: to %s%s\n", figure->scheme[0],
	       figure->node_bytes[1] ? " with the first size of nodes" : "");
}

/* Each sentence once; those about several points follow each other. */
static void print_sentences(const struct figure *figure)
{
	const struct figure_value *value;
	const char *last = "";

	for (value = figure_values; value->figure; value++) {
		if (strcmp(value->figure, figure->name) ||
		    !strcmp(value->text, last))
			continue;
		last = value->text;
		printf("  \"%s\"\n", last);
	}
	if (*last)
		printf("  A number agrees if it is within %d %% of the paper's;\n"
		       "  with another number of threads, also if both are above 1, or both below.\n",
		       TOLERANCE);
}

void table_print(const struct study *study, struct printer *out)
{
	struct table table = { out, study, find_shown(study) };

	print_heading(study);
	print_begin(out, PART_TABLE, NULL);
	study_each(study, print_row, &table);
	print_end(out);
	if (study->figure->unit == FIGURE_NANOSECONDS) {
		printf("\nnanoseconds:\n");
		print_begin(out, PART_TABLE, NULL);
		study_each(study, print_times_row, out);
		print_end(out);
	}
	print_sentences(study->figure);
	printf("\n");
	fflush(stdout);
}
