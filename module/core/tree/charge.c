// SPDX-License-Identifier: GPL-2.0
/*
 * Budgets and stocks (charge.h).
 *
 * All amounts are sums: each step moves bytes between two places by atomic
 * operations. A task may therefore be interrupted, or moved to another CPU,
 * between two steps. While it has bytes in its hands, they are in a budget that they may
 * leave, or in no place at all. So each such move is counted when it begins and when it
 * has ended, and a task that is about to be refused looks at both counts
 * (charge_once()). The steps need an order with these counts and with the count of the
 * memory in limbo, and with no other memory: the tree's reference to a budget keeps the
 * memory of the budget.
 */
#include <linux/bug.h>
#include <linux/build_bug.h>
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

/**
 * blink_budget_limit() - the limit of a budget at this moment
 * @budget: the budget
 *
 * Context: any.
 * Return: bytes, without those that the budget leaves to others; 0 for no limit.
 */
u64 blink_budget_limit(const struct blink_budget *budget)
{
	u64 limit = READ_ONCE(*budget->limit);

	return budget->reserve ? limit - (limit >> budget->reserve) : limit;
}

/* Take bytes from one budget, if it has enough left. */
static bool budget_use(struct blink_budget *budget, long bytes)
{
	u64 limit = blink_budget_limit(budget);
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
 * The error of the first budget, from @budget up, that has less than @bytes left, or 0.
 * With 0 bytes: of one that has more in use than its limit, since inner nodes are charged
 * regardless and a limit can be lowered.
 */
static int budget_lacks(const struct blink_budget *budget, long bytes)
{
	u64 limit;

	for (; budget; budget = budget->parent) {
		limit = blink_budget_limit(budget);
		if (limit &&
		    (u64)(atomic_long_read(&budget->used) + bytes) > limit)
			return budget->error;
	}
	return 0;
}

/*
 * Begin to move bytes between the budgets and a stock. The caller takes them by an
 * exchange, which is a full barrier. Pairs with the last smp_rmb() in charge_once(): if
 * anything of the move is seen, so is its begin.
 */
static void move_begin(struct blink_charge *charge)
{
	atomic_inc(&charge->own.begun);
}

/* All bytes of the move are in their place. */
static void move_end(struct blink_charge *charge)
{
	/* Pairs with the second smp_rmb() in charge_once(): ended, so moved. */
	smp_mb__before_atomic();
	atomic_inc(&charge->own.ended);
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

/* Give all stocks back to the budgets. Returns how many moves this was: 0 or 1. */
static unsigned int stocks_drain(struct blink_tree *tree)
{
	unsigned int moves = 0;
	atomic_long_t *stock;
	long bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		stock = &per_cpu_ptr(tree->counters, cpu)->byte_stock;
		/* Do not write the cache line of an empty stock. */
		if (!atomic_long_read(stock))
			continue;
		if (!moves++)
			move_begin(&tree->charge);
		bytes += atomic_long_xchg(stock, 0);
	}
	if (!moves)
		return 0;
	blink_budget_uncharge(&tree->charge.own, bytes);
	move_end(&tree->charge);
	return 1;
}

/*
 * Charge the budgets. A charge that one of them refuses is not begun, so that it does not
 * take room away from other tasks meanwhile. Adds to *@moves.
 */
static int charge_budgets(struct blink_tree *tree, long bytes,
			  unsigned int *moves)
{
	struct blink_charge *charge = &tree->charge;
	int err = budget_lacks(&charge->own, bytes);

	if (err)
		return err;
	move_begin(charge);
	err = blink_budget_charge(&charge->own, bytes);
	if (!err) {
		/* The bytes are in use: nothing has moved. */
		atomic_dec(&charge->own.begun);
		return 0;
	}
	move_end(charge);
	++*moves;
	return err;
}

/*
 * Charge the memory of a node together with the bytes that fill the stock.
 * False if this fails or the stock would be too small.
 */
static bool charge_more(struct blink_tree *tree, long bytes)
{
	struct blink_charge *charge = &tree->charge;
	long more = stock_bytes(tree);
	bool charged;

	if (more <= bytes || budget_lacks(&charge->own, more))
		return false;
	move_begin(charge);
	charged = !blink_budget_charge(&charge->own, more);
	if (charged)
		atomic_long_add(more - bytes, stock_here(tree));
	move_end(charge);
	return charged;
}

static bool charge_fast(struct blink_tree *tree, long bytes)
{
	return !tree->charge.on || stock_take(stock_here(tree), bytes) ||
	       charge_more(tree, bytes);
}

/* Why a charge that was refused can succeed a little later. */
enum hope {
	/* Another task had bytes in its hands. */
	HOPE_MOVES,
	/* Memory is in limbo. */
	HOPE_LIMBO,
	HOPE_NONE,
};

static_assert(HOPE_NONE == BLINK_CHARGE_HOPES);

/* Charge the budgets, after all stocks have gone back to them. */
static int charge_once(struct blink_tree *tree, long bytes, enum hope *hope)
{
	struct blink_budget *own = &tree->charge.own;
	unsigned int ended, moves;
	int err;

	*hope = blink_tree_limbo(tree) ? HOPE_LIMBO : HOPE_NONE;
	/*
	 * Pairs with the smp_wmb() in blink_limbo_add(): memory that has left
	 * limbo is in a stock, in the hands of a task, or in no budget.
	 */
	smp_rmb();
	ended = atomic_read(&own->ended);
	/*
	 * The bytes of these moves are seen in their place. Pairs with the
	 * smp_mb__before_atomic() in move_end().
	 */
	smp_rmb();
	moves = stocks_drain(tree);
	err = charge_budgets(tree, bytes, &moves);
	/*
	 * If anything of another move was seen, so is its begin. Pairs with the
	 * exchange after move_begin().
	 */
	smp_rmb();
	if ((unsigned int)atomic_read(&own->begun) != ended + moves)
		*hope = HOPE_MOVES;
	return err;
}

/* Whether a task has waited for this for the longest time, a moment ago. */
static bool waited_in_vain(const struct blink_charge *charge, enum hope hope)
{
	return time_before(jiffies,
			   READ_ONCE(charge->vain[hope]) + LIMBO_TICKS);
}

/*
 * Use the stocks of other CPUs, also bytes that other tasks have in their hands, and the
 * memory in limbo: a tree that was just emptied has room after a grace period. The wait
 * is bounded, because nodes that die meanwhile need another grace period, and other tasks
 * can move bytes all the time. If it was in vain, charges do not wait for the same for as
 * long a time, so that such waits of a batch do not add up.
 */
static int charge_slow(struct blink_tree *tree, long bytes, gfp_t gfp)
{
	struct blink_charge *charge = &tree->charge;
	unsigned int ticks, moves = 0;
	enum hope hope;
	int err;

	err = charge_budgets(tree, bytes, &moves);
	/* A caller that must not sleep does not look at each CPU either. */
	if (!err || !(gfp & __GFP_DIRECT_RECLAIM))
		return err;
	for (ticks = 0;; ticks++) {
		err = charge_once(tree, bytes, &hope);
		if (!err || hope == HOPE_NONE || waited_in_vain(charge, hope) ||
		    fatal_signal_pending(current))
			return err;
		if (gfp & __GFP_NORETRY)
			return -EAGAIN;
		if (ticks == LIMBO_TICKS)
			break;
		schedule_timeout_uninterruptible(1);
	}
	WRITE_ONCE(charge->vain[hope], jiffies);
	return err;
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
 * other CPUs at this moment, and from memory for which another charge has waited in vain
 * less than an eighth of a second ago.
 *
 * Context: as @gfp allows.
 * Return: 0; -ENOSPC if the tree has reached its max_bytes, or the error of the
 * payer's budget that is full; -EAGAIN instead of a wait, with %__GFP_NORETRY; then
 * nothing is charged.
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
	if (unlikely(budget_lacks(&tree->charge.own, 0))) {
		blink_budget_uncharge(&tree->charge.own, bytes);
		return;
	}
	stock = stock_here(tree);
	have = atomic_long_add_return(bytes, stock);
	keep = stock_bytes(tree);
	if (have <= 2 * keep)
		return;
	move_begin(&tree->charge);
	if (stock_take(stock, have - keep))
		blink_budget_uncharge(&tree->charge.own, have - keep);
	move_end(&tree->charge);
}

/*
 * The memory of a tree without its nodes. Its percpu_ref has a
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
	atomic_set(&charge->own.begun, 0);
	atomic_set(&charge->own.ended, 0);
	charge->vain[HOPE_MOVES] = jiffies - LIMBO_TICKS;
	charge->vain[HOPE_LIMBO] = charge->vain[HOPE_MOVES];
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
