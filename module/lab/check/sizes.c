// SPDX-License-Identifier: GPL-2.0
/*
 * The check of a scheme: whether it has the operations that it promises, and which sizes
 * of nodes it is checked with.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>

#include "check.h"

/* Plain nodes of this size are no slab objects, and still have to be split. */
#define LARGE_BYTES 12288
/* Sizes of nodes are words. */
#define STEP_BYTES 8
/* The check of a size that is not the least one has fewer operations. */
#define FEWER 8
/* Trees that are begun anew: one for so many operations of the check, at most. */
#define BEGINNING_EACH 1000
#define BEGINNINGS 20
/* Operations of a thread in each of them. */
#define BEGINNING_OPS 64

/**
 * lab_check_create() - create an index for a check
 * @check: the check
 * @index: set to the index
 * @node_bytes: the size of nodes, or 0 for that of the scheme
 *
 * Context: process; sleeps.
 * Return: as lab_index_create().
 */
int lab_check_create(struct lab_check *check, struct lab_index *index,
		     u32 node_bytes)
{
	const struct lab_params params = { .keys = LAB_CHECK_KEYS,
					   .node_bytes = node_bytes };

	check->node_bytes = node_bytes;
	return lab_index_create(index, check->scheme, &params);
}

static int check_refused(struct lab_check *check, u32 node_bytes)
{
	struct lab_index index;
	int ret = lab_check_create(check, &index, node_bytes);

	if (ret)
		return ret == -EINVAL ? 0 : ret;
	index.ops->destroy(index.data);
	check->failure = "refusal of a size";
	return -EUCLEAN;
}

/* A tree gets a new root a few times only, in its first operations: begin often. */
static int check_beginnings(struct lab_check *check, u32 node_bytes)
{
	u32 nr = min(check->ops / BEGINNING_EACH, (u32)BEGINNINGS), i;
	int ret = 0;

	for (i = 0; i < nr && !ret; i++)
		ret = lab_check_size(check, node_bytes, BEGINNING_OPS);
	return ret;
}

/* The least size of the scheme, which makes high trees, and a large one. */
static int check_sizes(struct lab_check *check)
{
	u32 least = 0, large = LARGE_BYTES;
	int ret;

	do {
		least += STEP_BYTES;
		ret = lab_check_size(check, least, check->ops);
	} while (ret == -EINVAL && least < large);
	ret = ret ?: check_beginnings(check, least);
	if (ret)
		return ret;
	do {
		ret = lab_check_size(check, large, check->ops / FEWER);
		large /= 2;
	} while (ret == -EINVAL && large > least);
	return ret ?: check_refused(check, UINT_MAX);
}

/* A tree that is loaded in a way of its own. */
static int check_loaded(struct lab_check *check)
{
	int ret;

	if (!check->scheme->ops->load)
		return 0;
	check->loads = true;
	ret = lab_check_size(check, 0, check->ops / FEWER);
	check->loads = false;
	return ret;
}

/* Whether the scheme has just the operations that it promises. */
static bool has_what_it_promises(const struct lab_scheme *scheme)
{
	const struct lab_index_ops *ops = scheme->ops;
	u32 has = (ops->erase ? LAB_ERASE : 0) | (ops->scan ? LAB_SCAN : 0) |
		  (ops->floor ? LAB_FLOOR : 0) | (ops->batch ? LAB_BATCH : 0) |
		  (ops->verify ? LAB_VERIFY : 0);
	const u32 operations = LAB_ERASE | LAB_SCAN | LAB_FLOOR | LAB_BATCH |
			       LAB_VERIFY;
	bool ordered = scheme->promises & (LAB_ORDERED | LAB_DESCENDS);
	bool multi = scheme->promises & LAB_MULTI;

	return (scheme->promises & operations) == has &&
	       ordered == !!ops->scan && multi == !!ops->erase_entry &&
	       ops->create && ops->destroy && ops->insert && ops->lookup &&
	       ops->store;
}

/**
 * lab_check() - check whether a scheme keeps its promises
 * @check: the scheme to check, and the outcome
 *
 * Context: process; sleeps. A signal ends it.
 * Return: 0; -EUCLEAN if it does not, and then @check says where; -ERANGE for a
 * number of threads that is not possible; -EINTR; -ENOMEM.
 */
int lab_check(struct lab_check *check)
{
	int ret;

	if (!check->threads || check->threads > LAB_CHECK_THREADS_MAX)
		return -ERANGE;
	if (!has_what_it_promises(check->scheme)) {
		check->failure = "the list";
		return -EUCLEAN;
	}
	if (check->scheme->promises & LAB_MULTI)
		return lab_check_multi(check);
	ret = lab_check_empty(check);
	if (ret)
		return ret;
	if (check->scheme->promises & LAB_SIZES)
		ret = lab_check_size(check, 0, check->ops / FEWER) ?:
			      check_sizes(check);
	else
		ret = lab_check_size(check, 0, check->ops) ?:
			      check_refused(check, LARGE_BYTES);
	return ret ?: check_loaded(check);
}
