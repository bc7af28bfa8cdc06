// SPDX-License-Identifier: GPL-2.0
/* The form of each operation in trees of each kind, and whether a record has it. */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "../core/core.h"
#include "record.h"

#define KEY BLINK_RECORD_KEY
#define VALUE BLINK_RECORD_VALUE
#define OLD BLINK_RECORD_OLD

/**
 * struct form - the form of an operation in trees of one kind
 * @opcode: the operation of the core that executes it
 * @has: the fields that it must have besides the key
 * @may: the fields that it may have
 * @gives: the fields that its result has
 * @found: the results with which it has them
 * @greatest: without a value it finds the greatest value of the key
 * @numbers: in a tree with byte values it fails with EOPNOTSUPP
 * @unsupported: it always fails so
 */
struct form {
	u16 opcode;
	u8 has;
	u8 may;
	u8 gives;
	bool greatest;
	bool numbers;
	bool unsupported;
	s32 found[2];
};

/* The form of an operation, and of one that another operation executes. */
#define FORM(op, ...) FORM_BY(op, op, __VA_ARGS__)
#define FORM_BY(op, by, ...) \
	[BLINK_TREE_OP_##op] = { .opcode = BLINK_TREE_OP_##by, __VA_ARGS__ }

static const struct form forms[BLINK_TREE_OP_NR] = {
	FORM(LOOKUP, .gives = VALUE),
	FORM(INSERT, .has = VALUE, .gives = OLD, .found = { -EEXIST, -EEXIST }),
	FORM(STORE, .has = VALUE, .gives = OLD, .found = { 1, 1 }),
	FORM(REPLACE, .has = VALUE, .gives = OLD),
	FORM(ERASE, .gives = OLD),
	FORM(CMPXCHG, .has = VALUE | OLD, .gives = OLD,
	     .found = { 0, -ESTALE }),
	FORM(CMPERASE, .has = OLD, .gives = OLD, .found = { 0, -ESTALE }),
	FORM(FLOOR, .gives = KEY | VALUE),
	FORM(CEILING, .gives = KEY | VALUE),
	FORM(GET_OR_INSERT, .has = VALUE, .gives = OLD, .found = { 1, 1 }),
	FORM(POP_MIN, .gives = KEY | OLD),
	FORM(POP_MAX, .gives = KEY | OLD),
	FORM(EXPECT, .has = OLD, .gives = OLD, .found = { -ESTALE, -ESTALE }),
	FORM(ABSENT, .gives = OLD, .found = { -EEXIST, -EEXIST }),
	FORM(ADD, .has = VALUE, .gives = OLD, .found = { 1, 1 },
	     .numbers = true),
	FORM(ADD_SATURATE, .has = VALUE, .gives = OLD, .found = { 1, 1 },
	     .numbers = true),
};

/* In a tree with equal keys, where each operation is one on a pair. */
static const struct form pair_forms[BLINK_TREE_OP_NR] = {
	FORM_BY(LOOKUP, CEILING, .gives = VALUE),
	FORM(INSERT, .has = VALUE),
	FORM(STORE, .has = VALUE),
	FORM(REPLACE, .unsupported = true),
	FORM(ERASE, .gives = 0),
	FORM(CMPXCHG, .unsupported = true),
	FORM_BY(CMPERASE, ERASE, .has = OLD),
	FORM(FLOOR, .may = VALUE, .gives = KEY | VALUE, .greatest = true),
	FORM(CEILING, .may = VALUE, .gives = KEY | VALUE),
	FORM(GET_OR_INSERT, .unsupported = true),
	FORM(POP_MIN, .may = VALUE, .gives = KEY | OLD),
	FORM(POP_MAX, .may = VALUE, .gives = KEY | OLD, .greatest = true),
	FORM(EXPECT, .unsupported = true),
	FORM(ABSENT, .has = VALUE),
	FORM(ADD, .unsupported = true),
	FORM(ADD_SATURATE, .unsupported = true),
};

/* The form of an operation, or NULL if it is unknown. */
static const struct form *form_of(enum blink_tree_key kind, u16 opcode)
{
	if (opcode >= BLINK_TREE_OP_NR)
		return NULL;
	return kind == BLINK_TREE_KEY_MULTI ? &pair_forms[opcode] :
					      &forms[opcode];
}

/* The bytes of a key in records: 8 or 16; for strings the most that there can be. */
size_t blink_key_size(enum blink_tree_key kind)
{
	switch (kind) {
	case BLINK_TREE_KEY_U128:
		return sizeof(u128);
	case BLINK_TREE_KEY_BYTES:
		return BLINK_TREE_RECORD_KEY_MAX;
	default:
		return sizeof(u64);
	}
}

static bool key_valid(enum blink_tree_key kind, u16 length)
{
	return kind == BLINK_TREE_KEY_BYTES || length == blink_key_size(kind);
}

/* Whether a record can have a value that is a number, or has none. */
static bool number_valid(const struct form *form, unsigned int field,
			 u16 length)
{
	if (length == sizeof(u64))
		return (form->has | form->may) & field;
	return !length && !(form->has & field);
}

static bool values_valid(const struct form *form,
			 const struct blink_tree_record *record)
{
	return number_valid(form, VALUE, record->value_length) &&
	       number_valid(form, OLD, record->old_length);
}

/* Likewise for values that are bytes, which can have any length. */
static bool byte_values_valid(const struct form *form,
			      const struct blink_tree_record *record)
{
	return (form->has & VALUE || !record->value_length) &&
	       (form->has & OLD || !record->old_length);
}

/*
 * Check whether a record that is not malformed has the form of its operation. Returns 0,
 * -EOPNOTSUPP or -EINVAL.
 */
int blink_record_check(const struct blink_tree *tree,
		       const struct blink_tree_record *record)
{
	const enum blink_tree_key kind = blink_tree_key_kind(tree);
	const struct form *form = form_of(kind, record->opcode);
	const bool byte_values = blink_tree_byte_values(tree);
	bool valid;

	if (!form)
		return -EINVAL;
	if (form->unsupported || (form->numbers && byte_values))
		return -EOPNOTSUPP;
	if (!key_valid(kind, record->key_length))
		return -EINVAL;
	if (byte_values)
		valid = byte_values_valid(form, record);
	else
		valid = values_valid(form, record);
	return valid ? 0 : -EINVAL;
}

/* The operation of the core that executes the known operation of a record. */
u16 blink_record_opcode(enum blink_tree_key kind, u16 opcode)
{
	return form_of(kind, opcode)->opcode;
}

/* Whether a known operation without a value is on the greatest one, not on the least one. */
bool blink_record_greatest(enum blink_tree_key kind, u16 opcode)
{
	return form_of(kind, opcode)->greatest;
}

/* The most bytes that a record with some fields can have. */
static size_t record_max(const struct blink_tree *tree, unsigned int has)
{
	const struct blink_field value = {
		.length = blink_tree_byte_values(tree) ?
				  BLINK_TREE_RECORD_VALUE_MAX :
				  sizeof(u64),
	};
	const struct blink_record content = {
		.has = has,
		.key.length = blink_key_size(blink_tree_key_kind(tree)),
		.value = value,
		.old = value,
	};

	return blink_record_size(&content);
}

/* The most bytes that the record of an entry can have, at most BLINK_RESULT_MAX. */
size_t blink_entry_size(const struct blink_tree *tree)
{
	return record_max(tree, KEY | VALUE);
}

/* The most bytes that the result of an operation can have, at most BLINK_RESULT_MAX. */
size_t blink_result_size(const struct blink_tree *tree, u16 opcode)
{
	const struct form *form = form_of(blink_tree_key_kind(tree), opcode);

	return record_max(tree, form ? form->gives : 0);
}

/* BLINK_RECORD_* of the fields that the result of an operation has. */
unsigned int blink_result_fields(enum blink_tree_key kind, u16 opcode,
				 s32 result)
{
	const struct form *form = form_of(kind, opcode);

	if (!form || (result != form->found[0] && result != form->found[1]))
		return 0;
	return form->gives;
}
