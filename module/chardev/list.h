/* SPDX-License-Identifier: GPL-2.0 */
/* The list of named trees. */
#ifndef BLINK_CHARDEV_LIST_H
#define BLINK_CHARDEV_LIST_H

#include "ioctl.h"

long blink_list_call(struct blink_call *call);

#endif /* BLINK_CHARDEV_LIST_H */
