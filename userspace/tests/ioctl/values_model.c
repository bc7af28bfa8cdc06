// SPDX-License-Identifier: GPL-2.0
/*
 * Trees with values of bytes against a model, a sorted array: random operations, loads,
 * scans, counts and erases, with values of many lengths.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "values.h"

#define NAME "selftest.values_model"
#define KEYS 500
/* Lengths of values, and values of each length. */
#define LIKE 3

/* The keys by their numbers, in order: whether each is present, and its value. */
struct model {
	__u64 random;
	unsigned int entries;
	bool present[KEYS];
	unsigned int value[KEYS];
};

FIXTURE(values_model)
{
	struct stream s;
	struct model m;
};

FIXTURE_VARIANT(values_model)
{
	struct blink_tree_ioc_create how;
};

ADD_VALUES(values_model);

FIXTURE_SETUP(values_model)
{
	self->m = (struct model){ .random = random_stream(seed_get(), 1) };
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(values_model)
{
	stream_close(&self->s, NAME);
}

static void model_set(struct model *m, unsigned int i, unsigned int value)
{
	m->entries += !m->present[i];
	m->present[i] = true;
	m->value[i] = value;
}

static void model_clear(struct model *m, unsigned int i)
{
	m->entries -= m->present[i];
	m->present[i] = false;
}

/* The first key that is present from one on, upwards or downwards; -1 if none. */
static int model_find(const struct model *m, int from, int step)
{
	while (from >= 0 && from < KEYS && !m->present[from])
		from += step;
	return from >= 0 && from < KEYS ? from : -1;
}

/* Few values, so that expected ones are often right, and similar when they are not. */
static struct string value_of_number(unsigned int number)
{
	static const size_t lengths[] = { 0,  1,   7,	8,    9,    16,
					  31, 100, 500, 2048, 4095, 4096 };
	static unsigned char buffers[VALUE_BUFFERS][VALUES_MAX];
	static unsigned int next;
	unsigned char *bytes = buffers[next++ % VALUE_BUFFERS];
	const size_t length = lengths[number / LIKE % ARRAY_SIZE(lengths)];

	memset(bytes, 'v', length);
	if (length)
		bytes[length - 1] += number % LIKE;
	return (struct string){ length, bytes };
}

static unsigned int random_value(__u64 *random)
{
	/* Often one of few short ones. */
	return random_below(random, random_below(random, 4) ? 9 : 36);
}

/* An operation by the numbers of its key and its values. */
struct op {
	unsigned int opcode;
	unsigned int key;
	unsigned int value;
	unsigned int old;
};

static bool judge_found(struct model *m, const struct op *op,
			const struct values_rec *r, enum blink_tree_key kind)
{
	const bool down = op->opcode == BLINK_TREE_OP_FLOOR ||
			  op->opcode == BLINK_TREE_OP_POP_MAX;
	const int at = model_find(m, op->key, down ? -1 : 1);

	if (at < 0)
		return bare(r, -ENOENT);
	if (op->opcode == BLINK_TREE_OP_FLOOR ||
	    op->opcode == BLINK_TREE_OP_CEILING)
		return found(r, key_like(kind, at),
			     value_of_number(m->value[at]));
	model_clear(m, at);
	return popped(r, key_like(kind, at), value_of_number(m->value[at]));
}

static bool judge_compare(struct model *m, const struct op *op,
			  const struct values_rec *r, struct string value)
{
	if (!string_same(value, value_of_number(op->old)))
		return with_old(r, -ESTALE, value);
	if (op->opcode == BLINK_TREE_OP_CMPXCHG)
		model_set(m, op->key, op->value);
	else
		model_clear(m, op->key);
	return with_old(r, 0, value);
}

/* Operations on a key that is present. */
static bool judge_present(struct model *m, const struct op *op,
			  const struct values_rec *r)
{
	const struct string value = value_of_number(m->value[op->key]);

	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return with_value(r, 0, value);
	case BLINK_TREE_OP_INSERT:
		return with_old(r, -EEXIST, value);
	case BLINK_TREE_OP_GET_OR_INSERT:
		return with_old(r, 1, value);
	case BLINK_TREE_OP_STORE:
		model_set(m, op->key, op->value);
		return with_old(r, 1, value);
	case BLINK_TREE_OP_REPLACE:
		model_set(m, op->key, op->value);
		return with_old(r, 0, value);
	case BLINK_TREE_OP_ERASE:
		model_clear(m, op->key);
		return with_old(r, 0, value);
	default:
		return judge_compare(m, op, r, value);
	}
}

