// SPDX-License-Identifier: GPL-2.0
/* Reading narrow leaves (narrow.h). */
#include <linux/kernel.h>

#include "narrow.h"

/**
 * blink_narrow_key() - the key at a position
 * @leaf: the leaf
 * @form: its form
 * @i: the position, less than the number of slots
 *
 * Context: any; in a read section the result is valid if the section is.
 * Return: the key.
 */
u64 blink_narrow_key(const struct blink_node *leaf, unsigned int form,
		     unsigned int i)
{
	return blink_key_base(leaf, form) +
	       blink_word_get(leaf->slot, BLINK_KEY_BYTES(form), i);
}

/**
 * blink_narrow_value() - the value at a position
 * @leaf: the leaf
 * @form: its form
 * @i: the position, less than the number of slots
 *
 * Context: as blink_narrow_key().
 * Return: the value.
 */
u64 blink_narrow_value(const struct blink_node *leaf, unsigned int form,
		       unsigned int i)
{
	return blink_value_base(leaf, form) +
	       blink_word_get(blink_value_words(leaf, form),
			      BLINK_VALUE_BYTES(form), i);
}

static __always_inline void words_search(unsigned int bytes, const void *words,
					 unsigned int n, u64 word,
					 unsigned int *less)
{
	unsigned int at = 0, half;

	while (n > 1) {
		half = n / 2;
		/* A mask: compilers make a branch of conditional expressions. */
		at += half &
		      -(unsigned int)(blink_word_get(words, bytes,
						     at + half - 1) < word);
		n -= half;
	}
	*less = at + (n && blink_word_get(words, bytes, at) < word);
}

/**
 * blink_narrow_search() - how many keys of a leaf are less than a key
 * @leaf: the leaf
 * @form: its form, not 0
 * @key: the key
 *
 * Context: as blink_narrow_key().
 * Return: their number, not more than the slots of a leaf of this form.
 */
unsigned int blink_narrow_search(const struct blink_node *leaf,
				 unsigned int form, u64 key)
{
	u64 word = key > leaf->low ? key - leaf->low : 0;
	unsigned int n = blink_leaf_count(leaf, form), less;

	BLINK_WITH_BYTES(BLINK_KEY_BYTES(form), words_search, leaf->slot, n,
			 word, &less);
	return less;
}
