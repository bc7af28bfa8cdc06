// SPDX-License-Identifier: GPL-2.0
/*
 * Drop the packets whose source address is in a list of prefixes.
 *
 * A lookup that meets a writer can return -EAGAIN. The packet is dropped then: its sender
 * can send it again, whereas a packet that was let in cannot be taken back.
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "filter.h"

/* The loader sets it. */
struct filter_handles filter;

static int find_source(const struct xdp_md *ctx)
{
	const void *end = (void *)(long)ctx->data_end;
	const struct ethhdr *eth = (void *)(long)ctx->data;
	const struct iphdr *ip = (void *)(eth + 1);
	const struct ipv6hdr *ip6 = (void *)(eth + 1);
	const __be32 *word = ip6->saddr.in6_u.u6_addr32;

	if ((void *)(ip + 1) > end)
		return 0;
	if (eth->h_proto == bpf_htons(ETH_P_IP))
		return find_ipv4(&filter, bpf_ntohl(ip->saddr));
	if (eth->h_proto != bpf_htons(ETH_P_IPV6) || (void *)(ip6 + 1) > end)
		return 0;
	return find_ipv6(&filter,
			 (__u64)bpf_ntohl(word[0]) << 32 | bpf_ntohl(word[1]),
			 (__u64)bpf_ntohl(word[2]) << 32 | bpf_ntohl(word[3]));
}

SEC("xdp")
int xdp_filter(struct xdp_md *ctx)
{
	return find_source(ctx) ? XDP_DROP : XDP_PASS;
}

char _license[] SEC("license") = "GPL";
