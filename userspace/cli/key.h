/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keys of all kinds, and their texts. A *key* has the form of a record: its most
 * significant byte comes first. A key of 8 bytes is a decimal number, or a hexadecimal
 * one after 0x. A key of 16 bytes can also be a UUID or an IPv6 address. A string is
 * written with escapes (escape.h).
 */
#ifndef BLINKTREE_CLI_KEY_H
#define BLINKTREE_CLI_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "escape.h"
#include "number.h"

#define KEY_BYTES_MAX 1024

/* A number without bytes is no key. */
struct key {
	size_t length;
	unsigned char bytes[KEY_BYTES_MAX];
	bool string;
};

/* The forms in which keys of 16 bytes are printed, in the order of their words. */
enum key_form {
	KEY_FORM_HEX,
	KEY_FORM_UUID,
	KEY_FORM_IPV6,
};

extern const char *const key_form_words[];

/* Bytes of a number in a tree of a kind, enum blink_tree_key. */
size_t key_length(unsigned int kind);

static inline bool key_is_none(const struct key *key)
{
	return !key->length && !key->string;
}

static inline void key_clear(struct key *key)
{
	key->length = 0;
	key->string = false;
}

/* Set a key to that of a record of a tree of a kind. */
void key_set(struct key *key, unsigned int kind, const void *bytes,
	     size_t length);

/* Copy a key, without the room behind its bytes. */
void key_copy(struct key *to, const struct key *from);

/* The order of the keys of a tree, as of memcmp(). */
int key_compare(const struct key *a, const struct key *b);

/* A number as a number; of a longer key, the last 16 bytes. */
__uint128_t key_number(const struct key *key);

/**
 * key_parse() - read a key
 * @kind: kind of the tree
 * @text: the text; it need not be NUL-terminated
 * @len: length of the text
 * @key: the key; written on success
 *
 * Return: NULL, or a text that explains the mistake.
 */
const char *key_parse(unsigned int kind, const char *text, size_t len,
		      struct key *key);

/**
 * key_parse_prefix() - read the beginning of keys that are numbers
 * @kind: kind of the tree
 * @text: the text, NUL-terminated: hexadecimal digits, or the beginning of a UUID, or
 *	an IPv6 address with the number of its bits
 * @first: the least key that begins so; written on success
 * @last: the greatest one; written on success
 *
 * Return: NULL, or a text that explains the mistake.
 */
const char *key_parse_prefix(unsigned int kind, const char *text,
			     struct key *first, struct key *last);

/* Room for the text of a key, with its NUL. */
#define KEY_TEXT_MAX ESCAPED_MAX(KEY_BYTES_MAX)

/**
 * key_text() - write a key as text
 * @text: the text
 * @key: the key
 * @form: form of a key with 16 bytes
 * @hex: write a shorter key in hexadecimal
 *
 * Return: @text.
 */
const char *key_text(char text[KEY_TEXT_MAX], const struct key *key,
		     enum key_form form, bool hex);

#endif /* BLINKTREE_CLI_KEY_H */
