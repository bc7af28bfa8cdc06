// SPDX-License-Identifier: GPL-2.0
/*
 * Budgets and stocks (charge.h).
 *
 * All amounts are sums: each step moves bytes between two places by atomic
 * operations. A task may therefore be interrupted, or moved to another CPU,
 * between two steps. They need an order with the count of the memory in limbo
 * (charge_slow()), and with no other memory: the tree's reference to a budget keeps
 * the memory of the budget.
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

/* The longest wait for memory in limbo, at a limit. */
#define LIMBO_TICKS (HZ / 8)

/* Take bytes from one budget, if it has enough left. */
static bool budget_use(struct blink_budget *budget, long bytes)
{
	u64 limit = READ_ONCE(*budget->limit);
	long used = atomic_long_read(&budget->used);

	/* The exchange fails only if another CPU has changed the amount. */
	do {
		if (limit && (u64)(used + bytes) > limit)
			return false;
	} while (!atomic_long_try_cmpxchg(&budget->used, &used, used + bytes));
	return true;
}

/* Give bytes back to a budget and its parents, up to @end. */
static void budget_give_back(struct blink_budget *budget, long bytes,
			     const struct blink_budget *end)
{
	for (; budget != end; budget = budget->parent)
		atomic_long_sub(bytes, &budget->used);
}

/**
 * blink_budget_charge() - charge bytes to a budget and its parents
 * @budget: the budget
 * @bytes: how many
 *
 * Context: any.
 * Return: 0, or the error of the first budget that has too little left; then
 * none is charged.
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

/*
 * Whether more than a limit is in use: inner nodes are charged regardless, and a
 * limit can be lowered.
 */
static bool budget_over(const struct blink_budget *budget)
{
	u64 limit;

	for (; budget; budget = budget->parent) {
		limit = READ_ONCE(*budget->limit);
		if (limit && (u64)atomic_long_read(&budget->used) > limit)
			return true;
	}
	return false;
}

/* Take bytes from a stock, if it has enough. */
static bool stock_take(atomic_long_t *stock, long bytes)
{
	long have = atomic_long_read(stock);

	do {
		if (have < bytes)
			return false;
	} while (!atomic_long_try_cmpxchg(stock, &have, have - bytes));
	return true;
}

/* The stock of any CPU is correct, so the task may be moved to another CPU. */
static atomic_long_t *stock_here(struct blink_tree *tree)
{
	return &raw_cpu_ptr(tree->counters)->byte_stock;
}

/* The bytes with which a stock is filled: the smaller the tree, the fewer. */
static long stock_bytes(struct blink_tree *tree)
{
	long used = atomic_long_read(&tree->charge.own.used);

	return min(used / (BLINK_BYTE_STOCK_SHARE * (long)num_online_cpus()),
		   BLINK_BYTE_STOCK);
}

/* Give all stocks back to the budgets. */
static void stocks_drain(struct blink_tree *tree)
{
	atomic_t *drains = &tree->charge.drains;
	atomic_long_t *stock;
	bool moves = false;
	long bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		stock = &per_cpu_ptr(tree->counters, cpu)->byte_stock;
		/* Do not write the cache line of an empty stock. */
		if (!atomic_long_read(stock))
			continue;
		/* The exchange orders this before the empty stock. */
		if (!moves)
			atomic_inc(drains);
		moves = true;
		bytes += atomic_long_xchg(stock, 0);
	}
	if (!moves)
		return;
	blink_budget_uncharge(&tree->charge.own, bytes);
	/* The bytes are back. Pairs with the second smp_rmb() in room_moves(). */
	smp_mb__before_atomic();
	atomic_dec(drains);
}

/* Whether bytes were on the way from a stock to the budgets. The caller charges next. */
static bool room_moves(struct blink_tree *tree)
{
	bool moves;

	/* A stock was empty: pairs with the exchange in stocks_drain(). */
	smp_rmb();
	moves = atomic_read(&tree->charge.drains);
	/* None moves: pairs with the smp_mb__before_atomic() in stocks_drain(). */
	smp_rmb();
	return moves;
}

/*
 * Charge the memory of a node together with the bytes that fill the stock.
 * False if this fails or the stock would be too small.
 */
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
 * Use the stocks of other CPUs, also those that another task carries to the budgets, and
 * the memory in limbo: a tree that was just emptied has room after a grace period. The
 * wait is bounded, because nodes that die meanwhile need another grace period.
 */
