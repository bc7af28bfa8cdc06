/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of the papers: for each one the schemes, mixes, threads, batches and
 * sizes of nodes that it compares, and the values in the paper's text.
 *
 * A figure shows throughput, unless it has another unit. A *value* is a ratio to the
 * figure's *baseline*: its first scheme, with the same mix and threads and without
 * batches; where the figure compares sizes of nodes, the first size. The papers' curves
 * are drawings. A point that the text does not mention has no value, and a table shows
 * "not in the text".
 */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <stdbool.h>

/* With room for a NULL or 0 behind the last one of the longest list (cli/command.h). */
#define FIGURE_SCHEMES 32
#define FIGURE_MIXES 32
#define FIGURE_THREADS 32
#define FIGURE_SIZES 32
#define FIGURE_OPS 9

/*
 * The values of a figure: RETRIES are retries per read, as such; of the others the texts
 * have the ratio to the baseline.
 */
enum figure_unit {
	FIGURE_SPEED,
	FIGURE_RETRIES,
	FIGURE_NANOSECONDS,
	FIGURE_UNIT_NR
};

extern const char *const figure_units[FIGURE_UNIT_NR];

/**
 * struct figure - a figure
 * @name: its name
 * @paper: the paper
 * @place: the figure's number there
 * @title: its subject
 * @unit: enum figure_unit, of its values
 * @keys: keys before the first operation; 0 if the text does not say it
 * @scheme: schemes (module/lab/schemes/list.h), the baseline first; until NULL
 * @mix: mixes (module/lab/mixes.c); until NULL
 * @threads: numbers of threads; until 0
 * @batch: operations in a batch; until 0, none at all: no batches
 * @node_bytes: sizes of nodes; until 0, none at all: that of each scheme
 * @op: kinds of operations (enum lab_op_kind), each with a value of its own; until
 *	NULL, none at all: all operations together
 */
struct figure {
	const char *name;
	const char *paper;
	const char *place;
	const char *title;
	unsigned int unit;
	unsigned long keys;
	const char *scheme[FIGURE_SCHEMES];
	const char *mix[FIGURE_MIXES];
	unsigned int threads[FIGURE_THREADS];
	unsigned int batch[FIGURE_SIZES];
	unsigned int node_bytes[FIGURE_SIZES];
	const char *op[FIGURE_OPS];
};

/* ABOUT: "similar"; LESS and MORE: than @ratio, or by more than the text says. */
enum figure_relation {
	FIGURE_EQUAL,
	FIGURE_ABOUT,
	FIGURE_LESS,
	FIGURE_MORE,
};

/**
 * struct figure_point - a point of a figure
 * @scheme: its scheme
 * @mix: its mix
 * @threads: how many
 * @batch: operations in a batch; 0: no batches
 * @node_bytes: the size of nodes; 0: that of the scheme
 * @op: the kind of operation; NULL: all
 *
 * In a &struct figure_value, NULL or 0 stands for each one of the figure.
 */
struct figure_point {
	const char *scheme;
	const char *mix;
	unsigned int threads;
	unsigned int batch;
	unsigned int node_bytes;
	const char *op;
};

/**
 * struct figure_value - a value in the text of a paper
 * @figure: its name
 * @point: where in it
 * @relation: of the value to @ratio
 * @ratio: to the baseline; for FIGURE_RETRIES the value
 * @text: the words of the paper
 */
struct figure_value {
	const char *figure;
	struct figure_point point;
	enum figure_relation relation;
	double ratio;
	const char *text;
};

/* The last one of each has no name. */
extern const struct figure figures[];
extern const struct figure_value figure_values[];

/* NULL: there is none. */
const struct figure *figure_find(const char *name);

/* The first value that is about the point; NULL: not in the text. */
const struct figure_value *figure_value_find(const struct figure *figure,
					     const struct figure_point *point);

/* As a table shows it, such as "23.0" or "> 1.0"; "not in the text" for NULL. */
void figure_value_format(const struct figure_value *value, char *to,
			 unsigned int bytes);

#endif /* BENCH_FIGURES_H */
