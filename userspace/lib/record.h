/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records in memory, in the form of <linux/blink_tree.h>: a header, then key, value and
 * old, each padded with zero bytes to a multiple of 8 bytes.
 */
#ifndef BLINKTREE_RECORD_H
#define BLINKTREE_RECORD_H

#include "internal.h"

/* The longest keys and values of any kind of tree, and the longest record of them. */
#define KEY_MAX 1024
#define VALUE_MAX 4096
#define RECORD_MAX (sizeof(struct blink_tree_record) + KEY_MAX + 2 * VALUE_MAX)

/* The number of bytes that a record takes; 0 if a key or a value is too long. */
size_t blinktree_record_size(const struct blinktree_record *record);

/* Write a record, whose size is not 0. */
void blinktree_record_write(void *to, const struct blinktree_record *record);

/*
 * Read a record that the kernel has written. Key and values stay in it.
 * Return: its size.
 */
size_t blinktree_record_read(const void *from, struct blinktree_record *record);

/*
 * Erase the values of a key that an ERASE has left (BLINK_TREE_RECORD_MORE). They are a range,
 * which is passed once, so that other writers cannot prolong it for ever. *@sum is their number.
 */
int blinktree_erase_rest(struct blinktree *tree, const void *key,
			 size_t key_length, __u64 *sum);

#endif /* BLINKTREE_RECORD_H */
