/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: trees whose updaters copy nodes
 *
 * Readers take no latch: they are in an RCU read section, and a node that they can
 * reach never changes, but for the child pointers of inner nodes. An updater copies
 * the nodes that its operation changes, changes the copies, and makes them visible by
 * one store: to the pointer that leads to the highest of them (the *top*). The nodes
 * that they replace are freed after a grace period.
 *
 * An updater changes the leaf, the nodes above that a split or a merge changes, and
 * neighbours that entries are moved from or to. It looks for all of them before it
 * copies the first one (struct copying_plan in copying_update.c), so that it knows how
 * many nodes to allocate. There are no right links: another node would have to lead to
 * the copy.
 *
 * The schemes differ in a *policy*: the way in which updaters exclude each other, and the
 * time at which nodes are freed. It is looked at for updates alone, which allocate and
 * copy at least a node.
 */
#ifndef BLINK_LAB_COPYING_H
#define BLINK_LAB_COPYING_H

#include <linux/build_bug.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

#include "lab_index.h"
#include "plain.h"

/**
 * enum copying_writers - the way in which updaters exclude each other
 * @COPYING_SWAP_ROOT: they copy all nodes of the path, and swap the root if it is the
 *	one that they began with; else they start again
 * @COPYING_MUTEX: a mutex
 * @COPYING_TREE_LATCH: a spinning latch of the tree
 * @COPYING_NODE_LATCHES: latches on the nodes that they replace, and on the node that
 *	leads to the top; for the root that is the latch of the tree
 */
enum copying_writers {
	COPYING_SWAP_ROOT,
	COPYING_MUTEX,
	COPYING_TREE_LATCH,
	COPYING_NODE_LATCHES,
};

/**
 * enum copying_grace - how an updater passes the grace period
 * @COPYING_DEFER: it does not wait, unless too many nodes wait; RCU frees the nodes
 * @COPYING_WAIT_HELD: it waits, and keeps other updaters away until then
 * @COPYING_WAIT: it waits when it has let others go on
 */
enum copying_grace {
	COPYING_DEFER,
	COPYING_WAIT_HELD,
	COPYING_WAIT,
};

/**
 * struct copying_policy - in what the schemes differ
 * @writers: the way in which updaters exclude each other
 * @grace: how they pass the grace period
 * @slots: entries of a node, if the caller does not say
 * @half: nodes have at least half as many entries as they have room for, less one;
 *	otherwise leaves one, and inner nodes two
 */
struct copying_policy {
	enum copying_writers writers;
	enum copying_grace grace;
	unsigned int slots;
	bool half;
};

/**
 * struct copying_tree - a tree
 * @plain: its nodes
 * @how: its policy
 * @latch: its latch
 * @mutex: that of COPYING_MUTEX
 */
struct copying_tree {
	struct plain_tree plain;
	const struct copying_policy *how;
	spinlock_t latch; /* see above */
	struct mutex mutex; /* see above */
};

static_assert(!offsetof(struct copying_tree, plain));

/* The bytes in front of a node for COPYING_NODE_LATCHES. */
struct copying_latch {
	spinlock_t latch; /* of the node, against other updaters */
} __aligned(sizeof(u64));

void copying_latch_init(struct copying_latch *latch, unsigned int level);

void *copying_create(const struct copying_policy *how,
		     const struct lab_params *params);
void copying_destroy(void *data);
int copying_insert(void *data, u64 key, u64 value);
int copying_lookup(void *data, u64 key, u64 *value);
int copying_store(void *data, u64 key, u64 value);
int copying_load(void *data, u64 key, u64 value);
int copying_erase(void *data, u64 key);
unsigned int copying_scan(void *data, u64 key, struct blink_tree_entry *entry,
			  unsigned int nr);
int copying_floor(void *data, u64 key, struct blink_tree_entry *entry);

/* The operations of a scheme; @policy is its struct copying_policy. */
#define COPYING_SCHEME(symbol, policy, most)                 \
	static void *create(const struct lab_index_ops *ops, \
			    const struct lab_params *params) \
	{                                                    \
		return copying_create(&(policy), params);    \
	}                                                    \
	const struct lab_index_ops lab_##symbol##_ops = {    \
		.most_keys = (most),                         \
		.create = create,                            \
		.destroy = copying_destroy,                  \
		.load = copying_load,                        \
		.insert = copying_insert,                    \
		.lookup = copying_lookup,                    \
		.store = copying_store,                      \
		.erase = copying_erase,                      \
		.scan = copying_scan,                        \
		.floor = copying_floor,                      \
		.verify = plain_verify,                      \
		.bytes = plain_tree_bytes,                   \
	}

#endif /* BLINK_LAB_COPYING_H */
