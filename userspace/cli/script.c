// SPDX-License-Identifier: GPL-2.0
/* Reading scripts: each line has the name of an operation and its operands. */
#include <string.h>

#include "script.h"

const char *const script_names[BLINK_TREE_OP_NR] = {
	[BLINK_TREE_OP_LOOKUP] = "get",
	[BLINK_TREE_OP_INSERT] = "insert",
	[BLINK_TREE_OP_STORE] = "put",
	[BLINK_TREE_OP_REPLACE] = "replace",
	[BLINK_TREE_OP_ERASE] = "del",
	[BLINK_TREE_OP_CMPXCHG] = "cas",
	[BLINK_TREE_OP_CMPERASE] = "cad",
	[BLINK_TREE_OP_FLOOR] = "floor",
	[BLINK_TREE_OP_CEILING] = "ceil",
	[BLINK_TREE_OP_GET_OR_INSERT] = "get-or-insert",
	[BLINK_TREE_OP_POP_MIN] = "pop-min",
	[BLINK_TREE_OP_POP_MAX] = "pop-max",
	[BLINK_TREE_OP_EXPECT] = "expect",
	[BLINK_TREE_OP_ABSENT] = "absent",
	[BLINK_TREE_OP_ADD] = "add",
	[BLINK_TREE_OP_ADD_SATURATE] = "add-saturate",
};

#define WORDS_MAX 5

struct word {
	const char *text;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the number of words, and WORDS_MAX + 1 for more than WORDS_MAX. */
static size_t split(const char *line, size_t len, struct word words[WORDS_MAX])
{
	size_t i = 0, nr = 0;

	for (;;) {
		while (i < len && is_blank(line[i]))
			i++;
		if (i == len || nr == WORDS_MAX)
			return nr + (i < len);
		words[nr].text = line + i;
		while (i < len && !is_blank(line[i]))
			i++;
		words[nr].len = line + i - words[nr].text;
		nr++;
	}
}

static int find_opcode(const struct word *word)
{
	int i;

	for (i = 0; i < BLINK_TREE_OP_NR; i++) {
		if (strlen(script_names[i]) == word->len &&
		    !memcmp(script_names[i], word->text, word->len))
			return i;
	}
	return -1;
}

/* Values behind the key. */
static size_t values_of(unsigned int opcode)
{
	return operation_has_value(opcode) + operation_has_old(opcode);
}

/* Read the key, the expected value and the new value of an operation. */
static const char *parse_operands(const struct word *words, struct kinds kinds,
				  struct operation *op)
{
	const char *why =
		key_parse(kinds.key, words[0].text, words[0].len, &op->key);
	const struct word *word = &words[1];

	if (!why && operation_has_old(op->opcode)) {
		why = value_parse(kinds.value, word->text, word->len, &op->old);
		word++;
	}
	if (!why && operation_has_value(op->opcode))
		why = operation_parse_value(op->opcode, kinds.value, word->text,
					    word->len, &op->value);
	return why;
}

/* The flag of an operation in a commit, or 0 for another word. */
static unsigned int find_flag(const struct word *word)
{
	static const struct {
		const char *name;
		unsigned int flag;
	} flags[] = {
		{ "+empty", BLINK_TREE_COMMIT_EMPTY },
		{ "+clear", BLINK_TREE_COMMIT_CLEAR },
	};
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (strlen(flags[i].name) == word->len &&
		    !memcmp(flags[i].name, word->text, word->len))
			return flags[i].flag;
	}
	return 0;
}

bool script_blank(const char *line, size_t len)
{
	while (len && is_blank(line[len - 1]))
		len--;
	return !len;
}

enum line script_parse(const char *line, size_t len, struct kinds kinds,
		       bool commit, struct operation *op, const char **why)
{
	struct word words[WORDS_MAX];
	size_t nr = split(line, len, words);
	int opcode;

	if (!nr || *words[0].text == '#')
		return LINE_NOTHING;
	opcode = find_opcode(&words[0]);
	if (opcode < 0) {
		*why = "no such operation";
		return LINE_WRONG;
	}
	op->opcode = opcode;
	op->flags = 0;
	if (commit && nr == 3 + values_of(opcode))
		op->flags = find_flag(&words[nr - 1]);
	nr -= !!op->flags;
	value_clear(&op->value);
	value_clear(&op->old);
	if (nr - 2 != values_of(opcode))
		*why = nr < 2 + values_of(opcode) ? "an operand is missing" :
						    "too many operands";
	else
		*why = parse_operands(&words[1], kinds, op);
	return *why ? LINE_WRONG : LINE_ENTRY;
}
