// SPDX-License-Identifier: GPL-2.0
/* The calls into the kernel: one ioctl, with errno as a return value. */
#include <sys/ioctl.h>

#include "internal.h"

int blinktree_call(int fd, unsigned long request, void *arg)
{
	int ret = ioctl(fd, request, arg);

	return ret < 0 ? -errno : ret;
}

int blinktree_copy_name(char to[BLINK_TREE_NAME_MAX], const char *name)
{
	size_t len = strlen(name);

	if (len >= BLINK_TREE_NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(to, name, len + 1);
	return 0;
}
