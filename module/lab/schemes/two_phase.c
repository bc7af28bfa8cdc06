// SPDX-License-Identifier: GPL-2.0
/*
 * Spiderman's batches: our tree with them in place of its own (module/core/op/batch.c).
 *
 * Author: Thang Long Vu.
 * Paper: Spiderman: Software Prefetching and Request Multiplexing to Mask Memory
 * Accesses in B+trees, bachelor thesis, École Polytechnique, 2023; the two phases in
 * section 3.1, the options in 3.3.
 *
 * *Phase one* takes all operations of a batch down to their leaves. Each makes a step in
 * its turn, and prefetches the memory that its next turn reads. *Phase two* executes
 * them in their order, as single operations, from the root.
 *
 * *Options* say what phase one prefetches, with the numbers and words of the thesis:
 *
 * 1 prefetch the header of the node
 * 2 only prefetch nodes after the first two layers of the tree
 * 3 prefetch the middle key, then the half of the key array that it tells
 * 4 prefetch the whole node
 * 5 prefetch the child address
 * 6 prefetch the payload of the leaf node if the request is a lookup
 *
 * A scheme has a set of them, written as a number with these digits; 0 is none. Option 4
 * goes with option 2 only, the others with each other. The list has each option alone,
 * the sets that the thesis measures (section 4), and sets with options 5 and 6, which it
 * leaves for later.
 *
 * Promises: those of blink_tree. Operations of a batch take effect in their order.
 *
 * Chosen here:
 *
 * - The thesis removes all synchronization from phase one, and follows any pointer. Here
 *   phase one reads under RCU, and follows a pointer only if the node's sequence validates
 *   it. It takes no lock and tries once: an operation that cannot go on waits for phase
 *   two.
 * - A step to a right neighbour is a turn. Leaves are not left to the right.
 * - Each prefetch of option 3 is a turn, as the text says; the thesis's algorithm 4 makes
 *   all three in one.
 *
 * Phase one uses inline functions of the core's headers alone.
 */
#include <linux/blink_tree.h>
#include <linux/gfp.h>
#include <linux/prefetch.h>
#include <linux/rcupdate.h>

#include "core/node/search.h"
#include "core/tree/tree.h"

#include "blink.h"

/* Option 2: they are in the cache anyway. */
#define FIRST_LAYERS 2

/* The next step of a traversal. */
enum stage { MIDDLE, HALF, SEARCH, CHILD, DONE };

/**
 * struct traversal - an operation in phase one
 * @key: its key
 * @node: where it is
 * @seq: sequence of that when it was searched
 * @pos: slot that was found there
 * @layer: nodes above
 * @stage: its next step
 * @lookup: it is a lookup
 */
struct traversal {
	u64 key;
	struct blink_node *node;
	u32 seq;
	u8 pos;
	u8 layer;
	u8 stage;
	bool lookup;
};

/* A constant where both are, so that a scheme has code of its own. */
static __always_inline bool has(unsigned int scheme, unsigned int option)
{
	return scheme % 10 == option || scheme / 10 % 10 == option ||
	       scheme / 100 % 10 == option || scheme / 1000 % 10 == option ||
	       scheme / 10000 % 10 == option;
}

/* Whether anything of this node is to be prefetched. */
static __always_inline bool wanted(const struct traversal *t,
				   unsigned int scheme)
{
	return !has(scheme, 2) || t->layer >= FIRST_LAYERS;
}

static __always_inline void prefetch_bytes(const void *from, const void *end)
{
	const char *line = (const char *)((uintptr_t)from & -L1_CACHE_BYTES);

	for (; line < (const char *)end; line += L1_CACHE_BYTES)
		prefetch(line);
}

/* Nothing of the node is known but its level. */
static __always_inline void arrive(struct traversal *t, struct blink_node *node,
				   unsigned int level, unsigned int scheme)
{
	t->node = node;
	t->stage = SEARCH;
	if (!wanted(t, scheme))
		return;
	if (has(scheme, 1))
		prefetch(node);
	if (has(scheme, 4))
		prefetch_bytes(node, (char *)node + blink_node_bytes(!level));
	if (has(scheme, 3))
		t->stage = MIDDLE;
}

static __always_inline void prefetch_middle(struct traversal *t)
{
	t->pos = READ_ONCE(t->node->count) / 2;
	prefetch(&t->node->slot[t->pos]);
	t->stage = HALF;
}

static __always_inline void prefetch_half(struct traversal *t)
{
	struct blink_node *node = t->node;
	u64 *middle = &node->slot[t->pos];

	if (t->key < READ_ONCE(*middle))
		prefetch_bytes(node->slot, middle);
	else
		prefetch_bytes(middle, node->slot + READ_ONCE(node->count));
	t->stage = SEARCH;
}

