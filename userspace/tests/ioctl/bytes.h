/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees whose keys are byte strings, as variants; streams of records for them; and a
 * *universe*: a sorted set of keys that are hard for a tree, each of them present or
 * absent, as a model of a tree.
 *
 * Include it after blink_test.h and records.h.
 */
#ifndef BLINK_TEST_BYTES_H
#define BLINK_TEST_BYTES_H

#include "../common/bytes.h"

#include "modes.h"
#include "ranges.h"

#define ADD_BYTES(fixture) FOR_EACH_BYTES_MODE(ADD_MODE, fixture)

static inline void bytes_add(struct stream *s, const struct bytes_rec *rec)
{
	s->size += bytes_put(s->input + s->size, rec);
}

#define ADD_BYTES_REC(s, op, ...)                                       \
	bytes_add(s, &(struct bytes_rec){ .opcode = BLINK_TREE_OP_##op, \
					  __VA_ARGS__ })

/* Execute one record; without a result that can be read its opcode is 0xffff. */
static inline struct bytes_rec bytes_one(struct stream *s,
					 const struct bytes_rec *rec)
{
	struct bytes_rec result = { .opcode = 0xffff };

	stream_reset(s);
	bytes_add(s, rec);
	memset(s->output, 0xee, BYTES_RESULT_MAX);
	if (stream_call(s, 0, s->size, BYTES_RESULT_MAX) || s->arg.done != 1 ||
	    s->arg.input_used != s->size ||
	    bytes_get(s->output, s->arg.output_used, &result) !=
		    s->arg.output_used ||
	    result.opcode != rec->opcode || result.flags)
		result.opcode = 0xffff;
	return result;
}

#define BYTES_ONE(s, op, ...)                                           \
	bytes_one(s, &(struct bytes_rec){ .opcode = BLINK_TREE_OP_##op, \
					  __VA_ARGS__ })

/* Whether a result is @ret, and has the fields that a result of its kind has. */
static inline bool bare(const struct bytes_rec *r, int ret)
{
	return r->opcode != 0xffff && r->result == ret && !r->key.length &&
	       !r->has_value && !r->has_old;
}

static inline bool with_value(const struct bytes_rec *r, int ret, __u64 value)
{
	return r->opcode != 0xffff && r->result == ret && !r->key.length &&
	       r->has_value && r->value == value && !r->has_old;
}

static inline bool with_old(const struct bytes_rec *r, int ret, __u64 old)
{
	return r->opcode != 0xffff && r->result == ret && !r->key.length &&
	       !r->has_value && r->has_old && r->old == old;
}

static inline bool found(const struct bytes_rec *r, struct string key,
			 __u64 value)
{
	return r->opcode != 0xffff && !r->result && r->has_value &&
	       !r->has_old && r->value == value && string_same(r->key, key);
}

static inline bool popped(const struct bytes_rec *r, struct string key,
			  __u64 old)
{
	return r->opcode != 0xffff && !r->result && !r->has_value &&
	       r->has_old && r->old == old && string_same(r->key, key);
}

/* The greatest key that there can be. */
static inline struct string greatest_key(void)
{
	static unsigned char ones[BYTES_KEY_MAX];

	memset(ones, 0xff, sizeof(ones));
	return (struct string){ sizeof(ones), ones };
}

#define UNIVERSE 900

/**
 * struct universe - keys, and a model of a tree
 * @nr: number of keys
 * @entries: how many of them are present
 * @random: the state of random choices
 * @keys: the keys, in order
 * @present: whether each of them is in the tree
 * @value: its value
 * @bytes: their bytes
 */
struct universe {
	unsigned int nr;
	unsigned int entries;
	__u64 random;
	struct string keys[UNIVERSE];
	bool present[UNIVERSE];
	__u64 value[UNIVERSE];
	unsigned char bytes[UNIVERSE][BYTES_KEY_MAX];
};

static inline size_t random_length(__u64 *random)
{
	static const size_t lengths[] = {
		0, 1, 7, 8, 9, 15, 16, 127, 128, 255, 256, 1000, 1023, 1024
	};

	if (!random_below(random, 3))
		return random_below(random, BYTES_KEY_MAX + 1);
	return lengths[random_below(random, ARRAY_SIZE(lengths))];
}

