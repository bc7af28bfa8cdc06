/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: signposts
 *
 * The slots of a node are divided into eight *groups*: of a leaf, each is a
 * cache line of keys, of an inner node two. The *signpost* of a group is the
 * distance of its first key from the low key of the node, without the lowest
 * bits: @shift removes as many as leave 14 bits of the distance of the last key.
 * The signposts of all groups but the first are in the header. So a search knows its group
 * from the header alone, and reads the keys of this group only.
 *
 * It takes the last group whose signpost is not greater than that of its key.
 * If all keys of the group are less than the key, the search ends behind them:
 * the next signpost is greater, and so is the next key. If none is less, it
 * ends at the first key of the group, unless this key has the same signpost as
 * the key that is searched for, but is greater. Then the right place may be in
 * an earlier group. A look at the last key before the group tells. (Keys ascend
 * strictly, except that a leftmost inner node can have 0 in its first two slots.)
 */
#ifndef BLINK_CORE_SIGNS_H
#define BLINK_CORE_SIGNS_H

#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/math.h>
#include <linux/minmax.h>

#include "layout.h"

#define BLINK_SIGN_BITS 14
/* The most that a search takes its key for: more than any key of the node. */
#define BLINK_SIGN_BEYOND BIT_ULL(BLINK_SIGN_BITS)
/* Of a group without keys: no search takes it. */
#define BLINK_SIGN_NONE 0x7fffULL
/* One in the place of each signpost of a word, and the top bit of each. */
#define BLINK_SIGN_EACH 0x0001000100010001ULL
#define BLINK_SIGN_TOP 0x8000800080008000ULL

static __always_inline unsigned int blink_slots(bool leaf)
{
	return leaf ? BLINK_LEAF_SLOTS : BLINK_INNER_SLOTS;
}

static __always_inline unsigned int blink_group_slots(bool leaf)
{
	return DIV_ROUND_UP(blink_slots(leaf), BLINK_SIGNS + 1);
}

/* The signposts of groups without keys, from a place of a word on. */
#define BLINK_SIGNS_NONE(place) \
	(BLINK_SIGN_NONE * BLINK_SIGN_EACH << 16 * (place))

/* These of both words, if so many groups have keys. */
static const u64 blink_signs_none[][2] = {
	{ BLINK_SIGNS_NONE(0), BLINK_SIGNS_NONE(0) },
	{ BLINK_SIGNS_NONE(0), BLINK_SIGNS_NONE(0) },
	{ BLINK_SIGNS_NONE(1), BLINK_SIGNS_NONE(0) },
	{ BLINK_SIGNS_NONE(2), BLINK_SIGNS_NONE(0) },
	{ BLINK_SIGNS_NONE(3), BLINK_SIGNS_NONE(0) },
	{ 0, BLINK_SIGNS_NONE(0) },
	{ 0, BLINK_SIGNS_NONE(1) },
	{ 0, BLINK_SIGNS_NONE(2) },
	{ 0, BLINK_SIGNS_NONE(3) },
};

/**
 * blink_signs_of() - the signposts of a node
 * @key: its slots, also those that are not in use
 * @count: their number
 * @low: not greater than any of them (blink_node_base())
 * @leaf: whether it is a leaf; constant
 *
 * Context: any.
 * Return: the signposts.
 */
static __always_inline struct blink_signs
blink_signs_of(const blink_slot_t *key, unsigned int count, blink_slot_t low,
	       bool leaf)
{
	const unsigned int slots = blink_group_slots(leaf);
	unsigned int bits = count ? blink_key_width(key[count - 1] - low) : 0;
	unsigned int used = DIV_ROUND_UP(count, slots), i, first;
	struct blink_signs signs = {};
	u64 sign;

	if (bits > BLINK_SIGN_BITS)
		signs.shift = bits - BLINK_SIGN_BITS;
	/* Branches that depend on the count would be mispredicted. */
	signs.word[0] = blink_signs_none[used][0];
	signs.word[1] = blink_signs_none[used][1];
#pragma GCC unroll 8
	for (i = 0; i < BLINK_SIGNS; i++) {
		first = (i + 1) * slots;
		if (first >= blink_slots(leaf))
			break;
		sign = (key[first] - low) >> signs.shift;
		signs.word[i / 4] |= (sign & BLINK_SIGN_NONE) << i % 4 * 16;
	}
	return signs;
}

/*
 * One in the place of each signpost of a word that is not greater than a given
 * one. @signs has the given one in each place, and the top bits.
 */
static __always_inline u64 blink_signs_until(u64 word, u64 signs)
{
	return (signs - word) >> 15 & BLINK_SIGN_EACH;
}

/**
 * blink_group_of() - the first slot of the group in which to search for a key
 * @node: the node
 * @key: the key, greater than the node's low key
 * @leaf: whether it is a leaf; constant
 *
 * After the death of the node, RCU uses the memory of the signposts. A search that
 * reads them then finds the node dead in the same read section.
 *
 * Context: any.
 * Return: the slot. The node has the blink_group_slots() slots from it on,
 * whatever its content is.
 */
static __always_inline unsigned int
blink_group_of(const struct blink_node *node, blink_key_t key, bool leaf)
{
	const unsigned int slots = blink_group_slots(leaf);
	blink_slot_t sign =
		(blink_node_word(node, key) - blink_node_base(node)) >>
		(READ_ONCE(node->shift) & (BLINK_KEY_BITS - 1));
	u64 each = BLINK_SIGN_EACH, signs, until;
	unsigned int group;

	/* One multiplication takes less than the shifts that it consists of. */
	OPTIMIZER_HIDE_VAR(each);
	signs = min_t(blink_slot_t, sign, BLINK_SIGN_BEYOND);
	signs = signs * each | BLINK_SIGN_TOP;
	/* data_race: RCU writes there, if the node is dead. */
	until = blink_signs_until(data_race(READ_ONCE(node->sign[0])), signs);
	/* data_race: as above */
	until += blink_signs_until(data_race(READ_ONCE(node->sign[1])), signs);
	group = until * each >> 48;
	/* The last group may have fewer slots: it overlaps the one before. */
	return min(group * slots, blink_slots(leaf) - slots);
}

#endif /* BLINK_CORE_SIGNS_H */
