// SPDX-License-Identifier: GPL-2.0
/* The locks in the latches of a node (latch.h), and their lockdep classes. */
#include <linux/kernel.h>

#include "latch.h"

/* Trees that are copies of each other are latched in their order. */
static struct lock_class_key keys[NUMA_RW_PARTS][PLAIN_LEVELS][LATCH_LOCKS];

static const char *const names[LATCH_LOCKS] = { "latch_access", "latch_data",
						"latch_parent" };

/* The size of the latches of a node, a multiple of a cache line. */
unsigned int latch_bytes(enum latch_kind kind)
{
	if (kind == LATCH_RWSEM)
		return sizeof(struct latch_rwsems);
	return LATCH_LOCKS * numa_rw_bytes();
}

/*
 * Make the free latches of a node, in the bytes in front of it. @copy is the number
 * of its tree, among the copies of a tree.
 */
void latch_init(enum latch_kind kind, void *latch, unsigned int level,
		unsigned int copy)
{
	struct latch_rwsems *sems = latch;
	struct lock_class_key *key = keys[copy][level];
	unsigned int i;

	for (i = 0; i < LATCH_LOCKS; i++) {
		if (kind == LATCH_RWSEM)
			__init_rwsem(&sems->lock[i], names[i], &key[i]);
		else
			numa_rw_init(latch + i * numa_rw_bytes(), names[i],
				     &key[i]);
	}
}
