// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_BATCH: many operations in one call, in *chunks*. A chunk is
 * copied in, executed and copied out; a signal can end the call between two
 * chunks. Each operation is executed once or not at all. However the call ends,
 * @done is the number of operations that were executed.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "tally.h"
#include "tree_file.h"

/* Operations of a chunk on the stack, and of one in allocated memory. */
#define CHUNK 32U
#define CHUNK_MAX 256U

/* Size of the first version of an operation. */
#define OP_MIN_SIZE offsetofend(struct blink_tree_ioc_op, old)

static bool any_modifies(const struct blink_tree_ioc_op *ops, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (blink_op_modifies(ops[i].opcode, ops[i].flags))
			return true;
	}
	return false;
}

/*
 * Execute the operations that the file permits, in runs as long as possible,
 * and refuse the others.
 */
static void batch_execute_permitted(struct file *file,
				    struct blink_tree_ioc_op *ops,
				    unsigned int nr)
{
	unsigned int i, end;

	for (i = 0; i < nr; i = end) {
		end = i;
		while (end < nr && blink_op_permitted(file, ops[end].opcode, 0))
			end++;
		if (end > i)
			blink_tree_batch(blink_file_tree(file), ops + i,
					 end - i, blink_file_gfp(file));
		else
			ops[end++].result = -EBADF;
		for (; i < end; i++)
			blink_op_conceal(file, &ops[i]);
	}
}

static void batch_count(struct blink_tree *tree,
			const struct blink_tree_ioc_op *ops, unsigned int nr)
{
	struct blink_tally tally = {};
	unsigned int i;

	for (i = 0; i < nr; i++)
		blink_tally_op(&tally, ops[i].opcode, ops[i].result);
	blink_tally_end(&tally, tree);
}

/* Execute all operations, or none and return the error of blink_limbo_wait(). */
static int batch_execute(struct file *file, struct blink_tree_ioc_op *ops,
			 unsigned int nr)
{
	const fmode_t all = FMODE_READ | FMODE_WRITE;
	struct blink_tree *tree = blink_file_tree(file);
	int err = any_modifies(ops, nr) ? blink_limbo_wait(file) : 0;

	if (err)
		return err;
	if (likely((file->f_mode & all) == all))
		blink_tree_batch(tree, ops, nr, blink_file_gfp(file));
	else
		batch_execute_permitted(file, ops, nr);
	batch_count(tree, ops, nr);
	return 0;
}

/* Execute all operations at one instant, or none. */
static int commit_execute(struct file *file, struct blink_tree_ioc_batch *arg,
			  struct blink_tree_ioc_op *ops)
{
	struct blink_tree *tree = blink_file_tree(file);
	unsigned int i, failed;
	int err = 0;

	for (i = 0; i < arg->count; i++) {
		if (!blink_op_permitted(file, ops[i].opcode, ops[i].flags))
			return -EBADF;
	}
	if (any_modifies(ops, arg->count))
		err = blink_limbo_wait(file);
	if (err)
		return err;
	err = blink_tree_commit(tree, ops, arg->count, &failed,
				blink_file_gfp(file));
	if (err && err != -ESTALE)
		return err;
	arg->done = err ? failed : arg->count;
	batch_count(tree, ops, arg->count);
	for (i = 0; i < arg->count; i++)
		blink_op_conceal(file, &ops[i]);
	return err;
}

static int commit_run(struct file *file, struct blink_tree_ioc_batch *arg)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX];
	void __user *user = u64_to_user_ptr(arg->ops);
	int err;

	if (arg->count > ARRAY_SIZE(ops))
		return -E2BIG;
	err = blink_get_elements(ops, sizeof(*ops), user, arg->op_size,
				 arg->count);
	if (err)
		return err;
	err = commit_execute(file, arg, ops);
	if (err && err != -ESTALE)
		return err;
	return blink_put_elements(user, arg->op_size, ops, sizeof(*ops), arg->count) ?:
		       err;
}

static int batch_run(struct file *file, struct blink_tree_ioc_batch *arg,
		     struct blink_tree_ioc_op *ops, unsigned int room)
{
	void __user *user = u64_to_user_ptr(arg->ops);
	unsigned int nr;
	int err;

	while (arg->done < arg->count) {
		nr = min(arg->count - arg->done, room);
		err = blink_get_elements(ops, sizeof(*ops), user, arg->op_size,
					 nr);
		if (err)
			return err;
		err = batch_execute(file, ops, nr);
		if (err)
			return arg->done ? 0 : err;
		arg->done += nr;
		err = blink_put_elements(user, arg->op_size, ops, sizeof(*ops),
					 nr);
		if (err)
			return err;
		user += (size_t)nr * arg->op_size;
		cond_resched();
		if (signal_pending(current))
			break;
	}
	return 0;
}

/*
 * All operations under way end at the end of a chunk, so longer chunks are
 * faster.
 */
static int batch_run_long(struct file *file, struct blink_tree_ioc_batch *arg)
{
	unsigned int room = min(arg->count, CHUNK_MAX);
	struct blink_tree_ioc_op *ops;
	int err;

	ops = kmalloc_array(room, sizeof(*ops),
			    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!ops)
		return -ENOMEM;
	err = batch_run(file, arg, ops, room);
	kfree(ops);
	return err;
}

static int batch_run_short(struct file *file, struct blink_tree_ioc_batch *arg)
{
	struct blink_tree_ioc_op ops[CHUNK];

	return batch_run(file, arg, ops, CHUNK);
}

static int batch_run_any(struct file *file, struct blink_tree_ioc_batch *arg)
{
	int err = -ENOMEM;

	if (arg->count > CHUNK)
		err = batch_run_long(file, arg);
	return err == -ENOMEM ? batch_run_short(file, arg) : err;
}

long blink_batch_call(struct blink_call *call)
{
	struct blink_tree_ioc_batch *arg = &call->arg.batch;
	int err;

	if (!blink_file_u64(call->file))
		return -EOPNOTSUPP;
	if (arg->flags & ~BLINK_TREE_BATCH_COMMIT ||
	    !blink_element_valid(arg->op_size, OP_MIN_SIZE))
		return -EINVAL;
	if (fatal_signal_pending(current))
		return -EINTR;

	/* If @done cannot be reported, no operation may be executed. */
	arg->done = 0;
	if (blink_reply(call))
		return -EFAULT;
	if (arg->flags & BLINK_TREE_BATCH_COMMIT)
		err = commit_run(call->file, arg);
	else
		err = batch_run_any(call->file, arg);
	return blink_reply(call) ?: err;
}
