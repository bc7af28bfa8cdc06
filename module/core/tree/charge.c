// SPDX-License-Identifier: GPL-2.0
/*
 * Budgets and stocks (charge.h).
 *
 * Everything here is a sum: each step moves bytes between two places at once by
 * an atomic operation, so that it does not matter on which CPU a task goes on,
 * nor what interrupts it. No order to other memory is needed: a budget's memory is
 * kept by the reference that the tree has to it.
 */
#include <linux/bug.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "charge.h"
#include "tree.h"

/* At a limit, memory in limbo is waited for so long at most. */
#define LIMBO_TICKS (HZ / 8)

/* Use bytes of one budget, if it has them left. */
static bool budget_use(struct blink_budget *budget, long bytes)
{
	u64 limit = READ_ONCE(*budget->limit);
	long used = atomic_long_read(&budget->used);

	/* Who fails here goes on where another one went on. */
	do {
		if (limit && (u64)(used + bytes) > limit)
			return false;
	} while (!atomic_long_try_cmpxchg(&budget->used, &used, used + bytes));
	return true;
}

/* Give back to a budget and those that it is a part of, up to @end. */
static void budget_give_back(struct blink_budget *budget, long bytes,
			     const struct blink_budget *end)
{
	for (; budget != end; budget = budget->parent)
		atomic_long_sub(bytes, &budget->used);
}

/**
 * blink_budget_charge() - charge bytes to a budget and those that it is a part of
 * @budget: the budget
 * @bytes: how many
 *
 * Context: any.
 * Return: 0, or the error of the first one that has not so much left; nothing is
 * charged then.
 */
int blink_budget_charge(struct blink_budget *budget, long bytes)
{
	struct blink_budget *b;

	for (b = budget; b; b = b->parent) {
		if (!budget_use(b, bytes)) {
			budget_give_back(budget, bytes, b);
			return b->error;
		}
	}
	return 0;
}

/**
 * blink_budget_uncharge() - undo a charge
 * @budget: the budget
 * @bytes: how many
 *
 * Context: any.
 */
void blink_budget_uncharge(struct blink_budget *budget, long bytes)
{
	budget_give_back(budget, bytes, NULL);
}

/* Take from a stock, if it has so much. */
static bool stock_take(atomic_long_t *stock, long bytes)
{
	long have = atomic_long_read(stock);

	do {
		if (have < bytes)
			return false;
	} while (!atomic_long_try_cmpxchg(stock, &have, have - bytes));
	return true;
}

/* Whichever CPU's: a task that is moved on leaves it as good as before. */
static atomic_long_t *stock_here(struct blink_tree *tree)
{
	return &raw_cpu_ptr(tree->counters)->byte_stock;
}

/* What a stock is filled with: the smaller the tree, the less. */
static long stock_bytes(struct blink_tree *tree)
{
	long used = atomic_long_read(&tree->charge.own.used);

	return min(used / (BLINK_BYTE_STOCK_SHARE * (long)num_online_cpus()),
		   BLINK_BYTE_STOCK);
}

/* Give all stocks back to the budgets. */
static void stocks_drain(struct blink_tree *tree)
{
	atomic_long_t *stock;
	long bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		stock = &per_cpu_ptr(tree->counters, cpu)->byte_stock;
		/* Lines that have nothing are not written. */
		if (atomic_long_read(stock))
			bytes += atomic_long_xchg(stock, 0);
	}
	if (bytes)
		blink_budget_uncharge(&tree->charge.own, bytes);
}

/* Charge what a node takes, and fill a stock by that; not if that fails. */
static bool charge_more(struct blink_tree *tree, long bytes)
{
	long more = stock_bytes(tree);

	if (more <= bytes || blink_budget_charge(&tree->charge.own, more))
		return false;
	atomic_long_add(more - bytes, stock_here(tree));
	return true;
}

static bool charge_fast(struct blink_tree *tree, long bytes)
{
	return !tree->charge.on || stock_take(stock_here(tree), bytes) ||
	       charge_more(tree, bytes);
}

/*
 * Get what other CPUs have in stock, and what waits for a grace period: a tree that
 * was just emptied has room in a moment. The wait is bounded, as what dies meanwhile
 * waits for the next one.
 */
