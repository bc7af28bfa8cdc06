/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: Spiderman's batches
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
 * goes with option 2 only, the others with each other.
 *
 * This is a template. A file that includes it defines the *host* first, the tree that has
 * these batches (spiderman.c has that of the thesis, two_phase.c ours):
 *
 * HOST_NODE: the type of nodes, with the members level, right, count and slot
 * host_root(data), host_child(data, node, pos): a node, in RCU's read section; a child may
 *	be garbage, or NULL, until host_valid() says otherwise, and so may @right
 * host_bytes(data, leaf): the size of a node
 * host_begin(node), host_valid(node, version): before and after it is read: the version,
 *	and whether one state of the node was read
 * host_beyond(node, key): the key is to the right of the node
 * host_search(data, node, key, leaf): the position of the child, or of the entry of a leaf
 * host_word(data, node, pos, leaf): the address of the child, or of the value, there
 * host_execute(data, op): execute an operation of a batch from the root
 * HOST_CALLS: the other operations of the scheme
 *
 * Promises: those of the host. Operations of a batch take effect in their order.
 *
 * Chosen here:
 *
 * - The thesis removes all synchronization from phase one, and follows any pointer. Here
 *   phase one reads under RCU, and follows a pointer only if the node's version validates
 *   it. It takes no lock and tries once: an operation that cannot go on waits for phase
 *   two.
 * - A step to a right neighbour is a turn. Leaves are not left to the right.
 * - Each prefetch of option 3 is a turn, as the text says; the thesis's algorithm 4 makes
 *   all three in one.
 */
#ifndef BLINK_LAB_SCHEMES_TWO_PHASE_H
#define BLINK_LAB_SCHEMES_TWO_PHASE_H

#include <linux/cache.h>
#include <linux/prefetch.h>
#include <linux/rcupdate.h>

#include "lab_index.h"

/* Option 2: they are in the cache anyway. */
#define FIRST_LAYERS 2

/* The next step of a traversal. */
enum stage { MIDDLE, HALF, SEARCH, CHILD, DONE };

/**
 * struct traversal - an operation in phase one
 * @node: where it is
 * @version: of that, when it was searched
 * @pos: position that was found there
 * @layer: nodes above
 * @stage: its next step
 */
struct traversal {
	HOST_NODE *node;
	u64 version;
	u16 pos;
	u8 layer;
	u8 stage;
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
static __always_inline void arrive(void *data, struct traversal *t,
				   HOST_NODE *node, unsigned int level,
				   unsigned int scheme)
{
	t->node = node;
	t->stage = SEARCH;
	if (!wanted(t, scheme))
		return;
	if (has(scheme, 1))
		prefetch(node);
	if (has(scheme, 4))
		prefetch_bytes(node, (char *)node + host_bytes(data, !level));
	if (has(scheme, 3))
		t->stage = MIDDLE;
}

static __always_inline void prefetch_middle(struct traversal *t)
{
	t->pos = READ_ONCE(t->node->count) / 2;
	prefetch(t->node->slot + t->pos);
	t->stage = HALF;
}

static __always_inline void prefetch_half(struct traversal *t, u64 key)
{
	const u64 *keys = t->node->slot, *middle = keys + t->pos;

	if (key < READ_ONCE(*middle))
		prefetch_bytes(keys, middle);
	else
		prefetch_bytes(middle, keys + READ_ONCE(t->node->count));
	t->stage = SEARCH;
}

/* Go on to what was read in this node, if that is valid. */
static __always_inline void leave(void *data, struct traversal *t,
				  HOST_NODE *next, bool down,
				  unsigned int scheme)
{
	unsigned int level = t->node->level;

	if (unlikely(!host_valid(t->node, t->version) || !next)) {
		t->stage = DONE;
		return;
	}
	t->layer += down;
	arrive(data, t, next, level - down, scheme);
}

static __always_inline void search_inner(void *data, struct traversal *t,
					 u64 key, unsigned int scheme)
{
	t->version = host_begin(t->node);
	if (unlikely(host_beyond(t->node, key))) {
		leave(data, t, rcu_dereference(t->node->right), false, scheme);
		return;
	}
	t->pos = host_search(data, t->node, key, false);
	if (has(scheme, 5) && wanted(t, scheme)) {
		prefetch(host_word(data, t->node, t->pos, false));
		t->stage = CHILD;
		return;
	}
	leave(data, t, host_child(data, t->node, t->pos), true, scheme);
}

/* For the sake of the lines that this reads; phase two goes to the right. */
static __always_inline void search_leaf(void *data, struct traversal *t,
					const struct blink_tree_ioc_op *op,
					unsigned int scheme)
{
	t->pos = host_search(data, t->node, op->key, true);
	if (has(scheme, 6) && op->opcode == BLINK_TREE_OP_LOOKUP)
		prefetch(host_word(data, t->node, t->pos, true));
	t->stage = DONE;
}

static __always_inline void take_turn(void *data, struct traversal *t,
				      const struct blink_tree_ioc_op *op,
				      unsigned int scheme)
{
	if (has(scheme, 3) && t->stage == MIDDLE)
		prefetch_middle(t);
	else if (has(scheme, 3) && t->stage == HALF)
		prefetch_half(t, op->key);
	else if (has(scheme, 5) && t->stage == CHILD)
		leave(data, t, host_child(data, t->node, t->pos), true, scheme);
	else if (t->node->level)
		search_inner(data, t, op->key, scheme);
	else
		search_leaf(data, t, op, scheme);
}

/* Those that are done keep their turn and let it pass, as in the thesis. */
static __always_inline void phase_one(void *data,
				      const struct blink_tree_ioc_op *op,
				      unsigned int nr, unsigned int scheme)
{
	struct traversal traversal[LAB_BATCH_MAX], *t;
	unsigned int left = nr, i;

	rcu_read_lock();
	for (i = 0; i < nr; i++)
		traversal[i] = (struct traversal){
			.node = host_root(data),
			.stage = SEARCH,
		};
	for (i = 0; left; i = i + 1 == nr ? 0 : i + 1) {
		t = &traversal[i];
		if (t->stage == DONE)
			continue;
		take_turn(data, t, &op[i], scheme);
		left -= t->stage == DONE;
	}
	rcu_read_unlock();
}

static __always_inline void phase_two(void *data, struct blink_tree_ioc_op *op,
				      unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		host_execute(data, &op[i]);
}

#define TWO_PHASE_SCHEME(name, options)                                       \
	static void batch_##options(void *data, struct blink_tree_ioc_op *op, \
				    unsigned int nr)                          \
	{                                                                     \
		phase_one(data, op, nr, options);                             \
		phase_two(data, op, nr);                                      \
	}                                                                     \
	const struct lab_index_ops lab_##name##_##options##_ops = {           \
		HOST_CALLS,                                                   \
		.batch = batch_##options,                                     \
	}

#endif /* BLINK_LAB_SCHEMES_TWO_PHASE_H */
