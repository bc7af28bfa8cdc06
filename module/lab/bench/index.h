/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the benchmark asks of an index: a map from keys of 63 bits to values of
 * 62, which is what each of them can hold.
 *
 * What an index locks it locks by itself: all calls but create() and destroy()
 * may come from several threads at once, in process context, and may sleep.
 */
#ifndef BLINK_LAB_BENCH_INDEX_H
#define BLINK_LAB_BENCH_INDEX_H

#include <linux/blink_tree.h>
#include <linux/gfp.h>

/* An index that wants too much memory gets none, and nobody is killed for it. */
#define LAB_GFP (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct lab_index - one index
 * @most_keys: it needs too much memory for more (0: any number)
 * @create: an empty map, or an ERR_PTR(); @params: for a tree of ours
 * @destroy: give it back, with all that is in it
 * @insert: add a key that is absent; 0 or an error
 * @lookup: read the value of a key; 0 or -ENOENT
 * @store: add a key or overwrite its value; 0 or an error
 * @erase: remove a key; 0 or -ENOENT
 * @scan: copy up to so many entries, from a key on; returns how many
 * @floor: copy the entry of the greatest key <= @key; 0 or -ENOENT
 * @batch: execute operations, LOOKUP and INSERT, and set their results
 * @bytes: its memory
 *
 * Where a call is NULL the index has nothing like it, or nobody can tell.
 */
struct lab_index {
	u32 most_keys;
	void *(*create)(const struct blink_tree_params *params);
	void (*destroy)(void *map);
	int (*insert)(void *map, u64 key, u64 value);
	int (*lookup)(void *map, u64 key, u64 *value);
	int (*store)(void *map, u64 key, u64 value);
	int (*erase)(void *map, u64 key);
	unsigned int (*scan)(void *map, u64 key, struct blink_tree_entry *entry,
			     unsigned int nr);
	int (*floor)(void *map, u64 key, struct blink_tree_entry *entry);
	void (*batch)(void *map, struct blink_tree_ioc_op *op, unsigned int nr);
	u64 (*bytes)(void *map);
};

extern const struct lab_index lab_index_blink;
extern const struct lab_index lab_index_maple;
extern const struct lab_index lab_index_xarray;
extern const struct lab_index lab_index_rbtree;
extern const struct lab_index lab_index_rhashtable;

#endif /* BLINK_LAB_BENCH_INDEX_H */
