// SPDX-License-Identifier: GPL-2.0
/*
 * From an ioctl's number and the caller's structure to its handler, and back.
 * Everything that holds for all ioctls is checked here; see ioctl.h for the
 * vocabulary.
 */
#include <linux/ioctl.h>
#include <linux/uaccess.h>

#include "ioctl.h"

/* All of the number counts but the size. */
static const struct blink_ioctl *
find_row(unsigned int cmd, const struct blink_ioctl *table, unsigned int rows)
{
	const struct blink_ioctl *row;

	for (row = table; row < table + rows; row++) {
		if (!((row->cmd ^ cmd) & ~IOCSIZE_MASK))
			return row;
	}
	return NULL;
}

/**
 * blink_ioctl() - do what an ioctl asks for
 * @file: the file it came on
 * @cmd: its number
 * @user: the caller's structure
 * @table: the ioctls that the file takes
 * @rows: how many
 *
 * Context: process context, of the caller.
 * Return: what the handler returns, or the error that kept it from running.
 */
long blink_ioctl(struct file *file, unsigned int cmd, void __user *user,
		 const struct blink_ioctl *table, unsigned int rows)
{
	const struct blink_ioctl *row = find_row(cmd, table, rows);
	size_t user_size = _IOC_SIZE(cmd);
	struct blink_call call;
	int err;

	if (!row)
		return -ENOTTY;
	if (user_size < row->min_size)
		return -EINVAL;
	if ((file->f_mode & row->mode) != row->mode)
		return -EBADF;

	call.file = file;
	call.user = user;
	call.common = min(user_size, row->size);
	err = copy_struct_from_user(&call.arg, row->size, user, user_size);
	if (err)
		return err;
	return row->execute(&call);
}

/**
 * blink_reply() - give the caller its structure back
 * @call: the ioctl
 *
 * Context: process context, of the caller.
 * Return: 0, or -EFAULT.
 */
int blink_reply(struct blink_call *call)
{
	if (copy_to_user(call->user, &call->arg, call->common))
		return -EFAULT;
	return 0;
}
