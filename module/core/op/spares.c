// SPDX-License-Identifier: GPL-2.0
/* The spare nodes of a writer (spares.h). */
#include "../index/alloc.h"
#include "../index/post.h"
#include "../node/locking.h"
#include "spares.h"

/**
 * blink_spares_prepare() - allocate the nodes for a split, without sleeping
 * @spares: the spares, after the descent
 * @key: the key of the descent
 *
 * Context: rcu_read_lock() held, no node lock held; never sleeps.
 */
void blink_spares_prepare(struct blink_spares *spares, blink_key_t key)
{
	struct blink_post *post = &spares->post;
	struct blink_node *parent = post->walk.parent;
	struct blink_index *own = post->walk.idx;
	gfp_t gfp = blink_gfp_easy(post->gfp);
	unsigned long others = blink_index_all(post->tree) & ~BIT(own->id);

	if (blink_leaf_get(post->tree, &spares->leaf, gfp))
		return;
	blink_index_fetch(post->tree, others, 1, key);
	if (!post->spare && (!parent || blink_inner_full(parent)))
		blink_post_alloc(post, own, gfp);
}

/**
 * blink_spares_take() - use the spare leaf
 * @spares: the spares
 *
 * The leaf is locked before any other CPU can find it, and until it was posted in
 * the writer's own index.
 *
 * Context: the lock of the leaf's future left neighbour held.
 * Return: the spare leaf, locked; blink_spares_publish() must follow.
 */
struct blink_node *blink_spares_take(struct blink_spares *spares)
{
	struct blink_node *leaf = spares->leaf;

	spares->leaf = NULL;
	leaf->unposted = blink_index_all(spares->post.tree);
	blink_lock_right(&leaf->lock);
	return leaf;
}

/**
 * blink_spares_publish() - post a new leaf, and unlock it
 * @spares: the spares
 * @leaf: the leaf, to which its left neighbour is linked
 *
 * Context: the locks of @leaf and of its left neighbour held.
 */
void blink_spares_publish(struct blink_spares *spares, struct blink_node *leaf)
{
	blink_post_split(&spares->post, leaf);
	blink_node_unlock(spares->post.tree, leaf);
}

/**
 * blink_spares_post() - post what was not posted under the locks
 * @spares: the spares
 *
 * Context: as @gfp of the descent allows, no lock held.
 * Return: as blink_post_rest().
 */
int blink_spares_post(struct blink_spares *spares)
{
	struct blink_post *post = &spares->post;
	int ret;

	if (likely(!post->walk.pending && !post->added))
		return 0;
	ret = blink_post_rest(post);
	post->walk.pending = false;
	post->added = false;
	return ret;
}

/**
 * blink_spares_free() - free the spares that were not used
 * @spares: the spares
 *
 * Context: no node lock held.
 */
void blink_spares_free(struct blink_spares *spares)
{
	if (unlikely(spares->leaf))
		blink_node_free(spares->post.tree, spares->leaf, true);
	blink_post_end(&spares->post);
}
