/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the way of an ioctl
 *
 * A *call* is one ioctl under way: the caller's structure, copied in, and where
 * it came from. An ioctl's number encodes the size of the caller's structure,
 * which may be older (shorter) or newer (longer) than ours; so it is dispatched
 * on the number's other fields, by a table with one *row* for each ioctl that a
 * file takes.
 *
 * A handler *replies* by copying the structure back. One that changes a tree or
 * tells how far it came replies once before it starts too: whoever passed a
 * structure that cannot be written learns so while nothing was done yet.
 */
#ifndef BLINK_CHARDEV_IOCTL_H
#define BLINK_CHARDEV_IOCTL_H

#include <linux/build_bug.h>
#include <linux/fs.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

union blink_arg {
	struct blink_tree_ioc_info info;
	struct blink_tree_ioc_create create;
	struct blink_tree_ioc_open open;
	struct blink_tree_ioc_unlink unlink;
	struct blink_tree_ioc_list list;
	struct blink_tree_ioc_op op;
	struct blink_tree_ioc_attr attr;
	struct blink_tree_ioc_batch batch;
	struct blink_tree_ioc_scan scan;
	struct blink_tree_ioc_load load;
	struct blink_tree_ioc_stats stats;
	struct blink_tree_ioc_levels levels;
	struct blink_tree_ioc_verify verify;
};

/**
 * struct blink_call - one ioctl under way
 * @file: the file it is for
 * @user: the caller's structure
 * @common: bytes of it that caller and kernel both know
 * @arg: the kernel's copy; what the caller does not know is zero
 */
struct blink_call {
	struct file *file;
	void __user *user;
	size_t common;
	union blink_arg arg;
};

/**
 * struct blink_ioctl - a row: one ioctl
 * @cmd: its number, for a structure of our size
 * @mode: FMODE_* that the file must have
 * @size: size of its structure
 * @min_size: size of the structure's first version
 * @execute: its handler
 */
struct blink_ioctl {
	unsigned int cmd;
	fmode_t mode;
	size_t size;
	size_t min_size;
	long (*execute)(struct blink_call *call);
};

/* A row; @_last is the last member that @_struct had in its first version. */
#define BLINK_IOCTL(_cmd, _struct, _last, _mode, _execute)          \
	{                                                           \
		.cmd = (_cmd),                                      \
		.mode = (_mode),                                    \
		.size = sizeof(_struct) +                           \
			BUILD_BUG_ON_ZERO(sizeof(_struct) >         \
					  sizeof(union blink_arg)), \
		.min_size = offsetofend(_struct, _last),            \
		.execute = (_execute),                              \
	}

long blink_ioctl(struct file *file, unsigned int cmd, void __user *user,
		 const struct blink_ioctl *table, unsigned int rows);
int blink_reply(struct blink_call *call);

u64 blink_ioctl_mask(const struct blink_ioctl *table, unsigned int rows);

/*
 * Elements of arrays, which have a size for the caller (@user_size, valid) and
 * one for us (@size).
 */
bool blink_element_valid(u32 user_size, size_t min_size);
int blink_get_elements(void *to, size_t size, const void __user *from,
		       u32 user_size, unsigned int nr);
int blink_put_elements(void __user *to, u32 user_size, const void *from,
		       size_t size, unsigned int nr);

#endif /* BLINK_CHARDEV_IOCTL_H */
