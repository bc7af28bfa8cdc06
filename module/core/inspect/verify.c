// SPDX-License-Identifier: GPL-2.0
/*
 * Verification of the invariants (tree.h) while the tree is in use.
 *
 * A node is checked as a snapshot. A check of its neighbour only counts if the
 * node's sequence is still that of the snapshot afterwards: then both were
 * valid at one moment. A child can be compared with its separator at any
 * moment, because low keys never change (I2, I3).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../index/root.h"
#include "../node/locking.h"
#include "inspect.h"
#include "level_walk.h"

/*
 * Sums over the nodes of a level: nodes, entries, empty nodes, and entries for
 * nodes of the level below.
 */
struct level_sum {
	u64 nodes;
	u64 entries;
	u64 empty;
	u64 indexed;
};

struct level_check {
	struct blink_tree_ioc_verify *report;
	struct level_sum sum;
};

static int report_violation(struct blink_tree_ioc_verify *report,
			    const struct blink_snapshot *snap,
			    enum blink_tree_violation violation)
{
	/*
	 * RCU writes to strings that were removed from the node since then. The
	 * loads from them come before the load of the sequence. Pairs with the
	 * smp_wmb() in blink_write_begin(): the sequence changed before.
	 */
	smp_rmb();
	if (BLINK_STRINGS && READ_ONCE(snap->node->seq) != snap->seq)
		return 0;
	report->violation = violation;
	report->level = snap->level;
	report->key = blink_key_head(blink_bound_key(snap->low));
	return -EUCLEAN;
}

/* A low key as the first separator of a node. */
static blink_key_t low_key(blink_bound_t low, bool leftmost)
{
	return leftmost ? BLINK_KEY_LEAST : blink_bound_key(low);
}

/*
 * Keys ascend strictly within (low, high]; the first separator is the low key.
 */
static int check_keys(struct blink_tree_ioc_verify *report,
		      const struct blink_snapshot *snap)
{
	unsigned int first = snap->level ? 1 : 0, i;
	blink_bound_t high = snap->high;

	if (snap->count > snap->slots || snap->count < first || !snap->unused)
		return report_violation(report, snap, BLINK_TREE_BAD_COUNT);
	/* The first separator of the leftmost inner node is not compared. */
	for (i = snap->level && snap->leftmost ? 2 : 1; i < snap->count; i++)
		if (!blink_key_less(snap->key[i - 1], snap->key[i]))
			return report_violation(report, snap,
						BLINK_TREE_BAD_ORDER);
	if (snap->level &&
	    !blink_key_equal(snap->key[0], low_key(snap->low, snap->leftmost)))
		return report_violation(report, snap, BLINK_TREE_BAD_RANGE);
	if (snap->count == first)
		return 0;
	if (!snap->leftmost && !blink_bound_less(snap->low, snap->key[first]))
		return report_violation(report, snap, BLINK_TREE_BAD_RANGE);
	/*
	 * A separator is the exclusive low key of a node, whose range is not
	 * empty.
	 */
	if (snap->level ? !blink_key_less(snap->key[snap->count - 1],
					  blink_bound_key(high)) :
			  blink_bound_less(high, snap->key[snap->count - 1]))
		return report_violation(report, snap, BLINK_TREE_BAD_RANGE);
	return 0;
}

/* Keys have their heads, and the signposts are those of the slots. */
static int check_signs(struct blink_tree_ioc_verify *report,
		       const struct blink_snapshot *snap)
{
	struct blink_signs signs;

	if (snap->form)
		return 0;
	if (!snap->heads)
		return report_violation(report, snap, BLINK_TREE_BAD_HEAD);
	if (snap->level)
		signs = blink_signs_of(snap->slot, snap->count, snap->base,
				       false);
	else
		signs = blink_signs_of(snap->slot, snap->count, snap->base,
				       true);
	if (signs.shift != snap->signs.shift ||
	    signs.word[0] != snap->signs.word[0] ||
	    signs.word[1] != snap->signs.word[1])
		return report_violation(report, snap, BLINK_TREE_BAD_SIGN);
	return 0;
}

