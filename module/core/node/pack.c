// SPDX-License-Identifier: GPL-2.0
/*
 * Changing narrow leaves (narrow.h): moving their entries, and giving them another form.
 *
 * The functions are called in a write section, or before the leaf is published, except
 * blink_narrow_store().
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "pack.h"

static __always_inline void words_move_up(unsigned int bytes, void *words,
					  unsigned int from, unsigned int to)
{
	unsigned int i;

	for (i = to; i > from; i--)
		blink_word_put(words, bytes, i,
			       blink_word_get(words, bytes, i - 1));
}

static __always_inline void words_move_down(unsigned int bytes, void *words,
					    unsigned int to, unsigned int from,
					    unsigned int end)
{
	for (; from < end; from++, to++)
		blink_word_put(words, bytes, to,
			       blink_word_get(words, bytes, from));
}

/* Convert @n words at @from to words of another width at @to, and add to each. */
static void words_convert(void *to, unsigned int to_bytes, const void *from,
			  unsigned int from_bytes, unsigned int n, u64 add,
			  bool last_first)
{
	unsigned int k, i;

	if (to == from && to_bytes == from_bytes && !add)
		return;
	for (k = 0; k < n; k++) {
		i = last_first ? n - 1 - k : k;
		blink_word_put(to, to_bytes, i,
			       blink_word_get(from, from_bytes, i) + add);
	}
}

/*
 * Give a leaf another form, which has enough slots, and another base.
 *
 * No step overwrites words that a later one reads. Values that become narrower do so
 * where they are, the first one first. Then the values go to the very end of the
 * leaf, so that the keys have room before them in any width. Last they go to their
 * place: behind each of them there is as much room as the rest of them takes, also
 * if they become wider.
 */
static void leaf_convert(struct blink_node *leaf, unsigned int form, u64 base)
{
	unsigned int had = leaf->form, n = leaf->count;
	unsigned int keys = BLINK_KEY_BYTES(form),
		     had_keys = BLINK_KEY_BYTES(had);
	unsigned int values = BLINK_VALUE_BYTES(form),
		     had_values = BLINK_VALUE_BYTES(had);
	unsigned int least = min(values, had_values);
	void *had_place = blink_value_words(leaf, had);
	void *end = (char *)leaf->slot + BLINK_LEAF_AREA - n * least;
	u64 add = blink_value_base(leaf, had) - (form ? base : 0);

	if (values <= had_values) {
		words_convert(had_place, values, had_place, had_values, n, add,
			      false);
		add = 0;
	}
	words_convert(end, least, had_place, least, n, 0, true);
	words_convert(leaf->slot, keys, leaf->slot, had_keys, n,
		      blink_key_base(leaf, had) - blink_key_base(leaf, form),
		      keys > had_keys);
	words_convert(blink_value_words(leaf, form), values, end, least, n, add,
		      false);
	WRITE_ONCE(leaf->form, form);
	if (form)
		WRITE_ONCE(leaf->base, base);
	else
		blink_keys_unuse(leaf, n, BLINK_LEAF_SLOTS);
}

/*
 * Give a leaf the narrowest form for entries to which its own ones belong. Its base
 * stays if it can.
 */
static void leaf_shape(struct blink_node *leaf,
		       const struct blink_extent *extent)
{
	unsigned int form = blink_extent_form(extent);

	if (form != leaf->form ||
	    (extent->count && (!blink_narrow_fits(leaf, extent->least) ||
			       !blink_narrow_fits(leaf, extent->most))))
		leaf_convert(leaf, form, blink_extent_base(extent, form));
}

static void entry_put(struct blink_node *leaf, unsigned int i, u64 key,
		      u64 value)
{
	unsigned int form = leaf->form;

	blink_word_put(leaf->slot, BLINK_KEY_BYTES(form), i,
		       key - blink_key_base(leaf, form));
	blink_word_put(blink_value_words(leaf, form), BLINK_VALUE_BYTES(form),
		       i, value - blink_value_base(leaf, form));
}

/**
 * blink_narrow_init() - make an empty leaf narrow
 * @leaf: the leaf
 *
 * Context: no other CPU can reach the leaf.
 */
void blink_narrow_init(struct blink_node *leaf)
{
	leaf->flags |= BLINK_NODE_NARROW;
	leaf->form = BLINK_FORM_LEAST;
	leaf->base = 0;
	/* A read section that is not valid can load any word. */
	memset(leaf->slot, 0, BLINK_LEAF_AREA);
}

/**
 * blink_narrow_insert() - add an entry to a leaf that has room for it
 * @leaf: the leaf
 * @pos: its position
 * @key: its key
 * @value: its value
 *
 * Context: a write section, or no other CPU can reach the leaf.
 */
void blink_narrow_insert(struct blink_node *leaf, unsigned int pos, u64 key,
			 u64 value)
{
	struct blink_extent extent = { .low = leaf->low };
	unsigned int count = leaf->count;

	if (!blink_narrow_fits_entry(leaf, key, value) ||
	    count == blink_form_slots(leaf->form)) {
		blink_extent_add_leaf(&extent, leaf, 0, count);
		blink_extent_add(&extent, key, value);
		leaf_shape(leaf, &extent);
	}
	BLINK_WITH_BYTES(BLINK_KEY_BYTES(leaf->form), words_move_up, leaf->slot,
			 pos, count);
	BLINK_WITH_BYTES(BLINK_VALUE_BYTES(leaf->form), words_move_up,
			 blink_value_words(leaf, leaf->form), pos, count);
	entry_put(leaf, pos, key, value);
	WRITE_ONCE(leaf->count, count + 1);
}

