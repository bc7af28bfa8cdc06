// SPDX-License-Identifier: GPL-2.0
/* Messages to the user. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

void message(const char *format, ...)
{
	va_list list;

	/* Results so far come before the message. */
	fflush(stdout);
	fprintf(stderr, "%s: ", program.name);
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fputc('\n', stderr);
}

const char *errno_name(int error)
{
	static char number[16];
	const char *name = strerrorname_np(error);

	if (name)
		return name;
	snprintf(number, sizeof(number), "%d", error);
	return number;
}
