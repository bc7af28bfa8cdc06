// SPDX-License-Identifier: GPL-2.0
/* The skip list of crossbeam, with boxed slices of bytes: indexes/crates/src/bytes.rs. */
#include "keys.h"

const struct index_ops index_skiplist = {
	.name = "crossbeam",
	.create = skiplist_bytes_create,
	.insert = skiplist_bytes_insert,
	.lookup = skiplist_bytes_lookup,
	.scan = skiplist_bytes_scan,
};
