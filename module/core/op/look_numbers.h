/* SPDX-License-Identifier: GPL-2.0 */
/* Taking entries whose keys are numbers (look.h). */
#ifndef BLINK_CORE_LOOK_NUMBERS_H
#define BLINK_CORE_LOOK_NUMBERS_H

/* As look_copy(), from a narrow leaf. */
static void look_copy_narrow(const struct look *look,
			     const struct blink_node *leaf)
{
	struct blink_tree_entry *entry = look->entries;
	unsigned int i, slot;

	for (i = 0; i < look->taken; i++, entry++) {
		slot = look_slot(look, i);
		entry->key = blink_leaf_key(leaf, look->form, slot);
		/* LP: scan, cursor (value), in a narrow leaf */
		entry->value = blink_leaf_value(leaf, look->form, slot);
	}
}

/* Copy the entries that are taken to the buffer. */
static __always_inline void look_copy(const struct look *look,
				      const struct blink_node *leaf)
{
	struct blink_tree_entry *entry = look->entries;
	struct blink_tree_entry *end = entry + look->taken;
	const int step = look->scan->desc ? -1 : 1;
	const long first = (int)look_slot(look, 0);
	const blink_slot_t *key = leaf->slot + first;
	const u64 *value = blink_values(leaf, true) + first;

	if (BLINK_NARROW && unlikely(look->form)) {
		look_copy_narrow(look, leaf);
		return;
	}
	for (; entry < end; entry++, key += step, value += step) {
		entry->key = blink_slot_load(key);
		/* LP: scan, cursor (value) */
		entry->value = READ_ONCE(*value);
	}
}

/* Take all entries if there is room, or as many as fit if @part. */
static __always_inline void look_take(struct look *look,
				      struct blink_node *leaf)
{
	look->taken = look->to - look->from;
	if (look->taken > look->room)
		look->taken = look->part ? look->room : 0;
	if (look->entries)
		look_copy(look, leaf);
	if (look->taken && look->taken < look->to - look->from)
		look->reached = blink_leaf_key(
			leaf, look->form, look_slot(look, look->taken - 1));
}

/* Whether the scan can begin. */
static inline bool look_ready(struct blink_scan *scan,
			      const struct blink_tree_entry *entries)
{
	return true;
}

/* Keep what a valid look has put into the scan's buffers. */
static inline void look_keep(struct blink_scan *scan, const struct look *look)
{
}

static inline void look_set_first(struct blink_scan *scan, blink_key_t first)
{
	scan->first = first;
}

static inline void look_set_last(struct blink_scan *scan, blink_key_t last)
{
	scan->last = last;
}

#endif /* BLINK_CORE_LOOK_NUMBERS_H */
