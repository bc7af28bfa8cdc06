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

/* Execute an ioctl, if it is in the table of those that the file supports. */
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

/* Copy the structure back to the caller. Returns 0 or -EFAULT. */
int blink_reply(struct blink_call *call)
{
	if (copy_to_user(call->user, &call->arg, call->common))
		return -EFAULT;
	return 0;
}

/* The mask of the numbers of some ioctls. All numbers are less than 64. */
u64 blink_ioctl_mask(const struct blink_ioctl *table, unsigned int rows)
{
	u64 mask = 0;

	while (rows--)
		mask |= BIT_ULL(_IOC_NR(table[rows].cmd));
	return mask;
}

/* Whether a caller's element may have this size; otherwise the ioctl fails with EINVAL. */
bool blink_element_valid(u32 user_size, size_t min_size)
{
	return user_size >= min_size && user_size <= BLINK_TREE_ELEMENT_MAX;
}

/*
 * Copy @nr elements from a caller's array. Returns 0, -EFAULT, or -E2BIG if an element has
 * content that this module does not know.
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

/*
 * Copy @nr elements to a caller's array, without the fields that the caller does not know.
 * Fields that this module does not know are set to zero. Returns 0 or -EFAULT.
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
