// SPDX-License-Identifier: GPL-2.0
/*
 * The control handle. It is only given out for a device whose module speaks
 * our version of the contract, so that no later call needs to ask.
 */
#include <fcntl.h>
#include <unistd.h>

#include "internal.h"

const char *blinktree_version(void)
{
	return BLINKTREE_VERSION;
}

static int read_info(int fd, struct blink_ioc_info *info)
{
	int err = blinktree_call(fd, BLINK_IOC_INFO, info);

	if (err)
		return err;
	return info->abi == BLINK_ABI ? 0 : -EPROTO;
}

int blinktree_ctl_open(const char *device, struct blinktree_ctl **ctl)
{
	struct blinktree_ctl *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	/* Its ioctls ask for no mode: what counts is the mode of a tree. */
	new->fd = open(device ?: BLINK_DEVICE, O_RDWR | O_CLOEXEC);
	if (new->fd < 0) {
		err = -errno;
		goto err_free;
	}
	err = read_info(new->fd, &new->info);
	if (err)
		goto err_close;
	*ctl = new;
	return 0;

err_close:
	close(new->fd);
err_free:
	free(new);
	return err;
}

void blinktree_ctl_close(struct blinktree_ctl *ctl)
{
	if (!ctl)
		return;
	close(ctl->fd);
	free(ctl);
}

int blinktree_ctl_fd(const struct blinktree_ctl *ctl)
{
	return ctl->fd;
}

const struct blink_ioc_info *blinktree_ctl_info(const struct blinktree_ctl *ctl)
{
	return &ctl->info;
}
