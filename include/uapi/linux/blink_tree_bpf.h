/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* blink_tree: the part of the ioctl contract for BPF programs. */
#ifndef _UAPI_LINUX_BLINK_TREE_BPF_H
#define _UAPI_LINUX_BLINK_TREE_BPF_H

#include <linux/types.h>

/* Handles that all descriptors together can have. */
#define BLINK_TREE_BPF_HANDLES_MAX 1024

/* The most entries that one iteration of a BPF program returns. */
#define BLINK_TREE_BPF_ITER_MAX (1u << 20)

/**
 * struct blink_tree_ioc_bpf_handle - BLINK_TREE_IOC_BPF_HANDLE, on a tree: the number by
 *	which BPF programs name the tree
 * @flags: must be zero
 * @__reserved: must be zero
 * @handle: out: the handle, which is not 0
 *
 * A BPF program passes the handle to the functions of <blinktree/bpf.h>. They have the
 * access of the descriptor. The handle is valid until the descriptor and all its copies
 * are closed. Another call on the same descriptor or on a copy returns the same handle.
 * The upper 54 bits of a handle are random, so that the handles of other descriptors can
 * neither be computed from it nor found by trying. They differ between two handles that
 * follow each other with the same lower 10 bits. The number of a handle that has ended can
 * come again, with a probability of 1 in 2^54 for each new handle.
 *
 * Return: 0. Adds EOPNOTSUPP (INFO does not return BLINK_TREE_FEATURE_BPF), EPERM (the
 * caller does not have CAP_BPF) and ENOSPC (BLINK_TREE_BPF_HANDLES_MAX descriptors have
 * handles). After EFAULT the descriptor can have the handle that was not returned.
 */
struct blink_tree_ioc_bpf_handle {
	__u32 flags;
	__u32 __reserved;
	__u64 handle;
};

#endif /* _UAPI_LINUX_BLINK_TREE_BPF_H */
