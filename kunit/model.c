// SPDX-License-Identifier: GPL-2.0
/* The oracle of model.h. Places are called i; @nr stands for none. */
#include <linux/errno.h>
#include <linux/minmax.h>

#include "model.h"

/*
 * The first place of which the key is not less than @key; or that behind the last
 * one.
 */
unsigned int model_rank(const struct model *model, u64 key)
{
	unsigned int low = 0, high = model->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (model->key[mid] < key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Make the key of a place present with a value. */
void model_set(struct model *model, unsigned int i, u64 value)
{
	model->count += !model->present[i];
	model->present[i] = true;
	model->value[i] = value;
}

/* Make it absent. */
void model_erase(struct model *model, unsigned int i)
{
	model->count -= model->present[i];
	model->present[i] = false;
}

/* The first present key from the place @i up. */
static unsigned int place_above(const struct model *model, unsigned int i)
{
	while (i < model->nr && !model->present[i])
		i++;
	return i;
}

/* The first present key from the place before @i down. */
static unsigned int place_below(const struct model *model, unsigned int i)
{
	while (i && !model->present[i - 1])
		i--;
	return i ? i - 1 : model->nr;
}

/*
 * The place of the key that an operation is about, @nr if there is none. For a key
 * of the universe, it need not be present, unless the operation searches for one.
 */
unsigned int model_place(const struct model *model,
			 const struct blink_tree_ioc_op *op)
{
	unsigned int i = model_rank(model, op->key);
	bool known = i < model->nr && model->key[i] == op->key;

	switch (op->opcode) {
	case BLINK_TREE_OP_CEILING:
	case BLINK_TREE_OP_POP_MIN:
		return place_above(model, i);
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_POP_MAX:
		return place_below(model, i + known);
	default:
		return known ? i : model->nr;
	}
}

/* The value that an operation gives a key that had @before. */
static u64 sum(const struct blink_tree_ioc_op *op, u64 before)
{
	u64 less = -op->value;

	if (op->opcode == BLINK_TREE_OP_ADD)
		return before + op->value;
	if ((s64)op->value < 0)
		return before > less ? before - less : 0;
	return before > U64_MAX - op->value ? U64_MAX : before + op->value;
}

/* Whether an operation adds a key that is absent. */
static bool adds(const struct blink_tree_ioc_op *op)
{
	return op->opcode == BLINK_TREE_OP_INSERT ||
	       op->opcode == BLINK_TREE_OP_GET_OR_INSERT ||
	       op->opcode == BLINK_TREE_OP_STORE ||
	       op->opcode == BLINK_TREE_OP_ADD ||
	       op->opcode == BLINK_TREE_OP_ADD_SATURATE;
}

/* Apply the operation to a key that is present. */
static void apply_present(struct model *model, unsigned int i,
			  struct blink_tree_ioc_op *op)
{
	u64 present = model->value[i];

	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		op->key = model->key[i];
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
	case BLINK_TREE_OP_GET_OR_INSERT:
		op->result = 1;
		break;
	case BLINK_TREE_OP_ERASE:
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		op->key = model->key[i];
		model_erase(model, i);
		break;
	case BLINK_TREE_OP_CMPXCHG:
		if (op->old == present)
			model_set(model, i, op->value);
		else
			op->result = -ESTALE;
		break;
	case BLINK_TREE_OP_CMPERASE:
		if (op->old == present)
			model_erase(model, i);
		else
			op->result = -ESTALE;
		break;
	case BLINK_TREE_OP_ADD:
	case BLINK_TREE_OP_ADD_SATURATE:
		op->result = 1;
		model_set(model, i, sum(op, present));
		break;
	case BLINK_TREE_OP_EXPECT:
		if (op->old != present)
			op->result = -ESTALE;
		break;
	case BLINK_TREE_OP_ABSENT:
		op->result = -EEXIST;
		break;
	}
	op->old = present;
}

/*
 * Do to the model what is done to the tree; the expected result is left in @op. Its
 * key is in the universe if it modifies.
 */
void model_apply(struct model *model, struct blink_tree_ioc_op *op)
{
	unsigned int i = model_place(model, op);

	op->result = 0;
	if (i < model->nr && model->present[i])
		apply_present(model, i, op);
	else if (op->opcode == BLINK_TREE_OP_ABSENT)
		return;
	else if (!adds(op))
		op->result = -ENOENT;
	else if (model->limit && model->count == model->limit)
		op->result = -ENOSPC;
	else if (op->opcode == BLINK_TREE_OP_ADD_SATURATE)
		model_set(model, i, sum(op, 0));
	else
		model_set(model, i, op->value);
}

static bool only_reads(const struct blink_tree_ioc_op *op)
{
	return op->opcode == BLINK_TREE_OP_LOOKUP ||
	       op->opcode == BLINK_TREE_OP_EXPECT ||
	       op->opcode == BLINK_TREE_OP_ABSENT;
}

/* Whether the result of an operation fails its commit. */
static bool fails(const struct blink_tree_ioc_op *op)
{
	return op->result < 0 && op->opcode != BLINK_TREE_OP_LOOKUP;
}

/* The places of the gap behind an operation: from *@from to what is returned. */
static unsigned int gap_of(const struct model *model,
			   const struct blink_tree_ioc_op *ops, unsigned int nr,
			   const struct blink_tree_ioc_op *op,
			   unsigned int *from)
{
	unsigned int end = model->nr, i, place;

	*from = model_place(model, op) + 1;
	for (i = 0; i < nr; i++) {
		place = model_place(model, &ops[i]);
		if (place >= *from)
			end = min(end, place);
	}
	return end;
}

/* Whether a gap that has to be empty has a key. */
static bool occupied(const struct model *model,
		     const struct blink_tree_ioc_op *ops, unsigned int nr,
		     const struct blink_tree_ioc_op *op)
{
	unsigned int i, end = gap_of(model, ops, nr, op, &i);

	if (!(op->flags & BLINK_TREE_COMMIT_EMPTY))
		return false;
	while (i < end && !model->present[i])
		i++;
	return i < end;
}

static void clear_gap(struct model *model, const struct blink_tree_ioc_op *ops,
		      unsigned int nr, const struct blink_tree_ioc_op *op)
{
	unsigned int i, end = gap_of(model, ops, nr, op, &i);

	for (; i < end && op->flags & BLINK_TREE_COMMIT_CLEAR; i++)
		if (model->present[i])
			model_erase(model, i);
}

/*
 * Do to the model what a commit does, which has one change of each key at most. Operations
 * that only read come first: they find what was there before. The model has no limit. A key
 * with a flag has no other operation.
 */
int model_commit(struct model *model, struct blink_tree_ioc_op *ops,
		 unsigned int nr, unsigned int *failed)
{
	struct blink_tree_ioc_op trial;
	unsigned int i, pass, place, bad = nr;
	struct model one;
	int result = 0;
	bool present;
	u64 value;

	/* Each operation is tried on a model of its key alone. */
	for (i = nr; i--;) {
		trial = ops[i];
		one = *model;
		one.key += model_place(model, &trial);
		one.value = &value;
		one.present = &present;
		value = model->value[model_place(model, &trial)];
		present = model->present[model_place(model, &trial)];
		one.nr = 1;
		model_apply(&one, &trial);
		if (!fails(&trial) && !occupied(model, ops, nr, &ops[i]))
			continue;
		bad = i;
		*failed = i;
		result = fails(&trial) ? trial.result : -ENOTEMPTY;
	}
	for (i = 0; i < nr && bad < nr; i++) {
		if (i == bad && result != -ENOTEMPTY)
			model_apply(model, &ops[i]);
		else
			ops[i].result = i == bad ? result : -ECANCELED;
		place = model_place(model, &ops[i]);
		if (ops[i].result != -ENOTEMPTY || !model->present[place])
			continue;
		if (ops[i].opcode == BLINK_TREE_OP_LOOKUP)
			ops[i].value = model->value[place];
		else
			ops[i].old = model->value[place];
	}
	for (i = 0; i < nr && bad == nr; i++)
		clear_gap(model, ops, nr, &ops[i]);
	for (pass = 0; pass < 2 && bad == nr; pass++) {
		for (i = 0; i < nr; i++) {
			if (only_reads(&ops[i]) == !pass)
				model_apply(model, &ops[i]);
		}
	}
	return bad < nr ? -ESTALE : 0;
}
