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

#define REPLICATED                                               \
	"mckenzie:replicated-local", "mckenzie:lock-free+local", \
		"mckenzie:numa-rw+local", "mckenzie:granular+local"

/* With the words of a kind of tree. */
#define OLFIT_LATCHED(tree)                                         \
	"olfit:" tree "tl", "olfit:" tree "lc", "olfit:" tree "vn", \
		"olfit:" tree "vt", "olfit:" tree "ol"
#define OLFIT_ALL(tree) "olfit:" tree "no", OLFIT_LATCHED(tree)
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

/* Of McKenzie's, all but two differ in their schemes and in the mix. */
#define MCKENZIE_FIGURE(number, title_, mix_, ...)                          \
	FIGURE("numa-" number, MCKENZIE, "figure " number, title_,          \
	       .keys = 1000000, .scheme = { __VA_ARGS__ }, .mix = { mix_ }, \
	       .threads = { FOURS }, .node_bytes = { PAGE_4_2 })

/* With a B+-tree, and with a full CSB+-tree. */
#define OLFIT_FIGURES(number, part, title_, schemes, ...)                      \
	FIGURE("olfit-" number, OLFIT, "figure " number part, title_,          \
	       .keys = 10000000, .scheme = { schemes("") }, __VA_ARGS__),      \
		FIGURE("olfit-" number "-csb", OLFIT, "figure " number " (b)", \
		       title_ ", full CSB+-tree", .keys = 10000000,            \
		       .scheme = { schemes("csb-") }, __VA_ARGS__)

#define SPIDERMAN_FIGURE(number, workload, mix_)                   \
	FIGURE("spiderman-" number, SPIDERMAN, "figure " number,   \
	       "two phases, workload " workload, .keys = 50000000, \
	       .scheme = { TWO_PHASE }, .mix = { mix_ },           \
	       .threads = { 1, 4, 16 }, .batch = { 1, 8, 16 })

const struct figure figures[] = {
	FIGURE("numa-4.2", MCKENZIE, "figure 4.2", "size of pages",
	       .keys = 1000000, .scheme = { "mckenzie:original" },
	       .mix = { "numa-100-0" }, .threads = { 4 },
	       .node_bytes = { 4096, 8192, 16384, 32768, 65536, 131072,
			       262144 }),
	MCKENZIE_FIGURE("4.3", "each technique, reads alone", "numa-100-0",
			"mckenzie:original", "mckenzie:lock-free",
			"mckenzie:numa-rw", "mckenzie:replicated-local",
			"mckenzie:granular"),
	MCKENZIE_FIGURE("4.4", "each technique, 25 % insertions", "numa-75-25",
			"mckenzie:original", "mckenzie:lock-free",
			"mckenzie:numa-rw", "mckenzie:lock-free+numa-rw",
			"mckenzie:granular"),
	FIGURE("numa-4.5", MCKENZIE, "figure 4.5",
	       "retries of a lock-free read", .unit = FIGURE_RETRIES,
	       .keys = 1000000, .scheme = { "mckenzie:lock-free" },
	       .mix = { "numa-100-0", "numa-95-5", "numa-90-10", "numa-85-15",
			"numa-80-20", "numa-75-25" },
	       .threads = { 4 }, .node_bytes = { PAGE_4_2 }),
	MCKENZIE_FIGURE("4.6", "replication with other techniques, reads alone",
			"numa-100-0", REPLICATED),
	MCKENZIE_FIGURE("4.7", "updates of one copy and of all copies",
			"numa-75-25", "mckenzie:replicated-all",
			"mckenzie:replicated-local", "mckenzie:original"),
	MCKENZIE_FIGURE("4.8",
			"replication with other techniques, 25 % insertions",
			"numa-75-25", REPLICATED),
	OLFIT_FIGURES("7", "", "searches alone", OLFIT_ALL,
		      .mix = { "olfit-search" }, .threads = { TO_8 }),
	OLFIT_FIGURES("8", " (a)", "insertions and deletions", OLFIT_LATCHED,
		      .mix = { "olfit-update" }, .threads = { TO_8 }),
	OLFIT_FIGURES("9", " (a)", "share of updates, one thread", OLFIT_ALL,
		      .mix = { OLFIT_UPDATES }, .threads = { 1 }),
	OLFIT_FIGURES("10", " (a)", "share of updates, eight threads",
		      OLFIT_LATCHED, .mix = { OLFIT_UPDATES },
		      .threads = { 8 }),
	SPIDERMAN_FIGURE("9", "A", "spiderman-a"),
	SPIDERMAN_FIGURE("10", "B", "spiderman-b"),
	SPIDERMAN_FIGURE("11", "C", "spiderman-c"),
	SPIDERMAN_FIGURE("12", "D", "spiderman-d"),
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
