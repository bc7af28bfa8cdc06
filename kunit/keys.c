// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of keys.h. Each calls the function that it is named after, of the kind of
 * keys that the tree has, in the same contexts and with the same result.
 */
#include <linux/bug.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "../module/core/tree/tree.h"
#include "keys_bytes.h"

enum blink_tree_key keys_kind;

static bool is_wide(const struct blink_tree *tree)
{
	return tree->layout == BLINK_LAYOUT_U128;
}

static bool is_narrow(const struct blink_tree *tree)
{
	return tree->layout == BLINK_LAYOUT_U64;
}

static bool is_bytes(const struct blink_tree *tree)
{
	return tree->layout == BLINK_LAYOUT_BYTES;
}

/* The least key that is not less than this one when it is widened. */
static u64 round_up_key(u128 wide)
{
	u64 key = (u64)(wide >> 61);

	return key + (keys_wide(key) < wide && key < U64_MAX);
}

/* The greatest key that is not greater. */
static u64 round_down_key(u128 wide)
{
	u64 key = (u64)(wide >> 61);

	return key - (keys_wide(key) > wide && key);
}

/*
 * The opposite of keys_wide(), for keys that were widened: a tree has no other ones.
 */
u64 keys_narrow(u128 wide)
{
	u64 key = (u64)(wide >> 61);

	WARN_ON_ONCE(keys_wide(key) != wide);
	return key;
}

/* blink_tree_create() with keys of the kind keys_kind. */
struct blink_tree *keys_create(const struct blink_tree_params *params,
			       gfp_t gfp)
{
	struct blink_tree_params all = {};

	if (params)
		all = *params;
	if (!all.key && !(all.flags & BLINK_TREE_COMPRESS))
		all.key = keys_kind;
	return blink_tree_create(&all, gfp);
}

