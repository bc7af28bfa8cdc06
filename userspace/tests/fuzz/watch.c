// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's log. This is for finding the program that is to blame; the command
 * that runs the guest judges the log as a whole.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shared.h"

static bool is_headline(const char *text)
{
	static const char *const headlines[] = {
		"BUG",
		"WARNING: ",
		"UBSAN: ",
		"ODEBUG: ",
		"INFO: ",
		"rcu: INFO",
		"watchdog: ",
		"Oops",
		"general protection fault",
		"kernel BUG at",
		"list_add corruption",
		"list_del corruption",
		"refcount_t: ",
		"Voluntary context switch",
	};
	size_t i;

	for (i = 0; i < sizeof(headlines) / sizeof(*headlines); i++) {
		if (!strncmp(text, headlines[i], strlen(headlines[i])))
			return true;
	}
	return false;
}

int watch_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

bool watch_report(int fd, char *text, size_t bytes)
{
	char record[1024], *message, *end;
	ssize_t len;

	while ((len = read(fd, record, sizeof(record) - 1)) > 0) {
		record[len] = '\0';
		message = strchr(record, ';');
		if (!message || !is_headline(message + 1))
			continue;
		end = strchr(message, '\n');
		if (end)
			*end = '\0';
		snprintf(text, bytes, "%s", message + 1);
		return true;
	}
	return false;
}
