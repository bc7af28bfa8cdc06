// SPDX-License-Identifier: GPL-2.0
/*
 * Random scenarios: a random small tree, two to four fibers, random operations
 * on keys close to each other, run under one schedule each.
 */
#include "scenario.h"
#include "test.h"

#ifdef SHIM_POINTS
#include <string.h>

/* Keys close to each other, so that operations meet. */
#define WINDOW 6

static void random_setup(struct scenario *s, u64 *random)
{
	unsigned int density = 10 + random_below(random, 90);
	unsigned int erase = random_below(random, 3) * 40, i;
	bool ordered = random_chance(random, 50);

	for (i = 0; i < s->keys.nr; i++)
		if (random_chance(random, density))
			scenario_add(s, ordered ? i :
						  random_below(random,
							       s->keys.nr));
	for (i = 0; i < s->keys.nr; i++)
		if (random_chance(random, erase))
			scenario_erase(s, i);
}

static void random_op(struct scenario *s, unsigned int fiber,
		      unsigned int window, u64 *random)
{
	static const unsigned char opcodes[] = {
		BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_CMPXCHG,
		BLINK_TREE_OP_CMPERASE,
		BLINK_TREE_OP_FLOOR,
		BLINK_TREE_OP_FLOOR,
		BLINK_TREE_OP_CEILING,
		BLINK_TREE_OP_CEILING,
		BLINK_TREE_OP_GET_OR_INSERT,
		BLINK_TREE_OP_ADD,
		BLINK_TREE_OP_ADD_SATURATE,
		BLINK_TREE_OP_POP_MIN,
		BLINK_TREE_OP_POP_MIN,
		BLINK_TREE_OP_POP_MAX,
		BLINK_TREE_OP_POP_MAX,
		OP_SCAN,
		OP_SCAN_DESC,
		OP_VERIFY,
	};
	unsigned int opcode = opcodes[random_below(random, sizeof(opcodes))];
	unsigned int at = (window + random_below(random, WINDOW)) % s->keys.nr;
	unsigned int to = min(at + (unsigned int)random_below(random, 20),
			      s->keys.nr - 1);

	if (opcode == OP_SCAN || opcode == OP_SCAN_DESC) {
		scenario_scan(s, fiber, opcode == OP_SCAN_DESC, at, to,
			      1 + random_below(random, 8));
		return;
	}
	scenario_op(s, fiber, opcode, at);
	if ((opcode == BLINK_TREE_OP_CMPXCHG ||
	     opcode == BLINK_TREE_OP_CMPERASE) &&
	    random_chance(random, 60))
		s->op[fiber][s->nr_ops[fiber] - 1].old = s->keys.key[at];
}

/* Some of the gaps of a commit have to be empty, or are cleared. */
static void random_gaps(struct scenario *s, unsigned int fiber, u64 *random)
{
	struct blink_tree_ioc_op *op = s->op[fiber];
	unsigned int nr = s->nr_ops[fiber], i, last = 0;

	for (i = 1; i < nr; i++)
		if (op[i].key > op[last].key)
			last = i;
	for (i = 0; i < nr; i++)
		if (i != last && random_chance(random, 50))
			op[i].flags = random_chance(random, 50) ?
					      BLINK_TREE_COMMIT_EMPTY :
					      BLINK_TREE_COMMIT_CLEAR;
}

/* Operations at one moment. Half of the conditions are true, or more. */
static void random_commit(struct scenario *s, unsigned int fiber,
			  unsigned int window, u64 *random)
{
	static const unsigned char opcodes[] = {
		BLINK_TREE_OP_LOOKUP,	BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_INSERT,	BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_STORE,	BLINK_TREE_OP_REPLACE,
		BLINK_TREE_OP_ERASE,	BLINK_TREE_OP_CMPXCHG,
		BLINK_TREE_OP_CMPERASE, BLINK_TREE_OP_GET_OR_INSERT,
		BLINK_TREE_OP_ADD,	BLINK_TREE_OP_ADD_SATURATE,
		BLINK_TREE_OP_EXPECT,	BLINK_TREE_OP_ABSENT,
	};
	const unsigned int nr = 1 + random_below(random, SCENARIO_COMMIT);
	const bool reads = random_chance(random, 30);
	unsigned int i, at = window + random_below(random, WINDOW), opcode;

	s->committed[fiber] = true;
	for (i = 0; i < nr; i++) {
		opcode = opcodes[random_below(random, sizeof(opcodes))];
		if (reads)
			opcode = BLINK_TREE_OP_LOOKUP;
		scenario_op(s, fiber, opcode, at % s->keys.nr);
		if (random_chance(random, 80))
			s->op[fiber][i].old = s->op[fiber][i].key;
		/* Not the same key twice: there are more of them. */
		at += 1 +
		      random_below(random, s->keys.nr / SCENARIO_COMMIT - 1);
	}
	if (random_chance(random, 40))
		random_gaps(s, fiber, random);
}

static void random_scenario(struct scenario *s, u64 *random, bool failing)
{
	unsigned int window = random_below(random, s->keys.nr), fiber, nr;

	s->nr_setup = 0;
	s->nr_fibers = 0;
	memset(s->nr_ops, 0, sizeof(s->nr_ops));
	s->strict = random_chance(random, 30);
	random_setup(s, random);
	nr = 2 + random_below(random, FIBERS_MAX - 1);
	for (fiber = 0; fiber < nr; fiber++) {
		unsigned int ops = 1 + random_below(random, SCENARIO_OPS);

		s->committed[fiber] = false;
		s->failing[fiber] = failing && random_chance(random, 50);
		if (random_chance(random, 25))
			random_commit(s, fiber, window, random);
		else
			while (ops--)
				random_op(s, fiber, window, random);
	}
}

static void interleave(unsigned int nr_keys, u64 base, u64 step, bool failing,
		       u64 runs)
{
	u64 random = test_seed(), points = 500, i;
	struct scenario s;

	scenario_init(&s, nr_keys, base, step);
	for (i = 0; i < test_scale(runs) && !test_failed(); i++) {
		random_scenario(&s, &random, failing);
		scenario_run(&s, &random, &points, i);
	}
}

static void small_trees(void)
{
	interleave(12, 0, 1, false, 20000);
}

static void larger_trees(void)
{
	interleave(SCENARIO_KEYS, 0, 1, false, 20000);
}

static void far_keys(void)
{
	interleave(18, 0, U64_MAX / 17, false, 10000);
}

static void little_memory(void)
{
	interleave(SCENARIO_KEYS, -(u64)SCENARIO_KEYS, 1, true, 10000);
}

const struct test interleave_tests[] = {
	{ "interleave: trees of up to 12 keys", small_trees },
	{ "interleave: trees of up to 64 keys", larger_trees },
	{ "interleave: keys all over the range", far_keys },
	{ "interleave: memory fails at random", little_memory },
	{}
};
#else
const struct test interleave_tests[] = { {} };
#endif
