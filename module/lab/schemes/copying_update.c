// SPDX-License-Identifier: GPL-2.0
/* Trees whose updaters copy nodes: the updaters (copying.h). */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/numa.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "copying.h"

/* With more nodes that wait to be freed an updater waits for a grace period. */
#define WAITING_MAX 65536

/**
 * struct copying_plan - the nodes that an update replaces
 * @path: the nodes from the root to the leaf
 * @next: for a node of the path: the neighbour that it is merged with, or that gives
 *	an entry; or NULL
 * @pos: the position of the next node of the path in each
 * @depth: the position of the leaf in @path
 * @top: the position of the highest node that is replaced
 * @need: how many nodes are allocated
 * @adds: whether the leaf gets one more entry
 */
struct copying_plan {
	struct plain_node *path[PLAIN_LEVELS];
	struct plain_node *next[PLAIN_LEVELS];
	u16 pos[PLAIN_LEVELS];
	unsigned int depth;
	unsigned int top;
	unsigned int need;
	bool adds;
};

/**
 * struct copying_stock - the nodes that an update has allocated
 * @spare: they are not in use; their @policy leads to the next
 * @used: copies that are not visible yet, likewise
 * @nr: how many are spare
 */
struct copying_stock {
	struct plain_node *spare;
	struct plain_node *used;
	unsigned int nr;
};

/* A node, and the one that is split off it, or NULL. */
struct halves {
	struct plain_node *left;
	struct plain_node *right;
};

static struct plain_node *pop(struct plain_node **list)
{
	struct plain_node *node = *list;

	*list = (struct plain_node *)(uintptr_t)node->policy;
	return node;
}

static void push(struct plain_node **list, struct plain_node *node)
{
	node->policy = (uintptr_t)*list;
	*list = node;
}

static int stock_fill(struct copying_tree *tree, struct copying_stock *stock,
		      unsigned int nr)
{
	struct plain_node *node;

	while (stock->nr < nr) {
		node = plain_node_alloc(&tree->plain, 0, NUMA_NO_NODE);
		if (!node)
			return -ENOMEM;
		push(&stock->spare, node);
		stock->nr++;
	}
	return 0;
}

static void stock_end(struct copying_tree *tree, struct copying_stock *stock)
{
	while (stock->spare)
		plain_node_free(&tree->plain, pop(&stock->spare));
}

static struct plain_node *stock_take(struct copying_tree *tree,
				     struct copying_stock *stock,
				     unsigned int level)
{
	struct plain_node *node = pop(&stock->spare);

	stock->nr--;
	node->count = 0;
	node->level = level;
	node->dead = false;
	node->high = PLAIN_KEY_MAX;
	if (tree->how->writers == COPYING_NODE_LATCHES)
		copying_latch_init(plain_latch(&tree->plain, node), level);
	push(&stock->used, node);
	return node;
}

/* The used nodes become spare again: all of them, or those that are dead. */
static void stock_return(struct copying_stock *stock, bool all)
{
	struct plain_node *list = stock->used, *node;

	stock->used = NULL;
	while (list) {
		node = pop(&list);
		push(all || node->dead ? &stock->spare : &stock->used, node);
		stock->nr += all || node->dead;
	}
}

static unsigned int least_entries(const struct copying_tree *tree,
				  unsigned int level)
{
	unsigned int least = tree->how->half ? tree->plain.slots / 2 - 1 : 1;

	return level ? max(least, 2U) : least;
}

/* Full nodes are split, up to the first one that is not. */
static void plan_splits(struct copying_tree *tree, struct copying_plan *plan)
{
	while (plain_full(&tree->plain, plan->path[plan->top])) {
		plan->need += 2;
		if (!plan->top)
			return;
		plan->top--;
	}
}

/* Nodes with too few entries are merged, or get an entry of a neighbour's. */
static void plan_merges(struct copying_tree *tree, struct copying_plan *plan)
{
	unsigned int i = plan->depth, count = plan->path[i]->count - 1, pos;
	struct plain_node *parent, *next;

	while (i && count < least_entries(tree, plan->path[i]->level)) {
		parent = plan->path[i - 1];
		pos = plan->pos[i - 1];
		next = plain_child(&tree->plain, parent,
				   pos + 1 < parent->count ? pos + 1 : pos - 1);
		plan->next[i--] = next;
		plan->need += 2;
		if (count + next->count > tree->plain.slots)
			break;
		count = parent->count - 1;
	}
	plan->top = i;
}