/**
 * blink_narrow_remove() - remove entries from a leaf, which keeps its form
 * @leaf: the leaf
 * @pos: position of the first one
 * @n: how many
 *
 * Context: a write section.
 */
void blink_narrow_remove(struct blink_node *leaf, unsigned int pos,
			 unsigned int n)
{
	unsigned int count = leaf->count;

	BLINK_WITH_BYTES(BLINK_KEY_BYTES(leaf->form), words_move_down,
			 leaf->slot, pos, pos + n, count);
	BLINK_WITH_BYTES(BLINK_VALUE_BYTES(leaf->form), words_move_down,
			 blink_value_words(leaf, leaf->form), pos, pos + n,
			 count);
	if (!leaf->form)
		blink_keys_unuse(leaf, count - n, count);
	WRITE_ONCE(leaf->count, count - n);
}

/**
 * blink_narrow_append() - add entries behind all others
 * @leaf: the leaf
 * @entries: the entries, ascending
 * @n: how many, at most as many as blink_narrow_run() returned
 *
 * Context: a write section, or no other CPU can reach the leaf.
 */
void blink_narrow_append(struct blink_node *leaf,
			 const struct blink_tree_entry *entries, unsigned int n)
{
	struct blink_extent extent = { .low = leaf->low };
	unsigned int i, count = leaf->count;

	blink_extent_add_leaf(&extent, leaf, 0, count);
	for (i = 0; i < n; i++)
		blink_extent_add(&extent, entries[i].key, entries[i].value);
	leaf_shape(leaf, &extent);
	for (i = 0; i < n; i++)
		entry_put(leaf, count + i, entries[i].key, entries[i].value);
	WRITE_ONCE(leaf->count, count + n);
}

/**
 * blink_narrow_join() - copy entries of a leaf behind all entries of another
 * @to: the leaf that gets them, and has room for them in any form
 * @from: the other leaf; all of its keys are greater
 * @first: position of the first entry to copy
 *
 * Context: both locks held, in a write section of @to; or no other CPU can reach
 * @to.
 */
void blink_narrow_join(struct blink_node *to, const struct blink_node *from,
		       unsigned int first)
{
	struct blink_extent extent = { .low = to->low };
	unsigned int i, count = to->count;

	blink_extent_add_leaf(&extent, to, 0, count);
	blink_extent_add_leaf(&extent, from, first, from->count);
	leaf_shape(to, &extent);
	for (i = first; i < from->count; i++)
		entry_put(to, count + i - first,
			  blink_leaf_key(from, from->form, i),
			  blink_leaf_value(from, from->form, i));
	WRITE_ONCE(to->count, count + from->count - first);
}

/**
 * blink_narrow_cut() - remove the last entries of a leaf, which may become narrower
 * @leaf: the leaf
 * @at: number of entries that stay
 *
 * Context: a write section.
 */
void blink_narrow_cut(struct blink_node *leaf, unsigned int at)
{
	struct blink_extent extent = { .low = leaf->low };

	blink_narrow_remove(leaf, at, leaf->count - at);
	blink_extent_add_leaf(&extent, leaf, 0, at);
	leaf_shape(leaf, &extent);
}

/**
 * blink_narrow_overwrite() - overwrite a value, and give the leaf a form for it
 * @leaf: the leaf, which accepts the value
 * @i: position of the entry
 * @value: the value
 *
 * Context: a write section.
 */
void blink_narrow_overwrite(struct blink_node *leaf, unsigned int i, u64 value)
{
	struct blink_extent extent = blink_extent_with(leaf, i, value);
	u64 key = blink_leaf_key(leaf, leaf->form, i);

	/* Words of the old value can be too wide for the form; they are lost. */
	leaf_shape(leaf, &extent);
	entry_put(leaf, i, key, value);
}

/**
 * blink_narrow_store() - overwrite a value in place
 * @leaf: the leaf
 * @i: position of the entry
 * @value: the value, for which blink_narrow_fits() is true
 *
 * Readers can read the value meanwhile, and find either one.
 *
 * Context: @leaf's lock held.
 */
void blink_narrow_store(struct blink_node *leaf, unsigned int i, u64 value)
{
	u64 word = value - blink_value_base(leaf, leaf->form);
	void *words = blink_value_words(leaf, leaf->form);

	switch (BLINK_VALUE_BYTES(leaf->form)) {
	case 1:
		/* A release, as blink_value_store() says. */
		smp_store_release(&((u8 *)words)[i], word);
		break;
	case 2:
		/* A release, as blink_value_store() says. */
		smp_store_release(&((u16 *)words)[i], word);
		break;
	case 4:
		/* A release, as blink_value_store() says. */
		smp_store_release(&((u32 *)words)[i], word);
		break;
	default:
		/* A release, as blink_value_store() says. */
		smp_store_release(&((u64 *)words)[i], word);
	}
}