/* Call the function for the kind of keys that the tree has. */
#define CALL(tree, fn, key, ...)                                             \
	(is_bytes(tree) ?                                                    \
		 blink_tree_bytes_##fn(tree, KEYS_BYTES(key), __VA_ARGS__) : \
	 is_wide(tree) ?                                                     \
		 blink_tree_u128_##fn(tree, keys_wide(key), __VA_ARGS__) :   \
		 blink_tree_##fn(tree, key, __VA_ARGS__))

int keys_lookup(struct blink_tree *tree, u64 key, u64 *value)
{
	return CALL(tree, lookup, key, value);
}

int keys_insert(struct blink_tree *tree, u64 key, u64 value, u64 *old,
		gfp_t gfp)
{
	return CALL(tree, insert, key, value, old, gfp);
}

int keys_store(struct blink_tree *tree, u64 key, u64 value, u64 *old, gfp_t gfp)
{
	return CALL(tree, store, key, value, old, gfp);
}

int keys_add(struct blink_tree *tree, u64 key, u64 number, u64 *old, gfp_t gfp)
{
	return CALL(tree, add, key, number, old, gfp);
}

int keys_add_saturate(struct blink_tree *tree, u64 key, s64 number, u64 *old,
		      gfp_t gfp)
{
	return CALL(tree, add_saturate, key, number, old, gfp);
}

int keys_replace(struct blink_tree *tree, u64 key, u64 value, u64 *old)
{
	return CALL(tree, replace, key, value, old);
}

int keys_cmpxchg(struct blink_tree *tree, u64 key, u64 *old, u64 value)
{
	return CALL(tree, cmpxchg, key, old, value);
}

int keys_erase(struct blink_tree *tree, u64 key, u64 *old)
{
	return CALL(tree, erase, key, old);
}

int keys_cmperase(struct blink_tree *tree, u64 key, u64 *old)
{
	return CALL(tree, cmperase, key, old);
}

/* Pass on an entry that was found, as @ret says. */
static int found(int ret, bool success,
		 const struct blink_tree_u128_entry *wide,
		 struct blink_tree_entry *entry)
{
	if (!success)
		return ret;
	entry->key = keys_narrow(wide->key);
	entry->value = wide->value;
	return ret;
}

#define NEAREST(tree, fn, key, entry)                                    \
	nearest(tree, key, entry, blink_tree_##fn, blink_tree_u128_##fn, \
		blink_tree_bytes_##fn)

static int nearest(struct blink_tree *tree, u64 key,
		   struct blink_tree_entry *entry,
		   typeof(blink_tree_floor) narrow_fn,
		   typeof(blink_tree_u128_floor) wide_fn,
		   typeof(blink_tree_bytes_floor) bytes_fn)
{
	struct blink_tree_u128_entry wide;
	int ret;

	if (is_bytes(tree))
		return keys_bytes_nearest(tree, bytes_fn, key, entry);
	if (!is_wide(tree))
		return narrow_fn(tree, key, entry);
	ret = wide_fn(tree, keys_wide(key), &wide);
	return found(ret, !ret, &wide, entry);
}

int keys_floor(struct blink_tree *tree, u64 key, struct blink_tree_entry *entry)
{
	return NEAREST(tree, floor, key, entry);
}

int keys_ceiling(struct blink_tree *tree, u64 key,
		 struct blink_tree_entry *entry)
{
	return NEAREST(tree, ceiling, key, entry);
}

int keys_pop_min(struct blink_tree *tree, u64 first,
		 struct blink_tree_entry *entry)
{
	return NEAREST(tree, pop_min, keys_bytes_exact(first, true), entry);
}

int keys_pop_max(struct blink_tree *tree, u64 last,
		 struct blink_tree_entry *entry)
{
	return NEAREST(tree, pop_max, keys_bytes_exact(last, false), entry);
}

int keys_get_or_insert(struct blink_tree *tree, u64 key, u64 *value, gfp_t gfp)
{
	if (is_bytes(tree))
		return keys_bytes_get_or_insert(tree, key, value, gfp);
	if (is_wide(tree))
		return blink_tree_u128_get_or_insert(tree, keys_wide(key),
						     value, gfp);
	return blink_tree_get_or_insert(tree, key, value, gfp);
}

/* The operation on the key that is widened. */
struct blink_tree_u128_op keys_wide_op(const struct blink_tree_ioc_op *op)
{
	return (struct blink_tree_u128_op){
		.opcode = op->opcode,
		.flags = op->flags,
		.result = op->result,
		.key = keys_wide(op->key),
		.value = op->value,
		.old = op->old,
	};
}

void keys_wide_op_end(struct blink_tree_ioc_op *op,
		      const struct blink_tree_u128_op *wide)
{
	op->result = wide->result;
	op->key = keys_narrow(wide->key);
	op->value = wide->value;
	op->old = wide->old;
}

void keys_op(struct blink_tree *tree, struct blink_tree_ioc_op *op, gfp_t gfp)
{
	struct blink_tree_u128_op wide;

	if (is_bytes(tree)) {
		keys_bytes_op(tree, op, gfp);
		return;
	}
	if (!is_wide(tree)) {
		blink_tree_op(tree, op, gfp);
		return;
	}
	wide = keys_wide_op(op);
	blink_tree_u128_op(tree, &wide, gfp);
	keys_wide_op_end(op, &wide);
}

/* As many operations or entries have room on the stack, in any context. */
#define FEW 16

/* Room for @nr elements, of which a few are at @few. No allocation of it ever fails. */
static void *get_room(void *few, size_t nr, size_t size)
{
	if (nr <= FEW)
		return few;
	return kvmalloc_array(nr, size, GFP_KERNEL | __GFP_NOFAIL);
}

static void put_room(void *few, void *room)
{
	if (room != few)
		kvfree(room);
}

/* With @commit the operations are a commit, otherwise a batch. */
static int many(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		unsigned int nr, bool commit, unsigned int *failed, gfp_t gfp)
{
	struct blink_tree_u128_op few[FEW] = {}, *wide;
	unsigned int i;
	int ret = 0;

	if (is_bytes(tree))
		return keys_bytes_many(tree, ops, nr, commit, failed, gfp);
	if (!is_wide(tree)) {
		if (commit)
			return blink_tree_commit(tree, ops, nr, failed, gfp);
		blink_tree_batch(tree, ops, nr, gfp);
		return 0;
	}
	wide = get_room(few, nr, sizeof(*wide));
	for (i = 0; i < nr; i++)
		wide[i] = keys_wide_op(&ops[i]);
	if (commit)
		ret = blink_tree_u128_commit(tree, wide, nr, failed, gfp);
	else
		blink_tree_u128_batch(tree, wide, nr, gfp);
	for (i = 0; i < nr; i++)
		keys_wide_op_end(&ops[i], &wide[i]);
	put_room(few, wide);
	return ret;
}

void keys_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		unsigned int nr, gfp_t gfp)
{
	many(tree, ops, nr, false, NULL, gfp);
}

int keys_commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		unsigned int nr, unsigned int *failed, gfp_t gfp)
{
	return many(tree, ops, nr, true, failed, gfp);
}

