// SPDX-License-Identifier: GPL-2.0
/*
 * Operations that add a key if it is absent: insert, store and add (to a value), and the
 * split of a full leaf.
 *
 * Linearization points: a new key appears at the end of a write section, in
 * blink_node_insert() if the leaf has room and in blink_node_split() if it is
 * split. A store and an add to a present key take effect in
 * blink_leaf_set_value(), and an insert that fails because of one in present_locked().
 *
 * Memory is allocated before the lock is taken. If the leaf looks full on the
 * way, and does not seem to have the key, the writer allocates a spare leaf at
 * once without sleeping. If this fails, or the leaf turns out to be full only
 * under the lock, the writer unlocks the leaf, allocates as the caller allows,
 * and descends again. A leaf that looks hot (contention.h) is split only if
 * memory is available at once.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/slab.h>

#include "../index/alloc.h"
#include "../index/state.h"
#include "../node/entries.h"
#include "../node/form.h"
#include "../node/locking.h"
#include "../tree/limit.h"
#include "at_leaf.h"
#include "change.h"

/*
 * One insertion of an entry, or an update that splits a narrow leaf: @present, then the key
 * must be there, and with @expected it must have this value.
 */
struct insertion {
	struct blink_state state;
	blink_key_t key;
	u64 entry;
	u64 operand;
	u64 *old;
	const struct blink_expected *expected;
	u16 opcode;
	bool present;
};

/*
 * Every field has its value: a partial initialiser would clear the structure by a string
 * instruction, which takes as long as the search of a leaf.
 */
#define INSERTION(_tree, _walk, _gfp, _opcode, _key, _operand, _old) \
	{                                                            \
		.state = {                                           \
			.tree = (_tree),                             \
			.walk = (_walk),                             \
			.added = false,                              \
			.low = BLINK_BOUND_NONE,                     \
			.leaf = NULL,                                \
			.inner = NULL,                               \
			.inner_of = NULL,                            \
			.gfp = (_gfp),                               \
		},                                                   \
		.key = (_key),                                       \
		.entry = 0,                                          \
		.operand = (_operand),                               \
		.old = (_old),                                       \
		.expected = NULL,                                    \
		.opcode = (_opcode),                                 \
		.present = false,                                    \
	}

/* The walk of an insertion that begins with a descent. */
#define WALK                                                     \
	((struct blink_walk){ NULL, NULL, true, false, false, 0, \
			      BLINK_BOUND_NONE })

/* Whether the value of a present key is overwritten. */
static bool overwrites(const struct insertion *ins)
{
	const unsigned long opcodes = BIT(BLINK_TREE_OP_STORE) |
				      BIT(BLINK_TREE_OP_ADD) |
				      BIT(BLINK_TREE_OP_ADD_SATURATE);

	return BIT(ins->opcode) & opcodes;
}

/* The key was added to a locked leaf. */
static __always_inline void key_added(const struct insertion *ins)
{
	struct blink_tree *tree = ins->state.tree;

	if (blink_watched(tree))
		blink_change_put(tree, BLINK_TREE_CHANGE_INSERT, ins->key,
				 ins->entry, 0);
}

/* Overwrite the value at @pos of a locked leaf. False: a narrow leaf has to be split. */
static bool set_value(const struct insertion *ins, struct blink_node *leaf,
		      unsigned int pos, u64 old)
{
	struct blink_tree *tree = ins->state.tree;
	u64 value = blink_value_after(ins->opcode, old, ins->operand);

	if (unlikely(!blink_leaf_set_value(leaf, pos, value)))
		return false;
	if (blink_watched(tree))
		blink_change_put(tree, BLINK_TREE_CHANGE_UPDATE, ins->key,
				 value, old);
	return true;
}

/* Split a leaf, and add the key at @pos. */
static void split_leaf(struct insertion *ins, struct blink_node *left,
		       unsigned int pos)
{
	struct blink_node *right = blink_state_take_leaf(&ins->state);

	blink_node_split(ins->state.tree, left, right, pos, ins->key,
			 ins->entry);
	/* No other writer gets the key before, since both leaves are locked. */
	if (pos != BLINK_POS_NONE)
		key_added(ins);
	blink_state_publish(&ins->state, right);
}

/* Add the key to a leaf that has room for it. */
static void add_to_leaf(const struct insertion *ins, struct blink_node *leaf,
			unsigned int pos)
{
	blink_node_insert(leaf, pos, ins->key, ins->entry);
	key_added(ins);
}

/* Whether a key at @pos seems to belong to keys that are appended. */
static bool key_appended(const struct blink_node *leaf, unsigned int pos)
{
	return blink_bound_equal(leaf->high, BLINK_BOUND_LAST) &&
	       pos != BLINK_POS_NONE && pos > leaf->count / 2;
}

