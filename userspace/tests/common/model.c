// SPDX-License-Identifier: GPL-2.0
/* The oracle: see model.h. */
#include <errno.h>
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static int compare_keys(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void fill_random(struct model *model, u64 *random)
{
	unsigned int i, n = 0;

	for (i = 0; i < model->nr; i++)
		model->key[i] = random_next(random);
	qsort(model->key, model->nr, sizeof(u64), compare_keys);
	for (i = 0; i < model->nr; i++)
		if (!n || model->key[i] != model->key[n - 1])
			model->key[n++] = model->key[i];
	model->nr = n;
}

void model_init(struct model *model, unsigned int nr, enum layout layout,
		u64 *random)
{
	u64 step = U64_MAX / (nr - 1);
	unsigned int i;

	memset(model, 0, sizeof(*model));
	model->nr = nr;
	model->key = calloc(nr, sizeof(u64));
	model->value = calloc(nr, sizeof(u64));
	model->present = calloc(nr, sizeof(bool));
	if (!model->key || !model->value || !model->present)
		shim_die(__FILE__, __LINE__, "no memory");
	for (i = 0; i < nr; i++) {
		if (layout == LAYOUT_LOW)
			model->key[i] = i;
		else if (layout == LAYOUT_HIGH)
			model->key[i] = U64_MAX - (nr - 1 - i);
		else
			model->key[i] = i * step;
	}
	if (layout == LAYOUT_SPREAD)
		model->key[nr - 1] = U64_MAX;
	if (layout == LAYOUT_RANDOM)
		fill_random(model, random);
}

void model_exit(struct model *model)
{
	free(model->key);
	free(model->value);
	free(model->present);
}

void model_clear(struct model *model)
{
	memset(model->present, 0, model->nr * sizeof(bool));
	model->count = 0;
}

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

static int model_add(struct model *model, struct blink_tree_ioc_op *op,
		     unsigned int i)
{
	if (model->present[i]) {
		op->old = model->value[i];
		if (op->opcode == BLINK_TREE_OP_INSERT)
			return -EEXIST;
		model->value[i] = op->value;
		return 1;
	}
	if (model->limit && model->count == model->limit)
		return -ENOSPC;
	model->present[i] = true;
	model->value[i] = op->value;
	model->count++;
	return 0;
}

static int model_modify(struct model *model, struct blink_tree_ioc_op *op,
			unsigned int i)
{
	u64 present = model->value[i];

	if (!model->present[i])
		return -ENOENT;
	if (op->opcode == BLINK_TREE_OP_LOOKUP) {
		op->value = present;
		return 0;
	}
	if ((op->opcode == BLINK_TREE_OP_CMPXCHG ||
	     op->opcode == BLINK_TREE_OP_CMPERASE) &&
	    op->old != present) {
		op->old = present;
		return -ESTALE;
	}
	op->old = present;
	model->value[i] = op->value;
	if (op->opcode == BLINK_TREE_OP_ERASE ||
	    op->opcode == BLINK_TREE_OP_CMPERASE) {
		model->present[i] = false;
		model->count--;
	}
	return 0;
}

static int model_nearest(const struct model *model,
			 struct blink_tree_ioc_op *op)
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
	if (i == model->nr)
		return -ENOENT;
	op->key = model->key[i];
	op->value = model->value[i];
	return 0;
}

void model_apply(struct model *model, struct blink_tree_ioc_op *op)
{
	unsigned int i;

	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_CEILING) {
		op->result = model_nearest(model, op);
		return;
	}
	i = model_rank(model, op->key);
	if (op->opcode == BLINK_TREE_OP_INSERT ||
	    op->opcode == BLINK_TREE_OP_STORE)
		op->result = model_add(model, op, i);
	else
		op->result = model_modify(model, op, i);
}

unsigned int model_range(const struct model *model, u64 first, u64 last,
			 bool desc, struct blink_tree_entry *entries)
{
	unsigned int i, n = 0;

	for (i = model_rank(model, first);
	     i < model->nr && model->key[i] <= last; i++) {
		if (!model->present[i])
			continue;
		entries[n].key = model->key[i];
		entries[n++].value = model->value[i];
	}
	for (i = 0; desc && i < n / 2; i++) {
		struct blink_tree_entry entry = entries[i];

		entries[i] = entries[n - 1 - i];
		entries[n - 1 - i] = entry;
	}
	return n;
}
