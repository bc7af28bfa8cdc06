// SPDX-License-Identifier: GPL-2.0
/*
 * Rebuilding an index from the leaves while the tree is in use.
 *
 * Meanwhile the index is *down*: no search uses it, and it is told of no
 * events. Searches use the next nearest index instead. Tasks that still search
 * the index leave it within a grace period. Tasks that do not know yet that it
 * is down learn it within another one, since they read @down in RCU read
 * sections. These two steps must not be merged: a search that is sent to an
 * index which is not told of deaths can reach leaves that were freed.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "../node/locking.h"
#include "../tree/topology.h"
#include "alloc.h"
#include "post.h"
#include "rebuild.h"

/* Leaves that a pass examines before it reschedules. */
#define REBUILD_BURST 32
/* The most passes over all leaves, to enter those without an entry. */
#define REBUILD_PASSES 4

/* Let each NUMA node search the nearest index except @without. */
static void choose_homes(struct blink_tree *tree,
			 const struct blink_index *without)
{
	int nids[BLINK_INDEX_MAX];
	u8 ids[BLINK_INDEX_MAX];
	struct blink_index *idx;
	unsigned int nr = 0, i;

	for_each_blink_index(idx, tree) {
		if (idx == without)
			continue;
		nids[nr] = idx->nid;
		ids[nr++] = idx->id;
	}
	for (i = 0; i < nr_node_ids; i++)
		/*
		 * Pairs with the address dependency in blink_tree_index(): a
		 * search that is sent to an index finds its present root.
		 */
		smp_store_release(&tree->home[i],
				  ids[blink_topology_nearest(i, nids, nr)]);
}

/*
 * Free the inner nodes of an index that no task searches. Readers of other indexes can still
 * use their low keys, which leaves may have as entries.
 */
static void free_inner(struct blink_tree *tree, struct blink_node *node)
{
	struct blink_node *below, *next;

	for (; node->level; node = below) {
		below = blink_inner_child(node, 0);
		for (; node; node = next) {
			next = rcu_dereference_protected(node->right, true);
			blink_node_free(tree, node, false);
			cond_resched();
		}
	}
}

static struct blink_node *leftmost_leaf(struct blink_node *node)
{
	while (node->level)
		node = blink_inner_child(node, 0);
	return node;
}

/*
 * A pass over the leaves: the greatest key that it has passed, if it has begun, and the
 * last leaf that it examined.
 */
struct pass {
	blink_bound_t passed;
	blink_bound_t low;
	bool begun;
	bool unposted;
	bool end;
};

static blink_key_t pass_key(const struct pass *pass)
{
	return pass->begun ? blink_key_after(pass->passed) : BLINK_KEY_LEAST;
}

static void pass_end(struct blink_tree *tree, struct pass *pass)
{
	blink_bound_put(tree, pass->passed);
	blink_bound_put(tree, pass->low);
}

/*
 * Examine the leaf that covers the key, and advance to the next one. @forget:
 * record that the index has no entry for it, unless it is the first leaf, which
 * needs none. Otherwise advance @built: leaves that are split off this one from
 * now on are not entered by the rebuild. This happens under the lock that a
 * split takes.
 */
static void pass_next_leaf(struct blink_tree *tree, struct blink_index *idx,
			   struct pass *pass, bool forget)
{
	struct blink_node *leaf;
	unsigned long flags;

	rcu_read_lock();
	flags = blink_writer_begin(tree);
	leaf = blink_lock_leaf(tree, NULL, pass_key(pass));
	if (forget && !blink_node_leftmost(leaf))
		WRITE_ONCE(leaf->unposted, leaf->unposted | BIT(idx->id));
	if (!forget && blink_bound_less(blink_index_built(idx),
					blink_bound_key(leaf->high)))
		blink_index_set_built(tree, idx, leaf->high);
	blink_bound_set(tree, &pass->low, leaf->low);
	pass->unposted = leaf->unposted & BIT(idx->id);
	pass->end = blink_bound_equal(leaf->high, BLINK_BOUND_LAST);
	blink_bound_set(tree, &pass->passed, leaf->high);
	pass->begun = true;
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	rcu_read_unlock();
}

/*
 * Mark all leaves as having no entry. Leaves that are split off later begin
 * like that.
 */
static void forget_leaves(struct blink_tree *tree, struct blink_index *idx)
{
	struct pass pass = {};
	unsigned int n = 0;

	do {
		pass_next_leaf(tree, idx, &pass, true);
		if (!(++n % REBUILD_BURST))
			cond_resched();
	} while (!pass.end);
	pass_end(tree, &pass);
}

/*
 * Enter all leaves without an entry. A leaf that is split off behind this pass
 * is posted by its writer. Returns the number of leaves without an entry.
 */
static unsigned long enter_leaves(struct blink_state *state,
				  struct blink_index *idx)
{
	unsigned long unposted = 0;
	struct pass pass = {};
	unsigned int n = 0;

	do {
		pass_next_leaf(state->tree, idx, &pass, false);
		if (pass.unposted) {
			blink_index_complete(state, idx, 0, pass.low);
			unposted++;
		}
		if (!(++n % REBUILD_BURST))
			cond_resched();
	} while (!pass.end);
	pass_end(state->tree, &pass);
	return unposted;
}

/* As blink_tree_rebuild(). */
int blink_rebuild(struct blink_tree *tree, int nid, gfp_t gfp)
{
	struct blink_state state = { .tree = tree, .gfp = gfp };
	struct blink_index *idx;
	struct blink_node *root;
	unsigned int passes;

	for_each_blink_index(idx, tree)
		if (idx->nid == nid)
			break;
	if (tree->nr_indexes == 1 || idx == tree->index + tree->nr_indexes)
		return -ENODEV;
	if (atomic_cmpxchg(&tree->rebuilding, 0, 1))
		return -EBUSY;
	choose_homes(tree, idx);
	/*
	 * After this grace period no task searches the index, so it need not be
	 * told of deaths.
	 */
	synchronize_rcu();
	/*
	 * Pairs with the acquire in blink_index_down(): a CPU that sees the index
	 * down sees that searches are sent to others.
	 */
	smp_store_release(&idx->down, true);
	/* After this grace period all tasks know that it is down. */
	synchronize_rcu();
	root = rcu_access_pointer(idx->root);
	RCU_INIT_POINTER(idx->root, leftmost_leaf(root));
	free_inner(tree, root);
	blink_index_set_built(tree, idx, BLINK_BOUND_LEAST);
	forget_leaves(tree, idx);
	/*
	 * Pairs with the acquire in blink_index_down(): a CPU that sees the index up
	 * sees its new root, and not the one that was freed.
	 */
	smp_store_release(&idx->down, false);
	for (passes = 0; passes < REBUILD_PASSES; passes++)
		if (!enter_leaves(&state, idx))
			break;
	choose_homes(tree, NULL);
	blink_state_end(&state);
	/*
	 * Pairs with the atomic_cmpxchg() of the next rebuild, which sees
	 * everything that this one did.
	 */
	atomic_set_release(&tree->rebuilding, 0);
	return 0;
}
