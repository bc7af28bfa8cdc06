/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the benchmark asks of an index: an ordered map from keys of 63 bits to
 * values of 62, which is what every one of them can hold.
 *
 * What an index locks it locks by itself: all calls but create() and destroy()
 * may come from several threads at once. All of them count their threads as the
 * shim does (shim_thread_register()).
 */
#ifndef COMPARE_INDEX_H
#define COMPARE_INDEX_H

#include <uapi/linux/blink_tree.h>

#define KEY_MAX (~0ULL >> 1)
#define SCAN_ENTRIES 48
#define BATCH_MAX 64

/**
 * struct index - one index, and how it is called
 * @name: its name
 * @version: which version of it
 * @locking: how its threads keep out of each other's way
 * @most_keys: it needs too much memory for more (0: any number)
 * @only_batches: one by one it is another index, and not measured again
 * @scans_down: it scans descending keys, having no call for ascending ones
 * @create: an empty map, to hold so many keys at most; NULL without memory
 * @destroy: give it back, its keys too
 * @leave: the calling thread will not use it any more (NULL: need not be told)
 * @insert: add a key that is absent; false if that failed
 * @lookup: read the value of a key; false if it is absent
 * @store: add a key or overwrite its value; false if that failed
 * @erase: remove a key; false if it was absent
 * @scan: copy up to so many entries from a key on; returns how many
 * @floor: find the greatest key <= that of the entry, and set the entry to it;
 *	false if there is none
 * @batch: execute up to BATCH_MAX operations, LOOKUP and INSERT; sets @result
 * @bytes: its memory
 *
 * Where a call is NULL the index has nothing like it.
 */
struct index {
	const char *name;
	const char *version;
	const char *locking;
	__u64 most_keys;
	bool only_batches;
	bool scans_down;
	void *(*create)(__u64 keys);
	void (*destroy)(void *map);
	void (*leave)(void *map);
	bool (*insert)(void *map, __u64 key, __u64 value);
	bool (*lookup)(void *map, __u64 key, __u64 *value);
	bool (*store)(void *map, __u64 key, __u64 value);
	bool (*erase)(void *map, __u64 key);
	unsigned int (*scan)(void *map, __u64 key,
			     struct blink_tree_entry *entry, unsigned int nr);
	bool (*floor)(void *map, struct blink_tree_entry *entry);
	void (*batch)(void *map, struct blink_tree_ioc_op *op, unsigned int nr);
	__u64 (*bytes)(void *map);
};

extern const struct index index_blink;
extern const struct index index_maple;
extern const struct index index_xarray;
extern const struct index index_rbtree;
extern const struct index index_btree;
extern const struct index index_judy;
extern const struct index index_absl;
extern const struct index index_tbb;
extern const struct index index_lmdb;
extern const struct index index_congee;
extern const struct index index_skiplist;

/* All of them, ours first; the table ends with NULL. */
extern const struct index *const indexes[];

/* Ours with other batches (two_phase.c); the table ends without a name. */
const struct index *two_phase_indexes(void);

#endif /* COMPARE_INDEX_H */
