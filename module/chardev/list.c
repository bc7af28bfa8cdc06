// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_IOC_LIST: the objects that have a name, a page of them at a time. It
 * is a walk of the registry, which is locked for each step alone: writing to
 * the caller's memory can take as long as the caller likes.
 */
#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "list.h"
#include "registry.h"

/* Size of an entry in its first version. */
#define ENTRY_MIN_SIZE offsetofend(struct blink_list_entry, bytes)

static void describe(const struct blink_object *object,
		     struct blink_list_entry *entry)
{
	struct user_namespace *ns = current_user_ns();
	struct blink_stats stats;

	blink_tree_stats(object->tree, &stats);
	*entry = (struct blink_list_entry){
		.id = object->id,
		.uid = from_kuid_munged(ns, object->uid),
		.gid = from_kgid_munged(ns, object->gid),
		.mode = object->mode,
		.access = blink_object_access(object),
		.max_entries = stats.max_entries,
	};
	strscpy(entry->name, object->name, sizeof(entry->name));
	if (entry->access & BLINK_OPEN_READ) {
		entry->entries = stats.entries;
		entry->bytes = stats.bytes;
	}
}

/* What an older caller does not know is left out, a newer one reads as zero. */
static int put_entry(char __user *user, size_t user_size,
		     const struct blink_list_entry *entry)
{
	size_t common = min(user_size, sizeof(*entry));

	if (copy_to_user(user, entry, common) ||
	    clear_user(user + common, user_size - common))
		return -EFAULT;
	return 0;
}

/**
 * blink_list_call() - BLINK_IOC_LIST
 * @call: the ioctl
 *
 * A list shorter than asked for means that it is complete, so that only a
 * fatal signal ends it early.
 *
 * Context: process context, of the caller.
 * Return: 0, -EINVAL, -EFAULT or -EINTR.
 */
long blink_list_call(struct blink_call *call)
{
	struct blink_ioc_list *arg = &call->arg.list;
	char __user *user = u64_to_user_ptr(arg->trees);
	struct blink_list_entry entry;
	struct blink_object *object;

	if (arg->flags || arg->entry_size < ENTRY_MIN_SIZE ||
	    arg->entry_size > PAGE_SIZE)
		return -EINVAL;

	for (arg->count = 0; arg->count < arg->capacity; arg->count++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		object = blink_registry_next(arg->cursor);
		if (!object)
			break;
		describe(object, &entry);
		blink_object_put(object);

		if (put_entry(user, arg->entry_size, &entry))
			return -EFAULT;
		user += arg->entry_size;
		arg->cursor = entry.id;
		cond_resched();
	}
	return blink_reply(call);
}
