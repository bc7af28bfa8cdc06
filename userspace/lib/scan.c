// SPDX-License-Identifier: GPL-2.0
/*
 * Scans of a range. The structure of the ioctl is the position of the scan. The *buffer*
 * has entries that were read ahead of the caller.
 */
#include "internal.h"

#define BUFFER_DEFAULT 1024

struct blinktree_scan {
	int fd;
	struct blink_tree_ioc_scan range;
	size_t next;
	size_t count;
	size_t capacity;
	struct blink_tree_entry entries[];
};

static bool range_done(const struct blink_tree_ioc_scan *range)
{
	return range->flags & BLINK_TREE_SCAN_DONE;
}

int blinktree_scan_open(struct blinktree *tree, __u64 first, __u64 last,
			unsigned int flags, size_t buffer,
			struct blinktree_scan **scan)
{
	struct blinktree_scan *new;

	if (flags & ~BLINK_TREE_SCAN_DESC || first > last)
		return -EINVAL;
	if (!buffer)
		buffer = BUFFER_DEFAULT;
	if (buffer > UINT32_MAX)
		return -EINVAL;
	/* It can be in a program of 32 bits. */
	if (buffer > (SIZE_MAX - sizeof(*new)) / sizeof(new->entries[0]))
		return -ENOMEM;
	new = calloc(1, sizeof(*new) + buffer * sizeof(new->entries[0]));
	if (!new)
		return -ENOMEM;
	new->fd = tree->fd;
	new->capacity = buffer;
	new->range.flags = flags;
	new->range.first = first;
	new->range.last = last;
	*scan = new;
	return 0;
}

/* A signal can end a call before it has found an entry. */
static int fill(struct blinktree_scan *scan)
{
	struct blink_tree_ioc_scan range = scan->range;
	int err;

	do {
		range.capacity = scan->capacity;
		range.entries = (uintptr_t)scan->entries;
		range.entry_size = sizeof(scan->entries[0]);
		err = blinktree_call(scan->fd, BLINK_TREE_IOC_SCAN, &range);
		if (err)
			return err;
	} while (!range.count && !range_done(&range));

	scan->range = range;
	scan->count = range.count;
	scan->next = 0;
	return 0;
}

int blinktree_scan_next(struct blinktree_scan *scan,
			struct blink_tree_entry *entry)
{
	int err;

	if (scan->next == scan->count && !range_done(&scan->range)) {
		err = fill(scan);
		if (err)
			return err;
	}
	if (scan->next == scan->count)
		return 0;
	*entry = scan->entries[scan->next++];
	return 1;
}

int blinktree_scan_left(const struct blinktree_scan *scan, __u64 *first,
			__u64 *last)
{
	bool desc = scan->range.flags & BLINK_TREE_SCAN_DESC;

	if (scan->next == scan->count && range_done(&scan->range))
		return 0;
	/* The kernel moves only the end of the range that it reads from. */
	*first = scan->range.first;
	*last = scan->range.last;
	if (scan->next < scan->count)
		*(desc ? last : first) = scan->entries[scan->next].key;
	return 1;
}

void blinktree_scan_close(struct blinktree_scan *scan)
{
	free(scan);
}
