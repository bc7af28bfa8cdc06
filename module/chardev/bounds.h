/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: ranges of records
 *
 * The range of a BLINK_TREE_IOC_RECORD_SCAN or BLINK_TREE_IOC_RECORD_ERASE under way. The
 * caller's bounds become a range of the core's keys, and in the end the rest of it
 * becomes the caller's bounds. The kinds of keys have different ranges, so each has its
 * functions for them.
 */
#ifndef BLINK_CHARDEV_BOUNDS_H
#define BLINK_CHARDEV_BOUNDS_H

#include <linux/blink_tree_u128.h>
#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

#include "record.h"

struct blink_call;
struct blink_bounds_strings;

/**
 * struct blink_bounds - a range under way
 * @call: the ioctl
 * @tree: its tree
 * @key: the kind of the tree's keys
 * @kind: its functions
 * @desc: scan from the end to the begin
 * @done: the end is reached
 * @u64_scan: a range of keys of 64 bits
 * @u128_scan: a range of keys of 128 bits
 * @strings: a range of strings
 */
struct blink_bounds {
	struct blink_call *call;
	struct blink_tree *tree;
	enum blink_tree_key key;
	const struct blink_bounds_kind *kind;
	bool desc;
	bool done;
	union {
		struct blink_scan u64_scan;
		struct blink_u128_scan u128_scan;
		struct blink_bounds_strings *strings;
	};
};

/**
 * struct blink_bounds_kind - ranges of keys of one kind
 * @get: set the range to the bounds of the call; it writes the bounds back, so that a
 *	caller whose memory cannot be written gets the error before anything was done
 * @put: set the bounds of the call to the rest of the range
 * @free: free what @get allocated, if it succeeded
 * @chunk_size: bytes of a chunk of entries
 * @scan: read entries into @chunk, about as many as there is @room for their records;
 *	returns their number, or an error
 * @record: write the record of an entry of the chunk; returns its length, or 0 if there
 *	is no @room for it
 * @go_back: let the range go on at an entry of the chunk
 * @count: count about @nr entries
 * @erase: remove at most @nr entries
 */
struct blink_bounds_kind {
	int (*get)(struct blink_bounds *range);
	int (*put)(struct blink_bounds *range);
	void (*free)(struct blink_bounds *range);
	size_t chunk_size;
	int (*scan)(struct blink_bounds *range, void *chunk, size_t room);
	size_t (*record)(const struct blink_bounds *range, const void *chunk,
			 unsigned int i, void *to, size_t room);
	void (*go_back)(struct blink_bounds *range, const void *chunk,
			unsigned int i);
	int (*count)(struct blink_bounds *range, unsigned int nr);
	int (*erase)(struct blink_bounds *range, unsigned int nr);
};

extern const struct blink_bounds_kind blink_bounds_u64;
extern const struct blink_bounds_kind blink_bounds_u128;
extern const struct blink_bounds_kind blink_bounds_bytes;

/* The flags that both ioctls have, by one name. */
#define BLINK_BOUNDS_FIRST_OPEN BLINK_TREE_RECORD_ERASE_FIRST_OPEN
#define BLINK_BOUNDS_LAST_OPEN BLINK_TREE_RECORD_ERASE_LAST_OPEN
#define BLINK_BOUNDS_PREFIX BLINK_TREE_RECORD_ERASE_PREFIX
#define BLINK_BOUNDS_DONE BLINK_TREE_RECORD_ERASE_DONE

int blink_bounds_begin(struct blink_bounds *range, struct blink_call *call,
		       bool desc);
int blink_bounds_end(struct blink_bounds *range, int err);

/* For the kinds. */
struct blink_tree_ioc_record_erase *
blink_bounds_arg(struct blink_bounds *range);
struct blink_field blink_bounds_value(const struct blink_bounds *range,
				      const u64 *value);
int blink_bound_read(void *bound, size_t room, u64 user, u32 length);
int blink_bound_write(u64 user, const void *bound, size_t length);

#endif /* BLINK_CHARDEV_BOUNDS_H */
