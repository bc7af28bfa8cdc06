// SPDX-License-Identifier: GPL-2.0
/* Statistics of a tree, with the array of its levels; its hottest leaves. */
#include "internal.h"

/* Levels times NUMA nodes: enough for most trees on most machines. */
#define LEVELS_GUESS 16

struct blinktree_stats {
	struct blink_tree_ioc_stats counters;
	struct blink_tree_ioc_levels arg;
	struct blink_tree_level_stats *levels;
};

static int resize(struct blinktree_stats *stats, __u32 capacity)
{
	void *levels =
		realloc(stats->levels, capacity * sizeof(stats->levels[0]));

	if (!levels)
		return -ENOMEM;
	stats->levels = levels;
	stats->arg.capacity = capacity;
	stats->arg.levels = (uintptr_t)levels;
	return 0;
}

/* Retry until all levels fit: the tree can grow between two calls. */
static int read_levels(int fd, struct blinktree_stats *stats)
{
	__u32 capacity = LEVELS_GUESS;
	int err;

	do {
		err = resize(stats, capacity);
		if (err)
			return err;
		err = blinktree_call(fd, BLINK_TREE_IOC_LEVELS, &stats->arg);
		if (err)
			return err;
		capacity = stats->arg.count;
	} while (capacity > stats->arg.capacity);
	return 0;
}

int blinktree_stats_read(struct blinktree *tree, unsigned int flags,
			 struct blinktree_stats **stats)
{
	struct blinktree_stats *new;
	int err;

	if (flags & ~BLINKTREE_STATS_LEVELS)
		return -EINVAL;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -ENOMEM;
	new->arg.level_size = sizeof(new->levels[0]);
	err = blinktree_call(tree->fd, BLINK_TREE_IOC_STATS, &new->counters);
	/* Without room for levels the ioctl returns only the height. */
	if (!err && flags & BLINKTREE_STATS_LEVELS)
		err = read_levels(tree->fd, new);
	else if (!err)
		err = blinktree_call(tree->fd, BLINK_TREE_IOC_LEVELS,
				     &new->arg);
	if (err) {
		blinktree_stats_free(new);
		return err;
	}
	*stats = new;
	return 0;
}

const struct blink_tree_ioc_stats *
blinktree_stats_counters(const struct blinktree_stats *stats)
{
	return &stats->counters;
}

unsigned int blinktree_stats_height(const struct blinktree_stats *stats)
{
	return stats->arg.height;
}

const struct blink_tree_level_stats *
blinktree_stats_levels(const struct blinktree_stats *stats, size_t *nr)
{
	*nr = stats->arg.capacity ? stats->arg.count : 0;
	return stats->levels;
}

void blinktree_stats_free(struct blinktree_stats *stats)
{
	if (!stats)
		return;
	free(stats->levels);
	free(stats);
}

int blinktree_hot_leaves(struct blinktree *tree,
			 struct blink_tree_hot_leaf *leaves, unsigned int nr,
			 size_t size)
{
	struct blink_tree_ioc_hot_leaves arg = {
		.capacity = nr,
		.leaves = (uintptr_t)leaves,
		.leaf_size = size,
	};

	int err = blinktree_call(tree->fd, BLINK_TREE_IOC_HOT_LEAVES, &arg);

	if (err == -ENOTTY)
		return -EOPNOTSUPP;
	return err ?: (int)arg.count;
}
