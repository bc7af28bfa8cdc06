// SPDX-License-Identifier: GPL-2.0
/* The full CSB+-tree: a tree, and the readers that do not latch nodes (csb.h). */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "csb.h"

/*
 * Entries of a leaf (the paper's table 1), if the caller does not say. The paper gives
 * schemes without latches an entry more in inner nodes; that is left out here.
 */
#define CSB_SLOTS 15
#define CSB_SLOTS_OL 14
/* Less makes no tree, and a group of more is too large to allocate. */
#define CSB_SLOTS_MIN 4
#define CSB_SLOTS_MAX 128

/* Trees that were ever made. */
static atomic_t trees = ATOMIC_INIT(0);

/* For lockdep: CSB_OL latches upwards, the others downwards; CSB_LC has real locks. */
static struct lock_class_key level_keys[2][PLAIN_LEVELS];
static struct lock_class_key latch_keys[PLAIN_LEVELS];

static unsigned int front_bytes(enum csb_control control)
{
	switch (control) {
	case CSB_LC:
		return sizeof(struct csb_latch);
	case CSB_VN:
	case CSB_OL:
		return sizeof(u64);
	default:
		return 0;
	}
}

static void init_levels(struct csb_tree *tree)
{
	bool up = tree->control == CSB_OL;
	unsigned int i;

	for (i = 0; i < PLAIN_LEVELS; i++)
		lockdep_init_map(&tree->levels[i],
				 up ? "lab_csb_up" : "lab_csb_down",
				 &level_keys[up][i], 0);
}

static int tree_init(struct csb_tree *tree, unsigned int bytes)
{
	struct csb_group *group;
	struct csb_node *root;

	tree->slots = (bytes - min_t(unsigned int, bytes, sizeof(*root))) /
		      (2 * sizeof(u64));
	if (tree->slots < CSB_SLOTS_MIN || tree->slots > CSB_SLOTS_MAX ||
	    bytes % sizeof(u64))
		return -EINVAL;
	tree->front = front_bytes(tree->control);
	tree->stride = tree->front + bytes;
	snprintf(tree->name, sizeof(tree->name), "lab_csb_%d",
		 atomic_inc_return(&trees));
	tree->groups = kmem_cache_create(tree->name, csb_group_bytes(tree),
					 L1_CACHE_BYTES, 0, NULL);
	if (!tree->groups)
		return -ENOMEM;
	group = csb_group_alloc(tree);
	if (!group) {
		kmem_cache_destroy(tree->groups);
		return -ENOMEM;
	}
	csb_group_init(tree, group, 0);
	root = csb_node_at(tree, group, 0);
	root->count = 0;
	root->high = PLAIN_KEY_MAX;
	RCU_INIT_POINTER(tree->root, group);
	return 0;
}

void *csb_create(enum csb_control control, const struct lab_params *params)
{
	const unsigned int slots = control == CSB_OL ? CSB_SLOTS_OL : CSB_SLOTS;
	const unsigned int bytes =
		sizeof(struct csb_node) + 2 * sizeof(u64) * slots;
	struct csb_tree *tree = kzalloc(sizeof(*tree), LAB_GFP);
	int ret;

	if (!tree)
		return ERR_PTR(-ENOMEM);
	rwlock_init(&tree->latch);
	tree->control = control;
	init_levels(tree);
	ret = tree_init(tree, params->node_bytes ?: bytes);
	if (ret) {
		kfree(tree);
		return ERR_PTR(ret);
	}
	return tree;
}

/* Allocate a group, which csb_group_init() makes ready; or NULL. */
struct csb_group *csb_group_alloc(struct csb_tree *tree)
{
	struct csb_group *group = kmem_cache_alloc(tree->groups, LAB_GFP);

	if (group)
		atomic_long_add(1, &tree->nr);
	return group;
}

