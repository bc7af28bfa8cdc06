/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opening the device and its trees. These functions tell the user about an error, and
 * how to mend it.
 */
#ifndef BLINKTREE_CLI_DEVICE_H
#define BLINKTREE_CLI_DEVICE_H

#include "../lib/blinktree.h"
#include "command.h"

/* Open the device. NULL after a message. */
struct blinktree_ctl *device_open(const struct args *args);

/*
 * Open a tree, which must belong to the user that --owner names, if it does. Returns 0 or
 * a negative errno, for device_not_opened().
 */
int device_open_named(const struct args *args, struct blinktree_ctl *ctl,
		      const char *name, unsigned int flags,
		      struct blinktree **tree);

/* Explain an error of device_open_named(). */
enum status device_not_opened(const struct args *args, const char *name,
			      int error);

/*
 * Open the tree that the first operand names; @flags are BLINK_TREE_OPEN_*. Not STATUS_OK:
 * after a message.
 */
enum status device_open_tree(const struct args *args, unsigned int flags,
			     struct blinktree **tree);

/* The same, with as much access as the mode of the tree allows. */
enum status device_open_tree_as_allowed(const struct args *args,
					struct blinktree **tree);

/* Explain an error of an ioctl on a tree's name or attributes. */
enum status device_tree_error(const char *name, int error);

/* Explain an error of an operation on an open tree. */
enum status device_failed(const char *what, int error);

#endif /* BLINKTREE_CLI_DEVICE_H */
