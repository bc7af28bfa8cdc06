/* SPDX-License-Identifier: GPL-2.0 */
/* The statistics of all trees that the caller may read, at about one time. */
#ifndef BLINKTREE_CLI_SAMPLE_H
#define BLINKTREE_CLI_SAMPLE_H

#include <stddef.h>

#include "../lib/blinktree.h"

/* A counter of a tree: a member of struct blink_tree_ioc_stats. */
struct counter {
	const char *name;
	const char *help;
	size_t offset;
};

/* All of them, up to one without a name. */
extern const struct counter counters[];

static inline __u64 counter_of(const struct blinktree_stats *stats,
			       const struct counter *counter)
{
	const void *all = blinktree_stats_counters(stats);

	return *(const __u64 *)((const char *)all + counter->offset);
}

struct sampled {
	__u64 id;
	char name[BLINK_TREE_NAME_MAX];
	struct blinktree_stats *stats;
	/* Those with the most heat. */
	size_t nr_leaves;
	struct blink_tree_hot_leaf *leaves;
};

/* @seconds: since an arbitrary time. The trees are in the order of their numbers. */
struct sample {
	double seconds;
	size_t nr;
	struct sampled *tree;
};

/*
 * @flags: as those of blinktree_stats_read(); @leaves: how many hot leaves of a tree to
 * read at most, 0 for none. A tree that is removed meanwhile is left out.
 * Return: 0, and sample_free() must follow; or a negative errno.
 */
int sample_read(struct blinktree_ctl *ctl, unsigned int flags,
		unsigned int leaves, struct sample *sample);
void sample_free(struct sample *sample);

/* The tree with a number, or NULL. */
const struct sampled *sample_find(const struct sample *sample, __u64 id);

#endif /* BLINKTREE_CLI_SAMPLE_H */
