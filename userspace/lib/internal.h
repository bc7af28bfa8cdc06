/* SPDX-License-Identifier: GPL-2.0 */
/* What the objects of libblinktree share and nobody else may see. */
#ifndef BLINKTREE_INTERNAL_H
#define BLINKTREE_INTERNAL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "blinktree.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct blinktree_ctl {
	int fd;
	struct blink_tree_ioc_info info;
};

struct blinktree {
	int fd;
};

/* An ioctl; returns what it returned or a negative errno. */
int blinktree_call(int fd, unsigned long request, void *arg);

/* Copy a tree's name into a request; -ENAMETOOLONG. */
int blinktree_copy_name(char to[BLINK_TREE_NAME_MAX], const char *name);

#endif /* BLINKTREE_INTERNAL_H */
