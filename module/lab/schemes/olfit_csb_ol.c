// SPDX-License-Identifier: GPL-2.0
/*
 * OL: optimistic, latch-free index traversal, on the full CSB+-tree.
 *
 * Authors: Sang K. Cha, Sangyong Hwang, Kihong Kim, Keunjoo Kwon.
 * Paper: Cache-Conscious Concurrency Control of Main-Memory Indexes on Shared-Memory
 * Multiprocessor Systems (OLFIT), VLDB 2001; sections 4 and 5, in particular 5.5.
 *
 * A node has a high key and no link pointer, since its right neighbour is in the next
 * place of the group. "Only one link pointer to the right node group is stored for each
 * node group"; it "has its own latch and version" (csb_group.link, csb_group.ccinfo).
 * Each place has a word ccinfo (ccinfo.h). It stays with the place, and a writer latches
 * the place before a node comes to it or leaves it.
 *
 * "In this case, the node to split, all shifting nodes, and the parent node are latched
 * before the split." If the group is full, then "the node to split, the shifting nodes,
 * the parent node, the nodes to be moved into the new node group, and the link pointer to
 * the right node group are latched".
 *
 * Why a reader that meets nodes on the move reads again: the places that nodes move from
 * and to are all latched before the first one moves, and each gets a new version when it
 * is unlatched. The reader compares the word of the place with the one that it began
 * with. So if the place changed meanwhile, the reader forgets all that it read there.
 *
 * Why it then finds the node: nodes only move to the right, in their group or to the
 * first places of a new one, which is next. So the greatest key that a place and those on
 * its left cover never grows, and the node that covers the reader's key is at the place
 * that the parent told it, or on its right. A place whose node moved to a new group has
 * none, and the way from there leads over the link.
 *
 * Why no reader follows a pointer to a freed group: no group leaves the tree before its
 * end. The group of a node that is split stays that of the left half, an old root is a
 * child of the new one, and empty leaves stay (csb.h). The paper's garbage collector
 * (section 5.3) has nothing to collect here, so readers need no read section either.
 *
 * Promises: unique keys; insert, lookup, store and erase are linearizable.
 *
 * Chosen where the paper leaves it open:
 *
 * - Latches are taken upwards, and in a level from left to right, a group's link after
 *   its places. So no ring of writers can wait for each other. A traversal waits for
 *   levels above those that its thread has latched.
 * - If the group of the node to split is full, the parent is split first, by itself, and
 *   the updater starts again. The half of the children that moves is known before the
 *   node is latched, as a full node always keeps the same number of them.
 * - A root that is split first gets a parent, of which it is the only child.
 * - The place behind a group's last node is latched too: the last node moves there.
 * - A writer with latches is not preempted, since readers would wait for it.
 * - All memory is allocated before a node is latched, so that an insertion that finds
 *   none leaves the tree as it is, but for splits done before.
 * - Leaves have 14 entries, as in table 1; inner nodes have 27, as a word of ours is as
 *   long as a pointer.
 */
#include <linux/errno.h>
#include <linux/preempt.h>

#include "ccinfo.h"
#include "csb.h"

/* A place of a group, and what is in it. */
struct place {
	struct csb_group *group;
	unsigned int pos;
};

static __always_inline struct csb_node *node_at(const struct csb_tree *tree,
						struct place at)
{
	return csb_node_at(tree, at.group, at.pos);
}

static __always_inline u64 *ccinfo_of(const struct csb_tree *tree,
				      struct place at)
{
	return csb_front(tree, node_at(tree, at));
}

/* For lockdep: the first latch of a level is taken, or the last one is given up. */
static void note_latched(struct csb_tree *tree, unsigned int level)
{
	spin_acquire(&tree->levels[level], 0, 0, _RET_IP_);
}

static void note_unlatched(struct csb_tree *tree, unsigned int level)
{
	spin_release(&tree->levels[level], _RET_IP_);
}

static struct csb_group *read_link(struct csb_group *group)
{
	struct csb_group *link;
	u64 t;

