// SPDX-License-Identifier: GPL-2.0
/* Commands on single keys: put, get, del, cas, floor, ceil, pops. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "printer.h"
#include "util.h"

/* One operation for each key of the command line: they become one batch. */
static struct blink_tree_ioc_op *make_ops(const struct args *args,
					  unsigned int opcode)
{
	struct blink_tree_ioc_op *ops = calloc(args->nr, sizeof(*ops));
	size_t i;

	for (i = 1; ops && i < args->nr; i++) {
		ops[i - 1].opcode = opcode;
		ops[i - 1].key = args->numbers[i];
	}
	return ops;
}

/* Print the result of the operation on the operand @i. */
typedef void answer_fn(struct printer *out, const struct args *args, size_t i,
		       const struct blink_tree_ioc_op *op);

static enum status answer_all(const struct args *args, struct printer *out,
			      const struct blink_tree_ioc_op *ops,
			      answer_fn *answer)
{
	enum status status = STATUS_OK;
	size_t i;

	for (i = 1; i < args->nr; i++) {
		const struct blink_tree_ioc_op *op = &ops[i - 1];

		if (op->result && op->result != -ENOENT)
			return device_failed(args->words[i], -op->result);
		if (op->result)
			status = STATUS_NO;
		answer(out, args, i, op);
	}
	return status;
}

/* Execute an operation on all keys of the command line. */
static enum status ask(const struct args *args, struct printer *out,
		       unsigned int opcode, const struct schema *schema,
		       answer_fn *answer)
{
	unsigned int flags = schema ? BLINK_TREE_OPEN_READ :
				      BLINK_TREE_OPEN_WRITE;
	struct blinktree *tree = device_open_tree(args, flags);
	enum status status;
	struct blink_tree_ioc_op *ops;
	int err = -ENOMEM;

	if (!tree)
		return STATUS_SYSTEM;
	ops = make_ops(args, opcode);
	if (ops)
		err = blinktree_batch(tree, ops, args->nr - 1, NULL);
	if (!err && schema)
		print_list_begin(out, schema);
	if (err)
		status = device_failed(args->words[0], -err);
	else
		status = answer_all(args, out, ops, answer);
	free(ops);
	blinktree_close(tree);
	return status;
}

struct answer {
	__u64 key;
	struct maybe found;
	struct maybe value;
};

static const struct field get_fields[] = {
	FIELD(FIELD_KEY, struct answer, key),
	FIELD(FIELD_MAYBE, struct answer, value),
};

static const struct schema get_schema = {
	.name = "entries",
	.layout = LAYOUT_ROWS,
	.fields = get_fields,
	.nr = ARRAY_SIZE(get_fields),
};

static const struct field value_fields[] = {
	FIELD(FIELD_MAYBE, struct answer, value),
};

static const struct schema value_schema = {
	.name = "values",
	.layout = LAYOUT_ROWS,
	.fields = value_fields,
	.nr = ARRAY_SIZE(value_fields),
};

static const struct schema *get_form(const struct args *args)
{
	return args->value_only ? &value_schema : &get_schema;
}

static void answer_get(struct printer *out, const struct args *args, size_t i,
		       const struct blink_tree_ioc_op *op)
{
	struct answer answer = { .key = args->numbers[i] };

	if (!op->result)
		answer.value = known(op->value);
	print_record(out, get_form(args), &answer);
}

enum status run_get(const struct args *args, struct printer *out)
{
	return ask(args, out, BLINK_TREE_OP_LOOKUP, get_form(args), answer_get);
}

static const struct field find_fields[] = {
	FIELD(FIELD_KEY, struct answer, key),
	FIELD(FIELD_MAYBE, struct answer, found),
	FIELD(FIELD_MAYBE, struct answer, value),
};

static const struct schema find_schema = {
	.name = "entries",
	.layout = LAYOUT_ROWS,
	.fields = find_fields,
	.nr = ARRAY_SIZE(find_fields),
};

static void answer_find(struct printer *out, const struct args *args, size_t i,
			const struct blink_tree_ioc_op *op)
{
	struct answer answer = { .key = args->numbers[i] };

	if (!op->result) {
		answer.found = known(op->key);
		answer.value = known(op->value);
	}
	print_record(out, &find_schema, &answer);
}

enum status run_floor(const struct args *args, struct printer *out)
{
	return ask(args, out, BLINK_TREE_OP_FLOOR, &find_schema, answer_find);
}

enum status run_ceil(const struct args *args, struct printer *out)
{
	return ask(args, out, BLINK_TREE_OP_CEILING, &find_schema, answer_find);
}

