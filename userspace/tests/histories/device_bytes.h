/* SPDX-License-Identifier: GPL-2.0 */
/* Trees of strings on the device, for device.c. */
#ifndef LINEAR_DEVICE_BYTES_H
#define LINEAR_DEVICE_BYTES_H

#include "blinktree.h"
#include "target.h"

void bytes_batch(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr);
int bytes_commit(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr);
int bytes_load(struct blinktree *tree, const struct blink_tree_entry *entries,
	       unsigned int nr, size_t *done);
int bytes_scan(struct blinktree *tree, const struct range *range,
	       struct blink_tree_entry *entries, unsigned int room);

#endif /* LINEAR_DEVICE_BYTES_H */
