// SPDX-License-Identifier: GPL-2.0
/*
 * batch: execute a script of operations. One system call executes a *round* of them.
 * If the input is a terminal, a round is one operation.
 */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "input.h"
#include "printer.h"
#include "script.h"
#include "util.h"

#define ROUND 1024

struct round {
	struct blink_tree_ioc_op ops[ROUND];
	/* The keys of the script: some operations overwrite those in @ops. */
	__u64 keys[ROUND];
	size_t nr;
};

struct outcome {
	const char *op;
	__u64 key;
	const char *result;
	struct maybe found;
	struct maybe value;
	struct maybe old;
};

static const struct field outcome_fields[] = {
	FIELD(FIELD_TEXT, struct outcome, op),
	FIELD(FIELD_KEY, struct outcome, key),
	FIELD(FIELD_TEXT, struct outcome, result),
	FIELD(FIELD_MAYBE, struct outcome, found),
	FIELD(FIELD_MAYBE, struct outcome, value),
	FIELD(FIELD_MAYBE, struct outcome, old),
};

static const struct schema outcome_schema = {
	.name = "results",
	.layout = LAYOUT_ROWS,
	.fields = outcome_fields,
	.nr = ARRAY_SIZE(outcome_fields),
};

/* Add the numbers that the result of an operation makes valid. */
static void add_numbers(struct outcome *outcome,
			const struct blink_tree_ioc_op *op)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		if (!op->result)
			outcome->value = known(op->value);
		break;
	case BLINK_TREE_OP_INSERT:
		if (op->result == -EEXIST)
			outcome->old = known(op->old);
		break;
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_GET_OR_INSERT:
		if (op->result == 1)
			outcome->old = known(op->old);
		break;
	case BLINK_TREE_OP_REPLACE:
	case BLINK_TREE_OP_ERASE:
		if (!op->result)
			outcome->old = known(op->old);
		break;
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_CMPERASE:
		if (op->result == -ESTALE)
			outcome->old = known(op->old);
		break;
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		if (!op->result) {
			outcome->found = known(op->key);
			outcome->old = known(op->old);
		}
		break;
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
		if (!op->result) {
			outcome->found = known(op->key);
			outcome->value = known(op->value);
		}
		break;
	}
}

static enum status judge(int result)
{
	switch (result) {
	case 0:
	case 1:
		return STATUS_OK;
	case -ENOENT:
	case -EEXIST:
	case -ESTALE:
		return STATUS_NO;
	}
	return STATUS_SYSTEM;
}

static enum status worse(enum status a, enum status b)
{
	return a > b ? a : b;
}

/* A failed operation is a result. A failed system call ends the script. */
static enum status execute(struct blinktree *tree, struct printer *out,
			   struct round *round, bool *end)
{
	enum status status = STATUS_OK;
	size_t done, i;
	int err;

	err = blinktree_batch(tree, round->ops, round->nr, &done);
	for (i = 0; i < done; i++) {
		const struct blink_tree_ioc_op *op = &round->ops[i];
		struct outcome outcome = {
			.op = script_names[op->opcode],
			.key = round->keys[i],
			.result = op->result < 0 ? errno_name(-op->result) :
						   "ok",
		};

		add_numbers(&outcome, op);
		print_record(out, &outcome_schema, &outcome);
		status = worse(status, judge(op->result));
	}
	round->nr = 0;
	if (!err)
		return status;
	*end = true;
	return device_failed("batch", -err);
}

/* Fill a round. Operations before a mistake in the input are still executed. */
static enum status fill(struct input *input, struct round *round, bool *end)
{
	size_t most = input_is_terminal(input) ? 1 : ROUND;
	const char *line, *why;
	size_t len;
	int ret;

	while (round->nr < most) {
		struct blink_tree_ioc_op *op = &round->ops[round->nr];

		ret = input_line(input, &line, &len);
		if (ret != 1) {
			*end = true;
			return ret ? STATUS_SYSTEM : STATUS_OK;
		}
		switch (script_parse(line, len, op, &why)) {
		case LINE_ENTRY:
			round->keys[round->nr++] = op->key;
			break;
		case LINE_NOTHING:
			break;
		case LINE_WRONG:
			input_complain(input, why);
			*end = true;
			return STATUS_USAGE;
		}
	}
	return STATUS_OK;
}

static enum status run_script(struct blinktree *tree, struct printer *out,
			      struct input *input)
{
	enum status status = STATUS_OK;
	static struct round round;
	bool end = false;

	print_list_begin(out, &outcome_schema);
	while (!end) {
		status = worse(status, fill(input, &round, &end));
		status = worse(status, execute(tree, out, &round, &end));
	}
	return status;
}

enum status run_batch(const struct args *args, struct printer *out)
{
	struct blinktree *tree = device_open_tree_as_allowed(args);
	enum status status = STATUS_SYSTEM;
	struct input *input;

	if (!tree)
		return status;
	input = input_open(args->nr > 1 ? args->words[1] : "-");
	if (input) {
		status = run_script(tree, out, input);
		input_close(input);
	}
	blinktree_close(tree);
	return status;
}
