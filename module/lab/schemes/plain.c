// SPDX-License-Identifier: GPL-2.0
/* The nodes that the schemes of the papers are built of (plain.h). */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/numa.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "lab_index.h"
#include "plain.h"
#include "slots.h"

/* Fewer make no tree, and &plain_node.count counts no more. */
#define SLOTS_MIN 4
#define SLOTS_MAX U16_MAX

/* Larger nodes would need many contiguous pages of a slab. */
#define SLAB_BYTES_MAX 8192

/* Trees that were ever made. */
static atomic_t trees = ATOMIC_INIT(0);

/*
 * Make a tree of one empty leaf, on a NUMA node or NUMA_NO_NODE, in memory that is
 * zeroed. @node_bytes are those of a node without the @head that the scheme adds in
 * front of each, a multiple of 8. @latch_init makes these bytes what they are at
 * first, if it is not NULL.
 *
 * Returns 0; -EINVAL for nodes that are too small, or too large; -ENOMEM.
 */
int plain_tree_init_on(struct plain_tree *tree, unsigned int node_bytes,
		       unsigned int head, void (*latch_init)(void *latch),
		       int nid)
{
	struct plain_node *root;
	unsigned int slots;

	slots = (node_bytes -
		 min(node_bytes, (unsigned int)sizeof(struct plain_node))) /
		(2 * sizeof(u64));
	if (slots < SLOTS_MIN || slots > SLOTS_MAX || head % sizeof(u64))
		return -EINVAL;
	snprintf(tree->name, sizeof(tree->name), "lab_plain_%d",
		 atomic_inc_return(&trees));
	tree->bytes = head + node_bytes;
	tree->nodes = NULL;
	if (tree->bytes <= SLAB_BYTES_MAX) {
		tree->nodes = kmem_cache_create(tree->name, tree->bytes,
						L1_CACHE_BYTES, 0, NULL);
		if (!tree->nodes)
			return -ENOMEM;
	}
	tree->slots = slots;
	tree->head = head;
	tree->latch_init = latch_init;
	atomic_long_set(&tree->count, 0);
	atomic_long_set(&tree->waiting, 0);
	root = plain_node_alloc(tree, 0, nid);
	if (!root) {
		kmem_cache_destroy(tree->nodes);
		return -ENOMEM;
	}
	RCU_INIT_POINTER(tree->root, root);
	return 0;
}

/* As plain_tree_init_on(), on the NUMA node of the caller. */
int plain_tree_init(struct plain_tree *tree, unsigned int node_bytes,
		    unsigned int head, void (*latch_init)(void *latch))
{
	return plain_tree_init_on(tree, node_bytes, head, latch_init,
				  NUMA_NO_NODE);
}

/* Each child is freed once: a scheme may leave right links that lead elsewhere. */
static void free_below(struct plain_tree *tree, struct plain_node *node)
{
	struct plain_node *path[PLAIN_LEVELS];
	unsigned int at[PLAIN_LEVELS], depth = 0;

	path[0] = node;
	at[0] = 0;
	for (;;) {
		node = path[depth];
		if (node->level && at[depth] < node->count) {
			path[depth + 1] = plain_child(tree, node, at[depth]++);
			at[++depth] = 0;
			continue;
		}
		plain_node_free(tree, node);
		cond_resched();
		if (!depth--)
			return;
	}
}

/*
 * Free all nodes of a tree; no thread uses it. Every node that is not dead is a child
 * of another one, or the root. Sleeps, for what waits for RCU too.
 */
void plain_tree_end(struct plain_tree *tree)
{
	free_below(tree, rcu_dereference_protected(tree->root, true));
	rcu_barrier();
	WARN_ON_ONCE(atomic_long_read(&tree->count));
	kmem_cache_destroy(tree->nodes);
}

void plain_destroy(void *data)
{
	plain_tree_end(data);
	kfree(data);
}

/* With the nodes that wait to be freed. */
u64 plain_tree_bytes(void *data)
{
	struct plain_tree *tree = data;

	return atomic_long_read(&tree->count) * (u64)tree->bytes;
}

static void *alloc_bytes(struct plain_tree *tree, int nid)
{
	if (!tree->nodes)
		return kvmalloc_node(tree->bytes, LAB_GFP, nid);
	return kmem_cache_alloc_node(tree->nodes, LAB_GFP, nid);
}

static void free_bytes(struct plain_tree *tree, void *latch)
{
	if (!tree->nodes)
		kvfree(latch);
	else
		kmem_cache_free(tree->nodes, latch);
}

/*
 * Allocate an empty node on a NUMA node, or NUMA_NO_NODE. It has the range of a
 * level's only node.
 */
struct plain_node *plain_node_alloc(struct plain_tree *tree, unsigned int level,
				    int nid)
{
	void *latch = alloc_bytes(tree, nid);
	struct plain_node *node = latch + tree->head;

	if (!latch)
		return NULL;
	atomic_long_add(1, &tree->count);
	if (tree->latch_init)
		tree->latch_init(latch);
	node->count = 0;
	node->level = level;
	node->dead = false;
	node->high = PLAIN_KEY_MAX;
	RCU_INIT_POINTER(node->right, NULL);
	node->policy = 0;
	return node;
}

