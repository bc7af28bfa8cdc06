// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RANGE: ranges of keys with one value each. Searches, and stores in parts, give
 * way to other tasks and to signals. The structure has the bounds of what is left meanwhile, and
 * is again what it was if the call fails.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "tree_file.h"

#define WRITES                                                        \
	(BIT(BLINK_TREE_RANGE_STORE) | BIT(BLINK_TREE_RANGE_INSERT) | \
	 BIT(BLINK_TREE_RANGE_ALLOC))
#define READS                                                        \
	(BIT(BLINK_TREE_RANGE_LOOKUP) | BIT(BLINK_TREE_RANGE_NEXT) | \
	 BIT(BLINK_TREE_RANGE_PREV) | BIT(BLINK_TREE_RANGE_GAP) |    \
	 BIT(BLINK_TREE_RANGE_INSERT) | BIT(BLINK_TREE_RANGE_ALLOC))
/* They have a size. */
#define SEEKS (BIT(BLINK_TREE_RANGE_GAP) | BIT(BLINK_TREE_RANGE_ALLOC))
/* They pass over ranges. */
#define SEARCHES \
	(SEEKS | BIT(BLINK_TREE_RANGE_NEXT) | BIT(BLINK_TREE_RANGE_PREV))

static bool op_is(const struct blink_tree_ioc_range *arg, unsigned long ops)
{
	return BIT(arg->op) & ops;
}

/* The flags that an operation can have. */
static u32 range_flags(const struct blink_tree_ioc_range *arg)
{
	if (op_is(arg, SEEKS))
		return BLINK_TREE_RANGE_HIGHEST;
	return arg->op == BLINK_TREE_RANGE_STORE ? BLINK_TREE_RANGE_PARTS : 0;
}

static bool range_valid(const struct blink_tree_ioc_range *arg, bool wide)
{
	if (arg->op >= BLINK_TREE_RANGE_NR || arg->flags & ~range_flags(arg))
		return false;
	if (op_is(arg, SEEKS) != !!(arg->size | arg->size_low))
		return false;
	if (arg->op == BLINK_TREE_RANGE_ALLOC && !arg->value)
		return false;
	return wide || !(arg->first_low | arg->last_low | arg->size_low);
}

static bool range_permitted(const struct file *file,
			    const struct blink_tree_ioc_range *arg)
{
	fmode_t need = 0;

	if (op_is(arg, READS))
		need |= FMODE_READ;
	if (op_is(arg, WRITES))
		need |= FMODE_WRITE;
	return (file->f_mode & need) == need;
}

/* Insert a range, or store it or a part of it, or look one up. */
static int range_execute(struct file *file, struct blink_tree_ioc_range *arg,
			 bool wide)
{
	struct blink_tree *tree = blink_file_tree(file);
	const gfp_t gfp = blink_file_gfp(file);
	int err = 0;

	if (op_is(arg, WRITES))
		err = blink_limbo_wait(file);
	if (err)
		return err;
	return wide ? blink_range_u128_execute(tree, arg, gfp) :
		      blink_range_u64_execute(tree, arg, gfp);
}

/* The bounds of a search that begins at a key. */
static void search_bounds(struct blink_tree_ioc_range *arg, bool wide)
{
	if (arg->op == BLINK_TREE_RANGE_NEXT) {
		arg->last = U64_MAX;
		arg->last_low = wide ? U64_MAX : 0;
	} else if (arg->op == BLINK_TREE_RANGE_PREV) {
		arg->last = arg->first;
		arg->last_low = arg->first_low;
		arg->first = 0;
		arg->first_low = 0;
	}
}

/* Search in parts. The bounds become what is found. */
static int range_search(struct blink_call *call, bool wide)
{
	struct blink_tree *tree = blink_file_tree(call->file);
	struct blink_tree_ioc_range *arg = &call->arg.range;
	int ret;

	for (;;) {
		ret = wide ? blink_range_u128_search(tree, arg) :
			     blink_range_u64_search(tree, arg);
		if (ret <= 0)
			break;
		cond_resched();
		/* Another signal would begin it anew, again and again. */
		if (fatal_signal_pending(current))
			return -EINTR;
	}
	return ret == -ENOENT && op_is(arg, SEEKS) ? -EBUSY : ret;
}

/* Find a gap and insert a range there, until no other caller was faster. */
static int range_alloc(struct blink_call *call, bool wide)
{
	struct blink_tree_ioc_range *arg = &call->arg.range;
	const struct blink_tree_ioc_range asked = *arg;
	int ret;

	for (;;) {
		ret = range_search(call, wide) ?:
			      range_execute(call->file, arg, wide);
		if (ret != -EEXIST)
			return ret;
		*arg = asked;
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
	}
}

/* Store a range in parts: @first becomes where the rest begins. */
static int range_parts(struct blink_call *call, bool wide)
{
	struct blink_tree_ioc_range *arg = &call->arg.range;
	int ret;

	while ((ret = range_execute(call->file, arg, wide)) > 0) {
		cond_resched();
		/* Restarted with the rest, or with parts that are one range already. */
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	return ret;
}

static int range_run(struct blink_call *call, bool wide)
{
	struct blink_tree_ioc_range *arg = &call->arg.range;
	const struct blink_tree_ioc_range asked = *arg;
	const bool readable = call->file->f_mode & FMODE_READ;
	int ret;

	search_bounds(arg, wide);
	if (arg->op == BLINK_TREE_RANGE_ALLOC)
		ret = range_alloc(call, wide);
	else if (op_is(arg, SEARCHES))
		ret = range_search(call, wide);
	else if (arg->flags & BLINK_TREE_RANGE_PARTS)
		ret = range_parts(call, wide);
	else
		ret = range_execute(call->file, arg, wide);
	/* The rest of a range begins at a key of the tree, which only readers may learn. */
	if (ret && arg->flags & BLINK_TREE_RANGE_PARTS && readable)
		return ret;
	if (ret || arg->op == BLINK_TREE_RANGE_STORE)
		*arg = asked;
	return ret;
}

long blink_range_call(struct blink_call *call)
{
	const enum blink_tree_key key = blink_file_key(call->file);
	struct blink_tree_ioc_range *arg = &call->arg.range;
	const bool wide = key == BLINK_TREE_KEY_U128;
	int ret;

	if (blink_tree_byte_values(blink_file_tree(call->file)) ||
	    (!wide && key != BLINK_TREE_KEY_U64))
		return -EOPNOTSUPP;
	if (!range_valid(arg, wide))
		return -EINVAL;
	if (!range_permitted(call->file, arg))
		return -EBADF;
	if (fatal_signal_pending(current))
		return -EINTR;
	/* If the answer cannot be reported, nothing may change. */
	if (op_is(arg, WRITES) && blink_reply(call))
		return -EFAULT;
	ret = range_run(call, wide);
	return blink_reply(call) ? -EFAULT : ret;
}