/* A place without a node, and with a latch that is free. */
static void place_init(const struct csb_tree *tree, struct csb_node *node,
		       unsigned int level)
{
	void *front = csb_front(tree, node);

	if (tree->control == CSB_LC) {
		struct csb_latch *latch = front;

		rwlock_init(&latch->latch);
		lockdep_set_class(&latch->latch, &latch_keys[level]);
	} else {
		*(u64 *)front = 0;
	}
	node->count = 0;
	node->high = 0;
}

/* Make the places of a group ready. No other thread knows it. */
void csb_group_init(const struct csb_tree *tree, struct csb_group *group,
		    unsigned int level)
{
	unsigned int i;

	group->level = level;
	group->dead = false;
	group->ccinfo = 0;
	group->link = NULL;
	if (!tree->front)
		return;
	for (i = 0; i < csb_inner_slots(tree); i++)
		place_init(tree, csb_node_at(tree, group, i), level);
}

/* Free a group that no other thread can reach. */
void csb_group_free(struct csb_tree *tree, struct csb_group *group)
{
	atomic_long_sub(1, &tree->nr);
	kmem_cache_free(tree->groups, group);
}

static void retired(struct rcu_head *head)
{
	struct csb_group *group = container_of(head, struct csb_group, rcu);

	atomic_long_sub(1, &group->tree->waiting);
	csb_group_free(group->tree, group);
}

/* Free a group, which has left the tree, after a grace period. */
void csb_group_retire(struct csb_tree *tree, struct csb_group *group)
{
	group->tree = tree;
	atomic_long_add(1, &tree->waiting);
	call_rcu(&group->rcu, retired);
}

/* Keep the nodes that a reader can reach: by TL's latch, or from being freed. */
static void begin_reading(struct csb_tree *tree)
{
	if (tree->control == CSB_TL)
		read_lock(&tree->latch);
	else if (tree->control != CSB_NO)
		rcu_read_lock();
}

static void end_reading(struct csb_tree *tree)
{
	if (tree->control == CSB_TL)
		read_unlock(&tree->latch);
	else if (tree->control != CSB_NO)
		rcu_read_unlock();
}

int csb_lookup(void *data, u64 key, u64 *value)
{
	struct csb_tree *tree = data;
	struct csb_node *leaf;
	unsigned int pos;
	bool found;

	begin_reading(tree);
	leaf = csb_find_leaf(tree, key).node;
	pos = csb_search(leaf, key);
	found = csb_has_key(leaf, pos, key);
	if (found)
		*value = leaf->word[tree->slots + pos];
	end_reading(tree);
	return found ? 0 : -ENOENT;
}

static void copy_entry(const struct csb_tree *tree, const struct csb_node *leaf,
		       unsigned int pos, struct blink_tree_entry *entry)
{
	entry->key = leaf->word[pos];
	entry->value = leaf->word[tree->slots + pos];
}

/* The leaves of a group follow each other in memory; a group is entered from the root. */
unsigned int csb_scan(void *data, u64 key, struct blink_tree_entry *entry,
		      unsigned int nr)
{
	struct csb_tree *tree = data;
	unsigned int got = 0, i, pos;
	struct csb_leaf leaf;

	begin_reading(tree);
	do {
		leaf = csb_find_leaf(tree, key);
		for (i = 0; i <= leaf.rest && got < nr; i++) {
			struct csb_node *node =
				(void *)leaf.node + (size_t)i * tree->stride;

			for (pos = csb_search(node, key);
			     pos < node->count && got < nr; pos++)
				copy_entry(tree, node, pos, &entry[got++]);
		}
		key = leaf.high + 1;
	} while (got < nr && leaf.high != PLAIN_KEY_MAX);
	end_reading(tree);
	return got;
}

