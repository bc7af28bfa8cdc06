// SPDX-License-Identifier: GPL-2.0
/*
 * Objects: who refers to a tree, under what name, and who may open it.
 *
 * One lock guards the registry. A tree is neither created nor destroyed under
 * it: destroying one takes time in proportion to its size. Whoever drops the last
 * reference, which may be a reader of a list, does not pay for that: a tree that
 * is not small is destroyed by a worker. Its memory stays charged to its creator
 * until then.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/rwsem.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "registry.h"

/* A tree of so many bytes is small: it has a few hundred nodes. */
#define SMALL SZ_256K

static DECLARE_RWSEM(registry_lock);
static struct rb_root objects_by_name = RB_ROOT;
static struct rb_root objects_by_id = RB_ROOT;
static u64 last_id;

/* Destroys trees. */
static struct workqueue_struct *destroyer;

/**
 * blink_registry_init() - prepare for objects
 *
 * Trees of processes that the OOM killer ended must go without a new thread.
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int __init blink_registry_init(void)
{
	destroyer =
		alloc_workqueue("blink_tree", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	return destroyer ? 0 : -ENOMEM;
}

static void object_destroy(struct work_struct *work)
{
	struct blink_object *object =
		container_of(work, struct blink_object, destroy);

	blink_tree_destroy(object->tree);
	kfree(object);
}

/**
 * blink_object_create() - create a tree, with one reference to it
 * @name: name it will have once it is published; may be empty
 * @mode: permission bits it will have then, before the umask
 * @params: what it is to be like
 *
 * Context: process context; memory is charged to the caller, who owns it.
 * Return: the object, or an ERR_PTR().
 */
struct blink_object *blink_object_create(const char *name, umode_t mode,
					 const struct blink_tree_params *params)
{
	struct blink_object *object;

	object = kzalloc(sizeof(*object), GFP_KERNEL_ACCOUNT);
	if (!object)
		return ERR_PTR(-ENOMEM);

	object->tree = blink_tree_create(params, GFP_KERNEL_ACCOUNT);
	if (IS_ERR(object->tree)) {
		void *err = ERR_CAST(object->tree);

		kfree(object);
		return err;
	}
	object->uid = current_fsuid();
	object->gid = current_fsgid();
	object->mode = mode & ~current_umask();
	kref_init(&object->ref);
	INIT_WORK(&object->destroy, object_destroy);
	strscpy(object->name, name, sizeof(object->name));
	return object;
}

static void object_release(struct kref *ref)
{
	struct blink_object *object =
		container_of(ref, struct blink_object, ref);
	struct blink_stats stats;

	blink_tree_stats(object->tree, &stats);
	if (stats.bytes <= SMALL)
		object_destroy(&object->destroy);
	else
		queue_work(destroyer, &object->destroy);
}

/**
 * blink_object_put() - drop a reference; with the last one the tree goes
 * @object: the object
 *
 * It takes no longer than destroying a small tree.
 *
 * Context: process context, the registry not locked.
 */
void blink_object_put(struct blink_object *object)
{
	might_sleep();
	kref_put(&object->ref, object_release);
}

static int name_cmp(const void *name, const struct rb_node *node)
{
	return strcmp(name, rb_entry(node, struct blink_object, by_name)->name);
}

static int node_name_cmp(struct rb_node *a, const struct rb_node *b)
{
	return name_cmp(rb_entry(a, struct blink_object, by_name)->name, b);
}

static bool node_id_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct blink_object, by_id)->id <
	       rb_entry(b, struct blink_object, by_id)->id;
}

static struct blink_object *find_name(const char *name)
{
	struct rb_node *node;

	lockdep_assert_held(&registry_lock);
	node = rb_find(name, &objects_by_name, name_cmp);
	return node ? rb_entry(node, struct blink_object, by_name) : NULL;
}

/* Take the name from an object. The name's reference is the caller's now. */
static void withdraw(struct blink_object *object)
{
	lockdep_assert_held_write(&registry_lock);
	rb_erase(&object->by_name, &objects_by_name);
	rb_erase(&object->by_id, &objects_by_id);
}

/**
 * blink_registry_publish() - let others find an object by its name
 * @object: a new object that has a name, of which the caller keeps a reference
 *
 * Context: process context.
 * Return: 0, or -EEXIST if the name is taken.
 */
