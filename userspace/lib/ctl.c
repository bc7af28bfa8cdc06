// SPDX-License-Identifier: GPL-2.0
/*
 * The control handle. Opening it fails unless the module has all ioctls and operations
 * that this library uses, so later calls need no check. An older module can answer
 * too, but with other structures.
 */
#include <fcntl.h>
#include <unistd.h>

#include "internal.h"

/* The library uses all ioctls and all operations up to these. */
#define NEEDED_IOCTLS ((2ULL << _IOC_NR(BLINK_TREE_IOC_RECORD_ERASE)) - 1)
#define NEEDED_OPCODES ((2ULL << BLINK_TREE_OP_ADD_SATURATE) - 1)

const char *blinktree_version(void)
{
	return BLINKTREE_VERSION;
}

static int read_info(int fd, struct blink_tree_ioc_info *info)
{
	int err = blinktree_call(fd, BLINK_TREE_IOC_INFO, info);

	if (err)
		return err;
	if (info->known < sizeof(*info) ||
	    (info->ioctls & NEEDED_IOCTLS) != NEEDED_IOCTLS ||
	    (info->opcodes & NEEDED_OPCODES) != NEEDED_OPCODES)
		return -EPROTO;
	return 0;
}

/* CREATE and UNLINK need a device that is open for writing; LIST and OPEN do not. */
static int open_device(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EPERM || errno == EROFS))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd;
}

int blinktree_ctl_open(const char *device, struct blinktree_ctl **ctl)
{
	struct blinktree_ctl *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	new->fd = open_device(device ?: BLINK_TREE_DEVICE);
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

const struct blink_tree_ioc_info *
blinktree_ctl_info(const struct blinktree_ctl *ctl)
{
	return &ctl->info;
}