/* Free a node, or NULL, that no other thread can reach. A callback of RCU may call it. */
void plain_node_free(struct plain_tree *tree, struct plain_node *node)
{
	if (!node)
		return;
	atomic_long_sub(1, &tree->count);
	free_bytes(tree, plain_latch(tree, node));
}

static void retired(struct rcu_head *head)
{
	struct plain_node *node = container_of(head, struct plain_node, rcu);

	atomic_long_sub(1, &node->tree->waiting);
	plain_node_free(node->tree, node);
}

/* Free a node, which has left the tree, after a grace period. */
void plain_node_retire(struct plain_tree *tree, struct plain_node *node)
{
	WRITE_ONCE(node->tree, tree);
	atomic_long_add(1, &tree->waiting);
	call_rcu(&node->rcu, retired);
}

/* Add an entry, a key or bound, to a node that is not full. The caller owns @node. */
void plain_entry_insert(struct plain_tree *tree, struct plain_node *node,
			unsigned int pos, u64 key, u64 value)
{
	unsigned int count = node->count;

	slot_insert(node->slot, count, pos, key);
	slot_insert(node->slot + tree->slots, count, pos, value);
	WRITE_ONCE(node->count, count + 1);
}

/* Remove an entry from a node. The caller owns @node. */
void plain_entry_remove(struct plain_tree *tree, struct plain_node *node,
			unsigned int pos)
{
	unsigned int count = node->count;

	slot_remove(node->slot, count, pos);
	slot_remove(node->slot + tree->slots, count, pos);
	WRITE_ONCE(node->count, count - 1);
}

/*
 * Move the upper half of a node to a new right neighbour, an empty node of the same
 * level, which no other thread knows. It is complete before its left neighbour leads
 * to it. The caller owns @left.
 */
void plain_node_split(struct plain_tree *tree, struct plain_node *left,
		      struct plain_node *right)
{
	unsigned int n = left->count / 2, at = left->count - n;

	slot_copy(right->slot, left->slot + at, n);
	slot_copy(right->slot + tree->slots, left->slot + tree->slots + at, n);
	right->count = n;
	right->high = left->high;
	RCU_INIT_POINTER(right->right,
			 rcu_dereference_protected(left->right, true));
	/* Pairs with rcu_dereference() in a reader that goes right. */
	rcu_assign_pointer(left->right, right);
	WRITE_ONCE(left->high, left->slot[at - 1]);
	WRITE_ONCE(left->count, at);
}

/*
 * Move all entries of a node into its left neighbour, which has room for them. @right
 * is dead then and keeps a copy. The caller owns both.
 */
void plain_node_absorb(struct plain_tree *tree, struct plain_node *left,
		       struct plain_node *right)
{
	unsigned int count = left->count;

	slot_copy(left->slot + count, right->slot, right->count);
	slot_copy(left->slot + tree->slots + count, right->slot + tree->slots,
		  right->count);
	WRITE_ONCE(left->count, count + right->count);
	WRITE_ONCE(left->high, right->high);
	rcu_assign_pointer(left->right,
			   rcu_dereference_protected(right->right, true));
	WRITE_ONCE(right->dead, true);
}

/*
 * Make a node, which no other thread knows, equal to another one of its level. The
 * caller owns both.
 */
void plain_node_copy(struct plain_tree *tree, struct plain_node *to,
		     const struct plain_node *from)
{
	slot_copy(to->slot, from->slot, from->count);
	slot_copy(to->slot + tree->slots, from->slot + tree->slots,
		  from->count);
	to->count = from->count;
	to->high = from->high;
	RCU_INIT_POINTER(to->right,
			 rcu_dereference_protected(from->right, true));
}

/*
 * Enter @right, which was split off the child @left, into its parent, which is not
 * full. @pos is the position of @left. The caller owns @parent and both children.
 */
void plain_child_split(struct plain_tree *tree, struct plain_node *parent,
		       unsigned int pos, struct plain_node *left,
		       struct plain_node *right)
{
	plain_entry_insert(tree, parent, pos, left->high, (uintptr_t)left);
	plain_set_value(tree, parent, pos + 1, (uintptr_t)right);
}

/*
 * Move all entries of a child into its left neighbour, which has room for them. @pos
 * is the position of @left; @right is dead then. The caller owns @parent and both
 * children.
 */
void plain_child_merge(struct plain_tree *tree, struct plain_node *parent,
		       unsigned int pos, struct plain_node *left,
		       struct plain_node *right)
{
	plain_node_absorb(tree, left, right);
	plain_set_value(tree, parent, pos + 1, (uintptr_t)left);
	plain_entry_remove(tree, parent, pos);
}

/*
 * Move one entry between two neighbours: to @left the first of @right, or to @right
 * the last of @left. @pos is the position of @left. The caller owns @parent and both
 * children.
 */
