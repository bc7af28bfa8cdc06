/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: prefetching leaves
 *
 * A scan prefetches the next leaves to which its inner node of level 1 leads, and of
 * each of them only the cache lines that it expects to read: the header, and the keys
 * and values of as many entries as the last leaf had. A count prefetches the headers
 * alone. The prefetches stop where the range or the buffer will end. All of this is a
 * guess from slots that are read without a read section: the addresses are prefetched,
 * and used for nothing else.
 */
#ifndef BLINK_CORE_AHEAD_H
#define BLINK_CORE_AHEAD_H

#include <linux/blink_tree.h>

#include "../node/node.h"

/**
 * struct blink_ahead - the leaves that a scan prefetches before it reads them
 * @parent: the inner node of level 1 that leads to them, or NULL
 * @pos: slot of the next leaf to prefetch; it can be outside of the slots in use
 * @leaves: number of leaves that were prefetched and not read yet
 * @fill: number of entries that a leaf is expected to have
 * @headers: whether to prefetch the headers alone
 */
struct blink_ahead {
	const struct blink_node *parent;
	unsigned int pos;
	unsigned int leaves;
	unsigned int fill;
	bool headers;
};

#define BLINK_AHEAD_INIT(only_headers) \
	{ .fill = BLINK_LEAF_SLOTS * 3 / 4, .headers = (only_headers) }

/* The slot of the next leaf to read, in a descending scan. */
static inline unsigned int blink_ahead_pos(const struct blink_ahead *ahead)
{
	return ahead->pos + ahead->leaves;
}

/* Begin again with the next leaf: a descent went there. */
static inline void blink_ahead_end(struct blink_ahead *ahead)
{
	ahead->parent = NULL;
	ahead->leaves = 0;
}

void blink_ahead_next(struct blink_ahead *ahead,
		      const struct blink_node *parent, blink_key_t key,
		      const struct blink_scan *scan, unsigned int room);

#endif /* BLINK_CORE_AHEAD_H */
