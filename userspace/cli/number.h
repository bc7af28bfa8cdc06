/* SPDX-License-Identifier: GPL-2.0 */
/* Reading the numbers that people write. */
#ifndef BLINKTREE_CLI_NUMBER_H
#define BLINKTREE_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/**
 * number_parse() - read a number of 64 bits
 * @text: the text; it need not be NUL-terminated
 * @len: length of the text
 * @number: the number; written on success
 *
 * The number is decimal, or hexadecimal after 0x, without a sign or blanks.
 *
 * Return: NULL, or a text that explains the mistake.
 */
const char *number_parse(const char *text, size_t len, __u64 *number);

/* The same for a number of 128 bits. */
const char *number_parse_wide(const char *text, size_t len,
			      __uint128_t *number);

/* The value of a decimal or hexadecimal digit; 16 for another character. */
unsigned int number_digit(char c);

/* Read permission bits: octal digits, 0777 at most. */
const char *number_parse_mode(const char *text, unsigned int *mode);

#endif /* BLINKTREE_CLI_NUMBER_H */
