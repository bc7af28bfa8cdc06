// SPDX-License-Identifier: GPL-2.0
/*
 * Point lookups.
 *
 * Linearization point: the last load of a value or key in the read section that was
 * valid.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"

/* A lookup: the key, and what the leaf said. */
struct probe {
	u64 key;
	u64 value;
	bool found;
};

static __always_inline void probe_search(struct blink_node *leaf,
					 struct probe *probe, bool fetched)
{
	unsigned int count = READ_ONCE(leaf->count);
	unsigned int pos = blink_leaf_search(leaf, probe->key, fetched);

	probe->found = pos < count && blink_node_key(leaf, pos) == probe->key;
	if (probe->found)
		probe->value = blink_leaf_value(leaf, pos);
}

static __always_inline void probe_leaf(struct blink_node *leaf, void *arg)
{
	probe_search(leaf, arg, true);
}

/* The same for a leaf of which only the keys were fetched. */
static __always_inline void probe_keys(struct blink_node *leaf, void *arg)
{
	probe_search(leaf, arg, false);
}

/**
 * blink_lookup_from() - find the value of a key, the descent being done
 * @tree: the tree
 * @leaf: where that ended
 * @key: the key
 * @value: set to the value
 *
 * Context: as blink_tree_lookup(), rcu_read_lock() held since the descent.
 * Return: as blink_tree_lookup().
 */
int blink_lookup_from(struct blink_tree *tree, struct blink_node *leaf, u64 key,
		      u64 *value)
{
	struct probe probe = { .key = key };
	u32 seq;

	leaf = blink_read_covering(tree, leaf, key, probe_keys, &probe, &seq);
	if (unlikely(!leaf))
		return -EAGAIN;
	if (!probe.found)
		return -ENOENT;
	*value = probe.value;
	return 0;
}

/**
 * blink_tree_lookup() - find the value of a key
 * @tree: the tree
 * @key: the key
 * @value: set to the value
 *
 * Takes no lock and writes no shared memory, except that a reader that was
 * disturbed by writers eight times on one node waits for its lock, and that one
 * that met eight nodes which its index lacks asks for a mend, by an irq_work.
 *
 * Context: any in which rcu_read_lock() is allowed.
 * Return: 0; -ENOENT if the key is not there; -EAGAIN if it cannot be known
 * here because a writer is at work: in NMIs, and, for a tree without
 * BLINK_TREE_IRQSAFE, in hardirqs and with interrupts disabled.
 */
int blink_tree_lookup(struct blink_tree *tree, u64 key, u64 *value)
{
	struct probe probe = { .key = key };
	struct blink_node *leaf;
	u32 seq;

	rcu_read_lock();
	leaf = blink_descend_leaf(tree, key, NULL);
	leaf = blink_read_covering(tree, leaf, key, probe_leaf, &probe, &seq);
	rcu_read_unlock();
	if (unlikely(!leaf))
		return -EAGAIN;
	if (!probe.found)
		return -ENOENT;
	*value = probe.value;
	return 0;
}
EXPORT_SYMBOL_GPL(blink_tree_lookup);
