// SPDX-License-Identifier: GPL-2.0
/*
 * Entries that are objects of the caller (struct blink_bytes_link): each has its string in
 * it, whose value is the address of the object. So only adding and removing an entry
 * differ from what other trees do.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>

#include "at_leaf.h"

#if BLINK_STRINGS
/* Whether the entries of a tree are objects. */
static bool links_fit(const struct blink_tree *tree)
{
	return blink_tree_fits(tree) && tree->release;
}

/**
 * blink_tree_bytes_link() - add an object whose key is absent
 * @tree: the tree, created with a function @release
 * @link: its link
 * @length: bytes of its key
 * @gfp: how to allocate, if a node has to be split
 *
 * Context: as blink_tree_insert().
 * Return: 0, and the tree has the object until it calls @release; -EEXIST if the key is
 * present; -EINVAL if it is too long; -EOPNOTSUPP if the tree does not take objects;
 * otherwise as blink_tree_insert(). With an error the object still belongs to the caller.
 */
int blink_tree_bytes_link(struct blink_tree *tree,
			  struct blink_bytes_link *link, u32 length, gfp_t gfp)
{
	if (!links_fit(tree))
		return -EOPNOTSUPP;
	if (length > BLINK_BYTES_MAX)
		return -EINVAL;
	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	link->length = length;
	atomic_set(&link->refs, 1);
	link->self = (uintptr_t)link;
	return blink_insert_entry(tree, blink_bytes_key(link->key, length),
				  (uintptr_t)&link->length, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_bytes_link);

/**
 * blink_tree_bytes_unlink() - remove an object
 * @tree: the tree
 * @link: the link of the object, which the caller keeps from being released, as in an RCU
 *	read section in which it has found it
 *
 * Context: as blink_tree_erase().
 * Return: 0; -ENOENT if the object is not in the tree, which can have another one with
 * an equal key; -EOPNOTSUPP if the tree does not take objects; -EPERM as
 * blink_tree_erase().
 */
int blink_tree_bytes_unlink(struct blink_tree *tree,
			    struct blink_bytes_link *link)
{
	const struct blink_expected expected = { .value = link->self };
	u64 present;
	int ret;

	if (!links_fit(tree))
		return -EOPNOTSUPP;
	ret = blink_erase(tree, blink_bytes_key(link->key, link->length),
			  &expected, &present);
	return ret == -ESTALE ? -ENOENT : ret;
}
EXPORT_SYMBOL_GPL(blink_tree_bytes_unlink);
#endif
