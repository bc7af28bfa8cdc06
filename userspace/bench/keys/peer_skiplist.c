// SPDX-License-Identifier: GPL-2.0
/* The skip list of crossbeam, with boxed slices of bytes: see crates/src/bytes.rs. */
#include "keys.h"

void *skiplist_bytes_create(void);
bool skiplist_bytes_insert(void *map, const unsigned char *data, size_t length,
			   u64 value);
bool skiplist_bytes_lookup(void *map, const unsigned char *data, size_t length,
			   u64 *value);
unsigned int skiplist_bytes_scan(void *map, const unsigned char *data,
				 size_t length, unsigned int nr, u64 *sum,
				 unsigned char (*copies)[KEY_MAX]);

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
				   scanned_keys);
}

const struct index_ops index_skiplist = {
	.name = "crossbeam",
	.kinds = STRINGS,
	.create = create,
	.insert = insert,
	.lookup = lookup,
	.scan = scan,
};
