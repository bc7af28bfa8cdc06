// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of records whose keys are strings (bounds.h). A bound is a key. The least key
 * behind all those that begin with a prefix is the prefix without the bytes 0xff at its
 * end, and with the byte before them greater by one.
 */
#include <linux/blink_tree_bytes.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "bounds.h"
#include "tree_file.h"

#define KEY_MAX BLINK_BYTES_MAX
static_assert(KEY_MAX == BLINK_TREE_RECORD_KEY_MAX);

/* Entries of a chunk, and the bytes of their keys. */
#define CHUNK 128U
#define CHUNK_KEYS 8192U
static_assert(CHUNK_KEYS >= KEY_MAX);

/**
 * struct blink_bounds_strings - a range under way
 * @scan: the range
 * @first: the first bound of the caller
 * @last: the last one
 */
struct blink_bounds_strings {
	struct blink_bytes_scan scan;
	u8 first[KEY_MAX];
	u8 last[KEY_MAX];
};

/* A chunk: its entries with their keys. */
struct chunk {
	struct blink_tree_bytes_entry entries[CHUNK];
	u8 keys[CHUNK_KEYS];
};

/* The place behind all keys that begin with the first bound. */
static struct blink_bytes_key behind_prefix(struct blink_bounds_strings *s,
					    u32 length)
{
	while (length && s->first[length - 1] == 0xff)
		length--;
	if (!length)
		return (struct blink_bytes_key){};
	memcpy(s->last, s->first, length);
	s->last[length - 1]++;
	return (struct blink_bytes_key){
		.data = s->last,
		.length = length,
		.side = -1,
	};
}

static struct blink_bytes_key
last_bound(struct blink_bounds_strings *s,
	   const struct blink_tree_ioc_record_erase *arg)
{
	const bool open = arg->flags & BLINK_BOUNDS_LAST_OPEN;

	if (arg->flags & BLINK_BOUNDS_PREFIX)
		return behind_prefix(s, arg->first_length);
	if (!arg->last_length && !open)
		return (struct blink_bytes_key){};
	return (struct blink_bytes_key){
		.data = s->last,
		.length = arg->last_length,
		.side = open ? -1 : 0,
	};
}

static int compare(const struct blink_bytes_key *a,
		   const struct blink_bytes_key *b)
{
	int order = memcmp(a->data, b->data, min(a->length, b->length));

	return order ?: (int)a->length - (int)b->length;
}

/* Returns -EINVAL if the first bound is greater than the last one. */
static int check_order(struct blink_bounds *range)
{
	const struct blink_bytes_scan *scan = &range->strings->scan;
	int order;

	if (!scan->last.data)
		return 0;
	/* An open bound of no bytes: no key is less. */
	if (!scan->last.length) {
		range->done = true;
		return 0;
	}
	order = compare(&scan->first, &scan->last);
	if (!order && (scan->first.side || scan->last.side))
		range->done = true;
	return order > 0 ? -EINVAL : 0;
}

static int read_bounds(struct blink_bounds *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_bounds_arg(range);
	struct blink_bounds_strings *s = range->strings;
	int err;

	err = blink_bound_read(s->first, KEY_MAX, arg->first, arg->first_length) ?:
		      blink_bound_read(s->last, KEY_MAX, arg->last,
				       arg->last_length);
	if (err)
		return err;
	s->scan.desc = range->desc;
	s->scan.first = blink_bytes_key(s->first, arg->first_length);
	if (arg->flags & BLINK_BOUNDS_FIRST_OPEN)
		s->scan.first.side = 1;
	s->scan.last = last_bound(s, arg);
	return check_order(range)					?:
		       blink_bound_write(arg->first, s->first, KEY_MAX) ?:
		       blink_bound_write(arg->last, s->last, KEY_MAX);
}

