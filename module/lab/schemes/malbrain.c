// SPDX-License-Identifier: GPL-2.0
/* An index of Malbrain's trees (malbrain_index.h): creation, destruction, inspection. */
#include <linux/err.h>
#include <linux/nodemask.h>
#include <linux/numa.h>

#include "malbrain_index.h"

/* The size of a node; the thesis has 4 KB to 1 MB, for keys of any length. */
#define NODE_BYTES 1024

/* The NUMA node of a copy. Not every number is that of a node with memory. */
static int node_of(const struct malbrain_policy *p, unsigned int copy)
{
	if (p->copies == MALBRAIN_ONE || !node_state(copy, N_MEMORY))
		return NUMA_NO_NODE;
	return copy;
}

static struct malbrain_tree *create_tree(const struct malbrain_policy *p,
					 unsigned int copy,
					 unsigned int node_bytes)
{
	int nid = node_of(p, copy), err;
	struct malbrain_tree *tree = kzalloc_node(sizeof(*tree), LAB_GFP, nid);
	struct plain_node *root;

	if (!tree)
		return ERR_PTR(-ENOMEM);
	err = plain_tree_init_on(&tree->plain, node_bytes,
				 latch_bytes(p->latch), NULL, nid);
	if (err) {
		kfree(tree);
		return ERR_PTR(err);
	}
	tree->copy = copy;
	tree->nid = nid;
	root = rcu_dereference_protected(tree->plain.root, true);
	latch_init(p->latch, plain_latch(&tree->plain, root), 0, copy);
	return tree;
}

void *malbrain_create(const struct malbrain_policy *p,
		      const struct lab_params *params)
{
	unsigned int nr = p->copies == MALBRAIN_ONE ? 1 : numa_rw_parts();
	struct malbrain_index *index;
	struct malbrain_tree *tree;

	index = kzalloc(struct_size(index, tree, nr), LAB_GFP);
	if (!index)
		return NULL;
	for (; index->nr < nr; index->nr++) {
		tree = create_tree(p, index->nr,
				   params->node_bytes ?: NODE_BYTES);
		if (IS_ERR(tree)) {
			malbrain_destroy(index);
			return tree;
		}
		index->tree[index->nr] = tree;
	}
	return index;
}

void malbrain_destroy(void *data)
{
	struct malbrain_index *index = data;
	unsigned int i;

	for (i = 0; i < index->nr; i++) {
		plain_tree_end(&index->tree[i]->plain);
		kfree(index->tree[i]);
	}
	kfree(index);
}

int malbrain_verify(const struct malbrain_policy *p, void *data)
{
	struct malbrain_index *index = data;
	u64 first = 0, entries;
	unsigned int i;
	int err;

	for (i = 0; i < index->nr; i++) {
		err = plain_tree_verify(&index->tree[i]->plain, &entries);
		if (err)
			return err;
		if (!i)
			first = entries;
		if (p->copies == MALBRAIN_ALL && entries != first)
			return -EUCLEAN;
	}
	return 0;
}

u64 malbrain_bytes(void *data)
{
	struct malbrain_index *index = data;
	u64 bytes = struct_size(index, tree, index->nr);
	unsigned int i;

	for (i = 0; i < index->nr; i++)
		bytes += sizeof(struct malbrain_tree) +
			 plain_tree_bytes(&index->tree[i]->plain);
	return bytes;
}

u64 malbrain_retries(void *data)
{
	struct malbrain_index *index = data;
	u64 retries = 0;
	unsigned int i;

	for (i = 0; i < index->nr; i++)
		retries += atomic_long_read(&index->tree[i]->retries);
	return retries;
}
