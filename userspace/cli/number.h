/* SPDX-License-Identifier: GPL-2.0 */
/* Keys and values as people write them. */
#ifndef BLINKTREE_CLI_NUMBER_H
#define BLINKTREE_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/**
 * number_parse() - read a number of 64 bits
 * @text: where it begins; it need not be NUL-terminated
 * @len: its length
 * @number: the number; written on success
 *
 * Decimal, or hexadecimal after 0x. No sign, no blanks, no digit too many.
 *
 * Return: NULL, or what is wrong with it.
 */
const char *number_parse(const char *text, size_t len, __u64 *number);

/* Likewise, for permission bits: octal digits, 0777 at most. */
const char *number_parse_mode(const char *text, unsigned int *mode);

#endif /* BLINKTREE_CLI_NUMBER_H */
