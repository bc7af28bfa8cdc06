// SPDX-License-Identifier: GPL-2.0
/*
 * Bugs of other concurrent search trees, each as a scenario in which it could happen
 * here, run under thousands of schedules. The position where the operations meet is
 * drawn anew for each run, so that they meet within a node, at its edges, and at those
 * of its parent.
 */
#include "scenario.h"
#include "test.h"

#ifdef SHIM_POINTS

/* Fill all leaves, then leave every @step-th key. */
static void thinned(struct scenario *s, unsigned int step)
{
	unsigned int i;

	for (i = 0; i < s->keys.nr; i++)
		scenario_add(s, i);
	for (i = 0; i < s->keys.nr; i++)
		if (i % step)
			scenario_erase(s, i);
}

/* Every other key is there and leaves are full. */
static void full(struct scenario *s)
{
	unsigned int i;

	for (i = 0; i < s->keys.nr; i += 2)
		scenario_add(s, i);
}

static void overshoot(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	(void)random;
	thinned(s, 2);
	at &= ~1U;
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + 2);
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + 6);
	for (i = 0; i < 4; i++)
		scenario_op(s, 1 + i % 2, BLINK_TREE_OP_LOOKUP,
			    at + (4 * i) % 8);
}

static void dead_leaf(struct scenario *s, unsigned int at, u64 *random)
{
	thinned(s, 2 + random_below(random, 3));
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, at);
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + 1);
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + 2);
	scenario_op(s, 1, BLINK_TREE_OP_INSERT, at + 3);
	scenario_op(s, 1, BLINK_TREE_OP_STORE, at + 5);
	scenario_op(s, 2, BLINK_TREE_OP_REPLACE, at + 4);
	scenario_op(s, 2, BLINK_TREE_OP_INSERT, at + 1);
}

static void last_root(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	for (i = 0; i < 7; i++)
		scenario_add(s, i);
	for (i = 0; i < 6; i++)
		if (random_chance(random, 70))
			scenario_erase(s, i);
	for (i = 0; i < 3; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_ERASE, (at + i) % 7);
		scenario_op(s, 1, BLINK_TREE_OP_INSERT,
			    random_below(random, 12));
		scenario_op(s, 2,
			    random_chance(random, 50) ? BLINK_TREE_OP_INSERT :
							BLINK_TREE_OP_ERASE,
			    4 + random_below(random, 8));
	}
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, 6);
}

static void separators(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int fiber, i;

	full(s);
	for (fiber = 0; fiber < 3; fiber++)
		for (i = 0; i < 3; i++)
			scenario_op(s, fiber, BLINK_TREE_OP_INSERT,
				    at + random_below(random, 8));
	scenario_op(s, 3, BLINK_TREE_OP_LOOKUP, at + random_below(random, 8));
	scenario_op(s, 3, BLINK_TREE_OP_FLOOR, at + 7);
	scenario_op(s, 3, BLINK_TREE_OP_CEILING, at);
}

static void emptied_leaf(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 4);
	for (i = 0; i < 4; i++)
		scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + i);
	scenario_op(s, 1, BLINK_TREE_OP_INSERT, at + random_below(random, 4));
	scenario_op(s, 1, BLINK_TREE_OP_LOOKUP, at + random_below(random, 4));
	scenario_op(s, 2, BLINK_TREE_OP_INSERT, at + random_below(random, 8));
	scenario_op(s, 2, BLINK_TREE_OP_ERASE,
		    at + 4 + random_below(random, 4));
}

static void reverse(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 1 + random_below(random, 8));
	for (i = 0; i < 4; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + i);
		scenario_op(s, 1, BLINK_TREE_OP_INSERT, at + 2 * i);
	}
	scenario_scan(s, 2, true, 0, s->keys.nr - 1,
		      1 + random_below(random, 8));
	scenario_scan(s, 3, true, at, at + 7, 2);
}

static void parents_edge(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int fiber, i;

	thinned(s, 1 + random_below(random, 4));
	for (fiber = 0; fiber < 3; fiber++)
		for (i = 0; i < 4; i++)
			scenario_op(s, fiber, BLINK_TREE_OP_ERASE,
				    (at + 4 * i + fiber) % s->keys.nr);
	scenario_op(s, 3, BLINK_TREE_OP_LOOKUP, at);
	scenario_op(s, 3, BLINK_TREE_OP_INSERT, at + 4);
	scenario_op(s, 3, OP_VERIFY, at);
}

