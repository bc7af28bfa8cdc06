// SPDX-License-Identifier: GPL-2.0
/* blink_lab: the laboratory's commands, which measure natively. */
#include "options.h"
#include "version.h"

static const struct option_spec options[] = {
	FLAG('h', "help", help, "print this help, and exit"),
	FLAG(0, "version", version, "print the version, and exit"),
	FLAG('j', "json", json, "print JSON"),
	FLAG('p', "pretty", pretty, "print JSON with line breaks"),
	{},
};

static const char *version(void)
{
	return BLINK_VERSION;
}

const struct program program = {
	.name = "blink_lab",
	.summary =
		"The schemes and figures of the papers, measured in this process's children.",
	.ending = "Exit status:\n"
		  "  0  success\n"
		  "  2  the command line has a mistake\n"
		  "  3  the system failed, or an answer was wrong\n"
		  "130  a signal ended it, after the results so far\n",
	.version = version,
	.options = options,
	.commands = lab_commands,
};
