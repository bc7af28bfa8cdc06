// SPDX-License-Identifier: GPL-2.0
/* The kernel's red-black tree, searched as its users do, under a lock. */
#include <linux/rbtree.h>

#include "slab.h"
#include "index.h"
#include "rwlock.h"

struct entry {
	struct rb_node node;
	u64 key;
	u64 value;
};

static struct {
	struct rwlock lock;
	struct rb_root root;
} tree;

static struct kmem_cache *cache;

static void *create(u64 keys)
{
	cache = kmem_cache_create("entry", sizeof(struct entry), 0, 0, NULL);
	tree.root = RB_ROOT;
	return cache ? &tree : NULL;
}

static void destroy(void *map)
{
	struct rb_node *node;

	while ((node = rb_first(&tree.root))) {
		rb_erase(node, &tree.root);
		kmem_cache_free(cache, rb_entry(node, struct entry, node));
	}
	kmem_cache_destroy(cache);
}

static struct entry *find(u64 key)
{
	struct rb_node *node = tree.root.rb_node;

	while (node) {
		struct entry *entry = rb_entry(node, struct entry, node);

		if (key == entry->key)
			return entry;
		node = key < entry->key ? node->rb_left : node->rb_right;
	}
	return NULL;
}

/* False if the key is there already. */
static bool link_entry(struct entry *new)
{
	struct rb_node **link = &tree.root.rb_node, *parent = NULL;

	while (*link) {
		struct entry *entry = rb_entry(*link, struct entry, node);

		if (new->key == entry->key)
			return false;
		parent = *link;
		link = new->key < entry->key ? &parent->rb_left :
					       &parent->rb_right;
	}
	rb_link_node(&new->node, parent, link);
	rb_insert_color(&new->node, &tree.root);
	return true;
}

static bool insert(void *map, u64 key, u64 value)
{
	struct entry *new = kmem_cache_alloc(cache, GFP_KERNEL);
	bool added;

	if (!new)
		return false;
	new->key = key;
	new->value = value;
	rwlock_write_lock(&tree.lock);
	added = link_entry(new);
	rwlock_write_unlock(&tree.lock);
	if (!added)
		kmem_cache_free(cache, new);
	return added;
}

static bool lookup(void *map, u64 key, u64 *value)
{
	struct entry *entry;

	rwlock_read_lock(&tree.lock);
	entry = find(key);
	if (entry)
		*value = entry->value;
	rwlock_read_unlock(&tree.lock);
	return entry;
}

static bool store(void *map, u64 key, u64 value)
{
	struct entry *entry;

	rwlock_write_lock(&tree.lock);
	entry = find(key);
	if (entry)
		entry->value = value;
	rwlock_write_unlock(&tree.lock);
	return entry || insert(map, key, value);
}

static bool erase(void *map, u64 key)
{
	struct entry *entry;

	rwlock_write_lock(&tree.lock);
	entry = find(key);
	if (entry)
		rb_erase(&entry->node, &tree.root);
	rwlock_write_unlock(&tree.lock);
	if (entry)
		kmem_cache_free(cache, entry);
	return entry;
}

/* The nearest entry with a key not below @key, or (@down) not above it. */
static struct entry *find_near(u64 key, bool down)
{
	struct rb_node *node = tree.root.rb_node;
	struct entry *best = NULL;
	bool below;

	while (node) {
		struct entry *entry = rb_entry(node, struct entry, node);

		if (key == entry->key)
			return entry;
		below = entry->key < key;
		if (below == down)
			best = entry;
		node = key < entry->key ? node->rb_left : node->rb_right;
	}
	return best;
}

static unsigned int scan(void *map, u64 key, struct blink_tree_entry *to,
			 unsigned int nr)
{
	unsigned int got = 0;
	struct entry *entry;
	struct rb_node *node;

	rwlock_read_lock(&tree.lock);
	entry = find_near(key, false);
	for (node = entry ? &entry->node : NULL; node && got < nr;
	     node = rb_next(node)) {
		entry = rb_entry(node, struct entry, node);
		to[got].key = entry->key;
		to[got++].value = entry->value;
	}
	rwlock_read_unlock(&tree.lock);
	return got;
}

static bool find_floor(void *map, struct blink_tree_entry *to)
{
	struct entry *entry;

	rwlock_read_lock(&tree.lock);
	entry = find_near(to->key, true);
	if (entry) {
		to->key = entry->key;
		to->value = entry->value;
	}
	rwlock_read_unlock(&tree.lock);
	return entry;
}

static u64 bytes(void *map)
{
	return slab_live_bytes();
}

const struct index index_rbtree = {
	.name = "rbtree",
	.version = LINUX_VERSION,
	.locking = "a lock for readers or a writer",
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