static void seen_twice(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	if (random_chance(random, 50))
		full(s);
	else
		thinned(s, 3);
	scenario_scan(s, 0, false, 0, s->keys.nr - 1,
		      1 + random_below(random, 8));
	for (i = 0; i < 4; i++) {
		scenario_op(s, 1, BLINK_TREE_OP_INSERT, at + 1 + 2 * (i % 3));
		scenario_op(s, 2, BLINK_TREE_OP_ERASE, at + i);
	}
}

static void passed_over(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 2);
	at &= ~1U;
	scenario_scan(s, 0, false, 0, s->keys.nr - 1, 8);
	scenario_scan(s, 1, true, 0, s->keys.nr - 1, 8);
	for (i = 0; i < 4; i++)
		scenario_op(s, 2, BLINK_TREE_OP_ERASE,
			    (at + 4 * i + 2 * random_below(random, 2)) %
				    s->keys.nr);
}

static void missed(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	full(s);
	for (i = 0; i < 4; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_INSERT, at + 2 * (i % 4) + 1);
		scenario_op(s, 1, BLINK_TREE_OP_LOOKUP, at + 2 * (i % 4));
		scenario_op(s, 2,
			    random_chance(random, 50) ? BLINK_TREE_OP_FLOOR :
							BLINK_TREE_OP_CEILING,
			    at + i);
	}
}

/*
 * One fiber adds keys downwards, another upwards. A search that then finds the second
 * of two keys and not the first has read two leaves at two moments.
 */
static void nearest(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 4 + random_below(random, 5));
	for (i = 0; i < 3; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_INSERT, at + 4 - i);
		scenario_op(s, 1, BLINK_TREE_OP_FLOOR,
			    at + 4 + random_below(random, 4));
		scenario_op(s, 2, BLINK_TREE_OP_CEILING,
			    at + random_below(random, 3));
		scenario_op(s, 3, BLINK_TREE_OP_INSERT, at + 2 + i);
	}
	scenario_op(s, 0, BLINK_TREE_OP_ERASE, at + random_below(random, 8));
}

static void last_leaf(struct scenario *s, unsigned int at, u64 *random)
{
	const unsigned int last = s->keys.nr - 1;
	unsigned int i;

	thinned(s, 2 + random_below(random, 2));
	for (i = 0; i < 4; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_ERASE, last - (at + i) % 6);
		scenario_op(s, 1, BLINK_TREE_OP_CEILING, last - i);
		scenario_op(s, 2, BLINK_TREE_OP_FLOOR, last - i);
	}
	scenario_op(s, 3, BLINK_TREE_OP_ERASE, last);
	scenario_op(s, 3, BLINK_TREE_OP_INSERT, last);
}

/*
 * Leaves at one end empty while keys are popped there, and keys beyond the popped
 * ones are added: the order of all answers shows whether each was the last one.
 */
static void pops(struct scenario *s, unsigned int at, u64 *random)
{
	bool max = random_chance(random, 50);
	unsigned int opcode = max ? BLINK_TREE_OP_POP_MAX :
				    BLINK_TREE_OP_POP_MIN;
	unsigned int end = max ? s->keys.nr - 1 : 0, i;

	thinned(s, 2 + random_below(random, 3));
	for (i = 0; i < 3; i++) {
		scenario_op(s, 0, opcode, random_chance(random, 50) ? end : at);
		scenario_op(s, 1, opcode, random_chance(random, 50) ? end : at);
		scenario_op(s, 2, BLINK_TREE_OP_INSERT,
			    (random_chance(random, 50) ? at : end + i) %
				    s->keys.nr);
		scenario_op(s, 3,
			    random_chance(random, 50) ? BLINK_TREE_OP_LOOKUP :
							BLINK_TREE_OP_ERASE,
			    at + random_below(random, 8));
	}
	scenario_op(s, 2, max ? BLINK_TREE_OP_FLOOR : BLINK_TREE_OP_CEILING,
		    end);
	s->batched[1] = random_chance(random, 50);
}

