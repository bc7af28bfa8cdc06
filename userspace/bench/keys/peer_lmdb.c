// SPDX-License-Identifier: GPL-2.0
/* LMDB: see lmdb_file.h. */
#include <string.h>

#include "keys.h"
#include "lmdb_file.h"

#define FILE_SIZE 0x1000000000ULL
/* A limit that Debian compiles in; mdb_env_get_maxkeysize() returns it. */
#define LONGEST 511

/* As each index does, a scan copies all entries that it finds. */
static __thread unsigned char scanned_keys[SCAN][KEY_MAX];

static void *create(void)
{
	return open_lmdb(FILE_SIZE, 0);
}

static MDB_val val_of(const struct key *key)
{
	return (MDB_val){ key->length, (void *)key->data };
}

static u64 number_of(const MDB_val *value)
{
	u64 number;

	memcpy(&number, value->mv_data, sizeof(number));
	return number;
}

static bool insert(void *index, const struct key *key, u64 value)
{
	MDB_val k = val_of(key), v = { sizeof(value), &value };
	MDB_txn *txn;

	return begin_write(&txn) &&
	       finish(txn, !mdb_put(txn, dbi, &k, &v, MDB_NOOVERWRITE));
}

/* One transaction for all. */
static unsigned int get(const struct key *keys, unsigned int nr, u64 *values)
{
	unsigned int i, found = 0;

	if (!begin_read())
		return 0;
	for (i = 0; i < nr; i++) {
		MDB_val k = val_of(&keys[i]), v;

		if (mdb_get(reader, dbi, &k, &v))
			continue;
		values[i] = number_of(&v);
		found++;
	}
	mdb_txn_reset(reader);
	return found;
}

static bool lookup(void *index, const struct key *key, u64 *value)
{
	return get(key, 1, value);
}

static unsigned int batch(void *index, const struct key *keys, u64 *values)
{
	return get(keys, BATCH, values);
}

static unsigned int scan(void *index, const struct key *key, unsigned int nr,
			 u64 *sum)
{
	MDB_cursor_op op = MDB_SET_RANGE;
	MDB_val k = val_of(key), v;
	unsigned int got = 0;

	if (!begin_read())
		return 0;
	while (got < nr && !mdb_cursor_get(cursor, &k, &v, op)) {
		*sum += number_of(&v);
		memcpy(scanned_keys[got++], k.mv_data, k.mv_size);
		op = MDB_NEXT;
	}
	mdb_txn_reset(reader);
	return got;
}

const struct index_ops index_lmdb = {
	.name = "LMDB",
	.longest = LONGEST,
	.create = create,
	.insert = insert,
	.lookup = lookup,
	.scan = scan,
	.batch = batch,
	.bytes = lmdb_bytes,
};
