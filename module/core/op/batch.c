// SPDX-License-Identifier: GPL-2.0
/*
 * Batches. Operations mostly wait for memory, so several are under way at once,
 * and their cache misses overlap: a *ring* of *descents*. All descents make the
 * same step, one after the other; each prefetches what its next step reads. In
 * the last step a descent *ends*: it executes its operation in the leaf where it
 * has arrived, and the next operation of the batch takes its place.
 *
 * All descents share the number of cache lines that can be on their way, so a
 * descent fetches only lines that it reads. It begins in the upper levels, which
 * stay in the cache, and then takes two steps in each node. The first one reads
 * the header, which tells the group of keys in which the search ends
 * (signs.h), and fetches the group. The second one searches the group, and
 * fetches the header of the next node. Both steps are one read section: it
 * begins with the first, and is valid if the second finds the same sequence. In a
 * leaf of strings a step between them fetches the string.
 * A descent that cannot use what it has read is *stale*. It makes no more steps,
 * and begins anew, from the root, when its turn to end comes.
 *
 * Descents change nothing, and end in the order of their operations. So the
 * operations take effect in their order, each at its own linearization point, in
 * the function that executes it (op.c). A leaf where a descent has arrived can be
 * out of date when the descent ends.
 *
 * No descent sleeps. A descent that needs memory for which only the caller can
 * wait is *postponed*: those behind it are given up, the RCU read section ends,
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

/* The most descents in one RCU read section. */
#define SECTION 1024

/**
 * struct descent - an operation under way
 * @op: the operation
 * @key: its key
 * @node: the node that its next step reads; NULL if the descent is stale
 * @parent: the node of level 1 from which it came
 * @seq: the sequence of @node in its first step, made even
 * @from: first slot of the group that was fetched
 * @grouped: the operation reads one group of keys in its leaf, unless that was narrow
 *	when the descent arrived
 */
struct descent {
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
 * @idx: the index that all descents search
 * @gfp: how to allocate
 * @next: the next operation to begin
 * @end: behind the last one
 * @postponed: the operation that needs memory for which the caller may have to
 *	wait, or NULL
 * @low: an index lacks an entry on the way to the key after this one, if the
 *	postponed operation has taken effect
 * @descent: the descents, in the order of their operations
 */
struct ring {
	struct blink_tree *tree;
	struct blink_index *idx;
	gfp_t gfp;
	struct blink_tree_ioc_op *next;
	struct blink_tree_ioc_op *end;
	struct blink_tree_ioc_op *postponed;
	blink_bound_t low;
	struct descent descent[BLINK_BATCH_WIDTH_MAX];
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
static __always_inline void descent_read(struct descent *descent)
{
	/* Pairs with the release in blink_write_end_from(). */
	descent->seq = smp_load_acquire(&descent->node->seq) & ~1U;
}

/*
 * Whether all that was read since descent_read() is one state of the node, and
 * the node covers the key.
 */
static __always_inline bool descent_valid(const struct descent *descent)
{
	const struct blink_node *node = descent->node;

	if (unlikely(blink_node_beyond(node, descent->key)))
		return false;
	/* Pairs with the smp_wmb() in blink_write_begin(). */
	smp_rmb();
	return likely(READ_ONCE(node->seq) == descent->seq);
}

/* Go to the child in a slot, which is empty if the descent is stale there. */
static __always_inline void descent_go(struct descent *descent,
				       unsigned int slot)
{
	struct blink_node *next = blink_inner_child(descent->node, slot);

	if (unlikely(!descent_valid(descent)))
		next = NULL;
	descent->node = next;
}

/* Go from the root to level 1. The descent is stale if there is no such level. */
static __always_inline void descent_enter(struct descent *descent,
					  struct blink_node *root)
{
	const blink_key_t key = descent->key;

	descent->node = likely(root->level) ? root : NULL;
	while (likely(descent->node) && descent->node->level > 1) {
		descent_read(descent);
		descent_go(descent, blink_inner_search(descent->node, key));
	}
	prefetch(descent->node);
}

/* Begin the next valid operation. False: there is none. */
static __always_inline bool descent_begin(struct ring *ring,
					  struct descent *descent)
{
	struct blink_tree_ioc_op *op = ring->next;