int keys_load(struct blink_tree *tree, const struct blink_tree_entry *entries,
	      unsigned int nr, unsigned int fill, gfp_t gfp, unsigned int *done)
{
	struct blink_tree_u128_entry few[FEW] = {}, *wide;
	unsigned int i;
	int ret;

	if (is_bytes(tree))
		return keys_bytes_load(tree, entries, nr, fill, gfp, done);
	if (!is_wide(tree))
		return blink_tree_load(tree, entries, nr, fill, gfp, done);
	wide = get_room(few, nr, sizeof(*wide));
	for (i = 0; i < nr; i++) {
		wide[i].key = keys_wide(entries[i].key);
		wide[i].value = entries[i].value;
	}
	ret = blink_tree_u128_load(tree, wide, nr, fill, gfp, done);
	put_room(few, wide);
	return ret;
}

static struct blink_u128_scan wide_scan(const struct blink_scan *scan)
{
	return (struct blink_u128_scan){
		.first = keys_wide(scan->first),
		.last = keys_wide(scan->last),
		.desc = scan->desc,
		.done = scan->done,
	};
}

static void scan_goes_on(struct blink_scan *scan,
			 const struct blink_u128_scan *wide)
{
	scan->first = round_up_key(wide->first);
	scan->last = round_down_key(wide->last);
	scan->done = wide->done;
}

int keys_count_range(struct blink_tree *tree, struct blink_scan *scan,
		     unsigned int nr)
{
	struct blink_u128_scan wide;
	int ret;

	if (is_bytes(tree))
		return keys_bytes_count_range(tree, scan, nr);
	if (!is_wide(tree))
		return blink_tree_count_range(tree, scan, nr);
	wide = wide_scan(scan);
	ret = blink_tree_u128_count_range(tree, &wide, nr);
	scan_goes_on(scan, &wide);
	return ret;
}

/* A scan, or with @erase the erase of a range; @entries can be NULL then. */
static int for_range(struct blink_tree *tree, struct blink_scan *scan,
		     struct blink_tree_entry *entries, unsigned int nr,
		     bool erase)
{
	struct blink_tree_u128_entry few[FEW], *found = NULL;
	struct blink_u128_scan wide = wide_scan(scan);
	int ret, i;

	if (entries)
		found = get_room(few, nr, sizeof(*found));
	if (erase)
		ret = blink_tree_u128_erase_range(tree, &wide, found, nr);
	else
		ret = blink_tree_u128_scan(tree, &wide, found, nr);
	for (i = 0; entries && i < ret; i++) {
		entries[i].key = keys_narrow(found[i].key);
		entries[i].value = found[i].value;
	}
	scan_goes_on(scan, &wide);
	if (entries)
		put_room(few, found);
	return ret;
}

int keys_scan(struct blink_tree *tree, struct blink_scan *scan,
	      struct blink_tree_entry *entries, unsigned int nr)
{
	if (is_bytes(tree))
		return keys_bytes_scan(tree, scan, entries, nr);
	if (is_wide(tree))
		return for_range(tree, scan, entries, nr, false);
	return blink_tree_scan(tree, scan, entries, nr);
}

int keys_erase_range(struct blink_tree *tree, struct blink_scan *scan,
		     struct blink_tree_entry *entries, unsigned int nr)
{
	if (is_bytes(tree))
		return keys_bytes_erase_range(tree, scan, entries, nr);
	if (is_wide(tree))
		return for_range(tree, scan, entries, nr, true);
	return blink_tree_erase_range(tree, scan, entries, nr);
}

