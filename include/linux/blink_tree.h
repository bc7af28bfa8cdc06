/* SPDX-License-Identifier: GPL-2.0 */
/*
 * blink_tree: a concurrent ordered map from u64 to u64. Trees with other keys have
 * functions of their own (blink_tree_u128.h, blink_tree_bytes.h).
 *
 * Any number of readers and writers can use one tree at the same time, without
 * a lock of their own. Lookups take no lock and write no shared memory.
 *
 * A *tree* maps *keys* to *values*. A key and its value are an *entry*. The
 * caller creates a tree with blink_tree_create(), and destroys it with
 * blink_tree_destroy() after the last operation on the tree has ended.
 */
#ifndef _LINUX_BLINK_TREE_H
#define _LINUX_BLINK_TREE_H

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

struct blink_bytes_link;
struct blink_index;
struct blink_node;
struct blink_tree;

/*
 * Writers of the tree disable interrupts. Every context except NMI can then modify
 * the tree, and read it without -EAGAIN. On PREEMPT_RT operations that allocate
 * memory still need preemptible process context.
 */
#define BLINK_TREE_IRQSAFE BIT(0)

/*
 * Each leaf stores keys and values in as few bytes as its entries allow, so it holds
 * up to BLINK_COMPRESSED_ENTRIES. Then blink_tree_replace() and blink_tree_cmpxchg()
 * can need memory.
 */
#define BLINK_TREE_COMPRESS BIT(1)

/*
 * Values have 0 to 4,096 bytes, and the functions of blink_tree_value.h write them. Not
 * with BLINK_TREE_COMPRESS, nor with equal keys.
 */
#define BLINK_TREE_BYTE_VALUES BIT(2)

/* Room for all entries of any leaf of a tree with BLINK_TREE_COMPRESS. */
#define BLINK_COMPRESSED_ENTRIES 240

/**
 * struct blink_tree_params - parameters of a new tree
 * @flags: BLINK_TREE_IRQSAFE, BLINK_TREE_COMPRESS, BLINK_TREE_BYTE_VALUES
 * @max_entries: most keys that the tree can hold, 0 for no limit
 * @replication: the parts of the tree that every NUMA node has a copy of
 * @locking: the order in which waiting writers get the lock of a node
 * @placement: the NUMA node of a new leaf that has no copies
 * @max_bytes: most memory that nodes, strings and values of the tree can take, 0 for no
 *	limit
 * @key: the kind of its keys
 * @release: with BLINK_TREE_KEY_BYTES: the entries are objects of the caller
 *	(blink_tree_bytes_link()), and this function is called for each of them when the
 *	tree does not need it any more, in any context but NMI, until blink_tree_barrier()
 *	returns after blink_tree_destroy(); NULL otherwise
 */
struct blink_tree_params {
	u32 flags;
	u64 max_entries;
	enum blink_tree_replication replication;
	enum blink_tree_locking locking;
	enum blink_tree_placement placement;
	u64 max_bytes;
	enum blink_tree_key key;
	void (*release)(struct blink_bytes_link *link);
};

struct blink_tree *blink_tree_create(const struct blink_tree_params *params,
				     gfp_t gfp);
void blink_tree_destroy(struct blink_tree *tree);
void blink_tree_barrier(void);

int blink_tree_lookup(struct blink_tree *tree, u64 key, u64 *value);
int blink_tree_floor(struct blink_tree *tree, u64 key,
		     struct blink_tree_entry *entry);
int blink_tree_ceiling(struct blink_tree *tree, u64 key,
		       struct blink_tree_entry *entry);

int blink_tree_insert(struct blink_tree *tree, u64 key, u64 value, u64 *old,
		      gfp_t gfp);
int blink_tree_store(struct blink_tree *tree, u64 key, u64 value, u64 *old,
		     gfp_t gfp);
int blink_tree_add(struct blink_tree *tree, u64 key, u64 number, u64 *old,
		   gfp_t gfp);
int blink_tree_add_saturate(struct blink_tree *tree, u64 key, s64 number,
			    u64 *old, gfp_t gfp);
int blink_tree_replace(struct blink_tree *tree, u64 key, u64 value, u64 *old);
int blink_tree_cmpxchg(struct blink_tree *tree, u64 key, u64 *old, u64 value);
int blink_tree_erase(struct blink_tree *tree, u64 key, u64 *old);
int blink_tree_cmperase(struct blink_tree *tree, u64 key, u64 *old);
int blink_tree_pop_min(struct blink_tree *tree, u64 first,
		       struct blink_tree_entry *entry);
int blink_tree_pop_max(struct blink_tree *tree, u64 last,
		       struct blink_tree_entry *entry);

void blink_tree_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp);
int blink_tree_load(struct blink_tree *tree,
		    const struct blink_tree_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done);
void blink_tree_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, gfp_t gfp);
int blink_tree_commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, unsigned int *failed, gfp_t gfp);

/**
 * struct blink_scan - the part of a range of keys that is still to be scanned, counted
 *	or erased
 * @first: least key of this part
 * @last: greatest key of this part
 * @desc: scan from @last down to @first
 * @done: the scan has reached the end of the range
 */
struct blink_scan {
	u64 first;
	u64 last;
	bool desc;
	bool done;
};

int blink_tree_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_entry *entries, unsigned int nr);
int blink_tree_count_range(struct blink_tree *tree, struct blink_scan *scan,
			   unsigned int nr);
int blink_tree_erase_range(struct blink_tree *tree, struct blink_scan *scan,
			   struct blink_tree_entry *entries, unsigned int nr);

/* Entries that a cursor holds: enough for any leaf without BLINK_TREE_COMPRESS. */
#define BLINK_CURSOR_ENTRIES 64

