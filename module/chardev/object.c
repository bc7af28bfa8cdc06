// SPDX-License-Identifier: GPL-2.0
/*
 * Objects: how they begin, and the references that keep them.
 *
 * The task that drops the last reference can be a reader of a list, and must not wait
 * until a tree is destroyed, which takes time in proportion to its size: a worker
 * destroys a tree that is not small. The memory of the tree stays charged to its creator
 * until then.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "../core/tree/charge.h"
#include "../core/tree/watch.h"
#include "../core/core.h"
#include "payer.h"
#include "registry.h"

/* A tree of at most this many bytes is small: a few hundred nodes. */
#define SMALL SZ_256K

static atomic64_t last_id;

/* The workqueue that destroys trees. */
static struct workqueue_struct *destroyer;

/*
 * Create the workqueue that destroys trees. It has a rescuer, to destroy the trees of a
 * process that the OOM killer ended without memory for a new thread.
 */
int __init blink_objects_init(void)
{
	destroyer =
		alloc_workqueue("blink_tree", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return destroyer ? 0 : -ENOMEM;
}

/**
 * blink_objects_queue() - have the worker that destroys trees do other work
 * @work: the work, which is done after a grace period
 *
 * Context: process context. rcu_barrier() is called before blink_objects_exit().
 */
void blink_objects_queue(struct rcu_work *work)
{
	queue_rcu_work(destroyer, work);
}

static void object_destroy(struct work_struct *work)
{
	struct blink_object *object =
		container_of(work, struct blink_object, destroy);

	blink_tree_destroy(object->tree);
	put_user_ns(object->ns);
	kfree(object);
}

static struct blink_tree *tree_create(const struct blink_tree_params *params)
{
	struct blink_budget *payer = blink_payer_get();
	struct blink_tree *tree;

	if (IS_ERR(payer))
		return ERR_CAST(payer);
	tree = blink_tree_create_for(params, payer, sizeof(struct blink_object),
				     GFP_KERNEL_ACCOUNT);
	if (IS_ERR(tree))
		blink_payer_put(payer);
	return tree;
}

/**
 * blink_object_create() - create a tree, with one reference to it
 * @name: its name once it is published; may be empty
 * @mode: its permission bits once it is published, before the umask
 * @params: the parameters of the tree
 *
 * Context: process context; the caller becomes the owner, and memory is charged
 * to it.
 * Return: the object, or an ERR_PTR().
 */
struct blink_object *blink_object_create(const char *name, umode_t mode,
					 const struct blink_tree_params *params)
{
	struct blink_object *object;

	object = kzalloc(sizeof(*object), GFP_KERNEL_ACCOUNT);
	if (!object)
		return ERR_PTR(-ENOMEM);

	object->tree = tree_create(params);
	if (IS_ERR(object->tree)) {
		void *err = ERR_CAST(object->tree);

		kfree(object);
		return err;
	}
	object->ns = get_user_ns(current_user_ns());
	object->id = atomic64_inc_return(&last_id);
	object->uid = current_fsuid();
	object->gid = current_fsgid();
	object->mode = mode & ~current_umask();
	kref_init(&object->ref);
	refcount_set(&object->kept, 1);
	INIT_WORK(&object->destroy, object_destroy);
	strscpy(object->name, name, sizeof(object->name));
	return object;
}

/**
 * blink_object_unkeep() - keep an object no longer
 * @object: the object, of which @kept was incremented
 *
 * It takes at most as long as destroying a small tree.
 *
 * Context: process context, the registry lock not held.
 */
void blink_object_unkeep(struct blink_object *object)
{
	struct blink_tree_ioc_stats stats;

	if (!refcount_dec_and_test(&object->kept))
		return;
	blink_tree_stats(object->tree, &stats);
	if (stats.bytes <= SMALL)
		object_destroy(&object->destroy);
	else
		queue_work(destroyer, &object->destroy);
}

static void object_release(struct kref *ref)
{
	struct blink_object *object =
		container_of(ref, struct blink_object, ref);

	blink_watch_end(object->tree);
	blink_object_unkeep(object);
}

/**
 * blink_object_put() - drop a reference
 * @object: the object
 *
 * The last one ends the watches of the tree, and destroys it if it has none.
 *
 * Context: as blink_object_unkeep().
 */
void blink_object_put(struct blink_object *object)
{
	might_sleep();
	kref_put(&object->ref, object_release);
}

/* Wait until all trees are destroyed. There are no references to objects. */
void blink_objects_exit(void)
{
	destroy_workqueue(destroyer);
}
