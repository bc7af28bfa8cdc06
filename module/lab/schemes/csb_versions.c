// SPDX-License-Identifier: GPL-2.0
/*
 * The full CSB+-tree with physical versions: the updates of VN and VT (olfit_csb.c, csb.h).
 *
 * An updater copies the group of the leaf, changes the copy, and makes the pointer of the
 * parent lead to it: "the whole node group must be versioned for each update" (section
 * 6.2). If the leaf is full, its parent gets an entry, so that the parent's group is copied
 * too, and so on up to the *top*, the first group whose node on the path has room. The
 * copies are private until one store makes them visible: to the pointer above the top.
 * Until then they are a small tree that this updater owns, in which full nodes are split
 * as in any other (csb_make_room()).
 *
 * So a node of a group that readers can reach never changes, but for the pointer of an
 * inner node to its group. Readers are in RCU's read section, and the groups that are
 * replaced are freed after a grace period: a reader that got such a group from a pointer
 * finishes in it before it is freed, and one that comes later gets the copy.
 */
#include <linux/errno.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "ccinfo.h"
#include "csb.h"

/* With more groups that wait to be freed an updater waits for a grace period. */
#define WAITING_MAX 16384

/**
 * struct plan - the groups that an update replaces
 * @group: of each level, the one on the path from the root to the leaf
 * @pos: the position of the node of the path in it
 * @root: the level of the root
 * @top: the highest level of which the group is replaced
 * @need: how many groups are allocated
 */
struct plan {
	struct csb_group *group[PLAIN_LEVELS];
	unsigned int pos[PLAIN_LEVELS];
	unsigned int root;
	unsigned int top;
	unsigned int need;
};

static struct csb_node *node_of(const struct csb_tree *tree,
				const struct plan *plan, unsigned int level)
{
	return csb_node_at(tree, plan->group[level], plan->pos[level]);
}

/* How many nodes the group of a level has. */
static unsigned int nodes_in(const struct csb_tree *tree,
			     const struct plan *plan, unsigned int level)
{
	return level == plan->root ? 1 : node_of(tree, plan, level + 1)->count;
}

/* The path to the leaf of a key. */
static struct csb_node *find_path(const struct csb_tree *tree,
				  struct plan *plan, u64 key)
{
	struct csb_group *group = rcu_dereference(tree->root);
	unsigned int level = group->level, pos = 0;
	struct csb_node *node;

	plan->root = level;
	for (;;) {
		plan->group[level] = group;
		plan->pos[level] = pos;
		node = csb_node_at(tree, group, pos);
		if (!level--)
			return node;
		pos = csb_search(node, key);
		group = csb_group_of(tree, node);
	}
}

static int make_plan(const struct csb_tree *tree, struct plan *plan,
		     enum plain_op op, u64 key)
{
	struct csb_node *leaf = find_path(tree, plan, key);
	bool found = csb_has_key(leaf, csb_search(leaf, key), key);

	if (op == PLAIN_ERASE && !found)
		return -ENOENT;
	if (op == PLAIN_INSERT && found)
		return -EEXIST;
	plan->top = 0;
	plan->need = 1;
	if (found)
		return 0;
	/* A copy or a root for the level above, and a place for the children's half. */
	while (csb_is_full(tree, node_of(tree, plan, plan->top), plan->top)) {
		plan->need += plan->top ? 2 : 1;
		if (plan->top == plan->root)
			break;
		plan->top++;
	}
	return 0;
}

/* Copy the groups up to the top; each copy leads to the one below. */
static struct csb_group *copy_groups(const struct csb_tree *tree,
				     struct csb_stock *stock,
				     const struct plan *plan)
{
	struct csb_group *copy, *below = NULL;
	unsigned int level, i;

	for (level = 0; level <= plan->top; level++) {
		copy = csb_stock_take(tree, stock, level);
		for (i = 0; i < nodes_in(tree, plan, level); i++)
			csb_node_copy(tree, csb_node_at(tree, copy, i),
				      csb_node_at(tree, plan->group[level], i),
				      level);
		if (below)
			csb_set_group(tree,
				      csb_node_at(tree, copy, plan->pos[level]),
				      below);
		below = copy;
	}
	return below;
}

/* Copy the groups of a plan and execute the update: the group to be made visible. */
static struct csb_group *make_copies(const struct csb_tree *tree,
				     struct csb_stock *stock,
				     const struct plan *plan, enum plain_op op,
				     u64 key, u64 value)
{
	bool splits = plan->need > 1;
	struct csb_group *copy = copy_groups(tree, stock, plan);
	struct csb_node *leaf = csb_node_at(tree, copy, plan->pos[plan->top]);

	if (splits && csb_is_full(tree, leaf, plan->top)) {
		copy = csb_root_above(tree, stock, copy);
		leaf = csb_node_at(tree, copy, 0);
	}
	leaf = csb_make_room(tree, stock, leaf, copy->level, key);
	csb_leaf_update(tree, leaf, op, key, value);
	return copy;
}

/* One store makes the copies visible. */
static void publish(struct csb_tree *tree, const struct plan *plan,
		    struct csb_group *copy)
{
	if (plan->top == plan->root)
		rcu_assign_pointer(tree->root, copy);
	else
		csb_set_group(tree, node_of(tree, plan, plan->top + 1), copy);
}

static void latch_node(struct csb_tree *tree, struct csb_node *node)
{
	ccinfo_latch(csb_front(tree, node));
}

