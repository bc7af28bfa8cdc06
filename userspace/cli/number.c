// SPDX-License-Identifier: GPL-2.0
/* Reading numbers. The whole text must be a number that fits into its type. */
#include <stdint.h>

#include "number.h"

unsigned int number_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

/* Read a number up to @max. If it is greater, @too_big explains this. */
static const char *parse(const char *text, size_t len, __uint128_t max,
			 const char *too_big, __uint128_t *number)
{
	unsigned int base = 10;
	__uint128_t n = 0;
	size_t i = 0;

	if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	}
	if (i == len)
		return "a number is missing";
	for (; i < len; i++) {
		unsigned int digit = number_digit(text[i]);

		if (digit >= base)
			return "not a number (decimal, or hexadecimal after 0x)";
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit, &n) || n > max)
			return too_big;
	}
	*number = n;
	return NULL;
}

const char *number_parse(const char *text, size_t len, __u64 *number)
{
	__uint128_t wide;
	const char *why = parse(text, len, UINT64_MAX,
				"the number has more than 64 bits", &wide);

	if (!why)
		*number = wide;
	return why;
}

const char *number_parse_wide(const char *text, size_t len, __uint128_t *number)
{
	return parse(text, len, ~(__uint128_t)0,
		     "the number has more than 128 bits", number);
}

const char *number_parse_mode(const char *text, unsigned int *mode)
{
	unsigned int n = 0;
	const char *c;

	for (c = text; *c >= '0' && *c <= '7' && n <= 0777; c++)
		n = n * 8 + (*c - '0');
	if (c == text || *c || n > 0777)
		return "not a mode (octal, 0777 at most)";
	*mode = n;
	return NULL;
}
