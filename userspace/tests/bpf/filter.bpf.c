// SPDX-License-Identifier: GPL-2.0
/* Look for many addresses by the functions of the example, and in the kernel's tries. */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "../../examples/bpf/filter.h"
#include "filter.h"

struct addresses shared;

struct key4 {
	__u32 length;
	__u8 address[4];
};

struct key6 {
	__u32 length;
	__u8 address[16];
};

#define TRIE(name, key_type)                          \
	struct {                                      \
		__uint(type, BPF_MAP_TYPE_LPM_TRIE);  \
		__uint(map_flags, BPF_F_NO_PREALLOC); \
		__uint(max_entries, 1 << 20);         \
		__type(key, key_type);                \
		__type(value, __u8);                  \
	} name SEC(".maps")

TRIE(old4, struct key4);
TRIE(new4, struct key4);
TRIE(old6, struct key6);
TRIE(new6, struct key6);

static long one_ipv4(__u32 i, void *context)
{
	struct key4 key = { .length = 32 };
	__u32 word;

	if (i >= ADDRESSES)
		return 1;
	__builtin_memcpy(&word, shared.ipv4[i], sizeof(word));
	__builtin_memcpy(key.address, &word, sizeof(word));
	shared.found4[i] = (struct found){
		.tree = find_ipv4(&shared.handles, bpf_ntohl(word)),
		.old_list = !!bpf_map_lookup_elem(&old4, &key),
		.new_list = !!bpf_map_lookup_elem(&new4, &key),
	};
	return 0;
}

static long one_ipv6(__u32 i, void *context)
{
	struct key6 key = { .length = 128 };
	__u64 word[2];

	if (i >= ADDRESSES)
		return 1;
	__builtin_memcpy(word, shared.ipv6[i], sizeof(word));
	__builtin_memcpy(key.address, word, sizeof(word));
	shared.found6[i] = (struct found){
		.tree = find_ipv6(&shared.handles, bpf_be64_to_cpu(word[0]),
				  bpf_be64_to_cpu(word[1])),
		.old_list = !!bpf_map_lookup_elem(&old6, &key),
		.new_list = !!bpf_map_lookup_elem(&new6, &key),
	};
	return 0;
}

/* Programs that sleep cannot use a trie. */
SEC("xdp")
int find_all(struct xdp_md *ctx)
{
	bpf_loop(ADDRESSES, one_ipv4, NULL, 0);
	bpf_loop(ADDRESSES, one_ipv6, NULL, 0);
	return XDP_PASS;
}

char _license[] SEC("license") = "GPL";