/* A range is erased and counted while its leaves are split and merged. */
static void ranges(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 1 + random_below(random, 3));
	scenario_range(s, 0, OP_ERASE_RANGE, at, 5);
	scenario_range(s, 1, OP_ERASE_RANGE, at + random_below(random, 4), 4);
	for (i = 0; i < 2; i++) {
		scenario_op(s, 1, BLINK_TREE_OP_ERASE,
			    at + random_below(random, 8));
		scenario_op(s, 2, BLINK_TREE_OP_INSERT,
			    at + random_below(random, 8));
		scenario_op(s, 2, BLINK_TREE_OP_STORE,
			    at + random_below(random, 8));
		scenario_range(s, 3, OP_COUNT_RANGE, at, 8);
	}
	scenario_op(s, 3, OP_VERIFY, at);
}

static void interrupted(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	full(s);
	s->failing[0] = true;
	for (i = 0; i < 4; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_INSERT, at + 2 * (i % 4) + 1);
		scenario_op(s, 1, BLINK_TREE_OP_ERASE,
			    at + random_below(random, 8));
		scenario_op(s, 2, BLINK_TREE_OP_STORE,
			    at + random_below(random, 8));
	}
	scenario_op(s, 3, BLINK_TREE_OP_LOOKUP, at + 2);
	scenario_op(s, 3, OP_VERIFY, at);
}

/* A root that was split, and is not under a new one yet, loses its nodes. */
static void split_root(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i, nr = 24 + random_below(random, 12);

	for (i = 0; i < nr; i += 2)
		scenario_add(s, i);
	s->failing[0] = random_chance(random, 50);
	for (i = 0; i < 4; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_INSERT, (at + 2 * i + 1) % nr);
		scenario_op(s, 1, BLINK_TREE_OP_ERASE, 2 * i);
		scenario_op(s, 2, BLINK_TREE_OP_ERASE, 2 * i + 8);
		scenario_op(s, 3, BLINK_TREE_OP_ERASE, 2 * i + 16);
	}
}

/*
 * The first leaf under a parent is full, loses its keys, and is absorbed by its left
 * neighbour, under another parent. The neighbour then fills up. A writer that was on its
 * way to the first leaf splits the neighbour, left of where its descent's parent begins.
 */
static void stale_hint(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	full(s);
	at = random_chance(random, 80) ? 32 : 8 + (at & ~7U) % 48;
	for (i = 2; i < 8; i += 2)
		scenario_erase(s, at - 8 + i);
	scenario_op(s, 0, BLINK_TREE_OP_INSERT, at + 1);
	for (i = 2; i < 8; i += 2)
		scenario_op(s, 1, BLINK_TREE_OP_ERASE, at + i);
	scenario_op(s, 2, BLINK_TREE_OP_INSERT, at - 7);
	scenario_op(s, 2, BLINK_TREE_OP_INSERT, at - 5);
	scenario_op(s, 3, OP_VERIFY, at);
}

static void one_value(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int fiber, i;

	(void)random;
	full(s);
	at &= ~1U;
	for (fiber = 0; fiber < 2; fiber++) {
		for (i = 0; i < 2; i++) {
			scenario_op(s, fiber, BLINK_TREE_OP_CMPXCHG, at);
			s->op[fiber][i].old = at;
		}
	}
	scenario_op(s, 0, BLINK_TREE_OP_REPLACE, at);
	scenario_op(s, 1, BLINK_TREE_OP_STORE, at);
	for (i = 0; i < 3; i++)
		scenario_op(s, 2, BLINK_TREE_OP_INSERT, at + 1 + 2 * i);
	scenario_op(s, 3, BLINK_TREE_OP_LOOKUP, at);
	scenario_op(s, 3, BLINK_TREE_OP_ERASE, at + 2);
}

/* A batch has a way of its own to each operation. */
static void batches(struct scenario *s, unsigned int at, u64 *random)
{
	one_value(s, at, random);
	s->batched[0] = true;
	s->batched[1] = random_chance(random, 50);
	s->batched[3] = true;
}

