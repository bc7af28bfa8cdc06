/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the readers of OL, and its operations for schemes with other nodes or batches
 *
 * olfit_ol.c describes the scheme. A file with such a scheme expands READING_OPERATIONS(ol),
 * and its struct lab_index_ops has OLFIT_OL_CALLS and the entries of a node as @variant.
 */
#ifndef BLINK_LAB_SCHEMES_OLFIT_OL_H
#define BLINK_LAB_SCHEMES_OLFIT_OL_H

#include "ccinfo.h"
#include "lab_index.h"
#include "reading.h"

static __always_inline u64 ol_read_begin(const struct plain_node *node)
{
	return ccinfo_read_begin(&node->policy);
}

static __always_inline bool ol_read_valid(const struct plain_node *node, u64 t)
{
	return ccinfo_read_valid(&node->policy, t);
}

/*
 * find_next: where to go on from a node, if it is not the target. @low: set to the bound
 * before that, if there is one.
 */
static __always_inline struct plain_node *
ol_find_next(const struct plain_tree *plain, const struct plain_node *node,
	     u64 key, u64 *low)
{
	if (key <= READ_ONCE(node->high))
		return reading_down(plain, node, key, low);
	*low = READ_ONCE(node->high);
	return rcu_dereference(node->right);
}

/* traverse, to any level. In RCU's read section. */
static __always_inline struct plain_node *
ol_traverse(const struct plain_tree *plain, u64 key, unsigned int level,
	    u64 *low)
{
	struct plain_node *node = rcu_dereference(plain->root), *next;
	u64 t, bound;

	while (node->level != level) {
		t = ol_read_begin(node);
		bound = *low;
		next = ol_find_next(plain, node, key, &bound);
		if (ol_read_valid(node, t)) {
			node = next;
			*low = bound;
		}
	}
	return node;
}

/* Read the leaf that covers the key. */
static __always_inline void ol_read_leaf(void *data, struct reading *r,
					 enum reading_wanted wanted)
{
	struct plain_tree *tree = data;
	struct plain_node *leaf;
	u64 t, high;

	rcu_read_lock();
	leaf = ol_traverse(tree, r->key, 0, &r->low);
	for (;;) {
		t = ol_read_begin(leaf);
		high = READ_ONCE(leaf->high);
		if (r->key <= high)
			reading_leaf(tree, leaf, r, wanted);
		if (!ol_read_valid(leaf, t)) {
			cpu_relax();
			continue;
		}
		if (r->key <= high)
			break;
		r->low = high;
		/*
		 * It may be newer than the high key, and lead past an empty leaf that
		 * left the tree in between: then the key was absent at that moment.
		 */
		leaf = rcu_dereference(leaf->right);
	}
	rcu_read_unlock();
}

void *olfit_ol_create(const struct lab_index_ops *ops,
		      const struct lab_params *params);
int olfit_ol_insert(void *data, u64 key, u64 value);
int olfit_ol_store(void *data, u64 key, u64 value);
int olfit_ol_erase(void *data, u64 key);

/* All operations of the scheme. */
#define OLFIT_OL_CALLS                                                     \
	.create = olfit_ol_create, .destroy = plain_destroy,               \
	.insert = olfit_ol_insert, .lookup = ol_lookup,                    \
	.store = olfit_ol_store, .erase = olfit_ol_erase, .scan = ol_scan, \
	.floor = ol_floor, .verify = plain_verify, .bytes = plain_tree_bytes

#endif /* BLINK_LAB_SCHEMES_OLFIT_OL_H */