int blink_registry_publish(struct blink_object *object)
{
	guard(rwsem_write)(&registry_lock);
	if (rb_find_add(&object->by_name, &objects_by_name, node_name_cmp))
		return -EEXIST;
	object->id = ++last_id;
	rb_add(&object->by_id, &objects_by_id, node_id_less);
	kref_get(&object->ref);
	return 0;
}

/* As for a file: the first of owner, group and others that the caller is. */
static u32 mode_access(const struct blink_object *object)
{
	umode_t mode = object->mode;
	u32 access = 0;

	if (uid_eq(current_fsuid(), object->uid))
		mode >>= 6;
	else if (in_group_p(object->gid))
		mode >>= 3;
	if (mode & 04)
		access |= BLINK_OPEN_READ;
	if (mode & 02)
		access |= BLINK_OPEN_WRITE;
	return access;
}

static bool may_open(const struct blink_object *object, u32 access)
{
	return !(access & ~mode_access(object)) || capable(CAP_DAC_OVERRIDE);
}

/**
 * blink_object_access() - what the caller could open an object for
 * @object: the object
 *
 * Nobody asked to open it: a capability that is missing is not audited.
 *
 * Context: process context.
 * Return: BLINK_OPEN_* bits.
 */
u32 blink_object_access(const struct blink_object *object)
{
	if (ns_capable_noaudit(&init_user_ns, CAP_DAC_OVERRIDE))
		return BLINK_OPEN_READ | BLINK_OPEN_WRITE;
	return mode_access(object);
}

/**
 * blink_registry_open() - find an object by name, and check who asks for it
 * @name: the name
 * @access: BLINK_OPEN_* bits
 *
 * Context: process context.
 * Return: the object with a reference for the caller, or ERR_PTR() of -ENOENT
 * or -EACCES.
 */
struct blink_object *blink_registry_open(const char *name, u32 access)
{
	struct blink_object *object;

	down_read(&registry_lock);
	object = find_name(name);
	if (object)
		kref_get(&object->ref);
	up_read(&registry_lock);

	if (!object)
		return ERR_PTR(-ENOENT);
	if (!may_open(object, access)) {
		blink_object_put(object);
		return ERR_PTR(-EACCES);
	}
	return object;
}

static struct blink_object *unlink_name(const char *name)
{
	struct blink_object *object;

	guard(rwsem_write)(&registry_lock);
	object = find_name(name);
	if (!object)
		return ERR_PTR(-ENOENT);
	if (!uid_eq(current_fsuid(), object->uid) && !capable(CAP_FOWNER))
		return ERR_PTR(-EPERM);
	withdraw(object);
	return object;
}

/**
 * blink_registry_unlink() - free a name, if the caller may
 * @name: the name
 *
 * The object stays for who has it open.
 *
 * Context: process context.
 * Return: 0, -ENOENT or -EPERM.
 */
int blink_registry_unlink(const char *name)
{
	struct blink_object *object = unlink_name(name);

	if (IS_ERR(object))
		return PTR_ERR(object);
	blink_object_put(object);
	return 0;
}

/**
 * blink_registry_next() - walk the objects that have a name, by ascending id
 * @id: where the walk is
 *
 * Nothing is locked between two steps: what is published meanwhile comes last,
 * what is unlinked meanwhile may be left out.
 *
 * Context: process context.
 * Return: the object of the least id greater than @id with a reference for the
 * caller, or NULL.
 */
struct blink_object *blink_registry_next(u64 id)
{
	struct blink_object *found = NULL;
	struct rb_node *node;

	guard(rwsem_read)(&registry_lock);
	node = objects_by_id.rb_node;
	while (node) {
		struct blink_object *object =
			rb_entry(node, struct blink_object, by_id);

		if (object->id > id) {
			found = object;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	if (found)
		kref_get(&found->ref);
	return found;
}

static struct blink_object *withdraw_first(void)
{
	struct blink_object *object;
	struct rb_node *node;

	guard(rwsem_write)(&registry_lock);
	node = rb_first(&objects_by_id);
	if (!node)
		return NULL;
	object = rb_entry(node, struct blink_object, by_id);
	withdraw(object);
	return object;
}

/**
 * blink_registry_exit() - free all names, and with them the trees not in use
 *
 * Context: process context, when no object is referred to but by its name. When it
 * returns all trees are destroyed.
 */
void blink_registry_exit(void)
{
	struct blink_object *object;

	while ((object = withdraw_first()))
		blink_object_put(object);
	destroy_workqueue(destroyer);
}
