// SPDX-License-Identifier: GPL-2.0
/*
 * A tree of root's, which the worker without rights tries to open, to change and
 * to unlink, and must not.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "shared.h"

#define NAME "fuzz.private"
#define KEYS 100

int private_make(__u64 *id)
{
	struct blink_tree_ioc_create arg = { .mode = 0600, .name = NAME };
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_INSERT };
	struct blink_tree_ioc_attr attr = {};
	int device = open(BLINK_TREE_DEVICE, O_RDWR | O_CLOEXEC), tree, err = 0;

	if (device < 0)
		return -1;
	tree = ioctl(device, BLINK_TREE_IOC_CREATE, &arg);
	for (op.key = 0; tree >= 0 && !err && op.key < KEYS; op.key++) {
		op.value = ~op.key;
		err = ioctl(tree, BLINK_TREE_IOC_OP, &op);
	}
	if (tree >= 0 && !err)
		err = ioctl(tree, BLINK_TREE_IOC_ATTR, &attr);
	*id = attr.id;
	if (tree >= 0)
		close(tree);
	return tree < 0 || err ? -1 : device;
}

bool private_intact(int device)
{
	struct blink_tree_ioc_open arg = { .flags = BLINK_TREE_OPEN_READ,
					   .name = NAME };
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP };
	struct blink_tree_ioc_stats stats = {};
	int tree = ioctl(device, BLINK_TREE_IOC_OPEN, &arg);
	bool intact;

	intact = tree >= 0 && !ioctl(tree, BLINK_TREE_IOC_STATS, &stats) &&
		 stats.entries == KEYS && stats.inserts == KEYS &&
		 !stats.erases;
	for (op.key = 0; intact && op.key < KEYS; op.key++)
		intact = !ioctl(tree, BLINK_TREE_IOC_OP, &op) &&
			 op.value == ~op.key;
	if (tree >= 0)
		close(tree);
	return intact;
}

void private_unlink(int device)
{
	struct blink_tree_ioc_unlink arg = { .name = NAME };

	ioctl(device, BLINK_TREE_IOC_UNLINK, &arg);
	close(device);
}
