// SPDX-License-Identifier: GPL-2.0
/* Keys of each kind as texts, and prefixes of keys. */
#include <stdint.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "../../tests/common/tap.h"
#include "../key.h"
#include "../util.h"

#define U64 BLINK_TREE_KEY_U64
#define U128 BLINK_TREE_KEY_U128
#define MULTI BLINK_TREE_KEY_MULTI
#define BYTES BLINK_TREE_KEY_BYTES

#define WIDE(high, low) ((__uint128_t)(high) << 64 | (low))

static bool reads(unsigned int kind, const char *text, __uint128_t number)
{
	char longer[80];
	struct key key;

	/* Not NUL-terminated: a digit follows. */
	snprintf(longer, sizeof(longer), "%s7", text);
	return !key_parse(kind, longer, strlen(text), &key) &&
	       key.length == key_length(kind) && key_number(&key) == number;
}

static bool refuses(unsigned int kind, const char *text)
{
	struct key key;

	return key_parse(kind, text, strlen(text), &key);
}

static void test_read(void)
{
	struct key key;

	tap_check(reads(U64, "0x0102", 258) && reads(MULTI, "258", 258));
	tap_check(reads(U64, "18446744073709551615", UINT64_MAX));
	tap_check(refuses(U64, "18446744073709551616"));
	tap_check(refuses(MULTI, "18446744073709551616"));
	tap_check(refuses(U64, "") && refuses(U64, "x") && refuses(U64, "::"));
	tap_check(refuses(MULTI, "550e8400-e29b-41d4-a716-446655440000"));

	tap_check(reads(U128, "18446744073709551616", WIDE(1, 0)));
	tap_check(reads(U128, "340282366920938463463374607431768211455",
			~(__uint128_t)0));
	tap_check(refuses(U128, "340282366920938463463374607431768211456"));
	tap_check(reads(U128, "0xffffffffffffffffffffffffffffffff",
			~(__uint128_t)0));
	tap_check(refuses(U128, "0x100000000000000000000000000000000"));
	tap_check(reads(U128, "550e8400-e29b-41d4-A716-446655440000",
			WIDE(0x550e8400e29b41d4, 0xa716446655440000)));
	tap_check(reads(U128, "2001:db8::1", WIDE(0x20010db800000000, 1)));
	tap_check(reads(U128, "::", 0));
	tap_check(reads(U128, "::ffff:1.2.3.4", 0xffff01020304));
	tap_check(!key_parse(U128, "0x0102", 6, &key));
	tap_check(key.bytes[13] == 0 && key.bytes[14] == 1 &&
		  key.bytes[15] == 2);
	tap_case("keys are numbers, UUIDs and IPv6 addresses");
}

