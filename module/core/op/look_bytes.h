/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Taking entries whose keys are strings (look.h). The bytes of the keys are copied to the
 * buffer of the scan within the read section: behind it a string can be overwritten.
 */
#ifndef BLINK_CORE_LOOK_BYTES_H
#define BLINK_CORE_LOOK_BYTES_H

/* How many entries ahead the strings are fetched that a scan copies. */
#define LOOK_AHEAD 8

/* Copy an entry. False: the buffer has no room for its key. */
static inline bool look_copy(struct look *look, const struct blink_node *leaf,
			     unsigned int i)
{
	const unsigned int slot = look_slot(look, i);
	const blink_key_t key = blink_slot_key(leaf, slot, true);
	const struct blink_scan *scan = look->scan;
	struct blink_tree_entry *entry = look->entries + i;

	if (i + LOOK_AHEAD < look->to - look->from)
		blink_slot_prefetch(leaf, look_slot(look, i + LOOK_AHEAD), key);
	if (key.length > scan->size - look->used)
		return false;
	entry->key = scan->buffer + look->used;
	entry->length = key.length;
	/* data_race: RCU writes there, if the string is dead. */
	data_race(memcpy(entry->key, key.data, key.length));
	/* LP: scan (value) */
	entry->value = blink_slot_value(leaf, slot);
	look->used += key.length;
	return true;
}

/* Take as many entries as there is room for. */
static inline void look_take(struct look *look, const struct blink_node *leaf)
{
	unsigned int all = look->to - look->from;
	unsigned int most = min(all, look->room);
	blink_key_t key;

	look->used = look->scan->used;
	look->taken = look->entries ? 0 : most;
	while (look->taken < most && look_copy(look, leaf, look->taken))
		look->taken++;
	if (!look->taken || look->taken == all)
		return;
	key = blink_slot_key(leaf, look_slot(look, look->taken - 1), true);
	/* data_race: as above. */
	data_race(memcpy(look->scan->reached, key.data, key.length));
	look->reached = key;
	look->reached.data = look->scan->reached;
}

/* Whether the scan can begin: its buffer has room for any key. */
static inline bool look_ready(struct blink_scan *scan,
			      const struct blink_tree_entry *entries)
{
	scan->used = 0;
	return !entries || scan->size >= BLINK_BYTES_MAX;
}

/* Keep what a valid look has put into the scan's buffers. */
static inline void look_keep(struct blink_scan *scan, const struct look *look)
{
	scan->used = look->used;
}

/* The key can belong to a node, or be in the other buffer. */
static inline void look_set_first(struct blink_scan *scan, blink_key_t first)
{
	scan->first = first;
	scan->first.data = memcpy(scan->passed, first.data, first.length);
}

static inline void look_set_last(struct blink_scan *scan, blink_key_t last)
{
	scan->last = last;
	scan->last.data = memcpy(scan->passed, last.data, last.length);
}

#endif /* BLINK_CORE_LOOK_BYTES_H */