static void batch_readers(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	(void)random;
	full(s);
	at = 8 + (at & ~1U) % 16;
	s->batched[0] = true;
	s->batched[3] = true;
	for (i = 0; i < 3; i++) {
		scenario_op(s, 0, BLINK_TREE_OP_LOOKUP, at);
		scenario_op(s, 3, BLINK_TREE_OP_LOOKUP, at + 2 * (i & 1));
	}
	scenario_op(s, 1, BLINK_TREE_OP_INSERT, at - 1);
	scenario_op(s, 1, BLINK_TREE_OP_ERASE, at - 2);
	scenario_op(s, 1, BLINK_TREE_OP_ERASE, at - 1);
	scenario_op(s, 2, BLINK_TREE_OP_ERASE, at - 4);
	scenario_op(s, 2, BLINK_TREE_OP_INSERT, at - 3);
}

/* The strings of a cleared gap are freed while readers are on their way to them. */
static void cleared_gap(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	(void)random;
	full(s);
	at = (at & ~1U) % 24;
	s->committed[0] = true;
	scenario_op(s, 0, BLINK_TREE_OP_LOOKUP, at);
	s->op[0][0].flags = BLINK_TREE_COMMIT_CLEAR;
	scenario_op(s, 0, BLINK_TREE_OP_LOOKUP, at + 8);
	s->batched[1] = true;
	for (i = 0; i < 4; i++) {
		scenario_op(s, 1, BLINK_TREE_OP_LOOKUP, at + 2 + 2 * (i % 3));
		scenario_op(s, 2, BLINK_TREE_OP_LOOKUP, at + 2 + 2 * (i % 3));
	}
}

/*
 * Keys are loaded behind all others, which takes new leaves, each linked as soon
 * as it is complete. A floor that enters one from the right looks to its left.
 */
static void load(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	for (i = 0; i <= at; i++)
		scenario_add(s, i);
	scenario_load(s, 0, at + 1, 5 + random_below(random, 3));
	for (i = 0; i < 3; i++) {
		scenario_op(s, 1, BLINK_TREE_OP_FLOOR,
			    at + 1 + random_below(random, 7));
		scenario_op(s, 2, BLINK_TREE_OP_LOOKUP,
			    at + 1 + random_below(random, 7));
		scenario_op(s, 3, BLINK_TREE_OP_CEILING, at + i);
	}
	scenario_scan(s, 1, true, 0, at + 7, 1 + random_below(random, 8));
	scenario_scan(s, 2, false, at, at + 7, 1 + random_below(random, 8));
}

/* Leaves die while an index is dropped, of which somebody may be on the way. */
static void rebuild(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 2 + random_below(random, 3));
	scenario_op(s, 0, OP_REBUILD, at);
	for (i = 0; i < 4; i++) {
		scenario_op(s, 1, BLINK_TREE_OP_ERASE,
			    at + random_below(random, 8));
		scenario_op(s, 2, BLINK_TREE_OP_LOOKUP,
			    at + random_below(random, 8));
		scenario_op(s, 3,
			    random_chance(random, 50) ? BLINK_TREE_OP_INSERT :
							BLINK_TREE_OP_FLOOR,
			    at + random_below(random, 8));
	}
	scenario_op(s, 0, OP_VERIFY, at);
}

/* One index comes up while another one goes down. */
static void two_rebuild(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int i;

	thinned(s, 2 + random_below(random, 3));
	for (i = 0; i < 4; i++) {
		scenario_op(s, i % 2, OP_REBUILD, at);
		scenario_op(s, 2, BLINK_TREE_OP_ERASE,
			    at + random_below(random, 8));
		scenario_op(s, 3,
			    random_chance(random, 80) ? BLINK_TREE_OP_LOOKUP :
							BLINK_TREE_OP_INSERT,
			    at + random_below(random, 8));
	}
}

/* Let a fiber execute two operations at one moment. */
static void both(struct scenario *s, unsigned int fiber, unsigned int opcode,
		 unsigned int first, unsigned int second)
{
	s->committed[fiber] = true;
	scenario_op(s, fiber, opcode, first);
	scenario_op(s, fiber, opcode, second);
}

