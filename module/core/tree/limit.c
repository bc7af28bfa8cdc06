// SPDX-License-Identifier: GPL-2.0
/*
 * The limit on entries (limit.h).
 *
 * A writer may be interrupted by another writer only while it holds no lock of
 * this tree (blink_writer_begin()). Stocks change by atomic operations, so a
 * writer may be moved to another CPU at any moment.
 */
#include <linux/cpumask.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "limit.h"
#include "writer.h"

static atomic_t *stock_here(struct blink_tree *tree)
{
	return raw_cpu_ptr(&tree->counters->stock);
}

static atomic_t *stock_of(struct blink_tree *tree, int cpu)
{
	return &per_cpu_ptr(tree->counters, cpu)->stock;
}

/*
 * The room at which stocks are opened: twice the room that they can hold. At
 * least half of it is used before they are closed again, and as much has come
 * back before they are opened again. So many operations share the cost of
 * opening and closing.
 */
static s64 room_to_open(void)
{
	return 2LL * BLINK_STOCK_MAX * num_possible_cpus();
}

/* Take room from @left, all of it or none. */
static bool take_left(struct blink_limit *limit, s64 room)
{
	s64 left = atomic64_read(&limit->left);

	while (left >= room)
		if (atomic64_try_cmpxchg(&limit->left, &left, left - room))
			return true;
	return false;
}

static void open_stocks(struct blink_tree *tree)
{
	int cpu;

	WRITE_ONCE(tree->limit.open, true);
	for_each_possible_cpu(cpu)
		atomic_set(stock_of(tree, cpu), 0);
}

/* No CPU changes a closed stock, so the exchange returns its last content. */
static void close_stocks(struct blink_tree *tree)
{
	int cpu;

	for_each_possible_cpu(cpu)
		atomic64_add(atomic_xchg(stock_of(tree, cpu),
					 BLINK_STOCK_CLOSED),
			     &tree->limit.left);
	WRITE_ONCE(tree->limit.open, false);
}

/* The stock of this CPU is empty or closed. Fill it, or close all stocks. */
static bool room_take_locked(struct blink_tree *tree)
{
	struct blink_limit *limit = &tree->limit;
	const int batch = BLINK_STOCK_MAX / 2;

	blink_assert_locked(&limit->lock);
	if (limit->open && take_left(limit, batch)) {
		atomic_add(batch - 1, stock_here(tree));
		return true;
	}
	if (limit->open)
		close_stocks(tree);
	return take_left(limit, 1);
}

/*
 * The room of a tree without entries. A tree without a limit has a room that
 * never runs out.
 */
static s64 room_under(u64 max_entries)
{
	return max_entries ? min_t(u64, max_entries, S64_MAX) : S64_MAX;
}

/**
 * blink_limit_init() - initialise the limit of a tree
 * @tree: a new tree, its max_entries set
 *
 * Context: no other CPU can reach the tree.
 */
void blink_limit_init(struct blink_tree *tree)
{
	s64 left = room_under(tree->max_entries);
	int cpu;

	blink_lock_init(&tree->limit.lock, BLINK_LOCK_LIMIT,
			tree->flags & BLINK_TREE_IRQSAFE);
	atomic64_set(&tree->limit.left, left);
	for_each_possible_cpu(cpu)
		atomic_set(stock_of(tree, cpu), BLINK_STOCK_CLOSED);
	if (left >= room_to_open())
		open_stocks(tree);
}

/**
 * blink_limit_take() - take room for an entry
 * @tree: the tree, which has a limit
 *
 * Context: in blink_writer_begin(); node locks may be held.
 * Return: false if the limit is reached.
 */
bool blink_limit_take(struct blink_tree *tree)
{
	struct blink_limit *limit = &tree->limit;
	atomic_t *stock = stock_here(tree);
	bool taken;

	if (likely(atomic_dec_if_positive(stock) >= 0))
		return true;
	if (atomic_read(stock) == BLINK_STOCK_CLOSED && take_left(limit, 1))
		return true;
	blink_lock(&limit->lock);
	taken = room_take_locked(tree);
	blink_unlock(&limit->lock);
	return taken;
}

