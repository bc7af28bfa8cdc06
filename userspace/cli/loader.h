/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Storing many entries through a few threads. The entries of one key always go
 * to the same thread and it stores them in their order, so of several values
 * for a key the last one stays.
 */
#ifndef BLINKTREE_CLI_LOADER_H
#define BLINKTREE_CLI_LOADER_H

#include <stdbool.h>

#include "../lib/blinktree.h"

struct loader;

struct loader_result {
	__u64 added;
	__u64 overwritten;
	/* The first error, or 0; and the key that met it. */
	int error;
	__u64 key;
};

/**
 * loader_start() - start the threads
 * @tree: where to store
 * @jobs: how many threads
 * @batch: entries per system call
 * @fill: 0; or percent of a leaf to fill, if keys ascend and none is there yet,
 *	for one thread
 *
 * Return: the loader; NULL if there is no memory or no thread.
 */
struct loader *loader_start(struct blinktree *tree, unsigned int jobs,
			    size_t batch, unsigned int fill);

/* Store an entry, now or soon. False: one failed, more makes no sense. */
bool loader_add(struct loader *loader, const struct blink_tree_entry *entry);

/* Store what is left, stop the threads, say what was done. */
struct loader_result loader_finish(struct loader *loader);

#endif /* BLINKTREE_CLI_LOADER_H */
