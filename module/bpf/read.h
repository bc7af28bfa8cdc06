/* SPDX-License-Identifier: GPL-2.0 */
/* The section of a kfunc in which it reads a tree. */
#ifndef BLINK_BPF_READ_H
#define BLINK_BPF_READ_H

#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/rcupdate.h>

#include "../chardev/handle.h"
#include "../core/core.h"

/**
 * blink_bpf_begin() - find the tree of a handle, to read it
 * @handle: the number of the handle
 * @flags: saved interrupt state
 *
 * A tree of user space does not have BLINK_TREE_IRQSAFE, so no operation waits for a
 * lock while interrupts are disabled (blink_may_wait()).
 *
 * Context: any.
 * Return: the tree; the caller calls blink_bpf_end() soon. Or ERR_PTR() of -EBADF or
 * -EOPNOTSUPP.
 */
static inline struct blink_tree *blink_bpf_begin(u64 handle,
						 unsigned long *flags)
{
	const struct blink_handle *found;

	rcu_read_lock();
	found = blink_handle_find(handle, FMODE_READ);
	if (unlikely(!found)) {
		rcu_read_unlock();
		return ERR_PTR(-EBADF);
	}
	/* A value of bytes is an address. */
	if (unlikely(blink_tree_byte_values(found->tree))) {
		rcu_read_unlock();
		return ERR_PTR(-EOPNOTSUPP);
	}
	local_irq_save(*flags);
	return found->tree;
}

static inline void blink_bpf_end(unsigned long flags)
{
	local_irq_restore(flags);
	rcu_read_unlock();
}

/* The result of @fn with the tree of a handle, or the error of blink_bpf_begin(). */
#define BLINK_BPF_READ(handle, fn, ...)                                        \
	({                                                                     \
		unsigned long __flags;                                         \
		struct blink_tree *__tree = blink_bpf_begin(handle, &__flags); \
		int __ret = PTR_ERR(__tree);                                   \
		if (!IS_ERR(__tree)) {                                         \
			__ret = fn(__tree, __VA_ARGS__);                       \
			blink_bpf_end(__flags);                                \
		}                                                              \
		__ret;                                                         \
	})

#endif /* BLINK_BPF_READ_H */
