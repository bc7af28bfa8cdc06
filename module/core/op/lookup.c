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

/* The same, if one attempt to read the leaf suffices. False: it does not. There may be no leaf. */
static __always_inline bool lookup_try(struct blink_tree *tree,
				       const struct blink_node *leaf,
				       struct blink_probe *probe)
{
	u32 seq;

	if (unlikely(!leaf))
		return false;
	seq = blink_read_try(leaf);
	/* The strings of a dead leaf belong to the leaf that absorbed it. */
	if (unlikely(blink_node_beyond(leaf, probe->key)))
		return false;
	blink_probe(leaf, probe);
	if (likely(blink_read_valid(leaf, seq)))
		return true;
	blink_stat_inc(tree, read_retries);
	return false;
}

/**
 * blink_tree_lookup() - find the value of a key
 * @tree: the tree
 * @key: the key
 * @value: set to the value
 *
 * It takes no lock and writes no shared memory, with two exceptions. A reader
 * takes the lock of a node if it has read the node nine times, and found each
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
	int ret = 0;

	if (!blink_tree_fits(tree))
		return -EOPNOTSUPP;
	rcu_read_lock();
	leaf = blink_descend_to(tree, blink_tree_index(tree), key, 0, NULL);
	if (unlikely(!lookup_try(tree, leaf, &probe)))
		ret = blink_lookup_from(tree, leaf, key, value);
	else if (likely(probe.found))
		*value = probe.value;
	else
		ret = -ENOENT;
	rcu_read_unlock();
	return ret;
}
EXPORT_SYMBOL_GPL(blink_tree_lookup);
