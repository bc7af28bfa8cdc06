// SPDX-License-Identifier: GPL-2.0
/*
 * Batches. Operations mostly wait for memory, so several are under way at once,
 * and their cache misses overlap: a *ring* of *flights*. All flights make the
 * same step, one after the other; each prefetches what its next step reads. In
 * the last step a flight *lands*: it executes its operation in the leaf where it
 * has arrived, and the next operation of the batch takes its place.
 *
 * All flights share the number of cache lines that can be on their way, so a
 * flight fetches only lines that it reads. It begins in the upper levels, which
 * stay in the cache, and then takes two steps in each node. The first one reads
 * the header, which tells the group of keys in which the search ends
 * (signs.h), and fetches the group. The second one searches the group, and
 * fetches the header of the next node. Both steps are one read section: it
 * begins with the first, and is valid if the second finds the same sequence. In a
 * leaf of strings a step between them fetches the string.
 * A flight that cannot use what it has read is *lost*. It makes no more steps,
 * and descends anew when it lands.
 *
 * The descents change nothing, and flights land in the order of their
 * operations. So the operations take effect in their order, each at its own
 * linearization point, in the function that executes it (op.c). A leaf where a
 * flight has arrived can be out of date when the flight lands, as after any
 * descent.
 *
 * No flight sleeps. A flight that needs memory for which only the caller can
 * wait is *grounded*: those behind it are given up, the RCU read section ends,
 * and the operation is executed alone, or the index is mended if only an entry
 * there lacks memory. Then the ring begins again with the operation behind it.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>

#include "../index/mend.h"
#include "../node/locking.h"
#include "at_leaf.h"
#include "batch.h"
#include "probe.h"

/* The most flights in one RCU read section. */
#define SECTION 1024

/**
 * struct flight - an operation under way
 * @op: the operation
 * @key: its key
 * @node: the node that its next step reads; NULL if the flight is lost
 * @parent: the node of level 1 from which it came
 * @seq: the sequence of @node in its first step, made even
 * @from: first slot of the group that was fetched
 * @grouped: the operation reads one group of keys in its leaf, unless that was narrow
 *	when the flight arrived
 */
struct flight {
	struct blink_tree_ioc_op *op;
	blink_key_t key;
	struct blink_node *node;
	struct blink_node *parent;
	u32 seq;
	u16 from;
	bool grouped;
};

/**
 * struct ring - the operations under way
 * @tree: the tree
 * @idx: the index that all flights search
 * @gfp: how to allocate
 * @next: the next operation to begin
 * @end: behind the last one
 * @grounded: the operation that needs memory for which the caller may have to
 *	wait, or NULL
 * @low: an index lacks an entry on the way to the key after this one, if the
 *	grounded operation has taken effect
 * @flight: the flights, in the order of their operations
 */
struct ring {
	struct blink_tree *tree;
	struct blink_index *idx;
	gfp_t gfp;
	struct blink_tree_ioc_op *next;
	struct blink_tree_ioc_op *end;
	struct blink_tree_ioc_op *grounded;
	blink_bound_t low;
	struct flight flight[BLINK_BATCH_WIDTH_MAX];
};

/*
 * Whether an operation reads one group of keys in its leaf. Others may move
 * entries, or search all keys.
 */
static __always_inline bool op_reads_group(const struct blink_tree_ioc_op *op)
{
	const unsigned long opcodes = BIT(BLINK_TREE_OP_LOOKUP) |
				      BIT(BLINK_TREE_OP_REPLACE) |
				      BIT(BLINK_TREE_OP_CMPXCHG);

	return BIT(op->opcode) & opcodes;
}

static __always_inline bool op_valid(const struct blink_tree_ioc_op *op)
{
	return !op->flags && op->opcode < BLINK_TREE_OP_NR;
}

/*
 * Begin a read section. The sequence is made even, so that an odd one, of a node
 * that is being written, is not found again.
 */
static __always_inline void flight_read(struct flight *flight)
{
	/* Pairs with the release in blink_write_end_from(). */
	flight->seq = smp_load_acquire(&flight->node->seq) & ~1U;
}

/*
 * Whether all that was read since flight_read() is one state of the node, and
 * the node covers the key.
 */
static __always_inline bool flight_valid(const struct flight *flight)
{
	const struct blink_node *node = flight->node;

	if (unlikely(blink_node_beyond(node, flight->key)))
		return false;
	/* Pairs with the smp_wmb() in blink_write_begin(). */
	smp_rmb();
	return likely(READ_ONCE(node->seq) == flight->seq);
}

/* Go to the child in a slot, which is empty if the flight is lost there. */
static __always_inline void flight_go(struct flight *flight, unsigned int slot)
{
	struct blink_node *next = blink_inner_child(flight->node, slot);

	if (unlikely(!flight_valid(flight)))
		next = NULL;
	flight->node = next;
}

