// SPDX-License-Identifier: GPL-2.0
/*
 * Kfuncs that find an entry with a key of 128 bits. Their linearization points are
 * those of the core.
 */
#ifdef BLINK_KFUNCS

#include <linux/blink_tree_u128.h>
#include <linux/btf.h>

#include "kfuncs.h"
#include "read.h"
#include "u128.h"

/**
 * bpf_blink_u128_lookup() - find the value of a key
 * @handle: a handle that is open for reading
 * @high: the upper half of the key
 * @low: its lower half
 * @value: set to the value
 *
 * In a tree with equal keys @high is the key, and @low one of its values.
 *
 * Context: any.
 * Return: as bpf_blink_lookup().
 */
__bpf_kfunc int bpf_blink_u128_lookup(u64 handle, u64 high, u64 low, u64 *value)
{
	return BLINK_BPF_READ(handle, blink_tree_u128_lookup,
			      blink_pair(high, low), value);
}

/**
 * bpf_blink_u128_floor() - find the greatest key not above a key
 * @handle: a handle that is open for reading
 * @high: the upper half of the key
 * @low: its lower half
 * @entry: set to the key found and its value
 *
 * Context: any.
 * Return: as bpf_blink_floor().
 */
__bpf_kfunc int bpf_blink_u128_floor(u64 handle, u64 high, u64 low,
				     struct blink_u128_entry *entry)
{
	struct blink_tree_u128_entry found;
	int err = BLINK_BPF_READ(handle, blink_tree_u128_floor,
				 blink_pair(high, low), &found);

	if (!err)
		*entry = blink_u128_entry(&found);
	return err;
}

/**
 * bpf_blink_u128_ceiling() - find the least key not below a key
 * @handle: a handle that is open for reading
 * @high: the upper half of the key
 * @low: its lower half
 * @entry: set to the key found and its value
 *
 * Context: any.
 * Return: as bpf_blink_ceiling().
 */
__bpf_kfunc int bpf_blink_u128_ceiling(u64 handle, u64 high, u64 low,
				       struct blink_u128_entry *entry)
{
	struct blink_tree_u128_entry found;
	int err = BLINK_BPF_READ(handle, blink_tree_u128_ceiling,
				 blink_pair(high, low), &found);

	if (!err)
		*entry = blink_u128_entry(&found);
	return err;
}

#endif /* BLINK_KFUNCS */
