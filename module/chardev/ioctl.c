// SPDX-License-Identifier: GPL-2.0
/*
 * Calling the handler of an ioctl: from the ioctl's number and the caller's
 * structure to the handler, and back. All checks that apply to every ioctl are
 * here. ioctl.h defines the terms.
 */
#include <linux/bits.h>
#include <linux/ioctl.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

#include "ioctl.h"

/* Find the row of an ioctl. The size in the number is ignored. */
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
 * blink_ioctl() - execute an ioctl
 * @file: the file of the call
 * @cmd: its number
 * @user: the caller's structure
 * @table: the ioctls that the file supports
 * @rows: how many
 *
 * Context: process context, of the caller.
 * Return: the result of the handler, or the error that prevented the call of
 * it.
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
 * blink_reply() - copy the structure back to the caller
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

/**
 * blink_ioctl_mask() - the mask of the numbers of some ioctls
 * @table: the ioctls
 * @rows: how many
 *
 * Context: any.
 * Return: the mask; all numbers are less than 64.
 */
u64 blink_ioctl_mask(const struct blink_ioctl *table, unsigned int rows)
{
	u64 mask = 0;

	while (rows--)
		mask |= BIT_ULL(_IOC_NR(table[rows].cmd));
	return mask;
}

/**
 * blink_element_valid() - whether a caller's element may have this size
 * @user_size: the size
 * @min_size: the size of the element's first version
 *
 * Context: any.
 * Return: false if the ioctl must fail with EINVAL.
 */
bool blink_element_valid(u32 user_size, size_t min_size)
{
	return user_size >= min_size && user_size <= BLINK_TREE_ELEMENT_MAX;
}

/**
 * blink_get_elements() - copy elements from a caller's array
 * @to: room for @nr elements of the module's version
 * @size: size of one of ours
 * @from: the caller's elements
 * @user_size: size of one of those
 * @nr: how many
 *
 * Context: process context, of the caller.
 * Return: 0, -EFAULT, or -E2BIG if an element has content that this module does
 * not know.
 */
int blink_get_elements(void *to, size_t size, const void __user *from,
		       u32 user_size, unsigned int nr)
{
	int err = 0;

	if (likely(user_size == size))
		return copy_from_user(to, from, nr * size) ? -EFAULT : 0;
	for (; nr && !err; nr--, to += size, from += user_size)
		err = copy_struct_from_user(to, size, from, user_size);
	return err;
}

/**
 * blink_put_elements() - copy elements to a caller's array
 * @to: the caller's elements
 * @user_size: size of one of those
 * @from: the elements of the module's version
 * @size: size of one of ours
 * @nr: how many
 *
 * Fields that the caller does not know are left out. Fields that this module
 * does not know are set to zero.
 *
 * Context: process context, of the caller.
 * Return: 0 or -EFAULT.
 */
int blink_put_elements(void __user *to, u32 user_size, const void *from,
		       size_t size, unsigned int nr)
{
	size_t common = min_t(size_t, size, user_size);

	if (likely(user_size == size))
		return copy_to_user(to, from, nr * size) ? -EFAULT : 0;
	for (; nr; nr--, to += user_size, from += size) {
		if (copy_to_user(to, from, common) ||
		    clear_user(to + common, user_size - common))
			return -EFAULT;
	}
	return 0;
}
