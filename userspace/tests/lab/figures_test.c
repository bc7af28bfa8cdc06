// SPDX-License-Identifier: GPL-2.0
/* The tables of figures: that they agree with themselves and with the mixes. */
#include <linux/kernel.h>
#include <string.h>
#include <tap.h>

#include "figures.h"
#include "lab/schemes/list.h"
#include "workloads.h"

#define CASES 5

static const char *const wanted[] = {
	"numa-4.2",	"numa-4.3",	"numa-4.4",	"numa-4.5",
	"numa-4.6",	"numa-4.7",	"numa-4.8",	"olfit-8",
	"olfit-9",	"spiderman-9",	"spiderman-10", "spiderman-11",
	"spiderman-12", "spiderman-13", "rcu-ycsb",	"mxkernel-3",
};

static bool has_name(const char *const *names, unsigned int max,
		     const char *name)
{
	unsigned int i;

	for (i = 0; i < max && names[i]; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

#define SCHEME_NAME(symbol, name, author, paper, section, promises) name,

/* Those that compile natively too, up to a NULL. */
static const char *const schemes[] = { LAB_SCHEMES(
	SCHEME_NAME) LAB_SCHEMES_BTREE(SCHEME_NAME) NULL };

static bool has_number(const unsigned int *numbers, unsigned int max,
		       unsigned int number)
{
	unsigned int i;

	for (i = 0; i < max && numbers[i]; i++) {
		if (numbers[i] == number)
			return true;
	}
	return false;
}

static void test_names(void)
{
	const struct figure *figure;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		tap_check(figure_find(wanted[i]));
	for (figure = figures; figure->name; figure++)
		tap_check(figure_find(figure->name) == figure);
	tap_check(!figure_find("no such figure"));
	tap_case("names: all figures that were asked for, each name once");
}

static void test_figures(void)
{
	const struct figure *figure;
	const char *name;
	unsigned int i;

	for (figure = figures; figure->name; figure++) {
		tap_check(figure->paper && figure->place && figure->title);
		tap_check(figure->scheme[0] && figure->mix[0] &&
			  figure->threads[0]);
		/* The tables end within their arrays. */
		tap_check(!figure->scheme[FIGURE_SCHEMES - 1]);
		tap_check(!figure->threads[FIGURE_THREADS - 1]);
		tap_check(!figure->batch[FIGURE_SIZES - 1]);
		tap_check(!figure->node_bytes[FIGURE_SIZES - 1]);
		tap_check(!figure->op[FIGURE_OPS - 1]);
		for (i = 0; i < FIGURE_MIXES && figure->mix[i]; i++) {
			if (!tap_check(lab_mix_find(figure->mix[i])))
				printf("# %s\n", figure->mix[i]);
		}
		for (i = 0; figure->scheme[i]; i++) {
			name = figure->scheme[i];
			if (!tap_check(has_name(schemes, ~0U, name)))
				printf("# %s\n", name);
		}
		for (i = 0; figure->op[i]; i++)
			tap_check(has_name(lab_op_names, LAB_OP_NR,
					   figure->op[i]));
	}
	tap_case(
		"figures: complete, of schemes, mixes and operations that exist");
}

static bool is_in(const struct figure *figure, const struct figure_point *at)
{
	return (!at->scheme ||
		has_name(figure->scheme, FIGURE_SCHEMES, at->scheme)) &&
	       (!at->mix || has_name(figure->mix, FIGURE_MIXES, at->mix)) &&
	       (!at->threads ||
		has_number(figure->threads, FIGURE_THREADS, at->threads)) &&
	       (!at->batch ||
		has_number(figure->batch, FIGURE_SIZES, at->batch)) &&
	       (!at->node_bytes ||
		has_number(figure->node_bytes, FIGURE_SIZES, at->node_bytes)) &&
	       (!at->op || has_name(figure->op, FIGURE_OPS, at->op));
}

static void test_values(void)
{
	const struct figure_value *value;
	const struct figure *figure;

	for (value = figure_values; value->figure; value++) {
		figure = figure_find(value->figure);
		if (tap_check(figure) &&
		    !tap_check(is_in(figure, &value->point)))
			printf("# %s: %s\n", value->figure, value->text);
		tap_check(value->ratio > 0 && value->text);
	}
	tap_case("values: each at a point of its figure");
}

static const struct figure_value *find(const char *name,
				       struct figure_point point)
{
	return figure_value_find(figure_find(name), &point);
}

static void test_lookups(void)
{
	const struct figure_value *value;

	value = find("numa-4.3", (struct figure_point){ "mckenzie:lock-free",
							"numa-100-0", 32 });
	tap_check(value && value->ratio == 23);
	tap_check(!find("numa-4.3", (struct figure_point){ "mckenzie:lock-free",
							   "numa-100-0", 16 }));
	value = find("spiderman-10",
		     (struct figure_point){ "two-phase:123", "spiderman-b", 1,
					    8 });
	tap_check(value && value->ratio == 1.3);
	/* A value without a number of threads is one for each. */
	value = find("spiderman-10",
		     (struct figure_point){ "two-phase:123", "spiderman-b", 4,
					    1 });
	tap_check(value && value->relation == FIGURE_LESS);
	tap_check(!find("mxkernel-3", (struct figure_point){ "mxkernel:sync",
							     "mxkernel", 4 }));
	tap_case("values: found by their points, and by no others");
}

static void test_formats(void)
{
	const struct figure_value less = { .relation = FIGURE_LESS,
					   .ratio = 1 };
	const struct figure_value equal = { .ratio = 1.18 };
	char text[32];

	figure_value_format(&less, text, sizeof(text));
	tap_check(!strcmp(text, "less than 1"));
	figure_value_format(&equal, text, sizeof(text));
	tap_check(!strcmp(text, "1.18"));
	figure_value_format(NULL, text, sizeof(text));
	tap_check(!strcmp(text, "not in the text"));
	tap_case("formats: relations, and what is not in the text");
}

int main(void)
{
	tap_begin(CASES);
	test_names();
	test_figures();
	test_values();
	test_lookups();
	test_formats();
	return tap_exit(CASES);
}
