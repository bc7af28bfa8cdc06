// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose keys are byte strings against a model, a sorted array: random operations,
 * scans, counts and erases, on keys that are hard for a tree (struct universe).
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "bytes.h"

#define NAME "selftest.bytes_model"

FIXTURE(bytes_model)
{
	struct stream s;
	struct universe *u;
};

FIXTURE_VARIANT(bytes_model)
{
	struct blink_tree_ioc_create how;
};

ADD_BYTES(bytes_model);

FIXTURE_SETUP(bytes_model)
{
	static struct universe u;

	universe_make(&u, seed_get());
	self->u = &u;
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(bytes_model)
{
	stream_close(&self->s, NAME);
}

/* What the model says to an operation on a key of the universe. */
static bool judge(struct universe *u, unsigned int i, unsigned int opcode,
		  const struct bytes_rec *op, const struct bytes_rec *r)
{
	const bool there = u->present[i];
	const __u64 value = u->value[i];
	int at;

	if (r->opcode != opcode || r->flags)
		return false;
	switch (opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return there ? with_value(r, 0, value) : bare(r, -ENOENT);
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_GET_OR_INSERT:
		if (there)
			return with_old(
				r, opcode == BLINK_TREE_OP_INSERT ? -EEXIST : 1,
				value);
		universe_set(u, i, op->value);
		return bare(r, 0);
	case BLINK_TREE_OP_STORE:
		universe_set(u, i, op->value);
		return there ? with_old(r, 1, value) : bare(r, 0);
	case BLINK_TREE_OP_REPLACE:
		if (there)
			universe_set(u, i, op->value);
		return there ? with_old(r, 0, value) : bare(r, -ENOENT);
	case BLINK_TREE_OP_ERASE:
		universe_clear(u, i);
		return there ? with_old(r, 0, value) : bare(r, -ENOENT);
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_CMPERASE:
		if (!there)
			return bare(r, -ENOENT);
		if (value != op->old)
			return with_old(r, -ESTALE, value);
		if (opcode == BLINK_TREE_OP_CMPXCHG)
			universe_set(u, i, op->value);
		else
			universe_clear(u, i);
		return with_old(r, 0, value);
	default:
		at = universe_find(
			u, i,
			opcode == BLINK_TREE_OP_FLOOR ||
					opcode == BLINK_TREE_OP_POP_MAX ?
				-1 :
				1);
		if (at < 0)
			return bare(r, -ENOENT);
		if (opcode == BLINK_TREE_OP_FLOOR ||
		    opcode == BLINK_TREE_OP_CEILING)
			return found(r, u->keys[at], u->value[at]);
		universe_clear(u, at);
		return popped(r, u->keys[at], u->value[at]);
	}
}

#define STREAM_OPS 60

/* A stream of random operations, by as many calls as its room for results needs. */
static bool random_stream_of_ops(struct universe *u, struct stream *s,
				 bool grow)
{
	unsigned int keys[STREAM_OPS], nr, i;
	struct bytes_rec ops[STREAM_OPS], r = {};
	size_t room, from = 0, at = 0, length;
	char *output = s->output;
	int ret = 0;

	stream_reset(s);
	nr = 1 + random_below(&u->random, STREAM_OPS);
	for (i = 0; i < nr; i++) {
		const unsigned int opcode =
			grow && random_below(&u->random, 3) ?
				BLINK_TREE_OP_STORE :
				random_below(&u->random, BLINK_TREE_OP_NR);
		const unsigned int bit = 1u << opcode;

		keys[i] = universe_any(u);
		ops[i] = (struct bytes_rec){
			.opcode = opcode,
			.key = u->keys[keys[i]],
			.has_value = bit & (1u << BLINK_TREE_OP_INSERT |
					    1u << BLINK_TREE_OP_STORE |
					    1u << BLINK_TREE_OP_REPLACE |
					    1u << BLINK_TREE_OP_CMPXCHG |
					    1u << BLINK_TREE_OP_GET_OR_INSERT),
			.has_old = bit & (1u << BLINK_TREE_OP_CMPXCHG |
					  1u << BLINK_TREE_OP_CMPERASE),
			/* Few values, so that old ones are often right. */
			.value = random_below(&u->random, 3),
			.old = random_below(&u->random, 3),
		};
		bytes_add(s, &ops[i]);
	}
	room = BYTES_RESULT_MAX + random_below(&u->random, 20000);
	while (!ret && from < s->size) {
		ret = stream_call(s, from, s->size - from, room);
		if (s->arg.output_used > room)
			ret = -EBADMSG;
		from += s->arg.input_used;
		s->output += s->arg.output_used;
	}
	at = s->output - output;
	s->output = output;
	if (ret)
		return false;
	for (i = 0; i < nr; i++) {
		length = bytes_get(output, at, &r);
		if (!length || !judge(u, keys[i], ops[i].opcode, &ops[i], &r)) {
			fprintf(stderr,
				"# opcode %u key %u of %zu: result %d\n",
				ops[i].opcode, keys[i], ops[i].key.length,
				r.result);
			return false;
		}
		output += length;
		at -= length;
	}
	return !at;
}

/* Random operations do to a tree what they do to a sorted array. */
TEST_F(bytes_model, random_operations)
{
	struct stream *s = &self->s;
	struct universe *u = self->u;
	unsigned int round, i;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < 50; i++)
			ASSERT_TRUE(random_stream_of_ops(u, s, round & 1));
		ASSERT_EQ(0, tree_check(s->tree, u->entries));
	}
}

