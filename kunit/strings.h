/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of strings for tests of trees with keys of bytes: sorted, without equal ones,
 * and made so that they are hard to tell apart.
 */
#ifndef BLINK_KUNIT_STRINGS_H
#define BLINK_KUNIT_STRINGS_H

#include "fixture.h"
#include "keys_bytes.h"

/**
 * enum strings_kind - the lengths and bytes of the strings of a set
 * @STRINGS_SHORT: 0 to 11 bytes out of four, one of which is NUL
 * @STRINGS_PATHS: names of files
 * @STRINGS_LONG_PREFIX: 290 equal bytes, and a few behind
 * @STRINGS_ZEROES: 0 to 1,024 times NUL, so each begins all longer ones
 * @STRINGS_LAST_BYTE: 1,024 bytes that differ in the last two
 * @STRINGS_RANDOM: 8 to 24 random bytes
 * @STRINGS_KINDS: number of kinds
 */
enum strings_kind {
	STRINGS_SHORT,
	STRINGS_PATHS,
	STRINGS_LONG_PREFIX,
	STRINGS_ZEROES,
	STRINGS_LAST_BYTE,
	STRINGS_RANDOM,
	STRINGS_KINDS,
};

struct strings *strings_create(struct kunit *test, enum strings_kind kind,
			       unsigned int nr, struct rnd_state *rnd);
struct blink_tree *strings_tree(struct kunit *test);

#endif /* BLINK_KUNIT_STRINGS_H */
