// SPDX-License-Identifier: GPL-2.0
/* range: ranges of keys that have one value each. */
#include <errno.h>
#include <string.h>

#include "device.h"
#include "printer.h"
#include "target.h"

/**
 * struct action - an action of the command
 * @name: its name
 * @op: enum blink_tree_range_op; the number of these for a list
 * @access: the access to the tree that it needs
 * @operands: a letter for each: First key, Last key, Size, Value
 * @least: how many of them there are at least
 */
struct action {
	const char *name;
	unsigned int op;
	unsigned int access;
	const char *operands;
	size_t least;
};

#define READ BLINK_TREE_OPEN_READ
#define WRITE BLINK_TREE_OPEN_WRITE
#define LIST BLINK_TREE_RANGE_NR

static const struct action actions[] = {
	{ "list", LIST, READ, "FL", 0 },
	{ "get", BLINK_TREE_RANGE_LOOKUP, READ, "F", 1 },
	{ "put", BLINK_TREE_RANGE_STORE, WRITE, "FLV", 3 },
	{ "insert", BLINK_TREE_RANGE_INSERT, READ | WRITE, "FLV", 3 },
	{ "del", BLINK_TREE_RANGE_STORE, WRITE, "FL", 2 },
	{ "gap", BLINK_TREE_RANGE_GAP, READ, "SFL", 1 },
	{ "alloc", BLINK_TREE_RANGE_ALLOC, READ | WRITE, "SVFL", 2 },
	{},
};

static const struct action *find_action(const struct args *args)
{
	const char *name = args->nr > 1 ? args->words[1] : "list";
	const struct action *action = actions;
	size_t nr = args->nr > 2 ? args->nr - 2 : 0;

	while (action->name && strcmp(action->name, name))
		action++;
	if (!action->name) {
		message("no such action: %s", name);
		return NULL;
	}
	if (nr < action->least || nr > strlen(action->operands)) {
		message("range %s: %s", name,
			nr < action->least ? "an operand is missing" :
					     "too many operands");
		return NULL;
	}
	return action;
}

/* A number of the structure: one of 128 bits is its upper half and its lower one. */
static void put_number(const struct target *target, __uint128_t number,
		       __u64 *high, __u64 *low)
{
	const bool wide = target->kinds.key == BLINK_TREE_KEY_U128;

	*high = wide ? number >> 64 : number;
	*low = wide ? number : 0;
}

static bool read_key(const struct target *target, const char *text, __u64 *high,
		     __u64 *low)
{
	struct key key;

	if (!target_key(target, "KEY", text, &key))
		return false;
	put_number(target, key_number(&key), high, low);
	return true;
}

static bool read_size(const struct target *target, const char *text,
		      struct blink_tree_ioc_range *range)
{
	__uint128_t size;
	const char *why = number_parse_wide(text, strlen(text), &size);

	if (!why && target->kinds.key != BLINK_TREE_KEY_U128 && size >> 64)
		why = "the number is too large";
	if (why)
		message("SIZE '%s': %s", text, why);
	else
		put_number(target, size, &range->size, &range->size_low);
	return !why;
}

static bool read_value(const char *text, struct blink_tree_ioc_range *range)
{
	const char *why = number_parse(text, strlen(text), &range->value);

	if (why)
		message("VALUE '%s': %s", text, why);
	return !why;
}

static bool read_operand(const struct target *target, char kind,
			 const char *text, struct blink_tree_ioc_range *range)
{
	switch (kind) {
	case 'F':
		return read_key(target, text, &range->first, &range->first_low);
	case 'L':
		return read_key(target, text, &range->last, &range->last_low);
	case 'S':
		return read_size(target, text, range);
	default:
		return read_value(text, range);
	}
}

/* Without ends a range is that of all keys. */
static bool read_range(const struct args *args, const struct target *target,
		       const struct action *action,
		       struct blink_tree_ioc_range *range)
{
	size_t i;

	*range = (struct blink_tree_ioc_range){ .op = action->op };
	put_number(target, ~(__uint128_t)0, &range->last, &range->last_low);
	for (i = 2; i < args->nr; i++) {
		if (!read_operand(target, action->operands[i - 2],
				  args->words[i], range))
			return false;
	}
	if (args->highest)
		range->flags |= BLINK_TREE_RANGE_HIGHEST;
	if (args->parts)
		range->flags |= BLINK_TREE_RANGE_PARTS;
	return true;
}

static __uint128_t get_number(const struct target *target, __u64 high,
			      __u64 low)
{
	return target->kinds.key == BLINK_TREE_KEY_U128 ?
		       (__uint128_t)high << 64 | low :
		       high;
}

static void print_number_key(struct printer *out, const char *name,
			     const struct target *target, __u64 high, __u64 low)
{
	__uint128_t number = get_number(target, high, low);
	unsigned char bytes[16];
	size_t length = key_length(target->kinds.key), i;
	struct key key;

	for (i = length; i--; number >>= 8)
		bytes[i] = number;
	key_set(&key, target->kinds.key, bytes, length);
	print_key(out, name, &key);
}

/* A hole has no value. */
static void print_range(struct printer *out, const struct target *target,
			const struct blink_tree_ioc_range *range)
{
	print_begin(out, PART_ROW, NULL);
	print_number_key(out, "first", target, range->first, range->first_low);
	print_number_key(out, "last", target, range->last, range->last_low);
	if (range->value)
		print_number(out, "value", range->value);
	else
		print_none(out, "value");
	print_end(out);
}

/* Print the ranges that have keys between the ends. */
static enum status list(const struct target *target, struct printer *out,
			const struct blink_tree_ioc_range *ends)
{
	const __uint128_t end = get_number(target, ends->last, ends->last_low);
	struct blink_tree_ioc_range range = *ends;
	__uint128_t last;
	int err;

	for (;;) {
		range.op = BLINK_TREE_RANGE_NEXT;
		err = blinktree_range(target->tree, &range);
		if (err == -ENOENT ||
		    (!err &&
		     get_number(target, range.first, range.first_low) > end))
			return STATUS_OK;
		if (err)
			return target_failed(target, target->name, -err);
		print_range(out, target, &range);
		last = get_number(target, range.last, range.last_low);
		if (last >= end)
			return STATUS_OK;
		put_number(target, last + 1, &range.first, &range.first_low);
	}
}

/* Execute an action other than a list. */
static enum status execute(const struct target *target, struct printer *out,
			   struct blink_tree_ioc_range *range)
{
	int err = blinktree_range(target->tree, range);

	if (err == -EEXIST || err == -EBUSY) {
		message("%s: %s", target->name,
			err == -EBUSY ? "no gap is large enough" :
					"a key is in a range");
		return STATUS_NO;
	}
	if (err)
		return target_failed(target, target->name, -err);
	if (range->op != BLINK_TREE_RANGE_STORE &&
	    range->op != BLINK_TREE_RANGE_INSERT)
		print_range(out, target, range);
	return STATUS_OK;
}

enum status run_range(const struct args *args, struct printer *out)
{
	const struct action *action = find_action(args);
	struct blink_tree_ioc_range range;
	struct target target;
	enum status status;

	if (!action)
		return STATUS_USAGE;
	status = target_open(args, action->access, &target);
	if (status)
		return status;
	print_begin(out, PART_LIST, NULL);
	if (!read_range(args, &target, action, &range))
		status = STATUS_USAGE;
	else if (action->op == LIST)
		status = list(&target, out, &range);
	else
		status = execute(&target, out, &range);
	print_end(out);
	target_close(&target);
	return status;
}
