/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the dispatch of an ioctl
 *
 * A *call* is one ioctl under way: a copy of the caller's structure, and the
 * file and the address that it came from. An ioctl's number contains the size
 * of the caller's structure, which can be older (shorter) or newer (longer)
 * than the module's. The number without its size selects a *row* in a table of
 * the ioctls that a file supports.
 *
 * A handler *replies* by copying the structure back. A handler that changes a
 * tree or reports its progress also replies once before it begins: a caller
 * whose structure cannot be written gets the error while nothing has been done.
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
	struct blink_tree_ioc_records records;
	struct blink_tree_ioc_record_scan record_scan;
	struct blink_tree_ioc_record_erase record_erase;
	struct blink_tree_ioc_stats stats;
	struct blink_tree_ioc_levels levels;
	struct blink_tree_ioc_hot_leaves hot_leaves;
	struct blink_tree_ioc_verify verify;
	struct blink_tree_ioc_bpf_handle bpf_handle;
	struct blink_tree_ioc_watch watch;
	struct blink_tree_ioc_range range;
};

/**
 * struct blink_call - one ioctl under way
 * @file: the file of the call
 * @user: the caller's structure
 * @common: bytes of it that both the caller and the module know
 * @arg: the module's copy; fields that the caller does not know are zero
 */
struct blink_call {
	struct file *file;
	void __user *user;
	size_t common;
	union blink_arg arg;
};

/**
 * struct blink_ioctl - a row of the table, for one ioctl
 * @cmd: its number, with the size of the module's structure
 * @mode: FMODE_* that the file must have
 * @size: size of its structure
 * @min_size: size of the structure's first version
 * @execute: its handler, in process context of the caller; the UAPI lists its errors
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
 * Elements of arrays have a size in the caller's version (@user_size, valid)
 * and one in the module's version (@size).
 */
bool blink_element_valid(u32 user_size, size_t min_size);
int blink_get_elements(void *to, size_t size, const void __user *from,
		       u32 user_size, unsigned int nr);
int blink_put_elements(void __user *to, u32 user_size, const void *from,
		       size_t size, unsigned int nr);

#endif /* BLINK_CHARDEV_IOCTL_H */