/* The right neighbour is alive, and its low key is the node's high key. */
static int check_right(struct blink_tree_ioc_verify *report,
		       const struct blink_snapshot *snap)
{
	struct blink_node *right = snap->right;
	bool dead;

	if (!right)
		return blink_bound_equal(snap->high, BLINK_BOUND_LAST) ?
			       0 :
			       report_violation(report, snap,
						BLINK_TREE_BAD_CHAIN);
	dead = blink_node_dead(right);
	/*
	 * The load of the neighbour's flag comes before the load of the node's
	 * sequence. Pairs with the smp_wmb() in blink_write_begin() for the
	 * neighbour: if it is dead, the node that absorbed it is seen to have
	 * changed.
	 */
	smp_rmb();
	if (READ_ONCE(snap->node->seq) != snap->seq)
		return 0;
	if (right->level != snap->level)
		return report_violation(report, snap, BLINK_TREE_BAD_LEVEL);
	if (dead)
		return report_violation(report, snap, BLINK_TREE_BAD_DEAD);
	if (!blink_bound_equal(right->low, snap->high) ||
	    blink_node_leftmost(right))
		return report_violation(report, snap, BLINK_TREE_BAD_CHAIN);
	return 0;
}

/*
 * Whether an index is down, after a dead node was found in it. The writer that
 * set the dead flag read @down under the node's lock, so taking this lock
 * orders its load before the one here. The index was up when this RCU read
 * section began, so it does not come up again, and the node is not freed,
 * before the section ends.
 */
static bool index_down_since(struct blink_tree *tree, struct blink_index *idx,
			     struct blink_node *dead)
{
	unsigned long flags = blink_writer_begin(tree);

	dead = blink_node_primary(dead);
	blink_lock(&dead->lock);
	blink_unlock(&dead->lock);
	blink_writer_end(tree, flags);
	return blink_index_down(idx);
}

/*
 * No index leads to a dead node once it was told of the death (I8). An index
 * that is being rebuilt is not told.
 */
static bool leads_to_dead(struct blink_tree *tree, struct blink_index *idx,
			  const struct blink_snapshot *snap,
			  struct blink_node *child)
{
	if (!blink_node_dead(child))
		return false;
	/*
	 * The load of the child's flag comes before the load of the node's
	 * sequence. Pairs with the smp_wmb() in blink_write_begin() for the
	 * child, before which its entry was removed: if the sequence is
	 * unchanged, the entry leads to a dead child.
	 */
	smp_rmb();
	return READ_ONCE(snap->node->seq) == snap->seq &&
	       !index_down_since(tree, idx, child);
}

/*
 * The low key of each child is its separator. Only the first child can be
 * missing.
 */
static int check_children(struct blink_tree *tree, struct blink_index *idx,
			  struct blink_tree_ioc_verify *report,
			  const struct blink_snapshot *snap, u64 *indexed)
{
	struct blink_node *child;
	unsigned int i;

	for (i = 0; i < snap->count; i++) {
		child = (struct blink_node *)(uintptr_t)snap->value[i];
		if (!child) {
			if (i || snap->leftmost)
				return report_violation(report, snap,
							BLINK_TREE_BAD_ROUTE);
			continue;
		}
		++*indexed;
		if (child->level + 1U != snap->level)
			return report_violation(report, snap,
						BLINK_TREE_BAD_LEVEL);
		if (!blink_key_equal(low_key(child->low,
					     blink_node_leftmost(child)),
				     snap->key[i]) ||
		    blink_node_leftmost(child) != (!i && snap->leftmost))
			return report_violation(report, snap,
						BLINK_TREE_BAD_ROUTE);
		if (leads_to_dead(tree, idx, snap, child))
			return report_violation(report, snap,
						BLINK_TREE_BAD_DEAD);
	}
	return 0;
}

/*
 * A copy is equal to the primary unless a writer is changing one of them.
 * Strings have one value for all copies.
 */
static int check_copy(struct blink_tree_ioc_verify *report,
		      const struct blink_snapshot *snap)
{
	struct blink_node *primary = blink_node_primary(snap->node);
	bool equal = blink_leaf_form(primary) == snap->form &&
		     READ_ONCE(primary->count) == snap->count &&
		     blink_bound_equal(blink_node_high(primary), snap->high) &&
		     blink_node_dead(primary) == snap->dead;
	unsigned int i;

	for (i = 0; equal && i < snap->count; i++)
		equal = blink_leaf_has(primary, snap->form, i, snap->key[i]) &&
			(BLINK_STRINGS ||
			 blink_leaf_value(primary, snap->form, i) ==
				 snap->value[i]);
	/*
	 * The loads from the primary come before the load of the copy's
	 * sequence. Pairs with the smp_mb() in blink_copies_begin(): if the
	 * primary's content was new, the copy's sequence is seen to have
	 * changed.
	 */
	smp_rmb();
	if (equal || READ_ONCE(snap->node->seq) != snap->seq)
		return 0;
	return report_violation(report, snap, BLINK_TREE_BAD_COPY);
}

