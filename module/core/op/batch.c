// SPDX-License-Identifier: GPL-2.0
/*
 * Many operations at a time. What they wait for is memory, so several are under
 * way at once, each waiting for its own: a *ring* of *flights*. A step takes
 * one flight from the node it is at to the next one, asks for that node's
 * lines, and leaves it alone until all others had their step. A flight that
 * reached its leaf ends there and then, and another takes its place
 * (asynchronous memory access chaining: Kocberber, Falsafi and Grot, VLDB 2015).
 *
 * Each operation takes effect at its own linearization point. Operations that
 * could tell in which order they came do not fly together: those on one key, but
 * for lookups; and an update together with a floor or ceiling, whose answer is on
 * any key.
 *
 * No flight sleeps. One that needs memory which there is only for who may wait
 * is *grounded*: it is executed by itself when all others have ended. One that
 * found memory for a leaf, but none for an index to enter it, has ended; the index
 * is *mended* then, with the memory that the caller may wait for.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../index/mend.h"
#include "../node/locking.h"
#include "at_leaf.h"
#include "batch.h"

unsigned int blink_batch_width = BLINK_BATCH_WIDTH;

/* Flights until the RCU read section is ended and begun again. */
#define SECTION 1024

/* What an operation is to others that are under way. */
enum kind { KIND_LOOKUP, KIND_UPDATE, KIND_NEAREST, KIND_NR };

/**
 * struct flight - an operation under way
 * @op: the operation
 * @node: what it reads in its next step
 * @route: the key that it looks for on its way
 * @walk: what it notes on its way
 * @hops: those over nodes that the index lacks
 */
struct flight {
	struct blink_tree_ioc_op *op;
	struct blink_node *node;
	u64 route;
	struct blink_walk walk;
	unsigned int hops;
};

/**
 * struct later - what a flight left to be done when all others have ended
 * @op: it is grounded; or NULL:
 * @key: on the way to this key an index lacks an entry
 */
struct later {
	struct blink_tree_ioc_op *op;
	u64 key;
};

/**
 * struct ring - the operations under way
 * @tree: the tree
 * @idx: the index that all go through
 * @gfp: how to allocate
 * @next: the next operation to take
 * @end: behind the last one
 * @nr: how many are under way
 * @of: how many of each kind
 * @nr_later: entries of @later; no operation begins while there are some
 * @key: their keys
 * @flight: the operations under way
 * @later: what waits for all others to end
 */
struct ring {
	struct blink_tree *tree;
	struct blink_index *idx;
	gfp_t gfp;
	struct blink_tree_ioc_op *next;
	struct blink_tree_ioc_op *end;
	unsigned int nr;
	unsigned int of[KIND_NR];
	unsigned int nr_later;
	u64 key[BLINK_BATCH_WIDTH_MAX];
	struct flight flight[BLINK_BATCH_WIDTH_MAX];
	struct later later[BLINK_BATCH_WIDTH_MAX];
};

static __always_inline enum kind op_kind(const struct blink_tree_ioc_op *op)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return KIND_LOOKUP;
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		return KIND_NEAREST;
	default:
		return KIND_UPDATE;
	}
}

/* Whether an operation may not begin before some of the others have ended. */
static __always_inline bool op_must_wait(const struct ring *ring,
					 const struct blink_tree_ioc_op *op)
{
	enum kind kind = op_kind(op);
	bool same = false;
	unsigned int i;

	if (ring->nr_later || (kind == KIND_UPDATE && ring->of[KIND_NEAREST]) ||
	    (kind == KIND_NEAREST && ring->of[KIND_UPDATE]))
		return true;
	/*
	 * Lookups alone come in any order, also of one key: a hot key must not
	 * make a batch of lookups one that waits for each.
	 */
	if (kind != KIND_UPDATE && !ring->of[KIND_UPDATE])
		return false;
	for (i = 0; i < ring->nr; i++)
		same |= ring->key[i] == op->key;
	return same;
}

static __always_inline bool op_valid(const struct blink_tree_ioc_op *op)
{
	return !op->flags && op->opcode < BLINK_TREE_OP_NR;
}

