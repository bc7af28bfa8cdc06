// SPDX-License-Identifier: GPL-2.0
/* Scripts of the command batch. */
#include <string.h>

#include "../../tests/common/tap.h"
#include "../script.h"
#include "../util.h"

static enum line parse(const char *line, struct operation *op)
{
	const char *why = NULL;
	enum line kind =
		script_parse(line, strlen(line), (struct kinds){}, op, &why);

	tap_check((kind == LINE_WRONG) == !!why);
	return kind;
}

/* A value is this number; 0 stands for none. */
static bool is(const struct value *value, __u64 number)
{
	return number ? value->length == 8 && value->number == number :
			value_is_none(value);
}

static void check_op(const char *line, unsigned int opcode, __u64 key,
		     __u64 value, __u64 old)
{
	struct operation op;

	memset(&op, 0xff, sizeof(op));
	tap_check(parse(line, &op) == LINE_ENTRY);
	tap_check(op.opcode == opcode && op.key.length == 8);
	tap_check(key_number(&op.key) == key && is(&op.value, value) &&
		  is(&op.old, old));
}

static void test_operations(void)
{
	check_op("get 1", BLINK_TREE_OP_LOOKUP, 1, 0, 0);
	check_op("insert 1 2", BLINK_TREE_OP_INSERT, 1, 2, 0);
	check_op(" put\t0x1  2 \r", BLINK_TREE_OP_STORE, 1, 2, 0);
	check_op("replace 1 2", BLINK_TREE_OP_REPLACE, 1, 2, 0);
	check_op("del 1", BLINK_TREE_OP_ERASE, 1, 0, 0);
	check_op("cas 1 2 3", BLINK_TREE_OP_CMPXCHG, 1, 3, 2);
	check_op("cad 1 2", BLINK_TREE_OP_CMPERASE, 1, 0, 2);
	check_op("floor 1", BLINK_TREE_OP_FLOOR, 1, 0, 0);
	check_op("ceil 1", BLINK_TREE_OP_CEILING, 1, 0, 0);
	check_op("get-or-insert 1 2", BLINK_TREE_OP_GET_OR_INSERT, 1, 2, 0);
	check_op("pop-min 1", BLINK_TREE_OP_POP_MIN, 1, 0, 0);
	check_op("pop-max 1", BLINK_TREE_OP_POP_MAX, 1, 0, 0);
	tap_case("every operation, its numbers where they belong");
}

static void test_nothing(void)
{
	struct operation op;

	tap_check(parse("", &op) == LINE_NOTHING);
	tap_check(parse(" \t\r", &op) == LINE_NOTHING);
	tap_check(parse("# get 1", &op) == LINE_NOTHING);
	tap_check(parse("#", &op) == LINE_NOTHING);
	tap_case("blank lines and comments");
}

static void test_kinds(void)
{
	const char *line = "cas 2001:db8::1 2 3", *why;
	struct kinds kinds = { .key = BLINK_TREE_KEY_U128 };
	struct operation op;

	tap_check(script_parse(line, strlen(line), kinds, &op, &why) ==
		  LINE_ENTRY);
	tap_check(op.key.length == 16 && op.key.bytes[0] == 0x20 &&
		  op.key.bytes[15] == 1 && is(&op.old, 2) && is(&op.value, 3));
	kinds.value = VALUE_BYTES;
	tap_check(script_parse(line, strlen(line), kinds, &op, &why) ==
		  LINE_ENTRY);
	tap_check(op.key.length == 16 && op.old.string && op.value.string &&
		  op.old.length == 1 && op.old.bytes[0] == '2' &&
		  op.value.length == 1 && op.value.bytes[0] == '3');
	kinds.key = BLINK_TREE_KEY_MULTI;
	tap_check(script_parse(line, strlen(line), kinds, &op, &why) ==
		  LINE_WRONG);
	tap_case("the kinds of the tree decide what keys and values are");
}

static void test_wrong(void)
{
	static const char *const lines[] = {
		"get",	   "get 1 2",	  "put 1",	   "put 1 2 3",
		"cas 1 2", "cas 1 2 3 4", "cas 1 2 3 4 5", "ge 1",
		"gett 1",  "GET 1",	  "get x",	   "put 1 y",
		"1 2",	   "get 1 # no",
	};
	struct operation op;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++)
		if (!tap_check(parse(lines[i], &op) == LINE_WRONG))
			printf("# it is '%s'\n", lines[i]);
	tap_case("other lines are refused");
}

int main(void)
{
	const unsigned int planned = 4;

	tap_begin(planned);
	test_operations();
	test_nothing();
	test_kinds();
	test_wrong();
	return tap_exit(planned);
}