/*
 * Whether to split a leaf for its heat. A key will be added at @pos, or none.
 */
static __always_inline bool
leaf_relieve(struct insertion *ins, struct blink_node *leaf, unsigned int pos)
{
	if (likely(!blink_leaf_hot(leaf)) || !ins->state.leaf)
		return false;
	blink_leaf_cool(leaf);
	if (key_appended(leaf, pos))
		return false;
	blink_stat_inc(ins->state.tree, heat_splits);
	return true;
}

/*
 * Split a narrow leaf without adding the key, because neither the leaf nor its half has
 * room for the entry. The insertion goes on with the half that covers the key.
 */
static int split_more(struct insertion *ins, struct blink_node *leaf)
{
	if (ins->state.leaf)
		split_leaf(ins, leaf, BLINK_POS_NONE);
	return -EAGAIN;
}

/* The key is present at @pos. */
static int present_locked(struct insertion *ins, struct blink_node *leaf,
			  unsigned int pos)
{
	u64 value = blink_leaf_value(leaf, blink_leaf_form_locked(leaf), pos);
	bool stale = !blink_is_expected(ins->state.tree, ins->expected, value);
	bool overwrite = overwrites(ins);

	blink_assert_locked(&leaf->lock);
	/*
	 * LP: insert (-EEXIST), cmpxchg (-ESTALE) that splits; others have it in
	 * blink_leaf_set_value()
	 */
	if (overwrite && !stale && unlikely(!set_value(ins, leaf, pos, value)))
		return split_more(ins, leaf);
	if (ins->old)
		*ins->old = value;
	if (leaf_relieve(ins, leaf, BLINK_POS_NONE))
		split_leaf(ins, leaf, BLINK_POS_NONE);
	if (stale)
		return -ESTALE;
	return overwrite ? 1 : -EEXIST;
}

/* -EAGAIN: a spare leaf is needed, perhaps after the leaf was split. */
static int insert_locked(struct insertion *ins, struct blink_node *leaf)
{
	struct blink_tree *tree = ins->state.tree;
	unsigned int form = blink_leaf_form_locked(leaf), pos;
	bool room;

	blink_assert_locked(&leaf->lock);
	pos = blink_leaf_search(leaf, form, ins->key);
	if (pos < leaf->count && blink_leaf_has(leaf, form, pos, ins->key))
		return present_locked(ins, leaf, pos);
	/* LP: replace, cmpxchg (-ENOENT) that splits */
	if (unlikely(ins->present))
		return -ENOENT;
	room = blink_leaf_room(leaf, ins->key, ins->entry);
	if (!room && !ins->state.leaf)
		return blink_limit_reached(tree) ? -ENOSPC : -EAGAIN;
	if (!room && !blink_leaf_splits(leaf, pos, ins->key, ins->entry))
		return split_more(ins, leaf);
	if (!blink_tree_reserve(tree))
		return -ENOSPC;
	if (!room || leaf_relieve(ins, leaf, pos))
		split_leaf(ins, leaf, pos);
	else
		add_to_leaf(ins, leaf, pos);
	blink_stat_inc(tree, inserts);
	return 0;
}

/*
 * Whether adding a key is likely to split a leaf that is full or hot; a hint,
 * without the lock. If it is wrong, a spare leaf is allocated but not used, or
 * is allocated after the lock was held.
 */
static bool may_split(struct blink_tree *tree, struct blink_node *leaf,
		      blink_key_t key)
{
	unsigned int form = blink_leaf_form(leaf), pos;

	/* Allocate nothing for an entry that the tree would refuse. */
	if (blink_limit_near(tree))
		return false;
	/*
	 * In a batch of ascending keys, all but the first go on to the right.
	 */
	if (blink_node_beyond(leaf, key))
		return false;
	if (blink_leaf_hot(leaf))
		return true;
	pos = blink_leaf_search(leaf, form, key);
	return pos >= blink_leaf_count(leaf, form) ||
	       !blink_leaf_has(leaf, form, pos, key);
}

/*
 * Add the key, beginning at the leaf where the descent ended. -EAGAIN: a spare
 * leaf is needed.
 */
static int insert_from(struct insertion *ins, struct blink_node *leaf)
{
	struct blink_tree *tree = ins->state.tree;
	unsigned long flags;
	int ret;

	if (unlikely(blink_leaf_full(leaf) || blink_leaf_hot(leaf)) &&
	    may_split(tree, leaf, ins->key))
		blink_state_prealloc(&ins->state, ins->key);
	flags = blink_writer_begin(tree);
	leaf = blink_lock_covering(tree, &ins->state.walk, leaf, ins->key);
	ret = insert_locked(ins, leaf);
	blink_node_unlock(tree, leaf);
	blink_writer_end(tree, flags);
	return ret;
}

