// SPDX-License-Identifier: GPL-2.0
/* The red-black tree, searched as its users do, under a reader-writer lock. */
#include <linux/errno.h>
#include <linux/rbtree.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "lab_index.h"

struct entry {
	struct rb_node node;
	u64 key;
	u64 value;
};

/**
 * struct tree - a red-black tree
 * @lock: guards all else
 * @root: its root
 * @entries: where its entries come from
 * @nr: how many there are
 */
struct tree {
	rwlock_t lock;
	struct rb_root root;
	struct kmem_cache *entries;
	u64 nr;
};

static void *create(const struct lab_index_ops *ops,
		    const struct lab_params *params)
{
	struct tree *tree = kmalloc(sizeof(*tree), LAB_GFP);

	if (!tree)
		return NULL;
	tree->entries = kmem_cache_create("lab_rbtree", sizeof(struct entry), 0,
					  0, NULL);
	if (!tree->entries) {
		kfree(tree);
		return NULL;
	}
	rwlock_init(&tree->lock);
	tree->root = RB_ROOT;
	tree->nr = 0;
	return tree;
}

static void destroy(void *data)
{
	struct tree *tree = data;
	struct entry *entry, *next;

	rbtree_postorder_for_each_entry_safe(entry, next, &tree->root, node) {
		kmem_cache_free(tree->entries, entry);
		cond_resched();
	}
	kmem_cache_destroy(tree->entries);
	kfree(tree);
}

static struct entry *find(struct tree *tree, u64 key)
{
	struct rb_node *node = tree->root.rb_node;
	struct entry *entry;

	while (node) {
		entry = rb_entry(node, struct entry, node);
		if (key == entry->key)
			return entry;
		node = key < entry->key ? node->rb_left : node->rb_right;
	}
	return NULL;
}

/* False if the key is there already. */
static bool link_entry(struct tree *tree, struct entry *new)
{
	struct rb_node **link = &tree->root.rb_node, *parent = NULL;
	struct entry *entry;

	while (*link) {
		entry = rb_entry(*link, struct entry, node);
		if (new->key == entry->key)
			return false;
		parent = *link;
		link = new->key < entry->key ? &parent->rb_left :
					       &parent->rb_right;
	}
	rb_link_node(&new->node, parent, link);
	rb_insert_color(&new->node, &tree->root);
	tree->nr++;
	return true;
}

static int insert(void *data, u64 key, u64 value)
{
	struct tree *tree = data;
	struct entry *new = kmem_cache_alloc(tree->entries, LAB_GFP);
	bool added;

	if (!new)
		return -ENOMEM;
	new->key = key;
	new->value = value;
	write_lock(&tree->lock);
	added = link_entry(tree, new);
	write_unlock(&tree->lock);
	if (added)
		return 0;
	kmem_cache_free(tree->entries, new);
	return -EEXIST;
}

static int lookup(void *data, u64 key, u64 *value)
{
	struct tree *tree = data;
	struct entry *entry;

	read_lock(&tree->lock);
	entry = find(tree, key);
	if (entry)
		*value = entry->value;
	read_unlock(&tree->lock);
	return entry ? 0 : -ENOENT;
}

static int replace(void *data, u64 key, u64 value)
{
	struct tree *tree = data;
	struct entry *entry;

	write_lock(&tree->lock);
	entry = find(tree, key);
	if (entry)
		entry->value = value;
	write_unlock(&tree->lock);
	return entry ? 0 : -ENOENT;
}

/* Another thread may insert the key, or erase it, between the two attempts. */
static int store(void *data, u64 key, u64 value)
{
	int ret;

	do {
		ret = replace(data, key, value);
		if (ret == -ENOENT)
			ret = insert(data, key, value);
	} while (ret == -EEXIST);
	return ret;
}

static int erase(void *data, u64 key)
{
	struct tree *tree = data;
	struct entry *entry;

	write_lock(&tree->lock);
	entry = find(tree, key);
	if (entry) {
		rb_erase(&entry->node, &tree->root);
		tree->nr--;
	}
	write_unlock(&tree->lock);
	if (!entry)
		return -ENOENT;
	kmem_cache_free(tree->entries, entry);
	return 0;
}

/* The nearest entry with a key not below @key, or (@down) not above it. */
static struct entry *find_near(struct tree *tree, u64 key, bool down)
{
	struct rb_node *node = tree->root.rb_node;
	struct entry *entry, *best = NULL;
	bool below;

	while (node) {
		entry = rb_entry(node, struct entry, node);
		if (key == entry->key)
			return entry;
		below = entry->key < key;
		if (below == down)
			best = entry;
		node = key < entry->key ? node->rb_left : node->rb_right;
	}
	return best;
}

static unsigned int scan(void *data, u64 key, struct blink_tree_entry *to,
			 unsigned int nr)
{
	struct tree *tree = data;
	struct entry *entry;
	struct rb_node *node;
	unsigned int got = 0;

	read_lock(&tree->lock);
	entry = find_near(tree, key, false);
	for (node = entry ? &entry->node : NULL; node && got < nr;
	     node = rb_next(node)) {
		entry = rb_entry(node, struct entry, node);
		to[got].key = entry->key;
		to[got++].value = entry->value;
	}
	read_unlock(&tree->lock);
	return got;
}

static int find_floor(void *data, u64 key, struct blink_tree_entry *to)
{
	struct tree *tree = data;
	struct entry *entry;

	read_lock(&tree->lock);
	entry = find_near(tree, key, true);
	if (entry) {
		to->key = entry->key;
		to->value = entry->value;
	}
	read_unlock(&tree->lock);
	return entry ? 0 : -ENOENT;
}

static u64 bytes(void *data)
{
	struct tree *tree = data;

	return tree->nr * kmem_cache_size(tree->entries);
}

const struct lab_index_ops lab_rbtree_ops = {
	.version = LAB_LINUX,
	.create = create,
	.destroy = destroy,
	.insert = insert,
	.lookup = lookup,
	.store = store,
	.erase = erase,
	.scan = scan,
	.floor = find_floor,
	.bytes = bytes,
};
