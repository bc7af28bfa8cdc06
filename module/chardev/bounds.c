// SPDX-License-Identifier: GPL-2.0
/* The parts that ranges of records (bounds.h) of all kinds of keys share. */
#include <linux/blink_tree_value.h>
#include <linux/errno.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../core/core.h"
#include "bounds.h"
#include "tree_file.h"

/*
 * Both structures begin with the same members, so the union blink_arg has them under
 * both names. Their flags are the same numbers.
 */
#define SAME(member)                                                         \
	static_assert(offsetof(struct blink_tree_ioc_record_scan, member) == \
		      offsetof(struct blink_tree_ioc_record_erase, member))
SAME(flags);
SAME(first);
SAME(last);
SAME(first_length);
SAME(last_length);

static_assert(BLINK_BOUNDS_FIRST_OPEN == BLINK_TREE_RECORD_SCAN_FIRST_OPEN);
static_assert(BLINK_BOUNDS_LAST_OPEN == BLINK_TREE_RECORD_SCAN_LAST_OPEN);
static_assert(BLINK_BOUNDS_PREFIX == BLINK_TREE_RECORD_SCAN_PREFIX);
static_assert(BLINK_BOUNDS_DONE == BLINK_TREE_RECORD_SCAN_DONE);

#define OPEN (BLINK_BOUNDS_FIRST_OPEN | BLINK_BOUNDS_LAST_OPEN)

/* The caller's structure. */
struct blink_tree_ioc_record_erase *blink_bounds_arg(struct blink_bounds *range)
{
	return &range->call->arg.record_erase;
}

static bool flags_valid(const struct blink_tree_ioc_record_erase *arg)
{
	return !(arg->flags & BLINK_BOUNDS_PREFIX) ||
	       (!(arg->flags & OPEN) && !arg->last_length);
}

/**
 * blink_bounds_begin() - begin with the range of a call
 * @range: set to the range; @range->done if no entry is left
 * @call: the ioctl, BLINK_TREE_IOC_RECORD_SCAN or BLINK_TREE_IOC_RECORD_ERASE; its flags
 *	are known
 * @desc: scan from the end to the begin
 *
 * Context: process context, of the caller.
 * Return: 0, and blink_bounds_end() must follow; -EINVAL, -EFAULT or -ENOMEM.
 */
int blink_bounds_begin(struct blink_bounds *range, struct blink_call *call,
		       bool desc)
{
	static const struct blink_bounds_kind *const kinds[] = {
		[BLINK_TREE_KEY_U64] = &blink_bounds_u64,
		[BLINK_TREE_KEY_U128] = &blink_bounds_u128,
		[BLINK_TREE_KEY_MULTI] = &blink_bounds_u128,
		[BLINK_TREE_KEY_BYTES] = &blink_bounds_bytes,
	};
	struct blink_tree_ioc_record_erase *arg = &call->arg.record_erase;
	int err;

	*range = (struct blink_bounds){
		.call = call,
		.tree = blink_file_tree(call->file),
		.key = blink_file_key(call->file),
		.desc = desc,
		.done = arg->flags & BLINK_BOUNDS_DONE,
	};
	range->kind = kinds[range->key];
	if (!flags_valid(arg))
		return -EINVAL;
	err = range->kind->get(range);
	if (err)
		return err;
	if (range->done)
		arg->flags |= BLINK_BOUNDS_DONE;
	if (!blink_reply(call))
		return 0;
	range->kind->free(range);
	return -EFAULT;
}

/*
 * Write the rest of a range as the bounds of its call. A range that was done at its begin
 * stays as it is. So do the bounds of a descriptor that is open for writing only: the rest
 * of a range begins at a key of the tree. Returns @err; otherwise 0 or -EFAULT.
 */
int blink_bounds_end(struct blink_bounds *range, int err)
{
	struct blink_tree_ioc_record_erase *arg = blink_bounds_arg(range);

	if (!err && !(arg->flags & BLINK_BOUNDS_DONE)) {
		if (range->done)
			arg->flags |= BLINK_BOUNDS_DONE;
		if (range->call->file->f_mode & FMODE_READ) {
			arg->flags &= ~(OPEN | BLINK_BOUNDS_PREFIX);
			err = range->kind->put(range);
		}
		err = err ?: blink_reply(range->call);
	}
	range->kind->free(range);
	return err;
}

/*
 * The field for a value, or for the handle of a value of bytes, in the context of
 * blink_value().
 */
struct blink_field blink_bounds_value(const struct blink_bounds *range,
				      const u64 *value)
{
	if (!blink_tree_byte_values(range->tree))
		return blink_field_of(value);
	return (struct blink_field){
		.data = blink_value(*value)->data,
		.length = blink_value(*value)->length,
	};
}

/* Read a bound of the caller; the room behind it becomes zero. */
int blink_bound_read(void *bound, size_t room, u64 user, u32 length)
{
	if (length > room)
		return -EINVAL;
	memset(bound + length, 0, room - length);
	return copy_from_user(bound, u64_to_user_ptr(user), length) ? -EFAULT :
								      0;
}

/* Write a bound of the caller. */
int blink_bound_write(u64 user, const void *bound, size_t length)
{
	return copy_to_user(u64_to_user_ptr(user), bound, length) ? -EFAULT : 0;
}
