/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ranges of records whose bounds are strings of bytes.
 *
 * Include it after blink_test.h, records.h and ../common/bytes.h.
 */
#ifndef BLINK_TEST_RANGES_H
#define BLINK_TEST_RANGES_H

#define BYTES_DESC BLINK_TREE_RECORD_SCAN_DESC
#define BYTES_COUNT BLINK_TREE_RECORD_SCAN_COUNT
#define BYTES_DONE BLINK_TREE_RECORD_SCAN_DONE

/**
 * struct bytes_range - a range, with its bounds as the kernel reads and writes them
 * @arg: the structure of a scan
 * @first: the lower bound
 * @last: the upper bound
 */
struct bytes_range {
	struct blink_tree_ioc_record_scan arg;
	char first[BYTES_KEY_MAX];
	char last[BYTES_KEY_MAX];
};

/* The structure has the addresses of the bounds, so a copy of it is another range. */
static inline void bytes_range_init(struct bytes_range *range, __u32 flags,
				    struct string first, struct string last)
{
	memset(range, 0, sizeof(*range));
	range->arg.flags = flags;
	range->arg.first_length = first.length;
	range->arg.last_length = last.length;
	if (first.length)
		memcpy(range->first, first.data, first.length);
	if (last.length)
		memcpy(range->last, last.data, last.length);
	range->arg.first = ptr_to_u64(range->first);
	range->arg.last = ptr_to_u64(range->last);
}

static inline int bytes_scan(struct stream *s, struct bytes_range *range,
			     size_t room)
{
	range->arg.output = room ? ptr_to_u64(s->output) : 0;
	range->arg.output_size = room;
	range->arg.output_used = JUNK;
	range->arg.count = JUNK;
	return call(s->tree, BLINK_TREE_IOC_RECORD_SCAN, &range->arg);
}

#endif /* BLINK_TEST_RANGES_H */
