/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opening the device and its trees. What fails is told to the user, with what
 * he can do about it.
 */
#ifndef BLINKTREE_CLI_DEVICE_H
#define BLINKTREE_CLI_DEVICE_H

#include "../lib/blinktree.h"
#include "command.h"

/* NULL if it cannot be opened. */
struct blinktree_ctl *device_open(const struct args *args);

/* The tree that the first operand names; @flags: BLINK_TREE_OPEN_*. */
struct blinktree *device_open_tree(const struct args *args, unsigned int flags);

/* Likewise, for reading, writing or both: as much as its mode lets us. */
struct blinktree *device_open_tree_as_allowed(const struct args *args);

/* Tell what a tree's name met: its errors mean the same everywhere. */
enum status device_tree_error(const char *name, int error);

/* Tell of an error that an operation on an open tree met. */
enum status device_failed(const char *what, int error);

#endif /* BLINKTREE_CLI_DEVICE_H */
