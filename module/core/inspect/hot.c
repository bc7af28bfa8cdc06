// SPDX-License-Identifier: GPL-2.0
/*
 * The leaves of a tree that have the most heat (../node/contention.h): the walk along all
 * leaves keeps the hottest ones so far in an array, sorted. The heat is read without the
 * lock of the leaf, so it is a hint.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "inspect.h"
#include "level_walk.h"

/**
 * struct hot - the hottest leaves so far
 * @leaves: the leaves, the hottest one first; of equal ones that with the lesser keys
 * @nr: room in @leaves
 * @count: leaves in @leaves
 */
struct hot {
	struct blink_tree_hot_leaf *leaves;
	unsigned int nr;
	unsigned int count;
};

/* Make room for a leaf. Returns NULL if all places have leaves that are as hot. */
static struct blink_tree_hot_leaf *hot_place(struct hot *hot, unsigned int heat)
{
	unsigned int at = hot->count;

	while (at && hot->leaves[at - 1].heat < heat)
		at--;
	if (at == hot->nr)
		return NULL;
	if (hot->count < hot->nr)
		hot->count++;
	memmove(&hot->leaves[at + 1], &hot->leaves[at],
		(hot->count - at - 1) * sizeof(hot->leaves[0]));
	return &hot->leaves[at];
}

/* The string of the low key stays until the end of the RCU read section. */
static blink_key_t first_key(const struct blink_snapshot *snap)
{
	return snap->leftmost ? BLINK_KEY_LEAST : blink_key_after(snap->low);
}

static int note_leaf(struct blink_level_walk *walk, void *data)
{
	struct blink_node *leaf = blink_node_primary(walk->snap.node);
	unsigned int heat = READ_ONCE(leaf->heat);
	struct blink_tree_hot_leaf *place;
	struct hot *hot = data;

	place = heat ? hot_place(hot, heat) : NULL;
	if (!place)
		return 0;
	*place = (struct blink_tree_hot_leaf){
		.heat = heat,
		.keys = walk->snap.count,
		.nid = page_to_nid(virt_to_page(leaf)),
	};
	place->low_length = blink_key_put(first_key(&walk->snap), place->low,
					  sizeof(place->low));
	return 0;
}

/* As blink_tree_hot_leaves(). */
int blink_hot_leaves(struct blink_tree *tree,
		     struct blink_tree_hot_leaf *leaves, unsigned int nr)
{
	struct hot hot = { .leaves = leaves, .nr = nr };
	struct blink_level_walk *walk;
	int err;

	walk = kmalloc(sizeof(*walk), GFP_KERNEL_ACCOUNT);
	if (!walk)
		return -ENOMEM;
	walk->tree = tree;
	err = blink_level_visit(walk, blink_tree_index(tree), 0, note_leaf,
				&hot);
	kfree(walk);
	return err ?: hot.count;
}