static int strings_get(struct blink_bounds *range)
{
	int err;

	range->strings = kzalloc(sizeof(*range->strings), GFP_KERNEL_ACCOUNT);
	if (!range->strings)
		return -ENOMEM;
	err = read_bounds(range);
	if (err)
		kfree(range->strings);
	return err;
}

/*
 * The last bound as the caller gets it. A bound of no bytes is none for the caller, so
 * the least key that is greater, excluded, stands for the key of no bytes.
 */
static struct blink_bytes_key last_told(const struct blink_bytes_scan *scan)
{
	static const u8 nul[1];

	if (!scan->last.data || scan->last.length || scan->last.side)
		return scan->last;
	return (struct blink_bytes_key){ .data = nul, .length = 1, .side = -1 };
}

static int strings_put(struct blink_bounds *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_bounds_arg(range);
	const struct blink_bytes_scan *scan = &range->strings->scan;
	const struct blink_bytes_key last = last_told(scan);

	if (scan->first.side > 0)
		arg->flags |= BLINK_BOUNDS_FIRST_OPEN;
	if (last.side < 0)
		arg->flags |= BLINK_BOUNDS_LAST_OPEN;
	arg->first_length = scan->first.length;
	arg->last_length = last.length;
	return blink_bound_write(arg->first, scan->first.data, scan->first.length) ?:
		       blink_bound_write(arg->last, last.data, last.length);
}

static void strings_free(struct blink_bounds *range)
{
	kfree(range->strings);
}

static size_t strings_record(const struct blink_bounds *range,
			     const void *chunk, unsigned int i, void *to,
			     size_t room)
{
	const struct blink_tree_bytes_entry *entry =
		&((const struct chunk *)chunk)->entries[i];
	const struct blink_record content = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.has = BLINK_RECORD_KEY | BLINK_RECORD_VALUE,
		.key.data = entry->key,
		.key.length = entry->length,
		.value = blink_bounds_value(range, &entry->value),
	};

	if (blink_record_size(&content) > room)
		return 0;
	return blink_record_put(to, &content);
}

static void strings_go_back(struct blink_bounds *range, const void *chunk,
			    unsigned int i)
{
	const struct blink_tree_bytes_entry *entry =
		&((const struct chunk *)chunk)->entries[i];
	struct blink_bounds_strings *s = range->strings;
	u8 *to = range->desc ? s->last : s->first;
	const struct blink_bytes_key key = {
		.data = memcpy(to, entry->key, entry->length),
		.length = entry->length,
	};

	if (range->desc)
		s->scan.last = key;
	else
		s->scan.first = key;
	s->scan.done = false;
}

static int strings_scan(struct blink_bounds *range, void *to, size_t room)
{
	struct blink_bytes_scan *scan = &range->strings->scan;
	struct chunk *chunk = to;
	int nr;

	scan->buffer = chunk->keys;
	scan->size = clamp_t(size_t, room, KEY_MAX, CHUNK_KEYS);
	nr = blink_tree_bytes_scan(range->tree, scan, chunk->entries,
				   min_t(size_t, room / BLINK_RECORD_HEADER,
					 CHUNK));
	range->done = scan->done;
	return nr;
}

static int strings_count(struct blink_bounds *range, unsigned int nr)
{
	struct blink_bytes_scan *scan = &range->strings->scan;
	int ret = blink_tree_bytes_count_range(range->tree, scan, nr);

	range->done = scan->done;
	return ret;
}

static int strings_erase(struct blink_bounds *range, unsigned int nr)
{
	struct blink_bytes_scan *scan = &range->strings->scan;
	int ret = blink_tree_bytes_erase_range(range->tree, scan, NULL, nr);

	range->done = scan->done;
	return ret;
}

const struct blink_bounds_kind blink_bounds_bytes = {
	.get = strings_get,
	.put = strings_put,
	.free = strings_free,
	.chunk_size = sizeof(struct chunk),
	.scan = strings_scan,
	.record = strings_record,
	.go_back = strings_go_back,
	.count = strings_count,
	.erase = strings_erase,
};
