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
#include "target.h"
#include "util.h"

#define ROUND 1024

struct round {
	struct operation ops[ROUND];
	size_t nr;
	struct blinktree_stream *stream;
};

struct outcome {
	const char *op;
	struct key key;
	const char *result;
	struct key found;
	struct maybe value;
	struct maybe old;
};

static const struct field outcome_fields[] = {
	FIELD(FIELD_TEXT, struct outcome, op),
	FIELD(FIELD_KEY, struct outcome, key),
	FIELD(FIELD_TEXT, struct outcome, result),
	FIELD(FIELD_KEY, struct outcome, found),
	FIELD(FIELD_MAYBE, struct outcome, value),
	FIELD(FIELD_MAYBE, struct outcome, old),
};

static const struct schema outcome_schema = {
	.name = "results",
	.layout = LAYOUT_ROWS,
	.fields = outcome_fields,
	.nr = ARRAY_SIZE(outcome_fields),
};

static enum status judge(int result)
{
	if (result >= 0)
		return STATUS_OK;
	switch (result) {
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

/* The old value, unless the operation itself has told it. */
static struct maybe old_value(const struct operation *op,
			      const struct result *result)
{
	bool told = operation_has_old(op->opcode) && !result->result;

	return told ? (struct maybe){} : result->old;
}

static void print_outcome(struct printer *out, const struct operation *op,
			  const struct result *result)
{
	const struct outcome outcome = {
		.op = script_names[op->opcode],
		.key = op->key,
		.result = result->result < 0 ? errno_name(-result->result) :
					       "ok",
		.found = result->found,
		.value = result->value,
		.old = old_value(op, result),
	};

	print_record(out, &outcome_schema, &outcome);
}

/* A failed operation is a result. A failed system call ends the script. */
static enum status execute(const struct target *target, struct printer *out,
			   struct round *round, bool *end)
{
	enum status status = STATUS_OK;
	struct result result;
	size_t done = 0, i;
	int err = 0;

	blinktree_stream_clear(round->stream);
	for (i = 0; i < round->nr && !err; i++)
		err = operation_add(round->stream, &round->ops[i]);
	if (!err)
		err = blinktree_stream_run(round->stream, target->tree, &done);
	for (i = 0; i < done; i++) {
		result = operation_result(round->stream, target->kind);
		if (!err)
			err = operation_finish(target->tree, &round->ops[i].key,
					       &result);
		print_outcome(out, &round->ops[i], &result);
		status = worse(status, judge(result.result));
	}
	round->nr = 0;
	if (!err)
		return status;
	*end = true;
	return target_failed(target, "batch", -err);
}

/* Fill a round. Operations before a mistake in the input are still executed. */
static enum status fill(struct input *input, unsigned int kind,
			struct round *round, bool *end)
{
	size_t most = input_is_terminal(input) ? 1 : ROUND;
	const char *line, *why;
	size_t len;
	int ret;

	while (round->nr < most) {
		ret = input_line(input, &line, &len);
		if (ret != 1) {
			*end = true;
			return ret ? STATUS_SYSTEM : STATUS_OK;
		}
		switch (script_parse(line, len, kind, &round->ops[round->nr],
				     &why)) {
		case LINE_ENTRY:
			round->nr++;
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

static enum status run_script(const struct target *target, struct printer *out,
			      struct input *input)
{
	enum status status = STATUS_OK;
	static struct round round;
	bool end = false;

	if (blinktree_stream_open(&round.stream))
		return device_failed("batch", ENOMEM);
	print_list_begin(out, &outcome_schema);
	while (!end) {
		status = worse(status, fill(input, target->kind, &round, &end));
		status = worse(status, execute(target, out, &round, &end));
	}
	blinktree_stream_close(round.stream);
	return status;
}

enum status run_batch(const struct args *args, struct printer *out)
{
	enum status status = STATUS_SYSTEM;
	struct target target;
	struct input *input;

	if (!target_open(args, OPEN_AS_ALLOWED, &target))
		return status;
	input = input_open(args->nr > 1 ? args->words[1] : "-");
	if (input) {
		status = run_script(&target, out, input);
		input_close(input);
	}
	target_close(&target);
	return status;
}
