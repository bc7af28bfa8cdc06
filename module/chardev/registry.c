// SPDX-License-Identifier: GPL-2.0
/*
 * The names of objects, their attributes, and the permission to open them.
 *
 * One lock protects the registry. No tree is created or destroyed under it,
 * because destroying a tree takes time in proportion to its size.
 */
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/rwsem.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "../core/tree/watch.h"
#include "../core/core.h"
#include "registry.h"

static DECLARE_RWSEM(registry_lock);
static struct rb_root objects_by_name = RB_ROOT;
static struct rb_root objects_by_id = RB_ROOT;

/*
 * Whether a tree may have a name that comes from user space. A name must end with a NUL,
 * and must be one plain word wherever it is shown: in a shell, in a path, in a table, on a
 * terminal.
 */
bool blink_name_valid(const char name[BLINK_TREE_NAME_MAX])
{
	size_t len = strnlen(name, BLINK_TREE_NAME_MAX);

	/* Bytes after the NUL are reserved. */
	return !memchr_inv(name + len, '\0', BLINK_TREE_NAME_MAX - len) &&
	       len < BLINK_TREE_NAME_MAX && *name != '-' && *name != '.' &&
	       strspn(name, BLINK_TREE_NAME_CHARS) == len;
}

/* The key of a name: its user namespace and the name. */
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

/* Whether an object belongs to the caller's user namespace or to one below it. */
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
 * Find an object by its id. A namespace may have no process left that could
 * look up its names, so this also finds objects of namespaces below the
 * caller's.
 */
static struct blink_object *find_object_by_id(u64 id)
{
	struct rb_node *node = rb_find(&id, &objects_by_id, id_cmp);
	struct blink_object *object;

	object = node ? rb_entry(node, struct blink_object, by_id) : NULL;
	return object && blink_object_below(object) ? object : ERR_PTR(-ENOENT);
}

/*
 * Find an object by its name in the caller's namespace. If @id is not 0, the
 * object must have this id. Without a name, find it by @id alone.
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

/*
 * Remove an object from the registry. The caller gets the reference of the
 * name.
 */
static void object_withdraw(struct blink_object *object)
{
	lockdep_assert_held_write(&registry_lock);
	rb_erase(&object->by_name, &objects_by_name);
	rb_erase(&object->by_id, &objects_by_id);
	object->named = false;
}

/**
 * blink_registry_publish() - make an object visible by its name
 * @object: a new object with a name; the caller keeps its reference
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

/*
 * The access of the caller by the permission bits. As for a file, the first
 * match of owner, group and others decides.
 */
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
 * Whether the caller's user namespace maps the owner and the group of an
 * object. As for a file, capabilities in this namespace count only then.
 * Capabilities over a namespace that the caller created do not count: with them
 * any user could make a tree look like root's.
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

/* The same for a caller that did not ask for it: a missing capability is not audited. */
static bool object_capable_noaudit(const struct blink_object *object, int cap)
{
	return owner_known(object) &&
	       ns_capable_noaudit(current_user_ns(), cap);
}

static bool may_open(const struct blink_object *object, u32 access)
{
	return !(access & ~mode_access(object)) ||
	       object_capable(object, CAP_DAC_OVERRIDE);
}

/* Copy the attributes of an object that can change, as they are at one moment. */
void blink_object_attr(const struct blink_object *object,
		       struct blink_attr *attr)
{
	down_read(&registry_lock);
	*attr = (struct blink_attr){
		.uid = object->uid,
		.gid = object->gid,
		.mode = object->mode,
		.access = mode_access(object),
		.fowner = object_capable_noaudit(object, CAP_FOWNER),
	};
	if (object->named)
		strscpy(attr->name, object->name, sizeof(attr->name));
	if (object_capable_noaudit(object, CAP_DAC_OVERRIDE))
		attr->access = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE;
	up_read(&registry_lock);
}

/* Attributes that the owner may set. */
#define ATTR_OF_OWNER                                  \
	(BLINK_TREE_ATTR_MODE | BLINK_TREE_ATTR_NAME | \
	 BLINK_TREE_ATTR_MAX_ENTRIES | BLINK_TREE_ATTR_MAX_BYTES)

/*
 * Whether the caller may set attributes. As for a file, the owner may set some,
 * and a capability is needed for others.
 */
static bool may_set(const struct blink_object *object,
		    const struct blink_tree_ioc_attr *attr, kuid_t uid,
		    kgid_t gid)
{
	bool owner = uid_eq(current_fsuid(), object->uid);

	if (attr->flags & ATTR_OF_OWNER && !owner &&
	    !object_capable(object, CAP_FOWNER))
		return false;
	if (attr->flags & BLINK_TREE_ATTR_UID &&
	    !(owner && uid_eq(uid, object->uid)) &&
	    !object_capable(object, CAP_CHOWN))
		return false;
	return !(attr->flags & BLINK_TREE_ATTR_GID) ||
	       (owner && (gid_eq(gid, object->gid) || in_group_p(gid))) ||
	       object_capable(object, CAP_CHOWN);
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

/*
 * Set the attributes of an object that @attr selects by valid BLINK_TREE_ATTR_* bits, if
 * the caller may. With an error nothing is set.
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
	if (attr->flags)
		blink_watch_tell(object->tree, BLINK_TREE_CHANGE_ATTR,
				 attr->flags);
	return 0;
}

/**
 * blink_registry_open() - find an object by name, and check the permission
 * @name: the name, or "" to find it by id alone
 * @id: the id that it must have, 0 for any
 * @access: BLINK_TREE_OPEN_READ, BLINK_TREE_OPEN_WRITE or both
 * @owner: the owner that it must have, INVALID_UID for any
 *
 * The owner is checked before the mode, so that the caller learns of another
 * user's object by its name whatever the mode of this object is.
 *
 * Context: process context.
 * Return: the object with a reference for the caller, or ERR_PTR() of -ENOENT,
 * -ESTALE, -EPERM or -EACCES.
 */
struct blink_object *blink_registry_open(const char *name, u64 id, u32 access,
					 kuid_t owner)
{
	struct blink_object *object;

	guard(rwsem_read)(&registry_lock);
	object = find_object(name, id);
	if (IS_ERR(object))
		return object;
	if (uid_valid(owner) && !uid_eq(owner, object->uid))
		return ERR_PTR(-EPERM);
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
	blink_watch_tell(object->tree, BLINK_TREE_CHANGE_UNLINKED, 0);
	return object;
}

/**
 * blink_registry_unlink() - remove a name, if the caller may
 * @name: the name, or "" to find its object by id alone
 * @id: the id that its object must have, 0 for any
 *
 * Processes that have the object open can still use it.
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
 * @id: the id of the last object, or 0
 *
 * The lock is not held between two steps, so objects that are published or
 * unlinked meanwhile can be left out.
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

/* Remove all names. Only they hold references to objects. */
void blink_registry_exit(void)
{
	struct blink_object *object;

	while ((object = object_withdraw_first()))
		blink_object_put(object);
}