static int make_plan(struct copying_tree *tree, struct copying_plan *plan,
		     enum plain_op op, u64 key)
{
	struct plain_node *node = rcu_dereference(tree->plain.root);
	unsigned int i = 0;
	bool found;

	for (;;) {
		plan->path[i] = node;
		plan->next[i] = NULL;
		plan->pos[i] = plain_search(&tree->plain, node, key);
		if (!node->level)
			break;
		node = plain_child(&tree->plain, node, plan->pos[i++]);
	}
	found = plain_found(node, plan->pos[i], key);
	if (op == PLAIN_ERASE && !found)
		return -ENOENT;
	if (op == PLAIN_INSERT && found)
		return -EEXIST;
	plan->depth = i;
	plan->top = i;
	plan->need = 1;
	plan->adds = !found;
	if (op == PLAIN_ERASE)
		plan_merges(tree, plan);
	else if (plan->adds)
		plan_splits(tree, plan);
	if (tree->how->writers == COPYING_SWAP_ROOT) {
		plan->need += plan->top;
		plan->top = 0;
	}
	return 0;
}

/* A copy of a node, in two halves if it is to be split. */
static struct halves copy_node(struct copying_tree *tree,
			       struct copying_stock *stock,
			       const struct plain_node *old, bool split)
{
	struct halves copy = { stock_take(tree, stock, old->level), NULL };

	plain_node_copy(&tree->plain, copy.left, old);
	if (!split)
		return copy;
	copy.right = stock_take(tree, stock, old->level);
	plain_node_split(&tree->plain, copy.left, copy.right);
	return copy;
}

static struct plain_node *half_of(struct halves halves, u64 key)
{
	return halves.right && key > halves.left->high ? halves.right :
							 halves.left;
}

/* Give a copy with too few entries one of its neighbour's, or all. */
static void refill(struct copying_tree *tree, struct copying_stock *stock,
		   struct plain_node *parent, unsigned int pos,
		   const struct plain_node *old_next)
{
	bool last = pos + 1 == parent->count;
	struct plain_node *next, *left, *right;

	next = copy_node(tree, stock, old_next, false).left;
	plain_set_value(&tree->plain, parent, last ? pos - 1 : pos + 1,
			(uintptr_t)next);
	pos -= last;
	left = plain_child(&tree->plain, parent, pos);
	right = plain_child(&tree->plain, parent, pos + 1);
	if (left->count + right->count > tree->plain.slots)
		plain_child_borrow(&tree->plain, parent, pos, left, right,
				   !last);
	else
		plain_child_merge(&tree->plain, parent, pos, left, right);
}

/* The copy of an inner node of the path, which leads to the copies below it. */
static struct halves copy_inner(struct copying_tree *tree,
				struct copying_stock *stock,
				const struct copying_plan *plan, unsigned int i,
				struct halves below, u64 key)
{
	const struct plain_node *old = plan->path[i];
	struct plain_node *home;
	struct halves copy;
	unsigned int pos;

	copy = copy_node(tree, stock, old,
			 below.right && plain_full(&tree->plain, old));
	home = half_of(copy, key);
	pos = plain_search(&tree->plain, home, key);
	if (below.right)
		plain_child_split(&tree->plain, home, pos, below.left,
				  below.right);
	else
		plain_set_value(&tree->plain, home, pos, (uintptr_t)below.left);
	if (plan->next[i + 1])
		refill(tree, stock, home, pos, plan->next[i + 1]);
	return copy;
}

/* The root gets a parent if it was split, and makes place for its only child. */
static struct plain_node *new_root(struct copying_tree *tree,
				   struct copying_stock *stock,
				   struct halves copy)
{
	struct plain_node *root = copy.left;

	if (copy.right) {
		root = stock_take(tree, stock, root->level + 1);
		plain_root_init(&tree->plain, root, copy.left, copy.right);
	} else if (root->level && root->count == 1) {
		root->dead = true;
		root = plain_child(&tree->plain, root, 0);
	}
	return root;
}