	while (op < ring->end && unlikely(!op_valid(op)))
		op++->result = -EINVAL;
	ring->next = op;
	if (op == ring->end)
		return false;
	ring->next++;
	descent->op = op;
	descent->key = op->key;
	descent->grouped = op_reads_group(op);
	descent_enter(descent, rcu_dereference(ring->idx->root));
	return true;
}

/* Fetch the group that the header tells. */
static __always_inline void descent_fetch(struct descent *descent, bool leaf)
{
	const struct blink_node *node = descent->node;

	descent->from = blink_group_of(node, descent->key, leaf);
	blink_group_prefetch(node, descent->from, leaf);
	blink_high_prefetch(node);
}

/* The first step in a node of level 1. */
static __always_inline void descent_look(struct descent *descent)
{
	descent_read(descent);
	descent_fetch(descent, false);
}

/* The second step in a node of level 1. */
static __always_inline void descent_to_leaf(struct descent *descent)
{
	unsigned int slot;

	descent->parent = descent->node;
	slot = blink_inner_search_group(descent->node, descent->from,
					descent->key);
	descent_go(descent, slot);
	if (descent->grouped)
		prefetch(descent->node);
	else
		blink_node_prefetch(descent->node, true, false);
}

/*
 * The first step in a leaf. An operation that does not suffice with a group has
 * fetched all keys, and fetches the values behind its own key. A narrow leaf has no
 * groups. Its form is read in the read section: an operation of this batch or another
 * writer can give the leaf the form 0 before the second step.
 */
static __always_inline void descent_arrive(struct descent *descent)
{
	const struct blink_node *leaf = descent->node;
	const blink_key_t key = descent->key;

	descent_read(descent);
	if (unlikely(blink_leaf_form(leaf))) {
		descent->grouped = false;
		blink_node_prefetch(leaf, true, true);
	} else if (descent->grouped) {
		descent_fetch(descent, true);
	} else {
		blink_values_prefetch(leaf, blink_group_of(leaf, key, true));
	}
}

/*
 * A step between the two in a leaf with strings: find the slot that the key would have
 * by its head, and fetch the string there.
 */
static __always_inline void descent_find(struct descent *descent)
{
	const struct blink_node *leaf = descent->node;
	unsigned int pos;

	if (!descent->grouped)
		return;
	pos = blink_search_word(leaf, descent->from,
				blink_node_word(leaf, descent->key), true);
	if (likely(pos < BLINK_LEAF_SLOTS))
		blink_slot_prefetch(leaf, pos, descent->key);
}

/*
 * The second step in a leaf, if it suffices for the operation. An update locks
 * the leaf, and searches it again. An operation on a narrow leaf reads it anew. The
 * strings of a dead leaf belong to the leaf that absorbed it.
 */
static __always_inline bool descent_lookup(struct descent *descent)
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
	if (unlikely(!descent_valid(descent)))
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
static bool descent_execute(struct ring *ring, struct descent *descent)
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

/* Lead descents from level 1 to their leaves, and fetch what they read there. */
static __always_inline void ring_descend(struct ring *ring, struct descent *end)
{
	struct descent *descent;

	for (descent = ring->descent; descent < end; descent++)
		if (likely(descent->node))
			descent_look(descent);
	for (descent = ring->descent; descent < end; descent++)
		if (likely(descent->node))
			descent_to_leaf(descent);
	for (descent = ring->descent; descent < end; descent++)
		if (likely(descent->node))
			descent_arrive(descent);
	for (descent = ring->descent; BLINK_STRINGS && descent < end; descent++)
		if (likely(descent->node))
			descent_find(descent);
}

/*
 * End all descents in their order, and begin another in the place of each.
 * Return: behind the last descent.
 */
static __always_inline struct descent *ring_finish(struct ring *ring,
						   struct descent *end)
{
	struct descent *descent, *last = ring->descent;

	for (descent = ring->descent; descent < end; descent++) {
		if (unlikely(!descent_lookup(descent)) &&
		    unlikely(!descent_execute(ring, descent)))
			return ring->descent;
		last += descent_begin(ring, descent);
	}
	return last;
}

/*
 * Run descents until all have ended or one is postponed. The function begins as
 * many as one RCU read section may have.
 */
static void ring_run(struct ring *ring, struct blink_tree_ioc_op *end,
		     unsigned int width)
{
	struct descent *last = ring->descent;

	ring->end = min(end, ring->next + SECTION);
	rcu_read_lock();
	ring->idx = blink_tree_index(ring->tree);
	while (last < ring->descent + width && descent_begin(ring, last))
		last++;
	while (last > ring->descent) {
		ring_descend(ring, last);
		last = ring_finish(ring, last);
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
	memset(&ring, 0, offsetof(struct ring, descent));
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
