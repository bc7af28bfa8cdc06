/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blink_tree: the leaves whose locks writers wait for. <linux/blink_tree.h> includes this
 * file.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_HOT_H
#define _UAPI_LINUX_BLINK_TREE_HOT_H

#include <linux/types.h>

/* The most leaves that a call returns, and the most bytes of a key of each. */
#define BLINK_TREE_HOT_LEAVES_MAX 64
#define BLINK_TREE_HOT_KEY_MAX 32

/**
 * struct blink_tree_hot_leaf - a leaf whose lock writers waited for
 * @heat: how often they waited of late, 1 to 255: 8 more for each writer that waited, 1
 *	less for each one that did not; a leaf with several keys is split at 128
 * @keys: number of its keys
 * @nid: NUMA node whose memory the leaf occupies
 * @low_length: length of the lower bound of its keys; @low has all of its bytes, or the
 *	first BLINK_TREE_HOT_KEY_MAX of them
 * @low: the bound, as the key of a record (struct blink_tree_record): no key of the leaf
 *	is less; the bytes behind it are zero
 */
struct blink_tree_hot_leaf {
	__u32 heat;
	__u32 keys;
	__u32 nid;
	__u32 low_length;
	__u8 low[BLINK_TREE_HOT_KEY_MAX];
};

/**
 * struct blink_tree_ioc_hot_leaves - BLINK_TREE_IOC_HOT_LEAVES, on a tree that is open for
 *	reading: its hottest leaves
 * @flags: must be zero
 * @capacity: room at @leaves, in elements, 1 to BLINK_TREE_HOT_LEAVES_MAX
 * @leaves: address of an array of struct blink_tree_hot_leaf
 * @leaf_size: sizeof(struct blink_tree_hot_leaf) of the caller
 * @known: out: bytes of an element that the module knows
 * @count: out: number of elements written
 * @__reserved: must be zero
 *
 * The elements are those leaves of the tree that have the most heat, in descending order
 * of it. Leaves without heat are left out. The ioctl reads every leaf of the tree, as a
 * search does. While other processes modify the tree, heat and number of keys of a leaf
 * are those of two moments, and a leaf can be missed, or come twice.
 *
 * Return: 0. EINVAL also for a @capacity out of its range. EINTR for a fatal signal only,
 * also during the walk. After an error @count is unchanged, and after EFAULT elements may
 * have been written.
 */
struct blink_tree_ioc_hot_leaves {
	__u32 flags;
	__u32 capacity;
	__u64 leaves;
	__u32 leaf_size;
	__u32 known;
	__u32 count;
	__u32 __reserved;
};

#endif /* _UAPI_LINUX_BLINK_TREE_HOT_H */
