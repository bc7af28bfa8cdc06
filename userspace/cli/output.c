// SPDX-License-Identifier: GPL-2.0
/* Replacing a file in one step (output.h). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/types.h>

#include "interrupt.h"
#include "output.h"
#include "place.h"

struct output {
	int fd;
	__u64 position;
	/* For messages. */
	const char *path;
	/* Not open, with the descriptor -1, for standard output. */
	struct place place;
	/* Empty if the file is written directly. */
	char temporary[32];
};

bool output_is_standard(const char *path)
{
	return !strcmp(path, "-") || !strcmp(path, "/dev/stdout");
}

bool output_shares_standard(const struct output *output)
{
	struct stat file, standard;

	return !fstat(output->fd, &file) && !fstat(STDOUT_FILENO, &standard) &&
	       file.st_dev == standard.st_dev && file.st_ino == standard.st_ino;
}

/* A file that exists and is not regular, such as a pipe. */
static bool is_direct(const struct place *place, struct stat *stat_)
{
	if (place->magic)
		return true;
	return !fstatat(place->directory, place->name, stat_,
			AT_SYMLINK_NOFOLLOW) &&
	       !S_ISREG(stat_->st_mode);
}

/* Another user could have prepared a pipe that shows him the entries. */
static bool may_open(const struct place *place, const struct stat *stat_)
{
	if (place->magic ||
	    (!S_ISREG(stat_->st_mode) && !place_is_foreign(place, stat_)))
		return true;
	errno = EACCES;
	return false;
}

/* Another user can exchange a file that is his before it is open, so look twice. */
static bool open_direct(struct output *output, struct stat *stat_)
{
	const struct place *place = &output->place;
	int flags = place->magic ? O_TRUNC : O_NOFOLLOW;

	if (!may_open(place, stat_))
		return false;
	output->fd = openat(place->directory, place->name,
			    O_WRONLY | O_NOCTTY | O_CLOEXEC | flags);
	if (output->fd < 0)
		return false;
	if (!fstat(output->fd, stat_) && may_open(place, stat_))
		return true;
	close(output->fd);
	return false;
}

/* The name does not contain that of the file, which can have the greatest length. */
static bool open_temporary(struct output *output, mode_t mode)
{
	__u64 number;

	/* A signal that ends the program would leave the file. */
	signal(SIGPIPE, SIG_IGN);
	do {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			return false;
		snprintf(output->temporary, sizeof(output->temporary),
			 ".blinktree-%016llx", number);
		output->fd = openat(output->place.directory, output->temporary,
				    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
					    O_CLOEXEC,
				    mode);
	} while (output->fd < 0 && errno == EEXIST);
	return output->fd >= 0;
}

/* Open the file that is written. False with errno set. */
static bool open_file(struct output *output, const char *path, mode_t mode)
{
	struct stat stat_;
	bool opened;

	if (output_is_standard(path)) {
		output->path = "standard output";
		output->fd = STDOUT_FILENO;
		output->place.directory = -1;
		return true;
	}
	if (!place_find(path, &output->place))
		return false;
	opened = is_direct(&output->place, &stat_) ?
			 open_direct(output, &stat_) :
			 open_temporary(output, mode);
	if (!opened)
		place_close(&output->place);
	return opened;
}

struct output *output_open(const char *path, mode_t mode)
{
	struct output *output = calloc(1, sizeof(*output));

	if (!output) {
		message("no memory");
		return NULL;
	}
	/* A file of the greatest size is an error of write(). */
	signal(SIGXFSZ, SIG_IGN);
	output->path = path;
	if (open_file(output, path, mode))
		return output;
	if (!interrupted())
		message("%s: %s", path, strerror(errno));
	free(output);
	return NULL;
}

enum status output_failed(void)
{
	return interrupted() ? STATUS_INTERRUPTED : STATUS_SYSTEM;
}

static bool complain(const struct output *output, const char *what)
{
	message("%s: %s: %s", output->path, what, strerror(errno));
	return false;
}

bool output_write(struct output *output, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len) {
		ssize_t nr;

		/* Without a reader, write() would wait for a second signal. */
		if (interrupted())
			return false;
		nr = write(output->fd, from, len);
		if (nr < 0 && errno != EINTR)
			return complain(output, "writing failed");
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

/*
 * Without this, a crash of the machine could undo the renaming. Where a directory cannot
 * be opened or written to the disk alone, the whole file system is.
 */
static bool sync_directory(const struct output *output)
{
	int fd = openat(output->place.directory, ".",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool synced = fd >= 0 && !fsync(fd);

	if (!synced && (fd < 0 || errno == EINVAL))
		synced = !syncfs(output->fd);
	if (fd >= 0) {
		int error = errno;

		close(fd);
		errno = error;
	}
	return synced;
}

/*
 * Give the complete file its name. The old file is unchanged if this fails, but for the
 * last step. A file system can report an error of writing when the file is closed, so a
 * duplicate of the descriptor is closed before the renaming.
 */
static bool replace(struct output *output)
{
	const struct place *place = &output->place;
	bool synced = !fsync(output->fd);

	if (!synced || close(dup(output->fd)))
		return complain(output, "writing failed");
	if (renameat(place->directory, output->temporary, place->directory,
		     place->name))
		return complain(output, "the file cannot be replaced");
	output->temporary[0] = '\0';
	if (!sync_directory(output))
		return complain(
			output,
			"the file is replaced, but a crash may undo this");
	return true;
}

/* The message may be the last action of this program, so remove the file before. */
static void release(struct output *output)
{
	if (output->temporary[0])
		unlinkat(output->place.directory, output->temporary, 0);
	if (output->place.directory >= 0)
		place_close(&output->place);
	free(output);
}

bool output_commit(struct output *output)
{
	bool good = !output->temporary[0] || replace(output);

	if (output->fd != STDOUT_FILENO && close(output->fd) && good)
		good = complain(output, "writing failed");
	release(output);
	return good;
}

void output_discard(struct output *output)
{
	if (output->fd != STDOUT_FILENO)
		close(output->fd);
	release(output);
}
