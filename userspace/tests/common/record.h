/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Streams of records for tests, with keys and values of any kind: written as a program
 * writes them, and read back strictly. Each field is a string of bytes, a number too. A
 * field of no bytes and a missing field are the same record.
 */
#ifndef BLINKTREE_TESTS_RECORD_H
#define BLINKTREE_TESTS_RECORD_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/blink_tree.h>

#define RECORD_HEADER sizeof(struct blink_tree_record)
#define RECORD_KEY_MAX BLINK_TREE_RECORD_KEY_MAX
#define RECORD_VALUE_MAX BLINK_TREE_RECORD_VALUE_MAX

/* The longest record with one value, as results are: a number, or bytes; or with two. */
#define RESULT_WORD_MAX (RECORD_HEADER + RECORD_KEY_MAX + 8)
#define RESULT_MAX (RECORD_HEADER + RECORD_KEY_MAX + RECORD_VALUE_MAX)
#define RECORD_MAX (RESULT_MAX + RECORD_VALUE_MAX)

/* A field; @data can be any address, and NULL if there are no bytes. */
struct string {
	size_t length;
	const void *data;
};

/* The bytes of a literal, without its NUL. */
#define STRING(literal) \
	((struct string){ .length = sizeof(literal) - 1, .data = (literal) })

/* A value that is a number, until the end of the block. */
#define WORD(number) \
	((struct string){ .length = 8, .data = &(__u64){ number } })

#define NO_STRING ((struct string){})

static inline int string_compare(struct string a, struct string b)
{
	size_t common = a.length < b.length ? a.length : b.length;
	int order = common ? memcmp(a.data, b.data, common) : 0;

	return order ? order : (a.length > b.length) - (a.length < b.length);
}

static inline bool string_same(struct string a, struct string b)
{
	return !string_compare(a, b);
}

static inline bool string_begins(struct string key, struct string prefix)
{
	return key.length >= prefix.length &&
	       (!prefix.length ||
		!memcmp(key.data, prefix.data, prefix.length));
}

/* Write a key that is a number of the kind's width. */
static inline struct string number_put(void *to, enum blink_tree_key kind,
				       __u64 high, __u64 low)
{
	const __u64 words[] = { htobe64(high), htobe64(low) };
	const bool wide = kind == BLINK_TREE_KEY_U128;
	const struct string key = { wide ? 16 : 8, to };

	memcpy(to, &words[!wide], key.length);
	return key;
}

/* The most bytes of a key in a tree of one kind. */
static inline size_t record_key_max(enum blink_tree_key kind)
{
	return kind == BLINK_TREE_KEY_BYTES ? RECORD_KEY_MAX :
	       kind == BLINK_TREE_KEY_U128  ? 16 :
					      8;
}

/**
 * struct rec - a record
 * @opcode: enum blink_tree_opcode
 * @flags: those of an operation in a commit, or of a result
 * @result: that of a result
 * @key: the key, in the form that it has in records
 * @value: the value
 * @old: the old value
 */
struct rec {
	__u16 opcode;
	__u16 flags;
	__s32 result;
	struct string key;
	struct string value;
	struct string old;
};

/* The operations that take values for numbers. */
static inline bool takes_number(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_ADD ||
	       opcode == BLINK_TREE_OP_ADD_SATURATE;
}

/* The operations that have a value, and an expected value; whose result has a key. */
static inline bool takes_value(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_INSERT ||
	       opcode == BLINK_TREE_OP_STORE ||
	       opcode == BLINK_TREE_OP_REPLACE ||
	       opcode == BLINK_TREE_OP_CMPXCHG ||
	       opcode == BLINK_TREE_OP_GET_OR_INSERT || takes_number(opcode);
}

static inline bool takes_old(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_CMPXCHG ||
	       opcode == BLINK_TREE_OP_CMPERASE;
}

static inline bool gives_key(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_FLOOR ||
	       opcode == BLINK_TREE_OP_CEILING ||
	       opcode == BLINK_TREE_OP_POP_MIN ||
	       opcode == BLINK_TREE_OP_POP_MAX;
}