void plain_child_borrow(struct plain_tree *tree, struct plain_node *parent,
			unsigned int pos, struct plain_node *left,
			struct plain_node *right, bool to_left)
{
	struct plain_node *from = to_left ? right : left;
	unsigned int at = to_left ? 0 : left->count - 1;
	u64 key = from->slot[at], value = from->slot[tree->slots + at];

	plain_entry_remove(tree, from, at);
	if (to_left)
		plain_entry_insert(tree, left, left->count, key, value);
	else
		plain_entry_insert(tree, right, 0, key, value);
	WRITE_ONCE(left->high, left->slot[left->count - 1]);
	WRITE_ONCE(parent->slot[pos], left->high);
}

/*
 * Make an empty inner node the parent of an old root, @left, and of the node that was
 * split off it. No other thread knows @root; the caller owns all three, and publishes
 * it.
 */
void plain_root_init(struct plain_tree *tree, struct plain_node *root,
		     struct plain_node *left, struct plain_node *right)
{
	plain_entry_insert(tree, root, 0, left->high, (uintptr_t)left);
	plain_entry_insert(tree, root, 1, right->high, (uintptr_t)right);
}

/*
 * Execute an update in the leaf that covers its key. The caller owns @leaf, which has
 * room for an entry unless @op is PLAIN_ERASE.
 *
 * Returns 0; -EEXIST for PLAIN_INSERT of a key that is there; -ENOENT for PLAIN_ERASE
 * of one that is absent.
 */
int plain_leaf_update(struct plain_tree *tree, struct plain_node *leaf,
		      enum plain_op op, u64 key, u64 value)
{
	unsigned int pos = plain_search(tree, leaf, key);
	bool found = plain_found(leaf, pos, key);

	if (op == PLAIN_ERASE) {
		if (!found)
			return -ENOENT;
		plain_entry_remove(tree, leaf, pos);
		return 0;
	}
	if (found && op == PLAIN_INSERT)
		return -EEXIST;
	if (found)
		plain_set_value(tree, leaf, pos, value);
	else
		plain_entry_insert(tree, leaf, pos, key, value);
	return 0;
}

/* Copy up to @nr entries of a leaf, which does not change, from a key on: how many. */
unsigned int plain_leaf_scan(const struct plain_tree *tree,
			     const struct plain_node *leaf, u64 key,
			     struct blink_tree_entry *entry, unsigned int nr)
{
	unsigned int pos = plain_search(tree, leaf, key), i;

	nr = min(nr, leaf->count - pos);
	for (i = 0; i < nr; i++) {
		entry[i].key = plain_key(leaf, pos + i);
		entry[i].value = plain_value(tree, leaf, pos + i);
	}
	return nr;
}

/*
 * Copy a leaf's entry of the greatest key not above a key, if there is one. The leaf
 * does not change.
 */
bool plain_leaf_floor(const struct plain_tree *tree,
		      const struct plain_node *leaf, u64 key,
		      struct blink_tree_entry *entry)
{
	unsigned int pos = plain_search(tree, leaf, key);

	if (!plain_found(leaf, pos, key) && !pos--)
		return false;
	entry->key = plain_key(leaf, pos);
	entry->value = plain_value(tree, leaf, pos);
	return true;
}

/* Entries ascend strictly, and end at the high key in an inner node. */
static bool node_sound(const struct plain_tree *tree,
		       const struct plain_node *node, u64 low, bool first)
{
	unsigned int i;

	if (node->dead || node->count > tree->slots)
		return false;
	for (i = 0; i < node->count; i++) {
		if (!first && node->slot[i] <= low)
			return false;
		low = node->slot[i];
		first = false;
	}
	if (node->level)
		return node->count && low == node->high;
	return first || low <= node->high;
}

/*
 * Check a tree of unique keys, which no thread changes: each node is sound, and
 * covers what its entry in the parent says. @entries is set to how many keys it has.
 */
int plain_tree_verify(struct plain_tree *tree, u64 *entries)
{
	struct plain_node *path[PLAIN_LEVELS], *node, *child;
	unsigned int at[PLAIN_LEVELS], depth = 0, i;
	bool first = true;
	u64 low = 0;

	*entries = 0;
	path[0] = rcu_dereference_protected(tree->root, true);
	at[0] = 0;
	if (path[0]->high != PLAIN_KEY_MAX)
		return -EUCLEAN;
	for (;;) {
		node = path[depth];
		if (!at[depth] && !node_sound(tree, node, low, first))
			return -EUCLEAN;
		if (node->level && at[depth] < node->count) {
			i = at[depth]++;
			child = plain_child(tree, node, i);
			if (child->level + 1 != node->level ||
			    child->high != node->slot[i])
				return -EUCLEAN;
			path[++depth] = child;
			at[depth] = 0;
			continue;
		}
		if (!node->level) {
			*entries += node->count;
			low = node->high;
			first = false;
			cond_resched();
		}
		if (!depth--)
			return 0;
	}
}

int plain_verify(void *data)
{
	u64 entries;

	return plain_tree_verify(data, &entries);
}
