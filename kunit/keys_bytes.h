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

/* The string of a number, in the caller's memory. */
struct keys_text {
	u8 bytes[KEYS_TEXT_MAX];
};

static inline struct blink_bytes_key keys_bytes(struct keys_text *text, u64 key)
{
	return blink_bytes_key(text->bytes, keys_text_put(text->bytes, key));
}

/* The same in memory that lasts until the end of the block. */
#define KEYS_BYTES(key) keys_bytes(&(struct keys_text){}, key)

u64 keys_bytes_kept(const struct blink_tree_ioc_stats *stats);

int keys_bytes_nearest(struct blink_tree *tree,
		       int (*find)(struct blink_tree *tree,
				   struct blink_bytes_key key,
				   struct blink_tree_bytes_entry *entry),
		       u64 key, struct blink_tree_entry *entry);

void keys_bytes_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp);
void keys_bytes_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, gfp_t gfp);
int keys_bytes_load(struct blink_tree *tree,
		    const struct blink_tree_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done);

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
int keys_bytes_finger_next(struct keys_finger *finger,
			   struct blink_tree_entry *entry);
int keys_bytes_finger_prev(struct keys_finger *finger,
			   struct blink_tree_entry *entry);

#endif /* BLINK_KUNIT_KEYS_BYTES_H */
