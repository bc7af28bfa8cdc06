/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the limit on entries
 *
 * A tree with max_entries accepts exactly so many keys, until that is set to less.
 * What it still accepts is its *room*. Room lies in three places: in entries, in one
 * counter that all CPUs share (@left), and in *stocks*, one for each CPU
 * (&blink_counters.stock), from which an insertion takes one and to which an erasure
 * gives one back, so that neither writes a line that other CPUs need.
 *
 * Only the holder of @lock moves room between a stock and @left: a batch at a time.
 * Where @left has no batch any more the stocks are *closed*, all of them: their room
 * goes to @left, which insertions and erasures then change directly. An insertion is
 * refused only under @lock, with all stocks closed and @left at 0: at that moment all
 * of the room is in entries. Stocks are opened again when @left has grown to more
 * than they can hold.
 *
 * The kernel's percpu_counter does not do this: a sum over CPUs that add and subtract
 * meanwhile is of no one moment, and percpu_counter_limited_add() adds on the word of
 * a count that it looked at before.
 */
#ifndef BLINK_CORE_LIMIT_H
#define BLINK_CORE_LIMIT_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "../../lock/node_lock.h"

struct blink_tree;

/* A stock never has more; half of it is what an empty one gets. */
#ifndef BLINK_STOCK_MAX
#define BLINK_STOCK_MAX 64
#endif
/* In place of a stock: it is closed. */
#define BLINK_STOCK_CLOSED (-1)

/**
 * struct blink_limit - room for entries that is in no stock
 * @lock: held while room moves between @left and a stock
 * @open: stocks are open
 * @left: how much; less than 0 where the limit was set to less than there are
 */
struct blink_limit {
	struct blink_lock lock;
	bool open;
	atomic64_t left;
};

void blink_limit_init(struct blink_tree *tree);
bool blink_limit_take(struct blink_tree *tree);
void blink_limit_give(struct blink_tree *tree);
bool blink_limit_near(struct blink_tree *tree);
bool blink_limit_reached(struct blink_tree *tree);
void blink_limit_set(struct blink_tree *tree, u64 max_entries);

#endif /* BLINK_CORE_LIMIT_H */
