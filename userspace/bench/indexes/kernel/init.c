// SPDX-License-Identifier: GPL-2.0
/* The parts of the kernel that its indexes need initialised, and our core. */
#include <linux/maple_tree.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "core/core.h"
#include "init.h"

/* These two are in lib/radix-tree.c, which the kernel's xarray shares them with. */
struct kmem_cache *radix_tree_node_cachep;

void radix_tree_node_rcu_free(struct rcu_head *head)
{
	struct xa_node *node = container_of(head, struct xa_node, rcu_head);

	memset(node->slots, 0, sizeof(node->slots));
	memset(node->marks, 0, sizeof(node->marks));
	kmem_cache_free(radix_tree_node_cachep, node);
}

static void clear_node(void *node)
{
	memset(node, 0, sizeof(struct xa_node));
}

/* The xarray frees nodes that are clear, and relies on new ones being so. */
static bool create_radix_cache(void)
{
	radix_tree_node_cachep = kmem_cache_create(
		"radix_tree_node", sizeof(struct xa_node), 0, 0, clear_node);
	return radix_tree_node_cachep;
}

void standin_init(void)
{
	if (blink_core_init() || !create_radix_cache() ||
	    standin_btree_module_init())
		shim_die(__FILE__, __LINE__, "no memory");
	maple_tree_init();
}
