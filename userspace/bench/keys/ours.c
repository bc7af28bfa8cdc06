// SPDX-License-Identifier: GPL-2.0
/* blink_tree, with keys of each kind. */
#include <linux/blink_tree.h>
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_u128.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "core/core.h"
#include "keys.h"

static struct blink_bytes_key bytes_of(const struct key *key)
{
	return blink_bytes_key(key->data, key->length);
}

static u128 number_of(const struct key *key)
{
	return *(const u128 *)key->data;
}

static void *create(enum kind kind)
{
	static const enum blink_tree_key keys[] = {
		[KIND_U64] = BLINK_TREE_KEY_U64,
		[KIND_U128] = BLINK_TREE_KEY_U128,
		[KIND_BYTES] = BLINK_TREE_KEY_BYTES,
	};
	const struct blink_tree_params params = { .key = keys[kind] };
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

static bool insert_u64(void *index, const struct key *key, u64 value)
{
	return !blink_tree_insert(index, number_of(key), value, NULL,
				  GFP_KERNEL);
}

static bool lookup_u64(void *index, const struct key *key, u64 *value)
{
	return !blink_tree_lookup(index, number_of(key), value);
}

static unsigned int batch_u64(void *index, const struct key *keys, u64 *values)
{
	struct blink_tree_ioc_op op[BATCH];
	unsigned int i, found = 0;

	for (i = 0; i < BATCH; i++)
		op[i] = (struct blink_tree_ioc_op){ .key = number_of(
							    &keys[i]) };
	blink_tree_batch(index, op, BATCH, GFP_KERNEL);
	for (i = 0; i < BATCH; i++) {
		values[i] = op[i].value;
		found += !op[i].result;
	}
	return found;
}

static unsigned int scan_u64(void *index, const struct key *key,
			     unsigned int nr, u64 *sum)
{
	struct blink_scan scan = { .first = number_of(key), .last = U64_MAX };
	struct blink_tree_entry entry[SCAN];
	unsigned int got = 0, i;
	int ret = 0;

	while (got < nr && !scan.done && ret >= 0) {
		ret = blink_tree_scan(index, &scan, entry + got, nr - got);
		got += max(ret, 0);
	}
	for (i = 0; i < got; i++)
		*sum += entry[i].value;
	return got;
}

static bool insert_u128(void *index, const struct key *key, u64 value)
{
	return !blink_tree_u128_insert(index, number_of(key), value, NULL,
				       GFP_KERNEL);
}

static bool lookup_u128(void *index, const struct key *key, u64 *value)
{
	return !blink_tree_u128_lookup(index, number_of(key), value);
}

static unsigned int batch_u128(void *index, const struct key *keys, u64 *values)
{
	struct blink_tree_u128_op op[BATCH];
	unsigned int i, found = 0;

	for (i = 0; i < BATCH; i++)
		op[i] = (struct blink_tree_u128_op){ .key = number_of(
							     &keys[i]) };
	blink_tree_u128_batch(index, op, BATCH, GFP_KERNEL);
	for (i = 0; i < BATCH; i++) {
		values[i] = op[i].value;
		found += !op[i].result;
	}
	return found;
}

static unsigned int scan_u128(void *index, const struct key *key,
			      unsigned int nr, u64 *sum)
{
	struct blink_u128_scan scan = { .first = number_of(key),
					.last = ~(u128)0 };
	struct blink_tree_u128_entry entry[SCAN];
	unsigned int got = 0, i;
	int ret = 0;

	while (got < nr && !scan.done && ret >= 0) {
		ret = blink_tree_u128_scan(index, &scan, entry + got, nr - got);
		got += max(ret, 0);
	}
	for (i = 0; i < got; i++)
		*sum += entry[i].value;
	return got;
}

static bool insert_bytes(void *index, const struct key *key, u64 value)
{
	return !blink_tree_bytes_insert(index, bytes_of(key), value, NULL,
					GFP_KERNEL);
}

static bool lookup_bytes(void *index, const struct key *key, u64 *value)
{
	return !blink_tree_bytes_lookup(index, bytes_of(key), value);
}

static unsigned int batch_bytes(void *index, const struct key *keys,
				u64 *values)
{
	struct blink_tree_bytes_op op[BATCH];
	unsigned int i, found = 0;

	for (i = 0; i < BATCH; i++)
		op[i] = (struct blink_tree_bytes_op){ .key = bytes_of(
							      &keys[i]) };
	blink_tree_bytes_batch(index, op, BATCH, GFP_KERNEL);
	for (i = 0; i < BATCH; i++) {
		values[i] = op[i].value;
		found += !op[i].result;
	}
	return found;
}

static unsigned int scan_bytes(void *index, const struct key *key,
			       unsigned int nr, u64 *sum)
{
	static __thread u8 buffer[SCAN * BLINK_BYTES_MAX];
	struct blink_bytes_scan scan = { .first = bytes_of(key),
					 .buffer = buffer,
					 .size = sizeof(buffer) };
	struct blink_tree_bytes_entry entry[SCAN];
	unsigned int got = 0, i;
	int ret = 0;

	while (got < nr && !scan.done && ret >= 0) {
		ret = blink_tree_bytes_scan(index, &scan, entry + got,
					    nr - got);
		got += max(ret, 0);
	}
	for (i = 0; i < got; i++)
		*sum += entry[i].value;
	return got;
}

const struct index_ops index_u64 = {
	.name = "blink_tree",
	.kinds = KIND_BIT(KIND_U64),
	.create = create,
	.insert = insert_u64,
	.lookup = lookup_u64,
	.scan = scan_u64,
	.batch = batch_u64,
	.bytes = bytes,
};

const struct index_ops index_u128 = {
	.name = "blink_tree",
	.kinds = KIND_BIT(KIND_U128),
	.create = create,
	.insert = insert_u128,
	.lookup = lookup_u128,
	.scan = scan_u128,
	.batch = batch_u128,
	.bytes = bytes,
};

const struct index_ops index_bytes = {
	.name = "blink_tree",
	.kinds = KIND_BIT(KIND_BYTES),
	.create = create,
	.insert = insert_bytes,
	.lookup = lookup_bytes,
	.scan = scan_bytes,
	.batch = batch_bytes,
	.bytes = bytes,
};
