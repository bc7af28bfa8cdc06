// SPDX-License-Identifier: GPL-2.0
/* Reading numbers. The whole text must be a number that fits into 64 bits. */
#include "number.h"

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

const char *number_parse(const char *text, size_t len, __u64 *number)
{
	unsigned int base = 10;
	__u64 n = 0;
	size_t i = 0;

	if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	}
	if (i == len)
		return "a number is missing";
	for (; i < len; i++) {
		unsigned int digit = digit_value(text[i]);

		if (digit >= base)
			return "not a number (decimal, or hexadecimal after 0x)";
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit, &n))
			return "the number has more than 64 bits";
	}
	*number = n;
	return NULL;
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