/* Copy the nodes of a plan and execute the update: the node to be made visible. */
static struct plain_node *make_copies(struct copying_tree *tree,
				      struct copying_stock *stock,
				      const struct copying_plan *plan,
				      enum plain_op op, u64 key, u64 value)
{
	const struct plain_node *leaf = plan->path[plan->depth];
	struct plain_node *top;
	struct halves copy;
	unsigned int i;

	copy = copy_node(tree, stock, leaf,
			 plan->adds && plain_full(&tree->plain, leaf));
	plain_leaf_update(&tree->plain, half_of(copy, key), op, key, value);
	for (i = plan->depth; i-- > plan->top;)
		copy = copy_inner(tree, stock, plan, i, copy, key);
	top = plan->top ? copy.left : new_root(tree, stock, copy);
	stock_return(stock, false);
	return top;
}

/* One store makes the copies visible; false if another updater swapped the root. */
static bool publish(struct copying_tree *tree, const struct copying_plan *plan,
		    struct plain_node *top)
{
	struct plain_node *old = plan->path[0];

	if (plan->top) {
		plain_set_value(&tree->plain, plan->path[plan->top - 1],
				plan->pos[plan->top - 1], (uintptr_t)top);
		return true;
	}
	if (tree->how->writers == COPYING_SWAP_ROOT)
		return unrcu_pointer(cmpxchg(&tree->plain.root,
					     RCU_INITIALIZER(old),
					     RCU_INITIALIZER(top))) == old;
	rcu_assign_pointer(tree->plain.root, top);
	return true;
}

static spinlock_t *latch_of(struct copying_tree *tree, struct plain_node *node)
{
	struct copying_latch *latch = plain_latch(&tree->plain, node);

	return &latch->latch;
}

/* The latch of the pointer that leads to the top. */
static spinlock_t *latch_above(struct copying_tree *tree,
			       const struct copying_plan *plan)
{
	return plan->top ? latch_of(tree, plan->path[plan->top - 1]) :
			   &tree->latch;
}

/*
 * Whether the tree still has the nodes of a level as the plan says. The node above is
 * latched, so this stays true; a node's entries, but for children, never change.
 */
static bool plan_holds(struct copying_tree *tree,
		       const struct copying_plan *plan, unsigned int i)
{
	const struct plain_tree *plain = &tree->plain;
	const struct plain_node *above;
	unsigned int pos, other;

	if (!i)
		return rcu_access_pointer(plain->root) == plan->path[0];
	above = plan->path[i - 1];
	pos = plan->pos[i - 1];
	other = pos + 1 < above->count ? pos + 1 : pos - 1;
	return !READ_ONCE(above->dead) &&
	       plain_child(plain, above, pos) == plan->path[i] &&
	       (!plan->next[i] ||
		plain_child(plain, above, other) == plan->next[i]);
}

/* Latch all nodes of a plan, from the top: the first level where it does not hold. */
static unsigned int latch_plan(struct copying_tree *tree,
			       const struct copying_plan *plan)
{
	unsigned int i;

	spin_lock(latch_above(tree, plan));
	for (i = plan->top; i <= plan->depth; i++) {
		if (!plan_holds(tree, plan, i))
			break;
		spin_lock(latch_of(tree, plan->path[i]));
		if (plan->next[i])
			spin_lock_nested(latch_of(tree, plan->next[i]), 1);
	}
	return i;
}

static void unlatch_plan(struct copying_tree *tree,
			 const struct copying_plan *plan, unsigned int end)
{
	unsigned int i;

	for (i = plan->top; i < end; i++) {
		if (plan->next[i])
			spin_unlock(latch_of(tree, plan->next[i]));
		spin_unlock(latch_of(tree, plan->path[i]));
	}
	spin_unlock(latch_above(tree, plan));
}

/* An updater that waits for the latch of such a node sees that it has left the tree. */
static void mark_dead(const struct copying_plan *plan)
{
	unsigned int i;

	for (i = plan->top; i <= plan->depth; i++) {
		WRITE_ONCE(plan->path[i]->dead, true);
		if (plan->next[i])
			WRITE_ONCE(plan->next[i]->dead, true);
	}
}

