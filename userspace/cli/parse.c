// SPDX-License-Identifier: GPL-2.0
/*
 * Command lines: global options, the command, then its own options, global options
 * and operands in any order. getopt_long() splits the words, and the tables of
 * command.h have their meanings.
 */
#include <getopt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "number.h"
#include "parse.h"

#define OPTIONS_MAX 30

/* The options in the form that getopt_long() needs. */
struct getopt_table {
	const struct option_spec *specs[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 + 2 * OPTIONS_MAX + 1];
	size_t nr;
};

/* getopt_long() returns this plus the index for an option without a letter. */
#define LETTERLESS 256

static void table_add(struct getopt_table *table,
		      const struct option_spec *specs)
{
	const struct option_spec *spec;

	for (spec = specs; spec && spec->name; spec++) {
		size_t i = table->nr++;
		char letter[3] = { spec->letter, spec->value ? ':' : '\0' };

		if (table->nr > OPTIONS_MAX)
			abort();
		table->specs[i] = spec;
		table->longs[i] = (struct option){
			.name = spec->name,
			.has_arg = spec->value ? required_argument :
						 no_argument,
			.val = LETTERLESS + i,
		};
		if (spec->letter)
			strcat(table->shorts, letter);
	}
}

static const struct option_spec *table_find(const struct getopt_table *table,
					    int c)
{
	size_t i;

	if (c >= LETTERLESS)
		return table->specs[c - LETTERLESS];
	for (i = 0; i < table->nr; i++) {
		if (table->specs[i]->letter == c)
			return table->specs[i];
	}
	return NULL;
}

/* List the words that the value can be. */
static const char *no_such_word(const struct option_spec *spec)
{
	static char why[96];
	size_t len = snprintf(why, sizeof(why), "not one of:");
	const char *const *word;

	for (word = spec->words; *word && len < sizeof(why); word++)
		len += snprintf(why + len, sizeof(why) - len, " %s", *word);
	return why;
}

static const char *find_word(const struct option_spec *spec, const char *text,
			     unsigned int *number)
{
	for (*number = 0; spec->words[*number]; ++*number) {
		if (!strcmp(text, spec->words[*number]))
			return NULL;
	}
	return no_such_word(spec);
}

static const char *find_words(const struct option_spec *spec, const char *text,
			      unsigned int *bits)
{
	char *copy = strdup(text), *rest = copy, *word;
	const char *why = copy ? NULL : "no memory";
	unsigned int number;

	*bits = 0;
	while (!why && (word = strsep(&rest, ","))) {
		why = find_word(spec, word, &number);
		*bits |= 1U << number;
	}
	free(copy);
	return why;
}

static const char *set_number(const struct option_spec *spec, const char *text,
			      __u64 *number)
{
	const char *why = number_parse(text, strlen(text), number);

	if (!why && *number < spec->min)
		why = "too small";
	if (!why && *number > spec->max)
		why = "too big";
	return why;
}

/* Store the value of an option. Returns NULL, or a text about the mistake. */
static const char *set_option(const struct option_spec *spec, const char *text,
			      struct args *args)
{
	void *to = (char *)args + spec->offset;

	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)to = true;
		return NULL;
	case OPTION_NUMBER:
		return set_number(spec, text, to);
	case OPTION_MODE:
		return number_parse_mode(text, to);
	case OPTION_WORD:
		return find_word(spec, text, to);
	case OPTION_WORDS:
		return find_words(spec, text, to);
	case OPTION_PATH:
		*(const char **)to = text;
		return NULL;
	}
	return "unknown kind of option";
}

static enum status hint(const struct command *command)
{
	message("see '%s %s%s--help'", program.name,
		command ? command->name : "", command ? " " : "");
	return STATUS_USAGE;
}

/* Print a message about the word that getopt_long() refused. */
static enum status complain(char **argv, int c, const struct command *command)
{
	if (optopt && optopt < LETTERLESS)
		message("-%c %s", optopt,
			c == ':' ? "needs a value" : "is not an option");
	else if (optopt)
		message("%s %s", argv[optind - 1],
			c == ':' ? "needs a value" : "takes no value");
	else
		message("%s is not an option", argv[optind - 1]);
	return hint(command);
}

