/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A few *hot* keys, side by side in one leaf and without a symbol between them. All CPUs
 * store to them in batches.
 */
#ifndef BLINKTREE_MAIN_JOB_HOT_H
#define BLINKTREE_MAIN_JOB_HOT_H

#include "job.h"

#define HOT 4
#define HOT_BATCH 256

/* A store to the key with this number, and its result. */
struct hot_store {
	unsigned int key;
	__u64 value;
	__u64 old;
	int result;
};

/* Execute HOT_BATCH stores in a tree with numbers, and in one with strings, as keys. */
void hot_store_numbers(struct blinktree *tree, struct hot_store *stores);
void hot_store_names(struct blinktree *tree, struct hot_store *stores);

/* Erase a key in a tree of either kind. Returns its value. */
__u64 hot_erase(struct blinktree *tree, unsigned int key);

#endif /* BLINKTREE_MAIN_JOB_HOT_H */
