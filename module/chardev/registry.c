// SPDX-License-Identifier: GPL-2.0
/*
 * Objects: who refers to a tree, under what name, and who may open it.
 *
 * One lock guards the registry. A tree is neither created nor destroyed under
 * it: destroying one takes time in proportion to its size. The task that
 * drops the last reference may be a reader of a list, and does not pay for that:
 * a worker destroys a tree that is not small. Its memory stays charged to its creator
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
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "../core/tree/charge.h"
#include "../core/core.h"
#include "payer.h"
#include "registry.h"

/* A tree of so many bytes is small: it has a few hundred nodes. */
#define SMALL SZ_256K

static DECLARE_RWSEM(registry_lock);
static struct rb_root objects_by_name = RB_ROOT;
static struct rb_root objects_by_id = RB_ROOT;
static atomic64_t last_id;

/**
 * blink_name_valid() - whether a tree may have a name
 * @name: the name, from user space
 *
 * A name must end, and be one plain word wherever it may come to be shown: to a
 * shell, in a path, in a table, on a terminal.
 *
 * Context: any.
 * Return: false if the ioctl is to fail with EINVAL.
 */
bool blink_name_valid(const char name[BLINK_TREE_NAME_MAX])
{
	size_t len = strnlen(name, BLINK_TREE_NAME_MAX);

	/* What comes after the NUL may mean something one day. */
	return !memchr_inv(name + len, '\0', BLINK_TREE_NAME_MAX - len) &&
	       len < BLINK_TREE_NAME_MAX && *name != '-' && *name != '.' &&
	       strspn(name, BLINK_TREE_NAME_CHARS) == len;
}

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
	INIT_WORK(&object->destroy, object_destroy);
	strscpy(object->name, name, sizeof(object->name));
	return object;
}

static void object_release(struct kref *ref)
{
	struct blink_object *object =
		container_of(ref, struct blink_object, ref);
	struct blink_tree_ioc_stats stats;

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

/* Where a name is looked for. */
struct place {
	const struct user_namespace *ns;
	const char *name;
};

static int place_cmp(const void *key, const struct rb_node *node)
{
	const struct blink_object *object =
		rb_entry(node, struct blink_object, by_name);
	const struct place *place = key;

	if (place->ns != object->ns)
		return place->ns < object->ns ? -1 : 1;
	return strcmp(place->name, object->name);
}

static int node_name_cmp(struct rb_node *a, const struct rb_node *b)
{
	const struct blink_object *object =
		rb_entry(a, struct blink_object, by_name);
	const struct place place = { .ns = object->ns, .name = object->name };

	return place_cmp(&place, b);
}

static bool node_id_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct blink_object, by_id)->id <
	       rb_entry(b, struct blink_object, by_id)->id;
}

/**
 * blink_object_below() - whether an object belongs to the caller's user namespace
 *	or to one below it
 * @object: the object
 *
 * Context: any of a process.
 * Return: that.
 */
bool blink_object_below(const struct blink_object *object)
{
	const struct user_namespace *here = current_user_ns();
	const struct user_namespace *ns = object->ns;

	while (ns->level > here->level)
		ns = ns->parent;
	return ns == here;
}

static int id_cmp(const void *key, const struct rb_node *node)
{
	u64 id = *(const u64 *)key;
	u64 other = rb_entry(node, struct blink_object, by_id)->id;

	return id < other ? -1 : id > other;
}

/*
 * The object of an id. Its user namespace may have no process left that could ask
 * for its name.
 */
static struct blink_object *find_object_by_id(u64 id)
{
	struct rb_node *node = rb_find(&id, &objects_by_id, id_cmp);
	struct blink_object *object;

	object = node ? rb_entry(node, struct blink_object, by_id) : NULL;
	return object && blink_object_below(object) ? object : ERR_PTR(-ENOENT);
}

/*
 * The object of a name in the caller's namespace: with that id, if it is not 0.
 * Without a name it is the id alone that counts.
 */
static struct blink_object *find_object(const char *name, u64 id)
{
	const struct place place = { .ns = current_user_ns(), .name = name };
	struct blink_object *object;
	struct rb_node *node;

