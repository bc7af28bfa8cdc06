/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: the answers that a tree must give, computed in the plainest way.
 *
 * It knows all keys that a tree may contain beforehand, in ascending order: its
 * *universe*. Keys have a *place* there, and are present or not. Queries may be of
 * any key.
 */
#ifndef BLINK_KUNIT_MODEL_H
#define BLINK_KUNIT_MODEL_H

#include <linux/blink_tree.h>

/**
 * struct model - a map over a universe
 * @nr: size of the universe
 * @count: how many keys are present
 * @limit: how many may be, 0 for no limit
 * @key: the universe
 * @value: the value of each key that is present
 * @present: which ones are
 */
struct model {
	unsigned int nr;
	unsigned int count;
	unsigned int limit;
	u64 *key;
	u64 *value;
	bool *present;
};

unsigned int model_rank(const struct model *model, u64 key);
unsigned int model_place(const struct model *model,
			 const struct blink_tree_ioc_op *op);
void model_set(struct model *model, unsigned int i, u64 value);
void model_erase(struct model *model, unsigned int i);
void model_apply(struct model *model, struct blink_tree_ioc_op *op);
int model_commit(struct model *model, struct blink_tree_ioc_op *ops,
		 unsigned int nr, unsigned int *failed);

#endif /* BLINK_KUNIT_MODEL_H */
