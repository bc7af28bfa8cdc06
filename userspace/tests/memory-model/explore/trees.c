// SPDX-License-Identifier: GPL-2.0
/*
 * Two trees with cohort locks, of which the only leaves share a gate. The thread
 * that leaves the first one last destroys it, while the other one is in use (I9).
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/slab.h>

#include "core/index/alloc.h"
#include "core/node/locking.h"
#include "explore.h"

#define LEAVES 1024
#define BRIEF 0
#define LASTING 1

static struct blink_tree *tree[2];
static struct blink_node *leaf[2];
/* Counts that the leaves' locks guard, and how many fibers still use the brief tree. */
static struct shared {
	u64 held[2];
	atomic_t using;
} *shared;
/* The trees that each fiber writes to, one after the other. */
static const struct {
	unsigned int nr;
	unsigned char of[2];
} writes[FIBERS_MAX] = {
	{ 2, { BRIEF, LASTING } },
	{ 1, { BRIEF } },
	{ 1, { LASTING } },
};

static void write_to(unsigned int i)
{
	unsigned long flags;

	rcu_read_lock();
	flags = blink_writer_begin(tree[i]);
	blink_node_lock_first(tree[i], leaf[i]);
	shared->held[i]++;
	blink_node_unlock(tree[i], leaf[i]);
	blink_writer_end(tree[i], flags);
	rcu_read_unlock();
	if (i == BRIEF && atomic_dec_and_test(&shared->using))
		blink_tree_destroy(tree[BRIEF]);
}

static void body(unsigned int fiber)
{
	unsigned int i;

	for (i = 0; i < writes[fiber].nr; i++)
		write_to(writes[fiber].of[i]);
}

static void check(void)
{
	if (shared->held[BRIEF] != 2 || shared->held[LASTING] != 2)
		explore_fail("somebody was in at the same time as another");
	if (leaf[LASTING]->lock.raw.locked)
		explore_fail("a lock is left locked");
	if (arena_live((char *)leaf[BRIEF] - arena))
		explore_fail("the tree was not destroyed");
}

/* A leaf at the gate of the other tree's, instead of the one that there is. */
static void move_to_gate(void)
{
	unsigned int i;

	for (i = 0; i < LEAVES; i++) {
		leaf[LASTING] = NULL;
		blink_leaf_get(tree[LASTING], &leaf[LASTING], GFP_KERNEL);
		if (hash_ptr(&leaf[LASTING]->lock, 8) ==
		    hash_ptr(&leaf[BRIEF]->lock, 8))
			break;
	}
	if (i == LEAVES)
		explore_fail("no two leaves share a gate");
	rcu_assign_pointer(tree[LASTING]->index[0].root, leaf[LASTING]);
}

void trees_run(const struct scenario *scenario, struct search *search)
{
	unsigned int i;

	shared = kzalloc(sizeof(*shared), GFP_KERNEL);
	atomic_set(&shared->using, 2);
	for (i = 0; i < 2; i++) {
		tree[i] = blink_tree_create(scenario->mode, GFP_KERNEL);
		leaf[i] = rcu_access_pointer(tree[i]->index[0].root);
	}
	move_to_gate();
	search->nr = 3;
	search->body = body;
	search->check = check;
	search_run(search);
}
