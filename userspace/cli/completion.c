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
	[OPERAND_NAME] = "name",
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

static const char *word_at(const struct option_spec *spec, size_t i)
{
	return spec->name_at ? spec->name_at(i) : spec->words[i];
}

/* Print the words of each option that takes one or several words. */
static void print_words(const struct option_spec *specs)
{
	const struct option_spec *spec;
	size_t i;

	for (spec = specs; spec && spec->name; spec++) {
		if (!spec->words && !spec->name_at)
			continue;
		printf("\n\t\twords[--%s]='", spec->name);
		for (i = 0; word_at(spec, i); i++)
			printf(" %s", word_at(spec, i));
		printf("'");
		if (spec->letter)
			printf("\n\t\twords[-%c]=${words[--%s]}", spec->letter,
			       spec->name);
	}
}

static void print_operand_words(const struct operand *operand)
{
	size_t i;

	for (; operand->name; operand++) {
		if (!operand->name_at)
			continue;
		printf("\n\t\twords[name]='");
		for (i = 0; operand->name_at(i); i++)
			printf(" %s", operand->name_at(i));
		printf("'");
	}
}

static void print_names(const struct command *command)
{
	printf("commands='");
	for (; command->name; command++)
		printf(" %s", command->name);
	printf("'\n");
}

static void print_command(const struct command *command,
			  const struct command *group)
{
	if (group)
		printf("\t'%s %s')\n\t\t", group->name, command->name);
	else
		printf("\t%s)\n\t\t", command->name);
	if (command->commands)
		print_names(command->commands);
	print_kinds(command->operands);
	printf("\n\t\toptions+='");
	print_options(command->options, false);
	if (group)
		print_options(group->options, false);
	printf("'\n\t\tvalued+='");
	print_options(command->options, true);
	if (group)
		print_options(group->options, true);
	printf(" '");
	print_words(command->options);
	print_operand_words(command->operands);
	printf("\n\t\t;;\n");
}

static void print_commands(const struct command *command,
			   const struct command *group)
{
	for (; command->name; command++) {
		print_command(command, group);
		if (command->commands)
			print_commands(command->commands, command);
	}
}

static void print_tables(void)
{
	printf("_blinktree_tables()\n{\n\tcommands=''\n\tkinds=()\n\toptions='");
	print_options(program.options, false);
	printf("'\n\tvalued='");
	print_options(program.options, true);
	printf(" '\n\tcase $command in\n\t'')\n\t\t");
	print_names(program.commands);
	printf("\t\t;;\n");
	print_commands(program.commands, NULL);
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