/* Put the next operation that is valid at place @i. False: not now. */
static __always_inline bool flight_begin(struct ring *ring, unsigned int i)
{
	struct flight *flight = &ring->flight[i];
	struct blink_tree_ioc_op *op;

	for (; ring->next < ring->end; ring->next++) {
		op = ring->next;
		if (unlikely(!op_valid(op))) {
			op->result = -EINVAL;
			continue;
		}
		if (unlikely(op_must_wait(ring, op)))
			return false;
		ring->next++;
		ring->of[op_kind(op)]++;
		ring->key[i] = op->key;
		flight->op = op;
		flight->route = op->key;
		flight->node = rcu_dereference(ring->idx->root);
		flight->walk = (struct blink_walk){ .idx = ring->idx };
		flight->hops = 0;
		return true;
	}
	return false;
}

static void flight_end(struct ring *ring, struct flight *flight)
{
	struct blink_tree_ioc_op *op = flight->op;

	blink_op_at(ring->tree, flight->node, &flight->walk, op, ring->gfp);
	ring->of[op_kind(op)]--;
	if (unlikely(op->result == -EAGAIN))
		ring->later[ring->nr_later++].op = op;
	else if (unlikely(flight->walk.lacks))
		ring->later[ring->nr_later++] = (struct later){
			.key = blink_key_after(flight->walk.low),
		};
}

/* Let each flight make a step; who ends leaves its place to another. */
static void ring_step(struct ring *ring)
{
	struct flight *flight;
	unsigned int i = 0;

	while (i < ring->nr) {
		flight = &ring->flight[i];
		if (flight->node->level) {
			flight->node = blink_descend_step(ring->tree, ring->idx,
							  flight->node,
							  &flight->route,
							  &flight->walk,
							  &flight->hops, false);
			i++;
			continue;
		}
		flight_end(ring, flight);
		/* No key is in the way of the one that comes. */
		ring->key[i] = ring->key[ring->nr - 1];
		if (flight_begin(ring, i)) {
			i++;
			continue;
		}
		ring->nr--;
		*flight = ring->flight[ring->nr];
	}
}

/* What found no memory: the caller may be able to wait for it. */
static void ring_finish_later(struct ring *ring)
{
	struct later *later;

	for (later = ring->later; later < ring->later + ring->nr_later; later++)
		if (later->op)
			blink_tree_op(ring->tree, later->op, ring->gfp);
		else
			blink_mend_all(ring->tree, later->key, ring->gfp);
	ring->nr_later = 0;
}

/* Fly until all have ended, taking in as many as one RCU read section may. */
static void ring_run(struct ring *ring, struct blink_tree_ioc_op *end,
		     unsigned int width)
{
	ring->end = min(end, ring->next + SECTION);
	rcu_read_lock();
	ring->idx = blink_tree_index(ring->tree);
	do {
		while (ring->nr < width && flight_begin(ring, ring->nr))
			ring->nr++;
		ring_step(ring);
	} while (ring->nr);
	rcu_read_unlock();
}

/**
 * blink_tree_batch() - execute operations
 * @tree: the tree
 * @ops: what to do; each has its own result
 * @nr: how many
 * @gfp: how to allocate, if a node has to be split
 *
 * The batch is not atomic: each operation takes effect by itself. Those on the
 * same key do so in their order, except that two lookups of it, with no update of
 * it in between, may come the other way round; a floor or ceiling and an update of
 * any key keep their order, too; apart from that the order is any. Many are under
 * way at a time, so that they wait for memory together. It never reschedules
 * between two of them, unless @gfp lets it sleep and memory is short, so that @nr
 * is to be chosen for the context.
 *
 * Context: that of the operations (blink_tree_lookup(), blink_tree_insert()).
 */
void blink_tree_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, gfp_t gfp)
{
	unsigned int width = min(max(READ_ONCE(blink_batch_width), 1U),
				 BLINK_BATCH_WIDTH_MAX);
	struct ring ring;
	unsigned int i;

	/* Who must not wait for a lock could get stuck on the way. */
	if (nr == 1 || width == 1 || unlikely(!blink_may_wait(tree))) {
		for (i = 0; i < nr; i++)
			blink_tree_op(tree, &ops[i], gfp);
		return;
	}
	/* All but the arrays. */
	memset(&ring, 0, offsetof(struct ring, key));
	ring.tree = tree;
	ring.gfp = gfp;
	for (ring.next = ops; ring.next < ops + nr;) {
		ring_run(&ring, ops + nr, width);
		ring_finish_later(&ring);
	}
}
EXPORT_SYMBOL_GPL(blink_tree_batch);
