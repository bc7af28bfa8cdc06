// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_LIST: the objects that have a name, a page of them at a time.
 * The registry is locked only for each single step, because a write to the
 * caller's memory can take as long as the caller wants.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "list.h"
#include "registry.h"

/* Size of the first version of an entry. */
#define ENTRY_MIN_SIZE offsetofend(struct blink_tree_list_entry, bytes)

/* Fill an entry. False if the object has lost its name since it was found. */
static bool list_describe(const struct blink_object *object,
			  struct blink_tree_list_entry *entry)
{
	struct user_namespace *ns = current_user_ns();
	struct blink_attr attr;
	struct blink_tree_ioc_stats stats;

	blink_object_attr(object, &attr);
	if (!attr.name[0])
		return false;
	blink_tree_stats(object->tree, &stats);
	*entry = (struct blink_tree_list_entry){
		.id = object->id,
		.uid = from_kuid_munged(ns, attr.uid),
		.gid = from_kgid_munged(ns, attr.gid),
		.mode = attr.mode,
		.access = attr.access,
		.max_entries = stats.max_entries,
		.max_bytes = stats.max_bytes,
		.key = stats.key,
		.create_flags = stats.create_flags,
	};
	strscpy(entry->name, attr.name, sizeof(entry->name));
	if (entry->access & BLINK_TREE_OPEN_READ) {
		entry->entries = stats.entries;
		entry->bytes = stats.bytes;
	}
	return true;
}

/*
 * Return the next object after an id, with a reference, whose name is in the
 * caller's user namespace, or with @below also in a namespace below that. The
 * function skips all other objects, so a fatal signal ends it.
 */
static struct blink_object *list_next(u64 id, bool below)
{
	struct blink_object *object;

	while ((object = blink_registry_next(id))) {
		if (below ? blink_object_below(object) :
			    object->ns == current_user_ns())
			return object;
		id = object->id;
		blink_object_put(object);
		if (fatal_signal_pending(current))
			return ERR_PTR(-EINTR);
		cond_resched();
	}
	return NULL;
}

/*
 * A list that is shorter than @capacity is complete, so only a fatal signal
 * ends the call early.
 */
long blink_list_call(struct blink_call *call)
{
	struct blink_tree_ioc_list *arg = &call->arg.list;
	char __user *user = u64_to_user_ptr(arg->trees);
	struct blink_tree_list_entry entry;
	bool below = arg->flags & BLINK_TREE_LIST_BELOW, named;
	struct blink_object *object;

	if (arg->flags & ~BLINK_TREE_LIST_BELOW || arg->__reserved ||
	    !blink_element_valid(arg->entry_size, ENTRY_MIN_SIZE))
		return -EINVAL;

	arg->known = sizeof(entry);
	arg->count = 0;
	while (arg->count < arg->capacity) {
		if (fatal_signal_pending(current))
			return -EINTR;
		object = list_next(arg->cursor, below);
		if (IS_ERR(object))
			return PTR_ERR(object);
		if (!object)
			break;
		arg->cursor = object->id;
		named = list_describe(object, &entry);
		blink_object_put(object);
		cond_resched();
		if (!named)
			continue;
		if (blink_put_elements(user, arg->entry_size, &entry,
				       sizeof(entry), 1))
			return -EFAULT;
		user += arg->entry_size;
		arg->count++;
	}
	return blink_reply(call);
}