/* A range between two keys of the universe, and what it has in the model. */
struct chosen {
	__u32 flags;
	struct string first;
	struct string last;
};

static bool in_range(const struct chosen *c, struct string key)
{
	const bool none = !c->last.length && !(c->flags & BYTES_LAST_OPEN);
	int order;

	if (c->flags & BYTES_PREFIX)
		return string_begins(key, c->first);
	order = string_compare(key, c->first);
	if (order < 0 || (!order && c->flags & BYTES_FIRST_OPEN))
		return false;
	if (none)
		return true;
	order = string_compare(key, c->last);
	return order < 0 || (!order && !(c->flags & BYTES_LAST_OPEN));
}

static struct chosen choose(struct universe *u)
{
	struct string a = u->keys[universe_any(u)];
	struct string b = u->keys[universe_any(u)];
	struct chosen c = {};

	switch (random_below(&u->random, 8)) {
	case 0:
		return c;
	case 1:
	case 2:
		/* Few bytes, so that more than one key begins with them. */
		c.flags = BYTES_PREFIX;
		c.first = a;
		if (a.length)
			c.first.length = random_below(
				&u->random,
				random_below(&u->random, a.length + 1) + 1);
		return c;
	case 3:
		c.first = a;
		c.flags = random_next(&u->random) & BYTES_FIRST_OPEN;
		return c;
	case 4:
		c.last = a;
		c.flags = random_next(&u->random) & BYTES_LAST_OPEN;
		return c;
	case 5:
		b = a;
		break;
	}
	c.flags = random_next(&u->random) &
		  (BYTES_FIRST_OPEN | BYTES_LAST_OPEN);
	c.first = string_compare(a, b) < 0 ? a : b;
	c.last = string_compare(a, b) < 0 ? b : a;
	return c;
}

static void range_of(struct bytes_range *range, const struct chosen *c)
{
	bytes_range_init(range, c->flags, c->first, c->last);
}

static unsigned int model_count(const struct universe *u,
				const struct chosen *c)
{
	unsigned int i, nr = 0;

	for (i = 0; i < u->nr; i++)
		nr += u->present[i] && in_range(c, u->keys[i]);
	return nr;
}

/* Each entry of the range comes once and in order, with random room in each call. */
static bool same_entries(struct universe *u, struct stream *s,
			 const struct chosen *c, bool desc)
{
	struct bytes_range range;
	const int step = desc ? -1 : 1;
	int next = desc ? u->nr - 1 : 0;
	struct bytes_rec r;
	size_t at, length;

	range_of(&range, c);
	if (desc)
		range.arg.flags |= BYTES_DESC;
	do {
		const size_t room = BYTES_RESULT_MAX +
				    (random_below(&u->random, 4) ?
					     random_below(&u->random, 3000) :
					     random_below(&u->random, 100000));
		unsigned int nr = 0;

		if (bytes_scan(s, &range, room) || range.arg.output_used > room)
			return false;
		for (at = 0; at < range.arg.output_used; at += length, nr++) {
			length = bytes_get(s->output + at,
					   range.arg.output_used - at, &r);
			while (next >= 0 && next < (int)u->nr &&
			       (!u->present[next] ||
				!in_range(c, u->keys[next])))
				next += step;
			if (!length || next < 0 || next >= (int)u->nr ||
			    r.opcode != BLINK_TREE_OP_LOOKUP ||
			    !found(&r, u->keys[next], u->value[next]))
				return false;
			next += step;
		}
		if (nr != range.arg.count ||
		    (!nr && !(range.arg.flags & BYTES_DONE)))
			return false;
	} while (!(range.arg.flags & BYTES_DONE));
	while (next >= 0 && next < (int)u->nr) {
		if (u->present[next] && in_range(c, u->keys[next]))
			return false;
		next += step;
	}
	return true;
}

static void say(const struct chosen *c, const char *what)
{
	fprintf(stderr, "# %s: flags %#x bounds of %zu and %zu bytes\n", what,
		c->flags, c->first.length, c->last.length);
}

static bool same_range(struct universe *u, struct stream *s,
		       const struct chosen *c)
{
	struct bytes_range range;

	range_of(&range, c);
	if (bytes_count(s, &range) != model_count(u, c))
		say(c, "count");
	else if (!same_entries(u, s, c, false))
		say(c, "scan");
	else if (!same_entries(u, s, c, true))
		say(c, "scan downwards");
	else
		return true;
	return false;
}

static bool same_erase(struct universe *u, struct stream *s,
		       const struct chosen *c)
{
	struct bytes_range range;
	long want = model_count(u, c);
	unsigned int i;

	for (i = 0; i < u->nr; i++) {
		if (in_range(c, u->keys[i]))
			universe_clear(u, i);
	}
	range_of(&range, c);
	if (range_erase(s, &range.arg) == want)
		return true;
	say(c, "erase");
	return false;
}

TEST_F(bytes_model, random_ranges)
{
	struct stream *s = &self->s;
	struct universe *u = self->u;
	struct chosen c;
	unsigned int round, i;

	for (round = 0; round < 30; round++) {
		ASSERT_EQ(0,
			  universe_fill(u, s, random_below(&u->random, 700)));
		for (i = 0; i < 20; i++) {
			c = choose(u);
			ASSERT_TRUE(same_range(u, s, &c));
		}
		c = choose(u);
		ASSERT_TRUE(same_erase(u, s, &c));
		ASSERT_EQ(0, tree_check(s->tree, u->entries));
		/* What is left is what the model has. */
		c = (struct chosen){};
		ASSERT_TRUE(same_range(u, s, &c));
	}
}

TEST_HARNESS_MAIN
