/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: what a tree must answer, computed in the plainest way.
 *
 * It knows *grid* keys only: base, base + step, base + 2 * step, ... A bitmap
 * says which are present, an array what their values are. Queries may be of any
 * key. With a large step the keys are sparse, with one of 1 they are dense.
 */
#ifndef BLINK_KUNIT_MODEL_H
#define BLINK_KUNIT_MODEL_H

#include <linux/bitmap.h>

#include "fixture.h"

/**
 * struct model - a map of grid keys
 * @base: the least grid key
 * @step: from one to the next
 * @nr: how many grid keys there are; the last one does not wrap
 * @count: how many are present
 * @present: which
 * @value: their values
 */
struct model {
	u64 base;
	u64 step;
	unsigned int nr;
	unsigned int count;
	unsigned long *present;
	u64 *value;
};

void model_init(struct kunit *test, struct model *model, u64 base, u64 step,
		unsigned int nr);
bool model_has(const struct model *model, unsigned int i);
void model_set(struct model *model, unsigned int i, u64 value);
void model_clear(struct model *model, unsigned int i);
void model_apply(struct model *model, struct blink_tree_ioc_op *op);
bool model_scan_matches(const struct model *model, struct blink_tree *tree,
			struct blink_scan *scan,
			struct blink_tree_entry *entries, unsigned int nr);
const char *model_compare(const struct model *model, struct blink_tree *tree,
			  u64 *key);

/* The key at a place of the grid. */
static inline u64 model_key(const struct model *model, unsigned int i)
{
	return model->base + i * model->step;
}

#endif /* BLINK_KUNIT_MODEL_H */
