// SPDX-License-Identifier: GPL-2.0
/*
 * The oracle of model.h. Places of the grid are called i; @nr stands for none.
 */
#include <linux/errno.h>
#include <linux/sched.h>

#include "model.h"

/**
 * model_init() - an empty model
 * @test: the test that owns its memory
 * @model: the model
 * @base: least grid key
 * @step: from one to the next
 * @nr: how many
 */
void model_init(struct kunit *test, struct model *model, u64 base, u64 step,
		unsigned int nr)
{
	model->base = base;
	model->step = step;
	model->nr = nr;
	model->count = 0;
	model->present = kunit_kcalloc(test, BITS_TO_LONGS(nr),
				       sizeof(*model->present), GFP_KERNEL);
	model->value =
		kunit_kcalloc(test, nr, sizeof(*model->value), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, model->present);
	KUNIT_ASSERT_NOT_NULL(test, model->value);
}

/**
 * model_has() - whether a grid key is present
 * @model: the model
 * @i: its place
 *
 * Return: whether it is.
 */
bool model_has(const struct model *model, unsigned int i)
{
	return i < model->nr && test_bit(i, model->present);
}

/**
 * model_set() - make a grid key present with a value
 * @model: the model
 * @i: its place
 * @value: the value
 */
void model_set(struct model *model, unsigned int i, u64 value)
{
	model->count += !model_has(model, i);
	__set_bit(i, model->present);
	model->value[i] = value;
}

/**
 * model_clear() - make a grid key absent
 * @model: the model
 * @i: its place
 */
void model_clear(struct model *model, unsigned int i)
{
	model->count -= model_has(model, i);
	__clear_bit(i, model->present);
}

/* The greatest present key not above @key. */
static unsigned int floor_of(const struct model *model, u64 key)
{
	u64 places;
	unsigned int i;

	if (key < model->base)
		return model->nr;
	places = min_t(u64, (key - model->base) / model->step, model->nr - 1);
	i = find_last_bit(model->present, places + 1);
	return i > places ? model->nr : i;
}

/* The least present key not below @key. */
static unsigned int ceiling_of(const struct model *model, u64 key)
{
	u64 distance = key > model->base ? key - model->base : 0;
	u64 i = distance / model->step + !!(distance % model->step);

	return i < model->nr ? find_next_bit(model->present, model->nr, i) :
			       model->nr;
}

/* The place of a key that is on the grid, or @nr. */
static unsigned int place_of(const struct model *model, u64 key)
{
	u64 distance = key - model->base;

	if (key < model->base || distance % model->step)
		return model->nr;
	return min_t(u64, distance / model->step, model->nr);
}

static void nearest(const struct model *model, struct blink_tree_ioc_op *op,
		    unsigned int i)
{
	op->result = model_has(model, i) ? 0 : -ENOENT;
	if (op->result)
		return;
	op->key = model_key(model, i);
	op->value = model->value[i];
}

/* What the operation does to a key that is there. */
static void apply_present(struct model *model, unsigned int i,
			  struct blink_tree_ioc_op *op)
{
	u64 present = model->value[i];

	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		op->value = present;
		return;
	case BLINK_TREE_OP_INSERT:
		op->result = -EEXIST;
		break;
	case BLINK_TREE_OP_STORE:
		op->result = 1;
		model_set(model, i, op->value);
		break;
	case BLINK_TREE_OP_REPLACE:
		model_set(model, i, op->value);
		break;
	case BLINK_TREE_OP_ERASE:
		model_clear(model, i);
		break;
	case BLINK_TREE_OP_CMPXCHG:
		if (op->old == present)
			model_set(model, i, op->value);
		else
			op->result = -ESTALE;
		break;
	case BLINK_TREE_OP_CMPERASE:
		if (op->old == present)
			model_clear(model, i);
		else
			op->result = -ESTALE;
		break;
	}
	op->old = present;
}

/**
 * model_apply() - do to the model what is done to the tree
 * @model: the model
 * @op: the operation, its key on the grid if it modifies; what must come of it
 *	is left in it
 */
void model_apply(struct model *model, struct blink_tree_ioc_op *op)
{
	unsigned int i = place_of(model, op->key);

	op->result = 0;
	if (op->opcode == BLINK_TREE_OP_FLOOR)
		nearest(model, op, floor_of(model, op->key));
	else if (op->opcode == BLINK_TREE_OP_CEILING)
		nearest(model, op, ceiling_of(model, op->key));
	else if (model_has(model, i))
		apply_present(model, i, op);
	else if (op->opcode == BLINK_TREE_OP_INSERT ||
		 op->opcode == BLINK_TREE_OP_STORE)
		model_set(model, i, op->value);
	else
		op->result = -ENOENT;
}

/**
 * model_compare() - compare all of a tree with the model
 * @model: the model
 * @tree: the tree, which nobody modifies
 * @key: set to where they differ
 *
 * Return: NULL if they are the same, otherwise what is different.
 */
const char *model_compare(const struct model *model, struct blink_tree *tree,
			  u64 *key)
{
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	unsigned int i = 0, n = 0;

	blink_tree_for_each(&cursor, tree, &entry) {
		i = find_next_bit(model->present, model->nr, i);
		*key = entry.key;
		if (i >= model->nr)
			return "a key too many at the end";
		if (entry.key < model_key(model, i))
			return "a key too many";
		if (entry.key > model_key(model, i))
			return "a key is missing before this one";
		if (entry.value != model->value[i])
			return "a wrong value";
		i++;
		if (++n % 1024 == 0)
			cond_resched();
	}
	*key = U64_MAX;
	return n == model->count ? NULL : "keys are missing at the end";
}

/* The next key of a range that the model has, in the scan's direction. */
static unsigned int next_of(const struct model *model, u64 first, u64 last,
			    bool desc)
{
	unsigned int i;

	if (first > last)
		return model->nr;
	i = desc ? floor_of(model, last) : ceiling_of(model, first);
	if (i == model->nr || model_key(model, i) < first ||
	    model_key(model, i) > last)
		return model->nr;
	return i;
}

/**
 * model_scan_matches() - scan a range to its end and compare
 * @model: the model
 * @tree: the tree, which nobody modifies
 * @scan: the range
 * @entries: a buffer
 * @nr: its length
 *
 * Return: whether the scan gave what the model has, in order, and ended.
 */
bool model_scan_matches(const struct model *model, struct blink_tree *tree,
			struct blink_scan *scan,
			struct blink_tree_entry *entries, unsigned int nr)
{
	u64 first = scan->first, last = scan->last;
	unsigned int i, place;
	int n;

	while (!scan->done) {
		n = blink_tree_scan(tree, scan, entries, nr);
		if (n < 0 || n > nr || (!n && !scan->done))
			return false;
		for (i = 0; i < n; i++) {
			place = next_of(model, first, last, scan->desc);
			if (place == model->nr ||
			    entries[i].key != model_key(model, place) ||
			    entries[i].value != model->value[place])
				return false;
			/* A range that ends at the last key there is wraps. */
			if (scan->desc)
				last = entries[i].key - 1;
			else
				first = entries[i].key + 1;
			if (scan->desc ? last == U64_MAX : !first)
				return scan->done && i + 1 == n;
		}
	}
	return next_of(model, first, last, scan->desc) == model->nr;
}