/* One changes two leaves at a time; others look at one after the other, or at both. */
static void whole_commit(struct scenario *s, unsigned int at, u64 *random)
{
	const unsigned int other = at + 3 + random_below(random, 5);
	const bool turned = random_chance(random, 50);
	unsigned int i;

	full(s);
	s->strict = random_chance(random, 50);
	both(s, 0, BLINK_TREE_OP_STORE, at, other);
	for (i = 0; i < 4; i++)
		scenario_op(s, 1, BLINK_TREE_OP_LOOKUP,
			    i % 2 == turned ? at : other);
	both(s, 2, BLINK_TREE_OP_LOOKUP, at, other);
}

/* Single stores to two leaves, one after the other, beside commits that read both. */
static void stores_in_order(struct scenario *s, unsigned int at, u64 *random)
{
	const unsigned int other = at + 3 + random_below(random, 5);
	unsigned int i;

	full(s);
	s->strict = random_chance(random, 80);
	for (i = 0; i < 4; i++)
		scenario_op(s, 0, BLINK_TREE_OP_STORE, i % 2 ? other : at);
	both(s, 1, BLINK_TREE_OP_LOOKUP, at, other);
	both(s, 2, BLINK_TREE_OP_LOOKUP, other, at);
}

/* Two change the same leaves, and a third one splits or merges them. */
static void crosswise(struct scenario *s, unsigned int at, u64 *random)
{
	const unsigned int other = at + 3 + random_below(random, 5);

	full(s);
	s->strict = random_chance(random, 50);
	both(s, 0, BLINK_TREE_OP_ADD, at, other);
	both(s, 1, BLINK_TREE_OP_STORE, other, at);
	scenario_op(s, 2, BLINK_TREE_OP_LOOKUP, other);
	scenario_op(s, 2,
		    random_chance(random, 50) ? BLINK_TREE_OP_INSERT :
						BLINK_TREE_OP_ERASE,
		    at + random_below(random, 8));
	scenario_op(s, 2, BLINK_TREE_OP_LOOKUP, at);
	both(s, 3, BLINK_TREE_OP_LOOKUP, other, at);
}

const struct test race_tests[] = {
	RACE("race: a reader does not overshoot a merge", 40, overshoot),
	RACE("race: no writer changes a dead leaf", 40, dead_leaf),
	RACE("race: the last root shrinks while it grows", 15, last_root),
	RACE("race: separators and high keys of several splits", SCENARIO_KEYS,
	     separators),
	RACE("race: an emptied leaf goes while it is added to", 40,
	     emptied_leaf),
	RACE("race: descending scans get past emptied leaves", 32, reverse),
	RACE("race: merges at the edge of a parent", SCENARIO_KEYS,
	     parents_edge),
	RACE("race: a scan sees no key twice while leaves split", 32,
	     seen_twice),
	RACE("race: a scan passes over no key while leaves merge", 32,
	     passed_over),
	RACE("race: no present key is missed during insertions", 40, missed),
	RACE("race: floor and ceiling across several leaves", 48, nearest),
	RACE("race: the last leaf dies while it is read", 24, last_leaf),
	RACE("race: the least and the greatest key are popped", 24, pops),
	RACE("race: a range is erased and counted", 32, ranges),
	RACE("race: splits without memory for their index entry", SCENARIO_KEYS,
	     interrupted),
	RACE("race: a root that was split and not grown yet", 40, split_root),
	RACE("race: a descent's parent is right of where it led", SCENARIO_KEYS,
	     stale_hint),
	RACE("race: one value, changed by several at once", 32, one_value),
	RACE("race: one value, changed by batches", 32, batches),
	RACE("race: readers of a batch", 32, batch_readers),
	RACE("race: a gap is cleared while it is read", 32, cleared_gap),
	RACE("race: a commit is seen as a whole", 32, whole_commit),
	RACE("race: commits crosswise", 32, crosswise),
	RACE("race: a commit reads what is stored one by one", 32,
	     stores_in_order),
	RACE("race: keys are loaded while they are looked for", 32, load),
	RACE("race: an index is dropped and built again in use", 40, rebuild),
	RACE("race: two indexes are dropped and built again", 40, two_rebuild),
	{}
};
#else
const struct test race_tests[] = { {} };
#endif
