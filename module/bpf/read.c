// SPDX-License-Identifier: GPL-2.0
/* Kfuncs that find an entry. Their linearization points are those of the core. */
#ifdef BLINK_KFUNCS

#include <linux/btf.h>

#include "kfuncs.h"
#include "read.h"

/**
 * bpf_blink_lookup() - find the value of a key
 * @handle: a handle that is open for reading
 * @key: the key
 * @value: set to the value
 *
 * Context: any.
 * Return: 0; -ENOENT if the key is absent; -EAGAIN if a writer is active, and the
 * program would have to wait for it; -EBADF if no descriptor has the handle, or if the
 * descriptor is not open for reading; -EOPNOTSUPP if the tree has keys of another kind,
 * or values of bytes.
 */
__bpf_kfunc int bpf_blink_lookup(u64 handle, u64 key, u64 *value)
{
	return BLINK_BPF_READ(handle, blink_tree_lookup, key, value);
}

/**
 * bpf_blink_floor() - find the greatest key not above a key
 * @handle: a handle that is open for reading
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Context: any.
 * Return: 0; -ENOENT if every key is above; other errors as bpf_blink_lookup().
 */
__bpf_kfunc int bpf_blink_floor(u64 handle, u64 key,
				struct blink_tree_entry *entry)
{
	return BLINK_BPF_READ(handle, blink_tree_floor, key, entry);
}

/**
 * bpf_blink_ceiling() - find the least key not below a key
 * @handle: a handle that is open for reading
 * @key: the key
 * @entry: set to the key found and its value
 *
 * Context: any.
 * Return: 0; -ENOENT if every key is below; other errors as bpf_blink_lookup().
 */
__bpf_kfunc int bpf_blink_ceiling(u64 handle, u64 key,
				  struct blink_tree_entry *entry)
{
	return BLINK_BPF_READ(handle, blink_tree_ceiling, key, entry);
}

#endif /* BLINK_KFUNCS */
