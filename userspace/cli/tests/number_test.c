// SPDX-License-Identifier: GPL-2.0
/* Numbers: valid ones, invalid ones, and the limit of 64 bits. */
#include <stdint.h>
#include <string.h>

#include "../../tests/common/tap.h"
#include "../number.h"
#include "../util.h"

static bool is(const char *text, __u64 expected)
{
	__u64 number = ~expected;

	return !number_parse(text, strlen(text), &number) && number == expected;
}

static bool is_none(const char *text)
{
	__u64 number = 4711;

	return number_parse(text, strlen(text), &number) && number == 4711;
}

static void test_good(void)
{
	tap_check(is("0", 0));
	tap_check(is("7", 7));
	tap_check(is("007", 7));
	tap_check(is("0x0", 0));
	tap_check(is("0xaBcD", 0xabcd));
	tap_check(is("0X10", 16));
	tap_check(is("18446744073709551615", UINT64_MAX));
	tap_check(is("0xffffffffffffffff", UINT64_MAX));
	tap_check(is("0x0000000000000000000001", 1));
	tap_case("numbers are read");
}

static void test_bad(void)
{
	static const char *const texts[] = {
		"",    "0x",  "x",   "-1",  "+1", " 1",	  "1 ", "1.0",
		"0xg", "12a", "1e3", "0b1", "１", "0x-1", "1,",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (!tap_check(is_none(texts[i])))
			printf("# it is '%s'\n", texts[i]);
	tap_case(
		"a text that is not a number is refused, and nothing is written");
}

static void test_range(void)
{
	tap_check(is_none("18446744073709551616"));
	tap_check(is_none("18446744073709551620"));
	tap_check(is_none("99999999999999999999"));
	tap_check(is_none("0x10000000000000000"));
	tap_check(is_none("340282366920938463463374607431768211457"));
	tap_case("a number of more than 64 bits does not wrap");
}

static void test_length(void)
{
	__u64 number = 0;

	tap_check(!number_parse("123456", 3, &number) && number == 123);
	tap_check(number_parse("1\0002", 3, &number));
	tap_case("the length counts, not a NUL");
}

static void test_mode(void)
{
	unsigned int mode = 1;

	tap_check(!number_parse_mode("640", &mode) && mode == 0640);
	tap_check(!number_parse_mode("0777", &mode) && mode == 0777);
	tap_check(!number_parse_mode("0", &mode) && !mode);
	tap_check(number_parse_mode("", &mode));
	tap_check(number_parse_mode("1000", &mode));
	tap_check(number_parse_mode("8", &mode));
	tap_check(number_parse_mode("77777777777777777", &mode));
	tap_check(number_parse_mode("0x1", &mode));
	tap_check(!mode);
	tap_case("modes are octal and nine bits");
}

int main(void)
{
	const unsigned int planned = 5;

	tap_begin(planned);
	test_good();
	test_bad();
	test_range();
	test_length();
	test_mode();
	return tap_exit(planned);
}