	for (;;) {
		t = ccinfo_read_begin(&group->ccinfo);
		link = READ_ONCE(group->link);
		if (ccinfo_read_valid(&group->ccinfo, t))
			return link;
		cpu_relax();
	}
}

/*
 * The place right of one with this high key. Behind a group's last node is a place without
 * a node, unless the group is full. No node has 0: half a leaf has two keys at least.
 */
static struct place right_of(const struct csb_tree *tree, struct place at,
			     u64 high)
{
	if (!high || at.pos + 1 == csb_inner_slots(tree))
		return (struct place){ read_link(at.group), 0 };
	return (struct place){ at.group, at.pos + 1 };
}

/*
 * traverse (figure 5), to any level: find_next is the child that covers the key, or the
 * right neighbour. @low: set to the bound before that, if there is one.
 */
static __always_inline struct place
traverse(const struct csb_tree *tree, u64 key, unsigned int level, u64 *low)
{
	struct place at = { rcu_dereference_check(tree->root, true), 0 }, next;
	unsigned int above = at.group->level;
	struct csb_node *node;
	u64 t, bound, high;

	while (above != level) {
		node = node_at(tree, at);
		t = ccinfo_read_begin(ccinfo_of(tree, at));
		high = READ_ONCE(node->high);
		bound = high ?: *low;
		if (key <= high) {
			next.pos = csb_search(node, key);
			next.group = csb_group_of(tree, node);
			bound = next.pos ? READ_ONCE(node->word[next.pos - 1]) :
					   *low;
		}
		if (!ccinfo_read_valid(ccinfo_of(tree, at), t)) {
			cpu_relax();
			continue;
		}
		*low = bound;
		at = key <= high ? next : right_of(tree, at, high);
		above -= key <= high;
	}
	return at;
}

/* Latch the node of a level that covers a key. It stays in its place then. */
static struct place latch_target(struct csb_tree *tree, u64 key,
				 unsigned int level)
{
	u64 low = 0, high;
	struct place at;

	at = traverse(tree, key, level, &low);
	note_latched(tree, level);
	for (;;) {
		ccinfo_latch(ccinfo_of(tree, at));
		high = node_at(tree, at)->high;
		if (key <= high)
			return at;
		ccinfo_unlatch(ccinfo_of(tree, at));
		at = right_of(tree, at, high);
	}
}

static void unlatch(struct csb_tree *tree, struct place at, unsigned int level)
{
	ccinfo_unlatch(ccinfo_of(tree, at));
	note_unlatched(tree, level);
}

/* Read the leaf that covers the key. */
static __always_inline void csb_ol_read_leaf(void *data, struct reading *r,
					     enum reading_wanted wanted)
{
	const struct csb_tree *tree = data;
	struct csb_node *leaf;
	struct place at;
	u64 t, high;

	at = traverse(tree, r->key, 0, &r->low);
	for (;;) {
		leaf = node_at(tree, at);
		t = ccinfo_read_begin(ccinfo_of(tree, at));
		high = READ_ONCE(leaf->high);
		if (r->key <= high)
			csb_read_entries(tree, leaf, r, wanted);
		if (!ccinfo_read_valid(ccinfo_of(tree, at), t)) {
			cpu_relax();
			continue;
		}
		if (r->key <= high)
			return;
		r->low = high ?: r->low;
		at = right_of(tree, at, high);
	}
}

READING_OPERATIONS(csb_ol)

/* Latch the places right of a node, up to one without a node: it, or inner_slots. */
static unsigned int latch_right(struct csb_tree *tree, struct place at)
{
	while (++at.pos < csb_inner_slots(tree)) {
		ccinfo_latch(ccinfo_of(tree, at));
		if (!node_at(tree, at)->high)
			break;
	}
	return at.pos;
}

static void unlatch_places(struct csb_tree *tree, struct csb_group *group,
			   unsigned int pos, unsigned int end)
{
	for (; pos < end; pos++)
		ccinfo_unlatch(ccinfo_of(tree, (struct place){ group, pos }));
}