static void cursor_init(struct keys_cursor *cursor, struct blink_tree *tree,
			u64 first, u64 last, bool desc)
{
	cursor->tree = tree;
	if (is_bytes(tree))
		cursor->steps = (struct keys_steps){ first, last, desc };
	else if (is_wide(tree))
		(desc ? blink_u128_cursor_init_desc : blink_u128_cursor_init)(
			&cursor->wide, tree, keys_wide(first), keys_wide(last));
	else
		(desc ? blink_cursor_init_desc :
			blink_cursor_init)(&cursor->narrow, tree, first, last);
}

void keys_cursor_init(struct keys_cursor *cursor, struct blink_tree *tree,
		      u64 first, u64 last)
{
	cursor_init(cursor, tree, first, last, false);
}

void keys_cursor_init_desc(struct keys_cursor *cursor, struct blink_tree *tree,
			   u64 first, u64 last)
{
	cursor_init(cursor, tree, first, last, true);
}

int keys_cursor_next(struct keys_cursor *cursor, struct blink_tree_entry *entry)
{
	struct blink_tree_u128_entry wide;
	int ret;

	if (is_bytes(cursor->tree))
		return keys_bytes_next(cursor->tree, &cursor->steps, entry);
	if (!is_wide(cursor->tree))
		return blink_cursor_next(&cursor->narrow, entry);
	ret = blink_u128_cursor_next(&cursor->wide, &wide);
	return found(ret, ret > 0, &wide, entry);
}

void keys_finger_init(struct keys_finger *finger, struct blink_tree *tree)
{
	finger->tree = tree;
	finger->placed = false;
	if (is_wide(tree))
		blink_u128_finger_init(&finger->wide, tree);
	else if (is_narrow(tree))
		blink_finger_init(&finger->narrow, tree);
}

void keys_finger_pause(struct keys_finger *finger)
{
	if (is_wide(finger->tree))
		blink_u128_finger_pause(&finger->wide);
	else if (is_narrow(finger->tree))
		blink_finger_pause(&finger->narrow);
}

/* Where the finger is now. A step by a finger with 128-bit keys found @wide. */
static int stepped(struct keys_finger *finger, int ret,
		   const struct blink_tree_u128_entry *wide,
		   struct blink_tree_entry *entry)
{
	if (is_wide(finger->tree)) {
		finger->placed = finger->wide.placed;
		if (finger->placed)
			finger->key = keys_narrow(finger->wide.key);
		return found(ret, !ret, wide, entry);
	}
	finger->placed = finger->narrow.placed;
	if (finger->placed)
		finger->key = finger->narrow.key;
	return ret;
}

static int finger_nearest(struct keys_finger *finger, u64 key, bool below,
			  struct blink_tree_entry *entry)
{
	struct blink_tree_u128_entry wide;
	int ret;

	if (is_bytes(finger->tree))
		return keys_bytes_step(finger, key, below, entry);
	if (is_wide(finger->tree))
		ret = (below ? blink_u128_finger_floor :
			       blink_u128_finger_ceiling)(
			&finger->wide, keys_wide(key), &wide);
	else
		ret = (below ? blink_finger_floor : blink_finger_ceiling)(
			&finger->narrow, key, entry);
	return stepped(finger, ret, &wide, entry);
}

int keys_finger_floor(struct keys_finger *finger, u64 key,
		      struct blink_tree_entry *entry)
{
	return finger_nearest(finger, key, true, entry);
}

int keys_finger_ceiling(struct keys_finger *finger, u64 key,
			struct blink_tree_entry *entry)
{
	return finger_nearest(finger, key, false, entry);
}

static int finger_step(struct keys_finger *finger, bool back,
		       struct blink_tree_entry *entry)
{
	struct blink_tree_u128_entry wide;
	int ret;

	if (is_bytes(finger->tree))
		return keys_bytes_finger_step(finger, back, entry);
	if (is_wide(finger->tree))
		ret = (back ? blink_u128_finger_prev :
			      blink_u128_finger_next)(&finger->wide, &wide);
	else
		ret = (back ? blink_finger_prev :
			      blink_finger_next)(&finger->narrow, entry);
	return stepped(finger, ret, &wide, entry);
}

int keys_finger_next(struct keys_finger *finger, struct blink_tree_entry *entry)
{
	return finger_step(finger, false, entry);
}

int keys_finger_prev(struct keys_finger *finger, struct blink_tree_entry *entry)
{
	return finger_step(finger, true, entry);
}
