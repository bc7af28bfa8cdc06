// SPDX-License-Identifier: GPL-2.0
/*
 * completion: print a shell function with the tables of command.h, and then the file
 * completion.bash, which calls it.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"

/* The Makefile makes this from completion.bash. */
static const char completion_bash[] =
#include "completion_bash.inc"
	;

static const char *const operand_kinds[] = {
	[OPERAND_TREE] = "tree", [OPERAND_NEW_TREE] = "new",
	[OPERAND_KEY] = "key",	 [OPERAND_VALUE] = "text",
	[OPERAND_FILE] = "file", [OPERAND_SHELL] = "shell",
};

static void print_options(const struct option_spec *specs, bool valued)
{
	const struct option_spec *spec;

	for (spec = specs; spec && spec->name; spec++) {
		if (valued && !spec->value)
			continue;
		printf(" --%s", spec->name);
		if (spec->letter)
			printf(" -%c", spec->letter);
	}
}

static void print_kinds(const struct operand *operand)
{
	printf("kinds=(");
	for (; operand->name; operand++)
		printf(" %s%s", operand_kinds[operand->kind],
		       operand->repeats ? " repeats" : "");
	printf(" )");
}

/* Print the words of each option that takes one or several words. */
static void print_words(const struct option_spec *specs)
{
	const struct option_spec *spec;
	size_t i;

	for (spec = specs; spec && spec->name; spec++) {
		if (!spec->words)
			continue;
		printf("\n\t\twords[--%s]='", spec->name);
		for (i = 0; spec->words[i]; i++)
			printf(" %s", spec->words[i]);
		printf("'");
		if (spec->letter)
			printf("\n\t\twords[-%c]=${words[--%s]}", spec->letter,
			       spec->name);
	}
}

static void print_command(const struct command *command)
{
	printf("\t%s)\n\t\t", command->name);
	print_kinds(command->operands);
	printf("\n\t\toptions+='");
	print_options(command->options, false);
	printf("'\n\t\tvalued+='");
	print_options(command->options, true);
	printf(" '");
	print_words(command->options);
	printf("\n\t\t;;\n");
}

static void print_tables(void)
{
	const struct command *command;

	printf("_blinktree_tables()\n{\n\tcommands=''\n\tkinds=()\n\toptions='");
	print_options(program.options, false);
	printf("'\n\tvalued='");
	print_options(program.options, true);
	printf(" '\n\tcase $command in\n\t'')\n\t\tcommands='");
	for (command = program.commands; command->name; command++)
		printf(" %s", command->name);
	printf("'\n\t\t;;\n");
	for (command = program.commands; command->name; command++)
		print_command(command);
	printf("\tesac\n}\n\n");
}

enum status run_completion(const struct args *args, struct printer *out)
{
	(void)out;
	if (strcmp(args->words[0], "bash")) {
		message("no completion for '%s', only for bash",
			args->words[0]);
		return STATUS_USAGE;
	}
	printf("# Made by '%s completion bash'.\n", PROGRAM);
	print_tables();
	fputs(completion_bash, stdout);
	return STATUS_OK;
}
