/* SPDX-License-Identifier: GPL-2.0 */
/* Files under /sys/kernel/debug/blink_tree. */
#ifndef BLINK_CHARDEV_DEBUGFS_H
#define BLINK_CHARDEV_DEBUGFS_H

void blink_debugfs_init(void);
void blink_debugfs_exit(void);

#endif /* BLINK_CHARDEV_DEBUGFS_H */