static inline size_t record_padded(size_t length)
{
	return (length + 7) / 8 * 8;
}

/* Returns the place behind the field, which is written with its padding. */
static inline char *record_put_field(char *at, struct string field)
{
	const size_t room = record_padded(field.length);

	memset(at, 0, room);
	if (field.length)
		memcpy(at, field.data, field.length);
	return at + room;
}

/* Returns the length of the record. */
static inline size_t rec_put(void *to, const struct rec *rec)
{
	struct blink_tree_record header = {
		.opcode = rec->opcode,
		.flags = rec->flags,
		.key_length = rec->key.length,
		.value_length = rec->value.length,
		.old_length = rec->old.length,
	};
	char *at = (char *)to + sizeof(header);

	at = record_put_field(at, rec->key);
	at = record_put_field(at, rec->value);
	at = record_put_field(at, rec->old);
	header.length = at - (char *)to;
	memcpy(to, &header, sizeof(header));
	return header.length;
}

/* Read a field. False if its padding is not zero. */
static inline bool record_get_field(const char **at, size_t length,
				    struct string *field)
{
	static const char zero[8];
	const char *end = *at + length;

	field->length = length;
	field->data = *at;
	*at += record_padded(length);
	return !memcmp(end, zero, *at - end);
}

/*
 * Returns the length of the record, or 0 if the kernel must not write such a one. The
 * fields of @rec are in the record.
 */
static inline size_t rec_get(const void *from, size_t size, struct rec *rec)
{
	struct blink_tree_record header;
	const char *at = (const char *)from + sizeof(header);
	static const __u16 zero[3];

	if (size < sizeof(header))
		return 0;
	memcpy(&header, from, sizeof(header));
	if (header.length > size || header.key_length > RECORD_KEY_MAX ||
	    header.value_length > RECORD_VALUE_MAX ||
	    header.old_length > RECORD_VALUE_MAX ||
	    header.length != sizeof(header) + record_padded(header.key_length) +
				     record_padded(header.value_length) +
				     record_padded(header.old_length) ||
	    memcmp(header.__reserved, zero, sizeof(zero)))
		return 0;
	*rec = (struct rec){
		.opcode = header.opcode,
		.flags = header.flags,
		.result = header.result,
	};
	if (!record_get_field(&at, header.key_length, &rec->key) ||
	    !record_get_field(&at, header.value_length, &rec->value) ||
	    !record_get_field(&at, header.old_length, &rec->old))
		return 0;
	return header.length;
}

/**
 * struct range - a range, with its bounds as the kernel reads and writes them
 * @arg: the structure of a scan
 * @first: the lower bound
 * @last: the upper bound
 */
struct range {
	struct blink_tree_ioc_record_scan arg;
	char first[RECORD_KEY_MAX];
	char last[RECORD_KEY_MAX];
};

/* The structure has the addresses of the bounds, so a copy of it is another range. */
static inline void range_init(struct range *range, __u32 flags,
			      struct string first, struct string last)
{
	memset(range, 0, sizeof(*range));
	range->arg.flags = flags;
	range->arg.first_length = first.length;
	range->arg.last_length = last.length;
	if (first.length)
		memcpy(range->first, first.data, first.length);
	if (last.length)
		memcpy(range->last, last.data, last.length);
	range->arg.first = (uintptr_t)range->first;
	range->arg.last = (uintptr_t)range->last;
}

/* An erase of a range of numbers, with its bounds as the kernel reads and writes them. */
struct number_erase {
	struct blink_tree_ioc_record_erase arg;
	__u64 first;
	__u64 last;
};

/* The structure has the addresses of the bounds, so a copy of it is another range. */
static inline void number_erase_init(struct number_erase *erase, __u64 first,
				     __u64 last)
{
	*erase = (struct number_erase){
		.arg = {
			.first = (uintptr_t)&erase->first,
			.last = (uintptr_t)&erase->last,
			.first_length = sizeof(erase->first),
			.last_length = sizeof(erase->last),
		},
		.first = htobe64(first),
		.last = htobe64(last),
	};
}

#endif /* BLINKTREE_TESTS_RECORD_H */
