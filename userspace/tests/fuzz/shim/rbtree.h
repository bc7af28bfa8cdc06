/* SPDX-License-Identifier: GPL-2.0 */
/* A search tree with the calls of the kernel's; this one is not balanced. */
#ifndef FUZZ_RBTREE_H
#define FUZZ_RBTREE_H

#include <linux/compiler.h>

struct rb_node {
	struct rb_node *rb_left;
	struct rb_node *rb_right;
	struct rb_node *rb_up;
};

struct rb_root {
	struct rb_node *rb_node;
};

#define RB_ROOT { NULL }
#define RB_EMPTY_ROOT(root) (!(root)->rb_node)
#define rb_entry(ptr, type, member) container_of(ptr, type, member)

static inline struct rb_node *rb_least(struct rb_node *node)
{
	while (node && node->rb_left)
		node = node->rb_left;
	return node;
}

static inline struct rb_node *rb_first(const struct rb_root *root)
{
	return rb_least(root->rb_node);
}

static inline struct rb_node *rb_next(const struct rb_node *node)
{
	if (node->rb_right)
		return rb_least(node->rb_right);
	while (node->rb_up && node->rb_up->rb_right == node)
		node = node->rb_up;
	return node->rb_up;
}

/* Each node learns which node is above it, after any change. */
static inline void rb_adopt(struct rb_node *node, struct rb_node *up)
{
	if (!node)
		return;
	node->rb_up = up;
	rb_adopt(node->rb_left, node);
	rb_adopt(node->rb_right, node);
}

static inline struct rb_node *
rb_find(const void *key, const struct rb_root *root,
	int (*cmp)(const void *key, const struct rb_node *node))
{
	struct rb_node *node = root->rb_node;
	int order;

	while (node && (order = cmp(key, node)))
		node = order < 0 ? node->rb_left : node->rb_right;
	return node;
}

static inline struct rb_node *
rb_find_add(struct rb_node *node, struct rb_root *root,
	    int (*cmp)(struct rb_node *node, const struct rb_node *other))
{
	struct rb_node **link = &root->rb_node;
	int order;

	for (; *link;
	     link = order < 0 ? &(*link)->rb_left : &(*link)->rb_right) {
		order = cmp(node, *link);
		if (!order)
			return *link;
	}
	*node = (struct rb_node){};
	*link = node;
	rb_adopt(root->rb_node, NULL);
	return NULL;
}

static inline void rb_add(struct rb_node *node, struct rb_root *root,
			  bool (*less)(struct rb_node *node,
				       const struct rb_node *other))
{
	struct rb_node **link = &root->rb_node;

	while (*link)
		link = less(node, *link) ? &(*link)->rb_left :
					   &(*link)->rb_right;
	*node = (struct rb_node){};
	*link = node;
	rb_adopt(root->rb_node, NULL);
}

/* The place that points to a node, wherever it is: there is no order here. */
static inline struct rb_node **rb_link_to(struct rb_node **link,
					  struct rb_node *node)
{
	struct rb_node **found;

	if (!*link || *link == node)
		return *link ? link : NULL;
	found = rb_link_to(&(*link)->rb_left, node);
	return found ? found : rb_link_to(&(*link)->rb_right, node);
}

static inline void rb_erase(struct rb_node *node, struct rb_root *root)
{
	struct rb_node **link = rb_link_to(&root->rb_node, node);
	struct rb_node **least = &node->rb_right, *heir;

	if (!node->rb_left || !node->rb_right) {
		*link = node->rb_left ? node->rb_left : node->rb_right;
		rb_adopt(root->rb_node, NULL);
		return;
	}
	while ((*least)->rb_left)
		least = &(*least)->rb_left;
	heir = *least;
	*least = heir->rb_right;
	*heir = *node;
	*link = heir;
	rb_adopt(root->rb_node, NULL);
}

#endif /* FUZZ_RBTREE_H */
