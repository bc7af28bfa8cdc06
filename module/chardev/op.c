// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_OP, which is one operation, and functions for any operation of
 * a user: checking its permission, and waiting while a tree has too much memory
 * in *limbo*, which are dead nodes that wait for a grace period.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/sizes.h>
#include <linux/uaccess.h>

#include "../core/tree/limbo.h"
#include "tally.h"
#include "tree_file.h"

/*
 * A task that modifies a tree waits while the tree has more than this in limbo.
 */
#define LIMBO_ENOUGH SZ_16M

#define MODIFYING_OPS                                                    \
	(BIT(BLINK_TREE_OP_INSERT) | BIT(BLINK_TREE_OP_STORE) |          \
	 BIT(BLINK_TREE_OP_REPLACE) | BIT(BLINK_TREE_OP_ERASE) |         \
	 BIT(BLINK_TREE_OP_CMPXCHG) | BIT(BLINK_TREE_OP_CMPERASE) |      \
	 BIT(BLINK_TREE_OP_GET_OR_INSERT) | BIT(BLINK_TREE_OP_POP_MIN) | \
	 BIT(BLINK_TREE_OP_POP_MAX) | BIT(BLINK_TREE_OP_ADD) |           \
	 BIT(BLINK_TREE_OP_ADD_SATURATE))

/*
 * The result of these depends on keys or values; some tell whether a guess is
 * correct.
 */
#define REVEALING_OPS                                                     \
	(BLINK_READING_OPS | BIT(BLINK_TREE_OP_CMPXCHG) |                 \
	 BIT(BLINK_TREE_OP_CMPERASE) | BIT(BLINK_TREE_OP_GET_OR_INSERT) | \
	 BIT(BLINK_TREE_OP_POP_MIN) | BIT(BLINK_TREE_OP_POP_MAX) |        \
	 BIT(BLINK_TREE_OP_EXPECT) | BIT(BLINK_TREE_OP_ABSENT))

/* Whether an operation, or its flags in a commit, may change the tree. */
bool blink_op_modifies(u16 opcode, u16 flags)
{
	if (flags & BLINK_TREE_COMMIT_CLEAR)
		return true;
	return opcode < BLINK_TREE_OP_NR && BIT(opcode) & MODIFYING_OPS;
}

/*
 * Whether a descriptor permits an operation, with its flags in a commit; otherwise it must
 * fail with EBADF. An unknown one is permitted, and fails later.
 */
bool blink_op_permitted(const struct file *file, u16 opcode, u16 flags)
{
	fmode_t need = 0;

	if (opcode >= BLINK_TREE_OP_NR)
		return true;
	if (BIT(opcode) & REVEALING_OPS || flags & BLINK_TREE_COMMIT_EMPTY)
		need |= FMODE_READ;
	if (blink_op_modifies(opcode, flags))
		need |= FMODE_WRITE;
	return (file->f_mode & need) == need;
}

/* Clear the fields of a reply that the file may not read. */
void blink_op_conceal(const struct file *file, struct blink_tree_ioc_op *op)
{
	if (unlikely(!(file->f_mode & FMODE_READ)))
		op->old = 0;
}

/**
 * blink_limbo_wait() - wait while a tree has too much memory in limbo
 * @file: the file of the tree, which the caller is about to modify
 *
 * A process that waits here before each modification cannot fill the memory
 * with dead nodes faster than grace periods free them, whatever signals it
 * gets.
 *
 * Context: process context, outside of RCU.
 * Return: 0; -ERESTARTSYS if a signal arrived first; -EAGAIN instead of a wait if the
 * file has O_NONBLOCK.
 */
int blink_limbo_wait(const struct file *file)
{
	struct blink_tree *tree = blink_file_tree(file);

	if (READ_ONCE(file->f_flags) & O_NONBLOCK)
		return blink_limbo_exceeds(tree, LIMBO_ENOUGH) ? -EAGAIN : 0;
	return blink_tree_limbo_wait(tree, LIMBO_ENOUGH) ? -ERESTARTSYS : 0;
}

/*
 * The caller's structure is written before the operation, so EFAULT means that
 * nothing was done. It is written again after the operation, also after an
 * error, because some errors return a value: the one that is present.
 */
static __always_inline long op_execute(struct file *file,
				       struct blink_tree_ioc_op *op,
				       void __user *user, size_t size)
{
	struct blink_tree *tree = blink_file_tree(file);
	bool modifies = blink_op_modifies(op->opcode, 0);
	struct blink_tally tally = {};
	int err = 0;

	if (modifies && copy_to_user(user, op, size))
		return -EFAULT;
	if (unlikely(!blink_op_permitted(file, op->opcode, 0)))
		err = -EBADF;
	else if (modifies)
		err = blink_limbo_wait(file);
	if (unlikely(err)) {
		op->result = err == -ERESTARTSYS ? -EINTR : err;
	} else {
		blink_tree_op(tree, op, blink_file_gfp(file));
		blink_tally_op(&tally, op->opcode, op->result);
		blink_tally_end(&tally, tree);
		blink_op_conceal(file, op);
	}
	if (copy_to_user(user, op, size))
		return -EFAULT;
	/*
	 * Nothing was done, so the call is restarted if the signal handler
	 * permits it.
	 */
	return op->result == -EINTR ? -ERESTARTSYS : min(op->result, 0);
}

/* BLINK_TREE_IOC_OP of a caller with the same structure. */
long blink_op_ioctl(struct file *file, struct blink_tree_ioc_op __user *user)
{
	struct blink_tree_ioc_op op;

	if (copy_from_user(&op, user, sizeof(op)))
		return -EFAULT;
	return op_execute(file, &op, user, sizeof(op));
}

/* BLINK_TREE_IOC_OP of an older or newer caller. */
long blink_op_call(struct blink_call *call)
{
	return op_execute(call->file, &call->arg.op, call->user, call->common);
}
