// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_LOAD: many entries in ascending order, in *chunks*. A signal
 * can end the call between two chunks. However the call ends, @done is the
 * number of entries that were added.
 */
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "tree_file.h"

#define CHUNK 256U

static int load_run(struct file *file, struct blink_tree_ioc_load *arg,
		    struct blink_tree_entry *entries)
{
	struct blink_tree *tree = blink_file_tree(file);
	void __user *user = u64_to_user_ptr(arg->entries);
	unsigned int nr, done;
	int err = 0;

	while (!err && arg->done < arg->count) {
		nr = min(arg->count - arg->done, CHUNK);
		err = blink_get_elements(entries, sizeof(*entries), user,
					 arg->entry_size, nr);
		if (err)
			break;
		err = blink_tree_load(tree, entries, nr, arg->fill,
				      blink_file_gfp(file), &done);
		arg->done += done;
		user += (size_t)nr * arg->entry_size;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return err;
}

long blink_load_call(struct blink_call *call)
{
	struct blink_tree_ioc_load *arg = &call->arg.load;
	struct blink_tree_entry *entries;
	int err;

	if (!blink_file_u64(call->file))
		return -EOPNOTSUPP;
	if (arg->flags || arg->__reserved || !arg->fill || arg->fill > 100 ||
	    !blink_element_valid(arg->entry_size, BLINK_ENTRY_MIN_SIZE))
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;
	entries = kmalloc_array(CHUNK, sizeof(*entries), GFP_KERNEL_ACCOUNT);
	if (!entries)
		return -ENOMEM;
	/* If @done cannot be reported, no entry may be added. */
	arg->done = 0;
	err = blink_reply(call);
	if (!err)
		err = load_run(call->file, arg, entries);
	kfree(entries);
	return blink_reply(call) ?: err;
}
