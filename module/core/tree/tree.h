/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the tree
 *
 * A tree is one list of leaves, which is the truth, and indexes over it, which
 * are hints: a search may take any index and start with any node of it whose
 * low key is less than the key; whatever an index lacks, right links make up
 * for. Every operation takes effect in a leaf.
 *
 * Invariants (blink_tree_verify() checks what can be checked of them):
 *
 * I1 live leaves partition the key space; a node's right neighbour has its
 *    high key as low key; keys ascend strictly and lie in their node's range.
 * I2 a low key never changes after publication.
 * I3 every index pointer that a search for k can take leads to a node with
 *    low < k or to a dead one: a stale index falls short, never overshoots.
 * I4 entries move only into a fresh right node (split), or into the left
 *    neighbour while their node dies (merge). Never between two that live on.
 * I5 dead is final; a dead node's right link leads to what absorbed it.
 * I6 a sequence is odd only under the lock, with preemption off, and nothing
 *    is allocated meanwhile.
 * I7 what an index is told of a node is ordered: by the lock of the left
 *    neighbour while the node is split off or absorbed, and by the node's own
 *    lock always, so that a late entry cannot outlive the node.
 * I8 a dead node goes to RCU only after every index let go of it.
 * I9 nothing that waits, is queued or was handed over for a tree outlives the
 *    memory that it leads to (Documentation/design/lifetime.rst lists it all).
 */
#ifndef BLINK_CORE_TREE_H
#define BLINK_CORE_TREE_H

#include <linux/atomic.h>
#include <linux/blink_tree.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/percpu-refcount.h>
#include <linux/topology.h>

#include "../../lock/node_lock.h"
#include "../../obs/counters.h"
#include "charge.h"
#include "mender.h"

struct blink_gates;
struct blink_node;
struct blink_queue;

/**
 * struct blink_index - a B-link structure of inner nodes over the leaves
 * @root: leftmost node of its highest level, a leaf while there is one only;
 *	changed under the lock of the root that it replaces
 * @id: its bit in &blink_node.unposted
 * @nid: NUMA node that its inner nodes lie on
 * @down: it is being rebuilt; nobody searches it, nobody tells it anything
 * @built: while it is built again, the greatest key that its builder has come to:
 *	leaves that begin there, or right of it, are entered by the builder alone;
 *	otherwise U64_MAX
 * @mender: posts what it lacks; operations write it, on a line that no lookup reads
 */
struct blink_index {
	struct blink_node __rcu *root;
	unsigned int id;
	int nid;
	bool down;
	u64 built;
	struct blink_mender mender ____cacheline_aligned;
};

static_assert(offsetof(struct blink_index, mender) % L1_CACHE_BYTES == 0);
static_assert(sizeof(struct blink_index) % L1_CACHE_BYTES == 0);

/* A bit for each in &blink_node.unposted. */
#define BLINK_INDEX_MAX BITS_PER_LONG

/**
 * struct blink_limit - room for entries that is in no stock (limit.h)
 * @lock: held while room moves between @left and a stock
 * @open: stocks are open
 * @left: how much; less than 0 where the limit was set to less than there are
 */
struct blink_limit {
	struct blink_lock lock;
	bool open;
	atomic64_t left;
};

/**
 * struct blink_tree - a tree
 * @flags: BLINK_TREE_*
 * @nr_indexes: entries of @index
 * @home: position in @index of the one to search, for each NUMA node; it lies
 *	behind them
 * @gates: where writers queue for a leaf, NULL if they need no gate
 * @queue: what the indexes are to learn, NULL if they are told at once
 * @counters: what happened
 * @limbo_batch: bytes in limbo that a CPU counts for itself at most
 * @max_entries: limit, 0 for none
 * @counted: there was a limit from the beginning: @limit is kept
 * @replication: what was asked for; one NUMA node makes no difference
 * @placement: where leaves without copies are put
 * @copied: leaves have copies, one for each index
 * @charge: what its memory is charged to
 * @ref: one for the owner and one for each node in limbo
 * @limit: what is left of @max_entries
 * @limbo: bytes of dead nodes that wait for a grace period, less what CPUs have in
 *	&blink_counters.limbo
 * @rebuilding: an index is being rebuilt
 * @index: the indexes
 *
 * Every operation reads the first lines, and none writes them. What operations
 * write, each CPU for itself or in batches, begins on a line of its own.
 */
struct blink_tree {
	/* Constant. */
	u32 flags;
	unsigned int nr_indexes;
	u8 *home;
	struct blink_gates *gates;
	struct blink_queue *queue;
	struct blink_counters __percpu *counters;
	long limbo_batch;
	u64 max_entries;
	bool counted;
	enum blink_tree_replication replication;
	enum blink_tree_placement placement;
	bool copied;
	struct percpu_ref ref;

	/* Read where a node is allocated; @used is written, on a line of its own. */
	struct blink_charge charge;

	/* Written for many entries at a time; near the limit for each. */
	struct blink_limit limit ____cacheline_aligned;

	/* Written for many dead nodes at a time, and by a rebuild. */
	atomic_long_t limbo ____cacheline_aligned;
	atomic_t rebuilding;

	/* Each has lines of its own. */
	struct blink_index index[];
};

static_assert(offsetof(struct blink_tree, limit) % L1_CACHE_BYTES == 0);
static_assert(offsetof(struct blink_tree, limbo) % L1_CACHE_BYTES == 0);
static_assert(offsetof(struct blink_tree, index) % L1_CACHE_BYTES == 0);
/* What kmalloc() takes from a size that is a power of two is aligned to that. */
static_assert(sizeof(struct blink_tree) + sizeof(struct blink_index) > 192);

/* Asked within an RCU read section, it holds until the section ends. */
static inline bool blink_index_down(const struct blink_index *idx)
{
	/* Pairs with blink_tell_down(), blink_queue_leave() and blink_queue_join(). */
	return smp_load_acquire(&idx->down);
}

/*
 * The index to search: that of the local NUMA node. Who is moved to another one
 * meanwhile is only further away.
 */
static __always_inline struct blink_index *
blink_tree_index(struct blink_tree *tree)
{
	if (tree->nr_indexes == 1)
		return &tree->index[0];
	/* Loads from the index depend on this one: pairs with choose_homes(). */
	return &tree->index[READ_ONCE(tree->home[numa_node_id()])];
}

#define for_each_blink_index(idx, tree) \
	for ((idx) = (tree)->index;     \
	     (idx) < (tree)->index + (tree)->nr_indexes; (idx)++)

#endif /* BLINK_CORE_TREE_H */