static void unlatch_node(struct csb_tree *tree, struct csb_node *node)
{
	ccinfo_unlatch(csb_front(tree, node));
}

/* The latch of the node above the top, and lockdep's part of it. */
static void latch_above(struct csb_tree *tree, const struct plan *plan)
{
	unsigned int level = plan->top + 1;

	if (plan->top == plan->root)
		write_lock(&tree->latch);
	preempt_disable();
	if (plan->top == plan->root)
		return;
	spin_acquire(&tree->levels[level], 0, 0, _RET_IP_);
	latch_node(tree, node_of(tree, plan, level));
}

static void unlatch_above(struct csb_tree *tree, const struct plan *plan)
{
	unsigned int level = plan->top + 1;

	if (plan->top != plan->root) {
		unlatch_node(tree, node_of(tree, plan, level));
		spin_release(&tree->levels[level], _RET_IP_);
	}
	preempt_enable();
	if (plan->top == plan->root)
		write_unlock(&tree->latch);
}

/*
 * Whether the pointer to the group of a level is still the plan's. The node above is
 * latched, so this stays true; the rest of a group never changes.
 */
static bool plan_holds(const struct csb_tree *tree, const struct plan *plan,
		       unsigned int level)
{
	if (level == plan->root)
		return rcu_access_pointer(tree->root) == plan->group[level];
	return !plan->group[level + 1]->dead &&
	       csb_group_of(tree, node_of(tree, plan, level + 1)) ==
		       plan->group[level];
}

/*
 * Latch the node above the top, and then all nodes of each inner group that is replaced:
 * the lowest level whose group is known to be the plan's, plus 1. The pointer to a group is
 * guarded by the latch of the node that has it, so an updater that copies a group of such
 * nodes needs all their latches. The latch of the parent is that of all its leaves, since
 * they have one version together.
 */
static unsigned int latch_plan(struct csb_tree *tree, const struct plan *plan)
{
	unsigned int level, i;

	latch_above(tree, plan);
	for (level = plan->top; plan_holds(tree, plan, level); level--) {
		if (!level)
			return 0;
		spin_acquire(&tree->levels[level], 0, 0, _RET_IP_);
		for (i = 0; i < nodes_in(tree, plan, level); i++)
			latch_node(tree,
				   csb_node_at(tree, plan->group[level], i));
	}
	return level + 1;
}

static void unlatch_plan(struct csb_tree *tree, const struct plan *plan,
			 unsigned int end)
{
	unsigned int level, i;

	for (level = end ?: 1; level <= plan->top; level++) {
		for (i = 0; i < nodes_in(tree, plan, level); i++)
			unlatch_node(tree,
				     csb_node_at(tree, plan->group[level], i));
		spin_release(&tree->levels[level], _RET_IP_);
	}
	unlatch_above(tree, plan);
}

/* An updater that waits for a latch in such a group sees that it has left the tree. */
static void mark_dead(const struct plan *plan)
{
	unsigned int level;

	for (level = 0; level <= plan->top; level++)
		plan->group[level]->dead = true;
}

/* Copy under latches on nodes, if the plan holds under them. */
static int copy_latched(struct csb_tree *tree, struct csb_stock *stock,
			const struct plan *plan, enum plain_op op, u64 key,
			u64 value)
{
	unsigned int end = latch_plan(tree, plan);

	if (!end) {
		publish(tree, plan,
			make_copies(tree, stock, plan, op, key, value));
		mark_dead(plan);
	}
	unlatch_plan(tree, plan, end);
	return end ? -EAGAIN : 0;
}

/*
 * One attempt of an update. -EAGAIN: it needs more groups, or another updater was faster.
 * The read section keeps the memory of the groups of the plan from being used again, so
 * that an address that is the same as before is the same group.
 */
static int attempt(struct csb_tree *tree, struct csb_stock *stock,
		   struct plan *plan, enum plain_op op, u64 key, u64 value)
{
	int ret;

	rcu_read_lock();
	ret = make_plan(tree, plan, op, key);
	if (!ret && plan->need > stock->nr)
		ret = -EAGAIN;
	else if (!ret && tree->control == CSB_VN)
		ret = copy_latched(tree, stock, plan, op, key, value);
	else if (!ret)
		publish(tree, plan,
			make_copies(tree, stock, plan, op, key, value));
	rcu_read_unlock();
	return ret;
}

/* Free the groups that were replaced. */
static void reclaim(struct csb_tree *tree, const struct plan *plan)
{
	unsigned int level;

	for (level = 0; level <= plan->top; level++)
		csb_group_retire(tree, plan->group[level]);
	if (atomic_long_read(&tree->waiting) > WAITING_MAX)
		synchronize_rcu();
}

/* An update of VN or VT. */
int csb_versions_update(void *data, enum plain_op op, u64 key, u64 value)
{
	struct csb_tree *tree = data;
	struct csb_stock stock = {};
	struct plan plan = { .need = 1 };
	int ret;

	do {
		ret = csb_stock_fill(tree, &stock, plan.need);
		if (ret)
			break;
		if (tree->control == CSB_VT)
			write_lock(&tree->latch);
		ret = attempt(tree, &stock, &plan, op, key, value);
		if (tree->control == CSB_VT)
			write_unlock(&tree->latch);
		cond_resched();
	} while (ret == -EAGAIN);
	if (!ret)
		reclaim(tree, &plan);
	csb_stock_end(tree, &stock);
	return ret;
}
