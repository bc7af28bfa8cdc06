// SPDX-License-Identifier: GPL-2.0
/* Sets of strings for tests (strings.h). */
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "strings.h"

static unsigned int make_path(u8 *data, struct rnd_state *rnd)
{
	return scnprintf((char *)data, BLINK_BYTES_MAX,
			 "/usr/share/doc/package-%u/file%u/changelog-%u.gz",
			 fixture_below(rnd, 50), fixture_below(rnd, 20),
			 fixture_below(rnd, 30));
}

static unsigned int make_of(u8 *data, unsigned int length, const u8 *bytes,
			    unsigned int nr, struct rnd_state *rnd)
{
	unsigned int i;

	for (i = 0; i < length; i++)
		data[i] = bytes[fixture_below(rnd, nr)];
	return length;
}

/* Make one string, and return its length. */
static unsigned int make_string(u8 *data, enum strings_kind kind,
				struct rnd_state *rnd)
{
	unsigned int length, i;

	switch (kind) {
	case STRINGS_SHORT:
		return make_of(data, fixture_below(rnd, 12),
			       (const u8 *)"a\0b\xff", 4, rnd);
	case STRINGS_PATHS:
		return make_path(data, rnd);
	case STRINGS_LONG_PREFIX:
		length = 300 + fixture_below(rnd, 20);
		memset(data, 'x', length);
		make_of(data + 290, length - 290, (const u8 *)"abc", 3, rnd);
		return length;
	case STRINGS_ZEROES:
		length = fixture_below(rnd, BLINK_BYTES_MAX + 1);
		memset(data, 0, length);
		return length;
	case STRINGS_LAST_BYTE:
		memset(data, 0xff, BLINK_BYTES_MAX);
		data[BLINK_BYTES_MAX - 2] = fixture_below(rnd, 40);
		data[BLINK_BYTES_MAX - 1] = prandom_u32_state(rnd);
		return BLINK_BYTES_MAX;
	default:
		length = 8 + fixture_below(rnd, 17);
		for (i = 0; i < length; i++)
			data[i] = prandom_u32_state(rnd);
		return length;
	}
}

/* Leave one of equal strings; the memory of the others belongs to the test. */
static void leave_one_of_each(struct strings *set)
{
	unsigned int i, nr = 0;

	for (i = 0; i < set->nr; i++)
		if (!nr || keys_bytes_compare(&set->key[i], &set->key[nr - 1]))
			set->key[nr++] = set->key[i];
	set->nr = nr;
}

/* About @nr strings of a kind; they live as long as the test. */
struct strings *strings_create(struct kunit *test, enum strings_kind kind,
			       unsigned int nr, struct rnd_state *rnd)
{
	struct strings *set = fixture_alloc(test, 1, sizeof(*set));
	u8 *buffer = fixture_alloc(test, 1, BLINK_BYTES_MAX), *data;
	unsigned int length;

	set->key = fixture_alloc(test, 1, nr * sizeof(*set->key));
	for (set->nr = 0; set->nr < nr; set->nr++) {
		length = make_string(buffer, kind, rnd);
		data = fixture_alloc(test, 1, max(length, 1U));
		memcpy(data, buffer, length);
		set->key[set->nr] = blink_bytes_key(data, length);
	}
	sort(set->key, set->nr, sizeof(*set->key), keys_bytes_compare, NULL);
	leave_one_of_each(set);
	return set;
}

/* A tree of the mode of the suite, with strings as its keys. */
struct blink_tree *strings_tree(struct kunit *test)
{
	struct blink_tree_params params = { .key = BLINK_TREE_KEY_BYTES };

	return fixture_tree_with(test, &params);
}
