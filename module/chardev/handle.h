/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: handles
 *
 * A *handle* names a tree to BPF programs. A descriptor of the tree gets one by an
 * ioctl. The handle has the access of this descriptor, and ends when it is closed.
 *
 * BPF programs know the *number* of a handle. Its last 10 bits are the *slot* of the handle
 * in a table. The 54 bits before them are the *generation*, which is random, so that no
 * program can compute the number of another handle from its own, or find it by trying. It
 * differs from that of the handle before it in the slot, so a number that was valid a
 * moment ago leads to no other tree.
 *
 * The table is read under RCU. A handle holds a reference to its object, and drops it
 * one grace period after the handle has left its slot. So a reader that has found a tree
 * by a handle can use the tree until its RCU read section ends.
 */
#ifndef BLINK_CHARDEV_HANDLE_H
#define BLINK_CHARDEV_HANDLE_H

#include <linux/fs.h>
#include <linux/workqueue.h>

#include "ioctl.h"

struct blink_tree;
struct mem_cgroup;

/**
 * struct blink_handle - a handle
 * @number: its number
 * @tree: the tree of @object
 * @mode: FMODE_* of the descriptor
 * @object: the object, with a reference
 * @payer: the memory control group of the process that got the handle, with a
 *	reference; it is charged with the memory that programs add to the tree
 * @file: the descriptor's file
 * @end: drops the references, a grace period after the handle has left its slot
 */
struct blink_handle {
	u64 number;
	struct blink_tree *tree;
	fmode_t mode;
	struct blink_object *object;
	struct mem_cgroup *payer;
	const struct file *file;
	struct rcu_work end;
};

long blink_handle_call(struct blink_call *call);
void blink_handle_close(struct file *file);
const struct blink_handle *blink_handle_find(u64 number, fmode_t mode);
void blink_handles_enable(void);
bool blink_handles_enabled(void);
void blink_handles_exit(void);

#endif /* BLINK_CHARDEV_HANDLE_H */
