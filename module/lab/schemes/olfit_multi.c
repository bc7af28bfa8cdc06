// SPDX-License-Identifier: GPL-2.0
/*
 * Non-unique keys on OLFIT's OL.
 *
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon. Paper: OLFIT (VLDB 2001),
 * section 6: "For each experiment, we used non-unique indexes that allow duplicate key
 * values, and the indexes are initialized by the insertion of 10 million uniformly
 * distributed 4-bytes integer keys and associated pointers. The size of pointers is 4
 * bytes."
 *
 * The paper says no more, so that the order of equal keys is chosen here: entries are in
 * the order of their keys and then of their values, which are the pointers of the paper.
 * ARIES/IM, which section 5.4 combines with OLFIT, has the same: its keys are pairs of a
 * key value and a record's identifier. A pair has 8 bytes, with the paper's sizes, and is
 * unique. So it is a key of the trees that this lab has, and OL needs no change: equal keys
 * may fill any number of nodes.
 *
 * A key occurs as often as it has been inserted with different values. store() adds an
 * entry too, as there is no value to overwrite. erase() removes one entry of a key.
 *
 * Promises: inserting and removing an entry (erase_entry) take effect at one moment. A
 * lookup and erase() are not promised to: the entries of a key may be in several leaves,
 * which are read one after the other.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "lab_index.h"

/* The trees of pairs: the variants of these schemes. */
enum {
	MULTI_BTREE,
	MULTI_CSB,
};

static const struct lab_index_ops *const bases[] = {
	[MULTI_BTREE] = &lab_olfit_ol_ops,
	[MULTI_CSB] = &lab_olfit_csb_ol_ops,
};

/**
 * struct multi - an index of keys that may be equal
 * @ops: the scheme of the tree of pairs
 * @data: that tree
 */
struct multi {
	const struct lab_index_ops *ops;
	void *data;
};

/* No pair is the greatest word, which trees use as a bound. */
static bool fits(u64 key, u64 value)
{
	return key <= U32_MAX && value < U32_MAX;
}

static u64 pair(u64 key, u64 value)
{
	return key << 32 | value;
}

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct multi *multi = kzalloc(sizeof(*multi), LAB_GFP);
	void *error;

	if (!multi)
		return NULL;
	multi->ops = bases[ops->variant];
	multi->data = multi->ops->create(multi->ops, params);
	if (multi->data && !IS_ERR(multi->data))
		return multi;
	error = multi->data;
	kfree(multi);
	return error;
}

static void destroy(void *data)
{
	struct multi *multi = data;

	multi->ops->destroy(multi->data);
	kfree(multi);
}

static int insert(void *data, u64 key, u64 value)
{
	struct multi *multi = data;

	if (!fits(key, value))
		return -ERANGE;
	return multi->ops->insert(multi->data, pair(key, value), value);
}

static int store(void *data, u64 key, u64 value)
{
	int ret = insert(data, key, value);

	return ret == -EEXIST ? 0 : ret;
}

static int erase_entry(void *data, u64 key, u64 value)
{
	struct multi *multi = data;

	if (!fits(key, value))
		return -ENOENT;
	return multi->ops->erase(multi->data, pair(key, value));
}

static unsigned int scan(void *data, u64 key, struct blink_tree_entry *entry,
			 unsigned int nr)
{
	struct multi *multi = data;
	unsigned int got, i;

	if (!fits(key, 0))
		return 0;
	got = multi->ops->scan(multi->data, pair(key, 0), entry, nr);
	for (i = 0; i < got; i++)
		entry[i].key >>= 32;
	return got;
}

/* The entry of the greatest value, if the key has several. */
static int floor_of(void *data, u64 key, struct blink_tree_entry *entry)
{
	const u64 most = U32_MAX;
	struct multi *multi = data;
	int ret;

	ret = multi->ops->floor(multi->data, pair(min(key, most), most - 1),
				entry);
	if (!ret)
		entry->key >>= 32;
	return ret;
}

/* The least value of the key. */
static int lookup(void *data, u64 key, u64 *value)
{
	struct blink_tree_entry entry;

	if (!scan(data, key, &entry, 1) || entry.key != key)
		return -ENOENT;
	*value = entry.value;
	return 0;
}

/* Another thread may remove the entry that was found; then there may be one more. */
static int erase(void *data, u64 key)
{
	u64 value;

	while (!lookup(data, key, &value)) {
		if (!erase_entry(data, key, value))
			return 0;
	}
	return -ENOENT;
}

static int verify(void *data)
{
	struct multi *multi = data;

	return multi->ops->verify(multi->data);
}

static u64 bytes(void *data)
{
	struct multi *multi = data;

	return multi->ops->bytes(multi->data);
}

#define MULTI_SCHEME(symbol, of)                          \
	const struct lab_index_ops lab_##symbol##_ops = { \
		.variant = of,                            \
		.create = create,                         \
		.destroy = destroy,                       \
		.insert = insert,                         \
		.lookup = lookup,                         \
		.store = store,                           \
		.erase = erase,                           \
		.erase_entry = erase_entry,               \
		.scan = scan,                             \
		.floor = floor_of,                        \
		.verify = verify,                         \
		.bytes = bytes,                           \
	}

MULTI_SCHEME(olfit_multi, MULTI_BTREE);
MULTI_SCHEME(olfit_csb_multi, MULTI_CSB);