static int check_node(struct blink_tree *tree, struct blink_index *idx,
		      struct blink_tree_ioc_verify *report,
		      const struct blink_snapshot *snap, u64 *indexed)
{
	int ret;

	ret = check_keys(report, snap);
	if (!ret)
		ret = check_right(report, snap);
	if (!ret && snap->level)
		ret = check_children(tree, idx, report, snap, indexed);
	if (!ret && blink_node_primary(snap->node) != snap->node)
		ret = check_copy(report, snap);
	return ret ?: check_signs(report, snap);
}

static void count_node(struct blink_tree_ioc_verify *report,
		       struct level_sum *sum, const struct blink_snapshot *snap,
		       const struct blink_index *idx)
{
	if (snap->level || blink_node_copied(snap->node))
		report->misplaced += page_to_nid(virt_to_page(snap->node)) !=
				     idx->nid;
	sum->nodes++;
	sum->entries += snap->count;
	sum->empty += !snap->count;
}

static int verify_node(struct blink_level_walk *walk, void *data)
{
	struct level_check *check = data;
	int ret;

	ret = check_node(walk->tree, walk->idx, check->report, &walk->snap,
			 &check->sum.indexed);
	count_node(check->report, &check->sum, &walk->snap, walk->idx);
	return ret;
}

static int verify_level(struct blink_level_walk *walk, struct blink_index *idx,
			unsigned int level, struct level_check *check)
{
	memset(&check->sum, 0, sizeof(check->sum));
	return blink_level_visit(walk, idx, level, verify_node, check);
}

static u64 excess(u64 nodes, u64 indexed)
{
	return nodes > indexed ? nodes - indexed : 0;
}

/*
 * Check the inner nodes of an index. *@leaves is set to the number of leaves
 * for which it has entries.
 */
static int verify_inner(struct blink_index *idx, struct blink_level_walk *walk,
			struct blink_tree_ioc_verify *report, u64 *leaves)
{
	unsigned int height = blink_index_height(idx), level;
	struct level_check check = { .report = report };
	u64 indexed = 1;
	int ret;

	report->height = max(report->height, height);
	for (level = height - 1; level; level--) {
		ret = verify_level(walk, idx, level, &check);
		report->inner += check.sum.nodes;
		if (ret)
			return ret;
		report->unindexed += excess(check.sum.nodes, indexed);
		indexed = check.sum.indexed;
	}
	*leaves = indexed;
	return 0;
}

/*
 * Check the leaves. All indexes have the same leaves or copies of them, so one
 * set is counted.
 */
static int verify_leaves(struct blink_tree *tree, struct blink_index *idx,
			 struct blink_level_walk *walk,
			 struct blink_tree_ioc_verify *report)
{
	struct level_check check = { .report = report };
	int ret;

	if (report->leaves && !tree->copied)
		return 0;
	ret = verify_level(walk, idx, 0, &check);
	if (report->leaves)
		return ret;
	report->leaves = check.sum.nodes;
	report->entries = check.sum.entries;
	report->empty = check.sum.empty;
	return ret;
}

/* Check each index and its leaves. */
static int verify_tree(struct blink_tree *tree, struct blink_level_walk *walk,
		       struct blink_tree_ioc_verify *report)
{
	struct blink_index *idx;
	u64 indexed;
	int ret;

	for_each_blink_index(idx, tree) {
		ret = verify_inner(idx, walk, report, &indexed);
		if (!ret)
			ret = verify_leaves(tree, idx, walk, report);
		if (ret)
			return ret;
		if (!READ_ONCE(idx->down))
			report->unindexed += excess(report->leaves, indexed);
	}
	return 0;
}

/* As blink_tree_verify(). */
int blink_verify(struct blink_tree *tree, struct blink_tree_ioc_verify *report)
{
	struct blink_level_walk *walk;
	int ret;

	memset(report, 0, sizeof(*report));
	walk = kmalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);
	if (!walk)
		return -ENOMEM;
	walk->tree = tree;
	ret = verify_tree(tree, walk, report);
	kfree(walk);
	return ret;
}
