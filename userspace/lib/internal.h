/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations that the files of libblinktree share. They are not exported. */
#ifndef BLINKTREE_INTERNAL_H
#define BLINKTREE_INTERNAL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "blinktree_bytes.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct blinktree_ctl {
	int fd;
	struct blink_tree_ioc_info info;
};

struct blinktree {
	int fd;
};

/* Call an ioctl. Returns its return value, or a negative errno. */
int blinktree_call(int fd, unsigned long request, void *arg);

/* Copy the name of a tree into a request. Returns 0 or -ENAMETOOLONG. */
int blinktree_copy_name(char to[BLINK_TREE_NAME_MAX], const char *name);

#endif /* BLINKTREE_INTERNAL_H */