/* Copy under latches on nodes, if the plan holds under them. */
static int copy_latched(struct copying_tree *tree, struct copying_stock *stock,
			const struct copying_plan *plan, enum plain_op op,
			u64 key, u64 value)
{
	unsigned int end = latch_plan(tree, plan);
	bool holds = end > plan->depth;

	if (holds) {
		publish(tree, plan,
			make_copies(tree, stock, plan, op, key, value));
		mark_dead(plan);
	}
	unlatch_plan(tree, plan, end);
	return holds ? 0 : -EAGAIN;
}

/*
 * One attempt of an update. -EAGAIN: it needs more nodes, or another updater was
 * faster. The read section keeps the memory of the nodes of the plan from being used
 * again, so that an address that is the same as before is the same node.
 */
static int attempt(struct copying_tree *tree, struct copying_stock *stock,
		   struct copying_plan *plan, enum plain_op op, u64 key,
		   u64 value)
{
	int ret;

	rcu_read_lock();
	ret = make_plan(tree, plan, op, key);
	if (!ret && plan->need > stock->nr) {
		ret = -EAGAIN;
	} else if (!ret && tree->how->writers == COPYING_NODE_LATCHES) {
		ret = copy_latched(tree, stock, plan, op, key, value);
	} else if (!ret &&
		   !publish(tree, plan,
			    make_copies(tree, stock, plan, op, key, value))) {
		stock_return(stock, true);
		ret = -EAGAIN;
	}
	if (!ret)
		stock->used = NULL;
	rcu_read_unlock();
	return ret;
}

static void begin(struct copying_tree *tree)
{
	if (tree->how->writers == COPYING_MUTEX)
		mutex_lock(&tree->mutex);
	if (tree->how->writers == COPYING_TREE_LATCH)
		spin_lock(&tree->latch);
}

static void end(struct copying_tree *tree)
{
	if (tree->how->writers == COPYING_MUTEX)
		mutex_unlock(&tree->mutex);
	if (tree->how->writers == COPYING_TREE_LATCH)
		spin_unlock(&tree->latch);
}

static void reclaim(struct copying_tree *tree, struct plain_node *node,
		    enum copying_grace grace)
{
	if (grace == COPYING_DEFER && node)
		plain_node_retire(&tree->plain, node);
	else
		plain_node_free(&tree->plain, node);
}

/* Free the nodes that were replaced. */
static void reclaim_plan(struct copying_tree *tree,
			 const struct copying_plan *plan)
{
	enum copying_grace grace = tree->how->grace;
	unsigned int i;

	if (grace == COPYING_WAIT)
		synchronize_rcu();
	for (i = plan->top; i <= plan->depth; i++) {
		reclaim(tree, plan->path[i], grace);
		reclaim(tree, plan->next[i], grace);
	}
	if (atomic_long_read(&tree->plain.waiting) > WAITING_MAX)
		synchronize_rcu();
}

/* The first attempt has a node for the leaf, or one for each level. */
static unsigned int first_need(struct copying_tree *tree)
{
	unsigned int need = 1;

	if (tree->how->writers != COPYING_SWAP_ROOT)
		return need;
	rcu_read_lock();
	need += rcu_dereference(tree->plain.root)->level;
	rcu_read_unlock();
	return need;
}

static int update(struct copying_tree *tree, enum plain_op op, u64 key,
		  u64 value)
{
	struct copying_stock stock = {};
	struct copying_plan plan;
	int ret;

	plan.need = first_need(tree);
	do {
		ret = stock_fill(tree, &stock, plan.need);
		if (ret)
			break;
		begin(tree);
		ret = attempt(tree, &stock, &plan, op, key, value);
		if (!ret && tree->how->grace == COPYING_WAIT_HELD)
			synchronize_rcu();
		end(tree);
		cond_resched();
	} while (ret == -EAGAIN);
	if (!ret)
		reclaim_plan(tree, &plan);
	stock_end(tree, &stock);
	return ret;
}

int copying_insert(void *data, u64 key, u64 value)
{
	return update(data, PLAIN_INSERT, key, value);
}

int copying_store(void *data, u64 key, u64 value)
{
	return update(data, PLAIN_STORE, key, value);
}

int copying_erase(void *data, u64 key)
{
	return update(data, PLAIN_ERASE, key, 0);
}
