// SPDX-License-Identifier: GPL-2.0
/*
 * Reading ranges of keys that have one value each.
 *
 * A tree with ranges is a step function: the entry of a key gives the value from this key up
 * to the next one, and 0 is a hole. So the range of a key lies between two boundaries, its
 * floor and the next greater key, which are read at one moment: in one leaf, in most cases.
 * Otherwise the leaves that have them, and all leaves between, are read one by one, and the
 * sequences of all but the last are compared once more, as for a floor (nearest.c).
 *
 * Linearization points: of a lookup, in view_look(), the load of the value of the floor in the
 * leaf that is read last, or the last load of a key if there is no floor; if it needed locks,
 * that of its commit. A search takes effect with the lookup of the range or hole that it
 * returns. That there is none was true of each key at its lookup, not of all at one moment.
 */
#include <linux/blink_range.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "../index/walk.h"
#include "../tree/writer.h"
#include "at_leaf.h"
#include "found.h"
#include "range.h"

/* The most leaves that a lookup reads without locks. */
#define VIEW_LEAVES 8
/* Attempts without locks before one with locks. */
#define VIEW_TRIES 8

/**
 * struct view_look - a look at a leaf for the boundaries around a key
 * @key: the key
 * @view: the boundaries that the leaf has
 * @low: its low key
 * @high: its high key
 * @leftmost: it has no left neighbour
 * @rightmost: it has no right neighbour
 */
struct view_look {
	blink_key_t key;
	struct blink_range_view view;
	blink_key_t low;
	blink_key_t high;
	bool leftmost;
	bool rightmost;
};

static __always_inline void view_look(struct blink_node *leaf, void *arg)
{
	struct view_look *look = arg;
	unsigned int form = blink_leaf_form(leaf);
	unsigned int count = blink_leaf_count(leaf, form);
	unsigned int pos = blink_leaf_search(leaf, form, look->key);

	/* While a writer moves entries, the position can be any. */
	pos = min(pos, count);
	if (pos < count && blink_leaf_has(leaf, form, pos, look->key))
		pos++;
	look->view.has_before = pos;
	look->view.has_next = pos < count;
	/* LP: blink_range_lookup(), the load of the value */
	if (pos)
		blink_found_set(&look->view.before, leaf, form, pos - 1);
	if (pos < count)
		look->view.next = blink_leaf_key(leaf, form, pos);
	look->low = blink_bound_key(leaf->low);
	look->high = blink_bound_key(blink_node_high(leaf));
	look->leftmost = blink_node_leftmost(leaf);
	look->rightmost = !rcu_access_pointer(leaf->right);
}

/**
 * struct view_read - a lookup without locks
 * @tree: the tree
 * @look: the last look
 * @nr: leaves that were read
 * @leaf: these leaves
 * @seq: the sequence of each
 */
struct view_read {
	struct blink_tree *tree;
	struct view_look look;
	unsigned int nr;
	struct blink_node *leaf[VIEW_LEAVES];
	u32 seq[VIEW_LEAVES];
};

/* Read the leaf that covers @at. -ERESTART: there were too many of them. */
static int view_read_leaf(struct view_read *read, blink_key_t at)
{
	struct blink_node *leaf;

	if (read->nr == VIEW_LEAVES)
		return -ERESTART;
	leaf = blink_descend_leaf(read->tree, at, NULL);
	leaf = blink_read_covering(read->tree, leaf, at, view_look, &read->look,
				   &read->seq[read->nr]);
	if (!leaf)
		return -EAGAIN;
	read->leaf[read->nr++] = leaf;
	return 0;
}

/* Whether all leaves that were read before the last one are unchanged. */
static bool view_unchanged(const struct view_read *read)
{
	unsigned int i;

	/* Pairs with the smp_wmb() in blink_write_begin(), as in nearest_unchanged(). */
	smp_rmb();
	for (i = 0; i + 1 < read->nr; i++) {
		if (READ_ONCE(read->leaf[i]->seq) != read->seq[i])
			return false;
	}
	return true;
}

/* Whether a leaf has both boundaries, or ends where there are none. */
static bool view_complete(const struct view_look *look)
{
	return (look->view.has_before || look->leftmost) &&
	       (look->view.has_next || look->rightmost);
}

/*
 * Read the leaf of the key; leaves to the right, until one has the next key; leaves to the
 * left, until one has the floor. The leaf of the floor is read last, once more if it was the
 * first of several: a value can be overwritten without a change of the sequence.
 */
static int view_once(struct view_read *read, struct blink_range_view *view)
{
	struct view_look *look = &read->look, first;
	int ret = view_read_leaf(read, look->key);

	if (ret)
		return ret;
	*view = look->view;
	if (view_complete(look))
		return 0;
	first = *look;
	while (!ret && !look->view.has_next && !look->rightmost) {
		ret = view_read_leaf(read, blink_key_after(look->high));
		view->has_next = look->view.has_next;
		view->next = look->view.next;
	}
	if (!ret && read->nr > 1 && first.view.has_before) {
		ret = view_read_leaf(read, look->key);
		/* Two leaves have the key while they are merged. */
		if (!ret && read->leaf[read->nr - 1] != read->leaf[0])
			ret = -ERESTART;
	} else {
		*look = first;
		while (!ret && !look->view.has_before && !look->leftmost)
			ret = view_read_leaf(read, look->low);
	}
	view->has_before = look->view.has_before;
	view->before = look->view.before;
	if (!ret && !view_unchanged(read))
		ret = -ERESTART;
	return ret;
}

