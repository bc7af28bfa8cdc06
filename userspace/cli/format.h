/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of load and dump:
 *
 *   text    one "KEY VALUE" per line; blank lines and # comments are skipped; a key
 *           that is a string can have blanks if a tabulator follows it; a value that is
 *           a string can have blanks if a tabulator comes before it
 *   csv     records "KEY,VALUE" of RFC 4180, without escapes; a first record "key,value"
 *           is skipped
 *   binary  not for strings: pairs of 64-bit numbers, least significant byte first; a key
 *           of 128 bits has 16 bytes, the most significant one first
 *
 * @kinds are those of the tree.
 */
#ifndef BLINKTREE_CLI_FORMAT_H
#define BLINKTREE_CLI_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "entry.h"

enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_BINARY,
	FORMAT_NR,
};

/* The names of the formats, up to a NULL. */
extern const char *const format_names[FORMAT_NR + 1];

/* The kind of a line. */
enum line {
	LINE_ENTRY,
	LINE_NOTHING,
	LINE_WRONG,
};

/*
 * Read a line, without its newline. @why explains the mistake in a line that is
 * LINE_WRONG.
 */
enum line format_parse_text(const char *line, size_t len, struct kinds kinds,
			    struct entry *entry, const char **why);

/*
 * Read the two fields of a record of CSV. A string is the bytes of its field; a number is
 * text. NULL, or an explanation of the mistake.
 */
const char *format_take_fields(const unsigned char *key, size_t key_length,
			       const unsigned char *value, size_t value_length,
			       struct kinds kinds, struct entry *entry);

/* Whether two fields are the header that dump writes. */
bool format_is_header(const unsigned char *key, size_t key_length,
		      const unsigned char *value, size_t value_length);

/* The bytes of a key and its value in the binary format; @kind is that of the keys. */
#define FORMAT_PAIR_MAX (16 + 8)
size_t format_pair_bytes(unsigned int kind);
void format_decode_pair(const unsigned char *bytes, unsigned int kind,
			struct entry *entry);
/* Returns the number of bytes. */
size_t format_encode_pair(const struct entry *entry,
			  unsigned char bytes[FORMAT_PAIR_MAX]);

#endif /* BLINKTREE_CLI_FORMAT_H */
