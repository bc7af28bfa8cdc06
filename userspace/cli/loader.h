/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Storing many entries with a few threads. The entries of one key always go to the
 * same thread, which stores them in their order. The last value of a key stays.
 */
#ifndef BLINKTREE_CLI_LOADER_H
#define BLINKTREE_CLI_LOADER_H

#include <stdbool.h>

#include "operation.h"

struct loader;

struct loader_result {
	__u64 added;
	__u64 overwritten;
	/* The first error, or 0, and the key of the entry that failed. */
	int error;
	struct key key;
};

/**
 * loader_start() - start the threads
 * @tree: the tree
 * @kind: the kind of its keys
 * @jobs: number of threads
 * @batch: entries per system call
 * @fill: percent of a leaf to fill, for one thread and ascending keys that are
 *	absent from the tree; or 0
 *
 * Return: the loader; NULL if there is no memory, or no thread can start.
 */
struct loader *loader_start(struct blinktree *tree, unsigned int kind,
			    unsigned int jobs, size_t batch, unsigned int fill);

/* Store an entry, now or soon. False if an entry has failed: stop then. */
bool loader_add(struct loader *loader, const struct entry *entry);

/* Store the remaining entries, stop the threads, and return the result. */
struct loader_result loader_finish(struct loader *loader);

#endif /* BLINKTREE_CLI_LOADER_H */
