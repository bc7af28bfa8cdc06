// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_STATS, BLINK_TREE_IOC_LEVELS, BLINK_TREE_IOC_HOT_LEAVES and
 * BLINK_TREE_IOC_VERIFY: the counters of a tree, its shape, its hottest leaves, and the
 * verification of its invariants; and BLINK_TREE_IOC_ATTR: the attributes of its object.
 */
#include <linux/cred.h>
#include <linux/nodemask.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../core/inspect/hot.h"
#include "record.h"
#include "tree_file.h"

/* The most levels; a tree with more levels would need more keys than exist. */
#define LEVELS_MAX 32

/* Size of the first version of a level's statistics. */
#define LEVEL_MIN_SIZE offsetofend(struct blink_tree_level_stats, slots)

/* Size of the first version of a hot leaf. */
#define HOT_LEAF_MIN_SIZE offsetofend(struct blink_tree_hot_leaf, low)

/*
 * Copy the levels. The buffer has room for all of them, so that @count does not
 * depend on the caller's capacity.
 */
static int put_levels(struct blink_tree *tree,
		      struct blink_tree_ioc_levels *arg)
{
	unsigned int nr = LEVELS_MAX * nr_node_ids;
	struct blink_tree_level_stats *levels;
	int err = 0;

	levels = kvcalloc(nr, sizeof(*levels), GFP_KERNEL_ACCOUNT);
	if (!levels)
		return -ENOMEM;
	arg->count = blink_tree_levels(tree, levels, nr);
	if (!arg->count)
		err = -ENOMEM;
	else
		err = blink_put_elements(u64_to_user_ptr(arg->levels),
					 arg->level_size, levels,
					 sizeof(*levels),
					 min(arg->count, arg->capacity));
	kvfree(levels);
	return err;
}

long blink_levels_call(struct blink_call *call)
{
	struct blink_tree *tree = blink_file_tree(call->file);
	struct blink_tree_ioc_levels *arg = &call->arg.levels;
	int err;

	if (arg->flags || !blink_element_valid(arg->level_size, LEVEL_MIN_SIZE))
		return -EINVAL;
	arg->known = sizeof(struct blink_tree_level_stats);
	arg->count = 0;
	if (arg->capacity) {
		err = put_levels(tree, arg);
		if (err)
			return err;
	}
	arg->height = blink_tree_height(tree);
	return blink_reply(call);
}

/* In a tree with equal keys the bound is a pair, which begins with its key. */
static void cut_pair(struct blink_tree_hot_leaf *leaf)
{
	const size_t size = blink_key_size(BLINK_TREE_KEY_MULTI);

	memset(leaf->low + size, 0, sizeof(leaf->low) - size);
	leaf->low_length = size;
}

static int put_hot_leaves(struct blink_tree *tree,
			  struct blink_tree_ioc_hot_leaves *arg)
{
	struct blink_tree_hot_leaf *leaves;
	int nr, i, err;

	leaves = kcalloc(arg->capacity, sizeof(*leaves), GFP_KERNEL_ACCOUNT);
	if (!leaves)
		return -ENOMEM;
	nr = blink_tree_hot_leaves(tree, leaves, arg->capacity);
	if (blink_tree_key_kind(tree) == BLINK_TREE_KEY_MULTI)
		for (i = 0; i < nr; i++)
			cut_pair(&leaves[i]);
	err = nr;
	if (nr >= 0)
		err = blink_put_elements(u64_to_user_ptr(arg->leaves),
					 arg->leaf_size, leaves,
					 sizeof(*leaves), nr);
	kfree(leaves);
	arg->count = nr;
	return err;
}

long blink_hot_leaves_call(struct blink_call *call)
{
	struct blink_tree_ioc_hot_leaves *arg = &call->arg.hot_leaves;
	int err;

	if (arg->flags || arg->__reserved || !arg->capacity ||
	    arg->capacity > BLINK_TREE_HOT_LEAVES_MAX ||
	    !blink_element_valid(arg->leaf_size, HOT_LEAF_MIN_SIZE))
		return -EINVAL;
	err = put_hot_leaves(blink_file_tree(call->file), arg);
	if (err)
		return err;
	arg->known = sizeof(struct blink_tree_hot_leaf);
	return blink_reply(call);
}

long blink_stats_call(struct blink_call *call)
{
	struct blink_tree_ioc_stats *arg = &call->arg.stats;

	if (arg->flags)
		return -EINVAL;
	blink_tree_stats(blink_file_tree(call->file), arg);
	arg->known = sizeof(*arg);
	return blink_reply(call);
}

long blink_verify_call(struct blink_call *call)
{
	struct blink_tree_ioc_verify *arg = &call->arg.verify;
	int err;

	if (arg->flags || arg->__reserved)
		return -EINVAL;
	err = blink_tree_verify(blink_file_tree(call->file), arg);
	/* A violation is a result and not an error of the call. */
	if (err && err != -EUCLEAN)
		return err;
	arg->known = sizeof(*arg);
	return blink_reply(call);
}

#define ATTR_FLAGS                                                          \
	(BLINK_TREE_ATTR_UID | BLINK_TREE_ATTR_GID | BLINK_TREE_ATTR_MODE | \
	 BLINK_TREE_ATTR_NAME | BLINK_TREE_ATTR_MAX_ENTRIES |               \
	 BLINK_TREE_ATTR_MAX_BYTES)

static bool attr_valid(const struct blink_tree_ioc_attr *arg)
{
	if (arg->flags & ~ATTR_FLAGS)
		return false;
	if (arg->flags & BLINK_TREE_ATTR_MODE && arg->mode & ~0777)
		return false;
	return !(arg->flags & BLINK_TREE_ATTR_NAME) ||
	       (arg->name[0] && blink_name_valid(arg->name));
}

long blink_attr_call(struct blink_call *call)
{
	struct blink_object *object = call->file->private_data;
	struct user_namespace *ns = current_user_ns();
	struct blink_tree_ioc_attr *arg = &call->arg.attr;
	struct blink_tree_ioc_stats stats;
	struct blink_attr attr;
	int err;

	if (!attr_valid(arg))
		return -EINVAL;
	/* If the result cannot be reported, nothing may be set. */
	err = blink_reply(call);
	if (!err && arg->flags)
		err = blink_object_set_attr(object, arg);
	if (err)
		return err;
	blink_object_attr(object, &attr);
	blink_tree_stats(object->tree, &stats);
	*arg = (struct blink_tree_ioc_attr){
		.flags = arg->flags,
		.known = sizeof(*arg),
		.id = object->id,
		.uid = from_kuid_munged(ns, attr.uid),
		.gid = from_kgid_munged(ns, attr.gid),
		.mode = attr.mode,
		.replication = stats.replication,
		.locking = stats.locking,
		.placement = stats.placement,
		.max_entries = stats.max_entries,
		.max_bytes = stats.max_bytes,
		.create_flags = stats.create_flags,
		.key = stats.key,
	};
	strscpy(arg->name, attr.name, sizeof(arg->name));
	return blink_reply(call);
}
