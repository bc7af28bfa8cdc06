// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RANGE: ranges of keys with one value each. A range is one of keys of 128 bits
 * here, whatever the tree has.
 */
#include <linux/bits.h>
#include <linux/blink_range.h>
#include <linux/errno.h>
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
	if (!op_is(arg, SEEKS) && (arg->size || arg->size_low))
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

static int range_u64(struct blink_tree *tree, struct blink_tree_ioc_range *arg,
		     gfp_t gfp)
{
	const bool highest = arg->flags & BLINK_TREE_RANGE_HIGHEST;
	struct blink_range range = { arg->first, arg->last, arg->value };
	int ret = -EINVAL;

	switch (arg->op) {
	case BLINK_TREE_RANGE_LOOKUP:
		ret = blink_range_lookup(tree, arg->first, &range);
		break;
	case BLINK_TREE_RANGE_NEXT:
		ret = blink_range_next(tree, arg->first, &range);
		break;
	case BLINK_TREE_RANGE_PREV:
		ret = blink_range_prev(tree, arg->first, &range);
		break;
	case BLINK_TREE_RANGE_GAP:
		ret = blink_range_gap(tree, arg->size, highest, &range);
		break;
	case BLINK_TREE_RANGE_STORE:
		if (arg->flags & BLINK_TREE_RANGE_PARTS)
			ret = blink_range_store_part(tree, &range, gfp);
		else
			ret = blink_range_store(tree, &range, gfp);
		break;
	case BLINK_TREE_RANGE_INSERT:
		ret = blink_range_insert(tree, &range, gfp);
		break;
	case BLINK_TREE_RANGE_ALLOC:
		ret = blink_range_alloc(tree, arg->size, highest, &range, gfp);
		break;
	}
	if (ret >= 0) {
		arg->first = range.first;
		arg->last = range.last;
		arg->value = range.value;
	}
	return ret;
}

static u128 join(u64 high, u64 low)
{
	return (u128)high << 64 | low;
}

static int range_u128(struct blink_tree *tree, struct blink_tree_ioc_range *arg,
		      gfp_t gfp)
{
	const bool highest = arg->flags & BLINK_TREE_RANGE_HIGHEST;
	const u128 size = join(arg->size, arg->size_low);
	struct blink_u128_range range = {
		.first = join(arg->first, arg->first_low),
		.last = join(arg->last, arg->last_low),
		.value = arg->value,
	};
	int ret = -EINVAL;

	switch (arg->op) {
	case BLINK_TREE_RANGE_LOOKUP:
		ret = blink_u128_range_lookup(tree, range.first, &range);
		break;
	case BLINK_TREE_RANGE_NEXT:
		ret = blink_u128_range_next(tree, range.first, &range);
		break;
	case BLINK_TREE_RANGE_PREV:
		ret = blink_u128_range_prev(tree, range.first, &range);
		break;
	case BLINK_TREE_RANGE_GAP:
		ret = blink_u128_range_gap(tree, size, highest, &range);
		break;
	case BLINK_TREE_RANGE_STORE:
		if (arg->flags & BLINK_TREE_RANGE_PARTS)
			ret = blink_u128_range_store_part(tree, &range, gfp);
		else
			ret = blink_u128_range_store(tree, &range, gfp);
		break;
	case BLINK_TREE_RANGE_INSERT:
		ret = blink_u128_range_insert(tree, &range, gfp);
		break;
	case BLINK_TREE_RANGE_ALLOC:
		ret = blink_u128_range_alloc(tree, size, highest, &range, gfp);
		break;
	}
	if (ret >= 0) {
		arg->first = range.first >> 64;
		arg->first_low = range.first;
		arg->last = range.last >> 64;
		arg->last_low = range.last;
		arg->value = range.value;
	}
	return ret;
}

/* Execute the operation once. 1: a part was stored, and @first is where the rest begins. */
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
	return wide ? range_u128(tree, arg, gfp) : range_u64(tree, arg, gfp);
}

static int range_run(struct blink_call *call, bool wide)
{
	struct blink_tree_ioc_range *arg = &call->arg.range;
	const u64 first = arg->first, first_low = arg->first_low;
	int ret;

	while ((ret = range_execute(call->file, arg, wide)) > 0) {
		cond_resched();
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	/* All parts are stored: the structure has the whole range again. */
	if (!ret && arg->flags & BLINK_TREE_RANGE_PARTS) {
		arg->first = first;
		arg->first_low = first_low;
	}
	return ret;
}

/**
 * blink_range_call() - BLINK_TREE_IOC_RANGE
 * @call: the ioctl
 *
 * Context: process context, of the caller.
 * Return: 0, or an error of the operation.
 */
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
