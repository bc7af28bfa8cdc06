// SPDX-License-Identifier: GPL-2.0
/*
 * Batches. Operations mostly wait for memory, so several are under way at once,
 * and their cache misses overlap: a *ring* of *flights*. A step moves one
 * flight from its node to the next one, prefetches that node, and leaves the
 * flight alone until all others had a step. A flight that reaches its leaf
 * executes its operation there, and another flight takes its place
 * (asynchronous memory access chaining: Kocberber, Falsafi and Grot, VLDB
 * 2015).
 *
 * All flights share the number of cache lines that can be on their way, so a
 * flight fetches only lines that it reads. It begins in the upper levels, which
 * stay in the cache, and then takes two steps in each node. The first one reads
 * the header, which tells the group of keys in which the search ends
 * (signs.h), and fetches the group. The second one searches the group, and
 * fetches the header of the next node. Both steps are one read section: it
 * begins with the first, and is valid if the second finds the same sequence.
 *
 * Each operation takes effect at its own linearization point, in the function
 * that executes it (op.c). Operations whose order could be observed are not
 * under way together: operations on the same key, except lookups; an update
 * together with a floor or ceiling, whose answer can be any key; and a pop,
 * which can remove any key, together with any other operation.
 *
 * No flight sleeps. A flight that needs memory for which only the caller can
 * wait is *grounded*: its operation is executed alone when all other flights
 * have ended. A flight that found memory for a leaf but not for its entry in an
 * index has ended; the index is *mended* afterwards, with memory for which the
 * caller can wait.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../index/mend.h"
#include "../node/locking.h"
#include "at_leaf.h"
#include "batch.h"
#include "probe.h"

unsigned int blink_batch_width = BLINK_BATCH_WIDTH;

/* The most flights in one RCU read section. */
#define SECTION 1024

/*
 * The kind of an operation. It decides which other operations can be under way
 * meanwhile.
 */
enum kind { KIND_LOOKUP, KIND_UPDATE, KIND_NEAREST, KIND_POP, KIND_NR };

/**
 * struct flight - an operation under way
 * @op: the operation
 * @node: the node that its next step reads
 * @route: the key of its descent
 * @walk: the record of its descent
 * @seq: the sequence of @node in its first step
 * @from: first slot of the group that was fetched, or GROUP_NONE before
 * @hops: number of its hops over nodes that the index lacks
 */
struct flight {
	struct blink_tree_ioc_op *op;
	struct blink_node *node;
	u64 route;
	struct blink_walk walk;
	u32 seq;
	u16 from;
	u16 hops;
};

#define GROUP_NONE U16_MAX

/**
 * struct later - the remaining work of a flight, done when all others have
 *	ended
 * @op: the operation, if it is grounded; otherwise NULL
 * @key: an index lacks an entry on the way to this key
 */
struct later {
	struct blink_tree_ioc_op *op;
	u64 key;
};

/**
 * struct ring - the operations under way
 * @tree: the tree
 * @idx: the index that all flights search
 * @gfp: how to allocate
 * @next: the next operation to begin
 * @end: behind the last one
 * @nr: number of flights
 * @of: number of flights of each kind
 * @nr_later: number of entries of @later; while there are some, no operation
 *	begins
 * @key: the keys of the flights
 * @flight: the flights
 * @later: the work that waits until all flights have ended
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
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return KIND_POP;
	default:
		return KIND_UPDATE;
	}
}

static __always_inline bool any_under_way(const struct ring *ring)
{
	return ring->of[KIND_LOOKUP] || ring->of[KIND_UPDATE] ||
	       ring->of[KIND_NEAREST];
}

/* Whether an operation must not begin before some of the flights have ended. */
static __always_inline bool op_must_wait(const struct ring *ring,
					 const struct blink_tree_ioc_op *op)
{
	enum kind kind = op_kind(op);
	bool same = false;
	unsigned int i;

	if (ring->nr_later || ring->of[KIND_POP] ||
	    (kind == KIND_UPDATE && ring->of[KIND_NEAREST]) ||
	    (kind == KIND_NEAREST && ring->of[KIND_UPDATE]) ||
	    (kind == KIND_POP && any_under_way(ring)))
		return true;
	/*
	 * Lookups have no order among each other, even on one key: a hot key
	 * must not make each lookup of a batch wait for the one before.
	 */
	if (kind != KIND_UPDATE && !ring->of[KIND_UPDATE])
		return false;
	for (i = 0; i < ring->nr; i++)
		same |= ring->key[i] == op->key;
	return same;
}

