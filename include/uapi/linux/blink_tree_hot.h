/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blink_tree: the levels of a tree, and the leaves whose locks writers wait for.
 * <linux/blink_tree.h> includes this file.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_HOT_H
#define _UAPI_LINUX_BLINK_TREE_HOT_H

#include <linux/types.h>

/**
 * struct blink_tree_level_stats - the nodes of one level on one NUMA node
 * @level: the level, 0 for leaves
 * @nid: NUMA node whose memory the nodes occupy
 * @nodes: number of nodes
 * @bytes: memory of the nodes
 * @used: slots in use: keys in leaves, children in inner nodes
 * @slots: all slots of the nodes
 */
struct blink_tree_level_stats {
	__u32 level;
	__u32 nid;
	__u64 nodes;
	__u64 bytes;
	__u64 used;
	__u64 slots;
};

/**
 * struct blink_tree_ioc_levels - BLINK_TREE_IOC_LEVELS, on a tree
 * @flags: must be zero
 * @capacity: room at @levels, in elements
 * @levels: address of an array of struct blink_tree_level_stats
 * @level_size: sizeof(struct blink_tree_level_stats) of the caller
 * @known: out: bytes of an element that the module knows
 * @count: out: number of elements for this tree; the kernel writes at most @capacity
 *	of them
 * @height: out: levels of the tree, 1 for a single leaf; an emptied tree has one again
 *
 * The ioctl visits every node of the tree. Each copy of a node that a replicated tree has
 * on another NUMA node counts as a node there: the inner nodes of all indexes, and with
 * BLINK_TREE_REPLICATE_FULL the leaves. With a @capacity of 0 it returns only @height.
 *
 * Return: 0, or an error that every ioctl can return.
 */
struct blink_tree_ioc_levels {
	__u32 flags;
	__u32 capacity;
	__u64 levels;
	__u32 level_size;
	__u32 known;
	__u32 count;
	__u32 height;
};

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
