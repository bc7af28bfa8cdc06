// SPDX-License-Identifier: GPL-2.0
/*
 * LMDB on a file in memory, never written to a disk: a B+-tree that copies what
 * it changes. Each operation, or each batch, is a transaction; a thread keeps
 * the transaction that it reads by, as its manual advises.
 */
#include <errno.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "peers.h"

#define JOIN(a, b, c) #a "." #b "." #c
#define VERSION_TEXT(a, b, c) JOIN(a, b, c)

static MDB_env *env;
static MDB_dbi dbi;

static __thread MDB_txn *reader;
static __thread MDB_cursor *cursor;

static bool begin_write(MDB_txn **txn)
{
	return !mdb_txn_begin(env, NULL, 0, txn);
}

static bool open_in(const char *path, __u64 keys)
{
	const unsigned int flags = MDB_NOSUBDIR | MDB_NOSYNC | MDB_WRITEMAP |
				   MDB_NOMETASYNC | MDB_NORDAHEAD;
	MDB_txn *txn;

	/* Sparse: unused pages take no memory. */
	return !mdb_env_create(&env) &&
	       !mdb_env_set_mapsize(env, (keys + (1 << 18)) * 256) &&
	       !mdb_env_open(env, path, flags, 0600) && begin_write(&txn) &&
	       !mdb_dbi_open(txn, NULL, MDB_INTEGERKEY, &dbi) &&
	       !mdb_txn_commit(txn);
}

/* The files have no names any more once they are open. */
static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	char path[] = "/dev/shm/blink_compare.XXXXXX";
	char lock[sizeof(path) + sizeof("-lock")];
	int file = mkstemp(path);
	bool opened;

	if (file < 0)
		return NULL;
	close(file);
	opened = open_in(path, params->keys);
	snprintf(lock, sizeof(lock), "%s-lock", path);
	unlink(path);
	unlink(lock);
	return opened ? env : NULL;
}

static void leave(void *map)
{
	if (!reader)
		return;
	mdb_cursor_close(cursor);
	mdb_txn_abort(reader);
	reader = NULL;
}

static void destroy(void *map)
{
	leave(map);
	mdb_env_close(env);
}

static bool begin_read(void)
{
	if (reader)
		return !mdb_txn_renew(reader) &&
		       !mdb_cursor_renew(reader, cursor);
	return !mdb_txn_begin(env, NULL, MDB_RDONLY, &reader) &&
	       !mdb_cursor_open(reader, dbi, &cursor);
}

static bool get(MDB_txn *txn, __u64 key, __u64 *value)
{
	MDB_val k = { sizeof(key), &key }, v;

	if (mdb_get(txn, dbi, &k, &v))
		return false;
	*value = *(__u64 *)v.mv_data;
	return true;
}

static bool put(MDB_txn *txn, __u64 key, __u64 value, unsigned int flags)
{
	MDB_val k = { sizeof(key), &key }, v = { sizeof(value), &value };

	return !mdb_put(txn, dbi, &k, &v, flags);
}

static bool finish(MDB_txn *txn, bool good)
{
	if (good)
		return !mdb_txn_commit(txn);
	mdb_txn_abort(txn);
	return false;
}

static int insert(void *map, __u64 key, __u64 value)
{
	MDB_txn *txn;

	if (!begin_write(&txn))
		return -ENOMEM;
	return finish(txn, put(txn, key, value, MDB_NOOVERWRITE)) ? 0 : -EEXIST;
}

static int store(void *map, __u64 key, __u64 value)
{
	MDB_txn *txn;

	if (!begin_write(&txn))
		return -ENOMEM;
	return finish(txn, put(txn, key, value, 0)) ? 0 : -ENOMEM;
}

static int erase(void *map, __u64 key)
{
	MDB_val k = { sizeof(key), &key };
	MDB_txn *txn;

	if (!begin_write(&txn))
		return -ENOMEM;
	return finish(txn, !mdb_del(txn, dbi, &k, NULL)) ? 0 : -ENOENT;
}

static int lookup(void *map, __u64 key, __u64 *value)
{
	bool found = begin_read() && get(reader, key, value);

	mdb_txn_reset(reader);
	return found ? 0 : -ENOENT;
}

static void copy(struct blink_tree_entry *entry, const MDB_val *k,
		 const MDB_val *v)
{
	entry->key = *(__u64 *)k->mv_data;
	entry->value = *(__u64 *)v->mv_data;
}

static unsigned int scan(void *map, __u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	MDB_val k = { sizeof(key), &key }, v;
	MDB_cursor_op op = MDB_SET_RANGE;
	unsigned int got = 0;

	if (!begin_read())
		return 0;
	while (got < nr && !mdb_cursor_get(cursor, &k, &v, op)) {
		copy(&entry[got++], &k, &v);
		op = MDB_NEXT;
	}
	mdb_txn_reset(reader);
	return got;
}

/* The first key not below; if it is above, or there is none, the one before. */
static int find_floor(void *map, __u64 key, struct blink_tree_entry *entry)
{
	MDB_val k = { sizeof(key), &key }, v;
	bool found;

	if (!begin_read())
		return -ENOENT;
	if (mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE))
		found = !mdb_cursor_get(cursor, &k, &v, MDB_LAST);
	else
		found = *(__u64 *)k.mv_data == key ||
			!mdb_cursor_get(cursor, &k, &v, MDB_PREV);
	if (found)
		copy(entry, &k, &v);
	mdb_txn_reset(reader);
	return found ? 0 : -ENOENT;
}

static bool has_insert(const struct blink_tree_ioc_op *op, unsigned int nr)
{
	while (nr--)
		if (op[nr].opcode == BLINK_TREE_OP_INSERT)
			return true;
	return false;
}

/* One transaction for all, which reads only if all of them do. */
static void batch(void *map, struct blink_tree_ioc_op *op, unsigned int nr)
{
	bool writes = has_insert(op, nr), good;
	MDB_txn *txn = NULL;
	unsigned int i;

	good = writes ? begin_write(&txn) : begin_read();
	if (!writes)
		txn = reader;
	for (i = 0; i < nr; i++, op++) {
		bool done = good;

		if (done && op->opcode == BLINK_TREE_OP_INSERT)
			done = put(txn, op->key, op->value, MDB_NOOVERWRITE);
		else if (done)
			done = get(txn, op->key, &op->value);
		op->result = done ? 0 : -1;
	}
	if (!writes)
		mdb_txn_reset(reader);
	else if (good && mdb_txn_commit(txn))
		op[-1].result = -1;
}

static __u64 bytes(void *map)
{
	MDB_stat stat;

	if (!begin_read() || mdb_stat(reader, dbi, &stat))
		return 0;
	mdb_txn_reset(reader);
	return (stat.ms_branch_pages + stat.ms_leaf_pages +
		stat.ms_overflow_pages) *
	       stat.ms_psize;
}

const struct lab_index_ops lab_lmdb_ops = {
	.version = VERSION_TEXT(MDB_VERSION_MAJOR, MDB_VERSION_MINOR,
				MDB_VERSION_PATCH),
	.create = create,
	.destroy = destroy,
	.leave = leave,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.batch = batch,
	.bytes = bytes,
};
