// SPDX-License-Identifier: GPL-2.0
/* Keys that are strings (../key/bytes.h): searching for them, and storing their heads. */
#include "../key/key.h"

#if BLINK_STRINGS
#include "strings.h"

/*
 * Among slots that have the same head as @key, from @pos on, the first one whose key is
 * not less. The strings are compared, as few of them as possible.
 */
unsigned int blink_strings_ties(const struct blink_node *node, unsigned int pos,
				blink_slot_t word, blink_key_t key, bool leaf)
{
	const unsigned int slots = leaf ? BLINK_LEAF_SLOTS : BLINK_INNER_SLOTS;
	unsigned int end = pos, half;

	while (end < slots && blink_slot_load(&node->slot[end]) == word)
		end++;
	while (pos < end) {
		half = pos + (end - pos) / 2;
		if (blink_bound_less(blink_slot_string(node, half, leaf), key))
			pos = half + 1;
		else
			end = half;
	}
	return pos;
}

/* The number of first bytes that two keys have in common. */
static unsigned int common_prefix(blink_key_t a, blink_key_t b)
{
	unsigned int most = min(a.length, b.length), n;

	if (!a.data || !b.data)
		return 0;
	most = min_t(unsigned int, most, BLINK_PREFIX_MAX);
	for (n = 0; n < most && a.data[n] == b.data[n]; n++)
		;
	return n;
}

/* The bytes that all keys of a node have in common, by its bounds. */
static unsigned int prefix_of(const struct blink_node *node)
{
	if (blink_node_leftmost(node))
		return 0;
	return common_prefix(blink_bound_key(node->low),
			     blink_bound_key(blink_node_high(node)));
}

/**
 * blink_heads_valid() - whether a node has the prefix of its bounds, and the heads of its
 *	keys
 * @node: the node
 *
 * The first separator of an inner node is not compared, so it needs no head.
 *
 * Context: in a read section, which tells whether the answer counts.
 * Return: true if it has.
 */
bool blink_heads_valid(const struct blink_node *node)
{
	const unsigned int slots = node->level ? BLINK_INNER_SLOTS :
						 BLINK_LEAF_SLOTS;
	unsigned int count = READ_ONCE(node->count), i;

	if (blink_node_prefix(node) != prefix_of(node) || count > slots)
		return false;
	for (i = node->level ? 1 : 0; i < count; i++)
		if (blink_slot_load(&node->slot[i]) !=
		    blink_node_word(node,
				    blink_slot_key(node, i, !node->level)))
			return false;
	return true;
}

/**
 * blink_node_rebound() - store the prefix of a node and the heads of its slots anew
 * @node: the node, whose bounds have changed, or which got entries of another one
 *
 * Context: in a write section, or no other CPU can reach the node.
 */
void blink_node_rebound(struct blink_node *node)
{
	unsigned int i;

	WRITE_ONCE(node->form, prefix_of(node));
	for (i = 0; i < node->count; i++)
		blink_slot_store(
			&node->slot[i],
			blink_node_word(node,
					blink_slot_key(node, i, !node->level)));
}
#endif