static int charge_slow(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	struct blink_budget *own = &tree->charge.own;
	unsigned int ticks = 0;
	bool more;
	int err;

	err = blink_budget_charge(own, bytes);
	/* A caller that must not sleep does not look at each CPU either. */
	if (!err || !(gfp & __GFP_DIRECT_RECLAIM))
		return err;
	for (;;) {
		more = blink_tree_limbo(tree);
		/*
		 * Pairs with the smp_wmb() in blink_limbo_add(): memory that
		 * has left limbo is in a stock, on its way from there, or in no
		 * budget.
		 */
		smp_rmb();
		stocks_drain(tree);
		more |= room_moves(tree);
		err = blink_budget_charge(own, bytes);
		if (!err || !more || ticks++ == LIMBO_TICKS ||
		    fatal_signal_pending(current))
			return err;
		schedule_timeout_uninterruptible(1);
	}
}

/**
 * blink_charge_leaf() - charge a leaf that is about to be allocated
 * @tree: its tree
 * @bytes: its memory, that of its copies included
 * @gfp: how it will be allocated
 *
 * At a limit, if @gfp allows sleeping, it first returns the stocks of all CPUs
 * to the budgets, and waits up to an eighth of a second for memory in limbo. So
 * a leaf is refused only if less than a leaf is left, apart from charges by
 * other CPUs at this moment.
 *
 * Context: as @gfp allows.
 * Return: 0; -ENOSPC if the tree has reached its max_bytes, or the error of the
 * payer's budget that is full; then nothing is charged.
 */
int blink_charge_leaf(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	return charge_fast(tree, bytes) ? 0 : charge_slow(tree, bytes, gfp);
}

/**
 * blink_charge_inner() - charge an inner node, regardless of the limits
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
 * blink_uncharge() - uncharge a node that was freed
 * @tree: its tree
 * @bytes: the memory that it used
 *
 * While a limit is exceeded, the bytes go to no stock: a leaf that takes them
 * there would be one that the limit refuses.
 *
 * Context: any.
 */
void blink_uncharge(struct blink_tree *tree, long bytes)
{
	atomic_long_t *stock;
	long have, keep;

	if (!tree->charge.on)
		return;
	if (unlikely(budget_over(&tree->charge.own))) {
		blink_budget_uncharge(&tree->charge.own, bytes);
		return;
	}
	stock = stock_here(tree);
	have = atomic_long_add_return(bytes, stock);
	keep = stock_bytes(tree);
	if (have > 2 * keep && stock_take(stock, have - keep))
		blink_budget_uncharge(&tree->charge.own, have - keep);
}

/*
 * The memory of a tree without its nodes and its queue. Its percpu_ref has a
 * count on each CPU. Gates belong to no tree.
 */
static long fixed_bytes(const struct blink_tree *tree)
{
	return struct_size(tree, index, tree->nr_indexes) + nr_node_ids +
	       (long)num_possible_cpus() *
		       (sizeof(*tree->counters) + sizeof(long));
}

/**
 * blink_charge_init() - begin to charge a tree
 * @tree: the tree, which has no nodes yet
 * @max_bytes: its limit, 0 for none
 * @payer: the budget to which it is charged, or NULL
 * @more: bytes that are charged to @payer in addition while the tree exists
 *
 * Context: any.
 * Return: 0, or the error of the payer's budget; then the caller has nothing to
 * undo.
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
	atomic_set(&charge->drains, 0);
	return blink_budget_charge(payer, charge->fixed);
}

/**
 * blink_charge_exit() - end charging a tree
 * @tree: the tree, all nodes freed
 *
 * The tree keeps its reference to the payer.
 *
 * Context: any.
 */
void blink_charge_exit(struct blink_tree *tree)
{
	struct blink_charge *charge = &tree->charge;

	stocks_drain(tree);
	/* Every byte that was charged for a node was uncharged. */
	WARN_ON_ONCE(atomic_long_read(&charge->own.used));
	blink_budget_uncharge(charge->own.parent, charge->fixed);
}

/**
 * blink_charge_limit() - set another limit for the memory of a tree's nodes
 * @tree: the tree
 * @max_bytes: the limit, 0 for none
 *
 * When it returns, no stock has bytes that were charged under the old limit, apart from
 * those of charges that began before.
 *
 * Context: any.
 */
void blink_charge_limit(struct blink_tree *tree, u64 max_bytes)
{
	WRITE_ONCE(tree->charge.max_bytes, max_bytes);
	stocks_drain(tree);
}
