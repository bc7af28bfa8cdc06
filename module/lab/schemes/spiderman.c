// SPDX-License-Identifier: GPL-2.0
/*
 * Spiderman over the nodes of its evaluation.
 *
 * Author: Thang Long Vu. Paper: two_phase.h. The thesis evaluates a B+-tree with optimistic
 * lock coupling (BTreeOLC of index-microbench) whose nodes have 4096 bytes, and room for 255
 * keys of 64 bits and as many children or values (section 4.1).
 *
 * Promises: those of olfit:ol. Operations of a batch take effect in their order, scans too.
 *
 * Chosen here: the tree is that of olfit:ol with as many entries in a node. Its readers too
 * validate the version of one node after the other, and its writers latch what they change.
 * It has right links where optimistic lock coupling validates the parent again. The baseline,
 * spiderman:none, has phase two alone.
 */
#include "olfit_ol.h"

#define ENTRIES 255

READING_OPERATIONS(ol)

static __always_inline void *host_root(void *data)
{
	struct plain_tree *tree = data;

	return rcu_dereference(tree->root);
}

static __always_inline size_t host_bytes(void *data, bool leaf)
{
	struct plain_tree *tree = data;

	return tree->bytes - tree->head;
}

static __always_inline u64 host_begin(const struct plain_node *node)
{
	return ol_read_begin(node);
}

static __always_inline bool host_valid(const struct plain_node *node,
				       u64 version)
{
	return ol_read_valid(node, version);
}

static __always_inline bool host_beyond(const struct plain_node *node, u64 key)
{
	return key > READ_ONCE(node->high);
}

/* No position is beyond the last slot, however the node is changed. */
static __always_inline unsigned int
host_search(void *data, const struct plain_node *node, u64 key, bool leaf)
{
	struct plain_tree *tree = data;

	return min(plain_search(tree, node, key), tree->slots - 1);
}

static __always_inline const u64 *host_word(void *data,
					    const struct plain_node *node,
					    unsigned int pos, bool leaf)
{
	struct plain_tree *tree = data;

	return &node->slot[tree->slots + pos];
}

static __always_inline void *
host_child(void *data, const struct plain_node *node, unsigned int pos)
{
	return plain_child(data, node, pos);
}

static __always_inline void host_execute(void *data,
					 struct blink_tree_ioc_op *op)
{
	if (op->opcode == BLINK_TREE_OP_INSERT)
		op->result = olfit_ol_insert(data, op->key, op->value);
	else if (op->opcode == LAB_BATCH_SCAN)
		op->result = ol_scan(data, op->key,
				     (void *)(uintptr_t)op->value, op->old);
	else
		op->result = ol_lookup(data, op->key, &op->value);
}

#define HOST_NODE struct plain_node
#define HOST_CALLS OLFIT_OL_CALLS, .variant = ENTRIES

#include "two_phase.h"

static void batch_none(void *data, struct blink_tree_ioc_op *op,
		       unsigned int nr)
{
	phase_two(data, op, nr);
}

const struct lab_index_ops lab_spiderman_none_ops = {
	HOST_CALLS,
	.batch = batch_none,
};

TWO_PHASE_SCHEME(spiderman, 0);
TWO_PHASE_SCHEME(spiderman, 1);
TWO_PHASE_SCHEME(spiderman, 4);
TWO_PHASE_SCHEME(spiderman, 12);
TWO_PHASE_SCHEME(spiderman, 13);
TWO_PHASE_SCHEME(spiderman, 23);
TWO_PHASE_SCHEME(spiderman, 24);
TWO_PHASE_SCHEME(spiderman, 123);
TWO_PHASE_SCHEME(spiderman, 12356);
