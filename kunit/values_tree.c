// SPDX-License-Identifier: GPL-2.0
/*
 * Functions for trees whose values are bytes (values.h). Each calls the function that it
 * is named after, of the kind of keys that the tree has.
 */
#define KEYS_OWN_NAMES
#include "../module/core/tree/tree.h"
#include "values.h"

const struct values_course values_courses[3] = {
	{ "64 bits", BLINK_TREE_KEY_U64 },
	{ "128 bits", BLINK_TREE_KEY_U128 },
	{ "strings", BLINK_TREE_KEY_BYTES },
};

/* The workspace of a thread that works on a tree; freed with the test. */
struct values *values_create(struct kunit *test, struct blink_tree *tree)
{
	struct values *values = fixture_alloc(test, 1, sizeof(*values));

	values->tree = tree;
	values->kind = tree->key;
	return values;
}

/* The same for a new tree, of the kind of the parameter. */
struct values *values_of_course(struct kunit *test)
{
	const struct values_course *course = test->param_value;
	struct blink_tree_params params = {
		.flags = BLINK_TREE_BYTE_VALUES,
		.key = course->kind,
	};

	return values_create(test, fixture_tree_with(test, &params));
}

void values_op(struct values *values, struct blink_tree_ioc_op *op, gfp_t gfp)
{
	struct blink_tree_bytes_op string;
	struct blink_tree_u128_op wide;

	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		wide = keys_wide_op(op);
		blink_tree_u128_value_op(values->tree, &wide, gfp);
		keys_wide_op_end(op, &wide);
		return;
	case BLINK_TREE_KEY_BYTES:
		string = keys_bytes_op_begin(op, values->text, 0);
		blink_tree_bytes_value_op(values->tree, &string, gfp);
		keys_bytes_op_end(op, &string);
		return;
	default:
		blink_tree_value_op(values->tree, op, gfp);
	}
}

/* An operation on one key. Returns its result. */
int values_write(struct values *values, u16 opcode, u64 key, u64 handle,
		 u64 *old, gfp_t gfp)
{
	struct blink_tree_ioc_op op = { .opcode = opcode,
					.key = key,
					.value = handle };

	values_op(values, &op, gfp);
	*old = op.old;
	return op.result;
}

/* Insert a value of the test's. */
void values_insert(struct kunit *test, struct values *values, u64 key,
		   u64 handle)
{
	u64 old;
	int ret = values_write(values, BLINK_TREE_OP_INSERT, key, handle, &old,
			       GFP_KERNEL);

	if (ret)
		fixture_fail_at(test, key, "insert: %d", ret);
}

static void wide_batch(struct values *values, struct blink_tree_ioc_op *ops,
		       unsigned int nr)
{
	struct blink_tree_u128_op wide[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++)
		wide[i] = keys_wide_op(&ops[i]);
	blink_tree_u128_value_batch(values->tree, wide, nr);
	for (i = 0; i < nr; i++)
		keys_wide_op_end(&ops[i], &wide[i]);
}

static void string_batch(struct values *values, struct blink_tree_ioc_op *ops,
			 unsigned int nr)
{
	struct blink_tree_bytes_op strings[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++)
		strings[i] = keys_bytes_op_begin(&ops[i], &values->text[i], i);
	blink_tree_bytes_value_batch(values->tree, strings, nr);
	for (i = 0; i < nr; i++)
		keys_bytes_op_end(&ops[i], &strings[i]);
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

/* Call the function for the kind of keys. */
#define CALL(values, fn, key, ...)                                            \
	((values)->kind == BLINK_TREE_KEY_U128 ?                              \
		 blink_tree_u128_value_##fn((values)->tree, keys_wide(key),   \
					    __VA_ARGS__) :                    \
	 (values)->kind == BLINK_TREE_KEY_BYTES ?                             \
		 blink_tree_bytes_value_##fn((values)->tree, KEYS_BYTES(key), \
					     __VA_ARGS__) :                   \
		 blink_tree_value_##fn((values)->tree, key, __VA_ARGS__))

int values_cmpxchg(struct values *values, u64 key, const void *expected,
		   u32 length, u64 handle, u64 *old)
{
	return CALL(values, cmpxchg, key, expected, length, handle, old);
}

int values_cmperase(struct values *values, u64 key, const void *expected,
		    u32 length, u64 *old)
{
	return CALL(values, cmperase, key, expected, length, old);
}

/* Leaves with free slots: keys between those of a load are added later. */
#define LOAD_FILL 70

int values_load(struct values *values, const struct blink_tree_entry *entries,
		unsigned int nr, unsigned int *done)
{
	struct blink_tree_bytes_entry strings[VALUES_BATCH];
	struct blink_tree_u128_entry wide[VALUES_BATCH];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		wide[i].key = keys_wide(entries[i].key);
		wide[i].value = entries[i].value;
		strings[i] =
			keys_bytes_entry(&entries[i], &values->text[i].asked);
	}
	switch (values->kind) {
	case BLINK_TREE_KEY_U128:
		return blink_tree_u128_value_load(values->tree, wide, nr,
						  LOAD_FILL, GFP_KERNEL, done);
	case BLINK_TREE_KEY_BYTES:
		return blink_tree_bytes_value_load(values->tree, strings, nr,
						   LOAD_FILL, GFP_KERNEL, done);
	default:
		return blink_tree_value_load(values->tree, entries, nr,
					     LOAD_FILL, GFP_KERNEL, done);
	}
}

/* Begin a scan or an erase of a range. */
void values_range(struct values *values, u64 first, u64 last, bool desc)
{
	values->range = (struct blink_scan){ first, last, desc };
}

/* The range of a tree of strings, whose memory the thread has: it may not sleep. */
static int string_range(struct values *values, struct blink_tree_entry *entries,
			unsigned int nr)
{
	struct blink_tree_bytes_entry strings[VALUES_BATCH];
	struct keys_span *span = &values->span;
	int ret;

	keys_span_begin(span, &values->range);
	span->scan.buffer = values->buffer;
	span->scan.size = sizeof(values->buffer);
	if (entries)
		ret = keys_bytes_found(entries, strings,
				       blink_tree_bytes_scan(values->tree,
							     &span->scan,
							     strings, nr));
	else
		ret = blink_tree_bytes_erase_range(values->tree, &span->scan,
						   NULL, nr);
	keys_span_end(&values->range, span);
	return ret;
}

int values_scan(struct values *values, struct blink_tree_entry *entries,
		unsigned int nr)
{
	if (values->kind == BLINK_TREE_KEY_BYTES)
		return string_range(values, entries, nr);
	return keys_scan(values->tree, &values->range, entries, nr);
}

int values_erase_range(struct values *values, unsigned int nr)
{
	if (values->kind == BLINK_TREE_KEY_BYTES)
		return string_range(values, NULL, nr);
	return keys_erase_range(values->tree, &values->range, NULL, nr);
}
