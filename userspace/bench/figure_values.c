// SPDX-License-Identifier: GPL-2.0
/*
 * The values of figures in the texts of the papers (figures.h), in the papers' words.
 *
 * McKenzie gives no number of threads for the ratios of figure 4.4: here it is 32, as
 * for figure 4.3. Patil, Dodeja and Jain give the times of two techniques on a machine
 * with 72 cores: NoLocks copies the path, RCU a node. Mühlig gives no number of cores for
 * the higher throughput: here it is 8, since threads are fastest with four cores, and
 * tasks with eight or nine.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"

/* Sentences about several points. */
#define SEPARATE                                                               \
	"23×, 9×, 8× for Lock-Free Reads, NUMA-aware Reader/Writer Locks and " \
	"Replication with 32 client threads respectively"
#define WITH_UPDATES \
	"3× for Lock-Free Reads and 5× for NUMA-aware Reader/Writer Locks"
#define LIKE_NO                                                            \
	"The OLFIT (OL) and the physical versioning schemes (VN, VT) are " \
	"similar to the no concurrency control (NO)"
#define LIKE_NO_ALONE                                                    \
	"the OLFIT (OL) and the tree-level locking (TL) are similar to " \
	"the no concurrency control (NO)"
#define WORST "The performance of the lock coupling (LC) is worst"
#define SCALABLE "only OLFIT (OL) shows a scalable performance"
#define DROPS \
	"their throughput drops sharply due to the high overhead of versioning"
#define VERSIONS \
	"VN and VT are even worse than TL as the update ratio exceeds 20%"
#define HEAVIER "the versioning overhead is even heavier for the CSB+-tree"
#define BETTER "OL becomes significantly better than any other"
#define BATCH_OF_ONE \
	"batching size 1 always perform worse than the original program"
#define TASKS "the MxKernel achieved a higher throughput on the B-link-tree"
#define LEAST "The least throughput is of the RW Lock"

#define PHASES "two-phase:123"

