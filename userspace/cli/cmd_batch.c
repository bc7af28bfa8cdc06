// SPDX-License-Identifier: GPL-2.0
/*
 * batch: execute a script of operations. One system call executes a *round* of them.
 * If the input is a terminal, a round is one operation.
 *
 * commit: a round ends with an empty line. It takes effect at one instant, or not at all.
 */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "input.h"
#include "printer.h"
#include "script.h"
#include "target.h"

#define ROUND 1024

/* The part of an operation that its line of output repeats. */
struct asked {
	unsigned int opcode;
	struct key key;
};

/* The stream has the operations. */
struct round {
	struct asked asked[ROUND];
	size_t nr;
	struct blinktree_stream *stream;
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

/* Whether the operation itself has told the old value, or the tree does not tell it. */
static bool leaves_old_out(const struct target *target, unsigned int opcode,
			   const struct result *result)
{
	return !target->readable ||
	       (operation_has_old(opcode) && !result->result);
}

static void print_outcome(struct printer *out, const struct target *target,
			  const struct asked *asked,
			  const struct result *result)
{
	int result_ = result->result;

	print_begin(out, PART_ROW, NULL);
	print_text(out, "op", script_names[asked->opcode]);
	print_key(out, "key", &asked->key);
	print_text(out, "result", result_ < 0 ? errno_name(-result_) : "ok");
	print_key(out, "found", &result->found);
	print_value(out, "value", &result->value);
	if (leaves_old_out(target, asked->opcode, result))
		print_none(out, "old");
	else
		print_value(out, "old", &result->old);
	print_end(out);
}

/* A failed operation is a result. A failed system call ends the script. */
static enum status execute(const struct target *target, struct printer *out,
			   struct round *round, bool *end)
{
	enum status status = STATUS_OK;
	struct result result;
	size_t done, i;
	int err;

	err = blinktree_stream_run(round->stream, target->tree, &done);
	for (i = 0; i < done; i++) {
		operation_result(round->stream, target->kinds, &result);
		print_outcome(out, target, &round->asked[i], &result);
		status = worse(status, judge(result.result));
	}
	blinktree_stream_clear(round->stream);
	round->nr = 0;
	if (!err)
		return status;
	*end = true;
	return target_failed(target, "batch", -err);
}

/* Add an operation to a round. Returns 0 or -ENOMEM. */
static int add(struct round *round, const struct operation *op)
{
	struct asked *asked = &round->asked[round->nr];
	int err = operation_add(round->stream, op);

	if (err)
		return err;
	asked->opcode = op->opcode;
	key_copy(&asked->key, &op->key);
	round->nr++;
	return 0;
}

/*
 * Add @most operations to a round, or those up to the end of the input or a mistake, or of a
 * @paragraph.
 */
static enum status fill(struct input *input, struct kinds kinds,
			struct round *round, size_t most, bool paragraph,
			bool *end)
{
	const char *line, *why;
	struct operation op;
	size_t len;
	int ret;

	while (round->nr < most) {
		ret = input_line(input, &line, &len);
		if (ret != 1) {
			*end = true;
			return ret ? STATUS_SYSTEM : STATUS_OK;
		}
		if (paragraph && round->nr && script_blank(line, len))
			break;
		switch (script_parse(line, len, kinds, paragraph, &op, &why)) {
		case LINE_ENTRY:
			if (!add(round, &op))
				break;
			*end = true;
			return device_failed("batch", ENOMEM);
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
	size_t most = input_is_terminal(input) ? 1 : ROUND;
	enum status status = STATUS_OK;
	static struct round round;
	bool end = false;

	if (blinktree_stream_open(&round.stream))
		return device_failed("batch", ENOMEM);
	print_begin(out, PART_LIST, NULL);
	/* Operations before a mistake in the input are still executed. */
	while (!end) {
		status = worse(status, fill(input, target->kinds, &round, most,
					    false, &end));
		status = worse(status, execute(target, out, &round, &end));
	}
	blinktree_stream_close(round.stream);
	return status;
}

/* A condition that is not true is a result, as an operation of a batch that fails. */
static enum status execute_commit(const struct target *target,
				  struct printer *out, struct round *round)
{
	int err = blinktree_stream_commit(round->stream, target->tree, NULL);
	struct result result;
	size_t i;

	if (err && err != -ESTALE)
		return target_failed(target, "commit", -err);
	for (i = 0; i < round->nr; i++) {
		operation_result(round->stream, target->kinds, &result);
		print_outcome(out, target, &round->asked[i], &result);
	}
	blinktree_stream_clear(round->stream);
	round->nr = 0;
	return err ? STATUS_NO : STATUS_OK;
}

static enum status commit_script(const struct target *target,
				 struct printer *out, struct input *input)
{
	enum status status = STATUS_OK;
	static struct round round;
	bool end = false;

	if (blinktree_stream_open(&round.stream))
		return device_failed("commit", ENOMEM);
	print_begin(out, PART_LIST, NULL);
	while (!end && status <= STATUS_NO) {
		/* The kernel refuses one that is longer than a commit can be. */
		status = worse(status, fill(input, target->kinds, &round, ROUND,
					    true, &end));
		if (status <= STATUS_NO)
			status = worse(status,
				       execute_commit(target, out, &round));
	}
	blinktree_stream_close(round.stream);
	return status;
}

static enum status run(const struct args *args, struct printer *out,
		       enum status (*script)(const struct target *,
					     struct printer *, struct input *))
{
	struct target target;
	struct input *input;
	enum status status = target_open(args, OPEN_AS_ALLOWED, &target);

	if (status)
		return status;
	status = STATUS_SYSTEM;
	input = input_open(args->nr > 1 ? args->words[1] : "-");
	if (input) {
		status = script(&target, out, input);
		input_close(input);
	}
	target_close(&target);
	return status;
}

enum status run_batch(const struct args *args, struct printer *out)
{
	return run(args, out, run_script);
}

enum status run_commit(const struct args *args, struct printer *out)
{
	return run(args, out, commit_script);
}
