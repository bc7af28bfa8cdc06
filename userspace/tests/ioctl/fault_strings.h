/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Streams of strings for trials in which memory is short. Include it after records.h.
 */
#ifndef BLINK_FAULT_STRINGS_H
#define BLINK_FAULT_STRINGS_H

/* Strings of a trial, more than a leaf has, and those that are always there. */
#define TRIAL 65
#define STRINGS (2 * TRIAL)
#define ROOM (TRIAL * RESULT_WORD_MAX)

/* The key of a number, in memory that the next call uses again; keys ascend. */
static inline struct string nth_key(unsigned int i)
{
	/* They have a long prefix. */
	static char bytes[62];

	memset(bytes, 'x', 60);
	bytes[60] = i / 256;
	bytes[61] = i % 256;
	return (struct string){ sizeof(bytes), bytes };
}

static inline void plan(struct stream *s, unsigned int opcode,
			unsigned int first, unsigned int nr)
{
	const bool value = opcode == BLINK_TREE_OP_INSERT;
	unsigned int i;

	s->size = 0;
	for (i = first; i < first + nr; i++)
		stream_add(s, &(struct rec){ .opcode = opcode,
					     .key = nth_key(i),
					     .value = value ? WORD(i) :
							      NO_STRING });
}

static inline int do_all(struct stream *s, unsigned int opcode,
			 unsigned int first)
{
	plan(s, opcode, first, TRIAL);
	return stream_call(s, ROOM);
}

/* Find out which strings of a trial are there, with their values. */
static inline void look(struct stream *s, bool *there)
{
	int ret = do_all(s, BLINK_TREE_OP_LOOKUP, STRINGS);
	size_t at = 0, length;
	struct rec r = {};
	unsigned int i;

	for (i = 0; i < TRIAL; i++, at += length) {
		length = ret ? 0 :
			       rec_get(s->output + at, s->arg.output_used - at,
				       &r);
		there[i] = length && !r.result &&
			   string_same(r.value, WORD(STRINGS + i));
	}
}

/* How many strings of a trial are there, from the first on; -1: others are. */
static inline int row_of(struct stream *s)
{
	unsigned int i, row = 0;
	bool there[TRIAL];

	look(s, there);
	for (i = 0; i < TRIAL; i++) {
		if (!there[i])
			continue;
		if (row < i)
			return -1;
		row++;
	}
	return row;
}

/* The results of a stream of insertions: a key is there if its own one is 0. */
static inline bool each_as_told(struct stream *s)
{
	static char copy[ROOM];
	size_t size = s->arg.output_used, at = 0, length;
	struct rec r = {};
	bool there[TRIAL];
	unsigned int i;

	memcpy(copy, s->output, size);
	look(s, there);
	for (i = 0; i < TRIAL; i++, at += length) {
		length = rec_get(copy + at, size - at, &r);
		if (!length || (r.result && r.result != -ENOMEM) ||
		    there[i] != !r.result)
			return false;
	}
	return at == size;
}

/* Whether the output has all strings that are always there. */
static inline bool all_scanned(const struct stream *s, size_t size, bool desc)
{
	size_t at = 0, length;
	struct rec r = {};
	unsigned int i, k;

	for (i = 0; i < STRINGS; i++, at += length) {
		k = desc ? STRINGS - 1 - i : i;
		length = rec_get(s->output + at, size - at, &r);
		if (!length || !string_same(r.key, nth_key(k)) ||
		    !string_same(r.value, WORD(k)))
			return false;
	}
	return at == size;
}

#endif /* BLINK_FAULT_STRINGS_H */
