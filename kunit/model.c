// SPDX-License-Identifier: GPL-2.0
/* The oracle of model.h. Places are called i; @nr stands for none. */
#include <linux/errno.h>

#include "model.h"

/**
 * model_rank() - the first place of which the key is not less than another one
 * @model: the model
 * @key: the other key
 *
 * Return: the place, or that behind the last one.
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

/**
 * model_set() - make a key present with a value
 * @model: the model
 * @i: its place
 * @value: the value
 */
void model_set(struct model *model, unsigned int i, u64 value)
{
	model->count += !model->present[i];
	model->present[i] = true;
	model->value[i] = value;
}

/**
 * model_erase() - make a key absent
 * @model: the model
 * @i: its place
 */
void model_erase(struct model *model, unsigned int i)
{
	model->count -= model->present[i];
	model->present[i] = false;
}

static void nearest(const struct model *model, struct blink_tree_ioc_op *op)
{
	unsigned int i = model_rank(model, op->key);

	if (op->opcode == BLINK_TREE_OP_CEILING) {
		while (i < model->nr && !model->present[i])
			i++;
	} else {
		i += i < model->nr && model->key[i] == op->key;
		while (i && !model->present[i - 1])
			i--;
		i = i ? i - 1 : model->nr;
	}
	op->result = i < model->nr ? 0 : -ENOENT;
	if (op->result)
		return;
	op->key = model->key[i];
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
	}
	op->old = present;
}

/**
 * model_apply() - do to the model what is done to the tree
 * @model: the model
 * @op: the operation, its key in the universe if it modifies; what must come of it
 *	is left in it
 */
void model_apply(struct model *model, struct blink_tree_ioc_op *op)
{
	unsigned int i = model_rank(model, op->key);

	op->result = 0;
	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_CEILING)
		nearest(model, op);
	else if (i < model->nr && model->key[i] == op->key && model->present[i])
		apply_present(model, i, op);
	else if (op->opcode != BLINK_TREE_OP_INSERT &&
		 op->opcode != BLINK_TREE_OP_STORE)
		op->result = -ENOENT;
	else if (model->limit && model->count == model->limit)
		op->result = -ENOSPC;
	else
		model_set(model, i, op->value);
}
