// SPDX-License-Identifier: GPL-2.0
/*
 * Handles (handle.h): the table of their slots, and BLINK_TREE_IOC_BPF_HANDLE.
 *
 * A lock protects the table. Readers of a slot need only RCU.
 */
#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/kref.h>
#include <linux/memcontrol.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "handle.h"
#include "registry.h"

/* The slot is the end of a number. */
#define SLOT_BITS 10
static_assert(1U << SLOT_BITS == BLINK_TREE_BPF_HANDLES_MAX);

static DEFINE_MUTEX(handles_lock);
static struct blink_handle __rcu *slots[BLINK_TREE_BPF_HANDLES_MAX];
static u64 generations[BLINK_TREE_BPF_HANDLES_MAX];
static bool enabled;

static struct blink_handle *handle_at(unsigned int slot)
{
	return rcu_dereference_protected(slots[slot],
					 lockdep_is_held(&handles_lock));
}

/* Find the slot of a file, or without a file a free slot. */
static unsigned int find_slot(const struct file *file)
{
	const struct blink_handle *handle;
	unsigned int slot;

	for (slot = 0; slot < ARRAY_SIZE(slots); slot++) {
		handle = handle_at(slot);
		if (file ? handle && handle->file == file : !handle)
			break;
	}
	return slot;
}

/*
 * A new handle has another generation than the one before it in the same slot. 0 is no
 * generation, so that no handle has the number 0.
 */
static u64 new_number(unsigned int slot)
{
	u64 generation;

	do {
		generation = get_random_u64() >> SLOT_BITS;
	} while (!generation || generation == generations[slot]);
	generations[slot] = generation;
	return generation << SLOT_BITS | slot;
}

static void handle_end(struct work_struct *work)
{
	struct blink_handle *handle =
		container_of(to_rcu_work(work), struct blink_handle, end);

	blink_object_put(handle->object);
	mem_cgroup_put(handle->payer);
	kfree(handle);
}

/* It may wait for memory, and others wait for the lock when they close a descriptor. */
static struct blink_handle *handle_create(const struct file *file)
{
	struct blink_object *object = file->private_data;
	struct blink_handle *handle;

	handle = kzalloc(sizeof(*handle), GFP_KERNEL_ACCOUNT);
	if (!handle)
		return NULL;
	handle->tree = object->tree;
	handle->mode = file->f_mode;
	handle->object = object;
	handle->payer = get_mem_cgroup_from_mm(current->mm);
	handle->file = file;
	INIT_RCU_WORK(&handle->end, handle_end);
	return handle;
}

/* Give a file the handle, unless it has one already. */
static int handle_link(const struct file *file, struct blink_handle *handle,
		       u64 *number)
{
	struct blink_object *object = file->private_data;
	unsigned int slot;

	lockdep_assert_held(&handles_lock);
	slot = find_slot(file);
	if (slot < ARRAY_SIZE(slots)) {
		*number = handle_at(slot)->number;
		return -EEXIST;
	}
	slot = find_slot(NULL);
	if (slot == ARRAY_SIZE(slots))
		return -ENOSPC;
	handle->number = new_number(slot);
	*number = handle->number;
	kref_get(&object->ref);
	WRITE_ONCE(object->handles, object->handles + 1);
	/*
	 * Pairs with the rcu_dereference() in blink_handle_find(): the handle is
	 * initialised.
	 */
	rcu_assign_pointer(slots[slot], handle);
	return 0;
}

/* Get the handle of a file, which may have one already. */
static int handle_get(const struct file *file, u64 *number)
{
	struct blink_handle *handle = handle_create(file);
	int err;

	if (!handle)
		return -ENOMEM;
	scoped_guard(mutex, &handles_lock)
		err = handle_link(file, handle, number);
	if (err) {
		mem_cgroup_put(handle->payer);
		kfree(handle);
	}
	return err == -EEXIST ? 0 : err;
}

long blink_handle_call(struct blink_call *call)
{
	struct blink_tree_ioc_bpf_handle *arg = &call->arg.bpf_handle;
	int err;

	if (arg->flags || arg->__reserved)
		return -EINVAL;
	if (!enabled)
		return -EOPNOTSUPP;
	if (!bpf_capable())
		return -EPERM;
	err = handle_get(call->file, &arg->handle);
	return err ?: blink_reply(call);
}

/**
 * blink_handle_close() - end the handle of a file, if it has one
 * @file: a tree's file that is being released
 *
 * Context: process context.
 */
void blink_handle_close(struct file *file)
{
	struct blink_object *object = file->private_data;
	struct blink_handle *handle;
	unsigned int slot;

	/* No ioctl on this file is under way any more, so it gets no handle. */
	if (!READ_ONCE(object->handles))
		return;
	guard(mutex)(&handles_lock);
	slot = find_slot(file);
	if (slot == ARRAY_SIZE(slots))
		return;
	handle = handle_at(slot);
	RCU_INIT_POINTER(slots[slot], NULL);
	WRITE_ONCE(object->handles, object->handles - 1);
	blink_objects_queue(&handle->end);
}

/**
 * blink_handle_find() - find a handle
 * @number: its number
 * @mode: FMODE_READ, FMODE_WRITE or both: the access that the handle must have
 *
 * Context: any, rcu_read_lock() held.
 * Return: the handle, whose tree and payer may be used until rcu_read_unlock(); NULL if
 * there is no such handle, or it does not have this access.
 */
const struct blink_handle *blink_handle_find(u64 number, fmode_t mode)
{
	/* Every remainder is a slot, also for a CPU that guesses. */
	const struct blink_handle *handle =
		rcu_dereference(slots[number % ARRAY_SIZE(slots)]);

	if (!handle || handle->number != number || mode & ~handle->mode)
		return NULL;
	return handle;
}

/**
 * blink_handles_enable() - let descriptors get handles
 *
 * Context: process context, before the device is registered.
 */
void blink_handles_enable(void)
{
	enabled = true;
}

/**
 * blink_handles_enabled() - whether descriptors get handles
 *
 * Context: any.
 * Return: false if the module has no functions for BPF programs, or could not register them.
 */
bool blink_handles_enabled(void)
{
	return enabled;
}

/**
 * blink_handles_exit() - wait until closed handles no longer wait for a grace
 *	period
 *
 * blink_objects_exit() drops their references.
 *
 * Context: process context; every file of a tree is closed.
 */
void blink_handles_exit(void)
{
	rcu_barrier();
}
