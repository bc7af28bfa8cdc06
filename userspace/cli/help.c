// SPDX-License-Identifier: GPL-2.0
/* The --help texts of the program and of each command. */
#include <stdio.h>
#include <string.h>

#include "help.h"

#define COLUMN 26

static bool has_option(const struct option_spec *specs, const char *name)
{
	for (; specs && specs->name; specs++) {
		if (!strcmp(specs->name, name))
			return true;
	}
	return false;
}

/* An option of every command can have a name that is another option of this one. */
static void print_option(const struct option_spec *spec, bool named)
{
	char left[64];

	snprintf(left, sizeof(left), "  %c%c%c %s%s%s%s",
		 spec->letter ? '-' : ' ', spec->letter ? spec->letter : ' ',
		 spec->letter && named ? ',' : ' ', named ? "--" : "",
		 named ? spec->name : "", spec->value ? " " : "",
		 spec->value ?: "");
	printf("%-*s%s\n", COLUMN, left, spec->help);
}

static void print_options(const char *title, const struct option_spec *specs,
			  const struct option_spec *before)
{
	const struct option_spec *spec;

	if (!specs)
		return;
	printf("\n%s:\n", title);
	for (spec = specs; spec->name; spec++)
		print_option(spec, !has_option(before, spec->name));
}

static void print_operands(const struct command *command)
{
	const struct operand *operand;

	for (operand = command->operands; operand->name; operand++)
		printf(" %s%s%s%s", operand->optional ? "[" : "", operand->name,
		       operand->repeats ? "..." : "",
		       operand->optional ? "]" : "");
}

static void print_ending(const struct option_spec *before)
{
	print_options("Options of every command", program.options, before);
	printf("\n%s", program.ending);
}

static void print_program(void)
{
	const struct command *command;

	printf("Usage: %s [OPTIONS] COMMAND [OPTIONS] [OPERANDS]\n\n%s\n",
	       program.name, program.summary);
	printf("\nCommands:\n");
	for (command = program.commands; command->name; command++)
		printf("  %-12s%s\n", command->name, command->summary);
	print_ending(NULL);
}

void help_print(const struct command *command)
{
	if (!command) {
		print_program();
		return;
	}
	printf("Usage: %s %s [OPTIONS]", program.name, command->name);
	print_operands(command);
	printf("\n\n%s\n", command->summary);
	if (command->details)
		printf("%s\n", command->details);
	print_options("Options", command->options, NULL);
	print_ending(command->options);
}
