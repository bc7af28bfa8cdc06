/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The forms in which entries are loaded and dumped:
 *
 *   text    one "KEY VALUE" per line; blank lines and # comments are skipped
 *   csv     one "KEY,VALUE" per line; a first line "key,value" is skipped
 *   binary  pairs of 64-bit numbers, least significant byte first
 */
#ifndef BLINKTREE_CLI_FORMAT_H
#define BLINKTREE_CLI_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/blink_tree.h>

enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_BINARY,
	FORMAT_NR,
};

/* Up to a NULL. */
extern const char *const format_names[FORMAT_NR + 1];

/* What a line is. */
enum line {
	LINE_ENTRY,
	LINE_NOTHING,
	LINE_WRONG,
};

/*
 * Read a line, without its newline. @why says what is wrong with one that is
 * LINE_WRONG. A header is allowed where @header says so, and is LINE_NOTHING.
 */
enum line format_parse_text(const char *line, size_t len,
			    struct blink_tree_entry *entry, const char **why);
enum line format_parse_csv(const char *line, size_t len, bool header,
			   struct blink_tree_entry *entry, const char **why);

/* A binary pair. */
#define FORMAT_PAIR_BYTES 16
void format_decode_pair(const unsigned char *bytes,
			struct blink_tree_entry *entry);
void format_encode_pair(const struct blink_tree_entry *entry,
			unsigned char *bytes);

#endif /* BLINKTREE_CLI_FORMAT_H */
