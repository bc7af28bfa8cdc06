/* SPDX-License-Identifier: GPL-2.0 */
/* The words of a narrow leaf (narrow.h): its keys and values as they are stored. */
#ifndef BLINK_CORE_WORDS_H
#define BLINK_CORE_WORDS_H

#include <linux/compiler.h>

#include "layout.h"

#define BLINK_LEAF_AREA (2 * sizeof(u64) * BLINK_LEAF_SLOTS)

/* The bytes of a key and of a value. */
#define BLINK_KEY_BYTES(form) (8U >> ((form) & 3))
#define BLINK_VALUE_BYTES(form) (8U >> ((form) >> 2))

/* The most entries of a leaf. More would make write sections longer. */
#define BLINK_NARROW_SLOTS (4 * BLINK_LEAF_SLOTS)

/* Keys and values of one byte: the form of a leaf without entries. */
#define BLINK_FORM_LEAST 15

#define BLINK_SLOTS_OF(bytes)                             \
	(BLINK_LEAF_AREA / (bytes) < BLINK_NARROW_SLOTS ? \
		 BLINK_LEAF_AREA / (bytes) :              \
		 BLINK_NARROW_SLOTS)

/* The number of slots of a form. */
static __always_inline unsigned int blink_form_slots(unsigned int form)
{
	/* Keys of 8, 4, 2 and 1 bytes with values of 8 bytes, then with 4, ... */
	static const u16 slots[BLINK_FORM_LEAST + 1] = {
		BLINK_SLOTS_OF(16), BLINK_SLOTS_OF(12), BLINK_SLOTS_OF(10),
		BLINK_SLOTS_OF(9),  BLINK_SLOTS_OF(12), BLINK_SLOTS_OF(8),
		BLINK_SLOTS_OF(6),  BLINK_SLOTS_OF(5),	BLINK_SLOTS_OF(10),
		BLINK_SLOTS_OF(6),  BLINK_SLOTS_OF(4),	BLINK_SLOTS_OF(3),
		BLINK_SLOTS_OF(9),  BLINK_SLOTS_OF(5),	BLINK_SLOTS_OF(3),
		BLINK_SLOTS_OF(2),
	};

	return slots[form];
}

static __always_inline u64 blink_word_get(const void *words, unsigned int bytes,
					  unsigned int i)
{
	switch (bytes) {
	case 1:
		return READ_ONCE(((const u8 *)words)[i]);
	case 2:
		return READ_ONCE(((const u16 *)words)[i]);
	case 4:
		return READ_ONCE(((const u32 *)words)[i]);
	default:
		return READ_ONCE(((const u64 *)words)[i]);
	}
}

static __always_inline void blink_word_put(void *words, unsigned int bytes,
					   unsigned int i, u64 word)
{
	switch (bytes) {
	case 1:
		WRITE_ONCE(((u8 *)words)[i], word);
		break;
	case 2:
		WRITE_ONCE(((u16 *)words)[i], word);
		break;
	case 4:
		WRITE_ONCE(((u32 *)words)[i], word);
		break;
	default:
		WRITE_ONCE(((u64 *)words)[i], word);
	}
}

/* Call a function with a number of bytes that is constant. */
#define BLINK_WITH_BYTES(bytes, function, ...)    \
	do {                                      \
		switch (bytes) {                  \
		case 1:                           \
			function(1, __VA_ARGS__); \
			break;                    \
		case 2:                           \
			function(2, __VA_ARGS__); \
			break;                    \
		case 4:                           \
			function(4, __VA_ARGS__); \
			break;                    \
		default:                          \
			function(8, __VA_ARGS__); \
		}                                 \
	} while (0)

/* The values are at the end. */
static inline void *blink_value_words(const struct blink_node *leaf,
				      unsigned int form)
{
	return (char *)leaf->slot + BLINK_LEAF_AREA -
	       blink_form_slots(form) * BLINK_VALUE_BYTES(form);
}

#if BLINK_NARROW
/* The number that is added to each word of a key. */
static inline u64 blink_key_base(const struct blink_node *leaf,
				 unsigned int form)
{
	return form ? leaf->low : 0;
}
#endif

static inline u64 blink_value_base(const struct blink_node *leaf,
				   unsigned int form)
{
	/* data_race: RCU writes there, if the leaf is dead. */
	return form ? data_race(READ_ONCE(leaf->base)) : 0;
}

#endif /* BLINK_CORE_WORDS_H */