/* What the model says to an operation. */
static bool judge(struct model *m, const struct op *op,
		  const struct values_rec *r, enum blink_tree_key kind)
{
	if (r->opcode != op->opcode || r->flags)
		return false;
	if (gives_key(op->opcode))
		return judge_found(m, op, r, kind);
	if (m->present[op->key])
		return judge_present(m, op, r);
	if (op->opcode != BLINK_TREE_OP_INSERT &&
	    op->opcode != BLINK_TREE_OP_STORE &&
	    op->opcode != BLINK_TREE_OP_GET_OR_INSERT)
		return bare(r, -ENOENT);
	model_set(m, op->key, op->value);
	return bare(r, 0);
}

static struct op random_op(struct model *m, bool grow)
{
	return (struct op){
		.opcode = grow && random_below(&m->random, 3) ?
				  BLINK_TREE_OP_STORE :
				  random_below(&m->random, BLINK_TREE_OP_NR),
		.key = random_below(&m->random, KEYS),
		.value = random_value(&m->random),
		.old = random_value(&m->random),
	};
}

static void add_op(struct stream *s, const struct op *op)
{
	struct values_rec rec = { .opcode = op->opcode,
				  .key = key_like(s->kind, op->key) };

	if (takes_value(op->opcode))
		rec.value = value_of_number(op->value);
	if (takes_old(op->opcode))
		rec.old = value_of_number(op->old);
	values_add(s, &rec);
}

#define STREAM_OPS 40

/* A stream of random operations, by as many calls as its room for results needs. */
static bool random_stream_of_ops(struct model *m, struct stream *s, bool grow)
{
	const unsigned int nr = 1 + random_below(&m->random, STREAM_OPS);
	struct op ops[STREAM_OPS];
	size_t room, from, at;
	struct values_rec r;
	unsigned int i;

	stream_reset(s);
	for (i = 0; i < nr; i++) {
		/* Sometimes some with one key. */
		ops[i] = random_op(m, grow);
		if (i && !random_below(&m->random, 4))
			ops[i].key = ops[i - 1].key;
		add_op(s, &ops[i]);
	}
	room = VALUES_RESULT_MAX + random_below(&m->random, 100000);
	for (from = 0, i = 0; from < s->size; from += s->arg.input_used) {
		if (stream_call(s, from, s->size - from, room) ||
		    s->arg.output_used > room || !s->arg.done)
			return false;
		for (at = 0; at < s->arg.output_used; i++) {
			size_t length = values_get(s->output + at,
						   s->arg.output_used - at, &r);

			if (!length || i >= nr ||
			    !judge(m, &ops[i], &r, s->kind)) {
				fprintf(stderr,
					"# opcode %u key %u: result %d\n",
					ops[i].opcode, ops[i].key, r.result);
				return false;
			}
			at += length;
		}
	}
	return i == nr;
}

/* Random operations do to a tree what they do to a sorted array. */
TEST_F(values_model, random_operations)
{
	struct stream *s = &self->s;
	struct model *m = &self->m;
	unsigned int round, i;

	for (round = 0; round < 12; round++) {
		for (i = 0; i < 40; i++)
			ASSERT_TRUE(random_stream_of_ops(m, s, round & 1));
		ASSERT_EQ(0, tree_check(s->tree, m->entries));
	}
}

/* Load a part of the keys, until one is present; the model knows where this is. */
static bool random_load(struct model *m, struct stream *s)
{
	unsigned int key = random_below(&m->random, KEYS);
	unsigned int done = 0, nr = 0;
	bool present = false;
	int ret;

	stream_reset(s);
	for (; key < KEYS && nr < STREAM_OPS; nr++) {
		struct op op = { .opcode = BLINK_TREE_OP_INSERT,
				 .key = key,
				 .value = random_value(&m->random) };

		add_op(s, &op);
		present |= m->present[key];
		if (!present) {
			model_set(m, key, op.value);
			done++;
		}
		key += 1 + random_below(&m->random, 4);
	}
	ret = values_load(s, 1 + random_below(&m->random, 100));
	return ret == (present ? -EEXIST : 0) && s->arg.done == done &&
	       s->arg.input_used == bytes_of(s, done);
}

