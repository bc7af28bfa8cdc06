// SPDX-License-Identifier: GPL-2.0
/*
 * Following a path (place.h). The *rest* is the part of the path that was not followed
 * yet. The text of a link is put before it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "place.h"

/* The links that the kernel follows in one path. */
#define LINKS_MAX 40

struct walk {
	struct place *place;
	char rest[2 * PATH_MAX];
	unsigned int links;
};

/* The kernel's rule: may_follow_link(). */
static bool is_foreign(int directory, const struct stat *file)
{
	struct stat stat_;

	if (file->st_uid == geteuid())
		return false;
	if (fstat(directory, &stat_))
		return true;
	return (stat_.st_mode & S_ISVTX) && (stat_.st_mode & 0002) &&
	       file->st_uid != stat_.st_uid;
}

bool place_is_foreign(const struct place *place, const struct stat *stat_)
{
	return is_foreign(place->directory, stat_);
}

/* The file behind the last link would be replaced, so this needs more trust. */
static bool may_follow(const struct walk *walk, const struct stat *link)
{
	if (walk->rest[0])
		return !is_foreign(walk->place->directory, link);
	return !link->st_uid || link->st_uid == geteuid();
}

static bool is_in_proc(int directory)
{
	struct statfs statfs_;

	return !fstatfs(directory, &statfs_) &&
	       statfs_.f_type == PROC_SUPER_MAGIC;
}

/* Go on in another directory. @flags is O_NOFOLLOW, or 0. False with errno set. */
static bool enter(struct walk *walk, const char *name, int flags)
{
	int fd = openat(walk->place->directory, name,
			O_PATH | O_DIRECTORY | O_CLOEXEC | flags);

	if (fd < 0)
		return false;
	place_close(walk->place);
	walk->place->directory = fd;
	return true;
}

static void drop(struct walk *walk, size_t len)
{
	memmove(walk->rest, walk->rest + len, strlen(walk->rest + len) + 1);
}

/* Move the first name of the rest to the place; "." if there is none. */
static bool take_name(struct walk *walk)
{
	size_t len;

	drop(walk, strspn(walk->rest, "/"));
	len = strcspn(walk->rest, "/");
	if (len > NAME_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(walk->place->name, len ? walk->rest : ".", len ?: 1);
	walk->place->name[len ?: 1] = '\0';
	drop(walk, len);
	return true;
}

/* Put a text before the rest. An absolute one begins at the root. */
static bool prepend(struct walk *walk, const char *text, size_t len)
{
	size_t rest = strlen(walk->rest);

	if (len + rest >= sizeof(walk->rest)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memmove(walk->rest + len, walk->rest, rest + 1);
	memcpy(walk->rest, text, len);
	return walk->rest[0] != '/' || enter(walk, "/", 0);
}

static bool follow(struct walk *walk, int link)
{
	char text[PATH_MAX];
	ssize_t len = readlinkat(link, "", text, sizeof(text));

	if (len < 0)
		return false;
	if (++walk->links > LINKS_MAX) {
		errno = ELOOP;
		return false;
	}
	return prepend(walk, text, len);
}

/*
 * Follow the name at the place, of which @fd is the file and @file its status. Another user
 * can exchange the name meanwhile, so the link that is read is @fd. False with errno set.
 */
static bool follow_name(struct walk *walk, int fd, const struct stat *file)
{
	if (!S_ISLNK(file->st_mode))
		return !walk->rest[0] ||
		       enter(walk, walk->place->name, O_NOFOLLOW);
	if (!may_follow(walk, file)) {
		errno = EACCES;
		return false;
	}
	if (!is_in_proc(walk->place->directory))
		return follow(walk, fd);
	walk->place->magic = !walk->rest[0];
	return walk->place->magic || enter(walk, walk->place->name, 0);
}

/* Close a descriptor and keep errno. */
static void release(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
}

static bool walk_path(struct walk *walk)
{
	struct place *place = walk->place;
	struct stat file;
	bool followed;
	int fd;

	do {
		if (!take_name(walk))
			return false;
		fd = openat(place->directory, place->name,
			    O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return errno == ENOENT && !walk->rest[0];
		followed = !fstat(fd, &file) && follow_name(walk, fd, &file);
		release(fd);
		if (!followed)
			return false;
	} while (walk->rest[0] || (S_ISLNK(file.st_mode) && !place->magic));
	return true;
}

bool place_find(const char *path, struct place *place)
{
	struct walk walk = { .place = place };

	place->magic = false;
	/* The current directory may be one that the caller cannot search. */
	place->directory = open(path[0] == '/' ? "/" : ".",
				O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (place->directory < 0)
		return false;
	if (!path[0])
		errno = ENOENT;
	else if (prepend(&walk, path, strlen(path)) && walk_path(&walk))
		return true;
	place_close(place);
	return false;
}

void place_close(const struct place *place)
{
	release(place->directory);
}
