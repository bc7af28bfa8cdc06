/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the limit on entries
 *
 * A tree with max_entries accepts exactly this number of keys, unless the limit
 * is lowered later. The number of keys that it still accepts is its *room*.
 * Room that is not in entries is in one counter that all CPUs share (@left),
 * and in *stocks*, one for each CPU (&blink_counters.stock). An insert takes
 * one from the stock of its CPU, and an erase adds one to it, so neither writes
 * a cache line that other CPUs need.
 *
 * Only the holder of @lock moves room between a stock and @left, a batch at a
 * time. When @left has less than a batch, all stocks are *closed*: their room
 * goes to @left, and inserts and erases change @left directly. An insert is
 * refused only under @lock, with all stocks closed and @left at 0: at this
 * moment all room is in entries. The stocks are opened again when @left has
 * grown to more than they can hold.
 *
 * The kernel's percpu_counter is not exact enough. The sum over CPUs that add
 * and subtract meanwhile belongs to no single moment, and
 * percpu_counter_limited_add() adds after it has compared an earlier count.
 */
#ifndef BLINK_CORE_LIMIT_H
#define BLINK_CORE_LIMIT_H

#include "tree.h"

/* The most room in a stock. An empty stock gets half of this. */
#ifndef BLINK_STOCK_MAX
#define BLINK_STOCK_MAX 64
#endif
/* The value of a closed stock. */
#define BLINK_STOCK_CLOSED (-1)

void blink_limit_init(struct blink_tree *tree);
bool blink_limit_take(struct blink_tree *tree);
bool blink_limit_take_all(struct blink_tree *tree, unsigned int nr);
void blink_limit_give(struct blink_tree *tree);
bool blink_limit_near(struct blink_tree *tree);
bool blink_limit_reached(struct blink_tree *tree);
void blink_limit_set(struct blink_tree *tree, u64 max_entries);

/* Take room for an entry; false if the limit is reached. */
static inline bool blink_tree_reserve(struct blink_tree *tree)
{
	return !tree->counted || blink_limit_take(tree);
}

/* Give back the room of an entry that was erased. */
static inline void blink_tree_unreserve(struct blink_tree *tree)
{
	if (tree->counted)
		blink_limit_give(tree);
}

#endif /* BLINK_CORE_LIMIT_H */
