// SPDX-License-Identifier: GPL-2.0
/* The table of the papers' figures (figures.h). */
#include <stddef.h>
#include <string.h>

#include "figures.h"

#define MCKENZIE "McKenzie 2015"
#define OLFIT "Cha et al. 2001"
#define SPIDERMAN "Vu 2023"
#define RCU "Patil, Dodeja, Jain 2023"
#define MXKERNEL "Mühlig 2018"

/* Numbers of threads, as the axes have them. */
#define FOURS 4, 8, 12, 16, 20, 24, 28, 32
#define TO_16 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define TO_8 1, 2, 4, 6, 8

#define OLFIT_BTREE \
	"olfit:no", "olfit:tl", "olfit:lc", "olfit:vn", "olfit:vt", "olfit:ol"
#define OLFIT_CSB                                                       \
	"olfit:csb-no", "olfit:csb-tl", "olfit:csb-lc", "olfit:csb-vn", \
		"olfit:csb-vt", "olfit:csb-ol"
#define OLFIT_UPDATES                                                   \
	"olfit-search", "olfit-20", "olfit-40", "olfit-60", "olfit-80", \
		"olfit-update"

/* The page size that figure 4.2 chooses: "used for the remaining experiments". */
#define PAGE_4_2 131072

/* Prefetch options 1, 2 and 3, which figures 9 to 12 use. */
#define TWO_PHASE "blink_tree", "two-phase:123"

const char *const figure_units[FIGURE_UNIT_NR] = {
	[FIGURE_SPEED] = "million operations per second",
	[FIGURE_RETRIES] = "retries per read",
	[FIGURE_NANOSECONDS] = "mean nanoseconds",
};