/* The condition that a boundary is there with its value, or that there is no such key. */
static struct blink_tree_ioc_op view_condition(bool present, blink_key_t key,
					       u64 value)
{
	return (struct blink_tree_ioc_op){
		.opcode = present ? BLINK_TREE_OP_EXPECT : BLINK_TREE_OP_ABSENT,
		.key = key,
		.old = value,
	};
}

/*
 * Find the boundaries one after the other, and then see in a commit that they are neighbours.
 * -ERESTART: they are not any more.
 */
static noinline_for_stack int view_with_locks(struct blink_tree *tree,
					      blink_key_t key,
					      struct blink_range_view *view)
{
	struct blink_tree_entry next = { .key = BLINK_KEY_GREATEST };
	struct blink_tree_ioc_op ops[2];
	struct blink_place place = {};
	unsigned int failed;
	int ret;

	if (!blink_may_wait(tree))
		return -EAGAIN;
	blink_stat_inc(tree, read_locks);
	view->has_before =
		!blink_nearest_from(tree, &place, key, true, &view->before);
	place = (struct blink_place){};
	view->has_next =
		key < BLINK_KEY_GREATEST &&
		!blink_nearest_from(tree, &place, key + 1, false, &next);
	view->next = next.key;
	ops[0] = view_condition(view->has_before, blink_range_first(view),
				blink_range_value(view));
	ops[1] = view_condition(view->has_next, next.key, next.value);
	/* A boundary at the greatest key is the last one. */
	if (blink_key_less(ops[0].key, ops[1].key))
		ops[0].flags = BLINK_TREE_COMMIT_EMPTY;
	/* It allocates nothing, also for nodes that its descents find without an entry. */
	ret = blink_commit(tree, ops, ops[0].flags ? 2 : 1, &failed, 0);
	return ret == -ESTALE || ret == -E2BIG ? -ERESTART : ret;
}

/**
 * blink_range_view() - try to find the boundaries around a key
 * @tree: the tree
 * @key: the key
 * @view: set to them
 *
 * An attempt without locks fails if a writer changes one of several leaves meanwhile, and the
 * last one, with locks, if it changes one of the boundaries.
 *
 * Context: as blink_tree_lookup(); @tree fits.
 * Return: 0; -ERESTART if all attempts failed; -EAGAIN as blink_tree_lookup().
 */
int blink_range_view(struct blink_tree *tree, blink_key_t key,
		     struct blink_range_view *view)
{
	struct view_read read;
	unsigned int tries;
	int ret = -ERESTART;

	/* Not the leaves that it will read: most lookups read one. */
	read.tree = tree;
	read.look.key = key;
	for (tries = 0; ret == -ERESTART && tries < VIEW_TRIES; tries++) {
		read.nr = 0;
		rcu_read_lock();
		ret = view_once(&read, view);
		rcu_read_unlock();
	}
	if (ret == -ERESTART)
		ret = view_with_locks(tree, key, view);
	return ret;
}

/* Find a range once: -ERESTART as blink_range_view(). */
static int range_find(struct blink_tree *tree, blink_key_t key,
		      struct blink_range *range)
{
	struct blink_range_view view;
	int ret;

	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	ret = blink_range_view(tree, key, &view);
	if (ret)
		return ret;
	range->first = blink_range_first(&view);
	range->last = blink_range_last(&view);
	range->value = blink_range_value(&view);
	return 0;
}

/* Others can change the boundaries again and again. A task that was killed waits no longer. */
static bool search_is_over(void)
{
	return in_task() && fatal_signal_pending(current);
}

/**
 * blink_range_lookup() - find the range, or the hole, that has a key
 * @tree: the tree
 * @key: the key
 * @range: set to the range; its value is 0 if the key is in a hole
 *
 * Context: as blink_tree_lookup(). It neither sleeps nor reschedules.
 * Return: 0; -EOPNOTSUPP if the tree has keys or values of another kind; -EAGAIN as
 * blink_tree_lookup(); -EINTR if the task was killed while others changed the boundaries.
 */
int blink_range_lookup(struct blink_tree *tree, blink_key_t key,
		       struct blink_range *range)
{
	int ret;

	while ((ret = range_find(tree, key, range)) == -ERESTART)
		if (search_is_over())
			return -EINTR;
	return ret;
}
EXPORT_SYMBOL_GPL(blink_range_lookup);

