/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A *study* measures one figure of a paper, or the points that `lab run` asks for in the
 * form of a figure. A *cell* is one point of it. In each *round* all cells are measured
 * once, one after the other, so that a slow period of the machine affects all of them,
 * and so that the ratio of two cells is one of neighbours. A *result* is what the table
 * and the JSON say about a cell, or about one kind of operation in it.
 */
#ifndef BENCH_LAB_STUDY_H
#define BENCH_LAB_STUDY_H

#include "command.h"
#include "figures.h"
#include "point.h"
#include "progress.h"

#define ROUNDS_MAX 99
#define FAILURE_MAX 64

/* A result is too noisy if its rounds differ by more than this, in percent. */
#define NOISE_MAX 15
/* A ratio agrees with a paper's "is" or "about" if it differs by this much at most. */
#define TOLERANCE 20

/* Several rounds together: the median, the least and the greatest of all. */
struct summary {
	double median;
	double least;
	double greatest;
};

/**
 * struct cell - a point, and its answers
 * @point: the point
 * @baseline: the cell that it is compared with, or NULL
 * @ops: operations of each round
 * @ns: their time
 * @reads: how many of them were reads
 * @retries: of these reads
 * @mean: nanoseconds of each kind of operation in each round; 0: it did not occur
 * @times: of all rounds together
 * @error: errno of the last round, or 0
 * @failure: the same in words
 */
struct cell {
	struct point point;
	const struct cell *baseline;
	u64 ops[ROUNDS_MAX];
	u64 ns[ROUNDS_MAX];
	double retries[ROUNDS_MAX];
	double mean[LAB_OP_NR][ROUNDS_MAX];
	struct lab_times times[LAB_OP_NR];
	int error;
	char failure[FAILURE_MAX];
};

/**
 * struct study - a figure and its cells
 * @figure: the figure
 * @cell: the cells
 * @nr: how many
 * @rounds: complete rounds
 * @threads: the greatest number of threads
 */
struct study {
	const struct figure *figure;
	struct cell *cell;
	size_t nr;
	unsigned int rounds;
	unsigned int threads;
};

enum agreement {
	AGREES_UNKNOWN,
	AGREES,
	AGREES_NOT,
};

/**
 * struct result - the rounds of a cell together
 * @cell: the cell
 * @op: enum lab_op_kind, or -1 for all operations together
 * @mops: million operations per second, of all operations
 * @value: in the unit of the figure
 * @ratio: of the value to that of the baseline, round by round; NaN: there is none
 * @noise: of the values: the greatest less the least, in percent of the median
 * @paper: the value in the paper's text, or NULL
 * @paper_threads: threads there; 0 if there is no value
 * @agrees: whether the ratio agrees with it
 */
struct result {
	const struct cell *cell;
	int op;
	struct summary mops;
	struct summary value;
	struct summary ratio;
	double noise;
	const struct figure_value *paper;
	unsigned int paper_threads;
	enum agreement agrees;
};

/**
 * struct plan - how to measure
 * @args: the command line
 * @rounds: how many
 * @progress: of all studies
 * @measured: points so far
 */
struct plan {
	const struct args *args;
	unsigned int rounds;
	struct progress progress;
	u64 measured;
};

/* plan.c: the cells of a figure on this machine. False after a message. */
bool study_plan(struct study *study, const struct figure *figure,
		const struct args *args);
void study_free(struct study *study);

/* rounds.c: measure all cells. STATUS_INTERRUPTED after a signal. */
void rounds_catch_signals(void);
enum status study_measure(struct study *study, struct plan *plan);

/* result.c */
/* In one round, in the unit of the figure; and its ratio, or NaN. */
double result_value(const struct study *study, const struct result *result,
		    unsigned int round);
double result_ratio(const struct study *study, const struct result *result,
		    unsigned int round);
/* Visit the results of all cells. */
void study_each(const struct study *study,
		void (*visit)(const struct result *result, void *data),
		void *data);
extern const char *const agreement_words[];

/* table.c */
void table_print(const struct study *study, struct printer *out);

/* json.c */
struct json_object;
struct json_object *json_begin(const struct plan *plan);
void json_add(struct json_object *json, const struct study *study);
/* To a file, or to standard output for NULL. */
enum status json_write(struct json_object *json, const char *path, bool pretty);

#endif /* BENCH_LAB_STUDY_H */
