// SPDX-License-Identifier: GPL-2.0
/*
 * The schemes, mixes and figures that there are. This program is compiled with the list
 * of schemes that the module blink_tree_lab is compiled with, so that neither the module
 * nor root is needed to print it.
 */
#include <linux/types.h>
#include <stdio.h>
#include <string.h>

#include "lab/schemes/list.h"
#include "lists.h"
#include "printer.h"
#include "study.h"
#include "util.h"

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

const char *lab_scheme_at(size_t i)
{
	return i < ARRAY_SIZE(schemes) ? schemes[i].name : NULL;
}

const char *lab_mix_at(size_t i)
{
	return lab_mixes[i].name;
}

/* All figures, and then the word for all of them. */
const char *lab_figure_at(size_t i)
{
	size_t nr = 0;

	while (figures[nr].name)
		nr++;
	if (i == nr)
		return "all";
	return i < nr ? figures[i].name : NULL;
}

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

	name_promises(promises, scheme->promises);
	print_begin(out, PART_ROW, NULL);
	print_text(out, "name", scheme->name);
	print_text(out, "author", scheme->author);
	print_text(out, "paper", scheme->paper);
	print_text(out, "section", scheme->section);
	print_text(out, "promises", promises);
	print_end(out);
}

enum status run_lab_list(const struct args *args, struct printer *out)
{
	size_t i;

	(void)args;
	print_begin(out, PART_TABLE, NULL);
	for (i = 0; i < ARRAY_SIZE(schemes); i++)
		print_scheme(out, &schemes[i]);
	print_end(out);
	return STATUS_OK;
}

#define SHARES_MAX 256

/* Such as "read 90, insert 5, update 5; zipfian". */
static void name_shares(char text[SHARES_MAX], const struct lab_mix *mix)
{
	static const char *const popularities[] = {
		[LAB_UNIFORM] = "uniform",
		[LAB_ZIPFIAN] = "zipfian",
		[LAB_LATEST] = "latest",
	};
	size_t len = 0;
	int op;

	for (op = 0; op < LAB_OP_NR; op++) {
		if (mix->share[op])
			len += snprintf(text + len, SHARES_MAX - len, "%s%s %u",
					len ? ", " : "", lab_op_names[op],
					mix->share[op]);
	}
	if (mix->scan_most)
		len += snprintf(text + len, SHARES_MAX - len,
				"; scans of %u to %u", mix->scan_least,
				mix->scan_most);
	snprintf(text + len, SHARES_MAX - len, "; %s",
		 popularities[mix->popularity]);
}

enum status run_lab_mixes(const struct args *args, struct printer *out)
{
	const struct lab_mix *mix;
	char shares[SHARES_MAX];

	(void)args;
	print_begin(out, PART_TABLE, NULL);
	for (mix = lab_mixes; mix->name; mix++) {
		name_shares(shares, mix);
		print_begin(out, PART_ROW, NULL);
		print_text(out, "name", mix->name);
		print_text(out, "source", mix->source);
		print_text(out, "shares", shares);
		print_end(out);
	}
	print_end(out);
	return STATUS_OK;
}

enum status run_lab_figures(const struct args *args, struct printer *out)
{
	const struct figure *figure;

	(void)args;
	print_begin(out, PART_TABLE, NULL);
	for (figure = figures; figure->name; figure++) {
		print_begin(out, PART_ROW, NULL);
		print_text(out, "name", figure->name);
		print_text(out, "paper", figure->paper);
		print_text(out, "place", figure->place);
		print_text(out, "title", figure->title);
		print_end(out);
	}
	print_end(out);
	return STATUS_OK;
}
