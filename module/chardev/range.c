// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RANGE: ranges of keys with one value each. Searches, and stores in parts, give
 * way to other tasks and to signals. The structure has the bounds of what is left meanwhile, and
 * is again what it was if the call fails.
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

/* Look at so many ranges, or store one part, before the task can do something else. */
#define RANGES_AT_ONCE 256

/* Search on, as far as the bounds in the structure say. 1: a rest is left. */
static int search_u64(struct blink_tree *tree, struct blink_tree_ioc_range *arg)
{
	struct blink_range_search search = {
		.range = { arg->first, arg->last, 0 },
		.size = arg->size,
		.down = arg->op == BLINK_TREE_RANGE_PREV ||
			arg->flags & BLINK_TREE_RANGE_HIGHEST,
	};
	int ret = blink_range_search(tree, &search, RANGES_AT_ONCE);

	arg->first = search.range.first;
	arg->last = search.range.last;
	if (!ret && !arg->size)
		arg->value = search.range.value;
	return ret;
}

/* Execute an operation that is no search. 1: a part of it was done. */
static int range_u64(struct blink_tree *tree, struct blink_tree_ioc_range *arg,
		     gfp_t gfp)
{
	struct blink_range range = { arg->first, arg->last, arg->value };
	int ret;

	if (arg->op == BLINK_TREE_RANGE_LOOKUP)
		ret = blink_range_lookup(tree, arg->first, &range);
	else if (arg->op != BLINK_TREE_RANGE_STORE)
		ret = blink_range_insert(tree, &range, gfp);
	else if (arg->flags & BLINK_TREE_RANGE_PARTS)
		ret = blink_range_store_part(tree, &range, gfp);
	else
		ret = blink_range_store(tree, &range, gfp);
	arg->first = range.first;
	arg->last = range.last;
	arg->value = range.value;
	return ret;
}

static u128 join(u64 high, u64 low)
{
	return (u128)high << 64 | low;
}

static struct blink_u128_range get_u128(const struct blink_tree_ioc_range *arg)
{
	return (struct blink_u128_range){
		.first = join(arg->first, arg->first_low),
		.last = join(arg->last, arg->last_low),
		.value = arg->value,
	};
}

static void put_u128(struct blink_tree_ioc_range *arg,
		     const struct blink_u128_range *range)
{
	arg->first = range->first >> 64;
	arg->first_low = range->first;
	arg->last = range->last >> 64;
	arg->last_low = range->last;
}

static int search_u128(struct blink_tree *tree,
		       struct blink_tree_ioc_range *arg)
{
	struct blink_u128_range_search search = {
		.range = get_u128(arg),
		.size = join(arg->size, arg->size_low),
		.down = arg->op == BLINK_TREE_RANGE_PREV ||
			arg->flags & BLINK_TREE_RANGE_HIGHEST,
	};
	int ret = blink_u128_range_search(tree, &search, RANGES_AT_ONCE);

	put_u128(arg, &search.range);
	if (!ret && !search.size)
		arg->value = search.range.value;
	return ret;
}

static int range_u128(struct blink_tree *tree, struct blink_tree_ioc_range *arg,
		      gfp_t gfp)
{
	struct blink_u128_range range = get_u128(arg);
	int ret;

	if (arg->op == BLINK_TREE_RANGE_LOOKUP)
		ret = blink_u128_range_lookup(tree, range.first, &range);
	else if (arg->op != BLINK_TREE_RANGE_STORE)
		ret = blink_u128_range_insert(tree, &range, gfp);
	else if (arg->flags & BLINK_TREE_RANGE_PARTS)
		ret = blink_u128_range_store_part(tree, &range, gfp);
	else
		ret = blink_u128_range_store(tree, &range, gfp);
	put_u128(arg, &range);
	arg->value = range.value;
	return ret;
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
	return wide ? range_u128(tree, arg, gfp) : range_u64(tree, arg, gfp);
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
		ret = wide ? search_u128(tree, arg) : search_u64(tree, arg);
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
	bool begun = false;
	int ret;

	while ((ret = range_execute(call->file, arg, wide)) > 0) {
		begun = true;
		cond_resched();
		if (signal_pending(current))
			return -EINTR;
	}
	/* A call that has done something is not restarted. */
	return begun && ret == -ERESTARTSYS ? -EINTR : ret;
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