/* The range of some keys: its bounds can be in the tree or not. */
struct chosen {
	int first;
	int last;
	__u32 flags;
};

static struct chosen choose(struct model *m)
{
	const int a = random_below(&m->random, KEYS);
	const int b = random_below(&m->random, KEYS);

	return (struct chosen){
		.first = a < b ? a : b,
		.last = a < b ? b : a,
		.flags = random_next(&m->random) &
			 (BYTES_FIRST_OPEN | BYTES_LAST_OPEN),
	};
}

static void range_of(struct bytes_range *range, const struct chosen *c,
		     enum blink_tree_key kind)
{
	bytes_range_init(range, c->flags, key_like(kind, c->first),
			 key_like(kind, c->last));
}

/* The keys that the range has, whether they are present or not. */
static int first_of(const struct chosen *c)
{
	return c->first + !!(c->flags & BYTES_FIRST_OPEN);
}

static int last_of(const struct chosen *c)
{
	return c->last - !!(c->flags & BYTES_LAST_OPEN);
}

static long model_count(const struct model *m, const struct chosen *c)
{
	long nr = 0;
	int i;

	for (i = first_of(c); i <= last_of(c); i++)
		nr += m->present[i];
	return nr;
}

/* Each entry of the range comes once and in order, with random room in each call. */
static bool same_entries(struct model *m, struct stream *s,
			 const struct chosen *c, bool desc)
{
	const int step = desc ? -1 : 1;
	int next = desc ? last_of(c) : first_of(c);
	struct bytes_range range;
	long left = model_count(m, c);
	struct values_rec r;
	size_t room, at, length;

	range_of(&range, c, s->kind);
	range.arg.flags |= desc ? BYTES_DESC : 0;
	do {
		room = entry_max(s->kind) + random_below(&m->random, 120000);
		if (bytes_scan(s, &range, room) || range.arg.output_used > room)
			return false;
		for (at = 0; at < range.arg.output_used; at += length) {
			length = values_get(s->output + at,
					    range.arg.output_used - at, &r);
			next = model_find(m, next, step);
			if (!length || left-- <= 0 || next < 0 ||
			    r.opcode != BLINK_TREE_OP_LOOKUP ||
			    !found(&r, key_like(s->kind, next),
				   value_of_number(m->value[next])))
				return false;
			next += step;
		}
	} while (!(range.arg.flags & BYTES_DONE));
	return !left;
}

static bool same_range(struct model *m, struct stream *s,
		       const struct chosen *c)
{
	struct bytes_range range;

	range_of(&range, c, s->kind);
	return bytes_count(s, &range) == model_count(m, c) &&
	       same_entries(m, s, c, false) && same_entries(m, s, c, true);
}

static bool same_erase(struct model *m, struct stream *s,
		       const struct chosen *c)
{
	const long want = model_count(m, c);
	struct bytes_range range;
	int i;

	for (i = first_of(c); i <= last_of(c); i++)
		model_clear(m, i);
	range_of(&range, c, s->kind);
	return range_erase(s, &range.arg) == want;
}

TEST_F(values_model, random_loads_and_ranges)
{
	const struct chosen all = { .last = KEYS - 1 };
	struct stream *s = &self->s;
	struct model *m = &self->m;
	struct chosen c;
	unsigned int round, i;

	for (round = 0; round < 15; round++) {
		for (i = 0; i < 8; i++)
			ASSERT_TRUE(random_load(m, s));
		ASSERT_TRUE(random_stream_of_ops(m, s, true));
		for (i = 0; i < 6; i++) {
			c = choose(m);
			ASSERT_TRUE(same_range(m, s, &c));
		}
		c = choose(m);
		ASSERT_TRUE(same_erase(m, s, &c));
		ASSERT_EQ(0, tree_check(s->tree, m->entries));
		ASSERT_TRUE(same_range(m, s, &all));
	}
}

TEST_HARNESS_MAIN
