/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of the layout that is compiled here, named BLINK_THIS_KIND. */
#include "../index/alloc.h"
#include "../index/nodes.h"
#include "../index/rebuild.h"
#include "../inspect/inspect.h"
#include "kind.h"

const struct blink_kind BLINK_THIS_KIND = {
	.caches_create = blink_node_caches_create,
	.caches_destroy = blink_node_caches_destroy,
	.nodes_init = blink_tree_nodes_init,
	.nodes_free = blink_tree_nodes_free,
	.height = blink_height,
	.levels = blink_levels,
	.hot_leaves = blink_hot_leaves,
	.verify = blink_verify,
	.rebuild = blink_rebuild,
	.sample = blink_sample_searches,
	.visit = blink_visit,
};
