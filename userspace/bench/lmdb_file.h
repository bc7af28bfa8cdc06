/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LMDB on a file in memory, never written to a disk: a B+-tree that copies what it
 * changes. Each operation, or each batch, is a transaction; a thread keeps the transaction
 * that it reads by, as its manual advises. One file of a program includes this.
 */
#ifndef BENCH_LMDB_FILE_H
#define BENCH_LMDB_FILE_H

#include <linux/types.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static MDB_dbi dbi;
static MDB_env *env;

static __thread MDB_txn *reader;
static __thread MDB_cursor *cursor;

static inline bool begin_write(MDB_txn **txn)
{
	return !mdb_txn_begin(env, NULL, 0, txn);
}

static inline bool begin_read(void)
{
	if (reader)
		return !mdb_txn_renew(reader) &&
		       !mdb_cursor_renew(reader, cursor);
	return !mdb_txn_begin(env, NULL, MDB_RDONLY, &reader) &&
	       !mdb_cursor_open(reader, dbi, &cursor);
}

static inline bool finish(MDB_txn *txn, bool good)
{
	if (good)
		return !mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return false;
}

static inline bool open_in(const char *path, size_t size, unsigned int flags)
{
	const unsigned int of_env = MDB_NOSUBDIR | MDB_NOSYNC | MDB_WRITEMAP |
				    MDB_NOMETASYNC | MDB_NORDAHEAD;
	MDB_txn *txn;

	return !mdb_env_create(&env) && !mdb_env_set_mapsize(env, size) &&
	       !mdb_env_open(env, path, of_env, 0600) && begin_write(&txn) &&
	       !mdb_dbi_open(txn, NULL, flags, &dbi) && !mdb_txn_commit(txn);
}

/* @size: of the file, whose unused pages take no memory; @flags: of the database */
static inline MDB_env *open_lmdb(size_t size, unsigned int flags)
{
	char path[] = "/dev/shm/blink_bench.XXXXXX";
	char lock[sizeof(path) + sizeof("-lock")];
	int file = mkstemp(path);
	bool opened;

	if (file < 0)
		return NULL;
	close(file);
	opened = open_in(path, size, flags);
	/* The files have no names any more once they are open. */
	snprintf(lock, sizeof(lock), "%s-lock", path);
	unlink(path);
	unlink(lock);
	return opened ? env : NULL;
}

static inline u64 lmdb_bytes(void *index)
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

#endif /* BENCH_LMDB_FILE_H */
