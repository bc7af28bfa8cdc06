/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle: a map so simple that it is right. It knows all keys there can be
 * beforehand, in ascending order: the *universe*; a key is in the map or not.
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include <linux/blink_tree.h>

#include "random.h"

/**
 * struct model - a map over a universe
 * @nr: size of the universe
 * @count: keys in the map
 * @limit: most of them, 0 for no limit
 * @key: the universe
 * @value: the value of each, if present
 * @present: which are in the map
 */
struct model {
	unsigned int nr;
	unsigned int count;
	unsigned int limit;
	u64 *key;
	u64 *value;
	bool *present;
};

/* How the keys of a universe lie. */
enum layout { LAYOUT_LOW, LAYOUT_HIGH, LAYOUT_SPREAD, LAYOUT_RANDOM };

void model_init(struct model *model, unsigned int nr, enum layout layout,
		u64 *random);
void model_exit(struct model *model);
void model_clear(struct model *model);

/* Execute an operation: afterwards @op is what the tree must answer. */
void model_apply(struct model *model, struct blink_tree_ioc_op *op);

/* The first key of the universe that is not less than @key. */
unsigned int model_rank(const struct model *model, u64 key);

/* Fill @entries with the range, in order. Returns how many there are. */
unsigned int model_range(const struct model *model, u64 first, u64 last,
			 bool desc, struct blink_tree_entry *entries);

#endif /* TESTS_MODEL_H */