/**
 * struct blink_cursor - an iteration over the entries of a range
 * @tree: the tree
 * @scan: the part of the range that was not copied yet
 * @next: position in @entries of the entry to return next
 * @count: entries in @entries
 * @entries: entries read ahead; the keys from one leaf are a snapshot of this leaf,
 *	or, with BLINK_TREE_COMPRESS, of a part of it
 *
 * A cursor belongs to one task. It holds no lock, no reference and no memory, so the
 * caller can sleep between two calls, and can drop the cursor at any time.
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
 * @entry: struct blink_tree_entry that the loop copies each entry to
 * @first: least key
 * @last: greatest key
 *
 * Context: as blink_cursor_next(). The body of the loop can sleep and can modify the
 * tree.
 */
#define blink_tree_for_each_range(cursor, tree, entry, first, last) \
	for (blink_cursor_init(cursor, tree, first, last);          \
	     blink_cursor_next(cursor, entry) > 0;)

/**
 * blink_tree_for_each() - iterate over all entries, ascending
 * @cursor: struct blink_cursor to use
 * @tree: the tree
 * @entry: struct blink_tree_entry that the loop copies each entry to
 *
 * Context: as blink_cursor_next(). The body of the loop can sleep and can modify the
 * tree.
 */
#define blink_tree_for_each(cursor, tree, entry) \
	blink_tree_for_each_range(cursor, tree, entry, 0, U64_MAX)

/**
 * blink_tree_for_each_reverse() - iterate over all entries, descending
 * @cursor: struct blink_cursor to use
 * @tree: the tree
 * @entry: struct blink_tree_entry that the loop copies each entry to
 *
 * Context: as blink_cursor_next(). The body of the loop can sleep and can modify the
 * tree.
 */
#define blink_tree_for_each_reverse(cursor, tree, entry)       \
	for (blink_cursor_init_desc(cursor, tree, 0, U64_MAX); \
	     blink_cursor_next(cursor, entry) > 0;)

/**
 * struct blink_finger - a position in a tree, for steps in an RCU read section
 * @tree: the tree
 * @key: the key of the entry where the finger is
 * @placed: the finger is at an entry; otherwise it is at both ends of the tree
 *
 * A finger belongs to one task. Its steps are inside an RCU read section of the caller,
 * and blink_finger_pause() is called before the section ends if the finger is used
 * again. The other members are private: nodes of the tree, which RCU keeps until then.
 */
struct blink_finger {
	struct blink_tree *tree;
	u64 key;
	bool placed;
	/* private: */
	unsigned int pos;
	struct blink_node *leaf;
	struct blink_node *parent;
	struct blink_index *idx;
	/* public: */
};

/**
 * blink_finger_pause() - prepare a finger for the end of the RCU read section
 * @finger: the finger
 *
 * The finger keeps its key, and no pointer to a node. The next step descends from the
 * root, in another RCU read section.
 *
 * Context: any.
 */
static inline void blink_finger_pause(struct blink_finger *finger)
{
	finger->leaf = NULL;
	finger->parent = NULL;
}

/**
 * blink_finger_init() - put a finger at both ends of a tree
 * @finger: the finger
 * @tree: the tree
 *
 * The next entry is then the first one of the tree, and the previous entry the last one.
 *
 * Context: any.
 */
static inline void blink_finger_init(struct blink_finger *finger,
				     struct blink_tree *tree)
{
	finger->tree = tree;
	finger->placed = false;
	finger->pos = 0;
	finger->idx = NULL;
	blink_finger_pause(finger);
}

int blink_finger_floor(struct blink_finger *finger, u64 key,
		       struct blink_tree_entry *entry);
int blink_finger_ceiling(struct blink_finger *finger, u64 key,
			 struct blink_tree_entry *entry);
int blink_finger_next(struct blink_finger *finger,
		      struct blink_tree_entry *entry);
int blink_finger_prev(struct blink_finger *finger,
		      struct blink_tree_entry *entry);

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
 * blink_tree_get_or_insert() - return the value of a key, which is added if absent
 * @tree: the tree
 * @key: the key
 * @value: the value for a new key; set to the present value if the key is present
 * @gfp: how to allocate
 *
 * One atomic operation, as blink_tree_insert().
 *
 * Context: as blink_tree_insert().
 * Return: 0 if the key was added; 1 if it was present; a negative errno as
 * blink_tree_insert().
 */
static inline int blink_tree_get_or_insert(struct blink_tree *tree, u64 key,
					   u64 *value, gfp_t gfp)
{
	u64 present;
	int ret = blink_tree_insert(tree, key, *value, &present, gfp);

	if (ret != -EEXIST)
		return ret;
	*value = present;
	return 1;
}

/**
 * blink_tree_lookup_ptr() - look up a key whose value is a pointer
 * @tree: the tree
 * @key: the key
 *
 * A writer that erases or replaces an entry frees the object behind its pointer only
 * after a grace period. The result is then valid until rcu_read_unlock().
 *
 * Context: as blink_tree_lookup(), inside an RCU read section of the caller.
 * Return: the pointer; NULL if the key is absent, or if blink_tree_lookup() would
 * return -EAGAIN in this context.
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
 * @ptr: pointer to an object that is initialised before the call
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
 * Return: the pointer that was removed; the caller frees its object after a grace
 * period. NULL if the key was absent, or in a context that must not modify the tree.
 */
static inline void *blink_tree_erase_ptr(struct blink_tree *tree, u64 key)
{
	u64 old;

	if (blink_tree_erase(tree, key, &old))
		return NULL;
	return (void *)(uintptr_t)old;
}

#endif /* _LINUX_BLINK_TREE_H */
