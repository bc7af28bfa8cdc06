// SPDX-License-Identifier: GPL-2.0
/* blink_tree, with keys of each kind: the same calls, with other types. */
#include <linux/blink_tree.h>
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_u128.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "core/core.h"
#include "keys.h"

/* Names of keys of 64 bits have no kind in them. */
#define blink_tree_u64_insert blink_tree_insert
#define blink_tree_u64_lookup blink_tree_lookup
#define blink_tree_u64_batch blink_tree_batch
#define blink_tree_u64_scan blink_tree_scan
#define blink_tree_u64_op blink_tree_ioc_op
#define blink_tree_u64_entry blink_tree_entry
#define blink_u64_scan blink_scan

static __thread u8 buffer[SCAN * BLINK_BYTES_MAX];

static u64 key_u64(const struct key *key)
{
	return *(const u128 *)key->data;
}

static u128 key_u128(const struct key *key)
{
	return *(const u128 *)key->data;
}

static struct blink_bytes_key key_bytes(const struct key *key)
{
	return blink_bytes_key(key->data, key->length);
}

/* All keys from the first one on. */
#define rest_u64 .last = U64_MAX
#define rest_u128 .last = ~(u128)0
#define rest_bytes .buffer = buffer, .size = sizeof(buffer)

static void *create(enum blink_tree_key key)
{
	const struct blink_tree_params params = { .key = key };
	struct blink_tree *tree;

	if (blink_core_init())
		return NULL;
	tree = blink_tree_create(&params, GFP_KERNEL);
	return IS_ERR(tree) ? NULL : tree;
}

static u64 bytes(void *index)
{
	struct blink_tree_ioc_stats stats;

	blink_tree_stats(index, &stats);
	return stats.bytes;
}

/* All calls of a kind of keys. */
#define INDEX(kind, type)                                                      \
	static void *create_##kind(void)                                       \
	{                                                                      \
		return create(type);                                           \
	}                                                                      \
	static bool insert_##kind(void *index, const struct key *key,          \
				  u64 value)                                   \
	{                                                                      \
		return !blink_tree_##kind##_insert(index, key_##kind(key),     \
						   value, NULL, GFP_KERNEL);   \
	}                                                                      \
	static bool lookup_##kind(void *index, const struct key *key,          \
				  u64 *value)                                  \
	{                                                                      \
		return !blink_tree_##kind##_lookup(index, key_##kind(key),     \
						   value);                     \
	}                                                                      \
	static unsigned int batch_##kind(void *index, const struct key *keys,  \
					 u64 *values)                          \
	{                                                                      \
		struct blink_tree_##kind##_op op[BATCH] = {};                  \
		unsigned int i, found = 0;                                     \
		for (i = 0; i < BATCH; i++)                                    \
			op[i].key = key_##kind(&keys[i]);                      \
		blink_tree_##kind##_batch(index, op, BATCH, GFP_KERNEL);       \
		for (i = 0; i < BATCH; i++) {                                  \
			values[i] = op[i].value;                               \
			found += !op[i].result;                                \
		}                                                              \
		return found;                                                  \
	}                                                                      \
	static unsigned int scan_##kind(void *index, const struct key *key,    \
					unsigned int nr, u64 *sum)             \
	{                                                                      \
		struct blink_##kind##_scan scan = { .first = key_##kind(key),  \
						    rest_##kind };             \
		struct blink_tree_##kind##_entry entry[SCAN];                  \
		unsigned int got = 0, i;                                       \
		int ret = 0;                                                   \
		while (got < nr && !scan.done && ret >= 0) {                   \
			ret = blink_tree_##kind##_scan(index, &scan,           \
						       entry + got, nr - got); \
			got += max(ret, 0);                                    \
		}                                                              \
		for (i = 0; i < got; i++)                                      \
			*sum += entry[i].value;                                \
		return got;                                                    \
	}                                                                      \
	const struct index_ops index_##kind = {                                \
		.name = "blink_tree",                                          \
		.create = create_##kind,                                       \
		.insert = insert_##kind,                                       \
		.lookup = lookup_##kind,                                       \
		.scan = scan_##kind,                                           \
		.batch = batch_##kind,                                         \
		.bytes = bytes,                                                \
	}

INDEX(u64, BLINK_TREE_KEY_U64);
INDEX(u128, BLINK_TREE_KEY_U128);
INDEX(bytes, BLINK_TREE_KEY_BYTES);