const struct figure_value figure_values[] = {
	{ "numa-4.2",
	  { .node_bytes = 131072 },
	  FIGURE_MORE,
	  1,
	  "A page size of 128 kB [...] gave the highest throughput results" },
	{ "numa-4.3",
	  { "mckenzie:lock-free", NULL, 32 },
	  FIGURE_EQUAL,
	  23,
	  SEPARATE },
	{ "numa-4.3",
	  { "mckenzie:numa-rw", NULL, 32 },
	  FIGURE_EQUAL,
	  9,
	  SEPARATE },
	{ "numa-4.3",
	  { "mckenzie:replicated-local", NULL, 32 },
	  FIGURE_EQUAL,
	  8,
	  SEPARATE },
	{ "numa-4.3",
	  { "mckenzie:granular" },
	  FIGURE_LESS,
	  1,
	  "Granular Locking performs very poorly" },
	{ "numa-4.4",
	  { "mckenzie:lock-free", NULL, 32 },
	  FIGURE_EQUAL,
	  3,
	  WITH_UPDATES },
	{ "numa-4.4",
	  { "mckenzie:numa-rw", NULL, 32 },
	  FIGURE_EQUAL,
	  5,
	  WITH_UPDATES },
	{ "numa-4.4",
	  { "mckenzie:lock-free+numa-rw", NULL, 32 },
	  FIGURE_EQUAL,
	  7,
	  "the best performance (7× more operations than the Original Code)" },
	{ "numa-4.4",
	  { "mckenzie:granular" },
	  FIGURE_LESS,
	  1,
	  "Granular Locking performs badly once again" },
	{ "numa-4.5",
	  { NULL, "numa-75-25" },
	  FIGURE_LESS,
	  5,
	  "the number of retries per read operation is less than 5" },
	{ "numa-4.6",
	  { "mckenzie:lock-free+local" },
	  FIGURE_MORE,
	  1,
	  "Lock-Free Reads therefore perform the best for this workload" },
	{ "numa-4.6",
	  { "mckenzie:numa-rw+local" },
	  FIGURE_MORE,
	  1,
	  "improvement over just replication alone" },
	{ "numa-4.6",
	  { "mckenzie:granular+local" },
	  FIGURE_ABOUT,
	  1,
	  "now becomes comparable to the other schemes" },
	{ "numa-4.7",
	  { "mckenzie:replicated-local", NULL, 32 },
	  FIGURE_EQUAL,
	  83,
	  "83× more operations per second than strongly consistent inserts" },
	{ "numa-4.7",
	  { "mckenzie:original", NULL, 32 },
	  FIGURE_ABOUT,
	  10,
	  "the Original Code even providing an order of magnitude more" },

	{ "olfit-7", { "olfit:ol" }, FIGURE_ABOUT, 1, LIKE_NO },
	{ "olfit-7", { "olfit:vn" }, FIGURE_ABOUT, 1, LIKE_NO },
	{ "olfit-7", { "olfit:vt" }, FIGURE_ABOUT, 1, LIKE_NO },
	{ "olfit-7",
	  { "olfit:tl", NULL, 8 },
	  FIGURE_LESS,
	  1,
	  "(TL) becomes worse as the number of threads increases" },
	{ "olfit-7", { "olfit:lc" }, FIGURE_LESS, 1, WORST },
	{ "olfit-7-csb",
	  { "olfit:csb-ol" },
	  FIGURE_LESS,
	  1,
	  "The gap between OL and NO on the CSB+-Tree is wider" },
	{ "olfit-7-csb", { "olfit:csb-lc" }, FIGURE_LESS, 1, WORST },
	{ "olfit-8", { "olfit:ol", NULL, 8 }, FIGURE_MORE, 1, SCALABLE },
	{ "olfit-8-csb", { "olfit:csb-ol", NULL, 8 }, FIGURE_MORE, 1, SCALABLE },
	{ "olfit-9", { "olfit:ol" }, FIGURE_ABOUT, 1, LIKE_NO_ALONE },
	{ "olfit-9", { "olfit:tl" }, FIGURE_ABOUT, 1, LIKE_NO_ALONE },
	{ "olfit-9",
	  { "olfit:lc" },
	  FIGURE_LESS,
	  1,
	  "The lock coupling (LC) shows worse performance than OL and TL" },
	{ "olfit-9", { "olfit:vn", "olfit-update" }, FIGURE_LESS, 1, DROPS },
	{ "olfit-9", { "olfit:vt", "olfit-update" }, FIGURE_LESS, 1, DROPS },
	{ "olfit-9-csb",
	  { "olfit:csb-vn", "olfit-update" },
	  FIGURE_LESS,
	  1,
	  HEAVIER },
	{ "olfit-9-csb",
	  { "olfit:csb-vt", "olfit-update" },
	  FIGURE_LESS,
	  1,
	  HEAVIER },
	{ "olfit-10", { "olfit:ol", "olfit-update" }, FIGURE_MORE, 1, BETTER },
	{ "olfit-10",
	  { "olfit:vt", "olfit-20" },
	  FIGURE_MORE,
	  1,
	  "VT is slightly better than TL" },
	{ "olfit-10",
	  { "olfit:vt", "olfit-update" },
	  FIGURE_LESS,
	  1,
	  "eventually crosses TL due to the high cost of versioning" },
	{ "olfit-10-csb",
	  { "olfit:csb-ol", "olfit-update" },
	  FIGURE_MORE,
	  1,
	  BETTER },
	{ "olfit-10-csb",
	  { "olfit:csb-vn", "olfit-update" },
	  FIGURE_LESS,
	  1,
	  VERSIONS },
	{ "olfit-10-csb",
	  { "olfit:csb-vt", "olfit-update" },
	  FIGURE_LESS,
	  1,
	  VERSIONS },

	{ "spiderman-9", { PHASES, NULL, 0, 1 }, FIGURE_LESS, 1, BATCH_OF_ONE },
	{ "spiderman-9",
	  { PHASES, NULL, 1, 8 },
	  FIGURE_EQUAL,
	  1.18,
	  "a 18% increase in throughput [...] with batch size 8 and 16" },
	{ "spiderman-9",
	  { PHASES, NULL, 1, 16 },
	  FIGURE_EQUAL,
	  1.18,
	  "a 18% increase in throughput [...] with batch size 8 and 16" },
	{ "spiderman-9",
	  { PHASES, NULL, 4, 16 },
	  FIGURE_EQUAL,
	  1.15,
	  "a 15% increase in throughput [...] with batch size 16" },
	{ "spiderman-9",
	  { PHASES, NULL, 16 },
	  FIGURE_LESS,
	  1,
	  "a decrease in throughput [...] with any batch sizes" },
	{ "spiderman-10", { PHASES, NULL, 0, 1 }, FIGURE_LESS, 1, BATCH_OF_ONE },
	{ "spiderman-10",
	  { PHASES, NULL, 1, 8 },
	  FIGURE_EQUAL,
	  1.3,
	  "a 30% increase in throughput [...] with batch size 8 and 16" },
	{ "spiderman-10",
	  { PHASES, NULL, 1, 16 },
	  FIGURE_EQUAL,
	  1.3,
	  "a 30% increase in throughput [...] with batch size 8 and 16" },
	{ "spiderman-10",
	  { PHASES, NULL, 4, 16 },
	  FIGURE_EQUAL,
	  1.15,
	  "a 15% increase in throughput [...] with batch size 16" },
	{ "spiderman-10",
	  { PHASES, NULL, 16, 8 },
	  FIGURE_ABOUT,
	  1,
	  "a similar throughput [...] with batch size 8" },
	{ "spiderman-11", { PHASES, NULL, 0, 1 }, FIGURE_LESS, 1, BATCH_OF_ONE },
	{ "spiderman-11",
	  { PHASES, NULL, 1, 8 },
	  FIGURE_EQUAL,
	  1.06,
	  "a 6% increase in throughput [...] with batch size 8 and 16" },
	{ "spiderman-11",
	  { PHASES, NULL, 1, 16 },
	  FIGURE_EQUAL,
	  1.06,
	  "a 6% increase in throughput [...] with batch size 8 and 16" },
	{ "spiderman-11",
	  { PHASES, NULL, 4, 8 },
	  FIGURE_ABOUT,
	  1,
	  "a similar throughput [...] with batch size 8" },
	{ "spiderman-11",
	  { PHASES, NULL, 16 },
	  FIGURE_LESS,
	  1,
	  "a slight decrease in throughput [...] with any batch sizes" },
	{ "spiderman-12",
	  { PHASES },
	  FIGURE_LESS,
	  1,
	  "a decrease in throughput in all the programs [...] with any batch sizes" },
	{ "spiderman-13",
	  { "two-phase:4" },
	  FIGURE_LESS,
	  1,
	  "worse than every other strategies, including no batching" },

	{ "rcu-ycsb",
	  { "rcu:occ" },
	  FIGURE_MORE,
	  1,
	  "OCC works better than RW Lock" },
	{ "rcu-ycsb", { "rcu:path" }, FIGURE_MORE, 1, LEAST },
	{ "rcu-ycsb", { "rcu:replace" }, FIGURE_MORE, 1, LEAST },
	{ "rcu-project",
	  { "rcu:replace", .op = "read" },
	  FIGURE_EQUAL,
	  0.550 / 0.546,
	  "RCU: mean 0.000550 ms; NoLocks: mean 0.000546 ms" },
	{ "rcu-project",
	  { "rcu:replace", .op = "scan" },
	  FIGURE_EQUAL,
	  2.759 / 2.452,
	  "RCU: mean 0.002759 ms; NoLocks: mean 0.002452 ms" },
	{ "rcu-project",
	  { "rcu:replace", .op = "insert" },
	  FIGURE_EQUAL,
	  1.573 / 308.746,
	  "RCU: mean 0.001573 ms; NoLocks: mean 0.308746 ms" },
	{ "rcu-project",
	  { "rcu:replace", .op = "erase" },
	  FIGURE_EQUAL,
	  0.641 / 58.701,
	  "RCU: mean 0.000641 ms; NoLocks: mean 0.058701 ms" },

	{ "mxkernel-3", { "mxkernel:cores", NULL, 8 }, FIGURE_MORE, 1, TASKS },
	{ "mxkernel-3", { "mxkernel:sync", NULL, 8 }, FIGURE_MORE, 1, TASKS },
	{},
};

