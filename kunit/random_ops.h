/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random operations on a tree and on a model of it.
 *
 * The mix of operations follows a *tide*: while it comes in most modifications
 * add keys, then most remove them, so that the tree grows and empties over and
 * over. Keys are chosen everywhere, or within a *spot* that moves, where leaves
 * split and merge all the time.
 */
#ifndef BLINK_KUNIT_RANDOM_OPS_H
#define BLINK_KUNIT_RANDOM_OPS_H

#include "universe.h"

/**
 * struct random_ops - a sequence of random operations
 * @rnd: the generator
 * @model: the expected content of the tree
 * @tide: operations of one tide, in or out
 * @spot: width of the spot in places of the universe, 0 for none
 * @alone: all keys of the tree are those of the model, so operations may remove any
 * @n: operations so far
 */
struct random_ops {
	struct rnd_state rnd;
	struct model model;
	unsigned int tide;
	unsigned int spot;
	bool alone;
	unsigned long n;
};

void random_ops_choose(struct random_ops *random, struct blink_tree_ioc_op *op);
u64 random_ops_key(struct random_ops *random);

static inline bool random_ops_one_in(struct random_ops *random, u32 n)
{
	return fixture_below(&random->rnd, n) == 0;
}

#endif /* BLINK_KUNIT_RANDOM_OPS_H */
