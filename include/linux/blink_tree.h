/* SPDX-License-Identifier: GPL-2.0 */
/*
 * blink_tree: a concurrent ordered map from u64 to u64.
 *
 * Any number of readers and writers may use one tree at the same time, with
 * no lock of their own. Lookups take no lock and write no shared memory.
 *
 * A *tree* maps *keys* to *values*; a key and its value are an *entry*. A
 * tree is created with blink_tree_create() and given back, when nobody can
 * use it any more, with blink_tree_destroy().
 */
#ifndef _LINUX_BLINK_TREE_H
#define _LINUX_BLINK_TREE_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

struct blink_tree;

/*
 * Writers disable interrupts: read and modify the tree from any context but NMI
 * (on PREEMPT_RT what allocates stays with preemptible process context).
 */
#define BLINK_TREE_IRQSAFE BIT(0)

/**
 * struct blink_tree_params - what a tree is to be like
 * @flags: BLINK_TREE_* bits
 * @max_entries: most keys that it may hold, 0 for no limit
 * @replication: what every NUMA node gets a copy of
 * @posting: when a copy of the index learns of a split or merge
 * @locking: how writers wait for a node
 * @placement: where leaves without copies are
 * @max_bytes: most memory that its nodes may take, 0 for no limit
 */
struct blink_tree_params {
	u32 flags;
	u64 max_entries;
	enum blink_tree_replication replication;
	enum blink_tree_posting posting;
	enum blink_tree_locking locking;
	enum blink_tree_placement placement;
	u64 max_bytes;
};

struct blink_tree *blink_tree_create(const struct blink_tree_params *params,
				     gfp_t gfp);
void blink_tree_destroy(struct blink_tree *tree);

int blink_tree_lookup(struct blink_tree *tree, u64 key, u64 *value);
int blink_tree_floor(struct blink_tree *tree, u64 key,
		     struct blink_tree_entry *entry);
int blink_tree_ceiling(struct blink_tree *tree, u64 key,
		       struct blink_tree_entry *entry);

int blink_tree_insert(struct blink_tree *tree, u64 key, u64 value, u64 *old,
		      gfp_t gfp);
int blink_tree_store(struct blink_tree *tree, u64 key, u64 value, u64 *old,
		     gfp_t gfp);
int blink_tree_replace(struct blink_tree *tree, u64 key, u64 value, u64 *old);
int blink_tree_cmpxchg(struct blink_tree *tree, u64 key, u64 *old, u64 value);
int blink_tree_erase(struct blink_tree *tree, u64 key, u64 *old);
int blink_tree_cmperase(struct blink_tree *tree, u64 key, u64 *old);

void blink_tree_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp);
int blink_tree_load(struct blink_tree *tree,
		    const struct blink_tree_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done);
void blink_tree_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, gfp_t gfp);

/**
 * struct blink_scan - a range of keys and how far it was scanned
 * @first: least key of what is left of the range
 * @last: greatest key of what is left of the range
 * @desc: from @last down to @first
 * @done: nothing is left
 */
struct blink_scan {
	u64 first;
	u64 last;
	bool desc;
	bool done;
};

int blink_tree_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_entry *entries, unsigned int nr);

/* Entries that a cursor holds: enough for any leaf. */
#define BLINK_CURSOR_ENTRIES 64

/**
 * struct blink_cursor - an iteration over a range, a leaf or more ahead
 * @tree: the tree
 * @scan: what is left of the range
 * @next: the entry to return next
 * @count: entries in @entries
 * @entries: copied out of whole leaves, the keys of each at one moment
 *
 * It belongs to one task and holds nothing: it need not be released, and the
 * caller may sleep between two calls.
 */
struct blink_cursor {
	struct blink_tree *tree;
	struct blink_scan scan;
	unsigned int next;
	unsigned int count;
	struct blink_tree_entry entries[BLINK_CURSOR_ENTRIES];
};

void blink_cursor_init(struct blink_cursor *cursor, struct blink_tree *tree,
		       u64 first, u64 last);
void blink_cursor_init_desc(struct blink_cursor *cursor,
			    struct blink_tree *tree, u64 first, u64 last);
