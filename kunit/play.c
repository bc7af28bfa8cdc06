// SPDX-License-Identifier: GPL-2.0
/* The choice of random operations (play.h). */
#include "play.h"

static const u16 adding[] = { BLINK_TREE_OP_INSERT, BLINK_TREE_OP_STORE };
static const u16 others[] = {
	BLINK_TREE_OP_LOOKUP,	BLINK_TREE_OP_LOOKUP, BLINK_TREE_OP_REPLACE,
	BLINK_TREE_OP_CMPXCHG,	BLINK_TREE_OP_FLOOR,  BLINK_TREE_OP_CEILING,
	BLINK_TREE_OP_CMPERASE,
};

static bool one_in(struct play *play, u32 n)
{
	return fixture_below(&play->rnd, n) == 0;
}

static unsigned int choose_place(struct play *play)
{
	unsigned int nr = play->model.nr, spot;

	if (!play->spot || one_in(play, 16))
		return fixture_below(&play->rnd, nr);
	spot = play->n / play->tide * play->spot / 2;
	return (spot + fixture_below(&play->rnd, play->spot)) % nr;
}

static u16 choose_opcode(struct play *play)
{
	bool in = play->n / play->tide % 2 == 0;

	if (one_in(play, 2))
		return others[fixture_below(&play->rnd, ARRAY_SIZE(others))];
	/* Some swim against it. */
	if (in != one_in(play, 8))
		return adding[fixture_below(&play->rnd, ARRAY_SIZE(adding))];
	return BLINK_TREE_OP_ERASE;
}

/**
 * play_choose() - choose the next operation
 * @play: the course
 * @op: set to it, with random values where it is not told what they must be
 */
void play_choose(struct play *play, struct blink_tree_ioc_op *op)
{
	struct model *model = &play->model;
	unsigned int i = choose_place(play);

	op->opcode = choose_opcode(play);
	op->flags = 0;
	op->result = 0;
	op->key = model_key(model, i);
	op->value = fixture_random(&play->rnd);
	op->old = fixture_random(&play->rnd);
	if ((op->opcode == BLINK_TREE_OP_CMPXCHG ||
	     op->opcode == BLINK_TREE_OP_CMPERASE) &&
	    one_in(play, 2))
		op->old = model->value[i];
	/* Questions may also be of keys beside the grid. */
	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_CEILING)
		op->key += fixture_below(&play->rnd, 3) - 1;
	play->n++;
}