static void test_refused(void)
{
	static const char *const texts[] = {
		"",
		"-",
		"550e8400-e29b-41d4-a716-44665544000",
		"550e8400-e29b-41d4-a716-4466554400000",
		"550e8400e29b-41d4-a716-4466554400000",
		"550e8400-e29b-41d4-a716-44665544000g",
		"550e8400-e29b41d4--a716-446655440000",
		"550e8400e-29b-41d4-a716-446655440000",
		"2001:db8::1/32",
		"2001:db8:::1",
		"2001:db8::1::",
		"1:2:3:4:5:6:7:8:9",
		":",
		"1.2.3.4",
		"2001:0db8:0000:0000:0000:0000:0000:0001:0000:0000:0000:0000",
		"deadbeef",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (!tap_check(refuses(U128, texts[i])))
			printf("# it is '%s'\n", texts[i]);
	tap_case("other texts are refused");
}

static bool begins(unsigned int kind, const char *text, __uint128_t least,
		   __uint128_t greatest)
{
	struct key first, last;

	return !key_parse_prefix(kind, text, &first, &last) &&
	       first.length == key_length(kind) &&
	       last.length == key_length(kind) && key_number(&first) == least &&
	       key_number(&last) == greatest;
}

static bool begins_none(unsigned int kind, const char *text)
{
	struct key first, last;

	return key_parse_prefix(kind, text, &first, &last);
}

static void test_prefix(void)
{
	tap_check(begins(U64, "0xff", 0xff00000000000000, UINT64_MAX));
	tap_check(begins(MULTI, "1", 0x1000000000000000, 0x1fffffffffffffff));
	tap_check(begins(U64, "0x0123456789abcdef", 0x0123456789abcdef,
			 0x0123456789abcdef));
	tap_check(begins_none(U64, "0x0123456789abcdef0"));
	tap_check(begins_none(U64, "") && begins_none(U64, "0x") &&
		  begins_none(U64, "g") && begins_none(U64, "2001::/16"));

	tap_check(begins(U128, "20010db8", WIDE(0x20010db800000000, 0),
			 WIDE(0x20010db8ffffffff, UINT64_MAX)));
	tap_check(begins(U128, "550e8400-e29b-4", WIDE(0x550e8400e29b4000, 0),
			 WIDE(0x550e8400e29b4fff, UINT64_MAX)));
	tap_check(begins(U128, "550e8400-e29b-41d4-a716-446655440000",
			 WIDE(0x550e8400e29b41d4, 0xa716446655440000),
			 WIDE(0x550e8400e29b41d4, 0xa716446655440000)));
	tap_check(begins(U128, "2001:db8::/32", WIDE(0x20010db800000000, 0),
			 WIDE(0x20010db8ffffffff, UINT64_MAX)));
	tap_check(begins(U128, "2001:db8::1/29", WIDE(0x20010db800000000, 0),
			 WIDE(0x20010dbfffffffff, UINT64_MAX)));
	tap_check(begins(U128, "::/0", 0, ~(__uint128_t)0));
	tap_check(begins(U128, "::7/128", 7, 7));
	tap_check(begins_none(U128, "::/129") && begins_none(U128, "::/") &&
		  begins_none(U128, "::") && begins_none(U128, "::/-1"));
	tap_check(begins_none(U128, "000000000000000000000000000000000"));
	tap_case("a prefix is the range of the keys that begin with it");
}

static bool writes(unsigned int kind, const char *text, enum key_form form,
		   bool hex, const char *expected)
{
	char buffer[KEY_TEXT_MAX];
	struct key key;

	return !key_parse(kind, text, strlen(text), &key) &&
	       !strcmp(key_text(buffer, &key, form, hex), expected);
}

static void test_write(void)
{
	const char *address = "2001:db8:0:0:0:0:0:1";

	tap_check(writes(U64, "0xff", KEY_FORM_UUID, false, "255"));
	tap_check(writes(MULTI, "255", KEY_FORM_IPV6, true, "0xff"));
	tap_check(writes(U128, "255", KEY_FORM_HEX, false, "0xff"));
	tap_check(writes(U128, address, KEY_FORM_HEX, true,
			 "0x20010db8000000000000000000000001"));
	tap_check(writes(U128, address, KEY_FORM_IPV6, false, "2001:db8::1"));
	tap_check(writes(U128, address, KEY_FORM_UUID, true,
			 "20010db8-0000-0000-0000-000000000001"));
	tap_check(writes(U128, "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255",
			 KEY_FORM_IPV6, true,
			 "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
	tap_case("keys are written in the form that was chosen");
}

/* A text, the string that it stands for, and how the string is written. */
static bool is_string(const char *text, const char *bytes, size_t length,
		      const char *written)
{
	char buffer[KEY_TEXT_MAX];
	struct key key;

	return !key_parse(BYTES, text, strlen(text), &key) && key.string &&
	       key.length == length && !memcmp(key.bytes, bytes, length) &&
	       !strcmp(key_text(buffer, &key, KEY_FORM_HEX, true), written);
}

#define STRING(text, bytes, written) \
	tap_check(is_string(text, bytes, sizeof(bytes) - 1, written))

static void test_strings(void)
{
	STRING("", "", "\\&");
	STRING("\\&", "", "\\&");
	STRING("a\\&b", "ab", "ab");
	STRING("/usr/bin", "/usr/bin", "/usr/bin");
	STRING("18446744073709551616", "18446744073709551616",
	       "18446744073709551616");
	STRING("\\\\x", "\\x", "\\\\x");
	STRING("\\x00\\xFf\\x7f", "\0\377\177", "\\x00\\xff\\x7f");
	STRING("\\t\\n\\r", "\t\n\r", "\\t\\n\\r");
	STRING("a b,\"c", "a b,\"c", "a\\x20b\\x2c\\x22c");
	STRING("#a#", "#a#", "\\x23a#");
	STRING("\033[2J", "\033[2J", "\\x1b[2J");
	tap_check(refuses(BYTES, "\\") && refuses(BYTES, "a\\") &&
		  refuses(BYTES, "\\q") && refuses(BYTES, "\\x1") &&
		  refuses(BYTES, "\\xg0") && refuses(BYTES, "\\0"));
	tap_case("strings are read and written with escapes");
}

static void test_characters(void)
{
	/* The least and the greatest characters of each length. */
	STRING("\302\241\337\277", "\302\241\337\277", "\302\241\337\277");
	STRING("\340\240\200\355\237\277\356\200\200",
	       "\340\240\200\355\237\277\356\200\200",
	       "\340\240\200\355\237\277\356\200\200");
	STRING("\360\220\200\200\364\217\277\277",
	       "\360\220\200\200\364\217\277\277",
	       "\360\220\200\200\364\217\277\277");
	/* Control characters of ISO 6429, and what is no character. */
	STRING("\302\233", "\302\233", "\\xc2\\x9b");
	STRING("\300\200", "\300\200", "\\xc0\\x80");
	STRING("\355\240\200", "\355\240\200", "\\xed\\xa0\\x80");
	STRING("\364\220\200\200", "\364\220\200\200", "\\xf4\\x90\\x80\\x80");
	STRING("\303", "\303", "\\xc3");
	STRING("\342\202", "\342\202", "\\xe2\\x82");
	STRING("\200", "\200", "\\x80");
	tap_case("only characters of UTF-8 stand for themselves");
}

/* Strings of all lengths up to the greatest, of any bytes, stay what they are. */
static void test_round_trip(void)
{
	char text[KEY_TEXT_MAX], longer[KEY_BYTES_MAX + 2];
	struct key key = { .string = true }, back;
	unsigned int seed = 1;
	size_t i;

	for (key.length = 0; key.length <= KEY_BYTES_MAX; key.length++) {
		for (i = 0; i < key.length; i++) {
			seed = seed * 1103515245 + 12345;
			key.bytes[i] = seed >> 16;
		}
		key_text(text, &key, KEY_FORM_HEX, false);
		tap_check(!key_parse(BYTES, text, strlen(text), &back) &&
			  !key_compare(&key, &back));
	}
	memset(longer, 'a', KEY_BYTES_MAX + 1);
	longer[KEY_BYTES_MAX + 1] = '\0';
	tap_check(refuses(BYTES, longer));
	longer[KEY_BYTES_MAX] = '\0';
	tap_check(!refuses(BYTES, longer));
	tap_case("a string is the same after it was written and read");
}

/* The text of a character between two letters, and whether it has an escape. */
static bool is_escaped(unsigned int code)
{
	char text[40];
	unsigned char bytes[6] = "a";
	size_t length = 1;

	if (code < 0x80) {
		bytes[length++] = code;
	} else if (code < 0x800) {
		bytes[length++] = 0xc0 | code >> 6;
		bytes[length++] = 0x80 | (code & 0x3f);
	} else if (code < 0x10000) {
		bytes[length++] = 0xe0 | code >> 12;
		bytes[length++] = 0x80 | (code >> 6 & 0x3f);
		bytes[length++] = 0x80 | (code & 0x3f);
	} else {
		bytes[length++] = 0xf0 | code >> 18;
		bytes[length++] = 0x80 | (code >> 12 & 0x3f);
		bytes[length++] = 0x80 | (code >> 6 & 0x3f);
		bytes[length++] = 0x80 | (code & 0x3f);
	}
	bytes[length++] = 'z';
	escape_write(text, bytes, length);
	/* All bytes of the character, or none. */
	tap_check(strlen(text) == length || strlen(text) == 4 * length - 6 ||
		  code < 0x20);
	tap_check(escape_is_utf8(bytes, length) == !strchr(text, '\\'));
	return strchr(text, '\\');
}

static void test_hidden(void)
{
	static const unsigned int hide[] = {
		0x00,	0x07,	 0x1b,	  0x7f,	   0x80,    0x85,   0x9b,
		0x9f,	0xa0,	 0xad,	  0x034f,  0x061c,  0x115f, 0x1160,
		0x180e, 0x2003,	 0x200b,  0x200c,  0x200d,  0x200e, 0x200f,
		0x2028, 0x2029,	 0x202a,  0x202b,  0x202c,  0x202d, 0x202e,
		0x202f, 0x2060,	 0x2064,  0x2066,  0x2067,  0x2068, 0x2069,
		0x206f, 0x3000,	 0x3164,  0xfe0f,  0xfeff,  0xfff9, 0xfffb,
		0xffa0, 0xe0001, 0xe0041, 0xe007f, 0xe01ef,
	};
	static const unsigned int show[] = {
		'!',	'~',	0xa1,	0xac,	0xae,	 0xf6,
		0x0301, 0x05d0, 0x061b, 0x0628, 0x0905,	 0x1161,
		0x2010, 0x2027, 0x2030, 0x205e, 0x20ac,	 0x65e5,
		0xac00, 0xfe10, 0xfefe, 0xfffd, 0x1f600, 0x20000,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hide); i++)
		if (!tap_check(is_escaped(hide[i])))
			printf("# U+%04x\n", hide[i]);
	for (i = 0; i < ARRAY_SIZE(show); i++)
		if (!tap_check(!is_escaped(show[i])))
			printf("# U+%04x\n", show[i]);
	/* The end of a character that begins elsewhere, and one that is cut off. */
	STRING("\\xe2\\x80", "\342\200", "\\xe2\\x80");
	STRING("\\xae", "\256", "\\xae");
	tap_case("characters that a terminal obeys or hides have escapes");
}

int main(void)
{
	const unsigned int planned = 8;

	tap_begin(planned);
	test_read();
	test_refused();
	test_prefix();
	test_write();
	test_strings();
	test_characters();
	test_hidden();
	test_round_trip();
	return tap_exit(planned);
}
