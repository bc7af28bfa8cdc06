// SPDX-License-Identifier: GPL-2.0
/*
 * Indexes from crates.io: congee, an adaptive radix tree with optimistic lock
 * coupling, which keeps keys of a fixed length in its paths alone and cannot
 * search downwards; and the skip list of crossbeam. See crates/src/lib.rs.
 */
#include <stddef.h>

#include "crates.h"
#include "peers.h"

const struct lab_index_ops lab_congee_ops = {
	.version = CONGEE_VERSION,
	.create = congee_create,
	.destroy = congee_destroy,
	.insert = congee_store,
	.lookup = congee_lookup,
	.store = congee_store,
	.erase = congee_erase,
	.scan = congee_scan,
};

const struct lab_index_ops lab_skiplist_ops = {
	.version = SKIPLIST_VERSION,
	.create = skiplist_create,
	.destroy = skiplist_destroy,
	.insert = skiplist_store,
	.lookup = skiplist_lookup,
	.store = skiplist_store,
	.erase = skiplist_erase,
	.scan = skiplist_scan,
	.floor = skiplist_floor,
};
