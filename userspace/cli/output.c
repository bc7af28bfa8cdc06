// SPDX-License-Identifier: GPL-2.0
/* Replacing a file in one step. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "message.h"
#include "output.h"

struct output {
	int fd;
	__u64 position;
	/* The file, with its symbolic links followed. */
	char *path;
	/* NULL if the file is written directly. */
	char *temporary;
};

static void release(struct output *output)
{
	free(output->path);
	free(output->temporary);
	free(output);
}

/* A link stays a link: its file is replaced. A link to no file is replaced itself. */
static char *follow_links(const char *path)
{
	return realpath(path, NULL) ?: strdup(path);
}

static bool is_replaced(const char *path)
{
	struct stat stat_;

	return stat(path, &stat_) || S_ISREG(stat_.st_mode);
}

/* Open the file that is written. False with errno set. */
static bool open_file(struct output *output, const char *path)
{
	if (!strcmp(path, "-")) {
		output->path = strdup("standard output");
		output->fd = STDOUT_FILENO;
		return output->path;
	}
	output->path = follow_links(path);
	if (!output->path)
		return false;
	if (!is_replaced(output->path)) {
		output->fd = open(output->path, O_WRONLY | O_CLOEXEC);
		return output->fd >= 0;
	}
	if (asprintf(&output->temporary, "%s.XXXXXX", output->path) < 0) {
		output->temporary = NULL;
		return false;
	}
	output->fd = mkostemp(output->temporary, O_CLOEXEC);
	return output->fd >= 0;
}

struct output *output_open(const char *path)
{
	struct output *output = calloc(1, sizeof(*output));

	if (!output) {
		message("no memory");
		return NULL;
	}
	if (open_file(output, path))
		return output;
	message("%s: %s", path, strerror(errno));
	release(output);
	return NULL;
}

static bool complain(const struct output *output)
{
	message("%s: writing failed: %s", output->path, strerror(errno));
	return false;
}

bool output_write(struct output *output, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len) {
		ssize_t nr = write(output->fd, from, len);

		if (nr < 0 && errno != EINTR)
			return complain(output);
		if (interrupted())
			return false;
		if (nr < 0)
			continue;
		from += nr;
		len -= nr;
		output->position += nr;
	}
	return true;
}

__u64 output_position(const struct output *output)
{
	return output->position;
}

/* Without this, a crash of the machine could undo the renaming. */
static bool sync_directory(const struct output *output)
{
	char *copy = strdup(output->path);
	bool synced;
	int fd;

	if (!copy)
		return false;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	if (fd < 0)
		return false;
	synced = !fsync(fd);
	close(fd);
	return synced;
}

static bool close_file(const struct output *output)
{
	return output->fd == STDOUT_FILENO || !close(output->fd);
}

/* Give the complete file its name. False with errno set: no file has changed. */
static bool replace(const struct output *output)
{
	bool synced = !fsync(output->fd);

	if (close_file(output) && synced &&
	    !rename(output->temporary, output->path))
		return true;
	unlink(output->temporary);
	return false;
}

bool output_commit(struct output *output)
{
	bool good = output->temporary ?
			    replace(output) && sync_directory(output) :
			    close_file(output);

	if (!good)
		complain(output);
	release(output);
	return good;
}

void output_discard(struct output *output)
{
	close_file(output);
	if (output->temporary)
		unlink(output->temporary);
	release(output);
}
