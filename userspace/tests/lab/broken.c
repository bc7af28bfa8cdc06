// SPDX-License-Identifier: GPL-2.0
/* Schemes that give wrong answers: our tree, whose answers are changed. */
#include <linux/errno.h>

#include "broken.h"

enum fault fault;

static const struct lab_index_ops *const good = &lab_blink_ops;

static void *broken_create(const struct lab_index_ops *ops,
			   const struct lab_params *params)
{
	return good->create(good, params);
}

static int broken_insert(void *data, u64 key, u64 value)
{
	if (fault == INSERT_LOST)
		return 0;
	if (fault == INSERT_MEMORY)
		return -ENOMEM;
	return good->insert(data, key, value) ?:
		       fault == INSERT_ERROR  ? -EEXIST :
						0;
}

static int broken_load(void *data, u64 key, u64 value)
{
	if (fault == LOAD_LOST && value == 7)
		return 0;
	return good->store(data, key, value);
}

static int broken_lookup(void *data, u64 key, u64 *value)
{
	int ret = good->lookup(data, key, value);

	if (fault == LOOKUP_VALUE)
		++*value;
	if (fault == LOOKUP_ABSENT)
		return -ENOENT;
	if (fault == LOOKUP_ERROR)
		return -EINVAL;
	return fault == MISS_FOUND ? 0 : ret;
}

static int broken_store(void *data, u64 key, u64 value)
{
	return good->store(data, key, value + (fault == STORE_VALUE));
}

static int broken_erase(void *data, u64 key)
{
	return fault == ERASE_LOST ? -ENOENT : good->erase(data, key);
}

/* Some faults are those of full scans alone: the end of the keys shows them too. */
static unsigned int broken_scan(void *data, u64 key,
				struct blink_tree_entry *entry, unsigned int nr)
{
	unsigned int got = good->scan(data, key, entry, nr);

	if (fault == SCAN_EMPTY)
		return 0;
	if (fault == SCAN_MANY)
		return nr + 1;
	if (fault == SCAN_FIRST && got == nr)
		return good->scan(data, key + 1, entry, nr) ?: 1;
	if (fault == SCAN_TWICE && got == nr && nr > 1)
		entry[1] = entry[0];
	if (fault == SCAN_VALUE)
		entry[got - 1].value++;
	return fault == SCAN_SHORT && got == nr ? got - 1 : got;
}

static int broken_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	int ret = good->floor(data, key, entry);

	if (fault == FLOOR_ABSENT)
		return -ENOENT;
	if (fault == FLOOR_FIRST && !ret)
		good->scan(data, 0, entry, 1);
	if (fault == FLOOR_AFTER && !ret)
		good->scan(data, key, entry, 1);
	entry->value += fault == FLOOR_VALUE;
	return ret;
}

static void broken_batch(void *data, struct blink_tree_ioc_op *op,
			 unsigned int nr)
{
	good->batch(data, op, nr);
	if (fault == BATCH_ERROR)
		op[nr - 1].result = -ENOENT;
	if (fault == BATCH_VALUE)
		op[nr - 1].value++;
	if (fault == BATCH_MEMORY)
		op[0].result = -ENOMEM;
}

static int broken_get_or_insert(void *data, u64 key, u64 *value)
{
	int ret = good->get_or_insert(data, key, value);

	*value += fault == GET_VALUE;
	return fault == GET_LOST ? 0 : ret;
}

static int broken_pop_min(void *data, struct blink_tree_entry *entry)
{
	int ret = good->pop_min(data, entry);

	entry->value += fault == POP_VALUE;
	return fault == POP_LOST ? -ENOENT : ret;
}

static u64 broken_count(void *data, u64 first, u64 last)
{
	return good->count(data, first, last) + 200 * (fault == COUNT_MANY);
}

static u64 broken_erase_range(void *data, u64 first, u64 last)
{
	return good->erase_range(data, first, fault == RANGE_FEW ? 0 : last);
}

static void broken_destroy(void *data)
{
	good->destroy(data);
}

const struct lab_index_ops broken_ops = {
	.most_keys = 200000,
	.create = broken_create,
	.destroy = broken_destroy,
	.insert = broken_insert,
	.load = broken_load,
	.lookup = broken_lookup,
	.store = broken_store,
	.erase = broken_erase,
	.scan = broken_scan,
	.floor = broken_floor,
	.batch = broken_batch,
	.get_or_insert = broken_get_or_insert,
	.pop_min = broken_pop_min,
	.count = broken_count,
	.erase_range = broken_erase_range,
};

struct lab_index_ops scanning_ops;

/* Faults are those of a batch of scans alone. */
static void scanning_batch(void *data, struct blink_tree_ioc_op *op,
			   unsigned int nr)
{
	struct blink_tree_entry *entry = (void *)(uintptr_t)op[nr - 1].value;

	lab_spiderman_123_ops.batch(data, op, nr);
	if (fault == BATCH_SCAN_FEW)
		op[nr - 1].result--;
	if (fault == BATCH_SCAN_VALUE)
		entry->value++;
}

void scanning_init(void)
{
	scanning_ops = lab_spiderman_123_ops;
	scanning_ops.batch = scanning_batch;
}

const struct lab_index_ops bare_ops = {
	.create = broken_create,
	.destroy = broken_destroy,
	.insert = broken_insert,
	.lookup = broken_lookup,
	.store = broken_store,
};
