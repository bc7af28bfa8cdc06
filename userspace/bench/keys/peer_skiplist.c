// SPDX-License-Identifier: GPL-2.0
/* The skip list of crossbeam, with boxed slices of bytes: see crates/src/bytes.rs. */
#include "skiplist.h"

static void *create(enum kind kind)
{
	(void)kind;
	return skiplist_bytes_create();
}

static bool insert(void *index, const struct key *key, u64 value)
{
	return skiplist_bytes_insert(index, key->data, key->length, value);
}

static bool lookup(void *index, const struct key *key, u64 *value)
{
	return skiplist_bytes_lookup(index, key->data, key->length, value);
}

static unsigned int scan(void *index, const struct key *key, unsigned int nr,
			 u64 *sum)
{
	return skiplist_bytes_scan(index, key->data, key->length, nr, sum,
				   scanned_keys[0]);
}

const struct index_ops index_skiplist = {
	.name = "crossbeam",
	.kinds = STRINGS,
	.create = create,
	.insert = insert,
	.lookup = lookup,
	.scan = scan,
};
