// SPDX-License-Identifier: GPL-2.0
/* Numbers in few characters: each unit, and what is rounded up to the next one. */
#include <string.h>

#include "../../tests/common/tap.h"
#include "../units.h"
#include "../util.h"

static const struct {
	double number;
	const char *text;
} texts[] = {
	{ 0, "0" },	    { 0.4, "0" },
	{ 12.5, "12" },	    { 999, "999" },
	{ 999.4, "999" },   { 999.5, "1.00k" },
	{ 1000, "1.00k" },  { 1234, "1.23k" },
	{ 9994, "9.99k" },  { 9996, "10.0k" },
	{ 12345, "12.3k" }, { 99960, "100k" },
	{ 123456, "123k" }, { 999600, "1.00M" },
	{ 2.5e9, "2.50G" }, { 18446744073709551615.0, "18.4E" },
};

static void test_texts(void)
{
	char text[UNITS_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		tap_check(!strcmp(units_text(text, texts[i].number),
				  texts[i].text));
	tap_case("numbers with and without a unit, rounded to the next one");
}

/* Columns of top have room for five characters. */
static void test_width(void)
{
	char text[UNITS_MAX];
	double number;

	for (number = 1; number < 2e19; number *= 1.003)
		tap_check(strlen(units_text(text, number)) <= 5);
	tap_check(strlen(units_text(text, 18446744073709551615.0)) <= 5);
	tap_case("numbers of five characters at most");
}

int main(void)
{
	tap_begin(2);
	test_texts();
	test_width();
	return tap_exit(2);
}
