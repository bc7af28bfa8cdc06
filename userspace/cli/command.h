/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a command is: its *operands* (words that stand for themselves), its
 * *options* (words that begin with a dash) and the function that runs it. From
 * these descriptions come the parser, the help and the completion.
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

/* Of bench; the first two are sets of words, empty for all of them. */
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

/* What attr is to set; without an option: NULL, or these. */
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

/* All that a command line can say. */
struct args {
	bool help;
	bool version;
	bool json;
	bool pretty;
	bool hex;
	const char *device;

	bool insert_only;
	bool names_only;
	bool below;
	bool by_id;
	bool replace_only;
	bool reverse;
	bool sorted;
	bool value_only;
	unsigned int mode;
	/* Positions in the lists of words that the options have. */
	unsigned int format;
	unsigned int replication;
	unsigned int posting;
	unsigned int locking;
	unsigned int placement;
	__u64 first;
	__u64 last;
	__u64 limit;
	__u64 max_entries;
	__u64 max_bytes;
	__u64 batch;
	__u64 jobs;
	__u64 fill;
	struct bench_args bench;
	struct attr_args attr;

	/* The operands, and each one's value if it is a number. */
	char **words;
	__u64 *numbers;
	size_t nr;
};

enum operand_kind {
	OPERAND_TREE,
	OPERAND_NEW_TREE,
	OPERAND_NUMBER,
	OPERAND_FILE,
	OPERAND_SHELL,
};

struct operand {
	const char *name;
	enum operand_kind kind;
	bool optional;
	/* The last one may come again and again. */
	bool repeats;
};

enum option_kind {
	OPTION_FLAG,
	OPTION_NUMBER,
	OPTION_MODE,
	OPTION_WORD,
	/* Several of them, with commas between: a bit for each. */
	OPTION_WORDS,
	OPTION_PATH,
};

struct option_spec {
	char letter;
	const char *name;
	/* What its value is called; NULL for a flag. */
	const char *value;
	const char *help;
	enum option_kind kind;
	/* Where in struct args it goes. */
	size_t offset;
	/* Of a number. */
	__u64 min;
	__u64 max;
	/* Of a word: those that there are, up to a NULL. */
	const char *const *words;
};

#define OPERANDS_MAX 4

struct command {
	const char *name;
	const char *summary;
	/* More of it, for its --help; may be NULL. */
	const char *details;
	/* It ends with the first that has no name. */
	struct operand operands[OPERANDS_MAX + 1];
	/* It ends with the first that has no name; may be NULL. */
	const struct option_spec *options;
	/* What it prints has a form of its own: there is no JSON for it. */
	bool raw;
	enum status (*run)(const struct args *args, struct printer *out);
};

/* The table ends with a command that has no name. */
extern const struct command commands[];
extern const struct option_spec global_options[];

/* What the enumerations of the UAPI header are called, up to a NULL. */
extern const char *const replication_words[];
extern const char *const posting_words[];
extern const char *const locking_words[];
extern const char *const placement_words[];

/* The one of a number; a module may be newer than we are. */
const char *word_of(const char *const *words, unsigned int number);

/* What the laboratory calls indexes, ours first, and workloads, up to a NULL. */
extern const char *const index_words[];
extern const char *const workload_words[];

const struct command *command_find(const char *name);

/* The commands themselves. */
enum status run_info(const struct args *args, struct printer *out);
enum status run_create(const struct args *args, struct printer *out);
enum status run_list(const struct args *args, struct printer *out);
enum status run_attr(const struct args *args, struct printer *out);
enum status run_rm(const struct args *args, struct printer *out);
enum status run_put(const struct args *args, struct printer *out);
enum status run_get(const struct args *args, struct printer *out);
enum status run_del(const struct args *args, struct printer *out);
enum status run_cas(const struct args *args, struct printer *out);
enum status run_cad(const struct args *args, struct printer *out);
enum status run_floor(const struct args *args, struct printer *out);
enum status run_ceil(const struct args *args, struct printer *out);
enum status run_scan(const struct args *args, struct printer *out);
enum status run_count(const struct args *args, struct printer *out);
enum status run_stat(const struct args *args, struct printer *out);
enum status run_load(const struct args *args, struct printer *out);
enum status run_dump(const struct args *args, struct printer *out);
enum status run_batch(const struct args *args, struct printer *out);
enum status run_verify(const struct args *args, struct printer *out);
enum status run_bench(const struct args *args, struct printer *out);
enum status run_completion(const struct args *args, struct printer *out);

#endif /* BLINKTREE_CLI_COMMAND_H */
