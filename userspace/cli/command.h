/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The description of a command: its *operands* (words without a dash), its *options*
 * (words that begin with a dash) and the function that runs it. The parser, the help
 * and the completion use these descriptions.
 */
#ifndef BLINKTREE_CLI_COMMAND_H
#define BLINKTREE_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

#include "format.h"
#include "message.h"

struct printer;

#define BENCH_ROUNDS_MAX 99

/* Options of bench. The first two are sets of words; an empty set means all. */
struct bench_args {
	unsigned int indexes;
	unsigned int workloads;
	__u64 threads;
	__u64 keys;
	__u64 ops;
	__u64 batch;
	__u64 rounds;
	const char *lab;
};

/* Options of attr. A missing option is NULL, or one of these values. */
#define ATTR_NO_MODE (~0U)
#define ATTR_NO_LIMIT UINT64_MAX

struct attr_args {
	const char *owner;
	const char *group;
	const char *name;
	unsigned int mode;
	__u64 max_entries;
	__u64 max_bytes;
};

/* A command line after it was parsed. */
struct args {
	bool help;
	bool version;
	bool json;
	bool pretty;
	bool hex;
	unsigned int key_form;
	const char *device;
	/* The user that must own the tree; NULL for any. */
	const char *owner;

	bool all;
	bool insert_only;
	bool names_only;
	bool highest;
	bool parts;
	bool numa;
	bool keep;
	bool below;
	bool by_id;
	bool replace;
	bool replace_only;
	bool reverse;
	bool saturate;
	bool sorted;
	bool value_only;
	unsigned int mode;
	/* The word of an option: its position in the list of words. */
	unsigned int format;
	unsigned int replication;
	unsigned int locking;
	unsigned int placement;
	bool compress;
	unsigned int key;
	unsigned int value;
	/* Ends of a range, or the beginning of its keys; NULL if missing. */
	const char *first;
	const char *last;
	const char *prefix;
	__u64 limit;
	__u64 interval;
	__u64 leaves;
	__u64 slots;
	__u64 max_entries;
	__u64 max_bytes;
	__u64 batch;
	__u64 jobs;
	__u64 fill;
	struct bench_args bench;
	struct attr_args attr;

	const struct command *command;

	/* The operands. */
	char **words;
	size_t nr;
};

enum operand_kind {
	OPERAND_TREE,
	OPERAND_NEW_TREE,
	/* A key: its text depends on the kind of the tree. */
	OPERAND_KEY,
	/* The same for a value. */
	OPERAND_VALUE,
	OPERAND_FILE,
	OPERAND_SHELL,
};

struct operand {
	const char *name;
	enum operand_kind kind;
	bool optional;
	/* The operand can come several times. */
	bool repeats;
};

enum option_kind {
	OPTION_FLAG,
	OPTION_NUMBER,
	OPTION_MODE,
	OPTION_WORD,
	/* Several words, separated by commas: a bit for each. */
	OPTION_WORDS,
	OPTION_PATH,
};

struct option_spec {
	char letter;
	const char *name;
	/* Name of the value in the help; NULL for a flag. */
	const char *value;
	const char *help;
	enum option_kind kind;
	/* Offset in struct args. */
	size_t offset;
	/* Range of a number. */
	__u64 min;
	__u64 max;
	/* The possible words, up to a NULL. */
	const char *const *words;
};

/* Runs a command. */
typedef enum status run_fn(const struct args *args, struct printer *out);

#define OPERANDS_MAX 4

struct command {
	const char *name;
	const char *summary;
	/* More text for --help; can be NULL. */
	const char *details;
	/* The first operand without a name ends the array. */
	struct operand operands[OPERANDS_MAX + 1];
	/* The first option without a name ends the array; can be NULL. */
	const struct option_spec *options;
	/* The output has a format of its own, so there is no JSON output. */
	bool raw;
	run_fn *run;
	/* The operation on a key, of the commands that are one. */
	unsigned int opcode;
};

/**
 * struct program - a program of commands
 * @name: its name
 * @summary: a line about it
 * @ending: the end of each help text
 * @version: its version
 * @options: options of all commands
 * @commands: the commands; the last one has no name
 */
struct program {
	const char *name;
	const char *summary;
	const char *ending;
	const char *(*version)(void);
	const struct option_spec *options;
	const struct command *commands;
};

extern const struct program program;

/* The words for the enumerations of the UAPI header, up to a NULL. */
extern const char *const replication_words[];
extern const char *const locking_words[];
extern const char *const placement_words[];
extern const char *const key_words[];

/* The words for enum value_kind. */
extern const char *const value_words[];

/* The word for a number; "unknown" for a number of a newer module. */
const char *word_of(const char *const *words, unsigned int number);

/* The word for the kind of values that BLINK_TREE_CREATE_* flags choose. */
const char *value_word(__u64 flags);

/* Print the options of a tree, by their numbers and its BLINK_TREE_CREATE_* flags. */
void print_tree_options(struct printer *out, unsigned int replication,
			unsigned int locking, unsigned int placement,
			unsigned int key, __u64 flags);

/* Names of the laboratory for indexes, the tree first, and for workloads. */
extern const char *const index_words[];
extern const char *const workload_words[];

const struct command *command_find(const struct command *commands,
				   const char *name);

/* The functions that run the commands. */
run_fn run_info, run_create, run_list, run_attr, run_rm, run_keys,
	run_operation, run_range, run_scan, run_count, run_erase_range,
	run_stat, run_top, run_watch, run_metrics, run_load, run_dump, run_save,
	run_restore, run_batch, run_commit, run_verify, run_bench,
	run_completion;

#endif /* BLINKTREE_CLI_COMMAND_H */
