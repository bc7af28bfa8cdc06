// SPDX-License-Identifier: GPL-2.0
/* Commands on single keys: put, get, del, cas, floor, ceil, pops. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "operation.h"
#include "printer.h"
#include "target.h"

/* Add an operation for each key of the command line. They become one call. */
static enum status add_keys(const struct args *args,
			    const struct target *target, unsigned int opcode,
			    struct blinktree_stream *stream)
{
	struct operation op = { .opcode = opcode };
	size_t i;

	for (i = 1; i < args->nr; i++) {
		if (!target_key(target, "KEY", args->words[i], &op.key))
			return STATUS_USAGE;
		if (operation_add(stream, &op))
			return device_failed(target->name, ENOMEM);
	}
	return STATUS_OK;
}

static void print_entry(struct printer *out, const struct key *key,
			const struct value *value)
{
	print_begin(out, PART_ROW, NULL);
	print_key(out, "key", key);
	print_value(out, "value", value);
	print_end(out);
}

/* Print the result of the operation on a key, which is the operand @word. */
static void answer(struct printer *out, const struct args *args,
		   const char *word, const struct key *key,
		   const struct result *result)
{
	unsigned int opcode = args->command->opcode;

	if (opcode == BLINK_TREE_OP_ERASE) {
		if (result->result < 0)
			message("%s: no such key in %s", word, args->words[0]);
		return;
	}
	print_begin(out, PART_ROW, NULL);
	if (!args->value_only)
		print_key(out, "key", key);
	if (opcode != BLINK_TREE_OP_LOOKUP)
		print_key(out, "found", &result->found);
	print_value(out, "value", &result->value);
	print_end(out);
}

static enum status answer_all(const struct args *args, struct printer *out,
			      const struct target *target,
			      struct blinktree_stream *stream)
{
	enum status status = STATUS_OK;
	struct result result;
	struct key key;
	size_t i;

	for (i = 1; i < args->nr; i++) {
		const char *word = args->words[i];

		operation_result(stream, target->kinds, &result);
		if (result.result < 0 && result.result != -ENOENT)
			return target_failed(target, word, -result.result);
		if (result.result < 0)
			status = STATUS_NO;
		if (!target_key(target, "KEY", word, &key))
			return STATUS_USAGE;
		answer(out, args, word, &key, &result);
	}
	return status;
}

static enum status ask_target(const struct args *args, struct printer *out,
			      const struct target *target)
{
	unsigned int opcode = args->command->opcode;
	struct blinktree_stream *stream = NULL;
	enum status status;
	int err = blinktree_stream_open(&stream);

	if (err)
		return device_failed(target->name, -err);
	status = add_keys(args, target, opcode, stream);
	if (!status) {
		err = blinktree_stream_run(stream, target->tree, NULL);
		if (err)
			status = target_failed(target, target->name, -err);
	}
	if (!status) {
		if (opcode != BLINK_TREE_OP_ERASE)
			print_begin(out, PART_LIST, NULL);
		status = answer_all(args, out, target, stream);
	}
	blinktree_stream_close(stream);
	return status;
}

/* Execute an operation on all keys of the command line. */
enum status run_keys(const struct args *args, struct printer *out)
{
	unsigned int flags = args->command->opcode == BLINK_TREE_OP_ERASE ?
				     BLINK_TREE_OPEN_WRITE :
				     BLINK_TREE_OPEN_READ;
	struct target target;
	enum status status;

	status = target_open(args, flags, &target);
	if (status)
		return status;
	status = ask_target(args, out, &target);
	target_close(&target);
	return status;
}

/* The least or the greatest key, which has only bytes of @byte. */
static void key_extreme(struct key *key, unsigned int kind, unsigned char byte)
{
	key->string = kind == BLINK_TREE_KEY_BYTES;
	key->length = key_length(kind);
	if (key->string)
		key->length = byte ? KEY_BYTES_MAX : 0;
	memset(key->bytes, byte, key->length);
}

/*
 * Read the key, the expected value and the new value of an operation from the operands
 * behind the tree. Without a key it has only bytes of @missing. False after a message.
 */
static bool read_operands(const struct args *args, const struct target *target,
			  struct operation *op, unsigned char missing)
{
	char **word = &args->words[2];