/* Go on to what was read in this node, if that is valid. */
static __always_inline void leave(struct traversal *t, struct blink_node *next,
				  bool down, unsigned int scheme)
{
	unsigned int level = t->node->level;

	/* The content before the sequence. Pairs with blink_write_begin(). */
	smp_rmb();
	if (unlikely(t->seq & 1 || READ_ONCE(t->node->seq) != t->seq ||
		     !next)) {
		t->stage = DONE;
		return;
	}
	t->layer += down;
	arrive(t, next, level - down, scheme);
}

static __always_inline void search_inner(struct traversal *t,
					 unsigned int scheme)
{
	struct blink_node *node = t->node;

	/* Pairs with blink_write_end(). */
	t->seq = smp_load_acquire(&node->seq);
	if (unlikely(blink_node_beyond(node, t->key))) {
		leave(t, rcu_dereference(node->right), false, scheme);
		return;
	}
	t->pos = blink_inner_search(node, t->key);
	if (has(scheme, 5) && wanted(t, scheme)) {
		prefetch(&node->slot[BLINK_INNER_SLOTS + t->pos]);
		t->stage = CHILD;
		return;
	}
	leave(t, blink_inner_child(node, t->pos), true, scheme);
}

/* For the sake of the lines that this reads; phase two goes to the right. */
static __always_inline void search_leaf(struct traversal *t,
					unsigned int scheme)
{
	struct blink_node *leaf = t->node;

	t->pos = blink_leaf_search(leaf, 0, t->key);
	if (has(scheme, 6) && t->lookup)
		prefetch(&leaf->slot[BLINK_LEAF_SLOTS + t->pos]);
	t->stage = DONE;
}

static __always_inline void take_turn(struct traversal *t, unsigned int scheme)
{
	if (has(scheme, 3) && t->stage == MIDDLE)
		prefetch_middle(t);
	else if (has(scheme, 3) && t->stage == HALF)
		prefetch_half(t);
	else if (has(scheme, 5) && t->stage == CHILD)
		leave(t, blink_inner_child(t->node, t->pos), true, scheme);
	else if (t->node->level)
		search_inner(t, scheme);
	else
		search_leaf(t, scheme);
}

/* Those that are done keep their turn and let it pass, as in the thesis. */
static __always_inline void phase_one(struct blink_tree *tree,
				      const struct blink_tree_ioc_op *op,
				      unsigned int nr, unsigned int scheme)
{
	struct traversal traversal[LAB_BATCH_MAX], *t;
	unsigned int left = nr, i;

	rcu_read_lock();
	for (i = 0; i < nr; i++)
		traversal[i] = (struct traversal){
			.key = op[i].key,
			.node = rcu_dereference(blink_tree_index(tree)->root),
			.stage = SEARCH,
			.lookup = op[i].opcode == BLINK_TREE_OP_LOOKUP,
		};
	for (i = 0; left; i = i + 1 == nr ? 0 : i + 1) {
		t = &traversal[i];
		if (t->stage == DONE)
			continue;
		take_turn(t, scheme);
		left -= t->stage == DONE;
	}
	rcu_read_unlock();
}

static __always_inline void two_phase(struct blink_tree *tree,
				      struct blink_tree_ioc_op *op,
				      unsigned int nr, unsigned int scheme)
{
	unsigned int i;

	phase_one(tree, op, nr, scheme);
	for (i = 0; i < nr; i++)
		blink_tree_op(tree, &op[i], LAB_GFP);
}

#define DEFINE_SCHEME(scheme)                                                \
	static void batch_##scheme(void *data, struct blink_tree_ioc_op *op, \
				   unsigned int nr)                          \
	{                                                                    \
		two_phase(data, op, nr, scheme);                             \
	}                                                                    \
	const struct lab_index_ops lab_two_phase_##scheme##_ops = {          \
		LAB_BLINK_CALLS,                                             \
		.batch = batch_##scheme,                                     \
	}

DEFINE_SCHEME(0);
DEFINE_SCHEME(1);
DEFINE_SCHEME(2);
DEFINE_SCHEME(3);
DEFINE_SCHEME(4);
DEFINE_SCHEME(5);
DEFINE_SCHEME(6);
DEFINE_SCHEME(12);
DEFINE_SCHEME(13);
DEFINE_SCHEME(23);
DEFINE_SCHEME(24);
DEFINE_SCHEME(123);
DEFINE_SCHEME(1356);
DEFINE_SCHEME(12356);