/* Go from the root to level 1. The flight is lost if there is no such level. */
static __always_inline void flight_enter(struct flight *flight,
					 struct blink_node *root)
{
	const blink_key_t key = flight->key;

	flight->node = likely(root->level) ? root : NULL;
	while (likely(flight->node) && flight->node->level > 1) {
		flight_read(flight);
		flight_go(flight, blink_inner_search(flight->node, key));
	}
	prefetch(flight->node);
}

/* Begin the next valid operation. False: there is none. */
static __always_inline bool flight_begin(struct ring *ring,
					 struct flight *flight)
{
	struct blink_tree_ioc_op *op = ring->next;

	while (op < ring->end && unlikely(!op_valid(op)))
		op++->result = -EINVAL;
	ring->next = op;
	if (op == ring->end)
		return false;
	ring->next++;
	flight->op = op;
	flight->key = op->key;
	flight->grouped = op_reads_group(op);
	flight_enter(flight, rcu_dereference(ring->idx->root));
	return true;
}

/* Fetch the group that the header tells. */
static __always_inline void flight_fetch(struct flight *flight, bool leaf)
{
	const struct blink_node *node = flight->node;

	flight->from = blink_group_of(node, flight->key, leaf);
	blink_group_prefetch(node, flight->from, leaf);
	blink_high_prefetch(node);
}

/* The first step in a node of level 1. */
static __always_inline void flight_look(struct flight *flight)
{
	flight_read(flight);
	flight_fetch(flight, false);
}

/* The second step in a node of level 1. */
static __always_inline void flight_descend(struct flight *flight)
{
	unsigned int slot;

	flight->parent = flight->node;
	slot = blink_inner_search_group(flight->node, flight->from,
					flight->key);
	flight_go(flight, slot);
	if (flight->grouped)
		prefetch(flight->node);
	else
		blink_node_prefetch(flight->node, true, false);
}

/*
 * The first step in a leaf. An operation that does not suffice with a group has
 * fetched all keys, and fetches the values behind its own key. A narrow leaf has no
 * groups. Its form is read in the read section: an operation of this batch or another
 * writer can give the leaf the form 0 before the second step.
 */
static __always_inline void flight_arrive(struct flight *flight)
{
	const struct blink_node *leaf = flight->node;
	const blink_key_t key = flight->key;

	flight_read(flight);
	if (unlikely(blink_leaf_form(leaf))) {
		flight->grouped = false;
		blink_node_prefetch(leaf, true, true);
	} else if (flight->grouped) {
		flight_fetch(flight, true);
	} else {
		blink_values_prefetch(leaf, blink_group_of(leaf, key, true));
	}
}

/*
 * A step between the two in a leaf with strings: find the slot that the key would have
 * by its head, and fetch the string there.
 */
static __always_inline void flight_find(struct flight *flight)
{
	const struct blink_node *leaf = flight->node;
	unsigned int pos;

	if (!flight->grouped)
		return;
	pos = blink_search_word(leaf, flight->from,
				blink_node_word(leaf, flight->key), true);
	if (likely(pos < BLINK_LEAF_SLOTS))
		blink_slot_prefetch(leaf, pos, flight->key);
}

/*
 * The second step in a leaf, if it suffices for the operation. An update locks
 * the leaf, and searches it again. An operation on a narrow leaf reads it anew. The
 * strings of a dead leaf belong to the leaf that absorbed it.
 */
static __always_inline bool flight_lookup(struct flight *flight)
{
	struct blink_tree_ioc_op *op = flight->op;
	struct blink_probe probe = { .key = op->key };
	unsigned int pos;

	if (op->opcode != BLINK_TREE_OP_LOOKUP || unlikely(!flight->node) ||
	    (BLINK_NARROW && unlikely(!flight->grouped)) ||
	    unlikely(BLINK_STRINGS && blink_node_dead(flight->node)))
		return false;
	pos = blink_search_group(flight->node, flight->from, op->key, true);
	blink_probe_at(flight->node, 0, pos, &probe);
	if (unlikely(!flight_valid(flight)))
		return false;
	op->result = probe.found ? 0 : -ENOENT;
	if (likely(probe.found))
		op->value = probe.value;
	return true;
}

/*
 * Execute the operation of a flight as a single one, from the leaf where it has
 * arrived. A flight that is lost descends anew. False: the flight is grounded.
 */
