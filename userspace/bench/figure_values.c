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

/* A value of a figure, for those of its points that AT() tells apart. */
#define VALUE(figure, point, relation, ratio, text) \
	{ figure, point, FIGURE_##relation, ratio, text }
#define AT(...) { __VA_ARGS__ }

#define UPDATE "olfit-update"

/* Of all threads: 0, and so for the other numbers. */
#define MCKENZIE(figure, scheme, threads, relation, ratio, text)               \
	VALUE("numa-" figure, AT("mckenzie:" scheme, NULL, threads), relation, \
	      ratio, text)
#define OLFIT(figure, scheme, mix, threads, relation, text)                    \
	VALUE("olfit-" figure, AT("olfit:" scheme, mix, threads), relation, 1, \
	      text)
#define PHASES(figure, threads, batch, relation, ratio, text)                 \
	VALUE("spiderman-" figure, AT("two-phase:123", NULL, threads, batch), \
	      relation, ratio, text)
#define INCREASE(percent, sizes) \
	"a " percent "% increase in throughput [...] with batch size " sizes

#define RCU_TIMES(op_, rcu, no_locks)                             \
	VALUE("rcu-project", AT("rcu:replace", .op = op_), EQUAL, \
	      (rcu) / (no_locks),                                 \
	      "RCU: mean " #rcu " ms; NoLocks: mean " #no_locks " ms")

const struct figure_value figure_values[] = {
	VALUE("numa-4.2", AT(.node_bytes = 131072), MORE, 1,
	      "A page size of 128 kB [...] gave the highest throughput results"),
	MCKENZIE("4.3", "lock-free", 32, EQUAL, 23, SEPARATE),
	MCKENZIE("4.3", "numa-rw", 32, EQUAL, 9, SEPARATE),
	MCKENZIE("4.3", "replicated-local", 32, EQUAL, 8, SEPARATE),
	MCKENZIE("4.3", "granular", 0, LESS, 1,
		 "Granular Locking performs very poorly"),
	MCKENZIE("4.4", "lock-free", 32, EQUAL, 3, WITH_UPDATES),
	MCKENZIE("4.4", "numa-rw", 32, EQUAL, 5, WITH_UPDATES),
	VALUE("numa-4.4", AT("mckenzie:lock-free+numa-rw", NULL, 32), EQUAL, 7,
	      "the best performance (7× more operations than the Original Code)"),
	MCKENZIE("4.4", "granular", 0, LESS, 1,
		 "Granular Locking performs badly once again"),
	VALUE("numa-4.5", AT(NULL, "numa-75-25"), LESS, 5,
	      "the number of retries per read operation is less than 5"),
	MCKENZIE("4.6", "lock-free+local", 0, MORE, 1,
		 "Lock-Free Reads therefore perform the best for this workload"),
	MCKENZIE("4.6", "numa-rw+local", 0, MORE, 1,
		 "improvement over just replication alone"),
	MCKENZIE("4.6", "granular+local", 0, ABOUT, 1,
		 "now becomes comparable to the other schemes"),
	VALUE("numa-4.7", AT("mckenzie:replicated-local", NULL, 32), EQUAL, 83,
	      "83× more operations per second than strongly consistent inserts"),
	MCKENZIE("4.7", "original", 32, ABOUT, 10,
		 "the Original Code even providing an order of magnitude more"),
	OLFIT("7", "ol", NULL, 0, ABOUT, LIKE_NO),
	OLFIT("7", "vn", NULL, 0, ABOUT, LIKE_NO),
	OLFIT("7", "vt", NULL, 0, ABOUT, LIKE_NO),
	OLFIT("7", "tl", NULL, 8, LESS,
	      "(TL) becomes worse as the number of threads increases"),
	OLFIT("7", "lc", NULL, 0, LESS, WORST),
	OLFIT("7-csb", "csb-ol", NULL, 0, LESS,
	      "The gap between OL and NO on the CSB+-Tree is wider"),
	OLFIT("7-csb", "csb-lc", NULL, 0, LESS, WORST),
	OLFIT("8", "ol", NULL, 8, MORE, SCALABLE),
	OLFIT("8-csb", "csb-ol", NULL, 8, MORE, SCALABLE),
	OLFIT("9", "ol", NULL, 0, ABOUT, LIKE_NO_ALONE),
	OLFIT("9", "tl", NULL, 0, ABOUT, LIKE_NO_ALONE),
	OLFIT("9", "lc", NULL, 0, LESS,
	      "The lock coupling (LC) shows worse performance than OL and TL"),
	OLFIT("9", "vn", UPDATE, 0, LESS, DROPS),
	OLFIT("9", "vt", UPDATE, 0, LESS, DROPS),
	OLFIT("9-csb", "csb-vn", UPDATE, 0, LESS, HEAVIER),
	OLFIT("9-csb", "csb-vt", UPDATE, 0, LESS, HEAVIER),
	OLFIT("10", "ol", UPDATE, 0, MORE, BETTER),
	OLFIT("10", "vt", "olfit-20", 0, MORE, "VT is slightly better than TL"),
	OLFIT("10", "vt", UPDATE, 0, LESS,
	      "eventually crosses TL due to the high cost of versioning"),
	OLFIT("10-csb", "csb-ol", UPDATE, 0, MORE, BETTER),
	OLFIT("10-csb", "csb-vn", UPDATE, 0, LESS, VERSIONS),
	OLFIT("10-csb", "csb-vt", UPDATE, 0, LESS, VERSIONS),
	PHASES("9", 0, 1, LESS, 1, BATCH_OF_ONE),
	PHASES("9", 1, 8, EQUAL, 1.18, INCREASE("18", "8 and 16")),
	PHASES("9", 1, 16, EQUAL, 1.18, INCREASE("18", "8 and 16")),
	PHASES("9", 4, 16, EQUAL, 1.15, INCREASE("15", "16")),
	PHASES("9", 16, 0, LESS, 1,
	       "a decrease in throughput [...] with any batch sizes"),
	PHASES("10", 0, 1, LESS, 1, BATCH_OF_ONE),
	PHASES("10", 1, 8, EQUAL, 1.3, INCREASE("30", "8 and 16")),
	PHASES("10", 1, 16, EQUAL, 1.3, INCREASE("30", "8 and 16")),
	PHASES("10", 4, 16, EQUAL, 1.15, INCREASE("15", "16")),
	PHASES("10", 16, 8, ABOUT, 1,
	       "a similar throughput [...] with batch size 8"),
	PHASES("11", 0, 1, LESS, 1, BATCH_OF_ONE),
	PHASES("11", 1, 8, EQUAL, 1.06, INCREASE("6", "8 and 16")),
	PHASES("11", 1, 16, EQUAL, 1.06, INCREASE("6", "8 and 16")),
	PHASES("11", 4, 8, ABOUT, 1,
	       "a similar throughput [...] with batch size 8"),
	PHASES("11", 16, 0, LESS, 1,
	       "a slight decrease in throughput [...] with any batch sizes"),
	PHASES("12", 0, 0, LESS, 1,
	       "a decrease in throughput in all the programs [...] with any batch sizes"),
	VALUE("spiderman-13", AT("two-phase:4"), LESS, 1,
	      "worse than every other strategies, including no batching"),
	VALUE("rcu-ycsb", AT("rcu:occ"), MORE, 1,
	      "OCC works better than RW Lock"),
	VALUE("rcu-ycsb", AT("rcu:path"), MORE, 1, LEAST),
	VALUE("rcu-ycsb", AT("rcu:replace"), MORE, 1, LEAST),
	RCU_TIMES("read", 0.000550, 0.000546),
	RCU_TIMES("scan", 0.002759, 0.002452),
	RCU_TIMES("insert", 0.001573, 0.308746),
	RCU_TIMES("erase", 0.000641, 0.058701),
	VALUE("mxkernel-3", AT("mxkernel:cores", NULL, 8), MORE, 1, TASKS),
	VALUE("mxkernel-3", AT("mxkernel:sync", NULL, 8), MORE, 1, TASKS),
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
