/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of keys.h for trees whose keys are strings: each key is the string of a
 * number (keys_text.h). Strings have neither cursors nor fingers. Those of tests are the
 * number of a key here, and search for the next one.
 */
#ifndef BLINK_KUNIT_KEYS_BYTES_H
#define BLINK_KUNIT_KEYS_BYTES_H

#include <linux/blink_tree_bytes.h>

#include "keys.h"
#include "keys_text.h"

/**
 * struct strings - a set of strings
 * @nr: their number
 * @key: the strings, ascending
 * @found: buffers for the keys that a batch finds
 */
struct strings {
	unsigned int nr;
	struct blink_bytes_key *key;
	u8 (*found)[BLINK_BYTES_MAX];
};

/*
 * If a test sets it, numbers stand for the strings of a set instead: 2 * i for string i, and
 * 2 * i + 1 for the place behind it. Such a test has one thread.
 */
extern const struct strings *keys_strings;

int keys_bytes_compare(const void *a, const void *b);

/* The string of a number, in the caller's memory. */
struct keys_text {
	u8 bytes[KEYS_TEXT_MAX];
};

struct blink_bytes_key keys_bytes(struct keys_text *text, u64 key);
u64 keys_bytes_exact(u64 key, bool up);

/* The same in memory that lasts until the end of the block. */
#define KEYS_BYTES(key) keys_bytes(&(struct keys_text){}, key)

u64 keys_bytes_kept(const struct blink_tree_ioc_stats *stats);

int keys_bytes_nearest(struct blink_tree *tree,
		       typeof(blink_tree_bytes_floor) find, u64 key,
		       struct blink_tree_entry *entry);

/* The strings of an operation: of the key, and of that which it finds. */
struct keys_op_text {
	struct keys_text asked;
	struct keys_text found;
};

struct blink_tree_bytes_op
keys_bytes_op_begin(const struct blink_tree_ioc_op *op,
		    struct keys_op_text *text, unsigned int i);
void keys_bytes_op_end(struct blink_tree_ioc_op *op,
		       const struct blink_tree_bytes_op *from);
void keys_bytes_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp);
int keys_bytes_many(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		    unsigned int nr, bool commit, unsigned int *failed,
		    gfp_t gfp);
struct blink_tree_bytes_entry
keys_bytes_entry(const struct blink_tree_entry *entry, struct keys_text *text);
int keys_bytes_load(struct blink_tree *tree,
		    const struct blink_tree_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done);

/**
 * struct keys_span - a range of a tree of strings
 * @scan: the range as the tree takes it
 * @first: the string of its first key
 * @last: the string of its last key
 */
struct keys_span {
	struct blink_bytes_scan scan;
	struct keys_text first;
	struct keys_text last;
};

void keys_span_begin(struct keys_span *span, const struct blink_scan *scan);
void keys_span_end(struct blink_scan *scan, const struct keys_span *span);
int keys_bytes_found(struct blink_tree_entry *entries,
		     const struct blink_tree_bytes_entry *found, int nr);

int keys_bytes_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_entry *entries, unsigned int nr);
int keys_bytes_count_range(struct blink_tree *tree, struct blink_scan *scan,
			   unsigned int nr);
int keys_bytes_erase_range(struct blink_tree *tree, struct blink_scan *scan,
			   struct blink_tree_entry *entries, unsigned int nr);

int keys_bytes_get_or_insert(struct blink_tree *tree, u64 key, u64 *value,
			     gfp_t gfp);

int keys_bytes_next(struct blink_tree *tree, struct keys_steps *steps,
		    struct blink_tree_entry *entry);

int keys_bytes_step(struct keys_finger *finger, u64 key, bool below,
		    struct blink_tree_entry *entry);
int keys_bytes_finger_step(struct keys_finger *finger, bool back,
			   struct blink_tree_entry *entry);

#endif /* BLINK_KUNIT_KEYS_BYTES_H */
