// SPDX-License-Identifier: GPL-2.0
/*
 * Our tree with Spiderman's batches in place of its own (module/core/op/batch.c), to
 * compare the two: the template two_phase.h names the author, and says what was chosen.
 *
 * Phase one uses inline functions of the core's headers alone.
 */
#include <linux/blink_tree.h>
#include <linux/gfp.h>

#include "core/node/search.h"
#include "core/tree/tree.h"

#include "blink.h"

static __always_inline void *host_root(void *data)
{
	return rcu_dereference(blink_tree_index(data)->root);
}

static __always_inline size_t host_bytes(void *data, bool leaf)
{
	return blink_node_bytes(leaf);
}

static __always_inline u64 host_begin(const struct blink_node *node)
{
	/* Pairs with blink_write_end(). */
	return smp_load_acquire(&node->seq);
}

static __always_inline bool host_valid(const struct blink_node *node,
				       u64 version)
{
	/* The content before the sequence. Pairs with blink_write_begin(). */
	smp_rmb();
	return !(version & 1) && READ_ONCE(node->seq) == version;
}

static __always_inline bool host_beyond(const struct blink_node *node, u64 key)
{
	return blink_node_beyond(node, key);
}

static __always_inline unsigned int
host_search(void *data, const struct blink_node *node, u64 key, bool leaf)
{
	return leaf ? blink_leaf_search(node, 0, key) :
		      blink_inner_search(node, key);
}

static __always_inline const u64 *host_word(void *data,
					    const struct blink_node *node,
					    unsigned int pos, bool leaf)
{
	return &node->slot[(leaf ? BLINK_LEAF_SLOTS : BLINK_INNER_SLOTS) + pos];
}

static __always_inline void *
host_child(void *data, const struct blink_node *node, unsigned int pos)
{
	return blink_inner_child(node, pos);
}

static __always_inline void host_execute(void *data,
					 struct blink_tree_ioc_op *op)
{
	blink_tree_op(data, op, LAB_GFP);
}

#define HOST_NODE struct blink_node
#define HOST_CALLS LAB_BLINK_CALLS

#include "two_phase.h"

TWO_PHASE_SCHEME(two_phase, 4);
TWO_PHASE_SCHEME(two_phase, 123);
