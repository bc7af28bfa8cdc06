/* SPDX-License-Identifier: GPL-2.0 */
/* Initialising nodes, and moving entries in and between them (entries.c). */
#ifndef BLINK_CORE_ENTRIES_H
#define BLINK_CORE_ENTRIES_H

#include "node.h"

void blink_node_init(struct blink_tree *tree, struct blink_node *node,
		     unsigned int level);
void blink_inner_set_level(struct blink_tree *tree, struct blink_node *node,
			   unsigned int level);

void blink_entries_add(struct blink_node *node, unsigned int pos,
		       blink_key_t key, u64 value);
void blink_entries_remove(struct blink_node *node, unsigned int pos,
			  unsigned int n);
void blink_entries_set(struct blink_node *leaf, unsigned int i, u64 value);
void blink_entries_end(struct blink_node *node, unsigned int from);

void blink_node_insert(struct blink_node *node, unsigned int pos,
		       blink_key_t key, u64 value);
void blink_node_remove(struct blink_node *node, unsigned int pos,
		       unsigned int n);
bool blink_leaf_splits(struct blink_node *leaf, unsigned int pos,
		       blink_key_t key, u64 value);
void blink_node_split(struct blink_tree *tree, struct blink_node *left,
		      struct blink_node *right, unsigned int pos,
		      blink_key_t key, u64 value);
void blink_leaf_append(struct blink_node *leaf,
		       const struct blink_tree_entry *entries, unsigned int n);
void blink_leaf_extend(struct blink_tree *tree, struct blink_node *left,
		       struct blink_node *right,
		       const struct blink_tree_entry *entries, unsigned int n);
bool blink_leaf_set_value(struct blink_node *leaf, unsigned int i, u64 value);
void blink_node_absorb(struct blink_node *left, struct blink_node *right);

#endif /* BLINK_CORE_ENTRIES_H */
