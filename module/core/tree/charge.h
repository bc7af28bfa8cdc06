/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: budgets of trees
 *
 * A *budget* is a limit on memory, with the amount in use. The nodes of a tree
 * are *charged* to the tree's own budget (max_bytes), to the budget of its
 * *payer*, which is the user who created it, and to the parents of that budget.
 * If one of them has too little left, none is charged. The memory of a tree
 * that is not in nodes is charged to the payer alone.
 *
 * Each CPU has a *stock* of bytes for each tree: they are charged, and no node
 * uses them. Allocating a node takes bytes from the stock, and freeing a node
 * adds bytes to it. The budgets, which all CPUs write, therefore change only
 * once for many nodes. An operation that neither allocates nor frees a node
 * accesses none of these.
 *
 * Only leaves are refused. An index that lacks an inner node stays degraded,
 * and inner nodes take only a thirtieth of the memory of the leaves. They are
 * charged unchecked, so the memory in use can exceed a limit by this amount.
 * While it does, what is freed goes back to the budgets, and to no stock: the
 * leaves alone never exceed a limit.
 *
 * Invariants: the amount in use of a tree's budget is the memory of its nodes
 * and of its stocks. No stock is negative. A budget that loses its last
 * reference has nothing in use.
 */
#ifndef BLINK_CORE_CHARGE_H
#define BLINK_CORE_CHARGE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>

struct blink_tree;

/* The most bytes with which a stock is filled. */
#define BLINK_BYTE_STOCK (64L << 10)
/*
 * All stocks together have about this fraction of the memory that a tree has in
 * use.
 */
#define BLINK_BYTE_STOCK_SHARE 16
/* A charge at a limit can wait for moves of other tasks, and for limbo. */
#define BLINK_CHARGE_HOPES 2

/**
 * struct blink_budget - a limit on memory, and the amount in use
 * @parent: the budget to which each charge of this one is charged too, or NULL
 * @limit: address of the limit, in bytes, 0 for none; the limit can change at
 *	any time
 * @reserve: the budget leaves the limit's 2^-@reserve to others; 0: nothing
 * @error: the errno for a charge that would exceed the limit
 * @put: drops the reference that a tree has to its payer, or NULL; called in
 *	any context that RCU callbacks run in
 * @used: bytes in use
 * @begun: moves of bytes between the budget of a tree and its stocks that have begun
 * @ended: such moves that have ended
 */
struct blink_budget {
	struct blink_budget *parent;
	const u64 *limit;
	unsigned int reserve;
	int error;
	void (*put)(struct blink_budget *budget);
	atomic_long_t used ____cacheline_aligned;
	atomic_t begun;
	atomic_t ended;
};

/**
 * struct blink_charge - the budget of a tree
 * @own: the tree's budget; its parent is the payer
 * @max_bytes: the limit of @own, 0 for none
 * @fixed: bytes of the tree that are not in nodes, charged to the payer alone
 * @vain: when a charge has last waited in vain, in jiffies: for moves of other tasks, and
 *	for memory in limbo
 * @on: nodes are charged; constant
 *
 * Operations write only the line of @own.used, once for many nodes, and, at a limit,
 * @vain. They read the rest when they allocate or free a node.
 */
struct blink_charge {
	struct blink_budget own;
	u64 max_bytes;
	long fixed;
	unsigned long vain[BLINK_CHARGE_HOPES];
	bool on;
};

u64 blink_budget_limit(const struct blink_budget *budget);
int blink_budget_charge(struct blink_budget *budget, long bytes);
void blink_budget_uncharge(struct blink_budget *budget, long bytes);

int blink_charge_init(struct blink_tree *tree, u64 max_bytes,
		      struct blink_budget *payer, long more);
void blink_charge_exit(struct blink_tree *tree);
void blink_charge_limit(struct blink_tree *tree, u64 max_bytes);
int blink_charge_leaf(struct blink_tree *tree, long bytes, gfp_t gfp);
void blink_charge_inner(struct blink_tree *tree, long bytes);
void blink_uncharge(struct blink_tree *tree, long bytes);

#endif /* BLINK_CORE_CHARGE_H */
