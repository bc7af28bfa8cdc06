// SPDX-License-Identifier: GPL-2.0
/*
 * LMDB on a file in memory, never written to a disk: a B+-tree that copies what it
 * changes. Each operation, or each batch, is a transaction; a thread keeps the transaction
 * that it reads by, as its manual advises.
 */
#include <linux/types.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keys.h"

/* Sparse: unused pages take no memory. */
#define FILE_SIZE 0x1000000000ULL
/* A limit that Debian compiles in; mdb_env_get_maxkeysize() returns it. */
#define LONGEST 511

static MDB_env *env;
static MDB_dbi dbi;

static __thread MDB_txn *reader;
static __thread MDB_cursor *cursor;

static bool open_in(const char *path)
{
	const unsigned int flags = MDB_NOSUBDIR | MDB_NOSYNC | MDB_WRITEMAP |
				   MDB_NOMETASYNC | MDB_NORDAHEAD;
	MDB_txn *txn;

	return !mdb_env_create(&env) && !mdb_env_set_mapsize(env, FILE_SIZE) &&
	       !mdb_env_open(env, path, flags, 0600) &&
	       !mdb_txn_begin(env, NULL, 0, &txn) &&
	       !mdb_dbi_open(txn, NULL, 0, &dbi) && !mdb_txn_commit(txn);
}

/* The files have no names any more once they are open. */
static void *create(enum kind kind)
{
	char path[] = "/dev/shm/blink_keys.XXXXXX";
	char lock[sizeof(path) + sizeof("-lock")];
	int file = mkstemp(path);
	bool opened;

	(void)kind;
	if (file < 0)
		return NULL;
	close(file);
	opened = open_in(path);
	snprintf(lock, sizeof(lock), "%s-lock", path);
	unlink(path);
	unlink(lock);
	return opened ? env : NULL;
}

static bool begin_read(void)
{
	if (reader)
		return !mdb_txn_renew(reader) &&
		       !mdb_cursor_renew(reader, cursor);
	return !mdb_txn_begin(env, NULL, MDB_RDONLY, &reader) &&
	       !mdb_cursor_open(reader, dbi, &cursor);
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

	(void)index;
	if (mdb_txn_begin(env, NULL, 0, &txn))
		return false;
	if (!mdb_put(txn, dbi, &k, &v, MDB_NOOVERWRITE))
		return !mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return false;
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
	(void)index;
	return get(key, 1, value);
}

static unsigned int batch(void *index, const struct key *keys, u64 *values)
{
	(void)index;
	return get(keys, BATCH, values);
}

static unsigned int scan(void *index, const struct key *key, unsigned int nr,
			 u64 *sum)
{
	MDB_cursor_op op = MDB_SET_RANGE;
	MDB_val k = val_of(key), v;
	unsigned int got = 0;

	(void)index;
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

static u64 bytes(void *index)
{
	MDB_stat stat;

	(void)index;
	if (!begin_read() || mdb_stat(reader, dbi, &stat))
		return 0;
	mdb_txn_reset(reader);
	return (stat.ms_branch_pages + stat.ms_leaf_pages +
		stat.ms_overflow_pages) *
	       (u64)stat.ms_psize;
}

const struct index_ops index_lmdb = {
	.name = "LMDB",
	.kinds = STRINGS,
	.longest = LONGEST,
	.create = create,
	.insert = insert,
	.lookup = lookup,
	.scan = scan,
	.batch = batch,
	.bytes = bytes,
};