	lockdep_assert_held(&registry_lock);
	if (!*name)
		return find_object_by_id(id);
	node = rb_find(&place, &objects_by_name, place_cmp);
	if (!node)
		return ERR_PTR(-ENOENT);
	object = rb_entry(node, struct blink_object, by_name);
	return id && id != object->id ? ERR_PTR(-ESTALE) : object;
}

/* Take the name from an object. The name's reference is the caller's now. */
static void object_withdraw(struct blink_object *object)
{
	lockdep_assert_held_write(&registry_lock);
	rb_erase(&object->by_name, &objects_by_name);
	rb_erase(&object->by_id, &objects_by_id);
	object->named = false;
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
	object->named = true;
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
		access |= BLINK_TREE_OPEN_READ;
	if (mode & 02)
		access |= BLINK_TREE_OPEN_WRITE;
	return access;
}

/*
 * As for a file: capabilities of the caller's user namespace count for objects of
 * which it knows owner and group. Those over a namespace that the caller created
 * do not: they would let anybody make a tree look like root's.
 */
static bool owner_known(const struct blink_object *object)
{
	struct user_namespace *ns = current_user_ns();

	return kuid_has_mapping(ns, object->uid) &&
	       kgid_has_mapping(ns, object->gid);
}

static bool object_capable(const struct blink_object *object, int cap)
{
	return owner_known(object) && ns_capable(current_user_ns(), cap);
}

static bool may_open(const struct blink_object *object, u32 access)
{
	return !(access & ~mode_access(object)) ||
	       object_capable(object, CAP_DAC_OVERRIDE);
}

/**
 * blink_object_attr() - tell what may change of an object
 * @object: the object
 * @attr: set to what it is at one moment
 *
 * Nobody asked to open it: a capability that is missing is not audited.
 *
 * Context: process context.
 */
void blink_object_attr(const struct blink_object *object,
		       struct blink_attr *attr)
{
	down_read(&registry_lock);
	*attr = (struct blink_attr){
		.uid = object->uid,
		.gid = object->gid,
		.mode = object->mode,
		.access = mode_access(object),
	};
	if (object->named)
		strscpy(attr->name, object->name, sizeof(attr->name));
	if (owner_known(object) &&
	    ns_capable_noaudit(current_user_ns(), CAP_DAC_OVERRIDE))
		attr->access = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE;
	up_read(&registry_lock);
}

/* What is for the owner to set. */
#define ATTR_OF_OWNER                                  \
	(BLINK_TREE_ATTR_MODE | BLINK_TREE_ATTR_NAME | \
	 BLINK_TREE_ATTR_MAX_ENTRIES | BLINK_TREE_ATTR_MAX_BYTES)

/* As for a file: what its owner may do, and what only a capability allows. */
static bool may_set(const struct blink_object *object,
		    const struct blink_tree_ioc_attr *attr, kuid_t uid,
		    kgid_t gid)
{
	bool owner = uid_eq(current_fsuid(), object->uid);

	if (attr->flags & ATTR_OF_OWNER && !owner &&
	    !object_capable(object, CAP_FOWNER))
		return false;
	if (attr->flags & BLINK_TREE_ATTR_UID && !uid_eq(uid, object->uid) &&
	    !object_capable(object, CAP_CHOWN))
		return false;
	return !(attr->flags & BLINK_TREE_ATTR_GID) ||
	       (owner && in_group_p(gid)) || object_capable(object, CAP_CHOWN);
}

static int rename_object(struct blink_object *object, const char *name)
{
	const struct place place = { .ns = object->ns, .name = name };
	struct rb_node *node;

	if (!object->named)
		return -ENOENT;
	node = rb_find(&place, &objects_by_name, place_cmp);
	if (node)
		return node == &object->by_name ? 0 : -EEXIST;
	rb_erase(&object->by_name, &objects_by_name);
	strscpy(object->name, name, sizeof(object->name));
	rb_find_add(&object->by_name, &objects_by_name, node_name_cmp);
	return 0;
}

static void set_limits(struct blink_tree *tree,
		       const struct blink_tree_ioc_attr *attr)
{
	if (attr->flags & BLINK_TREE_ATTR_MAX_ENTRIES)
		blink_tree_set_max_entries(tree, attr->max_entries);
	if (attr->flags & BLINK_TREE_ATTR_MAX_BYTES)
		blink_tree_set_max_bytes(tree, attr->max_bytes);
}

