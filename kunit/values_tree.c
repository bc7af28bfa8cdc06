// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for trees whose values are bytes (values.h). Each calls the function that it
 * is named after, of the kind of keys that the tree has.
 */
#define KEYS_OWN_NAMES
#include <linux/string.h>

#include "../module/core/tree/tree.h"
#include "values.h"

const struct values_course values_courses[3] = {
	{ "64 bits", BLINK_TREE_KEY_U64 },
	{ "128 bits", BLINK_TREE_KEY_U128 },
	{ "strings", BLINK_TREE_KEY_BYTES },
};

/**
 * values_create() - prepare a thread for work on a tree
 * @test: the test
 * @tree: the tree
 *
 * Return: the workspace of the thread; it is freed with the test.
 */
struct values *values_create(struct kunit *test, struct blink_tree *tree)
{
	struct values *values =
		kunit_kzalloc(test, sizeof(*values), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, values);
	values->tree = tree;
	values->kind = tree->key;
	return values;
}

/**
 * values_of_course() - values_create() for a new tree
 * @test: the test, whose parameter is a struct values_course
 *
 * Return: as values_create().
 */
struct values *values_of_course(struct kunit *test)
{
	const struct values_course *course = test->param_value;
	struct blink_tree_params params = {
		.flags = BLINK_TREE_BYTE_VALUES,
		.key = course->kind,
	};

	return values_create(test, fixture_tree_with(test, &params));
}

/* A string for a key. The order of such strings is that of the keys. */
static struct blink_bytes_key string_of(u8 *string, u64 key)
{
	unsigned int i;

	memset(string, 'k', VALUES_STRING - sizeof(key));
	for (i = 1; i <= sizeof(key); i++, key >>= 8)
		string[VALUES_STRING - i] = (u8)key;
	return blink_bytes_key(string, VALUES_STRING);
}

static u64 of_string(const u8 *string)
{
	u64 key = 0;
	unsigned int i;

	for (i = VALUES_STRING - sizeof(key); i < VALUES_STRING; i++)
		key = key << 8 | string[i];
	return key;
}

/* Whether an operation finds a key. */
static bool finds(u16 opcode)
{
	return opcode == BLINK_TREE_OP_FLOOR ||
	       opcode == BLINK_TREE_OP_CEILING ||
	       opcode == BLINK_TREE_OP_POP_MIN ||
	       opcode == BLINK_TREE_OP_POP_MAX;
}

static struct blink_tree_u128_op wide_op(const struct blink_tree_ioc_op *op)
{
	return (struct blink_tree_u128_op){
		.opcode = op->opcode,
		.flags = op->flags,
		.key = keys_wide(op->key),
		.value = op->value,
		.old = op->old,
	};
}

static void wide_op_ends(struct blink_tree_ioc_op *op,
			 const struct blink_tree_u128_op *wide)
{
	op->result = wide->result;
	op->key = keys_narrow(wide->key);
	op->value = wide->value;
	op->old = wide->old;
}

/* The operation number @i of a batch. */
static struct blink_tree_bytes_op string_op(struct values *values,
					    unsigned int i,
					    const struct blink_tree_ioc_op *op)
{
	return (struct blink_tree_bytes_op){
		.opcode = op->opcode,
		.flags = op->flags,
		.key = string_of(values->string[i], op->key),
		.value = op->value,
		.old = op->old,
		.found = values->found[i],
	};
}

static void string_op_ends(struct blink_tree_ioc_op *op,
			   const struct blink_tree_bytes_op *string)
{
	op->result = string->result;
	if (finds(op->opcode) && !string->result)
		op->key = of_string(string->found);
	op->value = string->value;
	op->old = string->old;
}

void values_op(struct values *values, struct blink_tree_ioc_op *op, gfp_t gfp)
{
	struct blink_tree_bytes_op string;
	struct blink_tree_u128_op wide;

	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		wide = wide_op(op);
		blink_tree_u128_value_op(values->tree, &wide, gfp);
		wide_op_ends(op, &wide);
		return;
	case BLINK_TREE_KEY_BYTES:
		string = string_op(values, 0, op);
		blink_tree_bytes_value_op(values->tree, &string, gfp);
		string_op_ends(op, &string);
		return;
	default:
		blink_tree_value_op(values->tree, op, gfp);
	}
}

static void wide_batch(struct values *values, struct blink_tree_ioc_op *ops,
		       unsigned int nr)
{
	struct blink_tree_u128_op wide[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++)
		wide[i] = wide_op(&ops[i]);
	blink_tree_u128_value_batch(values->tree, wide, nr);
	for (i = 0; i < nr; i++)
		wide_op_ends(&ops[i], &wide[i]);
}

static void string_batch(struct values *values, struct blink_tree_ioc_op *ops,
			 unsigned int nr)
{
	struct blink_tree_bytes_op strings[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++)
		strings[i] = string_op(values, i, &ops[i]);
	blink_tree_bytes_value_batch(values->tree, strings, nr);
	for (i = 0; i < nr; i++)
		string_op_ends(&ops[i], &strings[i]);
}

void values_batch(struct values *values, struct blink_tree_ioc_op *ops,
		  unsigned int nr)
{
	if (values->kind == BLINK_TREE_KEY_U128)
		wide_batch(values, ops, nr);
	else if (values->kind == BLINK_TREE_KEY_BYTES)
		string_batch(values, ops, nr);
	else
		blink_tree_value_batch(values->tree, ops, nr);
}

