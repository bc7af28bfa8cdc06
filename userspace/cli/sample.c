// SPDX-License-Identifier: GPL-2.0
/* The functions of sample.h. */
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sample.h"
#include "util.h"

#define COUNTER(member, help)                                  \
	{                                                      \
		#member,                                       \
		help,                                          \
		offsetof(struct blink_tree_ioc_stats, member), \
	}

const struct counter counters[] = {
	COUNTER(inserts, "Keys added."),
	COUNTER(erases, "Keys removed."),
	COUNTER(splits, "Nodes split."),
	COUNTER(merges, "Nodes merged into their left neighbour."),
	COUNTER(root_grows, "Levels added to an index."),
	COUNTER(root_shrinks, "Levels removed from an index."),
	COUNTER(read_retries, "Nodes read again because of a writer."),
	COUNTER(read_locks, "Nodes read under their lock."),
	COUNTER(right_hops, "Right links followed, and dead nodes left."),
	COUNTER(reroutes, "Descents that began again from the root."),
	COUNTER(posts_deferred, "Index entries that had to wait."),
	COUNTER(merges_deferred, "Merges left undone."),
	COUNTER(gate_passes, "Leaf locks passed on at a gate."),
	COUNTER(gate_releases, "Leaf locks released at a gate."),
	COUNTER(gate_bounds, "Leaf locks passed as often as allowed."),
	COUNTER(lock_waits, "Waits of writers for their first lock."),
	COUNTER(heat_splits, "Leaves split because writers waited."),
	COUNTER(reads, "Keys searched for by ioctls."),
	COUNTER(updates, "Values replaced by ioctls."),
	{},
};

/*
 * Counters of later versions: two follow @indexes; @max_bytes, @create_flags and
 * @block_bytes follow them, and then the others.
 */
#define LATER 4

static_assert(offsetof(struct blink_tree_ioc_stats, replication) ==
		      offsetof(struct blink_tree_ioc_stats, inserts) +
			      8 * (ARRAY_SIZE(counters) - 1 - LATER),
	      "a counter is not shown");
static_assert(offsetof(struct blink_tree_ioc_stats, indexes) +
			      8 * (1 + LATER + 3) ==
		      sizeof(struct blink_tree_ioc_stats),
	      "a field at the end is not shown");

/* Whether a tree can be left out of a sample: it is gone, or its mode has changed. */
static bool passed_over(int err)
{
	return err == -ENOENT || err == -EACCES;
}

static void free_sampled(struct sampled *sampled)
{
	blinktree_stats_free(sampled->stats);
	free(sampled->leaves);
}

static int read_leaves(struct blinktree *tree, unsigned int nr,
		       struct sampled *sampled)
{
	int ret;

	sampled->leaves = calloc(nr, sizeof(*sampled->leaves));
	if (!sampled->leaves)
		return -ENOMEM;
	ret = blinktree_hot_leaves(tree, sampled->leaves, nr,
				   sizeof(*sampled->leaves));
	if (ret < 0)
		return ret;
	sampled->nr_leaves = ret;
	return 0;
}

/* Return: 1 if there is no tree to read; 0; or a negative errno. */
static int read_tree(struct blinktree_ctl *ctl, unsigned int flags,
		     unsigned int leaves, struct sampled *sampled)
{
	struct blinktree *tree;
	int err = blinktree_open_id(ctl, sampled->id, BLINK_TREE_OPEN_READ,
				    &tree);

	if (err)
		return passed_over(err) ? 1 : err;
	err = blinktree_stats_read(tree, flags, &sampled->stats);
	if (!err && leaves)
		err = read_leaves(tree, leaves, sampled);
	blinktree_close(tree);
	if (err)
		free_sampled(sampled);
	return err;
}

/* Make room for one more tree. */
static bool grow(struct sample *sample)
{
	struct sampled *tree;

	/* Double the size when the number reaches a power of two. */
	if (sample->nr & (sample->nr + 1))
		return true;
	tree = realloc(sample->tree, 2 * (sample->nr + 1) * sizeof(*tree));
	if (!tree)
		return false;
	sample->tree = tree;
	return true;
}

static int add(struct blinktree_ctl *ctl, unsigned int flags,
	       unsigned int leaves, const struct blink_tree_list_entry *entry,
	       struct sample *sample)
{
	struct sampled *tree;
	int ret;

	if (!(entry->access & BLINK_TREE_OPEN_READ))
		return 0;
	if (!grow(sample))
		return -ENOMEM;
	tree = &sample->tree[sample->nr];
	*tree = (struct sampled){ .id = entry->id };
	ret = read_tree(ctl, flags, leaves, tree);
	if (ret)
		return ret < 0 ? ret : 0;
	memcpy(tree->name, entry->name, sizeof(tree->name));
	sample->nr++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct sampled *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

int sample_read(struct blinktree_ctl *ctl, unsigned int flags,
		unsigned int leaves, struct sample *sample)
{
	const struct blink_tree_list_entry *entry;
	struct blinktree_list *list;
	struct timespec now;
	int ret;

	*sample = (struct sample){};
	ret = blinktree_list_open(ctl, &list);
	if (ret)
		return ret;
	clock_gettime(CLOCK_MONOTONIC, &now);
	sample->seconds = now.tv_sec + now.tv_nsec / 1e9;
	while ((ret = blinktree_list_next(list, &entry)) == 1) {
		ret = add(ctl, flags, leaves, entry, sample);
		if (ret)
			break;
	}
	blinktree_list_close(list);
	if (ret)
		sample_free(sample);
	else if (sample->nr)
		qsort(sample->tree, sample->nr, sizeof(*sample->tree), compare);
	return ret;
}

void sample_free(struct sample *sample)
{
	size_t i;

	for (i = 0; i < sample->nr; i++)
		free_sampled(&sample->tree[i]);
	free(sample->tree);
	*sample = (struct sample){};
}

const struct sampled *sample_find(const struct sample *sample, __u64 id)
{
	const struct sampled key = { .id = id };

	if (!sample->nr)
		return NULL;
	return bsearch(&key, sample->tree, sample->nr, sizeof(key), compare);
}
