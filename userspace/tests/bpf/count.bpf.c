// SPDX-License-Identifier: GPL-2.0
/* Counts packets by their length, in a tree that processes can read in order. */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

struct {
	__u64 handle;
	__u64 missed;
} counter;

static int count(__u64 key)
{
	__u64 old = 0;
	int i, err = bpf_blink_insert(counter.handle, key, 1);

	if (err != -EEXIST)
		return err;
	for (i = 0; i < 8; i++) {
		err = bpf_blink_cmpxchg(counter.handle, key, &old, old + 1);
		if (err != -ESTALE)
			return err;
	}
	return err;
}

SEC("xdp")
int count_packet(struct xdp_md *packet)
{
	if (count(packet->data_end - packet->data))
		__sync_fetch_and_add(&counter.missed, 1);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
