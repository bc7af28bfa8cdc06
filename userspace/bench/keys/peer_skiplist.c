// SPDX-License-Identifier: GPL-2.0
/* The skip list of crossbeam, with boxed slices of bytes: indexes/crates/src/bytes.rs. */
#include "keys.h"

void *skiplist_bytes_create(void);
bool skiplist_bytes_insert(void *map, const struct key *key, u64 value);
bool skiplist_bytes_lookup(void *map, const struct key *key, u64 *value);
unsigned int skiplist_bytes_scan(void *map, const struct key *key,
				 unsigned int nr, u64 *sum);

const struct index_ops index_skiplist = {
	.name = "crossbeam",
	.create = skiplist_bytes_create,
	.insert = skiplist_bytes_insert,
	.lookup = skiplist_bytes_lookup,
	.scan = skiplist_bytes_scan,
};
