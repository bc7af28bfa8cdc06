/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: objects and their names
 *
 * An *object* is a tree that user space can refer to. Each descriptor holds a
 * reference to its object, and so does a name. Dropping the last reference ends its
 * watches: the tree cannot change any more. Watches only *keep* an object, as all
 * references together do. The last one of these destroys the tree, in a worker if it is
 * not small.
 *
 * The *registry* contains the objects that have a name. It finds them by user
 * namespace and name, and iterates over them by id. Owner, group, mode and name
 * of an object change only under the registry's lock. struct blink_attr has all
 * of them at one moment. Namespace and id never change.
 */
#ifndef BLINK_CHARDEV_REGISTRY_H
#define BLINK_CHARDEV_REGISTRY_H

#include <linux/blink_tree.h>
#include <linux/kref.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

/**
 * struct blink_object - a tree, its references, and the attributes of its name
 * @tree: the tree
 * @ns: user namespace of its creator, in which its name is
 * @id: greater than the id of every object created earlier
 * @uid: owner
 * @gid: group
 * @mode: permission bits
 * @ref: number of references
 * @kept: number of its watches, and 1 for all references
 * @handles: number of its handles (handle.h)
 * @named: it is in the registry
 * @name: its name, empty if it never had one
 * @by_name: its node in the registry, until its name is unlinked
 * @by_id: likewise
 * @destroy: the work that destroys a tree that is not small
 */
struct blink_object {
	struct blink_tree *tree;
	struct user_namespace *ns;
	u64 id;
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
	struct kref ref;
	refcount_t kept;
	unsigned int handles;
	bool named;
	char name[BLINK_TREE_NAME_MAX];
	struct rb_node by_name;
	struct rb_node by_id;
	struct work_struct destroy;
};

/**
 * struct blink_attr - the attributes of an object that can change, at one
 *	moment
 * @uid: owner
 * @gid: group
 * @mode: permission bits
 * @access: BLINK_TREE_OPEN_* bits for which the caller could open it
 * @fowner: the caller has CAP_FOWNER over it
 * @name: its name, empty if it has none now
 */
struct blink_attr {
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
	u32 access;
	bool fowner;
	char name[BLINK_TREE_NAME_MAX];
};

bool blink_name_valid(const char name[BLINK_TREE_NAME_MAX]);

struct blink_object *
blink_object_create(const char *name, umode_t mode,
		    const struct blink_tree_params *params);
void blink_object_put(struct blink_object *object);
void blink_object_unkeep(struct blink_object *object);
void blink_object_attr(const struct blink_object *object,
		       struct blink_attr *attr);
int blink_object_set_attr(struct blink_object *object,
			  const struct blink_tree_ioc_attr *attr);

bool blink_object_below(const struct blink_object *object);

void blink_objects_queue(struct rcu_work *work);
int blink_objects_init(void);
void blink_objects_exit(void);

int blink_registry_publish(struct blink_object *object);
struct blink_object *blink_registry_open(const char *name, u64 id, u32 access,
					 kuid_t owner);
int blink_registry_unlink(const char *name, u64 id);
struct blink_object *blink_registry_next(u64 id);
void blink_registry_exit(void);

#endif /* BLINK_CHARDEV_REGISTRY_H */
