/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the tree
 *
 * A tree is one list of leaves, which hold the entries, and indexes over it,
 * which are hints. A search may use any index and begin at any node of it whose
 * low key is less than the key. If the index lacks an entry, right links lead
 * on. Every operation takes effect in a leaf.
 *
 * Invariants (blink_tree_verify() checks those that can be checked):
 *
 * I1 Live leaves partition the key space. The low key of a node is the high key
 *    of its left neighbour. Keys ascend strictly and are in the range of their
 *    node.
 * I2 A low key never changes once the node is published.
 * I3 An index pointer that a search for k can take leads to a node with low <
 *    k, or to a dead node. A pointer that is out of date leads too far to the
 *    left, never too far to the right.
 * I4 Entries move only into a new node on the right (split), or into the left
 *    neighbour of a node that dies (merge). They never move between two nodes
 *    that stay alive.
 * I5 A dead node stays dead. Its right link leads to the node that absorbed it.
 * I6 A sequence is odd only while a writer holds the lock of the node, with
 *    preemption disabled. The writer allocates nothing meanwhile.
 * I7 An index learns of the events in the life of a node in their order, under
 *    the node's own lock. When the node is split off or absorbed, the lock of
 *    its left neighbour is held as well. So no entry for a node is made after
 *    the node died.
 * I8 A dead node is given to RCU only after every index has dropped it.
 * I9 A waiter, queued work, a callback or a lock that was passed never outlives
 *    the memory of the tree that it leads to (Documentation/design/lifetime.rst
 *    lists all of them).
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
struct blink_kind;
struct blink_node;

/**
 * struct blink_index - a B-link structure of inner nodes over the leaves
 * @root: leftmost node of its highest level, which can be a leaf; changed under
 *	the lock of the old root
 * @id: its bit in &blink_node.unposted
 * @nid: NUMA node of its inner nodes
 * @down: it is being rebuilt; no search uses it, and it is told of no events
 * @built: during a rebuild, head and tail of the greatest key that the rebuild has
 *	reached (blink_index_built()): only the rebuild enters leaves that begin at
 *	this key or to the right of it; otherwise the greatest key
 * @mender: posts the nodes that it lacks; operations write it, on a cache line
 *	that no lookup reads
 */
struct blink_index {
	struct blink_node __rcu *root;
	unsigned int id;
	int nid;
	bool down;
	u64 built[2];
	struct blink_mender mender ____cacheline_aligned;
};

static_assert(offsetof(struct blink_index, mender) % L1_CACHE_BYTES == 0);
static_assert(sizeof(struct blink_index) % L1_CACHE_BYTES == 0);

/* How keys are stored: a layout for each type of blink_key_t (key/key.h). */
enum blink_layout {
	BLINK_LAYOUT_U64,
	BLINK_LAYOUT_U128,
	BLINK_LAYOUT_BYTES,
	BLINK_LAYOUT_NR,
};

/* A bit for each in &blink_node.unposted. */
#define BLINK_INDEX_MAX BITS_PER_LONG

/**
 * struct blink_limit - room for entries that is in no stock (limit.h)
 * @lock: held while room moves between @left and a stock
 * @open: stocks are open
 * @left: the room; negative if the limit was set to less than the number of
 *	entries
 */
struct blink_limit {
	struct blink_lock lock;
	bool open;
	atomic64_t left;
};

/**
 * struct blink_tree - a tree
 * @flags: BLINK_TREE_*
 * @layout: enum blink_layout
 * @plain: @layout if values are numbers that callers may write, otherwise
 *	BLINK_LAYOUT_NR
 * @key: enum blink_tree_key
 * @kind: the functions of this layout
 * @nr_indexes: entries of @index
 * @home: position in @index of the index to search, for each NUMA node; stored
 *	behind @index
 * @gates: gates at which writers wait for a leaf, NULL with
 *	BLINK_TREE_LOCKING_PLAIN
 * @counters: counters of events, one copy per CPU
 * @limbo_batch: the most bytes in limbo that a CPU counts for itself
 * @max_entries: limit, 0 for none
 * @counted: the tree was created with a limit, so @limit is kept
 * @release: called for an entry that is an object of the caller, or NULL
 * @replication: the mode that the creator asked for; with one NUMA node it has
 *	no effect
 * @placement: where leaves without copies are allocated
 * @copied: leaves have copies, one for each index
 * @charge: the budget to which its memory is charged
 * @ref: one reference of the owner, and one of each node in limbo
 * @watches: the list of watches (watch.h)
 * @limit: the room that is left of @max_entries
 * @limbo: bytes of dead nodes that wait for a grace period, without those that
 *	CPUs count in &blink_counters.limbo
 * @rebuilding: an index is being rebuilt
 * @index: the indexes
 *
 * Every operation reads the first cache lines, and none writes them. The fields
 * that operations write, each CPU for itself or in batches, begin on a cache
 * line of their own.
 */
struct blink_tree {
	/* Constant. */
	u32 flags;
	u8 layout;
	u8 plain;
	u8 key;
	unsigned int nr_indexes;
	u8 *home;
	struct blink_gates *gates;
	struct blink_counters __percpu *counters;
	long limbo_batch;
	u64 max_entries;
	bool counted;
	enum blink_tree_replication replication;
	enum blink_tree_placement placement;
	bool copied;
	const struct blink_kind *kind;
	void (*release)(struct blink_bytes_link *link);
	struct percpu_ref ref;

	/* Read by each change. */
	struct blink_watch __rcu *watches;

	/*
	 * Read when a node is allocated; @used is written, and has its own
	 * cache line.
	 */
	struct blink_charge charge;

	/* Written once for many entries; near the limit for each entry. */
	struct blink_limit limit ____cacheline_aligned;

	/* Written once for many dead nodes, and by a rebuild. */
	atomic_long_t limbo ____cacheline_aligned;
	atomic_t rebuilding;

	/* Each index begins on a cache line of its own. */
	struct blink_index index[];
};

static_assert(offsetof(struct blink_tree, limit) % L1_CACHE_BYTES == 0);
static_assert(offsetof(struct blink_tree, limbo) % L1_CACHE_BYTES == 0);
static_assert(offsetof(struct blink_tree, index) % L1_CACHE_BYTES == 0);
/*
 * Above 192 bytes all size classes of kmalloc() are powers of two, and aligned
 * to their size.
 */
static_assert(sizeof(struct blink_tree) + sizeof(struct blink_index) > 192);

/*
 * Whether an index is down. The answer stays true until the caller's RCU read
 * section ends.
 */
static inline bool blink_index_down(const struct blink_index *idx)
{
	/*
	 * Pairs with the release in blink_rebuild(): a CPU that sees the index up
	 * sees its new root, and not the one that was freed.
	 */
	return smp_load_acquire(&idx->down);
}

/*
 * The index to search: that of the local NUMA node. If the task moves to
 * another NUMA node meanwhile, its search is only slower.
 */
static __always_inline struct blink_index *
blink_tree_index(struct blink_tree *tree)
{
	if (tree->nr_indexes == 1)
		return &tree->index[0];
	/*
	 * Pairs with the release in choose_homes() by an address dependency: a
	 * search that is sent to an index finds its present root.
	 */
	return &tree->index[READ_ONCE(tree->home[numa_node_id()])];
}

#define for_each_blink_index(idx, tree) \
	for ((idx) = (tree)->index;     \
	     (idx) < (tree)->index + (tree)->nr_indexes; (idx)++)

#endif /* BLINK_CORE_TREE_H */
