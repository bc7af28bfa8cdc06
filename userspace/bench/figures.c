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

#define FIGURE(name_, paper_, place_, title_, ...) \
	{ .name = name_,                           \
	  .paper = paper_,                         \
	  .place = place_,                         \
	  .title = title_,                         \
	  __VA_ARGS__ }

const struct figure figures[] = {
	FIGURE("numa-4.2", MCKENZIE, "figure 4.2", "size of pages",
	       .keys = 1000000, .scheme = { "mckenzie:original" },
	       .mix = { "numa-100-0" }, .threads = { 4 },
	       .node_bytes = { 4096, 8192, 16384, 32768, 65536, 131072,
			       262144 }),
	FIGURE("numa-4.3", MCKENZIE, "figure 4.3",
	       "each technique, reads alone", .keys = 1000000,
	       .scheme = { "mckenzie:original", "mckenzie:lock-free",
			   "mckenzie:numa-rw", "mckenzie:replicated-local",
			   "mckenzie:granular" },
	       .mix = { "numa-100-0" }, .threads = { FOURS },
	       .node_bytes = { PAGE_4_2 }),
	FIGURE("numa-4.4", MCKENZIE, "figure 4.4",
	       "each technique, 25 % insertions", .keys = 1000000,
	       .scheme = { "mckenzie:original", "mckenzie:lock-free",
			   "mckenzie:numa-rw", "mckenzie:lock-free+numa-rw",
			   "mckenzie:granular" },
	       .mix = { "numa-75-25" }, .threads = { FOURS },
	       .node_bytes = { PAGE_4_2 }),
	FIGURE("numa-4.5", MCKENZIE, "figure 4.5",
	       "retries of a lock-free read", .unit = FIGURE_RETRIES,
	       .keys = 1000000, .scheme = { "mckenzie:lock-free" },
	       .mix = { "numa-100-0", "numa-95-5", "numa-90-10", "numa-85-15",
			"numa-80-20", "numa-75-25" },
	       .threads = { 4 }, .node_bytes = { PAGE_4_2 }),
	FIGURE("numa-4.6", MCKENZIE, "figure 4.6",
	       "replication with other techniques, reads alone",
	       .keys = 1000000,
	       .scheme = { "mckenzie:replicated-local",
			   "mckenzie:lock-free+local", "mckenzie:numa-rw+local",
			   "mckenzie:granular+local" },
	       .mix = { "numa-100-0" }, .threads = { FOURS },
	       .node_bytes = { PAGE_4_2 }),
	FIGURE("numa-4.7", MCKENZIE, "figure 4.7",
	       "updates of one copy and of all copies", .keys = 1000000,
	       .scheme = { "mckenzie:replicated-all",
			   "mckenzie:replicated-local", "mckenzie:original" },
	       .mix = { "numa-75-25" }, .threads = { FOURS },
	       .node_bytes = { PAGE_4_2 }),
	FIGURE("numa-4.8", MCKENZIE, "figure 4.8",
	       "replication with other techniques, 25 % insertions",
	       .keys = 1000000,
	       .scheme = { "mckenzie:replicated-local",
			   "mckenzie:lock-free+local", "mckenzie:numa-rw+local",
			   "mckenzie:granular+local" },
	       .mix = { "numa-75-25" }, .threads = { FOURS },
	       .node_bytes = { PAGE_4_2 }),
	FIGURE("olfit-7", OLFIT, "figure 7", "searches alone", .keys = 10000000,
	       .scheme = { OLFIT_BTREE }, .mix = { "olfit-search" },
	       .threads = { TO_8 }),
	FIGURE("olfit-7-csb", OLFIT, "figure 7 (b)",
	       "searches alone, full CSB+-tree", .keys = 10000000,
	       .scheme = { OLFIT_CSB }, .mix = { "olfit-search" },
	       .threads = { TO_8 }),
	FIGURE("olfit-8", OLFIT, "figure 8 (a)", "insertions and deletions",
	       .keys = 10000000,
	       .scheme = { "olfit:tl", "olfit:lc", "olfit:vn", "olfit:vt",
			   "olfit:ol" },
	       .mix = { "olfit-update" }, .threads = { TO_8 }),
	FIGURE("olfit-8-csb", OLFIT, "figure 8 (b)",
	       "insertions and deletions, full CSB+-tree", .keys = 10000000,
	       .scheme = { "olfit:csb-tl", "olfit:csb-lc", "olfit:csb-vn",
			   "olfit:csb-vt", "olfit:csb-ol" },
	       .mix = { "olfit-update" }, .threads = { TO_8 }),
	FIGURE("olfit-9", OLFIT, "figure 9 (a)", "share of updates, one thread",
	       .keys = 10000000, .scheme = { OLFIT_BTREE },
	       .mix = { OLFIT_UPDATES }, .threads = { 1 }),
	FIGURE("olfit-9-csb", OLFIT, "figure 9 (b)",
	       "share of updates, one thread, full CSB+-tree", .keys = 10000000,
	       .scheme = { OLFIT_CSB }, .mix = { OLFIT_UPDATES },
	       .threads = { 1 }),
	FIGURE("olfit-10", OLFIT, "figure 10 (a)",
	       "share of updates, eight threads", .keys = 10000000,
	       .scheme = { "olfit:tl", "olfit:lc", "olfit:vn", "olfit:vt",
			   "olfit:ol" },
	       .mix = { OLFIT_UPDATES }, .threads = { 8 }),
	FIGURE("olfit-10-csb", OLFIT, "figure 10 (b)",
	       "share of updates, eight threads, full CSB+-tree",
	       .keys = 10000000,
	       .scheme = { "olfit:csb-tl", "olfit:csb-lc", "olfit:csb-vn",
			   "olfit:csb-vt", "olfit:csb-ol" },
	       .mix = { OLFIT_UPDATES }, .threads = { 8 }),
	FIGURE("spiderman-9", SPIDERMAN, "figure 9", "two phases, workload A",
	       .keys = 50000000, .scheme = { TWO_PHASE },
	       .mix = { "spiderman-a" }, .threads = { 1, 4, 16 },
	       .batch = { 1, 8, 16 }),
	FIGURE("spiderman-10", SPIDERMAN, "figure 10", "two phases, workload B",
	       .keys = 50000000, .scheme = { TWO_PHASE },
	       .mix = { "spiderman-b" }, .threads = { 1, 4, 16 },
	       .batch = { 1, 8, 16 }),
	FIGURE("spiderman-11", SPIDERMAN, "figure 11", "two phases, workload C",
	       .keys = 50000000, .scheme = { TWO_PHASE },
	       .mix = { "spiderman-c" }, .threads = { 1, 4, 16 },
	       .batch = { 1, 8, 16 }),
	FIGURE("spiderman-12", SPIDERMAN, "figure 12", "two phases, workload D",
	       .keys = 50000000, .scheme = { TWO_PHASE },
	       .mix = { "spiderman-d" }, .threads = { 1, 4, 16 },
	       .batch = { 1, 8, 16 }),
	FIGURE("spiderman-13", SPIDERMAN, "figure 13",
	       "prefetch options, workload A", .keys = 50000000,
	       .scheme = { "blink_tree", "two-phase:1", "two-phase:12",
			   "two-phase:13", "two-phase:23", "two-phase:123",
			   "two-phase:4", "two-phase:24" },
	       .mix = { "spiderman-a" }, .threads = { 4 }, .batch = { 16 }),
	FIGURE("rcu-ycsb", RCU, "section 5 a",
	       "YCSB, 90 % reads, 5 % updates, 5 % insertions", .keys = 100000,
	       .scheme = { "rcu:rwlock", "rcu:occ", "rcu:path", "rcu:replace" },
	       .mix = { "rcu-ycsb" }, .threads = { TO_8 }),
	FIGURE("rcu-project", RCU, "section 5 b", "time of each operation",
	       .unit = FIGURE_NANOSECONDS, .keys = 500000,
	       .scheme = { "rcu:path", "rcu:replace", "rcu:rwlock",
			   "rcu:spread", "rcu:occ" },
	       .mix = { "rcu-project" }, .threads = { 8 },
	       .op = { "read", "scan", "insert", "erase" }),
	FIGURE("mxkernel-3", MXKERNEL, "figure 3",
	       "insertions by tasks and by threads",
	       /* None in the paper; here two for each thread. */ .keys = 32,
	       .scheme = { "mxkernel:threads", "mxkernel:cores",
			   "mxkernel:sync" },
	       .mix = { "mxkernel" }, .threads = { TO_16 }, .batch = { 1, 64 }),
	{},
};

const struct figure *figure_find(const char *name)
{
	const struct figure *figure;

	for (figure = figures; figure->name; figure++) {
		if (!strcmp(figure->name, name))
			return figure;
	}
	return NULL;
}
