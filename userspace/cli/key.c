// SPDX-License-Identifier: GPL-2.0
/* Reading and writing keys as people see them. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include <linux/blink_tree.h>

#include "key.h"

const char *const key_form_words[] = { "hex", "uuid", "ipv6", NULL };

#define UUID_LENGTH 36

size_t key_length(unsigned int kind)
{
	return kind == BLINK_TREE_KEY_U128 ? 16 : 8;
}

__uint128_t key_number(const struct key *key)
{
	__uint128_t number = 0;
	size_t i;

	for (i = 0; i < key->length; i++)
		number = number << 8 | key->bytes[i];
	return number;
}

void key_set(struct key *key, unsigned int kind, const void *bytes,
	     size_t length)
{
	if (length > sizeof(key->bytes))
		length = sizeof(key->bytes);
	key->string = kind == BLINK_TREE_KEY_BYTES;
	key->length = length;
	memcpy(key->bytes, bytes, length);
}

void key_copy(struct key *to, const struct key *from)
{
	to->string = from->string;
	to->length = from->length;
	memcpy(to->bytes, from->bytes, from->length);
}

int key_compare(const struct key *a, const struct key *b)
{
	size_t least = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->bytes, b->bytes, least);

	return order ?: (a->length > b->length) - (a->length < b->length);
}

static void set_number(struct key *key, size_t length, __uint128_t number)
{
	key->string = false;
	key->length = length;
	while (length--) {
		key->bytes[length] = number;
		number >>= 8;
	}
}

/* Whether a UUID has a hyphen before its byte at @i. */
static bool hyphen_before(size_t i)
{
	return i == 4 || i == 6 || i == 8 || i == 10;
}

/*
 * Read hexadecimal digits, with hyphens where a UUID has them. Returns the number of
 * digits, or 0 if the text has other characters.
 */
static size_t parse_digits(const char *text, size_t len, __uint128_t *number)
{
	size_t i, digits = 0;

	*number = 0;
	for (i = 0; i < len && i < UUID_LENGTH; i++) {
		unsigned int digit = number_digit(text[i]);

		if (text[i] == '-' && digits % 2 == 0 &&
		    hyphen_before(digits / 2) && text[i - 1] != '-')
			continue;
		if (digit > 15)
			return 0;
		*number = *number << 4 | digit;
		digits++;
	}
	return i == len ? digits : 0;
}

/*
 * The address in a text that need not be NUL-terminated. inet_pton() would take
 * the part before a zero byte for the whole text.
 */
static bool parse_address(const char *text, size_t len, struct key *key)
{
	char copy[INET6_ADDRSTRLEN];

	if (len >= sizeof(copy) || memchr(text, '\0', len))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	key->string = false;
	key->length = 16;
	return inet_pton(AF_INET6, copy, key->bytes) == 1;
}

static const char *parse_u128(const char *text, size_t len, struct key *key)
{
	const char *why;
	__uint128_t number;

	if (memchr(text, ':', len))
		return parse_address(text, len, key) ? NULL :
						       "not an IPv6 address";
	if (memchr(text, '-', len)) {
		if (len != UUID_LENGTH ||
		    parse_digits(text, len, &number) != 32)
			return "not a UUID";
	} else {
		why = number_parse_wide(text, len, &number);
		if (why)
			return why;
	}
	set_number(key, 16, number);
	return NULL;
}

const char *key_parse(unsigned int kind, const char *text, size_t len,
		      struct key *key)
{
	const char *why;
	__u64 number;

	if (kind == BLINK_TREE_KEY_U128)
		return parse_u128(text, len, key);
	if (kind == BLINK_TREE_KEY_BYTES) {
		key->string = true;
		return escape_read(text, len, key->bytes, sizeof(key->bytes),
				   &key->length);
	}
	why = number_parse(text, len, &number);
	if (!why)
		set_number(key, 8, number);
	return why;
}

/* All keys whose first bits are those of a number. */
static void set_range(struct key *first, struct key *last, size_t length,
		      __uint128_t number, unsigned int bits)
{
	unsigned int rest = 8 * length - bits;
	__uint128_t ones = rest == 128 ? ~(__uint128_t)0 :
					 ((__uint128_t)1 << rest) - 1;

	if (rest < 128)
		number <<= rest;
	else
		number = 0;
	set_number(first, length, number);
	set_number(last, length, number | ones);
}

/* ADDRESS/BITS: the bits of the address behind them must be zero or not matter. */
static const char *parse_network(const char *text, struct key *first,
				 struct key *last)
{
	const char *slash = strchr(text, '/');
	const char *why;
	__u64 bits;

	if (!slash || !parse_address(text, slash - text, first))
		return "not an IPv6 address with /BITS";
	why = number_parse(slash + 1, strlen(slash + 1), &bits);
	if (why)
		return why;
	if (bits > 128)
		return "an IPv6 address has 128 bits";
	set_range(first, last, 16, bits ? key_number(first) >> (128 - bits) : 0,
		  bits);
	return NULL;
}

const char *key_parse_prefix(unsigned int kind, const char *text,
			     struct key *first, struct key *last)
{
	bool marked = text[0] == '0' && (text[1] | 0x20) == 'x';
	size_t digits, length = key_length(kind);
	__uint128_t number;

	if (length == 16 && strchr(text, ':'))
		return parse_network(text, first, last);
	if (marked)
		text += 2;
	digits = parse_digits(text, strlen(text), &number);
	if (!digits)
		return "not a prefix (hexadecimal digits, or IPV6/BITS)";
	if (digits > 2 * length)
		return "the keys of the tree are shorter";
	set_range(first, last, length, number, 4 * digits);
	return NULL;
}

static void write_uuid(char text[KEY_TEXT_MAX], const unsigned char *bytes)
{
	size_t i;

	for (i = 0; i < 16; i++)
		text += sprintf(text, hyphen_before(i) ? "-%02x" : "%02x",
				bytes[i]);
}

static void write_hex(char text[KEY_TEXT_MAX], __uint128_t number)
{
	__u64 high = number >> 64, low = number;

	if (high)
		sprintf(text, "0x%llx%016llx", high, low);
	else
		sprintf(text, "0x%llx", low);
}

const char *key_text(char text[KEY_TEXT_MAX], const struct key *key,
		     enum key_form form, bool hex)
{
	if (key->string)
		escape_write(text, key->bytes, key->length);
	else if (key->length == 8 && !hex)
		sprintf(text, "%llu", (__u64)key_number(key));
	else if (key->length == 8 || form == KEY_FORM_HEX)
		write_hex(text, key_number(key));
	else if (form == KEY_FORM_UUID)
		write_uuid(text, key->bytes);
	else
		inet_ntop(AF_INET6, key->bytes, text, INET6_ADDRSTRLEN);
	return text;
}
