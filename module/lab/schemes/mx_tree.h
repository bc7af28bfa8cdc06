/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: the B-link tree of MxTasks
 *
 * Jan Mühlig, "B-link-trees for DB/OS Co-Design", GvDB 2018, sections 3.2, 3.3 and 4.1.
 *
 * A *task* is a piece of work on one node, and runs to completion. At most one task
 * works on a node at a time, so it needs no lock. An operation is a chain of tasks: each
 * finds the next node, and a task for that node follows (algorithm 2). After a task that
 * split a node, a task adds the new node to the parent, up to the root.
 *
 * mx_step() is a task of the tree; it is the same code in three schemes, which differ
 * in the way that a thread gets a node to itself:
 *
 * mx_core.c	each node belongs to a core, which executes all tasks on it
 * mx_sync.c	each node has a Synchronize-Task, which executes the tasks on it
 * mx_spin.c	each node has a spinlock, and the client's thread takes it
 *		(algorithm 1); the paper compares the tasks with this one
 *
 * All three promise that insert, lookup, store and erase are linearizable: each takes
 * effect in one task, on the leaf that covers its key. Scans and floor visit one leaf
 * after the other, and promise less.
 *
 * The paper leaves some choices open, or makes them for its experiment alone:
 *
 * - Clients. The paper's tasks take pairs from an array. Here a client starts an
 *   operation, or a batch of them. Its thread is a core, and executes tasks until the last
 *   operation has ended (mx_cores.h).
 * - The memory of tasks. The paper allocates them from a global heap, and takes this for
 *   a bottleneck. Here an operation has one task at a time, so that its tasks share one
 *   structure, in the client's memory. An insertion ends for its client when the parents
 *   have all new nodes.
 * - Lack of memory. Before an insertion changes anything, it has as many nodes as
 *   there are levels (mx_reserve()).
 * - Erasing, which the paper does not describe. An entry leaves its leaf. The leaf stays
 *   in the tree, and may be empty.
 */
#ifndef BLINK_LAB_SCHEMES_MX_TREE_H
#define BLINK_LAB_SCHEMES_MX_TREE_H

#include <linux/build_bug.h>
#include <linux/completion.h>
#include <linux/llist.h>

#include "plain.h"

/* The size of a node; the paper does not say it. */
#define MX_NODE_BYTES 1024

/* Levels for which a task remembers its way down; from others, it is the root. */
#define MX_PATH 8

enum mx_op {
	MX_LOOKUP,
	MX_INSERT,
	MX_STORE,
	MX_ERASE,
	MX_SCAN,
	MX_FLOOR,
};

/**
 * struct mx_call - operations that a client waits for
 * @left: how many have not ended
 * @done: the last of them has
 */
struct mx_call {
	atomic_t left;
	struct completion done;
};

/**
 * struct mx_task - the current task of an operation
 * @link: in a list of tasks
 * @node: where it works
 * @call: its client's
 * @key: its key; for a task of an inner node the high key of a node that was split
 * @value: its value; for a task of an inner node the new node
 * @low: no key of @node is less than or equal to this, if @has_low
 * @entry: where a scan or floor puts what it finds
 * @nr: how many entries are wanted
 * @got: how many there are
 * @spare: nodes to split others with, linked to the right
 * @spares: how many
 * @level: of the nodes that it works on
 * @has_low: there are nodes to the left
 * @op: enum mx_op
 * @result: 0 or an error
 * @path: the nodes that led to level 0, 1, ...
 */
struct mx_task {
	struct llist_node link;
	struct plain_node *node;
	struct mx_call *call;
	u64 key;
	u64 value;
	u64 low;
	struct blink_tree_entry *entry;
	unsigned int nr;
	unsigned int got;
	struct plain_node *spare;
	u8 spares;
	u8 level;
	bool has_low;
	u8 op;
	int result;
	struct plain_node *path[MX_PATH];
};

/**
 * struct mx_tree - a tree
 * @tree: its nodes
 * @kind: which scheme it is of
 * @cores: the threads that execute tasks, or NULL
 */
struct mx_tree {
	struct plain_tree tree;
	u32 kind;
	struct mx_cores *cores;
};

static_assert(!offsetof(struct mx_tree, tree));

enum mx_kind {
	MX_CORE,
	MX_SYNC,
	MX_SPIN,
};

struct plain_node *mx_root(struct mx_tree *mx);
struct plain_node *mx_step(struct mx_tree *mx, struct mx_task *task,
			   struct plain_node *node);
bool mx_reserve(struct mx_tree *mx, struct mx_task *task);
void mx_end(struct mx_tree *mx, struct mx_task *task);

/*
 * Work on a node that this thread has to itself.
 *
 * Returns the node of the task that follows, or NULL: the operation has ended, and
 * @task is its client's again.
 */
static inline struct plain_node *
mx_run(struct mx_tree *mx, struct mx_task *task, struct plain_node *node)
{
	struct plain_node *next;

	do {
		next = mx_step(mx, task, node);
	} while (next == node && mx_reserve(mx, task));
	if (next && next != node)
		return next;
	mx_end(mx, task);
	return NULL;
}

#endif /* BLINK_LAB_SCHEMES_MX_TREE_H */