/**
 * blink_limit_take_all() - take room for several entries, or for none
 * @tree: the tree, which has a limit
 * @nr: how many
 *
 * Context: in blink_writer_begin(); node locks may be held.
 * Return: false if the tree had less room at some moment of the call.
 */
bool blink_limit_take_all(struct blink_tree *tree, unsigned int nr)
{
	struct blink_limit *limit = &tree->limit;
	bool taken;

	blink_lock(&limit->lock);
	taken = take_left(limit, nr);
	if (!taken && limit->open) {
		close_stocks(tree);
		taken = take_left(limit, nr);
	}
	blink_unlock(&limit->lock);
	return taken;
}

/* Open the stocks again if @left has grown enough. */
static void reopen_stocks_locked(struct blink_tree *tree)
{
	blink_assert_locked(&tree->limit.lock);
	if (!tree->limit.open &&
	    atomic64_read(&tree->limit.left) >= room_to_open())
		open_stocks(tree);
}

/**
 * blink_limit_give() - give the room of an entry back
 * @tree: the tree, which has a limit
 *
 * Context: in blink_writer_begin(); node locks may be held.
 */
void blink_limit_give(struct blink_tree *tree)
{
	struct blink_limit *limit = &tree->limit;
	atomic_t *stock = stock_here(tree);
	int had = atomic_fetch_add_unless(stock, 1, BLINK_STOCK_CLOSED);
	bool full = had + 1 >= BLINK_STOCK_MAX;

	if (had == BLINK_STOCK_CLOSED)
		full = atomic64_inc_return(&limit->left) >= room_to_open();
	if (likely(!full))
		return;
	blink_lock(&limit->lock);
	if (had != BLINK_STOCK_CLOSED && limit->open)
		atomic64_add(atomic_xchg(stock, 0), &limit->left);
	else
		reopen_stocks_locked(tree);
	blink_unlock(&limit->lock);
}

/**
 * blink_limit_near() - whether a tree seems to accept no more entries
 * @tree: the tree
 *
 * The answer is a hint, because room can move between the two loads.
 *
 * Context: any.
 * Return: true if it seems so.
 */
bool blink_limit_near(struct blink_tree *tree)
{
	return tree->counted && !READ_ONCE(tree->limit.open) &&
	       atomic64_read(&tree->limit.left) <= 0;
}

/**
 * blink_limit_reached() - whether a tree accepts no more entries
 * @tree: the tree
 *
 * Context: in blink_writer_begin(); node locks may be held.
 * Return: true if the tree had no room at some moment of the call.
 */
bool blink_limit_reached(struct blink_tree *tree)
{
	struct blink_limit *limit = &tree->limit;
	bool reached;

	if (likely(!blink_limit_near(tree)))
		return false;
	blink_lock(&limit->lock);
	reached = !limit->open && atomic64_read(&limit->left) <= 0;
	blink_unlock(&limit->lock);
	return reached;
}

/**
 * blink_limit_set() - set another limit
 * @tree: the tree, which has counted from the beginning
 * @max_entries: the limit, 0 for none; if the tree has more entries, it has no
 *	room until enough were erased
 *
 * Context: as for a writer, no lock of the tree held.
 */
void blink_limit_set(struct blink_tree *tree, u64 max_entries)
{
	struct blink_limit *limit = &tree->limit;
	unsigned long flags = blink_writer_begin(tree);

	blink_lock(&limit->lock);
	if (limit->open)
		close_stocks(tree);
	atomic64_add(room_under(max_entries) - room_under(tree->max_entries),
		     &limit->left);
	WRITE_ONCE(tree->max_entries, max_entries);
	reopen_stocks_locked(tree);
	blink_unlock(&limit->lock);
	blink_writer_end(tree, flags);
}
