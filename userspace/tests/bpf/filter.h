/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses that a program looks for, in trees and in the kernel's tries. */
#ifndef BLINK_BPF_FILTER_H
#define BLINK_BPF_FILTER_H

#include "../../examples/bpf/filter_handles.h"

#define ADDRESSES 1024

/* Results: 1, 0, or a negative errno; of the tree, and of both lists by tries. */
struct found {
	__s8 tree;
	__s8 old_list;
	__s8 new_list;
};

struct addresses {
	struct filter_handles handles;
	/* Most significant byte first. */
	__u8 ipv4[ADDRESSES][4];
	__u8 ipv6[ADDRESSES][16];
	struct found found4[ADDRESSES];
	struct found found6[ADDRESSES];
};

#endif /* BLINK_BPF_FILTER_H */
