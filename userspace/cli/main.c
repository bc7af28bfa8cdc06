// SPDX-License-Identifier: GPL-2.0
/* blinktree: parse the command line, run the command, return its status. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../streams.h"
#include "command.h"
#include "help.h"
#include "parse.h"
#include "printer.h"

static enum status run(const struct args *args, const struct command *command)
{
	struct printer *out;
	enum status status;

	if (args->help) {
		help_print(command);
		return STATUS_OK;
	}
	if (args->version) {
		printf("%s %s\n", program.name, program.version());
		return STATUS_OK;
	}
	out = printer_new(stdout, args->json, args->pretty, args->hex,
			  args->key_form);
	if (!out) {
		message("no memory");
		return STATUS_SYSTEM;
	}
	status = command->run(args, out);
	printer_finish(out);
	return status;
}

/* A file system can report an error of writing when the file is closed. */
static bool close_output(void)
{
	bool good = !ferror(stdout);

	return !fflush(stdout) && !close(STDOUT_FILENO) && good;
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct args args;
	enum status status;

	streams_open();
	status = parse_command_line(argc, argv, &args, &command);
	if (!status)
		status = run(&args, command);

	/* Output that could not be written is an error. */
	if (!close_output()) {
		message("standard output: %s", strerror(errno));
		return STATUS_SYSTEM;
	}
	return status;
}