static bool same_name(const char *name, const char *of)
{
	return !name || (of && !strcmp(name, of));
}

static bool same_number(unsigned int number, unsigned int of)
{
	return !number || number == of;
}

static bool covers(const struct figure_point *point,
		   const struct figure_point *of)
{
	return same_name(point->scheme, of->scheme) &&
	       same_name(point->mix, of->mix) &&
	       same_number(point->threads, of->threads) &&
	       same_number(point->batch, of->batch) &&
	       same_number(point->node_bytes, of->node_bytes) &&
	       same_name(point->op, of->op);
}

/**
 * figure_value_find() - find the value of a point in the paper's text
 * @figure: the figure
 * @point: the point
 *
 * Return: the first value that is about the point; NULL: not in the text.
 */
const struct figure_value *figure_value_find(const struct figure *figure,
					     const struct figure_point *point)
{
	const struct figure_value *value;

	for (value = figure_values; value->figure; value++) {
		if (!strcmp(value->figure, figure->name) &&
		    covers(&value->point, point))
			return value;
	}
	return NULL;
}

/**
 * figure_value_format() - write a value as a table shows it
 * @value: the value, or NULL
 * @to: set to the text
 * @bytes: the size of @to
 */
void figure_value_format(const struct figure_value *value, char *to,
			 unsigned int bytes)
{
	static const char *const sign[] = {
		[FIGURE_EQUAL] = "",
		[FIGURE_ABOUT] = "about ",
		[FIGURE_LESS] = "less than ",
		[FIGURE_MORE] = "more than ",
	};

	if (value)
		snprintf(to, bytes, "%s%.3g", sign[value->relation],
			 value->ratio);
	else
		snprintf(to, bytes, "not in the text");
}