/**
 * blink_object_set_attr() - set what may change of an object, if the caller may
 * @object: the object
 * @attr: BLINK_TREE_ATTR_* bits, and the fields that they name, valid
 *
 * Context: process context.
 * Return: 0; -EINVAL for an owner or a group that the caller's namespace does
 * not have; -EPERM, -EEXIST, -ENOENT or -EOPNOTSUPP. Then nothing is set.
 */
int blink_object_set_attr(struct blink_object *object,
			  const struct blink_tree_ioc_attr *attr)
{
	kuid_t uid = make_kuid(current_user_ns(), attr->uid);
	kgid_t gid = make_kgid(current_user_ns(), attr->gid);
	int err = 0;

	if ((attr->flags & BLINK_TREE_ATTR_UID && !uid_valid(uid)) ||
	    (attr->flags & BLINK_TREE_ATTR_GID && !gid_valid(gid)))
		return -EINVAL;
	guard(rwsem_write)(&registry_lock);
	if (!may_set(object, attr, uid, gid))
		return -EPERM;
	if (attr->flags & BLINK_TREE_ATTR_MAX_ENTRIES &&
	    !blink_tree_counted(object->tree))
		return -EOPNOTSUPP;
	if (attr->flags & BLINK_TREE_ATTR_NAME)
		err = rename_object(object, attr->name);
	if (err)
		return err;
	if (attr->flags & BLINK_TREE_ATTR_UID)
		object->uid = uid;
	if (attr->flags & BLINK_TREE_ATTR_GID)
		object->gid = gid;
	if (attr->flags & BLINK_TREE_ATTR_MODE)
		object->mode = attr->mode;
	set_limits(object->tree, attr);
	return 0;
}

/**
 * blink_registry_open() - find an object by name, and check who asks for it
 * @name: the name, or "" to find it by id alone
 * @id: the id that it must have, 0 for any
 * @access: BLINK_TREE_OPEN_* bits
 *
 * Context: process context.
 * Return: the object with a reference for the caller, or ERR_PTR() of -ENOENT,
 * -ESTALE or -EACCES.
 */
struct blink_object *blink_registry_open(const char *name, u64 id, u32 access)
{
	struct blink_object *object;

	guard(rwsem_read)(&registry_lock);
	object = find_object(name, id);
	if (IS_ERR(object))
		return object;
	if (!may_open(object, access))
		return ERR_PTR(-EACCES);
	kref_get(&object->ref);
	return object;
}

static struct blink_object *unlink_name(const char *name, u64 id)
{
	struct blink_object *object;

	guard(rwsem_write)(&registry_lock);
	object = find_object(name, id);
	if (IS_ERR(object))
		return object;
	if (!uid_eq(current_fsuid(), object->uid) &&
	    !object_capable(object, CAP_FOWNER))
		return ERR_PTR(-EPERM);
	object_withdraw(object);
	return object;
}

/**
 * blink_registry_unlink() - free a name, if the caller may
 * @name: the name, or "" to find its object by id alone
 * @id: the id that its object must have, 0 for any
 *
 * The object stays for who has it open.
 *
 * Context: process context.
 * Return: 0, -ENOENT, -ESTALE or -EPERM.
 */
int blink_registry_unlink(const char *name, u64 id)
{
	struct blink_object *object = unlink_name(name, id);

	if (IS_ERR(object))
		return PTR_ERR(object);
	blink_object_put(object);
	return 0;
}

/**
 * blink_registry_next() - walk the objects that have a name, by ascending id
 * @id: where the walk is
 *
 * Nothing is locked between two steps: what is published or unlinked meanwhile may
 * be left out.
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

static struct blink_object *object_withdraw_first(void)
{
	struct blink_object *object;
	struct rb_node *node;

	guard(rwsem_write)(&registry_lock);
	node = rb_first(&objects_by_id);
	if (!node)
		return NULL;
	object = rb_entry(node, struct blink_object, by_id);
	object_withdraw(object);
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

	while ((object = object_withdraw_first()))
		blink_object_put(object);
	destroy_workqueue(destroyer);
}
