// SPDX-License-Identifier: GPL-2.0
/* Programs of a type that the test chooses: one reads a tree, the other modifies it. */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

SEC("any_reads")
int reads(void *ctx)
{
	__u64 value;

	bpf_blink_lookup(0, 1, &value);
	return 1;
}

SEC("any_writes")
int writes(void *ctx)
{
	bpf_blink_insert(0, 1, 1);
	return 1;
}

char _license[] SEC("license") = "GPL";
