/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: records in the kernel
 *
 * A record is parsed from the kernel's copy of it only, at an address that is a multiple
 * of 8. Its *form* tells which fields an operation has, and which ones its result has,
 * in a tree of one kind.
 */
#ifndef BLINK_CHARDEV_RECORD_H
#define BLINK_CHARDEV_RECORD_H

#include <linux/align.h>
#include <linux/types.h>
#include <uapi/linux/blink_tree.h>

struct blink_tree;

#define BLINK_RECORD_HEADER sizeof(struct blink_tree_record)
#define BLINK_RECORD_PADDED(length) ALIGN((size_t)(length), 8)

/* The longest record, and the longest one that the kernel writes. */
#define BLINK_RECORD_MAX                                   \
	(BLINK_RECORD_HEADER + BLINK_TREE_RECORD_KEY_MAX + \
	 2 * BLINK_TREE_RECORD_VALUE_MAX)
#define BLINK_RESULT_MAX                                   \
	(BLINK_RECORD_HEADER + BLINK_TREE_RECORD_KEY_MAX + \
	 BLINK_TREE_RECORD_VALUE_MAX)

/* The fields of a record besides its header. */
#define BLINK_RECORD_KEY 1u
#define BLINK_RECORD_VALUE 2u
#define BLINK_RECORD_OLD 4u

/**
 * struct blink_field - a field of a record
 * @data: its bytes
 * @length: their number
 */
struct blink_field {
	const void *data;
	u32 length;
};

/**
 * struct blink_record - the content of a record
 * @opcode: its operation
 * @flags: those of an operation (BLINK_TREE_COMMIT_*), or of a result
 *	(BLINK_TREE_RECORD_MORE)
 * @result: its result
 * @has: BLINK_RECORD_*: the fields that it has
 * @key: the key
 * @value: the value
 * @old: the old value
 */
struct blink_record {
	u16 opcode;
	u16 flags;
	s32 result;
	unsigned int has;
	struct blink_field key;
	struct blink_field value;
	struct blink_field old;
};

/* A value that is a number, as a field, and back: 0 for none. */
static inline struct blink_field blink_field_of(const u64 *number)
{
	return (struct blink_field){ .data = number,
				     .length = sizeof(*number) };
}

static inline u64 blink_field_number(const struct blink_field *field)
{
	return field->length ? *(const u64 *)field->data : 0;
}

/* record.c */
int blink_record_length(const struct blink_tree_record *record, size_t size,
			u16 flags);
void blink_record_get(const struct blink_tree_record *record,
		      struct blink_record *content);
size_t blink_record_size(const struct blink_record *content);
size_t blink_record_put(void *to, const struct blink_record *content);

/* record_form.c */
size_t blink_key_size(enum blink_tree_key kind);
size_t blink_entry_size(const struct blink_tree *tree);
int blink_record_check(const struct blink_tree *tree,
		       const struct blink_tree_record *record);
u16 blink_record_opcode(enum blink_tree_key kind, u16 opcode);
bool blink_record_greatest(enum blink_tree_key kind, u16 opcode);
size_t blink_result_size(const struct blink_tree *tree, u16 opcode);
unsigned int blink_result_fields(enum blink_tree_key kind, u16 opcode,
				 s32 result);

#endif /* BLINK_CHARDEV_RECORD_H */