/*
 * Whether an operation reads one group of keys in its leaf. Others may move
 * entries, or search all keys.
 */
static __always_inline bool op_reads_group(const struct blink_tree_ioc_op *op)
{
	return op->opcode == BLINK_TREE_OP_LOOKUP ||
	       op->opcode == BLINK_TREE_OP_REPLACE ||
	       op->opcode == BLINK_TREE_OP_CMPXCHG;
}

static __always_inline bool op_valid(const struct blink_tree_ioc_op *op)
{
	return !op->flags && op->opcode < BLINK_TREE_OP_NR;
}

/* Go to the node that a flight reads next. */
static __always_inline void flight_go(struct flight *flight,
				      struct blink_node *node)
{
	flight->node = node;
	flight->from = GROUP_NONE;
}

/* A step that reads an inner node anew, and copes with all that it finds. */
static __always_inline void flight_step(struct ring *ring,
					struct flight *flight)
{
	unsigned int hops = flight->hops;

	flight_go(flight, blink_descend_step(ring->tree, ring->idx,
					     flight->node, &flight->route,
					     &flight->walk, &hops, false));
	flight->hops = hops;
}

/* Begin the next valid operation at place @i. False: none may begin now. */
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
		flight->walk = (struct blink_walk){ .idx = ring->idx };
		flight->hops = 0;
		flight_go(flight, rcu_dereference(ring->idx->root));
		while (flight->node->level > 1)
			flight_step(ring, flight);
		return true;
	}
	return false;
}

/*
 * The first step in a node: begin a read section, and fetch the group that the
 * header tells. In a leaf this is the group of the operation's key, from which the
 * key of a descent that was rerouted differs.
 */
static __always_inline void flight_fetch(struct flight *flight)
{
	const struct blink_node *node = flight->node;
	bool leaf = !node->level;

	/* Pairs with the release in blink_write_end_from(). */
	flight->seq = smp_load_acquire(&node->seq);
	if (leaf) {
		flight->from = blink_group_of(node, flight->op->key, true);
		blink_group_prefetch(node, flight->from, true);
	} else {
		flight->from = blink_group_of(node, flight->route, false);
		blink_group_prefetch(node, flight->from, false);
	}
}

/*
 * Whether all that was read since the first step is one state of the node, and
 * the node covers the key.
 */
static __always_inline bool flight_valid(const struct flight *flight, u64 key)
{
	const struct blink_node *node = flight->node;
	bool covers = !blink_node_beyond(node, key), same;

	/* Pairs with the smp_wmb() in blink_write_begin(). */
	smp_rmb();
	same = READ_ONCE(node->seq) == flight->seq;
	return same && !(flight->seq & 1) && covers;
}

/* The second step in an inner node. */
static __always_inline void flight_descend(struct ring *ring,
					   struct flight *flight)
{
	struct blink_node *node = flight->node, *next;

	next = blink_inner_child(node,
				 blink_inner_search_group(node, flight->from,
							  flight->route));
	if (unlikely(!flight_valid(flight, flight->route) || !next)) {
		flight_step(ring, flight);
		return;
	}
	flight_go(flight, next);
	if (node->level == 1)
		flight->walk.parent = node;
	if (node->level == 1 && !op_reads_group(flight->op)) {
		blink_node_prefetch(next, true, false);
		flight->from = 0;
	} else {
		prefetch(next);
	}
}

