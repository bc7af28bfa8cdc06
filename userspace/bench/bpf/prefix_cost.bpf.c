// SPDX-License-Identifier: GPL-2.0
/*
 * Look for addresses in trees, in the kernel's tries of prefixes, and not at all: that
 * costs what the loop and the copies of the addresses do.
 */
#include <linux/bpf.h>
#include <linux/errno.h>
#include <linux/types.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "../../examples/bpf/filter.h"
#include "prefix_cost.h"

struct prefix_cost shared;

#define TRIE(version, bytes)                          \
	struct key##version {                         \
		__u32 length;                         \
		__u8 address[bytes];                  \
	};                                            \
	struct {                                      \
		__uint(type, BPF_MAP_TYPE_LPM_TRIE);  \
		__uint(map_flags, BPF_F_NO_PREALLOC); \
		__uint(max_entries, 1 << 21);         \
		__type(key, struct key##version);     \
		__type(value, __u64);                 \
	} trie##version SEC(".maps")

TRIE(4, 4);
TRIE(6, 16);

static __u32 ipv4_at(__u32 i)
{
	__u32 word;

	__builtin_memcpy(&word, shared.ipv4[(shared.first + i) % ADDRESSES],
			 sizeof(word));
	return word;
}

static void ipv6_at(__u32 i, __u64 *word)
{
	__builtin_memcpy(word, shared.ipv6[(shared.first + i) % ADDRESSES],
			 2 * sizeof(*word));
}

static long no_ipv4(__u32 i, void *context)
{
	shared.found += ipv4_at(i) & 1;
	return 0;
}

static long tree_ipv4(__u32 i, void *context)
{
	shared.found += find_ipv4(&shared.handles, bpf_ntohl(ipv4_at(i))) == 1;
	return 0;
}

static long trie_ipv4(__u32 i, void *context)
{
	struct key4 key = { .length = 32 };
	__u32 word = ipv4_at(i);

	__builtin_memcpy(key.address, &word, sizeof(word));
	shared.found += !!bpf_map_lookup_elem(&trie4, &key);
	return 0;
}

static long no_ipv6(__u32 i, void *context)
{
	__u64 word[2];

	ipv6_at(i, word);
	shared.found += (word[0] ^ word[1]) & 1;
	return 0;
}

static long tree_ipv6(__u32 i, void *context)
{
	__u64 word[2];

	ipv6_at(i, word);
	shared.found += find_ipv6(&shared.handles, bpf_be64_to_cpu(word[0]),
				  bpf_be64_to_cpu(word[1])) == 1;
	return 0;
}

static long trie_ipv6(__u32 i, void *context)
{
	struct key6 key = { .length = 128 };
	__u64 word[2];

	ipv6_at(i, word);
	__builtin_memcpy(key.address, word, sizeof(word));
	shared.found += !!bpf_map_lookup_elem(&trie6, &key);
	return 0;
}

#define PROGRAM(name)                                  \
	SEC("xdp")                                     \
	int find_##name(struct xdp_md *ctx)            \
	{                                              \
		shared.found = 0;                      \
		bpf_loop(shared.count, name, NULL, 0); \
		return XDP_PASS;                       \
	}

PROGRAM(no_ipv4)
PROGRAM(tree_ipv4)
PROGRAM(trie_ipv4)
PROGRAM(no_ipv6)
PROGRAM(tree_ipv6)
PROGRAM(trie_ipv6)

char _license[] SEC("license") = "GPL";
