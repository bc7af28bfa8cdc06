// SPDX-License-Identifier: GPL-2.0
/*
 * Point lookups.
 *
 * Linearization point: in blink_probe_at(), the load of the value, or the last
 * load of a key if the key is absent, in the read section that was valid.
 */
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"
#include "probe.h"

static __always_inline void probe_leaf(struct blink_node *leaf, void *arg)
{
	blink_probe(leaf, arg);
}

/**
 * blink_lookup_from() - find the value of a key after the descent
 * @tree: the tree
 * @leaf: the leaf where the descent ended
 * @key: the key
 * @value: set to the value
 *
 * Context: as blink_tree_lookup(), rcu_read_lock() held since the descent.
 * Return: as blink_tree_lookup().
 */
int blink_lookup_from(struct blink_tree *tree, struct blink_node *leaf,
		      blink_key_t key, u64 *value)
{
	struct blink_probe probe = { .key = key };
	u32 seq;

	leaf = blink_read_covering(tree, leaf, key, probe_leaf, &probe, &seq);
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
 * It takes no lock and writes no shared memory, with two exceptions. A reader
 * takes the lock of a node if it has read the node eight times, and found each
 * time that a writer had changed it, or if the sequence stays odd for too long.
 * A reader that met eight nodes without an entry in its index asks for a mend
 * by an irq_work.
 *
 * Context: any in which rcu_read_lock() is allowed.
 * Return: 0; -ENOENT if the key is absent; -EOPNOTSUPP if the tree has keys of
 * another kind; -EAGAIN if a writer is active and
 * this context must not wait: in NMIs and, for a tree without
 * BLINK_TREE_IRQSAFE, in hardirqs and with interrupts disabled.
 */
int blink_tree_lookup(struct blink_tree *tree, blink_key_t key, u64 *value)
{
	struct blink_probe probe = { .key = key };
	struct blink_node *leaf;
	u32 seq;

	if (!blink_tree_fits(tree))
		return -EOPNOTSUPP;
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
