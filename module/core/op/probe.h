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
	blink_key_t key;
	u64 value;
	bool found;
};

/*
 * @form: the form of the leaf; @pos: the position of the first key that is not less
 */
static __always_inline void blink_probe_at(const struct blink_node *leaf,
					   unsigned int form, unsigned int pos,
					   struct blink_probe *probe)
{
	unsigned int count = blink_leaf_count(leaf, form);

	/* LP: lookup (-ENOENT) */
	probe->found = pos < count &&
		       blink_leaf_has(leaf, form, pos, probe->key);
	/* LP: lookup (value) */
	if (probe->found)
		probe->value = blink_leaf_value(leaf, form, pos);
}

/* A lookup in any leaf. */
static __always_inline void blink_probe(const struct blink_node *leaf,
					struct blink_probe *probe)
{
	unsigned int form = blink_leaf_form(leaf);

	/* A constant form leaves one test of it in the whole lookup. */
	if (likely(!form))
		blink_probe_at(leaf, 0, blink_leaf_search(leaf, 0, probe->key),
			       probe);
	else
		blink_probe_at(leaf, form,
			       blink_leaf_search(leaf, form, probe->key),
			       probe);
}

#endif /* BLINK_CORE_PROBE_H */
