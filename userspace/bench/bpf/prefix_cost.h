/* SPDX-License-Identifier: GPL-2.0 */
/* Variables that the programs of the benchmark and their loader share. */
#ifndef BENCH_BPF_PREFIX_COST_H
#define BENCH_BPF_PREFIX_COST_H

#include "../../examples/bpf/filter_handles.h"

/* Addresses that a run of a program looks for. */
#define ADDRESSES 1024

struct prefix_cost {
	struct filter_handles handles;
	/* Most significant byte first. */
	__u8 ipv4[ADDRESSES][4];
	__u8 ipv6[ADDRESSES][16];
	/* The addresses of a run: the first one, and how many. */
	__u32 first;
	__u32 count;
	/* How many of them the last run found. */
	__u64 found;
};

#endif /* BENCH_BPF_PREFIX_COST_H */