/*
 * The second step in a leaf, if it suffices for the operation. An update locks
 * the leaf, and searches it again.
 */
static __always_inline bool flight_lookup(struct flight *flight)
{
	struct blink_tree_ioc_op *op = flight->op;
	struct blink_probe probe = { .key = op->key };
	unsigned int pos;

	if (op->opcode != BLINK_TREE_OP_LOOKUP)
		return false;
	pos = blink_search_group(flight->node, flight->from, op->key, true);
	blink_probe_at(flight->node, pos, &probe);
	if (unlikely(!flight_valid(flight, op->key)))
		return false;
	op->result = probe.found ? 0 : -ENOENT;
	if (likely(probe.found))
		op->value = probe.value;
	return true;
}

/* Execute the operation of a flight, in the leaf where it has arrived. */
static __always_inline void flight_land(struct ring *ring,
					struct flight *flight)
{
	struct blink_tree_ioc_op *op = flight->op;

	ring->of[op_kind(op)]--;
	if (likely(flight_lookup(flight)))
		return;
	blink_op_at(ring->tree, flight->node, &flight->walk, op, ring->gfp);
	if (unlikely(op->result == -EAGAIN))
		ring->later[ring->nr_later++].op = op;
	else if (unlikely(flight->walk.lacks))
		ring->later[ring->nr_later++] = (struct later){
			.key = blink_key_after(flight->walk.low),
		};
}

/*
 * A flight ends, and another takes its place: one that begins, or the last one.
 * False: the place has a flight whose step is still to be made, or none.
 */
static __always_inline bool flight_end(struct ring *ring, unsigned int i)
{
	flight_land(ring, &ring->flight[i]);
	/* Its key no longer keeps another operation waiting. */
	ring->key[i] = ring->key[ring->nr - 1];
	if (flight_begin(ring, i))
		return true;
	ring->nr--;
	ring->flight[i] = ring->flight[ring->nr];
	return false;
}

/*
 * Make a step of each flight. A flight that ends leaves its place to another.
 */
static void ring_step(struct ring *ring)
{
	struct flight *flight = ring->flight;
	unsigned int i = 0;

	while (i < ring->nr) {
		if (flight->from == GROUP_NONE)
			flight_fetch(flight);
		else if (flight->node->level)
			flight_descend(ring, flight);
		else if (!flight_end(ring, i))
			continue;
		i++;
		flight++;
	}
}

/*
 * Execute the operations that found no memory, since the caller may be able to
 * wait for it.
 */
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

/*
 * Run flights until all have ended. It begins as many as one RCU read section
 * may have.
 */
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
 * @ops: the operations; each has its own result
 * @nr: how many
 * @gfp: how to allocate, if a node has to be split
 *
 * The batch is not atomic: each operation takes effect by itself. Operations on
 * the same key take effect in their order, except that two lookups with no
 * update of this key between them may be exchanged. A floor or ceiling keeps
 * its order with updates of any key, and a pop with all operations. Otherwise
 * the order is arbitrary. Many operations are under way at once, so that they
 * wait for memory together. The function never reschedules between two
 * operations, unless @gfp allows sleeping and memory is short; choose @nr for
 * the context.
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

	/* A caller that must not wait for a lock might not reach a leaf. */
	if (nr == 1 || width == 1 || unlikely(!blink_may_wait(tree))) {
		for (i = 0; i < nr; i++)
			blink_tree_op(tree, &ops[i], gfp);
		return;
	}
	/* Clear all fields except the arrays. */
	memset(&ring, 0, offsetof(struct ring, key));
	ring.tree = tree;
	ring.gfp = gfp;
	for (ring.next = ops; ring.next < ops + nr;) {
		ring_run(&ring, ops + nr, width);
		ring_finish_later(&ring);
	}
}
EXPORT_SYMBOL_GPL(blink_tree_batch);
