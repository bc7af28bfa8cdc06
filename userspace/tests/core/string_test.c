// SPDX-License-Identifier: GPL-2.0
/*
 * How many strings one operation compares, at most, with keys that are hard to tell
 * apart. Where heads are equal a search halves the range (Documentation/design/kinds.rst),
 * so the bound grows with the logarithm of a node's size.
 */
#include <linux/bitops.h>
#include <linux/blink_tree_bytes.h>
#include <stdlib.h>
#include <string.h>

#include "core/key/key.h"
#include "test.h"

#ifdef SHIM_COMPARES
/**
 * struct set - keys
 * @name: a description of them
 * @nr: how many there are
 * @put: write one of them, and return its length; they ascend
 * @ties: strings that a node has with the head of a key, at most; 0: all
 */
struct set {
	const char *name;
	unsigned int nr;
	unsigned int (*put)(u8 *to, unsigned int i);
	unsigned int ties;
};

static unsigned int put_number(u8 *to, unsigned int i)
{
	to[0] = i >> 8;
	to[1] = i;
	return 2;
}

static unsigned int put_last_bytes(u8 *to, unsigned int i)
{
	memset(to, 'x', BLINK_BYTES_MAX);
	put_number(to + BLINK_BYTES_MAX - 2, i);
	return BLINK_BYTES_MAX;
}

/* Each begins all behind it. */
static unsigned int put_zeroes(u8 *to, unsigned int i)
{
	memset(to, 0, i);
	return i;
}

/* Lengths 0, 1, 255 and 1,024, with NULs among the bytes. */
static unsigned int put_lengths(u8 *to, unsigned int i)
{
	static const unsigned int lengths[] = { 2, 3, 255, BLINK_BYTES_MAX };

	memset(to, 0, BLINK_BYTES_MAX);
	if (i < 2)
		return i;
	put_number(to, i / 4);
	return lengths[i % 4];
}

/* All heads differ, with any prefix. */
static unsigned int put_apart(u8 *to, unsigned int i)
{
	return put_number(to, i);
}

static const struct set sets[] = {
	{ "1,024 bytes that differ in the last two", 10000, put_last_bytes },
	{ "each begins the next", BLINK_BYTES_MAX + 1, put_zeroes },
	{ "0, 1, 2, 3, 255 and 1,024 bytes", 10000, put_lengths },
	{ "heads that differ", 10000, put_apart, 1 },
};

static struct blink_tree *tree;
static u8 bytes[BLINK_BYTES_MAX];
static u64 compares_before;

static struct blink_bytes_key key_of(const struct set *set, unsigned int i)
{
	return blink_bytes_key(bytes, set->put(bytes, i));
}

static void begin(void)
{
	compares_before = shim_self->compares;
}

/*
 * The strings that a search compares: in each node those with the same head, one that is
 * equal, and the high key; and once more in the leaf.
 */
static u64 most_compares(const struct set *set)
{
	const unsigned int slots = max(BLINK_LEAF_SLOTS, BLINK_INNER_SLOTS);

	return blink_tree_height(tree) * (fls64(set->ties ?: slots) + 2) + 1;
}

/* A call made @searches at most. */
static void end(const struct set *set, const char *what, unsigned int searches,
		u64 *most)
{
	u64 compares = shim_self->compares - compares_before;
	u64 bound = searches * most_compares(set);

	*most = max(*most, compares);
	if (compares > bound)
		test_fail(__FILE__, __LINE__, "%s, %s: %llu strings, not %llu",
			  set->name, what, compares, bound);
}

static void add_each(const struct set *set, u64 *most)
{
	unsigned int n, i;

	for (n = 0; n < set->nr; n++) {
		/* A prime that divides no number of keys. */
		i = n * 7919ULL % set->nr;
		begin();
		EXPECT_EQ(blink_tree_bytes_insert(tree, key_of(set, i), i, NULL,
						  GFP_KERNEL),
			  0);
		/* Each level that splits is searched for again, from above. */
		if (test_params.replication == BLINK_TREE_REPLICATE_NONE)
			end(set, "insert", blink_tree_height(tree) + 1, most);
	}
	/* All indexes are told. */
	expect_sound(tree);
}

static void find_each(const struct set *set, u64 *most)
{
	u8 found[BLINK_BYTES_MAX];
	struct blink_tree_bytes_entry entry = { .key = found };
	unsigned int i;
	u64 value;

	for (i = 0; i < set->nr; i++) {
		begin();
		EXPECT_EQ(blink_tree_bytes_lookup(tree, key_of(set, i), &value),
			  0);
		end(set, "lookup", 1, most);
		EXPECT_EQ(value, i);
		begin();
		EXPECT_EQ(blink_tree_bytes_floor(tree, key_of(set, i), &entry),
			  0);
		end(set, "floor", 1, most);
		EXPECT_EQ(entry.value, i);
	}
}

static void erase_each(const struct set *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		EXPECT_EQ(blink_tree_bytes_erase(tree, key_of(set, i), NULL),
			  0);
}

static void compares(void)
{
	const struct set *set;
	u64 added, found;

	for (set = sets; set < sets + ARRAY_SIZE(sets); set++) {
		added = 0;
		found = 0;
		tree = tree_create();
		add_each(set, &added);
		find_each(set, &found);
		printf("# %s: %llu, %llu to add, of %llu\n", set->name, found,
		       added, most_compares(set));
		erase_each(set);
		EXPECT_EQ(blink_tree_count(tree), 0);
		blink_tree_destroy(tree);
	}
}
#endif

const struct test string_tests[] = {
#ifdef SHIM_COMPARES
	{ "string: compares of one operation", compares },
#endif
	{}
};
