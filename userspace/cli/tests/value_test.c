// SPDX-License-Identifier: GPL-2.0
/* Values of both kinds as texts. */
#include <stdint.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "../../tests/common/tap.h"
#include "../util.h"
#include "../value.h"

/* A text reads as these bytes, also if a character follows it, and is written so. */
static bool is_value(enum value_kind kind, const char *text, const void *bytes,
		     size_t length, bool hex, const char *written)
{
	char buffer[VALUE_TEXT_MAX], longer[80];
	struct value value;

	snprintf(longer, sizeof(longer), "%s7", text);
	return !value_parse(kind, longer, strlen(text), &value) &&
	       value.string == (kind == VALUE_BYTES) &&
	       value.length == length && !memcmp(value.bytes, bytes, length) &&
	       !strcmp(value_text(buffer, &value, hex), written);
}

#define NUMBER(text, number, hex, written)                              \
	tap_check(is_value(VALUE_U64, text, &(__u64){ number }, 8, hex, \
			   written))
#define STRING(text, bytes, hex, written)                                    \
	tap_check(is_value(VALUE_BYTES, text, bytes, sizeof(bytes) - 1, hex, \
			   written))

static bool refuses(enum value_kind kind, const char *text)
{
	struct value value;

	return value_parse(kind, text, strlen(text), &value);
}

static void test_texts(void)
{
	NUMBER("0x0102", 258, false, "258");
	NUMBER("0", 0, true, "0x0");
	NUMBER("18446744073709551615", UINT64_MAX, true, "0xffffffffffffffff");
	tap_check(refuses(VALUE_U64, "") && refuses(VALUE_U64, "\\&") &&
		  refuses(VALUE_U64, "18446744073709551616"));
	STRING("", "", false, "\\&");
	STRING("\\&", "", true, "\\&");
	STRING("17", "17", true, "17");
	STRING("a b\\x00\\t", "a b\0\t", false, "a\\x20b\\x00\\t");
	STRING("-", "-", false, "-");
	tap_check(refuses(VALUE_BYTES, "\\") && refuses(VALUE_BYTES, "\\q"));
	tap_case("values are numbers, or strings with escapes");
}

/* The kind of a tree's values, and a value that a record does not have. */
static void test_kinds(void)
{
	struct value value = { .length = 8, .number = 7 };

	tap_check(value_kind(0) == VALUE_U64 &&
		  value_kind(BLINK_TREE_CREATE_COMPRESS) == VALUE_U64 &&
		  value_kind(BLINK_TREE_CREATE_BYTE_VALUES) == VALUE_BYTES);
	tap_check(!value_is_none(&value));
	value_set(&value, VALUE_U64, &(__u64){ 4711 }, 8);
	tap_check(!value_is_none(&value) && value.number == 4711);
	value_set(&value, VALUE_U64, "", 0);
	tap_check(value_is_none(&value));
	value_set(&value, VALUE_BYTES, "", 0);
	tap_check(!value_is_none(&value));
	value_clear(&value);
	tap_check(value_is_none(&value));
	tap_case("a string without bytes is a value");
}

/* Strings of all lengths up to the greatest, of any bytes, stay what they are. */
static void test_round_trip(void)
{
	char text[VALUE_TEXT_MAX], longer[VALUE_BYTES_MAX + 2];
	struct value value = { .string = true }, back, copy;
	unsigned int seed = 1;
	size_t i;

	for (value.length = 0; value.length <= VALUE_BYTES_MAX;
	     value.length += value.length < 56 ? 1 : 505) {
		for (i = 0; i < value.length; i++) {
			seed = seed * 1103515245 + 12345;
			value.bytes[i] = seed >> 16;
		}
		value_text(text, &value, false);
		tap_check(!value_parse(VALUE_BYTES, text, strlen(text), &back));
		value_copy(&copy, &back);
		tap_check(copy.string && copy.length == value.length &&
			  !memcmp(copy.bytes, value.bytes, value.length));
	}
	memset(longer, 'a', VALUE_BYTES_MAX + 1);
	longer[VALUE_BYTES_MAX + 1] = '\0';
	tap_check(refuses(VALUE_BYTES, longer));
	longer[VALUE_BYTES_MAX] = '\0';
	tap_check(!refuses(VALUE_BYTES, longer));
	tap_case("a string is the same after it was written and read");
}

int main(void)
{
	const unsigned int planned = 3;

	tap_begin(planned);
	test_texts();
	test_kinds();
	test_round_trip();
	return tap_exit(planned);
}
