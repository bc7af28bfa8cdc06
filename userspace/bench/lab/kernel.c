// SPDX-License-Identifier: GPL-2.0
/* Points in the kernel: files of blink_tree_lab (backend.h, module/lab/main.c). */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "lab.h"

const char *const backend_world = "kernel";

static int fd = -1;

/* All keys in one write. */
static enum status write_keys(const char *directory,
			      const struct lab_keys *keys)
{
	int keys_fd = lab_open(directory, "keys");
	bool good;

	if (keys_fd < 0)
		return STATUS_SYSTEM;
	good = write(keys_fd, keys->key, keys->nr * sizeof(*keys->key)) > 0;
	if (!good)
		message("%s/keys: %s", directory, strerror(errno));
	close(keys_fd);
	return good ? STATUS_OK : STATUS_SYSTEM;
}

enum status backend_open(const struct args *args)
{
	const char *directory = args->lab.directory ?: LAB_DIRECTORY;
	enum status status = STATUS_OK;
	struct lab_keys keys = {};

	if (args->lab.key_file)
		status = keys_read(args->lab.key_file, &keys);
	if (!status && keys.nr)
		status = write_keys(directory, &keys);
	free((u64 *)keys.key);
	if (status)
		return status;
	fd = lab_open(directory, "point");
	return fd < 0 ? STATUS_SYSTEM : STATUS_OK;
}

void backend_close(void)
{
	close(fd);
}

static char *read_all(void)
{
	size_t length = 0;
	char *text = malloc(ANSWER_MAX);
	ssize_t got;

	while (text && length < ANSWER_MAX - 1 &&
	       (got = pread(fd, text + length, ANSWER_MAX - 1 - length,
			    length)) > 0)
		length += got;
	if (text)
		text[length] = '\0';
	return text;
}

int backend_measure(const char *order, char **answer, char *why, size_t size)
{
	(void)why;
	(void)size;
	if (write(fd, order, strlen(order)) < 0)
		return -errno;
	*answer = read_all();
	return *answer ? 0 : -ENOMEM;
}
