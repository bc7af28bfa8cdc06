/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory for the keys of a kfunc that are strings: two of them are more than a stack
 * should bear in an NMI.
 */
#ifndef BLINK_BPF_SCRATCH_H
#define BLINK_BPF_SCRATCH_H

#include <linux/blink_tree_bytes.h>

/**
 * struct blink_bpf_scratch - the keys of one call
 * @key: a copy of the program's key, which other CPUs can overwrite meanwhile
 * @found: the key that the call finds
 */
struct blink_bpf_scratch {
	u8 key[BLINK_BYTES_MAX];
	u8 found[BLINK_BYTES_MAX];
};

int blink_bpf_scratch_init(void);
void blink_bpf_scratch_exit(void);
struct blink_bpf_scratch *blink_bpf_scratch_get(void);
void blink_bpf_scratch_put(void);

#endif /* BLINK_BPF_SCRATCH_H */
