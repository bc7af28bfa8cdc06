// SPDX-License-Identifier: GPL-2.0
/* Numbers in few characters: each unit, and what is rounded up to the next one. */
#include <string.h>

#include "../../tests/common/tap.h"
#include "../units.h"

static bool is(double number, const char *expected)
{
	char text[UNITS_MAX];

	return !strcmp(units_text(text, number), expected);
}

static void test_small(void)
{
	tap_check(is(0, "0"));
	tap_check(is(0.4, "0"));
	tap_check(is(12.5, "12"));
	tap_check(is(999, "999"));
	tap_check(is(999.4, "999"));
	tap_case("numbers without a unit");
}

static void test_large(void)
{
	tap_check(is(1000, "1.00k"));
	tap_check(is(1234, "1.23k"));
	tap_check(is(12345, "12.3k"));
	tap_check(is(123456, "123k"));
	tap_check(is(2.5e9, "2.50G"));
	tap_check(is(18446744073709551615.0, "18.4E"));
	tap_case("numbers with a unit");
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

static void test_rounded(void)
{
	tap_check(is(999.5, "1.00k"));
	tap_check(is(9994, "9.99k"));
	tap_check(is(9996, "10.0k"));
	tap_check(is(99960, "100k"));
	tap_check(is(999600, "1.00M"));
	tap_case("rounding to the next unit");
}

int main(void)
{
	const unsigned int planned = 4;

	tap_begin(planned);
	test_small();
	test_large();
	test_rounded();
	test_width();
	return tap_exit(planned);
}
