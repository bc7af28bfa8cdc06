// SPDX-License-Identifier: GPL-2.0
/* Drop UDP packets to ports that are in no range: a table of rules for ports. */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/udp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

/* The tree of ranges (BLINK_TREE_IOC_RANGE): the value is not 0 up to the next entry. */
__u64 ranges;

static int port_open(__u16 port)
{
	struct blink_tree_entry range;

	return !bpf_blink_floor(ranges, port, &range) && range.value;
}

SEC("xdp")
int filter(struct xdp_md *ctx)
{
	const struct ethhdr *eth = (void *)(long)ctx->data;
	const struct iphdr *ip = (void *)(eth + 1);
	const struct udphdr *udp = (void *)(ip + 1);

	if ((void *)(udp + 1) > (void *)(long)ctx->data_end ||
	    eth->h_proto != bpf_htons(ETH_P_IP) || ip->ihl != 5 ||
	    ip->protocol != IPPROTO_UDP)
		return XDP_PASS;
	return port_open(bpf_ntohs(udp->dest)) ? XDP_PASS : XDP_DROP;
}

char _license[] SEC("license") = "GPL";
