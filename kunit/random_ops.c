// SPDX-License-Identifier: GPL-2.0
/* The choice of random operations (random_ops.h). */
#include "random_ops.h"

static const u16 adding[] = { BLINK_TREE_OP_INSERT, BLINK_TREE_OP_STORE,
			      BLINK_TREE_OP_GET_OR_INSERT, BLINK_TREE_OP_ADD,
			      BLINK_TREE_OP_ADD_SATURATE };
static const u16 removing[] = { BLINK_TREE_OP_ERASE, BLINK_TREE_OP_ERASE,
				BLINK_TREE_OP_POP_MIN, BLINK_TREE_OP_POP_MAX };
static const u16 others[] = {
	BLINK_TREE_OP_LOOKUP,	BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_REPLACE,
	BLINK_TREE_OP_CMPXCHG,	BLINK_TREE_OP_FLOOR,  BLINK_TREE_OP_CEILING,
	BLINK_TREE_OP_CMPERASE,
};

static unsigned int choose_place(struct random_ops *random)
{
	unsigned int nr = random->model.nr, spot;

	if (!random->spot || random_ops_one_in(random, 16))
		return fixture_below(&random->rnd, nr);
	spot = random->n / random->tide * random->spot / 2;
	return (spot + fixture_below(&random->rnd, random->spot)) % nr;
}

static u16 choose_opcode(struct random_ops *random)
{
	bool in = random->n / random->tide % 2 == 0;

	if (random_ops_one_in(random, 2))
		return others[fixture_below(&random->rnd, ARRAY_SIZE(others))];
	/* Some swim against it. */
	if (in != random_ops_one_in(random, 8))
		return adding[fixture_below(&random->rnd, ARRAY_SIZE(adding))];
	if (!random->alone)
		return BLINK_TREE_OP_ERASE;
	return removing[fixture_below(&random->rnd, ARRAY_SIZE(removing))];
}

/* Choose a key to ask for: one of the universe, one beside it, or any other. */
u64 random_ops_key(struct random_ops *random)
{
	u64 key = random->model.key[choose_place(random)];

	switch (fixture_below(&random->rnd, 8)) {
	case 0:
		return key + 1;
	case 1:
		return key - 1;
	case 2:
		return fixture_random(&random->rnd);
	case 3:
		return random_ops_one_in(random, 2) ? 0 : U64_MAX;
	default:
		return key;
	}
}

/*
 * Choose the next operation, with random values where it is not told what they must
 * be.
 */
void random_ops_choose(struct random_ops *random, struct blink_tree_ioc_op *op)
{
	struct model *model = &random->model;
	unsigned int i = choose_place(random);

	*op = (struct blink_tree_ioc_op){
		.opcode = choose_opcode(random),
		.key = model->key[i],
		.value = fixture_random(&random->rnd),
		.old = fixture_random(&random->rnd),
	};
	if ((op->opcode == BLINK_TREE_OP_CMPXCHG ||
	     op->opcode == BLINK_TREE_OP_CMPERASE) &&
	    random_ops_one_in(random, 2))
		op->old = model->value[i];
	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_CEILING ||
	    op->opcode == BLINK_TREE_OP_POP_MIN ||
	    op->opcode == BLINK_TREE_OP_POP_MAX)
		op->key = random_ops_key(random);
	random->n++;
}
