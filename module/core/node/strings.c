// SPDX-License-Identifier: GPL-2.0
/* Nodes with keys that are strings (strings.h): searching them, and storing the heads. */
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

/* The bytes that all keys of a node would have in common with this high key. */
static unsigned int prefix_under(const struct blink_node *node,
				 const struct blink_string *high)
{
	if (blink_node_leftmost(node))
		return 0;
	return common_prefix(blink_bound_key(node->low), blink_bound_key(high));
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

	if (blink_node_prefix(node) !=
		    prefix_under(node, blink_node_high(node)) ||
	    count > slots)
		return false;
	for (i = node->level ? 1 : 0; i < count; i++)
		if (blink_slot_load(&node->slot[i]) !=
		    blink_node_word(node,
				    blink_slot_key(node, i, !node->level)))
			return false;
	return true;
}

/* Add the heads of entries from @from up to @to, behind a prefix. */
static void heads_add(struct blink_heads *heads, const struct blink_node *node,
		      unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = from; i < to; i++)
		heads->word[heads->nr++] = blink_key_word(
			blink_slot_key(node, i, !node->level), heads->prefix);
}

/**
 * blink_heads_prepare() - find the heads that a node will have with another high key
 * @heads: set to them
 * @node: the node
 * @high: the high key
 * @n: number of its entries that will stay
 * @right: a node whose entries will be behind them, or NULL
 * @from: the first of these
 *
 * The strings are read here, and not in the write section, while readers wait for its
 * end. If the prefix stays, so do the heads.
 *
 * Context: the locks of the nodes held, or no other CPU can reach them.
 */
void blink_heads_prepare(struct blink_heads *heads,
			 const struct blink_node *node, blink_bound_t high,
			 unsigned int n, const struct blink_node *right,
			 unsigned int from)
{
	heads->nr = 0;
	heads->prefix = prefix_under(node, high);
	if (heads->prefix == node->form &&
	    (!right || heads->prefix == right->form))
		return;
	heads_add(heads, node, 0, n);
	if (right)
		heads_add(heads, right, from, right->count);
}

/**
 * blink_heads_store() - give a node the prefix and the heads that were prepared
 * @node: the node, which has these entries first
 * @heads: from blink_heads_prepare()
 *
 * Context: in a write section, or no other CPU can reach the node.
 */
void blink_heads_store(struct blink_node *node, const struct blink_heads *heads)
{
	unsigned int i;

	WRITE_ONCE(node->form, heads->prefix);
	for (i = 0; i < heads->nr; i++)
		blink_slot_store(&node->slot[i], heads->word[i]);
}
#endif
