// SPDX-License-Identifier: GPL-2.0
/*
 * Kfuncs that find an entry whose key is a string of bytes. Their linearization points are
 * those of the core.
 *
 * The key of a call is in memory of the program, which other CPUs can overwrite. A search
 * reads it several times, so it reads a copy (scratch.h).
 */
#ifdef BLINK_KFUNCS

#include <linux/blink_tree_bytes.h>
#include <linux/btf.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "kfuncs.h"
#include "read.h"
#include "scratch.h"

/**
 * struct call - a call that has found its tree and has a place for its keys
 * @tree: the tree
 * @scratch: the place
 * @flags: saved interrupt state
 */
struct call {
	struct blink_tree *tree;
	struct blink_bpf_scratch *scratch;
	unsigned long flags;
};

/* Returns 0, then the caller calls call_end(); or an error. */
static int call_begin(struct call *call, u64 handle, const void *key,
		      u32 length)
{
	if (length > BLINK_BYTES_MAX)
		return -EINVAL;
	call->tree = blink_bpf_begin(handle, &call->flags);
	if (IS_ERR(call->tree))
		return PTR_ERR(call->tree);
	call->scratch = blink_bpf_scratch_get();
	if (unlikely(!call->scratch)) {
		blink_bpf_end(call->flags);
		return -EBUSY;
	}
	/* data_race: another CPU may write to the map that has the key. */
	data_race(memcpy(call->scratch->key, key, length));
	return 0;
}

static void call_end(const struct call *call)
{
	blink_bpf_scratch_put();
	blink_bpf_end(call->flags);
}

/* Copy an entry to the buffer of a program. Returns 0 or -EMSGSIZE. */
static int give(void *buffer, u32 size,
		const struct blink_tree_bytes_entry *found)
{
	struct blink_bytes_entry *entry = buffer;
	const u32 room = size - sizeof(*entry);

	*entry = (struct blink_bytes_entry){
		.value = found->value,
		.length = found->length,
	};
	memcpy(entry + 1, found->key, min(found->length, room));
	return found->length > room ? -EMSGSIZE : 0;
}

/* Find the nearest key below a place, or above it: beside a key, or the key itself. */
static int find(u64 handle, const void *key, u32 length, s32 side, bool below,
		void *buffer, u32 size)
{
	struct blink_tree_bytes_entry found;
	struct blink_bytes_key place;
	struct call call;
	int err;

	if (size < sizeof(struct blink_bytes_entry))
		return -EINVAL;
	err = call_begin(&call, handle, key, length);
	if (err)
		return err;
	place = blink_bytes_key(call.scratch->key, length);
	place.side = side;
	found.key = call.scratch->found;
	err = below ? blink_tree_bytes_floor(call.tree, place, &found) :
		      blink_tree_bytes_ceiling(call.tree, place, &found);
	if (!err)
		err = give(buffer, size, &found);
	call_end(&call);
	return err;
}

/**
 * bpf_blink_bytes_lookup() - find the value of a key
 * @handle: a handle that is open for reading
 * @key: the bytes of the key
 * @key__sz: their number, at most 1,024
 * @value: set to the value
 *
 * Context: any.
 * Return: 0; -EINVAL if the key is too long; -EBUSY if the program runs inside of three
 * others that are just reading trees with such keys on this CPU; other errors as
 * bpf_blink_lookup().
 */
__bpf_kfunc int bpf_blink_bytes_lookup(u64 handle, const void *key, u32 key__sz,
				       u64 *value)
{
	struct call call;
	int err = call_begin(&call, handle, key, key__sz);

	if (err)
		return err;
	err = blink_tree_bytes_lookup(
		call.tree, blink_bytes_key(call.scratch->key, key__sz), value);
	call_end(&call);
	return err;
}

/**
 * bpf_blink_bytes_floor() - find the greatest key not above a key
 * @handle: a handle that is open for reading
 * @key: the bytes of the key
 * @key__sz: their number, at most 1,024
 * @entry: a struct blink_bytes_entry, and behind it room for the bytes of the key found;
 *	it may contain @key
 * @entry__sz: the size of both
 *
 * Context: any.
 * Return: 0; -ENOENT if every key is above; -EMSGSIZE if the key found has more bytes
 * than there is room for: @entry has its length and value, and its first bytes; -EINVAL
 * if the key is too long or @entry too small; other errors as bpf_blink_bytes_lookup().
 */
__bpf_kfunc int bpf_blink_bytes_floor(u64 handle, const void *key, u32 key__sz,
				      void *entry, u32 entry__sz)
{
	return find(handle, key, key__sz, 0, true, entry, entry__sz);
}

/**
 * bpf_blink_bytes_ceiling() - find the least key not below a key
 * @handle: a handle that is open for reading
 * @key: the bytes of the key
 * @key__sz: their number, at most 1,024
 * @entry: as that of bpf_blink_bytes_floor()
 * @entry__sz: its size
 *
 * Context: any.
 * Return: 0; -ENOENT if every key is below; other errors as bpf_blink_bytes_floor().
 */
__bpf_kfunc int bpf_blink_bytes_ceiling(u64 handle, const void *key,
					u32 key__sz, void *entry, u32 entry__sz)
{
	return find(handle, key, key__sz, 0, false, entry, entry__sz);
}

/**
 * bpf_blink_bytes_lower() - find the greatest key below a key
 * @handle: a handle that is open for reading
 * @key: the bytes of the key
 * @key__sz: their number, at most 1,024
 * @entry: as that of bpf_blink_bytes_floor()
 * @entry__sz: its size
 *
 * Context: any.
 * Return: 0; -ENOENT if no key is below; other errors as bpf_blink_bytes_floor().
 */
__bpf_kfunc int bpf_blink_bytes_lower(u64 handle, const void *key, u32 key__sz,
				      void *entry, u32 entry__sz)
{
	return find(handle, key, key__sz, -1, true, entry, entry__sz);
}

/**
 * bpf_blink_bytes_higher() - find the least key above a key
 * @handle: a handle that is open for reading
 * @key: the bytes of the key
 * @key__sz: their number, at most 1,024
 * @entry: as that of bpf_blink_bytes_floor()
 * @entry__sz: its size
 *
 * Context: any.
 * Return: 0; -ENOENT if no key is above; other errors as bpf_blink_bytes_floor().
 */
__bpf_kfunc int bpf_blink_bytes_higher(u64 handle, const void *key, u32 key__sz,
				       void *entry, u32 entry__sz)
{
	return find(handle, key, key__sz, 1, false, entry, entry__sz);
}

#endif /* BLINK_KFUNCS */
