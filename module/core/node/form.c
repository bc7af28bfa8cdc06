// SPDX-License-Identifier: GPL-2.0
/* Choosing the form of a narrow leaf (narrow.h), and whether entries fit into it. */
#include <linux/kernel.h>
#include <linux/limits.h>

#include "form.h"

static u64 key_at(const struct blink_node *leaf, unsigned int i)
{
	return blink_narrow_key(leaf, leaf->form, i);
}

static u64 value_at(const struct blink_node *leaf, unsigned int i)
{
	return blink_narrow_value(leaf, leaf->form, i);
}

/**
 * blink_extent_add() - add an entry
 * @extent: the extent
 * @key: its key
 * @value: its value
 *
 * Context: any.
 */
void blink_extent_add(struct blink_extent *extent, u64 key, u64 value)
{
	if (!extent->count) {
		extent->key = key;
		extent->least = value;
		extent->most = value;
	}
	extent->key = max(extent->key, key);
	extent->least = min(extent->least, value);
	extent->most = max(extent->most, value);
	extent->count++;
}

/**
 * blink_extent_add_leaf() - add entries of a leaf
 * @extent: the extent
 * @leaf: the leaf
 * @from: position of the first one
 * @to: position behind the last one
 *
 * Context: @leaf's lock held, or no other CPU can reach it.
 */
void blink_extent_add_leaf(struct blink_extent *extent,
			   const struct blink_node *leaf, unsigned int from,
			   unsigned int to)
{
	for (; from < to; from++)
		blink_extent_add(extent, key_at(leaf, from),
				 value_at(leaf, from));
}

/* How often 8 bytes are halved until a word just fits. */
static unsigned int halvings(u64 word)
{
	return word > U32_MAX ? 0 : word > U16_MAX ? 1 : word > U8_MAX ? 2 : 3;
}

/**
 * blink_extent_form() - the narrowest form for the entries
 * @extent: the extent
 *
 * Context: any.
 * Return: the form.
 */
unsigned int blink_extent_form(const struct blink_extent *extent)
{
	if (!extent->count)
		return BLINK_FORM_LEAST;
	return halvings(extent->key - extent->low) |
	       halvings(extent->most - extent->least) << 2;
}

/**
 * blink_extent_base() - a base for the values
 * @extent: the extent
 * @form: its form
 *
 * The base is less than the least value, if the form has room for that. Otherwise
 * values that fall one after the other would each need another base.
 *
 * Context: any.
 * Return: the base.
 */
u64 blink_extent_base(const struct blink_extent *extent, unsigned int form)
{
	u64 most = U64_MAX >> (64 - 8 * BLINK_VALUE_BYTES(form)), room;

	if (!extent->count)
		return 0;
	room = (most - (extent->most - extent->least)) / 2;
	return extent->least - min(extent->least, room);
}

/**
 * blink_extent_with() - the extent of a leaf with another value at a position
 * @leaf: the leaf
 * @i: the position
 * @value: the value
 *
 * Context: @leaf's lock held.
 * Return: the extent.
 */
struct blink_extent blink_extent_with(const struct blink_node *leaf,
				      unsigned int i, u64 value)
{
	struct blink_extent extent = { .low = leaf->low };

	blink_extent_add_leaf(&extent, leaf, 0, i);
	blink_extent_add(&extent, key_at(leaf, i), value);
	blink_extent_add_leaf(&extent, leaf, i + 1, leaf->count);
	return extent;
}

static bool extent_fits(const struct blink_extent *extent)
{
	return extent->count <= blink_form_slots(blink_extent_form(extent));
}

/**
 * blink_narrow_fits() - whether a value can be stored in the present form
 * @leaf: the leaf
 * @value: the value
 *
 * Context: @leaf's lock held.
 * Return: true if it can; otherwise the leaf needs another form.
 */
bool blink_narrow_fits(const struct blink_node *leaf, u64 value)
{
	unsigned int halved = leaf->form >> 2;

	return !leaf->form ||
	       (value >= leaf->base && halvings(value - leaf->base) >= halved);
}

/**
 * blink_narrow_fits_entry() - whether an entry can be stored in the present form
 * @leaf: the leaf
 * @key: its key
 * @value: its value
 *
 * Context: @leaf's lock held.
 * Return: true if it can.
 */
bool blink_narrow_fits_entry(const struct blink_node *leaf, u64 key, u64 value)
{
	return blink_narrow_fits(leaf, value) &&
	       (!leaf->form || halvings(key - leaf->low) >= (leaf->form & 3U));
}

/**
 * blink_narrow_room() - whether a leaf has room for an entry, perhaps in another
 *	form
 * @leaf: the leaf
 * @key: the key, which the leaf does not have
 * @value: its value
 *
 * Context: @leaf's lock held.
 * Return: true if it has.
 */
bool blink_narrow_room(const struct blink_node *leaf, u64 key, u64 value)
{
	struct blink_extent extent = { .low = leaf->low };

	if (blink_narrow_fits_entry(leaf, key, value) &&
	    leaf->count < blink_form_slots(leaf->form))
		return true;
	blink_extent_add_leaf(&extent, leaf, 0, leaf->count);
	blink_extent_add(&extent, key, value);
	return extent_fits(&extent);
}

/**
 * blink_narrow_splits() - whether a split makes room for an entry
 * @leaf: the leaf
 * @at: number of entries that stay in it
 * @pos: position of the entry
 * @key: its key
 * @value: its value
 *
 * Context: @leaf's lock held.
 * Return: true if the part that gets the entry has room for it.
 */
bool blink_narrow_splits(const struct blink_node *leaf, unsigned int at,
			 unsigned int pos, u64 key, u64 value)
{
	struct blink_extent extent = { .low = leaf->low };

	if (pos < at) {
		blink_extent_add_leaf(&extent, leaf, 0, at);
	} else {
		extent.low = key_at(leaf, at - 1);
		blink_extent_add_leaf(&extent, leaf, at, leaf->count);
	}
	blink_extent_add(&extent, key, value);
	return extent_fits(&extent);
}

/**
 * blink_narrow_run() - how many entries of a bulk load a leaf should get
 * @leaf: the leaf
 * @behind: not this leaf, but a new one behind it
 * @entries: the entries, ascending, behind all entries of @leaf
 * @n: how many
 * @fill: percentage of the slots to fill
 *
 * Context: @leaf's lock held.
 * Return: their number; at least one if @behind and @n is not 0.
 */
unsigned int blink_narrow_run(const struct blink_node *leaf, bool behind,
			      const struct blink_tree_entry *entries,
			      unsigned int n, unsigned int fill)
{
	struct blink_extent extent = { .low = leaf->low };
	unsigned int i, most;

	if (behind)
		extent.low = key_at(leaf, leaf->count - 1);
	else
		blink_extent_add_leaf(&extent, leaf, 0, leaf->count);
	for (i = 0; i < n; i++) {
		blink_extent_add(&extent, entries[i].key, entries[i].value);
		most = blink_form_slots(blink_extent_form(&extent)) * fill /
		       100;
		if (extent.count > max(most, 1U))
			break;
	}
	return i;
}

/**
 * blink_narrow_accepts() - whether a leaf has room for another value of an entry,
 *	perhaps in another form
 * @leaf: the leaf
 * @i: position of the entry
 * @value: the value
 *
 * Context: @leaf's lock held.
 * Return: true if it has.
 */
bool blink_narrow_accepts(const struct blink_node *leaf, unsigned int i,
			  u64 value)
{
	struct blink_extent extent = blink_extent_with(leaf, i, value);

	return extent_fits(&extent);
}
