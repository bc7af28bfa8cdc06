// SPDX-License-Identifier: GPL-2.0
/* The --help texts of the program and of each command. */
#include <stdio.h>

#include "help.h"

#define COLUMN 26

static void print_options(const char *title, const struct option_spec *specs)
{
	const struct option_spec *spec;
	char left[64];

	if (!specs)
		return;
	printf("\n%s:\n", title);
	for (spec = specs; spec->name; spec++) {
		snprintf(left, sizeof(left), "  %c%c%c --%s%s%s",
			 spec->letter ? '-' : ' ',
			 spec->letter ? spec->letter : ' ',
			 spec->letter ? ',' : ' ', spec->name,
			 spec->value ? " " : "", spec->value ?: "");
		printf("%-*s%s\n", COLUMN, left, spec->help);
	}
}

static void print_operands(const struct command *command)
{
	const struct operand *operand;

	for (operand = command->operands; operand->name; operand++)
		printf(" %s%s%s%s", operand->optional ? "[" : "", operand->name,
		       operand->repeats ? "..." : "",
		       operand->optional ? "]" : "");
}

static void print_ending(void)
{
	print_options("Options of every command", global_options);
	printf("\nKeys and values are decimal, or hexadecimal after 0x.\n"
	       "FILE is standard input or output if it is - or missing.\n"
	       "\nExit status:\n"
	       "  0  success\n"
	       "  1  a key is absent (put -i: present; cas, cad: its value\n"
	       "     differs), or verify found a violation\n"
	       "  2  the command line or the input has a mistake\n"
	       "  3  the system refused the request or failed, or the tree\n"
	       "     does not exist\n");
}

static void print_program(void)
{
	const struct command *command;

	printf("Usage: %s [OPTIONS] COMMAND [OPTIONS] [OPERANDS]\n"
	       "\nOrdered maps from 64-bit keys to 64-bit values in the kernel.\n"
	       "\nCommands:\n",
	       PROGRAM);
	for (command = commands; command->name; command++)
		printf("  %-12s%s\n", command->name, command->summary);
	print_ending();
}

void help_print(const struct command *command)
{
	if (!command) {
		print_program();
		return;
	}
	printf("Usage: %s %s [OPTIONS]", PROGRAM, command->name);
	print_operands(command);
	printf("\n\n%s\n", command->summary);
	if (command->details)
		printf("%s\n", command->details);
	print_options("Options", command->options);
	print_ending();
}
