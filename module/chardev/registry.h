/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: objects and their names
 *
 * An *object* is a tree that user space can refer to. Every descriptor holds a
 * reference to its object, and so does a name. With the last one the tree goes, by
 * a worker if it is not small.
 *
 * The *registry* holds the objects that have a name: it finds them by name, and
 * walks them in the order in which they were *published*, given their name,
 * which is the order of their ids. Owner, group, mode and name of an object
 * never change, its id only once, before anyone else can see it.
 */
#ifndef BLINK_CHARDEV_REGISTRY_H
#define BLINK_CHARDEV_REGISTRY_H

#include <linux/blink_tree.h>
#include <linux/kref.h>
#include <linux/rbtree.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

/**
 * struct blink_object - a tree, its references, and what a name adds
 * @tree: the tree
 * @id: greater than that of every object published earlier; 0: never published
 * @uid: owner
 * @gid: group
 * @mode: permission bits
 * @ref: references
 * @name: its name, empty if it has none
 * @by_name: in the registry, while its name was not unlinked
 * @by_id: likewise
 * @destroy: the end of a tree that is not small
 */
struct blink_object {
	struct blink_tree *tree;
	u64 id;
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
	struct kref ref;
	char name[BLINK_NAME_MAX];
	struct rb_node by_name;
	struct rb_node by_id;
	struct work_struct destroy;
};

struct blink_object *
blink_object_create(const char *name, umode_t mode,
		    const struct blink_tree_params *params);
void blink_object_put(struct blink_object *object);
u32 blink_object_access(const struct blink_object *object);

int blink_registry_publish(struct blink_object *object);
struct blink_object *blink_registry_open(const char *name, u32 access);
int blink_registry_unlink(const char *name);
struct blink_object *blink_registry_next(u64 id);
int blink_registry_init(void);
void blink_registry_exit(void);

#endif /* BLINK_CHARDEV_REGISTRY_H */
