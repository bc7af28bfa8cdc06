// SPDX-License-Identifier: GPL-2.0
/* Counts packets by their length, in a tree that processes can read in order. */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

struct {
	__u64 handle;
	__u64 missed;
} counter;

SEC("xdp")
int count_packet(struct xdp_md *packet)
{
	__u64 key = packet->data_end - packet->data;

	if (bpf_blink_add(counter.handle, key, 1, NULL) < 0)
		__sync_fetch_and_add(&counter.missed, 1);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
