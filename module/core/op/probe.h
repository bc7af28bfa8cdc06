/* SPDX-License-Identifier: GPL-2.0 */
/* A lookup in a leaf, within a read section. */
#ifndef BLINK_CORE_PROBE_H
#define BLINK_CORE_PROBE_H

#include "../node/search.h"

/**
 * struct blink_probe - a lookup in a leaf
 * @key: the key
 * @value: its value
 * @found: the leaf has the key
 */
struct blink_probe {
	u64 key;
	u64 value;
	bool found;
};

/* @pos: the position of the first key that is not less */
static __always_inline void blink_probe_at(const struct blink_node *leaf,
					   unsigned int pos,
					   struct blink_probe *probe)
{
	unsigned int count = READ_ONCE(leaf->count);

	/* LP: lookup (-ENOENT) */
	probe->found = pos < count && blink_node_key(leaf, pos) == probe->key;
	/* LP: lookup (value) */
	if (probe->found)
		probe->value = blink_leaf_value(leaf, pos);
}

#endif /* BLINK_CORE_PROBE_H */
