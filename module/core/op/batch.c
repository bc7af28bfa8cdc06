// SPDX-License-Identifier: GPL-2.0
/*
 * Batches. Operations mostly wait for memory, so several are under way at once: a
 * *ring* of descents (descent.h). In the last step a descent *ends*: it executes its
 * operation in the leaf where it has arrived, and the next operation of the batch takes
 * its place. A stale descent begins anew, from the root, when its turn to end comes.
 *
 * The ring has two halves, whose descents make their steps together. While the operations
 * of one half are executed, the leaves of the other half are on their way from memory.
 *
 * Descents end in the order of their operations. So the operations take effect in their
 * order, each at its own linearization point, in the function that executes it (op.c).
 *
 * No descent sleeps. A descent that needs memory for which only the caller can
 * wait is *postponed*: those behind it are given up, the RCU read section ends,
 * and the operation is executed alone, or the index is mended if only an entry
 * there lacks memory. Then the ring begins again with the operation behind it.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "../index/mend.h"
#include "../node/locking.h"
#include "at_leaf.h"
#include "batch.h"
#include "descent.h"
#include "probe.h"

/* The most descents in one RCU read section. */
#define SECTION 1024

/**
 * struct half - a half of a ring: descents that make their steps together
 * @nr: their number
 * @descent: the descents, in the order of their operations
 */
struct half {
	unsigned int nr;
	struct blink_descent descent[BLINK_BATCH_WIDTH_MAX / 2];
};

/**
 * struct ring - the operations under way
 * @tree: the tree
 * @idx: the index that all descents search
 * @gfp: how to allocate
 * @next: the next operation to begin
 * @end: behind the last one
 * @postponed: the operation that needs memory for which the caller may have to
 *	wait, or NULL
 * @low: an index lacks an entry on the way to the key after this one, if the
 *	postponed operation has taken effect
 * @half: those of one half come before those of the other
 */
struct ring {
	struct blink_tree *tree;
	struct blink_index *idx;
	gfp_t gfp;
	struct blink_tree_ioc_op *next;
	struct blink_tree_ioc_op *end;
	struct blink_tree_ioc_op *postponed;
	blink_bound_t low;
	struct half half[2];
};

static __always_inline bool op_valid(const struct blink_tree_ioc_op *op)
{
	return !op->flags && op->opcode < BLINK_TREE_OP_NR;
}

/* Begin the next valid operation. False: there is none. */
static __always_inline bool ring_begin(struct ring *ring,
				       struct blink_descent *descent)
{
	struct blink_tree_ioc_op *op = ring->next;

	while (op < ring->end && unlikely(!op_valid(op)))
		op++->result = -EINVAL;
	ring->next = op;
	if (op == ring->end)
		return false;
	ring->next++;
	blink_descent_begin(descent, ring->idx, op);
	return true;
}

/*
 * The second step in a leaf, if it suffices for the operation. An update locks
 * the leaf, and searches it again. An operation on a narrow leaf reads it anew. The
 * strings of a dead leaf belong to the leaf that absorbed it.
 */
static __always_inline bool descent_lookup(struct blink_descent *descent)
{
	struct blink_tree_ioc_op *op = descent->op;
	struct blink_probe probe = { .key = op->key };
	unsigned int pos;

	if (op->opcode != BLINK_TREE_OP_LOOKUP || unlikely(!descent->node) ||
	    (BLINK_NARROW && unlikely(!descent->grouped)) ||
	    unlikely(BLINK_STRINGS && blink_node_dead(descent->node)))
		return false;
	pos = blink_search_group(descent->node, descent->from, op->key, true);
	blink_probe_at(descent->node, 0, pos, &probe);
	if (unlikely(!blink_descent_valid(descent)))
		return false;
	op->result = probe.found ? 0 : -ENOENT;
	if (likely(probe.found))
		op->value = probe.value;
	return true;
}

/*
 * Execute the operation of a descent as a single one, from the leaf where it has
 * arrived. A descent that is stale begins anew. False: the descent is postponed.
 */
static bool descent_execute(struct ring *ring, struct blink_descent *descent)
{
	struct blink_walk walk = { .idx = ring->idx, .posts = true };
	struct blink_tree_ioc_op *op = descent->op;
	struct blink_node *leaf = descent->node;

	if (likely(leaf))
		walk.parent = descent->parent;
	else
		leaf = blink_descend(ring->tree, ring->idx, op->key, 0, &walk);
	blink_op_at(ring->tree, leaf, &walk, op, ring->gfp);
	if (likely(op->result != -EAGAIN && !walk.lacks)) {
		blink_bound_put(ring->tree, walk.low);
		return true;
	}
	ring->postponed = op;
	ring->low = walk.low;
	return false;
}

/*
 * End all descents of a half in their order, and begin another in the place of each.
 * False: one is postponed.
 */
static __always_inline bool ring_finish(struct ring *ring, struct half *half)
{
	unsigned int i, nr = half->nr;

	half->nr = 0;
	for (i = 0; i < nr; i++) {
		struct blink_descent *descent = &half->descent[i];

		if (unlikely(!descent_lookup(descent)) &&
		    unlikely(!descent_execute(ring, descent)))
			return false;
		half->nr += ring_begin(ring, descent);
	}
	return true;
}

/* Begin the first descents of a half. */
static __always_inline void ring_fill(struct ring *ring, struct half *half,
				      unsigned int width)
{
	half->nr = 0;
	while (half->nr < width && ring_begin(ring, &half->descent[half->nr]))
		half->nr++;
}

/*
 * Run descents until all have ended or one is postponed. The function begins as
 * many as one RCU read section may have.
 */
static void ring_run(struct ring *ring, struct blink_tree_ioc_op *end,
		     unsigned int width)
{
	struct half *half = &ring->half[0], *other = &ring->half[1];
	bool on = true;

	ring->end = min(end, ring->next + SECTION);
	rcu_read_lock();
	ring->idx = blink_tree_index(ring->tree);
	ring_fill(ring, half, (width + 1) / 2);
	blink_descents_lead(half->descent, half->descent + half->nr);
	ring_fill(ring, other, width / 2);
	while (on && half->nr) {
		blink_descents_arrive(half->descent, half->descent + half->nr);
		blink_descents_lead(other->descent, other->descent + other->nr);
		on = ring_finish(ring, half);
		swap(half, other);
	}
	rcu_read_unlock();
}

/*
 * Do the rest of a postponed operation, since the caller may be able to wait for
 * memory, and go on with the one after it.
 */
static void ring_resume(struct ring *ring)
{
	struct blink_tree_ioc_op *op = ring->postponed;

	if (likely(!op))
		return;
	ring->postponed = NULL;
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
	memset(&ring, 0, offsetof(struct ring, half));
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