/* @mode: '+' to stop at the first operand, '-' to allow operands anywhere. */
static enum status parse_options(int argc, char **argv, char mode,
				 struct args *args,
				 const struct command *command)
{
	struct getopt_table table = { .shorts = { mode == '+' ? '+' : ':',
						  mode == '+' ? ':' : '\0' } };
	const struct option_spec *spec;
	const char *why;
	int c;

	/* Of two options with the same name the first one counts. */
	if (command)
		table_add(&table, command->options);
	table_add(&table, program.options);
	opterr = 0;
	optind = 0;
	while ((c = getopt_long(argc, argv, table.shorts, table.longs, NULL)) !=
	       -1) {
		if (c == '?' || c == ':')
			return complain(argv, c, command);
		spec = table_find(&table, c);
		why = set_option(spec, optarg, args);
		if (why) {
			message("--%s %s: %s", spec->name, optarg, why);
			return hint(command);
		}
	}
	return STATUS_OK;
}

static enum status parse_operands(const struct args *args,
				  const struct command *command)
{
	const struct operand *operand = command->operands;
	size_t i;

	for (i = 0; i < args->nr; i++) {
		if (!operand->name) {
			message("'%s' is one operand too many", args->words[i]);
			return hint(command);
		}
		if (!operand->repeats)
			operand++;
		else if (i + 1 == args->nr)
			return STATUS_OK;
	}
	if (operand->name && !operand->optional) {
		message("%s is missing", operand->name);
		return hint(command);
	}
	return STATUS_OK;
}

static void set_defaults(struct args *args)
{
	*args = (struct args){
		.mode = 0600,
		.limit = UINT64_MAX,
		.batch = 1024,
		.fill = 100,
		.interval = 2,
		.jobs = 1,
		.bench = {
			.keys = 1000000,
			.ops = 1000000,
			.batch = 32,
			.rounds = 5,
		},
		.attr = {
			.mode = ATTR_NO_MODE,
			.max_entries = ATTR_NO_LIMIT,
			.max_bytes = ATTR_NO_LIMIT,
		},
	};
}

/* Refuse options that exclude each other: the tables cannot describe this. */
static enum status check(const struct args *args, const struct command *command)
{
	const char *why = NULL;

	if (args->insert_only && args->replace_only)
		why = "--insert-only and --replace-only exclude each other";
	else if (args->prefix && (args->first || args->last))
		why = "--prefix excludes --from and --to";
	else if (args->compress && args->key)
		why = "--compress is for keys of the kind u64";
	else if (args->compress && args->value)
		why = "--compress is for values of the kind u64";
	else if (args->key == BLINK_TREE_KEY_MULTI && args->value)
		why = "keys of the kind multi have values of the kind u64";
	else if (command->raw && args->json)
		why = "this command has no JSON output (scan prints entries as JSON)";
	if (!why)
		return STATUS_OK;
	message("%s", why);
	return hint(command);
}

enum status parse_command_line(int argc, char **argv, struct args *args,
			       const struct command **command)
{
	enum status status;

	*command = NULL;
	set_defaults(args);
	status = parse_options(argc, argv, '+', args, NULL);
	if (status)
		return status;
	argc -= optind;
	argv += optind;
	if (!argc && (args->help || args->version))
		return STATUS_OK;
	if (!argc) {
		message("a command is missing");
		return hint(NULL);
	}
	*command = command_find(program.commands, *argv);
	if (!*command) {
		message("'%s' is not a command", *argv);
		return hint(NULL);
	}
	status = parse_options(argc, argv, '-', args, *command);
	if (status || args->help || args->version)
		return status;
	args->command = *command;
	args->json |= args->pretty;
	args->words = argv + optind;
	args->nr = argc - optind;
	return parse_operands(args, *command) ?: check(args, *command);
}

const struct command *command_find(const struct command *commands,
				   const char *name)
{
	for (; commands->name; commands++) {
		if (!strcmp(commands->name, name))
			return commands;
	}
	return NULL;
}
