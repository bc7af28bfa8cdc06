/* SPDX-License-Identifier: GPL-2.0 */
/* Variables that the profiler's program and its loader share. */
#ifndef EXAMPLES_BPF_PROFILE_H
#define EXAMPLES_BPF_PROFILE_H

#include <linux/types.h>

struct profile {
	/* The tree: a key is the address of a symbol, its value the symbol's number. */
	__u64 symbols;
	/* Samples outside of the kernel. */
	__u64 outside;
	/* Samples that met a writer of the tree. */
	__u64 busy;
};

#endif /* EXAMPLES_BPF_PROFILE_H */
