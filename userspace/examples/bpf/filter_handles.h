/* SPDX-License-Identifier: GPL-2.0 */
/* The handles of the trees of prefixes, for the programs and their loader. */
#ifndef EXAMPLES_BPF_FILTER_HANDLES_H
#define EXAMPLES_BPF_FILTER_HANDLES_H

#include <linux/types.h>

struct filter_handles {
	/* Keys of 64 bits. */
	__u64 ipv4;
	/* Keys of 128 bits. */
	__u64 ipv6;
};

#endif /* EXAMPLES_BPF_FILTER_HANDLES_H */