/* Latch the children of a full node that move, and their link: their group, or NULL. */
static struct csb_group *latch_moving(struct csb_tree *tree, u64 key,
				      unsigned int level)
{
	struct csb_group *group = NULL;
	struct place at;

	at = latch_target(tree, key, level);
	if (csb_is_full(tree, node_at(tree, at), level))
		group = csb_group_of(tree, node_at(tree, at));
	unlatch(tree, at, level);
	if (!group)
		return NULL;
	at = (struct place){ group, csb_inner_keep(tree) };
	note_latched(tree, level - 1);
	for (; at.pos < csb_inner_slots(tree); at.pos++)
		ccinfo_latch(ccinfo_of(tree, at));
	ccinfo_latch(&group->ccinfo);
	return group;
}

static void unlatch_moving(struct csb_tree *tree, struct csb_group *group,
			   unsigned int level)
{
	ccinfo_unlatch(&group->ccinfo);
	unlatch_places(tree, group, csb_inner_keep(tree),
		       csb_inner_slots(tree));
	note_unlatched(tree, level - 1);
}

/* Split a node; it, the places on its right, and what moves below are latched. */
static void split_latched(struct csb_tree *tree, struct csb_stock *stock,
			  struct place at, unsigned int level)
{
	u64 high = node_at(tree, at)->high;
	struct place parent;

	/* Pairs with rcu_dereference_check() in traverse(). */
	if (rcu_access_pointer(tree->root) == at.group)
		rcu_assign_pointer(tree->root,
				   csb_root_above(tree, stock, at.group));
	parent = latch_target(tree, high, level + 1);
	csb_split_child(tree, stock, node_at(tree, parent), at.pos, level);
	unlatch(tree, parent, level + 1);
}

/*
 * Split the node of a level that covers a key, if it is full. -ENOSPC: its group is full,
 * so the parent is to be split before.
 */
static int split(struct csb_tree *tree, struct csb_stock *stock, u64 key,
		 unsigned int level)
{
	struct csb_group *below = NULL;
	struct csb_node *node;
	unsigned int end;
	struct place at;
	int ret = 0;

	if (level)
		below = latch_moving(tree, key, level);
	at = latch_target(tree, key, level);
	node = node_at(tree, at);
	/* The node may be another one than that whose children are latched. */
	if (csb_is_full(tree, node, level) &&
	    (!level || csb_group_of(tree, node) == below)) {
		end = latch_right(tree, at);
		if (end < csb_inner_slots(tree))
			split_latched(tree, stock, at, level);
		else
			ret = -ENOSPC;
		unlatch_places(tree, at.group, at.pos + 1,
			       min(end + 1, csb_inner_slots(tree)));
	}
	unlatch(tree, at, level);
	if (below)
		unlatch_moving(tree, below, level);
	return ret;
}

/* The leaf of a key is full: split it, or the lowest node above that has to be before. */
static void make_room(struct csb_tree *tree, struct csb_stock *stock, u64 key)
{
	unsigned int level = 0;
	int ret;

	do {
		preempt_disable();
		ret = split(tree, stock, key, level++);
		preempt_enable();
	} while (ret);
}

static int update(void *data, enum plain_op op, u64 key, u64 value)
{
	struct csb_tree *tree = data;
	struct csb_stock stock = {};
	struct place leaf;
	int ret;

	for (;;) {
		preempt_disable();
		leaf = latch_target(tree, key, 0);
		ret = csb_leaf_update(tree, node_at(tree, leaf), op, key,
				      value);
		unlatch(tree, leaf, 0);
		preempt_enable();
		if (ret != -ENOSPC)
			break;
		ret = csb_stock_fill(tree, &stock, CSB_STOCK);
		if (ret)
			break;
		make_room(tree, &stock, key);
	}
	csb_stock_end(tree, &stock);
	return ret;
}

CSB_SCHEME(olfit_csb_ol, CSB_OL, csb_ol_lookup, csb_ol_scan, csb_ol_floor,
	   update);
