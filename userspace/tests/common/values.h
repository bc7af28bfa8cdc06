/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records whose values are bytes, and whose keys are of any kind, for tests: written, and
 * read back strictly. A field of no bytes and a missing field are the same record.
 */
#ifndef BLINKTREE_TESTS_VALUES_H
#define BLINKTREE_TESTS_VALUES_H

#include "bytes.h"
#include "record.h"

#define VALUES_MAX BLINK_TREE_RECORD_VALUE_MAX

/* The longest record with a key and one value, as results are, and as entries are. */
#define VALUES_RESULT_MAX \
	(sizeof(struct blink_tree_record) + BYTES_KEY_MAX + VALUES_MAX)

/* The longest record with a key and two values. */
#define VALUES_RECORD_MAX (VALUES_RESULT_MAX + VALUES_MAX)

/**
 * struct values_rec - a record
 * @opcode: enum blink_tree_opcode
 * @flags: those of a result
 * @result: that of a result
 * @key: the key, in the form that it has in records
 * @value: the value
 * @old: the old value
 */
struct values_rec {
	__u16 opcode;
	__u16 flags;
	__s32 result;
	struct string key;
	struct string value;
	struct string old;
};

/* The most bytes of a key in a tree of one kind. */
static inline size_t values_key_max(enum blink_tree_key kind)
{
	return kind == BLINK_TREE_KEY_BYTES ? BYTES_KEY_MAX :
					      record_key_bytes(kind);
}

/* Returns the place behind the field, which is written with its padding. */
static inline char *values_put_field(char *at, struct string field)
{
	const size_t room = bytes_padded(field.length);

	memset(at, 0, room);
	if (field.length)
		memcpy(at, field.data, field.length);
	return at + room;
}

/* Returns the length of the record. */
static inline size_t values_put(void *to, const struct values_rec *rec)
{
	struct blink_tree_record header = {
		.opcode = rec->opcode,
		.key_length = rec->key.length,
		.value_length = rec->value.length,
		.old_length = rec->old.length,
	};
	char *at = (char *)to + sizeof(header);

	at = values_put_field(at, rec->key);
	at = values_put_field(at, rec->value);
	at = values_put_field(at, rec->old);
	header.length = at - (char *)to;
	memcpy(to, &header, sizeof(header));
	return header.length;
}

/* Read a field. False if its padding is not zero. */
static inline bool values_get_field(const char **at, size_t length,
				    struct string *field)
{
	static const char zero[8];
	const char *end = *at + length;

	field->length = length;
	field->data = *at;
	*at += bytes_padded(length);
	return !memcmp(end, zero, *at - end);
}

/*
 * Returns the length of the record, or 0 if the kernel must not write such a one. The
 * fields of @rec are in the record.
 */
static inline size_t values_get(const void *from, size_t size,
				struct values_rec *rec)
{
	struct blink_tree_record header;
	const char *at = (const char *)from + sizeof(header);
	static const __u16 zero[3];

	if (size < sizeof(header))
		return 0;
	memcpy(&header, from, sizeof(header));
	if (header.length > size || header.key_length > BYTES_KEY_MAX ||
	    header.value_length > VALUES_MAX ||
	    header.old_length > VALUES_MAX ||
	    header.length != sizeof(header) + bytes_padded(header.key_length) +
				     bytes_padded(header.value_length) +
				     bytes_padded(header.old_length) ||
	    memcmp(header.__reserved, zero, sizeof(zero)))
		return 0;
	*rec = (struct values_rec){
		.opcode = header.opcode,
		.flags = header.flags,
		.result = header.result,
	};
	if (!values_get_field(&at, header.key_length, &rec->key) ||
	    !values_get_field(&at, header.value_length, &rec->value) ||
	    !values_get_field(&at, header.old_length, &rec->old))
		return 0;
	return header.length;
}

#endif /* BLINKTREE_TESTS_VALUES_H */