int blink_cursor_next(struct blink_cursor *cursor,
		      struct blink_tree_entry *entry);

/**
 * blink_tree_for_each_range() - iterate over the entries of a range, ascending
 * @cursor: struct blink_cursor to use
 * @tree: the tree
 * @entry: struct blink_tree_entry that each entry is copied to
 * @first: least key
 * @last: greatest key
 *
 * Context: as blink_cursor_next(); the body may sleep and may modify the tree.
 */
#define blink_tree_for_each_range(cursor, tree, entry, first, last) \
	for (blink_cursor_init(cursor, tree, first, last);          \
	     blink_cursor_next(cursor, entry) > 0;)

/**
 * blink_tree_for_each() - iterate over all entries, ascending
 * @cursor: struct blink_cursor to use
 * @tree: the tree
 * @entry: struct blink_tree_entry that each entry is copied to
 *
 * Context: as blink_cursor_next(); the body may sleep and may modify the tree.
 */
#define blink_tree_for_each(cursor, tree, entry) \
	blink_tree_for_each_range(cursor, tree, entry, 0, U64_MAX)

/**
 * blink_tree_for_each_reverse() - iterate over all entries, descending
 * @cursor: struct blink_cursor to use
 * @tree: the tree
 * @entry: struct blink_tree_entry that each entry is copied to
 *
 * Context: as blink_cursor_next(); the body may sleep and may modify the tree.
 */
#define blink_tree_for_each_reverse(cursor, tree, entry)       \
	for (blink_cursor_init_desc(cursor, tree, 0, U64_MAX); \
	     blink_cursor_next(cursor, entry) > 0;)

u64 blink_tree_count(struct blink_tree *tree);
u64 blink_tree_limbo(struct blink_tree *tree);
int blink_tree_limbo_wait(struct blink_tree *tree, u64 most);
unsigned int blink_tree_height(struct blink_tree *tree);
void blink_tree_stats(struct blink_tree *tree,
		      struct blink_tree_ioc_stats *stats);
unsigned int blink_tree_levels(struct blink_tree *tree,
			       struct blink_tree_level_stats *levels,
			       unsigned int nr);
int blink_tree_verify(struct blink_tree *tree,
		      struct blink_tree_ioc_verify *report);
int blink_tree_rebuild(struct blink_tree *tree, int nid, gfp_t gfp);

/**
 * blink_tree_lookup_ptr() - look up a key whose value is a pointer
 * @tree: the tree
 * @key: the key
 *
 * Who stores pointers frees what they point to only a grace period after the
 * entry is gone; then the result may be used up to rcu_read_unlock().
 *
 * Context: as blink_tree_lookup(), within rcu_read_lock() of the caller.
 * Return: the pointer, or NULL if the key is absent or cannot be read from
 * here (see blink_tree_lookup()).
 */
static inline void *blink_tree_lookup_ptr(struct blink_tree *tree, u64 key)
{
	u64 value;

	if (blink_tree_lookup(tree, key, &value))
		return NULL;
	return (void *)(uintptr_t)value;
}

/**
 * blink_tree_insert_ptr() - add a key whose value is a pointer
 * @tree: the tree
 * @key: the key
 * @ptr: the pointer; what it points to is initialised before the call
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert().
 * Return: as blink_tree_insert().
 */
static inline int blink_tree_insert_ptr(struct blink_tree *tree, u64 key,
					void *ptr, gfp_t gfp)
{
	return blink_tree_insert(tree, key, (uintptr_t)ptr, NULL, gfp);
}

/**
 * blink_tree_erase_ptr() - remove a key whose value is a pointer
 * @tree: the tree
 * @key: the key
 *
 * Context: as blink_tree_erase().
 * Return: the pointer that was removed, or NULL if the key was absent. Free
 * what it points to after a grace period.
 */
static inline void *blink_tree_erase_ptr(struct blink_tree *tree, u64 key)
{
	u64 old;

	if (blink_tree_erase(tree, key, &old))
		return NULL;
	return (void *)(uintptr_t)old;
}

#endif /* _LINUX_BLINK_TREE_H */