int csb_floor(void *data, u64 key, struct blink_tree_entry *entry)
{
	struct csb_tree *tree = data;
	struct csb_leaf leaf;
	unsigned int pos;
	bool found;

	begin_reading(tree);
	do {
		leaf = csb_find_leaf(tree, key);
		pos = csb_search(leaf.node, key);
		found = csb_has_key(leaf.node, pos, key) || pos--;
		if (found)
			copy_entry(tree, leaf.node, pos, entry);
		key = leaf.low;
	} while (!found && key != PLAIN_KEY_MAX);
	end_reading(tree);
	return found ? 0 : -ENOENT;
}

/* The entries of a node ascend from @low to its high key, which is an inner node's last. */
static bool node_sound(const struct csb_tree *tree, const struct csb_node *node,
		       unsigned int level, u64 low, u64 high)
{
	unsigned int i;

	if (node->high != high ||
	    node->count > (level ? csb_inner_slots(tree) : tree->slots))
		return false;
	for (i = 0; i < node->count; i++) {
		/* No key is below the first one, and that may be 0. */
		if (low != PLAIN_KEY_MAX && node->word[i] <= low)
			return false;
		low = node->word[i];
	}
	if (level)
		return node->count && low == high;
	return !node->count || low <= high;
}

/* A group of @nr nodes: the link of the one before it leads here, the rest is empty. */
static bool group_sound(const struct csb_tree *tree,
			const struct csb_group *before, struct csb_group *group,
			unsigned int level, unsigned int nr)
{
	bool sound = group->level == level && !group->dead;

	if (tree->control != CSB_OL)
		return sound;
	for (; nr < csb_inner_slots(tree); nr++)
		sound &= !csb_node_at(tree, group, nr)->high;
	return sound && (!before || before->link == group);
}

/* The first child of a node is visited: check its group. */
static bool enter_group(const struct csb_tree *tree, struct csb_group **last,
			const struct csb_node *node, unsigned int level)
{
	struct csb_group *group = csb_group_of(tree, node);
	struct csb_group *before = last[level];

	last[level] = group;
	return group_sound(tree, before, group, level, node->count);
}

/*
 * Visit all nodes, children before their parent: check them, or free their groups. A
 * group is freed with the last child in it.
 */
static int walk(struct csb_tree *tree, bool check)
{
	struct csb_group *last[PLAIN_LEVELS] = {}, *root = csb_root(tree);
	struct csb_node *path[PLAIN_LEVELS], *node = csb_node_at(tree, root, 0);
	unsigned int at[PLAIN_LEVELS], level = root->level;
	u64 low = PLAIN_KEY_MAX;

	path[level] = node;
	at[level] = 0;
	if (check && (!group_sound(tree, NULL, root, level, 1) ||
		      !node_sound(tree, node, level, low, PLAIN_KEY_MAX)))
		return -EUCLEAN;
	for (;;) {
		node = path[level];
		if (level && at[level] < node->count) {
			u64 high = node->word[at[level]];

			if (check && !at[level] &&
			    !enter_group(tree, last, node, level - 1))
				return -EUCLEAN;
			if (at[level])
				low = node->word[at[level] - 1];
			path[level - 1] = csb_node_at(
				tree, csb_group_of(tree, node), at[level]++);
			at[--level] = 0;
			if (check &&
			    !node_sound(tree, path[level], level, low, high))
				return -EUCLEAN;
			continue;
		}
		if (level && !check)
			csb_group_free(tree, csb_group_of(tree, node));
		cond_resched();
		if (level++ == root->level)
			return 0;
	}
}

int csb_verify(void *data)
{
	return walk(data, true);
}

void csb_destroy(void *data)
{
	struct csb_tree *tree = data;

	walk(tree, false);
	csb_group_free(tree, csb_root(tree));
	/* For groups that wait to be freed. */
	rcu_barrier();
	WARN_ON_ONCE(atomic_long_read(&tree->nr));
	kmem_cache_destroy(tree->groups);
	kfree(tree);
}

/* With the places that are free and the groups that wait to be freed. */
u64 csb_bytes(void *data)
{
	struct csb_tree *tree = data;

	return atomic_long_read(&tree->nr) * (u64)csb_group_bytes(tree);
}
