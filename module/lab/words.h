/* SPDX-License-Identifier: GPL-2.0 */
/* Words "name=value", with blanks between them, in both worlds. */
#ifndef BLINK_LAB_WORDS_H
#define BLINK_LAB_WORDS_H

#include <linux/types.h>

struct lab_mix;
struct lab_scheme;

/**
 * struct lab_word - a name and the values that it may have
 * @name: the name
 * @place: where the value goes
 * @choices: its words, or NULL for a number
 * @least: of a number
 * @most: of a number
 * @scheme: where a scheme goes whose name it is, or NULL
 * @mix: where a mix goes, by its name or written out (mixes.c), or NULL
 */
struct lab_word {
	const char *name;
	u32 *place;
	const char *const *choices;
	u32 least;
	u32 most;
	const struct lab_scheme **scheme;
	struct lab_mix *mix;
};

int lab_words_parse(char *text, const struct lab_word *words, unsigned int nr);

#endif /* BLINK_LAB_WORDS_H */
