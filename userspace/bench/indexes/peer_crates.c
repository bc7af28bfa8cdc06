// SPDX-License-Identifier: GPL-2.0
/*
 * Indexes from crates.io: congee, an adaptive radix tree with optimistic lock
 * coupling, which keeps keys of a fixed length in its paths alone and cannot
 * search downwards; and the skip list of crossbeam. See crates/src/lib.rs.
 */
#include <stddef.h>

#include "crates.h"
#include "heap.h"
#include "index.h"

static unsigned long long heap_before;

static void *create_congee(__u64 keys)
{
	heap_before = heap_bytes();
	return congee_create();
}

static void *create_skiplist(__u64 keys)
{
	heap_before = heap_bytes();
	return skiplist_create();
}

static __u64 bytes(void *map)
{
	return heap_bytes() - heap_before;
}

const struct index index_congee = {
	.name = "congee",
	.version = CONGEE_VERSION,
	.locking = "readers take no lock, writers one of the node",
	.create = create_congee,
	.destroy = congee_destroy,
	.insert = congee_store,
	.lookup = congee_lookup,
	.store = congee_store,
	.erase = congee_erase,
	.scan = congee_scan,
	.bytes = bytes,
};

const struct index index_skiplist = {
	.name = "crossbeam-skiplist",
	.version = SKIPLIST_VERSION,
	.locking = "none",
	.create = create_skiplist,
	.destroy = skiplist_destroy,
	.insert = skiplist_store,
	.lookup = skiplist_lookup,
	.store = skiplist_store,
	.erase = skiplist_erase,
	.scan = skiplist_scan,
	.floor = skiplist_floor,
	.bytes = bytes,
};
