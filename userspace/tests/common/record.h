/* SPDX-License-Identifier: GPL-2.0 */
/* Streams of records for tests: written as a program writes them, and read back. */
#ifndef BLINKTREE_TESTS_RECORD_H
#define BLINKTREE_TESTS_RECORD_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/blink_tree.h>

/* The longest record with a key and two values that are numbers. */
#define RECORD_BYTES (sizeof(struct blink_tree_record) + 32)

/* A key: its upper half is zero unless the tree's keys have 128 bits. */
struct key {
	__u64 high;
	__u64 low;
};

/**
 * struct rec - a record, as numbers
 * @opcode: enum blink_tree_opcode
 * @flags: those of a result
 * @result: that of a result
 * @has_key: for results; each operation has a key
 * @has_value: there is a value
 * @has_old: there is an old value
 * @key: the key
 * @value: the value
 * @old: the old value
 */
struct rec {
	__u16 opcode;
	__u16 flags;
	__s32 result;
	bool has_key;
	bool has_value;
	bool has_old;
	struct key key;
	__u64 value;
	__u64 old;
};

static inline size_t record_key_bytes(enum blink_tree_key kind)
{
	return kind == BLINK_TREE_KEY_U128 ? 16 : 8;
}

static inline size_t key_put(void *to, enum blink_tree_key kind, struct key key)
{
	const __u64 words[] = { htobe64(key.high), htobe64(key.low) };
	size_t bytes = record_key_bytes(kind);

	memcpy(to, &words[bytes == 8], bytes);
	return bytes;
}

static inline struct key key_get(const void *from, enum blink_tree_key kind)
{
	__u64 words[2] = {};
	size_t bytes = record_key_bytes(kind);

	memcpy(&words[bytes == 8], from, bytes);
	return (struct key){ be64toh(words[0]), be64toh(words[1]) };
}

static inline size_t rec_put(void *to, enum blink_tree_key kind,
			     const struct rec *rec)
{
	struct blink_tree_record header = {
		.opcode = rec->opcode,
		.key_length = record_key_bytes(kind),
		.value_length = rec->has_value ? 8 : 0,
		.old_length = rec->has_old ? 8 : 0,
	};
	char *at = (char *)to + sizeof(header);

	at += key_put(at, kind, rec->key);
	memcpy(at, &rec->value, header.value_length);
	at += header.value_length;
	memcpy(at, &rec->old, header.old_length);
	at += header.old_length;
	header.length = at - (char *)to;
	memcpy(to, &header, sizeof(header));
	return header.length;
}

/* Returns the length of the record, or 0 if the kernel must not write such a one. */
static inline size_t rec_get(const void *from, size_t size,
			     enum blink_tree_key kind, struct rec *rec)
{
	static const __u16 zero[3];
	struct blink_tree_record header;
	const char *at = (const char *)from + sizeof(header);

	if (size < sizeof(header))
		return 0;
	memcpy(&header, from, sizeof(header));
	if (header.length > size ||
	    header.length != sizeof(header) + header.key_length +
				     header.value_length + header.old_length ||
	    (header.key_length &&
	     header.key_length != record_key_bytes(kind)) ||
	    header.value_length % 8 || header.value_length > 8 ||
	    header.old_length % 8 || header.old_length > 8 ||
	    memcmp(header.__reserved, zero, sizeof(zero)))
		return 0;
	*rec = (struct rec){
		.opcode = header.opcode,
		.flags = header.flags,
		.result = header.result,
		.has_key = header.key_length,
		.has_value = header.value_length,
		.has_old = header.old_length,
	};
	if (rec->has_key)
		rec->key = key_get(at, kind);
	at += header.key_length;
	memcpy(&rec->value, at, header.value_length);
	at += header.value_length;
	memcpy(&rec->old, at, header.old_length);
	return header.length;
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
