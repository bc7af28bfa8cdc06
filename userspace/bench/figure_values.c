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

/* A value of a figure, for those of its points that AT() tells apart. */
#define VALUE(figure, point, relation, ratio, text) \
	{ figure, point, FIGURE_##relation, ratio, text }
#define AT(...) { __VA_ARGS__ }

const struct figure_value figure_values[] = {
	VALUE("numa-4.2", AT(.node_bytes = 131072), MORE, 1,
	      "A page size of 128 kB [...] gave the highest throughput results"),
	VALUE("numa-4.3", AT("mckenzie:lock-free", NULL, 32), EQUAL, 23,
	      SEPARATE),
	VALUE("numa-4.3", AT("mckenzie:numa-rw", NULL, 32), EQUAL, 9, SEPARATE),
	VALUE("numa-4.3", AT("mckenzie:replicated-local", NULL, 32), EQUAL, 8,
	      SEPARATE),
	VALUE("numa-4.3", AT("mckenzie:granular"), LESS, 1,
	      "Granular Locking performs very poorly"),
	VALUE("numa-4.4", AT("mckenzie:lock-free", NULL, 32), EQUAL, 3,
	      WITH_UPDATES),
	VALUE("numa-4.4", AT("mckenzie:numa-rw", NULL, 32), EQUAL, 5,
	      WITH_UPDATES),
	VALUE("numa-4.4", AT("mckenzie:lock-free+numa-rw", NULL, 32), EQUAL, 7,
	      "the best performance (7× more operations than the Original Code)"),
	VALUE("numa-4.4", AT("mckenzie:granular"), LESS, 1,
	      "Granular Locking performs badly once again"),
	VALUE("numa-4.5", AT(NULL, "numa-75-25"), LESS, 5,
	      "the number of retries per read operation is less than 5"),
	VALUE("numa-4.6", AT("mckenzie:lock-free+local"), MORE, 1,
	      "Lock-Free Reads therefore perform the best for this workload"),
	VALUE("numa-4.6", AT("mckenzie:numa-rw+local"), MORE, 1,
	      "improvement over just replication alone"),
	VALUE("numa-4.6", AT("mckenzie:granular+local"), ABOUT, 1,
	      "now becomes comparable to the other schemes"),
	VALUE("numa-4.7", AT("mckenzie:replicated-local", NULL, 32), EQUAL, 83,
	      "83× more operations per second than strongly consistent inserts"),
	VALUE("numa-4.7", AT("mckenzie:original", NULL, 32), ABOUT, 10,
	      "the Original Code even providing an order of magnitude more"),

	VALUE("olfit-7", AT("olfit:ol"), ABOUT, 1, LIKE_NO),
	VALUE("olfit-7", AT("olfit:vn"), ABOUT, 1, LIKE_NO),
	VALUE("olfit-7", AT("olfit:vt"), ABOUT, 1, LIKE_NO),
	VALUE("olfit-7", AT("olfit:tl", NULL, 8), LESS, 1,
	      "(TL) becomes worse as the number of threads increases"),
	VALUE("olfit-7", AT("olfit:lc"), LESS, 1, WORST),
	VALUE("olfit-7-csb", AT("olfit:csb-ol"), LESS, 1,
	      "The gap between OL and NO on the CSB+-Tree is wider"),
	VALUE("olfit-7-csb", AT("olfit:csb-lc"), LESS, 1, WORST),
	VALUE("olfit-8", AT("olfit:ol", NULL, 8), MORE, 1, SCALABLE),
	VALUE("olfit-8-csb", AT("olfit:csb-ol", NULL, 8), MORE, 1, SCALABLE),
	VALUE("olfit-9", AT("olfit:ol"), ABOUT, 1, LIKE_NO_ALONE),
	VALUE("olfit-9", AT("olfit:tl"), ABOUT, 1, LIKE_NO_ALONE),
	VALUE("olfit-9", AT("olfit:lc"), LESS, 1,
	      "The lock coupling (LC) shows worse performance than OL and TL"),
	VALUE("olfit-9", AT("olfit:vn", "olfit-update"), LESS, 1, DROPS),
	VALUE("olfit-9", AT("olfit:vt", "olfit-update"), LESS, 1, DROPS),
	VALUE("olfit-9-csb", AT("olfit:csb-vn", "olfit-update"), LESS, 1,
	      HEAVIER),
	VALUE("olfit-9-csb", AT("olfit:csb-vt", "olfit-update"), LESS, 1,
	      HEAVIER),
	VALUE("olfit-10", AT("olfit:ol", "olfit-update"), MORE, 1, BETTER),
	VALUE("olfit-10", AT("olfit:vt", "olfit-20"), MORE, 1,
	      "VT is slightly better than TL"),
	VALUE("olfit-10", AT("olfit:vt", "olfit-update"), LESS, 1,
	      "eventually crosses TL due to the high cost of versioning"),
	VALUE("olfit-10-csb", AT("olfit:csb-ol", "olfit-update"), MORE, 1,
	      BETTER),
	VALUE("olfit-10-csb", AT("olfit:csb-vn", "olfit-update"), LESS, 1,
	      VERSIONS),
	VALUE("olfit-10-csb", AT("olfit:csb-vt", "olfit-update"), LESS, 1,
	      VERSIONS),

	VALUE("spiderman-9", AT(PHASES, NULL, 0, 1), LESS, 1, BATCH_OF_ONE),
	VALUE("spiderman-9", AT(PHASES, NULL, 1, 8), EQUAL, 1.18,
	      "a 18% increase in throughput [...] with batch size 8 and 16"),
	VALUE("spiderman-9", AT(PHASES, NULL, 1, 16), EQUAL, 1.18,
	      "a 18% increase in throughput [...] with batch size 8 and 16"),
	VALUE("spiderman-9", AT(PHASES, NULL, 4, 16), EQUAL, 1.15,
	      "a 15% increase in throughput [...] with batch size 16"),
	VALUE("spiderman-9", AT(PHASES, NULL, 16), LESS, 1,
	      "a decrease in throughput [...] with any batch sizes"),
	VALUE("spiderman-10", AT(PHASES, NULL, 0, 1), LESS, 1, BATCH_OF_ONE),
	VALUE("spiderman-10", AT(PHASES, NULL, 1, 8), EQUAL, 1.3,
	      "a 30% increase in throughput [...] with batch size 8 and 16"),
	VALUE("spiderman-10", AT(PHASES, NULL, 1, 16), EQUAL, 1.3,
	      "a 30% increase in throughput [...] with batch size 8 and 16"),
	VALUE("spiderman-10", AT(PHASES, NULL, 4, 16), EQUAL, 1.15,
	      "a 15% increase in throughput [...] with batch size 16"),
	VALUE("spiderman-10", AT(PHASES, NULL, 16, 8), ABOUT, 1,
	      "a similar throughput [...] with batch size 8"),
	VALUE("spiderman-11", AT(PHASES, NULL, 0, 1), LESS, 1, BATCH_OF_ONE),
	VALUE("spiderman-11", AT(PHASES, NULL, 1, 8), EQUAL, 1.06,
	      "a 6% increase in throughput [...] with batch size 8 and 16"),
	VALUE("spiderman-11", AT(PHASES, NULL, 1, 16), EQUAL, 1.06,
	      "a 6% increase in throughput [...] with batch size 8 and 16"),
	VALUE("spiderman-11", AT(PHASES, NULL, 4, 8), ABOUT, 1,
	      "a similar throughput [...] with batch size 8"),
	VALUE("spiderman-11", AT(PHASES, NULL, 16), LESS, 1,
	      "a slight decrease in throughput [...] with any batch sizes"),
	VALUE("spiderman-12", AT(PHASES), LESS, 1,
	      "a decrease in throughput in all the programs [...] with any batch sizes"),
	VALUE("spiderman-13", AT("two-phase:4"), LESS, 1,
	      "worse than every other strategies, including no batching"),

	VALUE("rcu-ycsb", AT("rcu:occ"), MORE, 1,
	      "OCC works better than RW Lock"),
	VALUE("rcu-ycsb", AT("rcu:path"), MORE, 1, LEAST),
	VALUE("rcu-ycsb", AT("rcu:replace"), MORE, 1, LEAST),
	VALUE("rcu-project", AT("rcu:replace", .op = "read"), EQUAL,
	      0.550 / 0.546,
	      "RCU: mean 0.000550 ms; NoLocks: mean 0.000546 ms"),
	VALUE("rcu-project", AT("rcu:replace", .op = "scan"), EQUAL,
	      2.759 / 2.452,
	      "RCU: mean 0.002759 ms; NoLocks: mean 0.002452 ms"),
	VALUE("rcu-project", AT("rcu:replace", .op = "insert"), EQUAL,
	      1.573 / 308.746,
	      "RCU: mean 0.001573 ms; NoLocks: mean 0.308746 ms"),
	VALUE("rcu-project", AT("rcu:replace", .op = "erase"), EQUAL,
	      0.641 / 58.701,
	      "RCU: mean 0.000641 ms; NoLocks: mean 0.058701 ms"),

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
