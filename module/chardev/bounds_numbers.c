// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of records whose keys are numbers (bounds.h). A bound that is shorter than a key
 * stands for all keys that begin with it: its *least* key has bytes 0x00 at the end, and
 * its *greatest* key has bytes 0xff.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "kind.h"
#include "bounds.h"
#include "tree_file.h"

/* The longest bound. */
#define BOUND_MAX sizeof(blink_number)

/* Entries of a chunk. */
#define CHUNK 128U
static_assert(CHUNK >= BLINK_CURSOR_ENTRIES);

struct bound {
	u32 length;
	u8 bytes[BOUND_MAX] __aligned(8);
};

static struct blink_scan *scan_of(struct blink_bounds *range)
{
	return (struct blink_scan *)&range->u64_scan;
}

static blink_number bound_least(const struct bound *bound)
{
	return blink_number_get(bound->bytes, BOUND_MAX);
}

static blink_number bound_greatest(const struct bound *bound)
{
	struct bound full = *bound;

	memset(full.bytes + full.length, 0xff, BOUND_MAX - full.length);
	return blink_number_get(full.bytes, BOUND_MAX);
}

/* A bound above the greatest key, or below the least one, ends the range. */
static void range_open(struct blink_bounds *range, const struct bound *first,
		       const struct bound *last)
{
	const u32 flags = blink_bounds_arg(range)->flags;
	struct blink_scan *scan = scan_of(range);
	const struct bound none = {};

	if (flags & BLINK_BOUNDS_FIRST_OPEN) {
		scan->first = bound_greatest(first);
		if (scan->first++ == bound_greatest(&none))
			range->done = true;
	}
	if (flags & BLINK_BOUNDS_LAST_OPEN) {
		scan->last = bound_least(last);
		if (!scan->last--)
			range->done = true;
	}
	if (scan->first > scan->last)
		range->done = true;
}

static int bound_read(struct bound *bound, u64 user, u32 length)
{
	bound->length = length;
	return blink_bound_read(bound->bytes, BOUND_MAX, user, length);
}

static int numbers_get(struct blink_bounds *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_bounds_arg(range);
	struct blink_scan *scan = scan_of(range);
	struct bound first, last;
	int err;

	if (arg->last_length > BOUND_MAX)
		return -EINVAL;
	err = bound_read(&first, arg->first, arg->first_length);
	if (err)
		return err;
	last = first;
	if (!(arg->flags & BLINK_BOUNDS_PREFIX))
		err = bound_read(&last, arg->last, arg->last_length);
	if (err)
		return err;
	*scan = (struct blink_scan){
		.first = bound_least(&first),
		.last = bound_greatest(&last),
		.desc = range->desc,
	};
	if (scan->first > scan->last)
		return -EINVAL;
	range_open(range, &first, &last);
	return blink_bound_write(arg->first, first.bytes, BOUND_MAX) ?:
		       blink_bound_write(arg->last, last.bytes, BOUND_MAX);
}

static int numbers_put(struct blink_bounds *range)
{
	struct blink_tree_ioc_record_erase *arg = blink_bounds_arg(range);
	const struct blink_scan *scan = scan_of(range);
	__be64 first[2], last[2];

	blink_number_put(first, scan->first, BOUND_MAX);
	blink_number_put(last, scan->last, BOUND_MAX);
	arg->first_length = BOUND_MAX;
	arg->last_length = BOUND_MAX;
	return blink_bound_write(arg->first, first, BOUND_MAX) ?:
		       blink_bound_write(arg->last, last, BOUND_MAX);
}

static void numbers_free(struct blink_bounds *range)
{
}

static size_t numbers_record(const struct blink_bounds *range,
			     const void *chunk, unsigned int i, void *to,
			     size_t room)
{
	const struct blink_tree_entry *entry =
		(const struct blink_tree_entry *)chunk + i;
	__be64 number[2];
	struct blink_record content = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.has = BLINK_RECORD_KEY | BLINK_RECORD_VALUE,
		.key.data = number,
		.key.length = blink_key_size(range->key),
	};
	u64 value = entry->value;
	blink_number key = entry->key;

	if (blink_number_is_pair(range->key)) {
		value = blink_pair_value(key);
		key = blink_pair_key(key);
	}
	content.value = blink_bounds_value(range, &value);
	if (blink_record_size(&content) > room)
		return 0;
	blink_number_put(number, key, content.key.length);
	return blink_record_put(to, &content);
}

static void numbers_go_back(struct blink_bounds *range, const void *chunk,
			    unsigned int i)
{
	const struct blink_tree_entry *entries = chunk;
	struct blink_scan *scan = scan_of(range);

	if (range->desc)
		scan->last = entries[i].key;
	else
		scan->first = entries[i].key;
	scan->done = false;
}

static int numbers_scan(struct blink_bounds *range, void *chunk, size_t room)
{
	/* An entry without its value: values of bytes can be empty. */
	const size_t least = BLINK_RECORD_HEADER + blink_key_size(range->key);
	int nr = blink_tree_scan(range->tree, scan_of(range), chunk,
				 min_t(size_t, room / least, CHUNK));

	range->done = scan_of(range)->done;
	return nr;
}

static int numbers_count(struct blink_bounds *range, unsigned int nr)
{
	int ret = blink_tree_count_range(range->tree, scan_of(range), nr);

	range->done = scan_of(range)->done;
	return ret;
}

static int numbers_erase(struct blink_bounds *range, unsigned int nr)
{
	int ret = blink_tree_erase_range(range->tree, scan_of(range), NULL, nr);

	range->done = scan_of(range)->done;
	return ret;
}

const struct blink_bounds_kind blink_bounds_u64 = {
	.get = numbers_get,
	.put = numbers_put,
	.free = numbers_free,
	.chunk_size = CHUNK * sizeof(struct blink_tree_entry),
	.scan = numbers_scan,
	.record = numbers_record,
	.go_back = numbers_go_back,
	.count = numbers_count,
	.erase = numbers_erase,
};
