// SPDX-License-Identifier: GPL-2.0
/* Reading words (words.h). */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "schemes/lab_index.h"
#include "words.h"
#include "workloads.h"

static int set_scheme(const struct lab_word *word, const char *value)
{
	*word->scheme = lab_scheme_find(value);
	return *word->scheme ? 0 : -EINVAL;
}

static int set_number(const struct lab_word *word, const char *value)
{
	u32 number;
	int ret = kstrtou32(value, 0, &number);

	if (ret)
		return ret;
	if (number < word->least || number > word->most)
		return -ERANGE;
	*word->place = number;
	return 0;
}

static int set(const struct lab_word *word, char *value)
{
	int ret;

	if (word->scheme)
		return set_scheme(word, value);
	if (word->mix)
		return lab_mix_read(value, word->mix);
	if (!word->choices)
		return set_number(word, value);
	ret = match_string(word->choices, -1, value);
	if (ret < 0)
		return ret;
	*word->place = ret;
	return 0;
}

/*
 * Read words from a text, which is changed. The place of a word that the text does
 * not contain stays as it was.
 *
 * Returns 0; -EINVAL for another word or value; -ERANGE for a number out of range.
 */
int lab_words_parse(char *text, const struct lab_word *words, unsigned int nr)
{
	char *name, *value;
	unsigned int i;
	int ret = 0;

	while (!ret && (name = strsep(&text, "\n "))) {
		if (!*name)
			continue;
		value = strchr(name, '=');
		if (!value)
			return -EINVAL;
		*value++ = '\0';
		for (i = 0; i < nr && strcmp(name, words[i].name); i++)
			;
		ret = i < nr ? set(&words[i], value) : -EINVAL;
	}
	return ret;
}
