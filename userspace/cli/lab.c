// SPDX-License-Identifier: GPL-2.0
/* The files of the laboratory; see module/lab/main.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

#define BYTES_MAX 32

static void explain(const char *path, int error)
{
	message("%s: %s", path, strerror(error));
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		message("load the module, as root: modprobe blink_tree_lab, or");
		message("insmod blink_tree.ko and then module/lab/blink_tree_lab.ko");
		message("if /sys/kernel/debug is empty, mount it first:");
		message("mount -t debugfs none /sys/kernel/debug");
		break;
	case EACCES:
	case EPERM:
		message("only root can run the benchmark");
		break;
	}
}

int lab_open(const char *directory, const char *name)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		explain(path, errno);
	return fd;
}

bool lab_read(const char *text, struct lab_answer *answer)
{
	char bytes[BYTES_MAX];

	*answer = (struct lab_answer){};
	if (sscanf(text,
		   "number=%*u threads=%u ops=%llu ns=%llu wrong=%llu retries=%*s bytes=%31s entries=%llu",
		   &answer->threads, &answer->ops, &answer->ns, &answer->wrong,
		   bytes, &answer->entries) != 6)
		return false;
	answer->bytes = strtoull(bytes, NULL, 10);
	return answer->ops && answer->ns;
}

int lab_measure(int fd, const char *order, struct lab_answer *answer)
{
	int error = write(fd, order, strlen(order)) < 0 ? errno : 0;
	char text[512] = "";

	if (error && error != EIO)
		return error;
	/* The answer is at the start of the file. */
	if (pread(fd, text, sizeof(text) - 1, 0) < 0 || !lab_read(text, answer))
		return error ?: EPROTO;
	return error;
}
