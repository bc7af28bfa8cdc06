/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prefixes of addresses in trees, for BPF programs: the key is the first address of a
 * prefix, the value is its length. No prefix contains another one, so an address is in a
 * prefix if it is in the one whose first address is the nearest below.
 *
 * Include <blinktree/bpf.h> before.
 */
#ifndef EXAMPLES_BPF_FILTER_H
#define EXAMPLES_BPF_FILTER_H

#include "filter_handles.h"

/* Whether two numbers have the same first bits, of 64. */
static inline int same_bits(__u64 a, __u64 b, __u64 length)
{
	return !length || (length <= 64 && !((a ^ b) >> (64 - length)));
}

/* Returns 1, 0, or a negative errno. */
static inline int find_ipv4(const struct filter_handles *filter, __u32 address)
{
	struct blink_tree_entry prefix;
	int err = bpf_blink_floor(filter->ipv4, address, &prefix);

	if (err)
		return err == -ENOENT ? 0 : err;
	return same_bits(address, prefix.key, prefix.value + 32);
}

/* Returns 1, 0, or a negative errno. */
static inline int find_ipv6(const struct filter_handles *filter, __u64 high,
			    __u64 low)
{
	struct blink_u128_entry prefix;
	int err = bpf_blink_u128_floor(filter->ipv6, high, low, &prefix);

	if (err)
		return err == -ENOENT ? 0 : err;
	if (prefix.value <= 64)
		return same_bits(high, prefix.high, prefix.value);
	return high == prefix.high &&
	       same_bits(low, prefix.low, prefix.value - 64);
}

#endif /* EXAMPLES_BPF_FILTER_H */
