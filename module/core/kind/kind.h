/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of a layout of keys (key.h) that are called for trees of any kind. */
#ifndef BLINK_CORE_KIND_KIND_H
#define BLINK_CORE_KIND_KIND_H

#include <linux/blink_tree.h>

#include "../inspect/sample.h"
#include "../inspect/visit.h"

/**
 * struct blink_kind - the functions of a layout
 * @caches_create: blink_node_caches_create()
 * @caches_destroy: blink_node_caches_destroy()
 * @nodes_init: blink_tree_nodes_init()
 * @nodes_free: blink_tree_nodes_free()
 * @height: blink_tree_height()
 * @levels: blink_tree_levels()
 * @hot_leaves: blink_tree_hot_leaves()
 * @verify: blink_tree_verify()
 * @rebuild: blink_tree_rebuild()
 * @sample: blink_tree_sample()
 * @visit: blink_tree_visit()
 */
struct blink_kind {
	int (*caches_create)(void);
	void (*caches_destroy)(void);
	int (*nodes_init)(struct blink_tree *tree, gfp_t gfp);
	void (*nodes_free)(struct blink_tree *tree);
	unsigned int (*height)(struct blink_tree *tree);
	unsigned int (*levels)(struct blink_tree *tree,
			       struct blink_tree_level_stats *levels,
			       unsigned int nr);
	int (*hot_leaves)(struct blink_tree *tree,
			  struct blink_tree_hot_leaf *leaves, unsigned int nr);
	int (*verify)(struct blink_tree *tree,
		      struct blink_tree_ioc_verify *report);
	int (*rebuild)(struct blink_tree *tree, int nid, gfp_t gfp);
	void (*sample)(struct blink_tree *tree, struct blink_sample *sample);
	int (*visit)(struct blink_tree *tree, blink_visit_t visit, void *data);
};

extern const struct blink_kind blink_kind_u64;
extern const struct blink_kind blink_kind_u128;
extern const struct blink_kind blink_kind_bytes;

#endif /* BLINK_CORE_KIND_KIND_H */