int values_cmpxchg(struct values *values, u64 key, const void *expected,
		   u32 length, u64 handle, u64 *old)
{
	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		return blink_tree_u128_value_cmpxchg(values->tree,
						     keys_wide(key), expected,
						     length, handle, old);
	case BLINK_TREE_KEY_BYTES:
		return blink_tree_bytes_value_cmpxchg(
			values->tree, string_of(values->string[0], key),
			expected, length, handle, old);
	default:
		return blink_tree_value_cmpxchg(values->tree, key, expected,
						length, handle, old);
	}
}

int values_cmperase(struct values *values, u64 key, const void *expected,
		    u32 length, u64 *old)
{
	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		return blink_tree_u128_value_cmperase(
			values->tree, keys_wide(key), expected, length, old);
	case BLINK_TREE_KEY_BYTES:
		return blink_tree_bytes_value_cmperase(
			values->tree, string_of(values->string[0], key),
			expected, length, old);
	default:
		return blink_tree_value_cmperase(values->tree, key, expected,
						 length, old);
	}
}

/* Half full leaves: keys between those of a load are added later. */
#define LOAD_FILL 70

static int wide_load(struct values *values,
		     const struct blink_tree_entry *entries, unsigned int nr,
		     unsigned int *done)
{
	struct blink_tree_u128_entry wide[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		wide[i].key = keys_wide(entries[i].key);
		wide[i].value = entries[i].value;
	}
	return blink_tree_u128_value_load(values->tree, wide, nr, LOAD_FILL,
					  GFP_KERNEL, done);
}

static int string_load(struct values *values,
		       const struct blink_tree_entry *entries, unsigned int nr,
		       unsigned int *done)
{
	struct blink_tree_bytes_entry strings[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		string_of(values->string[i], entries[i].key);
		strings[i].key = values->string[i];
		strings[i].length = VALUES_STRING;
		strings[i].value = entries[i].value;
	}
	return blink_tree_bytes_value_load(values->tree, strings, nr, LOAD_FILL,
					   GFP_KERNEL, done);
}

int values_load(struct values *values, const struct blink_tree_entry *entries,
		unsigned int nr, unsigned int *done)
{
	if (values->kind == BLINK_TREE_KEY_U128)
		return wide_load(values, entries, nr, done);
	if (values->kind == BLINK_TREE_KEY_BYTES)
		return string_load(values, entries, nr, done);
	return blink_tree_value_load(values->tree, entries, nr, LOAD_FILL,
				     GFP_KERNEL, done);
}

/**
 * values_range() - begin a scan or an erase of a range
 * @values: of the thread
 * @first: the least key
 * @last: the greatest key
 * @desc: whether a scan descends
 */
void values_range(struct values *values, u64 first, u64 last, bool desc)
{
	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		values->wide = (struct blink_u128_scan){
			.first = keys_wide(first),
			.last = keys_wide(last),
			.desc = desc,
		};
		return;
	case BLINK_TREE_KEY_BYTES:
		memset(&values->strings, 0,
		       offsetof(struct blink_bytes_scan, passed));
		values->strings.first = string_of(values->string[0], first);
		values->strings.last = string_of(values->string[1], last);
		values->strings.desc = desc;
		values->strings.buffer = values->buffer;
		values->strings.size = sizeof(values->buffer);
		return;
	default:
		values->narrow = (struct blink_scan){
			.first = first,
			.last = last,
			.desc = desc,
		};
	}
}

bool values_range_done(const struct values *values)
{
	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		return values->wide.done;
	case BLINK_TREE_KEY_BYTES:
		return values->strings.done;
	default:
		return values->narrow.done;
	}
}

static int wide_scan(struct values *values, struct blink_tree_entry *entries,
		     unsigned int nr)
{
	struct blink_tree_u128_entry wide[VALUES_BATCH];
	int ret = blink_tree_u128_scan(values->tree, &values->wide, wide, nr);
	int i;

	for (i = 0; i < ret; i++) {
		entries[i].key = keys_narrow(wide[i].key);
		entries[i].value = wide[i].value;
	}
	return ret;
}

static int string_scan(struct values *values, struct blink_tree_entry *entries,
		       unsigned int nr)
{
	struct blink_tree_bytes_entry strings[VALUES_BATCH];
	int ret = blink_tree_bytes_scan(values->tree, &values->strings, strings,
					nr);
	int i;

	for (i = 0; i < ret; i++) {
		entries[i].key = of_string(strings[i].key);
		entries[i].value = strings[i].value;
	}
	return ret;
}

int values_scan(struct values *values, struct blink_tree_entry *entries,
		unsigned int nr)
{
	if (values->kind == BLINK_TREE_KEY_U128)
		return wide_scan(values, entries, nr);
	if (values->kind == BLINK_TREE_KEY_BYTES)
		return string_scan(values, entries, nr);
	return blink_tree_scan(values->tree, &values->narrow, entries, nr);
}

int values_erase_range(struct values *values, unsigned int nr)
{
	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		return blink_tree_u128_erase_range(values->tree, &values->wide,
						   NULL, nr);
	case BLINK_TREE_KEY_BYTES:
		return blink_tree_bytes_erase_range(values->tree,
						    &values->strings, NULL, nr);
	default:
		return blink_tree_erase_range(values->tree, &values->narrow,
					      NULL, nr);
	}
}
