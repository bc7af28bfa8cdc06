// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of records whose keys are numbers (range.h), as ranges of wide keys (wide.h). A
 * bound that is shorter than a key stands for all keys that begin with it: its *least*
 * key has bytes 0x00 at the end, and its *greatest* key has bytes 0xff.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "range.h"
#include "tree_file.h"
#include "wide.h"

/* The longest bound: 8 or 16 bytes. */
#define BOUND_MAX sizeof(u128)

/* Entries of a chunk. */
#define CHUNK 128U
static_assert(CHUNK >= BLINK_CURSOR_ENTRIES);

struct bound {
	u32 length;
	u8 bytes[BOUND_MAX] __aligned(8);
};

static size_t bound_size(const struct blink_range *range)
{
	return range->key == BLINK_TREE_KEY_U64 ? sizeof(u64) : sizeof(u128);
}

static u128 bound_least(const struct bound *bound, size_t size)
{
	return blink_wide_get(bound->bytes, size);
}

static u128 bound_greatest(const struct bound *bound, size_t size)
{
	struct bound full = *bound;

	memset(full.bytes + full.length, 0xff, BOUND_MAX - full.length);
	return blink_wide_get(full.bytes, size);
}

/* A bound above the greatest key, or below the least one, ends the range. */
static void range_open(struct blink_range *range, const struct bound *first,
		       const struct bound *last, size_t size)
{
	const u32 flags = blink_range_arg(range)->flags;
	struct blink_u128_scan *scan = &range->numbers;
	const struct bound none = {};

	if (flags & BLINK_RANGE_FIRST_OPEN) {
		scan->first = bound_greatest(first, size);
		if (scan->first++ == bound_greatest(&none, size))
			range->done = true;
	}
	if (flags & BLINK_RANGE_LAST_OPEN) {
		scan->last = bound_least(last, size);
		if (!scan->last--)
			range->done = true;
	}
	if (scan->first > scan->last)
		range->done = true;
}

static int bound_read(struct bound *bound, size_t size, u64 user, u32 length)
{
	bound->length = length;
	return length > size ?
		       -EINVAL :
		       blink_bound_read(bound->bytes, BOUND_MAX, user, length);
}

static int numbers_get(struct blink_range *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_range_arg(range);
	const size_t size = bound_size(range);
	struct bound first, last;
	int err;

	if (arg->last_length > size)
		return -EINVAL;
	err = bound_read(&first, size, arg->first, arg->first_length);
	if (err)
		return err;
	last = first;
	if (!(arg->flags & BLINK_RANGE_PREFIX))
		err = bound_read(&last, size, arg->last, arg->last_length);
	if (err)
		return err;
	range->numbers = (struct blink_u128_scan){
		.first = bound_least(&first, size),
		.last = bound_greatest(&last, size),
		.desc = range->desc,
	};
	if (range->numbers.first > range->numbers.last)
		return -EINVAL;
	range_open(range, &first, &last, size);
	return blink_bound_write(arg->first, first.bytes, size) ?:
		       blink_bound_write(arg->last, last.bytes, size);
}

static int numbers_put(struct blink_range *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_range_arg(range);
	const size_t size = bound_size(range);
	__be64 first[2], last[2];

	blink_wide_put(first, range->numbers.first, size);
	blink_wide_put(last, range->numbers.last, size);
	arg->first_length = size;
	arg->last_length = size;
	return blink_bound_write(arg->first, first, size) ?:
		       blink_bound_write(arg->last, last, size);
}

static void numbers_free(struct blink_range *range)
{
}

static size_t numbers_record(const struct blink_range *range, const void *chunk,
			     unsigned int i, void *to, size_t room)
{
	const struct blink_tree_u128_entry *entry =
		(const struct blink_tree_u128_entry *)chunk + i;
	__be64 number[2];
	struct blink_record content = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.has = BLINK_RECORD_KEY | BLINK_RECORD_VALUE,
		.key.data = number,
		.key.length = blink_key_size(range->key),
	};
	u64 value = entry->value;
	u128 key = entry->key;

	if (range->key == BLINK_TREE_KEY_MULTI) {
		value = blink_pair_value(key);
		key = blink_pair_key(key);
	}
	content.value = blink_range_value(range, &value);
	if (blink_record_size(&content) > room)
		return 0;
	blink_wide_put(number, key, content.key.length);
	return blink_record_put(to, &content);
}

static void numbers_go_back(struct blink_range *range, const void *chunk,
			    unsigned int i)
{
	const struct blink_tree_u128_entry *entries = chunk;

	if (range->desc)
		range->numbers.last = entries[i].key;
	else
		range->numbers.first = entries[i].key;
	range->numbers.done = false;
}

static int numbers_scan(struct blink_range *range, void *chunk, size_t room)
{
	/* An entry without its value: values of bytes can be empty. */
	const size_t least = BLINK_RECORD_HEADER + blink_key_size(range->key);
	int nr = blink_wide_scan(range->tree, &range->numbers, chunk,
				 min_t(size_t, room / least, CHUNK));

	range->done = range->numbers.done;
	return nr;
}

static int numbers_count(struct blink_range *range, unsigned int nr)
{
	int ret = blink_wide_count_range(range->tree, &range->numbers, nr);

	range->done = range->numbers.done;
	return ret;
}

static int numbers_erase(struct blink_range *range, unsigned int nr)
{
	int ret = blink_wide_erase_range(range->tree, &range->numbers, nr);

	range->done = range->numbers.done;
	return ret;
}

const struct blink_range_kind blink_range_numbers = {
	.get = numbers_get,
	.put = numbers_put,
	.free = numbers_free,
	.chunk_size = CHUNK * sizeof(struct blink_tree_u128_entry),
	.scan = numbers_scan,
	.record = numbers_record,
	.go_back = numbers_go_back,
	.count = numbers_count,
	.erase = numbers_erase,
};
