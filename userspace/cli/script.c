// SPDX-License-Identifier: GPL-2.0
/* Reading scripts: each line has the name of an operation and its numbers. */
#include <string.h>

#include "number.h"
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
};

#define WORDS_MAX 4

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

static size_t numbers_of(unsigned int opcode)
{
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_REPLACE:
	case BLINK_TREE_OP_CMPERASE:
	case BLINK_TREE_OP_GET_OR_INSERT:
		return 2;
	case BLINK_TREE_OP_CMPXCHG:
		return 3;
	}
	return 1;
}

enum line script_parse(const char *line, size_t len,
		       struct blink_tree_ioc_op *op, const char **why)
{
	struct word words[WORDS_MAX];
	size_t nr = split(line, len, words);
	__u64 numbers[WORDS_MAX] = {};
	int opcode;
	size_t i;

	if (!nr || *words[0].text == '#')
		return LINE_NOTHING;
	*why = NULL;
	opcode = find_opcode(&words[0]);
	if (opcode < 0)
		*why = "no such operation";
	else if (nr - 1 != numbers_of(opcode))
		*why = nr - 1 < numbers_of(opcode) ? "a number is missing" :
						     "too many numbers";
	for (i = 1; !*why && i < nr; i++)
		*why = number_parse(words[i].text, words[i].len,
				    &numbers[i - 1]);
	if (*why)
		return LINE_WRONG;

	*op = (struct blink_tree_ioc_op){ .opcode = opcode, .key = numbers[0] };
	if (opcode == BLINK_TREE_OP_CMPXCHG ||
	    opcode == BLINK_TREE_OP_CMPERASE) {
		op->old = numbers[1];
		op->value = numbers[2];
	} else {
		op->value = numbers[1];
	}
	return LINE_ENTRY;
}
