// SPDX-License-Identifier: GPL-2.0
/* The tasks of the B-link tree of MxTasks (mx_tree.h). */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/numa.h>
#include <linux/sched.h>

#include "mx_tree.h"

/*
 * The thread that has the root to itself replaces it. Nodes are freed with the tree
 * alone, so it is of use after the read section.
 */
struct plain_node *mx_root(struct mx_tree *mx)
{
	struct plain_node *root;

	rcu_read_lock();
	root = rcu_dereference(mx->tree.root);
	rcu_read_unlock();
	return root;
}

static struct plain_node *right_of(struct plain_node *node)
{
	return rcu_dereference_protected(node->right, true);
}

/*
 * Allocate the nodes that an insertion can need, whose task is to split a node. One
 * for each level, from that of the task on, and one for a new root. More roots can
 * come meanwhile: then the task, which cannot fail any more, waits for memory.
 *
 * Returns false if memory is short and nothing was changed yet; then the result of
 * the operation is -ENOMEM.
 */
bool mx_reserve(struct mx_tree *mx, struct mx_task *task)
{
	unsigned int nr = mx_root(mx)->level - task->level + 2;
	struct plain_node *node;

	while (task->spares < nr) {
		node = plain_node_alloc(&mx->tree, 0, NUMA_NO_NODE);
		if (!node && !task->level) {
			task->result = -ENOMEM;
			return false;
		}
		if (!node) {
			schedule_timeout_uninterruptible(1);
			continue;
		}
		RCU_INIT_POINTER(node->right, task->spare);
		task->spare = node;
		task->spares++;
	}
	return true;
}

static struct plain_node *take_spare(struct mx_task *task, unsigned int level)
{
	struct plain_node *node = task->spare;

	task->spare = right_of(node);
	task->spares--;
	RCU_INIT_POINTER(node->right, NULL);
	node->level = level;
	return node;
}

/* End an operation. Its last task may be gone afterwards. */
void mx_end(struct mx_tree *mx, struct mx_task *task)
{
	struct mx_call *call = task->call;

	while (task->spare)
		plain_node_free(&mx->tree, take_spare(task, 0));
	if (call && atomic_dec_and_test(&call->left))
		complete(&call->done);
}

/*
 * Add an entry to a node that is not full. In an inner node it divides the range of a
 * child: the left part stays with that child, the right part gets the new one.
 */
static void add_entry(struct mx_tree *mx, struct mx_task *task,
		      struct plain_node *node)
{
	struct plain_tree *tree = &mx->tree;
	unsigned int pos = plain_search(tree, node, task->key);

	if (!node->level) {
		plain_entry_insert(tree, node, pos, task->key, task->value);
		return;
	}
	plain_entry_insert(tree, node, pos, task->key,
			   plain_value(tree, node, pos));
	plain_set_value(tree, node, pos + 1, task->value);
}

static void grow(struct mx_tree *mx, struct mx_task *task,
		 struct plain_node *left, struct plain_node *right)
{
	struct plain_node *root = take_spare(task, left->level + 1);

	plain_root_init(&mx->tree, root, left, right);
	/* Pairs with rcu_dereference() in mx_root(). */
	rcu_assign_pointer(mx->tree.root, root);
}

/* Split a full node and add the entry; the parent's task follows. */
static struct plain_node *split(struct mx_tree *mx, struct mx_task *task,
				struct plain_node *node)
{
	bool is_root = node == mx_root(mx);
	struct plain_node *right, *parent = NULL;

	if (task->spares < 1 + is_root)
		return node;
	right = take_spare(task, node->level);
	plain_node_split(&mx->tree, node, right);
	add_entry(mx, task, task->key > node->high ? right : node);
	if (is_root) {
		grow(mx, task, node, right);
		return NULL;
	}
	if (node->level < MX_PATH)
		parent = task->path[node->level];
	task->level = node->level + 1;
	task->key = node->high;
	task->value = (uintptr_t)right;
	return parent ?: mx_root(mx);
}

static struct plain_node *insert(struct mx_tree *mx, struct mx_task *task,
				 struct plain_node *node)
{
	if (plain_full(&mx->tree, node))
		return split(mx, task, node);
	add_entry(mx, task, node);
	return NULL;
}

static struct plain_node *scan(struct mx_tree *mx, struct mx_task *task,
			       struct plain_node *leaf)
{
	unsigned int pos = plain_search(&mx->tree, leaf, task->key);

	for (; pos < leaf->count && task->got < task->nr; pos++) {
		task->entry[task->got++] = (struct blink_tree_entry){
			.key = plain_key(leaf, pos),
			.value = plain_value(&mx->tree, leaf, pos),
		};
	}
	if (task->got == task->nr)
		return NULL;
	task->key = leaf->high + 1;
	return right_of(leaf);
}

/* If all keys of the leaf are greater, it is one of the leaves to the left. */
static struct plain_node *find_floor(struct mx_tree *mx, struct mx_task *task,
				     struct plain_node *leaf)
{
	unsigned int pos = plain_search(&mx->tree, leaf, task->key);

	if (!plain_found(leaf, pos, task->key) && !pos--) {
		task->result = task->has_low ? 0 : -ENOENT;
		task->key = task->low;
		if (!task->has_low)
			return NULL;
		task->has_low = false;
		return mx_root(mx);
	}
	task->entry->key = plain_key(leaf, pos);
	task->entry->value = plain_value(&mx->tree, leaf, pos);
	return NULL;
}

static struct plain_node *work_on_leaf(struct mx_tree *mx, struct mx_task *task,
				       struct plain_node *leaf)
{
	unsigned int pos = plain_search(&mx->tree, leaf, task->key);
	bool found = plain_found(leaf, pos, task->key);

	switch (task->op) {
	case MX_INSERT:
		task->result = found ? -EEXIST : 0;
		return found ? NULL : insert(mx, task, leaf);
	case MX_STORE:
		if (!found)
			return insert(mx, task, leaf);
		plain_set_value(&mx->tree, leaf, pos, task->value);
		return NULL;
	case MX_SCAN:
		return scan(mx, task, leaf);
	case MX_FLOOR:
		return find_floor(mx, task, leaf);
	}
	task->result = found ? 0 : -ENOENT;
	if (found && task->op == MX_LOOKUP)
		task->value = plain_value(&mx->tree, leaf, pos);
	if (found && task->op == MX_ERASE)
		plain_entry_remove(&mx->tree, leaf, pos);
	return NULL;
}

static struct plain_node *go_down(struct mx_tree *mx, struct mx_task *task,
				  struct plain_node *node)
{
	unsigned int pos = plain_search(&mx->tree, node, task->key);

	if (pos) {
		task->low = plain_key(node, pos - 1);
		task->has_low = true;
	}
	if (node->level <= MX_PATH)
		task->path[node->level - 1] = node;
	return plain_child(&mx->tree, node, pos);
}

/*
 * Execute a task on its node, which this thread has to itself.
 *
 * Returns the node of the next task; NULL, if this was the last one; @node, if this
 * one is to run again after mx_reserve().
 */
struct plain_node *mx_step(struct mx_tree *mx, struct mx_task *task,
			   struct plain_node *node)
{
	if (task->key > node->high) {
		task->low = node->high;
		task->has_low = true;
		return right_of(node);
	}
	if (node->level > task->level)
		return go_down(mx, task, node);
	if (node->level)
		return insert(mx, task, node);
	return work_on_leaf(mx, task, node);
}
