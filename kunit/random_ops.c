// SPDX-License-Identifier: GPL-2.0
/* The choice of random operations (random_ops.h). */
#include "random_ops.h"

static const u16 adding[] = { BLINK_TREE_OP_INSERT, BLINK_TREE_OP_STORE };
static const u16 others[] = {
	BLINK_TREE_OP_LOOKUP,	BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_REPLACE,
	BLINK_TREE_OP_CMPXCHG,	BLINK_TREE_OP_FLOOR,  BLINK_TREE_OP_CEILING,
	BLINK_TREE_OP_CMPERASE,
};

static bool one_in(struct random_ops *random, u32 n)
{
	return fixture_below(&random->rnd, n) == 0;
}

static unsigned int choose_place(struct random_ops *random)
{
	unsigned int nr = random->model.nr, spot;

	if (!random->spot || one_in(random, 16))
		return fixture_below(&random->rnd, nr);
	spot = random->n / random->tide * random->spot / 2;
	return (spot + fixture_below(&random->rnd, random->spot)) % nr;
}

static u16 choose_opcode(struct random_ops *random)
{
	bool in = random->n / random->tide % 2 == 0;

	if (one_in(random, 2))
		return others[fixture_below(&random->rnd, ARRAY_SIZE(others))];
	/* Some swim against it. */
	if (in != one_in(random, 8))
		return adding[fixture_below(&random->rnd, ARRAY_SIZE(adding))];
	return BLINK_TREE_OP_ERASE;
}

/**
 * random_ops_choose() - choose the next operation
 * @random: the sequence
 * @op: set to it, with random values where it is not told what they must be
 */
void random_ops_choose(struct random_ops *random, struct blink_tree_ioc_op *op)
{
	struct model *model = &random->model;
	unsigned int i = choose_place(random);

	op->opcode = choose_opcode(random);
	op->flags = 0;
	op->result = 0;
	op->key = model_key(model, i);
	op->value = fixture_random(&random->rnd);
	op->old = fixture_random(&random->rnd);
	if ((op->opcode == BLINK_TREE_OP_CMPXCHG ||
	     op->opcode == BLINK_TREE_OP_CMPERASE) &&
	    one_in(random, 2))
		op->old = model->value[i];
	/* Questions may also be of keys beside the grid. */
	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_CEILING)
		op->key += fixture_below(&random->rnd, 3) - 1;
	random->n++;
}