const struct figure figures[] = {
	{
		.name = "numa-4.2",
		.paper = MCKENZIE,
		.place = "figure 4.2",
		.title = "size of pages",
		.keys = 1000000,
		.scheme = { "mckenzie:original" },
		.mix = { "numa-100-0" },
		.threads = { 4 },
		.node_bytes = { 4096, 8192, 16384, 32768, 65536, 131072,
				262144 },
	},
	{
		.name = "numa-4.3",
		.paper = MCKENZIE,
		.place = "figure 4.3",
		.title = "each technique, reads alone",
		.keys = 1000000,
		.scheme = { "mckenzie:original", "mckenzie:lock-free",
			    "mckenzie:numa-rw", "mckenzie:replicated-local",
			    "mckenzie:granular" },
		.mix = { "numa-100-0" },
		.threads = { FOURS },
		.node_bytes = { PAGE_4_2 },
	},
	{
		.name = "numa-4.4",
		.paper = MCKENZIE,
		.place = "figure 4.4",
		.title = "each technique, 25 % insertions",
		.keys = 1000000,
		.scheme = { "mckenzie:original", "mckenzie:lock-free",
			    "mckenzie:numa-rw", "mckenzie:lock-free+numa-rw",
			    "mckenzie:granular" },
		.mix = { "numa-75-25" },
		.threads = { FOURS },
		.node_bytes = { PAGE_4_2 },
	},
	{
		.name = "numa-4.5",
		.paper = MCKENZIE,
		.place = "figure 4.5",
		.title = "retries of a lock-free read",
		.unit = FIGURE_RETRIES,
		.keys = 1000000,
		.scheme = { "mckenzie:lock-free" },
		.mix = { "numa-100-0", "numa-95-5", "numa-90-10", "numa-85-15",
			 "numa-80-20", "numa-75-25" },
		.threads = { 4 },
		.node_bytes = { PAGE_4_2 },
	},
	{
		.name = "numa-4.6",
		.paper = MCKENZIE,
		.place = "figure 4.6",
		.title = "replication with other techniques, reads alone",
		.keys = 1000000,
		.scheme = { "mckenzie:replicated-local",
			    "mckenzie:lock-free+local",
			    "mckenzie:numa-rw+local",
			    "mckenzie:granular+local" },
		.mix = { "numa-100-0" },
		.threads = { FOURS },
		.node_bytes = { PAGE_4_2 },
	},
	{
		.name = "numa-4.7",
		.paper = MCKENZIE,
		.place = "figure 4.7",
		.title = "updates of one copy and of all copies",
		.keys = 1000000,
		.scheme = { "mckenzie:replicated-all",
			    "mckenzie:replicated-local", "mckenzie:original" },
		.mix = { "numa-75-25" },
		.threads = { FOURS },
		.node_bytes = { PAGE_4_2 },
	},
	{
		.name = "numa-4.8",
		.paper = MCKENZIE,
		.place = "figure 4.8",
		.title = "replication with other techniques, 25 % insertions",
		.keys = 1000000,
		.scheme = { "mckenzie:replicated-local",
			    "mckenzie:lock-free+local",
			    "mckenzie:numa-rw+local",
			    "mckenzie:granular+local" },
		.mix = { "numa-75-25" },
		.threads = { FOURS },
		.node_bytes = { PAGE_4_2 },
	},
	{
		.name = "olfit-7",
		.paper = OLFIT,
		.place = "figure 7",
		.title = "searches alone",
		.keys = 10000000,
		.scheme = { OLFIT_BTREE },
		.mix = { "olfit-search" },
		.threads = { TO_8 },
	},
	{
		.name = "olfit-7-csb",
		.paper = OLFIT,
		.place = "figure 7 (b)",
		.title = "searches alone, full CSB+-tree",
		.keys = 10000000,
		.scheme = { OLFIT_CSB },
		.mix = { "olfit-search" },
		.threads = { TO_8 },
	},
	{
		.name = "olfit-8",
		.paper = OLFIT,
		.place = "figure 8 (a)",
		.title = "insertions and deletions",
		.keys = 10000000,
		.scheme = { "olfit:tl", "olfit:lc", "olfit:vn", "olfit:vt",
			    "olfit:ol" },
		.mix = { "olfit-update" },
		.threads = { TO_8 },
	},
	{
		.name = "olfit-8-csb",
		.paper = OLFIT,
		.place = "figure 8 (b)",
		.title = "insertions and deletions, full CSB+-tree",
		.keys = 10000000,
		.scheme = { "olfit:csb-tl", "olfit:csb-lc", "olfit:csb-vn",
			    "olfit:csb-vt", "olfit:csb-ol" },
		.mix = { "olfit-update" },
		.threads = { TO_8 },
	},
	{
		.name = "olfit-9",
		.paper = OLFIT,
		.place = "figure 9 (a)",
		.title = "share of updates, one thread",
		.keys = 10000000,
		.scheme = { OLFIT_BTREE },
		.mix = { OLFIT_UPDATES },
		.threads = { 1 },
	},
	{
		.name = "olfit-9-csb",
		.paper = OLFIT,
		.place = "figure 9 (b)",
		.title = "share of updates, one thread, full CSB+-tree",
		.keys = 10000000,
		.scheme = { OLFIT_CSB },
		.mix = { OLFIT_UPDATES },
		.threads = { 1 },
	},
	{
		.name = "olfit-10",
		.paper = OLFIT,
		.place = "figure 10 (a)",
		.title = "share of updates, eight threads",
		.keys = 10000000,
		.scheme = { "olfit:tl", "olfit:lc", "olfit:vn", "olfit:vt",
			    "olfit:ol" },
		.mix = { OLFIT_UPDATES },
		.threads = { 8 },
	},
	{
		.name = "olfit-10-csb",
		.paper = OLFIT,
		.place = "figure 10 (b)",
		.title = "share of updates, eight threads, full CSB+-tree",
		.keys = 10000000,
		.scheme = { "olfit:csb-tl", "olfit:csb-lc", "olfit:csb-vn",
			    "olfit:csb-vt", "olfit:csb-ol" },
		.mix = { OLFIT_UPDATES },
		.threads = { 8 },
	},
	{
		.name = "spiderman-9",
		.paper = SPIDERMAN,
		.place = "figure 9",
		.title = "two phases, workload A",
		.keys = 50000000,
		.scheme = { TWO_PHASE },
		.mix = { "spiderman-a" },
		.threads = { 1, 4, 16 },
		.batch = { 1, 8, 16 },
	},
	{
		.name = "spiderman-10",
		.paper = SPIDERMAN,
		.place = "figure 10",
		.title = "two phases, workload B",
		.keys = 50000000,
		.scheme = { TWO_PHASE },
		.mix = { "spiderman-b" },
		.threads = { 1, 4, 16 },
		.batch = { 1, 8, 16 },
	},
	{
		.name = "spiderman-11",
		.paper = SPIDERMAN,
		.place = "figure 11",
		.title = "two phases, workload C",
		.keys = 50000000,
		.scheme = { TWO_PHASE },
		.mix = { "spiderman-c" },
		.threads = { 1, 4, 16 },
		.batch = { 1, 8, 16 },
	},
	{
		.name = "spiderman-12",
		.paper = SPIDERMAN,
		.place = "figure 12",
		.title = "two phases, workload D",
		.keys = 50000000,
		.scheme = { TWO_PHASE },
		.mix = { "spiderman-d" },
		.threads = { 1, 4, 16 },
		.batch = { 1, 8, 16 },
	},
	{
		.name = "spiderman-13",
		.paper = SPIDERMAN,
		.place = "figure 13",
		.title = "prefetch options, workload A",
		.keys = 50000000,
		.scheme = { "blink_tree", "two-phase:1", "two-phase:12",
			    "two-phase:13", "two-phase:23", "two-phase:123",
			    "two-phase:4", "two-phase:24" },
		.mix = { "spiderman-a" },
		.threads = { 4 },
		.batch = { 16 },
	},
	{
		.name = "rcu-ycsb",
		.paper = RCU,
		.place = "section 5 a",
		.title = "YCSB, 90 % reads, 5 % updates, 5 % insertions",
		.keys = 100000,
		.scheme = { "rcu:rwlock", "rcu:occ", "rcu:path",
			    "rcu:replace" },
		.mix = { "rcu-ycsb" },
		.threads = { TO_8 },
	},
	{
		.name = "rcu-project",
		.paper = RCU,
		.place = "section 5 b",
		.title = "time of each operation",
		.unit = FIGURE_NANOSECONDS,
		.keys = 500000,
		.scheme = { "rcu:path", "rcu:replace", "rcu:rwlock",
			    "rcu:spread", "rcu:occ" },
		.mix = { "rcu-project" },
		.threads = { 8 },
		.op = { "read", "scan", "insert", "erase" },
	},
	{
		.name = "mxkernel-3",
		.paper = MXKERNEL,
		.place = "figure 3",
		.title = "insertions by tasks and by threads",
		/* None in the paper; here two for each thread. */
		.keys = 32,
		.scheme = { "mxkernel:threads", "mxkernel:cores",
			    "mxkernel:sync" },
		.mix = { "mxkernel" },
		.threads = { TO_16 },
		.batch = { 1, 64 },
	},
	{},
};

/**
 * figure_find() - find a figure by its name
 * @name: the name
 *
 * Return: the figure, or NULL.
 */
const struct figure *figure_find(const char *name)
{
	const struct figure *figure;

	for (figure = figures; figure->name; figure++) {
		if (!strcmp(figure->name, name))
			return figure;
	}
	return NULL;
}
