// SPDX-License-Identifier: GPL-2.0
/* LMDB: see lmdb_file.h. */
#include <errno.h>

#include "lmdb_file.h"
#include "peers.h"

#define JOIN(a, b, c) #a "." #b "." #c
#define VERSION_TEXT(a, b, c) JOIN(a, b, c)

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	return open_lmdb((params->keys + (1 << 18)) * 256, MDB_INTEGERKEY);
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

static int put_alone(__u64 key, __u64 value, unsigned int flags, int error)
{
	MDB_txn *txn;

	if (!begin_write(&txn))
		return -ENOMEM;
	return finish(txn, put(txn, key, value, flags)) ? 0 : error;
}

static int insert(void *map, __u64 key, __u64 value)
{
	return put_alone(key, value, MDB_NOOVERWRITE, -EEXIST);
}

static int store(void *map, __u64 key, __u64 value)
{
	return put_alone(key, value, 0, -ENOMEM);
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

static bool has_write(const struct blink_tree_ioc_op *op, unsigned int nr)
{
	while (nr--)
		if (op[nr].opcode != BLINK_TREE_OP_LOOKUP)
			return true;
	return false;
}

/* One transaction for all, which reads only if all of them do. */
static void batch(void *map, struct blink_tree_ioc_op *op, unsigned int nr)
{
	bool writes = has_write(op, nr), good;
	MDB_txn *txn = NULL;
	unsigned int i;

	good = writes ? begin_write(&txn) : begin_read();
	if (!writes)
		txn = reader;
	for (i = 0; i < nr; i++, op++) {
		bool done = good;

		if (done && op->opcode == BLINK_TREE_OP_INSERT)
			done = put(txn, op->key, op->value, MDB_NOOVERWRITE);
		else if (done && op->opcode == BLINK_TREE_OP_STORE)
			done = put(txn, op->key, op->value, 0);
		else if (done)
			done = get(txn, op->key, &op->value);
		op->result = done ? 0 : -1;
	}
	if (!writes)
		mdb_txn_reset(reader);
	else if (good && mdb_txn_commit(txn))
		op[-1].result = -1;
}

/* A batch is one transaction. */
static int commit(void *map, struct blink_tree_ioc_op *op, unsigned int nr)
{
	int ret = 0;

	batch(map, op, nr);
	while (nr--)
		ret = ret ?: op[nr].result;
	return ret;
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
	.commit = commit,
	.bytes = lmdb_bytes,
};
