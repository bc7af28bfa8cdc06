// SPDX-License-Identifier: GPL-2.0
/*
 * Scanning, counting and erasing ranges of keys of any kind. The structure of the ioctl
 * and the two *bounds* that it points to are the position in the range: the kernel writes
 * the rest of the range to them. The buffer of a scan has records that were read ahead of
 * the caller.
 */
#include "record.h"

#define BUFFER_DEFAULT 65536

/* A bound has room for the longest key. */
struct bounds {
	unsigned char first[BLINK_TREE_RECORD_KEY_MAX];
	unsigned char last[BLINK_TREE_RECORD_KEY_MAX];
};

struct blinktree_bytes_scan {
	int fd;
	struct blink_tree_ioc_record_scan range;
	struct bounds bounds;
	struct blinktree_record entry;
	size_t next;
	size_t used;
	size_t room;
	__u64 buffer[];
};

static void copy_bound(unsigned char to[BLINK_TREE_RECORD_KEY_MAX],
		       const void *from, size_t length)
{
	if (length)
		memcpy(to, from, length);
}

/* Copy the bounds of a range, which can be NULL. The ioctl learns their addresses. */
static int set_range(struct blink_tree_ioc_record_scan *arg,
		     struct bounds *bounds, const struct blinktree_range *range)
{
	const struct blinktree_range all = {};
	size_t last_length;

	range = range ?: &all;
	last_length = range->flags & BLINK_TREE_RECORD_SCAN_PREFIX ?
			      0 :
			      range->last_length;
	if (range->first_length > BLINK_TREE_RECORD_KEY_MAX ||
	    last_length > BLINK_TREE_RECORD_KEY_MAX)
		return -EINVAL;
	copy_bound(bounds->first, range->first, range->first_length);
	copy_bound(bounds->last, range->last, last_length);
	*arg = (struct blink_tree_ioc_record_scan){
		.flags = range->flags,
		.first = (uintptr_t)bounds->first,
		.last = (uintptr_t)bounds->last,
		.first_length = range->first_length,
		.last_length = last_length,
	};
	return 0;
}

static bool range_done(const struct blink_tree_ioc_record_scan *range)
{
	return range->flags & BLINK_TREE_RECORD_SCAN_DONE;
}

int blinktree_bytes_scan_open(struct blinktree *tree,
			      const struct blinktree_range *range,
			      size_t buffer, struct blinktree_bytes_scan **scan)
{
	struct blinktree_bytes_scan *new;
	int err;

	if (!buffer)
		buffer = BUFFER_DEFAULT;
	if (buffer > INT32_MAX)
		return -EINVAL;
	/* The kernel needs room for the longest record. */
	if (buffer < RECORD_MAX)
		buffer = RECORD_MAX;
	new = calloc(1, sizeof(*new) + buffer);
	if (!new)
		return -ENOMEM;
	err = set_range(&new->range, &new->bounds, range);
	if (err) {
		free(new);
		return err;
	}
	new->fd = tree->fd;
	new->room = buffer;
	*scan = new;
	return 0;
}

/* A signal can end a call before it has found an entry. */
static int fill(struct blinktree_bytes_scan *scan)
{
	struct blink_tree_ioc_record_scan range = scan->range;
	int err;

	do {
		range.output = (uintptr_t)scan->buffer;
		range.output_size = scan->room;
		err = blinktree_call(scan->fd, BLINK_TREE_IOC_RECORD_SCAN,
				     &range);
		if (err)
			return err;
	} while (!range.output_used && !range_done(&range));

	scan->range = range;
	scan->used = range.output_used;
	scan->next = 0;
	return 0;
}

int blinktree_bytes_scan_next(struct blinktree_bytes_scan *scan,
			      const struct blinktree_record **entry)
{
	int err;

	if (scan->next == scan->used && !range_done(&scan->range)) {
		err = fill(scan);
		if (err)
			return err;
	}
	if (scan->next == scan->used)
		return 0;
	scan->next += blinktree_record_read(
		(const unsigned char *)scan->buffer + scan->next, &scan->entry);
	*entry = &scan->entry;
	return 1;
}

void blinktree_bytes_scan_close(struct blinktree_bytes_scan *scan)
{
	free(scan);
}

int blinktree_bytes_count(struct blinktree *tree,
			  const struct blinktree_range *range, __u64 *count)
{
	struct blink_tree_ioc_record_scan arg;
	struct bounds bounds;
	__u64 total = 0;
	int err = set_range(&arg, &bounds, range);

	if (err)
		return err;
	arg.flags |= BLINK_TREE_RECORD_SCAN_COUNT;
	do {
		err = blinktree_call(tree->fd, BLINK_TREE_IOC_RECORD_SCAN,
				     &arg);
		if (err)
			return err;
		total += arg.count;
	} while (!range_done(&arg));
	*count = total;
	return 0;
}

int blinktree_bytes_erase_range(struct blinktree *tree,
				const struct blinktree_range *range,
				__u64 *count)
{
	struct blink_tree_ioc_record_scan scan = {};
	struct blink_tree_ioc_record_erase arg;
	struct bounds bounds;
	__u64 total = 0;
	int err = set_range(&scan, &bounds, range);

	/* Both ioctls have the same flags and the same bounds. */
	arg = (struct blink_tree_ioc_record_erase){
		.flags = scan.flags,
		.first = scan.first,
		.last = scan.last,
		.first_length = scan.first_length,
		.last_length = scan.last_length,
	};
	while (!err && !(arg.flags & BLINK_TREE_RECORD_ERASE_DONE)) {
		err = blinktree_call(tree->fd, BLINK_TREE_IOC_RECORD_ERASE,
				     &arg);
		if (!err)
			total += arg.count;
	}
	if (count)
		*count = total;
	return err;
}
