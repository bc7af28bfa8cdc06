/* SPDX-License-Identifier: GPL-2.0 */
/* Records whose keys are byte strings, for tests: written, and read back strictly. */
#ifndef BLINKTREE_TESTS_BYTES_H
#define BLINKTREE_TESTS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <linux/blink_tree.h>

#define BYTES_KEY_MAX BLINK_TREE_RECORD_KEY_MAX

/* The longest record with a key and one value, as results are, and as entries are. */
#define BYTES_RESULT_MAX (sizeof(struct blink_tree_record) + BYTES_KEY_MAX + 8)

/* The longest record with a key and two values. */
#define BYTES_RECORD_MAX (BYTES_RESULT_MAX + 8)

/* A key; @data can be any address, and NULL if there are no bytes. */
struct string {
	size_t length;
	const void *data;
};

/* The key that the text of a literal is, without its NUL. */
#define STRING(literal) \
	((struct string){ .length = sizeof(literal) - 1, .data = (literal) })

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

/**
 * struct bytes_rec - a record
 * @opcode: enum blink_tree_opcode
 * @flags: those of a result
 * @result: that of a result
 * @has_value: there is a value
 * @has_old: there is an old value
 * @key: the key; no bytes if there is none
 * @value: the value
 * @old: the old value
 */
struct bytes_rec {
	__u16 opcode;
	__u16 flags;
	__s32 result;
	bool has_value;
	bool has_old;
	struct string key;
	__u64 value;
	__u64 old;
};

static inline size_t bytes_padded(size_t length)
{
	return (length + 7) / 8 * 8;
}

/* Returns the length of the record, which is written with its padding. */
static inline size_t bytes_put(void *to, const struct bytes_rec *rec)
{
	struct blink_tree_record header = {
		.opcode = rec->opcode,
		.key_length = rec->key.length,
		.value_length = rec->has_value ? 8 : 0,
		.old_length = rec->has_old ? 8 : 0,
	};
	size_t key_room = bytes_padded(rec->key.length);
	char *at = (char *)to + sizeof(header);

	memset(at, 0, key_room);
	if (rec->key.length)
		memcpy(at, rec->key.data, rec->key.length);
	at += key_room;
	memcpy(at, &rec->value, header.value_length);
	at += header.value_length;
	memcpy(at, &rec->old, header.old_length);
	at += header.old_length;
	header.length = at - (char *)to;
	memcpy(to, &header, sizeof(header));
	return header.length;
}

/*
 * Returns the length of the record, or 0 if the kernel must not write such a one. The
 * key of @rec is in the record.
 */
static inline size_t bytes_get(const void *from, size_t size,
			       struct bytes_rec *rec)
{
	static const char zero[8];
	struct blink_tree_record header;
	const char *at = (const char *)from + sizeof(header);
	size_t padding;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, from, sizeof(header));
	padding = bytes_padded(header.key_length) - header.key_length;
	if (header.length > size || header.key_length > BYTES_KEY_MAX ||
	    header.length != sizeof(header) + header.key_length + padding +
				     header.value_length + header.old_length ||
	    header.value_length % 8 || header.value_length > 8 ||
	    header.old_length % 8 || header.old_length > 8 ||
	    memcmp(header.__reserved, zero, sizeof(header.__reserved)) ||
	    memcmp(at + header.key_length, zero, padding))
		return 0;
	*rec = (struct bytes_rec){
		.opcode = header.opcode,
		.flags = header.flags,
		.result = header.result,
		.has_value = header.value_length,
		.has_old = header.old_length,
		.key = { .length = header.key_length, .data = at },
	};
	at += header.key_length + padding;
	memcpy(&rec->value, at, header.value_length);
	at += header.value_length;
	memcpy(&rec->old, at, header.old_length);
	return header.length;
}

#endif /* BLINKTREE_TESTS_BYTES_H */
