/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The place of a file that is written: an open directory and a name in it. All
 * steps use the descriptor, so another process that exchanges the directory changes nothing.
 */
#ifndef BLINKTREE_CLI_PLACE_H
#define BLINKTREE_CLI_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/**
 * struct place - the place of a file
 * @directory: descriptor of its directory, with O_PATH
 * @name: its name, which is no symbolic link that is text
 * @magic: the name is a link of /proc, which only the kernel can follow
 */
struct place {
	int directory;
	char name[NAME_MAX + 1];
	bool magic;
};

/**
 * place_find() - find the place to which a path leads
 * @path: the path; the file need not exist
 * @place: the place; release it with place_close()
 *
 * The function follows symbolic links, one by one. It follows a link to the file itself
 * only if the link belongs to the caller or to root. It follows a link to a directory as
 * the kernel does if the sysctl fs.protected_symlinks is 1: in a directory with the sticky
 * bit, in which others can write, it must belong to the caller or to the directory's
 * owner.
 *
 * Return: false with errno set, EACCES for a link of another user.
 */
bool place_find(const char *path, struct place *place);

/**
 * place_is_foreign() - whether another user may have prepared a file
 * @place: the place
 * @stat_: the status of the file there
 *
 * Return: true if the directory has the sticky bit, others can write in it, and the file
 * belongs neither to the caller nor to the directory's owner.
 */
bool place_is_foreign(const struct place *place, const struct stat *stat_);

void place_close(const struct place *place);

#endif /* BLINKTREE_CLI_PLACE_H */