/* Whether a hole has @size keys within bounds; if so, leave the others off. */
static bool gap_fits(struct blink_range *hole,
		     const struct blink_range_search *search)
{
	const struct blink_range *bounds = &search->range;
	const blink_key_t more = search->size - 1;

	hole->first = max(hole->first, bounds->first);
	hole->last = min(hole->last, bounds->last);
	if (hole->value || hole->last - hole->first < more)
		return false;
	if (search->down)
		hole->first = hole->last - more;
	else
		hole->last = hole->first + more;
	return true;
}

/* Go on beside a range. False: it was the last one within the bounds. */
static bool search_advance(struct blink_range_search *search,
			   const struct blink_range *found)
{
	struct blink_range *bounds = &search->range;

	if (search->down) {
		if (found->first <= bounds->first)
			return false;
		bounds->last = found->first - 1;
	} else {
		if (found->last >= bounds->last)
			return false;
		bounds->first = found->last + 1;
	}
	return true;
}

/**
 * blink_range_search() - search for a range, or for keys in a row that are in no range
 * @tree: the tree
 * @search: the bounds, and what is wanted; set to what was found, or to the bounds of the rest
 * @nr: the most ranges and holes to look at, at least one
 *
 * A caller that may sleep can search among many ranges in parts. The answer was true at the
 * moment at which it was looked up. That there is none was true of each key at some moment. A
 * part also ends where others keep changing the boundaries.
 *
 * Context: as blink_tree_lookup(). It neither sleeps nor reschedules.
 * Return: 0; 1 if a rest is left; -ENOENT if there is none; -EINVAL if the bounds have no key;
 * -EOPNOTSUPP and -EAGAIN as blink_range_lookup().
 */
int blink_range_search(struct blink_tree *tree,
		       struct blink_range_search *search, unsigned int nr)
{
	struct blink_range found;
	int ret;

	if (search->range.first > search->range.last)
		return -EINVAL;
	while (nr--) {
		ret = range_find(tree,
				 search->down ? search->range.last :
						search->range.first,
				 &found);
		if (ret)
			return ret == -ERESTART ? 1 : ret;
		if (search->size ? gap_fits(&found, search) : !!found.value) {
			search->range = found;
			return 0;
		}
		if (!search_advance(search, &found))
			return -ENOENT;
	}
	return 1;
}
EXPORT_SYMBOL_GPL(blink_range_search);

static int search_all(struct blink_tree *tree,
		      struct blink_range_search *search)
{
	int ret;

	while ((ret = blink_range_search(tree, search, UINT_MAX)) > 0)
		if (search_is_over())
			return -EINTR;
	return ret;
}

/**
 * blink_range_next() - find the first range that ends at a key or behind it
 * @tree: the tree
 * @key: the key
 * @range: set to the range
 *
 * To iterate, begin with the least key, and go on behind the last key of each range. It passes
 * one hole at most, unless other operations than those on ranges have changed the tree.
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -ENOENT if there is none; otherwise as blink_range_lookup().
 */
int blink_range_next(struct blink_tree *tree, blink_key_t key,
		     struct blink_range *range)
{
	struct blink_range_search search = {
		.range = { .first = key, .last = BLINK_KEY_GREATEST },
	};
	int ret = search_all(tree, &search);

	if (!ret)
		*range = search.range;
	return ret;
}
EXPORT_SYMBOL_GPL(blink_range_next);

/**
 * blink_range_prev() - find the last range that begins at a key or before it
 * @tree: the tree
 * @key: the key
 * @range: set to the range
 *
 * Context: as blink_tree_lookup().
 * Return: as blink_range_next().
 */
int blink_range_prev(struct blink_tree *tree, blink_key_t key,
		     struct blink_range *range)
{
	struct blink_range_search search = {
		.range = { .first = BLINK_KEY_LEAST, .last = key },
		.down = true,
	};
	int ret = search_all(tree, &search);

	if (!ret)
		*range = search.range;
	return ret;
}
EXPORT_SYMBOL_GPL(blink_range_prev);

/**
 * blink_range_gap() - find keys in a row that are in no range
 * @tree: the tree
 * @size: how many
 * @highest: search from the greatest key down, otherwise from the least one up
 * @range: in: the bounds of the search; out: the keys that were found
 *
 * It looks at each range between the bounds and the gap, and does not reschedule:
 * blink_range_search() does so in parts. All keys of the gap were in a hole at one moment;
 * blink_range_insert() tells whether they still are.
 *
 * Context: as blink_tree_lookup().
 * Return: 0; -EBUSY if there is no such gap; -EINVAL if @size is 0, or if the bounds have no
 * key; otherwise as blink_range_lookup().
 */
int blink_range_gap(struct blink_tree *tree, blink_key_t size, bool highest,
		    struct blink_range *range)
{
	struct blink_range_search search = {
		.range = *range,
		.size = size,
		.down = highest,
	};
	int ret = size ? search_all(tree, &search) : -EINVAL;

	if (!ret) {
		range->first = search.range.first;
		range->last = search.range.last;
	}
	return ret == -ENOENT ? -EBUSY : ret;
}
EXPORT_SYMBOL_GPL(blink_range_gap);
