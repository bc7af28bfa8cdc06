// SPDX-License-Identifier: GPL-2.0
/*
 * The table of the laboratory's commands. In blinktree the word lab stands before their
 * names, and points are measured in the kernel; blink_lab measures them itself.
 */
#include <limits.h>
#include <stdint.h>

#include "lists.h"
#include "options.h"
#include "study.h"

#define OPTION_THREADS                                      \
	NUMBERS('t', "threads", lab.threads, 1, UINT32_MAX, \
		"numbers of threads (default: by the figure)")

#define OPTION_NODE_BYTES                                    \
	NUMBERS(0, "node-bytes", lab.node_bytes, 0, 1 << 20, \
		"sizes of nodes; 0: that of the scheme")

#define OPTION_KEYS                                    \
	NUMBER('k', "keys", "N", lab.keys, 1, 1 << 30, \
	       "keys before the first operation")

#define OPTION_OPS                                   \
	NUMBER('n', "ops", "N", lab.ops, 1, 1 << 30, \
	       "operations of each thread")

#define OPTION_ROUNDS                                         \
	NUMBER('r', "rounds", "N", lab.rounds, 1, ROUNDS_MAX, \
	       "number of rounds (default: 5, quick: 3)")

#define OPTION_SEED                                       \
	NUMBER('s', "seed", "N", lab.seed, 0, UINT32_MAX, \
	       "another one makes other choices (default: 1)")

#define OPTION_QUICK \
	FLAG('q', "quick", lab.quick, "fewer keys, operations and rounds")

#define OPTION_PLAN               \
	FLAG(0, "plan", lab.plan, \
	     "print the orders of a round, and measure nothing")

#define OPTION_CPUS                                     \
	NUMBER(0, "cpus", "N", lab.cpus, 1, UINT32_MAX, \
	       "for N CPUs (default: those of this machine)")

#define OPTION_JSON                                     \
	VALUE(0, "json", "FILE", OPTION_PATH, lab.json, \
	      "write all rounds to FILE, as JSON")

static const struct option_spec figure_options[] = {
	OPTION_QUICK,
	OPTION_THREADS,
	OPTION_NODE_BYTES,
	OPTION_KEYS,
	OPTION_OPS,
	OPTION_ROUNDS,
	OPTION_SEED,
	OPTION_JSON,
	OPTION_PLAN,
	OPTION_CPUS,
	{},
};

static const struct option_spec run_options[] = {
	NAMES(0, "scheme", lab_scheme_at, lab.schemes,
	      "schemes, the baseline of the ratios first"),
	NAMES(0, "mix", lab_mix_at, lab.mixes, "mixes of operations"),
	NUMBERS('t', "threads", lab.threads, 1, UINT32_MAX,
		"numbers of threads (default: one on each CPU)"),
	NUMBERS('b', "batch", lab.batches, 1, 64,
		"operations in a call (default: 1)"),
	OPTION_NODE_BYTES,
	OPTION_KEYS,
	OPTION_OPS,
	NUMBER('w', "warm-up", "N", lab.warm_up, 0, 1 << 30,
	       "operations of each thread before those (default: 0)"),
	WORD(0, "order", "ORDER", lab_order_names, lab.order,
	     "order of the keys (default: random)"),
	VALUE(0, "key-file", "FILE", OPTION_PATH, lab.key_file,
	      "take the keys from FILE, one on each line"),
	OPTION_QUICK,
	OPTION_ROUNDS,
	OPTION_SEED,
	FLAG(0, "timed", lab.timed, "measure the time of each operation"),
	OPTION_JSON,
	OPTION_PLAN,
	{},
};

const struct command lab_commands[] = {
	{
		.name = "figure",
		.summary = "Measure what figures of the papers show.",
		.details =
			"A table compares each value with the text of the paper. The machine\n"
			"takes the numbers of threads that it has CPUs for. In each round all\n"
			"points are measured once; the table has the medians. A signal ends it\n"
			"with the results of the complete rounds.",
		.operands = { { .name = "NAME",
				.kind = OPERAND_NAME,
				.repeats = true,
				.name_at = lab_figure_at } },
		.options = figure_options,
		.run = run_lab_figure,
	},
	{
		.name = "run",
		.summary = "Measure schemes with mixes of operations.",
		.details = "--scheme and --mix must be there.",
		.options = run_options,
		.run = run_lab_run,
	},
	{
		.name = "list",
		.summary = "List the schemes.",
		.details =
			"It prints a line for each index that blink_tree_lab can create:\n"
			"its name, author, paper, section, and what it promises. The module\n"
			"need not be loaded.",
		.run = run_lab_list,
	},
	{
		.name = "mixes",
		.summary = "List the mixes of operations.",
		.run = run_lab_mixes,
	},
	{
		.name = "figures",
		.summary = "List the figures of the papers.",
		.run = run_lab_figures,
	},
	{},
};