static int charge_slow(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	struct blink_budget *own = &tree->charge.own;
	unsigned int ticks = 0;
	int err;

	err = blink_budget_charge(own, bytes);
	/* A caller that may not sleep has no time to look at each CPU either. */
	if (!err || !(gfp & __GFP_DIRECT_RECLAIM))
		return err;
	stocks_drain(tree);
	while ((err = blink_budget_charge(own, bytes)) &&
	       ticks++ < LIMBO_TICKS && blink_tree_limbo(tree) &&
	       !fatal_signal_pending(current)) {
		schedule_timeout_uninterruptible(1);
		stocks_drain(tree);
	}
	return err;
}

/**
 * blink_charge_leaf() - charge a leaf that is about to be allocated
 * @tree: its tree
 * @bytes: its memory, that of its copies included
 * @gfp: how it will be allocated
 *
 * At a limit, and if @gfp lets the caller sleep, the stocks of all CPUs are given
 * back first, and an eighth of a second is waited for memory in limbo; so that it is
 * refused only where less than a leaf is left, besides what other CPUs charge at this
 * very moment.
 *
 * Context: what @gfp allows.
 * Return: 0; or, and nothing is charged, -ENOSPC where the tree has its max_bytes,
 * or the error of the payer's budget that has no more.
 */
int blink_charge_leaf(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	return charge_fast(tree, bytes) ? 0 : charge_slow(tree, bytes, gfp);
}

/**
 * blink_charge_inner() - charge an inner node, whatever the limits are
 * @tree: its tree
 * @bytes: its memory
 *
 * Context: any.
 */
void blink_charge_inner(struct blink_tree *tree, long bytes)
{
	struct blink_budget *budget = &tree->charge.own;

	if (charge_fast(tree, bytes))
		return;
	for (; budget; budget = budget->parent)
		atomic_long_add(bytes, &budget->used);
}

/**
 * blink_uncharge() - a node's memory is free
 * @tree: its tree
 * @bytes: how much it was
 *
 * Context: any.
 */
void blink_uncharge(struct blink_tree *tree, long bytes)
{
	atomic_long_t *stock;
	long have, keep;

	if (!tree->charge.on)
		return;
	stock = stock_here(tree);
	have = atomic_long_add_return(bytes, stock);
	keep = stock_bytes(tree);
	if (have > 2 * keep && stock_take(stock, have - keep))
		blink_budget_uncharge(&tree->charge.own, have - keep);
}

/*
 * What a tree takes without its nodes and its queue: its reference has a count on
 * each CPU. Gates belong to no tree.
 */
static long fixed_bytes(const struct blink_tree *tree)
{
	return struct_size(tree, index, tree->nr_indexes) + nr_node_ids +
	       (long)num_possible_cpus() *
		       (sizeof(*tree->counters) + sizeof(long));
}

/**
 * blink_charge_init() - begin to charge a tree
 * @tree: the tree, without nodes so far
 * @max_bytes: its limit, 0 for none
 * @payer: the budget that pays for it, or NULL
 * @more: bytes besides the tree's that it pays for, as long as there is the tree
 *
 * Context: any.
 * Return: 0, or the error of the payer's budget, which need not be undone.
 */
int blink_charge_init(struct blink_tree *tree, u64 max_bytes,
		      struct blink_budget *payer, long more)
{
	struct blink_charge *charge = &tree->charge;

	charge->max_bytes = max_bytes;
	charge->fixed = fixed_bytes(tree) + more;
	charge->on = max_bytes || payer;
	charge->own.parent = payer;
	charge->own.limit = &charge->max_bytes;
	charge->own.error = -ENOSPC;
	atomic_long_set(&charge->own.used, 0);
	return blink_budget_charge(payer, charge->fixed);
}

/**
 * blink_charge_exit() - end charging a tree
 * @tree: the tree, all nodes freed
 *
 * The reference to the payer stays.
 *
 * Context: any.
 */
void blink_charge_exit(struct blink_tree *tree)
{
	struct blink_charge *charge = &tree->charge;

	stocks_drain(tree);
	/* What was charged came back, each byte of it. */
	WARN_ON_ONCE(atomic_long_read(&charge->own.used));
	blink_budget_uncharge(charge->own.parent, charge->fixed);
}

/**
 * blink_charge_limit() - set another limit for the memory of a tree's nodes
 * @tree: the tree
 * @max_bytes: the limit, 0 for none
 *
 * From here on no leaf comes from a stock that was filled below the old limit.
 *
 * Context: any.
 */
void blink_charge_limit(struct blink_tree *tree, u64 max_bytes)
{
	WRITE_ONCE(tree->charge.max_bytes, max_bytes);
	stocks_drain(tree);
}
