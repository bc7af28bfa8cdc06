/* SPDX-License-Identifier: GPL-2.0 */
/* The misc device. */
#ifndef BLINK_CHARDEV_DEVICE_H
#define BLINK_CHARDEV_DEVICE_H

int blink_device_init(void);
void blink_device_exit(void);

#endif /* BLINK_CHARDEV_DEVICE_H */
