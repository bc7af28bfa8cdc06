/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Malbrain's B-link tree (malbrain.h): reading a leaf, with latches or without.
 */
#ifndef BLINK_LAB_SCHEMES_MALBRAIN_READ_H
#define BLINK_LAB_SCHEMES_MALBRAIN_READ_H

#include <linux/processor.h>

#include "malbrain.h"
#include "reading.h"

/**
 * struct malbrain_reader - a reader
 * @tree: the tree
 * @part: of latches, for the NUMA node that the operation began on
 * @r: the search
 */
struct malbrain_reader {
	struct malbrain_tree *tree;
	unsigned int part;
	struct reading r;
};

static __always_inline void
malbrain_read_latched(const struct malbrain_policy *p,
		      struct malbrain_reader *reader,
		      enum reading_wanted wanted)
{
	struct malbrain_op op = { .tree = reader->tree, .part = reader->part };
	struct plain_node *leaf;

	leaf = malbrain_load(p, &op, reader->r.key, 0, LATCH_READ,
			     &reader->r.low);
	reading_leaf(&reader->tree->plain, leaf, &reader->r, wanted);
	malbrain_unlock(p, &op, leaf, LATCH_READ);
	malbrain_release(p, &op, LATCH_READ);
}

/*
 * The part of a search that one version protects: read the entries of the leaf, or return
 * the next node on the way to it. @low: set to the bound before that.
 */
static __always_inline struct plain_node *
malbrain_read_node(struct malbrain_reader *reader, struct plain_node *node,
		   enum reading_wanted wanted, u64 *low)
{
	const struct plain_tree *plain = &reader->tree->plain;
	struct reading *r = &reader->r;

	if (!malbrain_covers(node, r->key)) {
		if (!READ_ONCE(node->dead))
			*low = READ_ONCE(node->high);
		return rcu_dereference(node->right);
	}
	if (node->level)
		return reading_down(plain, node, r->key, low);
	reading_leaf(plain, node, r, wanted);
	return NULL;
}

/*
 * loadPageLockFreeRead, algorithm 5: a node whose version is odd is not searched, but
 * looked at again; one that has changed is searched again, and not the tree.
 */
static __always_inline void
malbrain_read_lockfree(struct malbrain_reader *reader,
		       enum reading_wanted wanted)
{
	struct plain_node *node, *next;
	unsigned long retries = 0;
	u64 version, low;

	rcu_read_lock();
	node = rcu_dereference(reader->tree->plain.root);
	while (node) {
		/* Pairs with malbrain_change_end(): the node is as it was then. */
		version = smp_load_acquire(&node->policy);
		low = reader->r.low;
		next = node;
		if (!(version & 1))
			next = malbrain_read_node(reader, node, wanted, &low);
		if (malbrain_changed(node, version)) {
			retries++;
			cpu_relax();
			continue;
		}
		reader->r.low = low;
		node = next;
	}
	rcu_read_unlock();
	if (retries)
		atomic_long_add(retries, &reader->tree->retries);
}

/* Read the leaf that covers the key. */
static __always_inline void malbrain_read(const struct malbrain_policy *p,
					  struct malbrain_reader *reader,
					  enum reading_wanted wanted)
{
	reader->r.low = reader->r.key;
	if (p->lockfree)
		malbrain_read_lockfree(reader, wanted);
	else
		malbrain_read_latched(p, reader, wanted);
}

#endif /* BLINK_LAB_SCHEMES_MALBRAIN_READ_H */
