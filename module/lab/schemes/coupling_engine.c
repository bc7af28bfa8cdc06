// SPDX-License-Identifier: GPL-2.0
/* Trees whose threads latch nodes on their way down: creation, end, spare nodes. */
#include <linux/err.h>
#include <linux/numa.h>
#include <linux/slab.h>

#include "coupling_engine.h"

/* One class for each level, for all trees: threads latch one tree at a time. */
static struct lock_class_key rwlock_keys[PLAIN_LEVELS];
static struct lock_class_key spread_keys[PLAIN_LEVELS];

/* Nodes of an operation that had none are enough for a new root. */
#define STOCK_FILL 2

static void set_rwlock_class(rwlock_t *latch, unsigned int level)
{
	lockdep_set_class(latch, &rwlock_keys[level]);
}

static void set_spread_class(struct spread_latch *latch, unsigned int level)
{
	lockdep_set_class(&latch->writer, &spread_keys[level]);
}

static void init_rwlock(void *latch)
{
	rwlock_init((rwlock_t *)latch);
	set_rwlock_class(latch, 0);
}

static void init_spread(void *latch)
{
	spread_latch_init(latch);
	set_spread_class(latch, 0);
}

/* The latch of a spare node gets the class of its level. */
static void set_class(const struct coupling_policy *how, void *latch,
		      unsigned int level)
{
	if (how->latch == COUPLING_NODE)
		set_rwlock_class(latch, level);
	else if (how->latch == COUPLING_SPREAD)
		set_spread_class(latch, level);
}

static int init_nodes(struct plain_tree *plain,
		      const struct coupling_policy *how, unsigned int bytes)
{
	switch (how->latch) {
	case COUPLING_NODE:
		return plain_tree_init(plain, bytes,
				       sizeof(struct coupling_node_latch),
				       init_rwlock);
	case COUPLING_SPREAD:
		return plain_tree_init(
			plain, bytes, sizeof(struct spread_latch), init_spread);
	default:
		return plain_tree_init(plain, bytes, 0, NULL);
	}
}

void *coupling_create(const struct coupling_policy *how,
		      const struct lab_params *params)
{
	struct coupling_tree *tree = kzalloc(sizeof(*tree), LAB_GFP);
	int ret;

	if (!tree)
		return ERR_PTR(-ENOMEM);
	ret = init_nodes(&tree->plain, how,
			 params->node_bytes ?: plain_bytes(how->slots));
	if (ret) {
		kfree(tree);
		return ERR_PTR(ret);
	}
	if (how->latch == COUPLING_SPREAD)
		spread_latch_init(&tree->spread);
	else
		rwlock_init(&tree->latch);
	return tree;
}

/* Add a node that no other thread can reach to those of an operation. */
void coupling_stock_put(struct coupling_stock *stock, struct plain_node *node)
{
	RCU_INIT_POINTER(node->right, stock->first);
	stock->first = node;
}

static struct plain_node *stock_pop(struct coupling_stock *stock)
{
	struct plain_node *node = stock->first;

	if (node) {
		stock->first = rcu_dereference_protected(node->right, true);
		RCU_INIT_POINTER(node->right, NULL);
	}
	return node;
}

/* Allocate spare nodes. */
int coupling_stock_fill(struct coupling_tree *tree,
			struct coupling_stock *stock)
{
	struct plain_node *node;
	unsigned int i;

	for (i = 0; i < STOCK_FILL; i++) {
		node = plain_node_alloc(&tree->plain, 0, NUMA_NO_NODE);
		if (!node)
			return -ENOMEM;
		coupling_stock_put(stock, node);
	}
	return 0;
}

/* Free the nodes of an operation. */
void coupling_stock_end(struct coupling_tree *tree,
			struct coupling_stock *stock)
{
	while (stock->first) {
		/* See coupling_unlock(). */
		if (IS_ENABLED(CONFIG_PREEMPT_RT))
			plain_node_retire(&tree->plain, stock_pop(stock));
		else
			plain_node_free(&tree->plain, stock_pop(stock));
	}
}

/*
 * Take an empty node from the spare ones, or NULL. They are those of an INSERT or STORE:
 * none was in the tree.
 */
struct plain_node *coupling_stock_take(struct coupling_tree *tree,
				       const struct coupling_policy *how,
				       struct coupling_stock *stock,
				       unsigned int level)
{
	struct plain_node *node = stock_pop(stock);

	if (!node)
		return NULL;
	node->count = 0;
	node->level = level;
	set_class(how, plain_latch(&tree->plain, node), level);
	return node;
}
