/* SPDX-License-Identifier: GPL-2.0 */
/* Random operations on a tree, each of which is compared with a model. */
#ifndef BLINK_KUNIT_ORACLE_H
#define BLINK_KUNIT_ORACLE_H

#include "fixture.h"

/* Operations of a batch, at most. */
#define ORACLE_BATCH 40

/**
 * struct oracle_course - one random test
 * @name: its name
 * @base: least key
 * @step: distance of keys, 0 if they are random
 * @nr: number of keys
 * @limit: as in struct model
 * @ops: operations
 * @tide: as in struct random_ops
 * @spot: as in struct random_ops
 * @key: the kind of keys, if it is not that of the mode
 */
struct oracle_course {
	const char *name;
	u64 base;
	u64 step;
	unsigned int nr;
	unsigned int limit;
	unsigned int ops;
	unsigned int tide;
	unsigned int spot;
	enum blink_tree_key key;
};

void oracle_run(struct kunit *test, const struct oracle_course *course);

#endif /* BLINK_KUNIT_ORACLE_H */
