/* SPDX-License-Identifier: GPL-2.0 */
/* Walking along a whole level, for statistics and verification. */
#ifndef BLINK_CORE_LEVEL_WALK_H
#define BLINK_CORE_LEVEL_WALK_H

#include "../index/walk.h"

#if BLINK_NARROW_SLOTS > BLINK_INNER_SLOTS
#define BLINK_MAX_SLOTS BLINK_NARROW_SLOTS
#else
#define BLINK_MAX_SLOTS BLINK_INNER_SLOTS
#endif

/**
 * struct blink_snapshot - the content of a node at one moment
 * @node: the node, to be dereferenced within the RCU read section only
 * @seq: its sequence
 * @form: its form (narrow.h)
 * @slots: its number of slots
 * @count: slots in use
 * @unused: all slots behind @count have BLINK_SLOT_UNUSED, or @form is not 0
 * @dead: whether it was dead
 * @leftmost: whether it has no low key
 * @level: its level
 * @low: its low key
 * @high: its high key
 * @right: its right neighbour
 * @heads: keys are numbers, or it has their heads (blink_heads_valid())
 * @signs: its signposts
 * @base: blink_node_base()
 * @slot: the slots, while @form is 0
 * @key: keys or separators
 * @value: values or children
 */
struct blink_snapshot {
	struct blink_node *node;
	u32 seq;
	unsigned int form;
	unsigned int slots;
	unsigned int count;
	bool unused;
	bool dead;
	bool leftmost;
	unsigned int level;
	blink_bound_t low;
	blink_bound_t high;
	struct blink_node *right;
	bool heads;
	struct blink_signs signs;
	blink_slot_t base;
	blink_slot_t slot[BLINK_INNER_SLOTS];
	blink_key_t key[BLINK_MAX_SLOTS];
	u64 value[BLINK_MAX_SLOTS];
};

/**
 * struct blink_level_walk - a walk along a level
 * @tree: the tree
 * @idx: the index of the level
 * @level: the level
 * @snap: the current node
 * @passed: the greatest key that the walk has passed, if it has begun
 * @begun: it has passed a node
 * @end: no nodes are left
 */
struct blink_level_walk {
	struct blink_tree *tree;
	struct blink_index *idx;
	unsigned int level;
	struct blink_snapshot snap;
	blink_bound_t passed;
	bool begun;
	bool end;
};

/* The function for each node; a value other than 0 ends the walk. */
typedef int (*blink_level_fn)(struct blink_level_walk *walk, void *data);

int blink_level_visit(struct blink_level_walk *walk, struct blink_index *idx,
		      unsigned int level, blink_level_fn look, void *data);

#endif /* BLINK_CORE_LEVEL_WALK_H */