static bool flight_execute(struct ring *ring, struct flight *flight)
{
	struct blink_walk walk = { .idx = ring->idx, .posts = true };
	struct blink_tree_ioc_op *op = flight->op;
	struct blink_node *leaf = flight->node;

	if (likely(leaf))
		walk.parent = flight->parent;
	else
		leaf = blink_descend(ring->tree, ring->idx, op->key, 0, &walk);
	blink_op_at(ring->tree, leaf, &walk, op, ring->gfp);
	if (likely(op->result != -EAGAIN && !walk.lacks)) {
		blink_bound_put(ring->tree, walk.low);
		return true;
	}
	ring->grounded = op;
	ring->low = walk.low;
	return false;
}

/* Lead flights from level 1 to their leaves, and fetch what they read there. */
static __always_inline void ring_descend(struct ring *ring, struct flight *end)
{
	struct flight *flight;

	for (flight = ring->flight; flight < end; flight++)
		if (likely(flight->node))
			flight_look(flight);
	for (flight = ring->flight; flight < end; flight++)
		if (likely(flight->node))
			flight_descend(flight);
	for (flight = ring->flight; flight < end; flight++)
		if (likely(flight->node))
			flight_arrive(flight);
	for (flight = ring->flight; BLINK_STRINGS && flight < end; flight++)
		if (likely(flight->node))
			flight_find(flight);
}

/*
 * Land all flights in their order, and begin another in the place of each.
 * Return: behind the last flight.
 */
static __always_inline struct flight *ring_land(struct ring *ring,
						struct flight *end)
{
	struct flight *flight, *last = ring->flight;

	for (flight = ring->flight; flight < end; flight++) {
		if (unlikely(!flight_lookup(flight)) &&
		    unlikely(!flight_execute(ring, flight)))
			return ring->flight;
		last += flight_begin(ring, flight);
	}
	return last;
}

/*
 * Run flights until all have ended or one is grounded. The function begins as
 * many as one RCU read section may have.
 */
static void ring_run(struct ring *ring, struct blink_tree_ioc_op *end,
		     unsigned int width)
{
	struct flight *last = ring->flight;

	ring->end = min(end, ring->next + SECTION);
	rcu_read_lock();
	ring->idx = blink_tree_index(ring->tree);
	while (last < ring->flight + width && flight_begin(ring, last))
		last++;
	while (last > ring->flight) {
		ring_descend(ring, last);
		last = ring_land(ring, last);
	}
	rcu_read_unlock();
}

/*
 * Do the rest of a grounded operation, since the caller may be able to wait for
 * memory, and go on with the one after it.
 */
static void ring_resume(struct ring *ring)
{
	struct blink_tree_ioc_op *op = ring->grounded;

	if (likely(!op))
		return;
	ring->grounded = NULL;
	ring->next = op + 1;
	if (op->result == -EAGAIN)
		blink_op(ring->tree, op, ring->gfp);
	else
		blink_mend_all(ring->tree, blink_key_after(ring->low),
			       ring->gfp);
	blink_bound_put(ring->tree, ring->low);
}

/**
 * blink_batch() - execute operations in their order
 * @tree: the tree
 * @ops: the operations; their results are stored in them
 * @nr: how many
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: as blink_tree_batch(); @tree fits.
 */
void blink_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr, gfp_t gfp)
{
	unsigned int width = min(max(READ_ONCE(blink_batch_width), 1U),
				 BLINK_BATCH_WIDTH_MAX);
	struct ring ring;
	unsigned int i;

	/* A caller that must not wait for a lock might not reach a leaf. */
	if (nr == 1 || width == 1 || unlikely(!blink_may_wait(tree))) {
		for (i = 0; i < nr; i++)
			blink_op(tree, &ops[i], gfp);
		return;
	}
	/* Clear all fields except the arrays. */
	memset(&ring, 0, offsetof(struct ring, flight));
	ring.tree = tree;
	ring.gfp = gfp;
	for (ring.next = ops; ring.next < ops + nr;) {
		ring_run(&ring, ops + nr, width);
		ring_resume(&ring);
	}
}

/**
 * blink_tree_batch() - execute operations
 * @tree: the tree
 * @ops: the operations; each has its own result
 * @nr: how many
 * @gfp: how to allocate, if a node has to be split
 *
 * The batch is not atomic: each operation takes effect by itself, in their
 * order. Many operations are under way at once, so that they wait for memory
 * together. The function never reschedules between two operations, unless @gfp
 * allows sleeping and memory is short; choose @nr for the context.
 *
 * Context: that of the operations (blink_tree_lookup(), blink_tree_insert()).
 */
void blink_tree_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, gfp_t gfp)
{
	unsigned int i;

	if (blink_tree_plain(tree)) {
		blink_batch(tree, ops, nr, gfp);
		return;
	}
	for (i = 0; i < nr; i++)
		ops[i].result = -EOPNOTSUPP;
}
EXPORT_SYMBOL_GPL(blink_tree_batch);
