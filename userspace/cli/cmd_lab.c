// SPDX-License-Identifier: GPL-2.0
/*
 * lab: the schemes of the laboratory. This program is compiled with the list that the
 * module blink_tree_lab and the native benchmark are compiled with, so that neither
 * the module nor root is needed to print it.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "lab/schemes/list.h"
#include "printer.h"
#include "util.h"

struct listed {
	const char *name;
	const char *author;
	const char *paper;
	const char *section;
	const char *promises;
};

static const struct field listed_fields[] = {
	FIELD(FIELD_TEXT, struct listed, name),
	FIELD(FIELD_TEXT, struct listed, author),
	FIELD(FIELD_TEXT, struct listed, paper),
	FIELD(FIELD_TEXT, struct listed, section),
	FIELD(FIELD_TEXT, struct listed, promises),
};

static const struct schema listed_schema = {
	.layout = LAYOUT_TABLE,
	.fields = listed_fields,
	.nr = ARRAY_SIZE(listed_fields),
};

struct scheme {
	const char *name;
	const char *author;
	const char *paper;
	const char *section;
	unsigned int promises;
};

#define SCHEME(symbol, name, author, paper, section, promises) \
	{ name, author, paper, section, promises },

static const struct scheme schemes[] = { LAB_SCHEMES(SCHEME) LAB_SCHEMES_BTREE(
	SCHEME) LAB_SCHEMES_KERNEL(SCHEME) };

#define PROMISE_WORD(promise, word) word,

/* Each stands at the place of its bit. */
static const char *const promise_words[] = { LAB_PROMISES(PROMISE_WORD) };

/* More than all words together. */
#define PROMISES_MAX 256

static void name_promises(char text[PROMISES_MAX], unsigned int promises)
{
	const char *before = "";
	size_t i, len = 0;

	*text = '\0';
	for (i = 0; i < ARRAY_SIZE(promise_words); i++) {
		if (!(promises >> i & 1))
			continue;
		len += snprintf(text + len, PROMISES_MAX - len, "%s%s", before,
				promise_words[i]);
		before = ",";
	}
}

static void print_scheme(struct printer *out, const struct scheme *scheme)
{
	char promises[PROMISES_MAX];
	struct listed listed = {
		.name = scheme->name,
		.author = scheme->author,
		.paper = scheme->paper,
		.section = scheme->section,
		.promises = promises,
	};

	name_promises(promises, scheme->promises);
	print_record(out, &listed_schema, &listed);
}

enum status run_lab(const struct args *args, struct printer *out)
{
	size_t i;

	if (strcmp(args->words[0], "list")) {
		message("the laboratory cannot '%s', only list",
			args->words[0]);
		return STATUS_USAGE;
	}
	print_list_begin(out, &listed_schema);
	for (i = 0; i < ARRAY_SIZE(schemes); i++)
		print_scheme(out, &schemes[i]);
	print_list_end(out);
	return STATUS_OK;
}