static void answer_del(struct printer *out, const struct args *args, size_t i,
		       const struct blink_tree_ioc_op *op)
{
	(void)out;
	if (op->result)
		message("%s: no such key in %s", args->words[i],
			args->words[0]);
}

enum status run_del(const struct args *args, struct printer *out)
{
	return ask(args, out, BLINK_TREE_OP_ERASE, NULL, answer_del);
}

enum status run_get_or_insert(const struct args *args, struct printer *out)
{
	struct blinktree *tree = device_open_tree(
		args, BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE);
	struct answer answer = {};
	__u64 value;
	int ret;

	if (!tree)
		return STATUS_SYSTEM;
	answer.key = args->numbers[1];
	value = args->numbers[2];
	ret = blinktree_get_or_insert(tree, answer.key, &value);
	blinktree_close(tree);
	if (ret < 0)
		return device_failed(args->words[1], -ret);
	answer.value = known(value);
	print_record(out, &get_schema, &answer);
	return STATUS_OK;
}

/* Remove the least or the greatest key, or the nearest one to an operand. */
static enum status run_pop(const struct args *args, struct printer *out,
			   bool max)
{
	struct blinktree *tree = device_open_tree(
		args, BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE);
	__u64 key = max ? UINT64_MAX : 0;
	struct blink_tree_entry entry;
	struct answer answer = {};
	int ret;

	if (!tree)
		return STATUS_SYSTEM;
	if (args->nr > 1)
		key = args->numbers[1];
	ret = max ? blinktree_pop_max(tree, key, &entry) :
		    blinktree_pop_min(tree, key, &entry);
	blinktree_close(tree);
	if (ret == -ENOENT) {
		message("no such key in %s", args->words[0]);
		return STATUS_NO;
	}
	if (ret)
		return device_failed(args->words[0], -ret);
	answer.key = entry.key;
	answer.value = known(entry.value);
	print_record(out, &get_schema, &answer);
	return STATUS_OK;
}

enum status run_pop_min(const struct args *args, struct printer *out)
{
	return run_pop(args, out, false);
}

enum status run_pop_max(const struct args *args, struct printer *out)
{
	return run_pop(args, out, true);
}

enum status run_put(const struct args *args, struct printer *out)
{
	struct blinktree *tree = device_open_tree(args, BLINK_TREE_OPEN_WRITE);
	__u64 key, value;
	int ret;

	(void)out;
	if (!tree)
		return STATUS_SYSTEM;
	key = args->numbers[1];
	value = args->numbers[2];
	if (args->insert_only)
		ret = blinktree_insert(tree, key, value, NULL);
	else if (args->replace_only)
		ret = blinktree_replace(tree, key, value, NULL);
	else
		ret = blinktree_store(tree, key, value, NULL);
	blinktree_close(tree);

	if (ret >= 0)
		return STATUS_OK;
	if (ret != -EEXIST && ret != -ENOENT)
		return device_failed(args->words[1], -ret);
	message("%s: the key is %s in %s", args->words[1],
		ret == -EEXIST ? "already" : "not", args->words[0]);
	return STATUS_NO;
}

/* Report the result of an operation that compares the value of a key. */
static enum status report_compared(const struct args *args, int ret,
				   __u64 present)
{
	switch (ret) {
	case 0:
		return STATUS_OK;
	case -ESTALE:
		message(args->hex ? "%s: its value is 0x%llx" :
				    "%s: its value is %llu",
			args->words[1], present);
		return STATUS_NO;
	case -ENOENT:
		message("%s: no such key in %s", args->words[1],
			args->words[0]);
		return STATUS_NO;
	}
	return device_failed(args->words[1], -ret);
}

/* Overwrite or remove a key if its value is the one on the command line. */
static enum status run_compared(const struct args *args, bool erase)
{
	struct blinktree *tree = device_open_tree(
		args, BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE);
	__u64 expected;
	int ret;

	if (!tree)
		return STATUS_SYSTEM;
	expected = args->numbers[2];
	if (erase)
		ret = blinktree_cmperase(tree, args->numbers[1], &expected);
	else
		ret = blinktree_cmpxchg(tree, args->numbers[1], &expected,
					args->numbers[3]);
	blinktree_close(tree);
	return report_compared(args, ret, expected);
}

enum status run_cas(const struct args *args, struct printer *out)
{
	(void)out;
	return run_compared(args, false);
}

enum status run_cad(const struct args *args, struct printer *out)
{
	(void)out;
	return run_compared(args, true);
}