	key_extreme(&op->key, target->kinds.key, missing);
	if (args->nr > 1 &&
	    !target_key(target, "KEY", args->words[1], &op->key))
		return false;
	if (operation_has_old(op->opcode) &&
	    !target_value(target, "OLD", BLINK_TREE_OP_EXPECT, *word++,
			  &op->old))
		return false;
	return !operation_has_value(op->opcode) ||
	       target_value(target, "VALUE", op->opcode,
			    args->nr > 2 ? *word : "1", &op->value);
}

/* Execute one operation of the command line. Not STATUS_OK: after a message. */
static enum status execute(const struct args *args, const struct target *target,
			   struct operation *op, unsigned char missing,
			   struct result *result)
{
	struct blinktree_stream *stream;
	int err;

	if (!read_operands(args, target, op, missing))
		return STATUS_USAGE;
	err = blinktree_stream_open(&stream);
	if (err)
		return device_failed(target->name, -err);
	err = operation_add(stream, op);
	if (!err)
		err = blinktree_stream_run(stream, target->tree, NULL);
	if (!err)
		operation_result(stream, target->kinds, result);
	blinktree_stream_close(stream);
	return err ? target_failed(target, target->name, -err) : STATUS_OK;
}

/* Turn the result of one operation into a status, with a message if it is an error. */
static enum status report(const struct args *args, const struct target *target,
			  const struct result *result)
{
	const char *what = args->words[args->nr > 1];
	char present[VALUE_TEXT_MAX];
	int error = -result->result;

	switch (error) {
	case ENOENT:
		if (args->nr > 1)
			message("%s: no such key in %s", what, target->name);
		else
			message("no such key in %s", target->name);
		return STATUS_NO;
	case EEXIST:
		message("%s: the key is already in %s", what, target->name);
		return STATUS_NO;
	case ESTALE:
		message("%s: its value is %s", what,
			value_text(present, &result->old, args->hex));
		return STATUS_NO;
	}
	return error > 0 ? target_failed(target, what, error) : STATUS_OK;
}

static unsigned int opcode_of(const struct args *args)
{
	if (args->insert_only)
		return BLINK_TREE_OP_INSERT;
	if (args->replace_only)
		return BLINK_TREE_OP_REPLACE;
	if (args->saturate)
		return BLINK_TREE_OP_ADD_SATURATE;
	return args->command->opcode;
}

/* The sum that an operation made of the value of its key. */
static struct value sum_of(const struct operation *op,
			   const struct result *result)
{
	struct value sum = op->value;
	__u64 old = result->result ? result->old.number : 0;
	bool minus = (__s64)sum.number < 0;

	sum.number += old;
	if (op->opcode == BLINK_TREE_OP_ADD_SATURATE &&
	    (minus ? sum.number > old : sum.number < old))
		sum.number = minus ? 0 : UINT64_MAX;
	return sum;
}

/* The operations that tell an entry print it. */
static void print_outcome(struct printer *out, const struct operation *op,
			  const struct result *result)
{
	struct value sum;

	switch (op->opcode) {
	case BLINK_TREE_OP_ADD:
	case BLINK_TREE_OP_ADD_SATURATE:
		sum = sum_of(op, result);
		print_entry(out, &op->key, &sum);
		break;
	case BLINK_TREE_OP_GET_OR_INSERT:
		print_entry(out, &op->key,
			    result->result ? &result->old : &op->value);
		break;
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		print_entry(out, &result->found, &result->old);
		break;
	}
}

/* Execute one operation. Without a key a pop begins at the end of all keys. */
enum status run_operation(const struct args *args, struct printer *out)
{
	struct operation op = { .opcode = opcode_of(args) };
	bool puts = args->command->opcode == BLINK_TREE_OP_STORE;
	unsigned char missing = op.opcode == BLINK_TREE_OP_POP_MAX ? 0xff : 0;
	struct target target;
	struct result result;
	enum status status;

	status = target_open(
		args, BLINK_TREE_OPEN_WRITE | (puts ? 0 : BLINK_TREE_OPEN_READ),
		&target);
	if (status)
		return status;
	status = execute(args, &target, &op, missing, &result);
	if (!status)
		status = report(args, &target, &result);
	if (!status)
		print_outcome(out, &op, &result);
	target_close(&target);
	return status;
}
