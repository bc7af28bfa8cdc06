// SPDX-License-Identifier: GPL-2.0
/* The results of a study, beside the paper's (study.h). */
#include <linux/types.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer.h"
#include "study.h"
#include "util.h"

struct row {
	const char *scheme;
	const char *mix;
	const char *op;
	__u32 threads;
	__u32 batch;
	__u32 node_bytes;
	double mops;
	double value;
	double least;
	double most;
	double ratio;
	double ratio_least;
	double ratio_most;
	char paper[64];
	const char *agrees;
	char remark[FAILURE_MAX];
};

/* The times of one kind of operation, in nanoseconds. */
struct times_row {
	const char *scheme;
	const char *op;
	__u32 threads;
	__u64 count;
	double least;
	double mean;
	double most;
	double deviation;
	double p50;
	double p99;
	double p999;
};

static const struct field times_fields[] = {
	FIELD(FIELD_TEXT, struct times_row, scheme),
	FIELD(FIELD_U32, struct times_row, threads),
	FIELD(FIELD_TEXT, struct times_row, op),
	FIELD(FIELD_U64, struct times_row, count),
	FIELD(FIELD_DIGITS, struct times_row, least),
	FIELD(FIELD_DIGITS, struct times_row, mean),
	FIELD(FIELD_DIGITS, struct times_row, most),
	FIELD(FIELD_DIGITS, struct times_row, deviation),
	FIELD(FIELD_DIGITS, struct times_row, p50),
	FIELD(FIELD_DIGITS, struct times_row, p99),
	FIELD(FIELD_DIGITS, struct times_row, p999),
};

static const struct schema times_schema = {
	.layout = LAYOUT_TABLE,
	.fields = times_fields,
	.nr = ARRAY_SIZE(times_fields),
};

/* A column that is only there if it tells the rows apart, or if the unit needs it. */
enum shown {
	ALWAYS = 0,
	MIXES = 1,
	BATCHES = 2,
	SIZES = 4,
	OPS = 8,
	VALUES = 16,
};

#define COLUMN(type_, name_, member_, shown_)                   \
	{                                                       \
		.shown = shown_, .field = {                     \
			.name = name_,                          \
			.type = type_,                          \
			.offset = offsetof(struct row, member_) \
		}                                               \
	}

static const struct {
	enum shown shown;
	struct field field;
} columns[] = {
	COLUMN(FIELD_TEXT, "scheme", scheme, ALWAYS),
	COLUMN(FIELD_U32, "threads", threads, ALWAYS),
	COLUMN(FIELD_TEXT, "mix", mix, MIXES),
	COLUMN(FIELD_U32, "batch", batch, BATCHES),
	COLUMN(FIELD_U32, "node_bytes", node_bytes, SIZES),
	COLUMN(FIELD_TEXT, "op", op, OPS),
	COLUMN(FIELD_DIGITS, "Mop/s", mops, ALWAYS),
	COLUMN(FIELD_DIGITS, NULL, value, VALUES),
	COLUMN(FIELD_DIGITS, "min", least, ALWAYS),
	COLUMN(FIELD_DIGITS, "max", most, ALWAYS),
	COLUMN(FIELD_DIGITS, "ratio", ratio, ALWAYS),
	COLUMN(FIELD_DIGITS, "min", ratio_least, ALWAYS),
	COLUMN(FIELD_DIGITS, "max", ratio_most, ALWAYS),
	COLUMN(FIELD_CHARS, "paper", paper, ALWAYS),
	COLUMN(FIELD_TEXT, "agrees", agrees, ALWAYS),
	COLUMN(FIELD_CHARS, "remark", remark, ALWAYS),
};

/* The table that is being printed. */
struct table {
	struct printer *out;
	struct schema schema;
	struct field fields[ARRAY_SIZE(columns)];
};

static unsigned int find_shown(const struct study *study)
{
	const struct point *first = &study->cell->point, *point;
	unsigned int shown = ALWAYS;
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

static void choose_columns(const struct study *study, struct table *table)
{
	unsigned int shown = find_shown(study);
	struct field *field = table->fields;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(columns); i++) {
		if (columns[i].shown & ~shown)
			continue;
		*field = columns[i].field;
		if (!field->name)
			field->name = figure_units[study->figure->unit];
		field++;
	}
	table->schema = (struct schema){
		.layout = LAYOUT_TABLE,
		.fields = table->fields,
		.nr = field - table->fields,
	};
}

static void set_paper(struct row *row, const struct result *result)
{
	size_t length;

	if (!result->paper) {
		snprintf(row->paper, sizeof(row->paper), "-");
		return;
	}
	figure_value_format(result->paper, row->paper, sizeof(row->paper));
	length = strlen(row->paper);
	if (result->paper_threads != row->threads)
		snprintf(row->paper + length, sizeof(row->paper) - length,
			 " (%u threads)", result->paper_threads);
}

static void print_row(const struct result *result, void *data)
{
	const struct table *table = data;
	const struct point *point = &result->cell->point;
	struct row row = {
		.scheme = point->scheme,
		.mix = point->mix,
		.op = result->op < 0 ? "-" : lab_op_names[result->op],
		.threads = point->threads,
		.batch = point->batch,
		.node_bytes = point->node_bytes,
		.mops = result->mops.median,
		.value = result->value.median,
		.least = result->value.least,
		.most = result->value.greatest,
		.ratio = result->ratio.median,
		.ratio_least = result->ratio.least,
		.ratio_most = result->ratio.greatest,
		.agrees = agreement_words[result->agrees],
	};

	set_paper(&row, result);
	if (result->cell->error)
		snprintf(row.remark, sizeof(row.remark), "%s",
			 result->cell->failure);
	else if (result->noise > NOISE_MAX)
		snprintf(row.remark, sizeof(row.remark),
			 "too noisy: rounds differ by %.0f %%", result->noise);
	print_record(table->out, &table->schema, &row);
}

static void print_times_row(const struct result *result, void *data)
{
	const struct lab_times *times = &result->cell->times[result->op];
	const struct times_row row = {
		.scheme = result->cell->point.scheme,
		.op = lab_op_names[result->op],
		.threads = result->cell->point.threads,
		.count = times->count,
		.least = (double)times->least,
		.mean = times_mean(times),
		.most = (double)times->most,
		.deviation = times_deviation(times),
		.p50 = times_percentile(times, 50),
		.p99 = times_percentile(times, 99),
		.p999 = times_percentile(times, 99.9),
	};

	if (times->count)
		print_record(data, &times_schema, &row);
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
	struct table table = { .out = out };

	print_heading(study);
	choose_columns(study, &table);
	print_list_begin(out, &table.schema);
	study_each(study, print_row, &table);
	print_list_end(out);
	if (study->figure->unit == FIGURE_NANOSECONDS) {
		printf("\nnanoseconds:\n");
		print_list_begin(out, &times_schema);
		study_each(study, print_times_row, out);
		print_list_end(out);
	}
	print_sentences(study->figure);
	printf("\n");
	fflush(stdout);
}
