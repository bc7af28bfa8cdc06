/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: who pays for a tree
 *
 * A *budget* is a limit on memory, and how much of it is used. The nodes of a tree
 * are *charged* to the tree's own budget (max_bytes), to that of the *payer*, the
 * user who created it, and to whatever that is a part of: to all of them, or, where
 * one has not so much left, to none. What a tree takes without nodes is charged to
 * the payer alone.
 *
 * Each CPU has a *stock* of bytes that are charged to a tree and not used by a
 * node. Allocating a node takes from the stock, freeing one adds to it; so that the
 * budgets, which all CPUs write, change once in many nodes. Where nothing is
 * allocated or freed nothing of this is touched.
 *
 * Only leaves are refused. An inner node that is refused degrades the index for
 * ever, and saves a thirtieth of what the leaves take: inner nodes are charged
 * unchecked, and may exceed a limit by so much.
 *
 * Invariants: what a tree's budget has in use is the memory of its nodes and of all
 * stocks. No stock is less than 0. Nothing is in use of a budget that is put.
 */
#ifndef BLINK_CORE_CHARGE_H
#define BLINK_CORE_CHARGE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/types.h>

struct blink_tree;

/* A stock is filled with so many bytes at most. */
#define BLINK_BYTE_STOCK (64L << 10)
/* All stocks together are about so small a part of what a tree has in use. */
#define BLINK_BYTE_STOCK_SHARE 16

/**
 * struct blink_budget - a limit on memory, and how much of it is used
 * @parent: the budget that all of this is charged to as well, or NULL
 * @limit: where the limit is, in bytes, 0 for none; it may change at any time
 * @error: what is returned where the limit is reached
 * @put: drop the reference that a tree has to its payer, or NULL; in any context
 *	that RCU callbacks run in
 * @used: bytes that are charged to it
 */
struct blink_budget {
	struct blink_budget *parent;
	const u64 *limit;
	int error;
	void (*put)(struct blink_budget *budget);
	atomic_long_t used ____cacheline_aligned;
};

/**
 * struct blink_charge - what a tree is charged to
 * @own: the tree's budget; its parent is the payer
 * @max_bytes: its limit, 0 for none
 * @fixed: bytes of the tree without its nodes, which the payer alone is charged
 * @on: nodes are charged; constant
 *
 * Of this @own.used is written, once in a stock; the rest is read where a node is
 * allocated or freed.
 */
struct blink_charge {
	struct blink_budget own;
	u64 max_bytes;
	long fixed;
	bool on;
};

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