static int insert_once(struct insertion *ins)
{
	struct blink_walk *walk = &ins->state.walk;
	struct blink_node *leaf;
	int ret;

	rcu_read_lock();
	walk->parent = NULL;
	leaf = blink_descend_leaf(ins->state.tree, ins->key, walk);
	ret = insert_from(ins, leaf);
	rcu_read_unlock();
	return ret;
}

/*
 * Get a spare leaf before another attempt. After an attempt that used one for a split,
 * the indexes are told of this instead: there may be room now.
 */
static int more_nodes(struct insertion *ins)
{
	if (ins->state.added) {
		blink_state_post(&ins->state);
		return 0;
	}
	return blink_leaf_get(ins->state.tree, &ins->state.leaf,
			      ins->state.gfp);
}

/* Make the entry that is added if the key is absent. */
static int make_entry(struct insertion *ins)
{
	u64 value = blink_value_after(ins->opcode, 0, ins->operand);

	return blink_entry_make(ins->state.tree, ins->key, value,
				ins->state.gfp, &ins->entry);
}

/**
 * blink_add_from() - add a key after the descent
 * @tree: the tree
 * @leaf: the leaf where the descent ended
 * @walk: the record of the descent; @lacks is set if an index has to be mended
 * @op: an operation that adds a key if it is absent
 * @gfp: how to allocate; the function does not sleep
 *
 * Context: as blink_tree_insert(), never sleeps; rcu_read_lock() held since the
 * descent.
 * Return: as blink_tree_insert() or blink_tree_store(), but -EAGAIN instead of
 * -ENOMEM; then no entry has changed.
 */
int blink_add_from(struct blink_tree *tree, struct blink_node *leaf,
		   struct blink_walk *walk, struct blink_tree_ioc_op *op,
		   gfp_t gfp)
{
	struct insertion ins = INSERTION(tree, *walk, blink_gfp_easy(gfp),
					 op->opcode, op->key, op->value,
					 &op->old);
	int ret;

	if (make_entry(&ins))
		return -EAGAIN;
	/* The copy has the reference. */
	walk->low = BLINK_BOUND_NONE;
	ret = insert_from(&ins, leaf);
	if (unlikely(ret == -EAGAIN) && !ins.state.added &&
	    !blink_leaf_get(tree, &ins.state.leaf, ins.state.gfp))
		ret = insert_from(&ins, leaf);
	if (unlikely(blink_state_post(&ins.state) &&
		     gfp & __GFP_DIRECT_RECLAIM)) {
		walk->lacks = true;
		blink_bound_set(tree, &walk->low, ins.state.low);
	}
	blink_state_end(&ins.state);
	blink_entry_end(tree, ins.entry, ret);
	return blink_change_end(tree, ret);
}

/* Add the key, and allocate spare leaves until it is added. */
static int insert(struct insertion *ins)
{
	int ret;

	do {
		ret = insert_once(ins);
	} while (ret == -EAGAIN && !(ret = more_nodes(ins)));
	blink_state_post(&ins->state);
	blink_state_end(&ins->state);
	return blink_change_end(ins->state.tree, ret);
}

/**
 * blink_add() - add a key, or overwrite its value
 * @tree: the tree
 * @opcode: an operation that adds a key if it is absent
 * @key: the key
 * @operand: the value of the operation
 * @old: set to the present value if the key is present; may be NULL
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert(); @tree fits.
 * Return: as blink_tree_insert() or, if @opcode overwrites, as blink_tree_store().
 */
int blink_add(struct blink_tree *tree, u16 opcode, blink_key_t key, u64 operand,
	      u64 *old, gfp_t gfp)
{
	struct insertion ins =
		INSERTION(tree, WALK, gfp, opcode, key, operand, old);
	int ret;

	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	ret = make_entry(&ins);
	if (unlikely(ret))
		return ret;
	ret = insert(&ins);
	blink_entry_end(tree, ins.entry, ret);
	return ret;
}

/**
 * blink_insert_entry() - add an entry that blink_entry_make() has made
 * @tree: the tree
 * @key: its key
 * @entry: the entry
 * @gfp: how to allocate
 *
 * Context: as blink_tree_insert().
 * Return: likewise.
 */
int blink_insert_entry(struct blink_tree *tree, blink_key_t key, u64 entry,
		       gfp_t gfp)
{
	struct insertion ins =
		INSERTION(tree, WALK, gfp, BLINK_TREE_OP_INSERT, key, 0, NULL);

	ins.entry = entry;
	return insert(&ins);
}

