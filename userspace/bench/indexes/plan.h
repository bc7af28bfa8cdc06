/* SPDX-License-Identifier: GPL-2.0 */
/* What a run is to measure, what it measured, and how that is written. */
#ifndef COMPARE_PLAN_H
#define COMPARE_PLAN_H

#include <linux/types.h>

#include "summary.h"
#include "version.h"
#include "work.h"

#define LIST_MAX 16

/**
 * struct plan - what is asked for
 * @index: indexes, ours first if it is among them
 * @keys: numbers of keys
 * @threads: numbers of threads
 * @batch: operations in a call
 * @mask: a bit for each workload
 * @rounds: how often each setting is measured
 * @ops: operations of each thread in each workload but the insertions
 * @json: file for the figures, or NULL
 * @setting: all that follows from these, those of the same keys and threads
 *	together, with that of the memory itself first
 */
struct plan {
	const struct lab_scheme *index[LIST_MAX];
	u64 keys[LIST_MAX];
	u64 threads[LIST_MAX];
	u64 batch[LIST_MAX];
	unsigned int nr_index;
	unsigned int nr_keys;
	unsigned int nr_threads;
	unsigned int nr_batch;
	unsigned int mask;
	u64 rounds;
	u64 ops;
	const char *json;
	struct setting setting[SETTINGS_MAX];
	unsigned int nr_settings;
};

/* The samples of a setting, round by round; and what a number of them says. */
struct results {
	const struct plan *plan;
	struct sample *sample[SETTINGS_MAX];
};

/* The release of the code of a scheme. */
static inline const char *version_of(const struct lab_scheme *scheme)
{
	return scheme->ops->version ?: BLINK_VERSION;
}

/* False if there are too many settings. */
bool plan_make(struct plan *plan);

/* Measure all of it, in processes of their own; false if one of them failed. */
bool plan_run(const struct plan *plan, struct results *results);

struct summary summary_speed(const struct results *r, unsigned int setting,
			     enum workload workload);
struct summary summary_chase(const struct results *r, unsigned int setting,
			     unsigned int chase);
/* How many times as fast as this one ours was, round by round; 0: unknown. */
struct summary summary_ratio(const struct results *r, unsigned int setting,
			     enum workload workload);
/* The medians of each of its parts; of all calls, or of those that only read. */
struct tail summary_tail(const struct results *r, unsigned int setting,
			 enum workload workload, bool reads);
/* Of the rounds, as all other figures are. */
double summary_bytes_per_key(const struct results *r, unsigned int setting);

void table_print(const struct results *r);

/* False, with errno, if it cannot be written. */
bool json_write(const struct results *r, const char *path);

#endif /* COMPARE_PLAN_H */