/* A key of few different bytes, so that keys share long prefixes. */
static inline size_t random_bytes(unsigned char *to, size_t length,
				  __u64 *random)
{
	static const unsigned char few[] = { 0, 1, 'a', 0xfe, 0xff };
	size_t i;

	for (i = 0; i < length; i++)
		to[i] = few[random_below(random, ARRAY_SIZE(few))];
	return length;
}

static inline size_t make_key(unsigned char *to, struct string other,
			      __u64 *random)
{
	static const unsigned char fills[] = { 0, 'a', 0xff };
	size_t length = other.length;

	if (length)
		memcpy(to, other.data, length);
	switch (random_below(random, 7)) {
	case 0: /* A run of one byte. */
		length = random_length(random);
		memset(to, fills[random_below(random, 3)], length);
		return length;
	case 1: /* The keys of a leaf differ in their last bytes alone. */
		memset(to, 'a', BYTES_KEY_MAX - 8);
		return BYTES_KEY_MAX - 8 +
		       random_bytes(to + BYTES_KEY_MAX - 8, 8, random);
	case 2: /* What a key of 8 bytes is in a tree of numbers. */
		return random_bytes(to, 8, random);
	case 3: /* The next key. */
		if (length < BYTES_KEY_MAX)
			to[length++] = 0;
		return length;
	case 4: /* A key that another one begins with. */
		return length ? random_below(random, length) : 0;
	case 5: /* A neighbour of the same length. */
		if (length)
			to[length - 1] += random_below(random, 2) ? 1 : -1;
		return length;
	default:
		return random_bytes(to, random_length(random), random);
	}
}

static inline int by_string(const void *a, const void *b)
{
	return string_compare(*(const struct string *)a,
			      *(const struct string *)b);
}

static inline void universe_make(struct universe *u, __u64 seed)
{
	unsigned int i, nr = 0;

	memset(u, 0, sizeof(*u));
	u->random = random_stream(seed, 1);
	for (i = 0; i < UNIVERSE; i++) {
		unsigned int from = i ? random_below(&u->random, i) : 0;

		u->keys[i].data = u->bytes[i];
		u->keys[i].length =
			make_key(u->bytes[i], u->keys[from], &u->random);
	}
	qsort(u->keys, UNIVERSE, sizeof(u->keys[0]), by_string);
	for (i = 0; i < UNIVERSE; i++) {
		if (!nr || !string_same(u->keys[nr - 1], u->keys[i]))
			u->keys[nr++] = u->keys[i];
	}
	u->nr = nr;
}

static inline unsigned int universe_any(struct universe *u)
{
	return random_below(&u->random, u->nr);
}

static inline void universe_set(struct universe *u, unsigned int i, __u64 value)
{
	u->entries += !u->present[i];
	u->present[i] = true;
	u->value[i] = value;
}

static inline void universe_clear(struct universe *u, unsigned int i)
{
	u->entries -= u->present[i];
	u->present[i] = false;
}

/* The first key that is present from one on, upwards or downwards; -1 if none. */
static inline int universe_find(const struct universe *u, unsigned int from,
				int step)
{
	int i;

	for (i = from; i >= 0 && i < (int)u->nr; i += step) {
		if (u->present[i])
			return i;
	}
	return -1;
}

/* Store a part of the keys, in random order. Returns 0 or an error. */
static inline int universe_fill(struct universe *u, struct stream *s,
				unsigned int nr)
{
	unsigned int i, k;
	int ret = 0;

	while (nr && !ret) {
		stream_reset(s);
		for (i = 0; i < 100 && nr; i++, nr--) {
			k = universe_any(u);
			ADD_BYTES_REC(s, STORE, .key = u->keys[k],
				      .has_value = true, .value = nr);
			universe_set(u, k, nr);
		}
		ret = stream_call(s, 0, s->size, 100 * BYTES_RESULT_MAX);
		if (!ret && s->arg.done != i)
			ret = -EBADMSG;
	}
	return ret;
}

#endif /* BLINK_TEST_BYTES_H */