/**
 * blink_set_splitting() - overwrite a value, and split its leaf if need be
 * @tree: the tree
 * @key: the key
 * @expected: the value that the key must have, or NULL
 * @value: its new value
 * @old: set to the value that it found
 * @gfp: how to allocate
 *
 * Each split halves the entries of the leaf, so a few of them suffice.
 *
 * Context: as blink_tree_insert().
 * Return: 0; -ESTALE if the value was not @expected; -ENOENT; or the error of an
 * insertion without memory.
 */
int blink_set_splitting(struct blink_tree *tree, blink_key_t key,
			const struct blink_expected *expected, u64 value,
			u64 *old, gfp_t gfp)
{
	struct insertion ins = INSERTION(tree, WALK, gfp, BLINK_TREE_OP_STORE,
					 key, value, old);

	ins.expected = expected;
	ins.present = true;
	return min(insert(&ins), 0);
}

/**
 * blink_tree_insert() - add a key
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @old: set to the present value if the key is present; may be NULL
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: process or softirq, with interrupts enabled; any but NMI if the tree
 * has BLINK_TREE_IRQSAFE. Sleeps if @gfp allows it. On PREEMPT_RT: process,
 * preemptible, because memory cannot be allocated elsewhere.
 * Return: 0; -EEXIST if the key is present; -ENOSPC if the tree has reached its
 * max_entries, which can include the key of an erase under way, or its
 * max_bytes; -EDQUOT if the trees of its creator have reached their limit;
 * -ENOMEM if memory ran out, or if more than 256 MiB of the tree wait for a grace period, and
 * @gfp does not allow sleeping or the task is killed meanwhile; -EAGAIN if @gfp allows
 * sleeping and has %__GFP_NORETRY, instead of a wait for memory of the tree that is about to
 * be free; -EPERM in a context that must not modify this tree; -EOPNOTSUPP if the tree has keys or
 * values of another kind. With any error the tree has not changed.
 */
int blink_tree_insert(struct blink_tree *tree, blink_key_t key, u64 value,
		      u64 *old, gfp_t gfp)
{
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_add(tree, BLINK_TREE_OP_INSERT, key, value, old, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_insert);

/**
 * blink_tree_store() - add a key, or overwrite its value
 * @tree: the tree
 * @key: the key
 * @value: its value
 * @old: set to the old value if there was one; may be NULL
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: as blink_tree_insert().
 * Return: 0 if the key was added, 1 if its value was overwritten; -ENOSPC if
 * the key is absent and the tree has reached its max_entries or max_bytes, or
 * if a leaf of a tree with BLINK_TREE_COMPRESS would have to be split beyond
 * max_bytes; -EDQUOT, -ENOMEM, -EAGAIN, -EPERM and -EOPNOTSUPP as blink_tree_insert().
 */
int blink_tree_store(struct blink_tree *tree, blink_key_t key, u64 value,
		     u64 *old, gfp_t gfp)
{
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_add(tree, BLINK_TREE_OP_STORE, key, value, old, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_store);

/**
 * blink_tree_add() - add a number to the value of a key
 * @tree: the tree
 * @key: the key
 * @number: added to the value, modulo 2^64: so -1 takes one off
 * @old: set to the old value if there was one; may be NULL
 * @gfp: how to allocate, if a node has to be split
 *
 * If the key is absent, it is added with the value @number.
 *
 * Context: as blink_tree_insert().
 * Return: 0 if the key was added, 1 if its value was overwritten; errors as
 * blink_tree_store().
 */
int blink_tree_add(struct blink_tree *tree, blink_key_t key, u64 number,
		   u64 *old, gfp_t gfp)
{
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_add(tree, BLINK_TREE_OP_ADD, key, number, old, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_add);

/**
 * blink_tree_add_saturate() - add a signed number to the value of a key, within its limits
 * @tree: the tree
 * @key: the key
 * @number: added to the value; the sum is 0 instead of a negative number, and 2^64 - 1
 *	instead of a greater one
 * @old: set to the old value if there was one; may be NULL
 * @gfp: how to allocate, if a node has to be split
 *
 * If the key is absent, it is added, as if its value were 0.
 *
 * Context: as blink_tree_insert().
 * Return: as blink_tree_add().
 */
int blink_tree_add_saturate(struct blink_tree *tree, blink_key_t key,
			    s64 number, u64 *old, gfp_t gfp)
{
	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_add(tree, BLINK_TREE_OP_ADD_SATURATE, key, number, old,
			 gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_add_saturate);
