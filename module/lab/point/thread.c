// SPDX-License-Identifier: GPL-2.0
/*
 * A thread of a point. Between marks, and between the readings of the clock, there are
 * only the calls of the index, from memory of the thread's own. Their answers are
 * checked after each call.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "../marks.h"
#include "../threads.h"
#include "thread.h"

/* Calls between two offers to give up the CPU. */
#define PATIENCE 64
/* Shared operations that a thread takes at once; no batch has more. */
#define PORTION LAB_BATCH_MAX

static __always_inline void begin(struct point_own *me)
{
	if (me->run->turns)
		lab_turn_begin();
	if (me->timed)
		me->since = ktime_get_ns();
	blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_CALL);
}

static __always_inline void end(struct point_own *me)
{
	blink_mark(BLINK_MARK_END);
	if (me->timed)
		me->ns += ktime_get_ns() - me->since;
	if (me->run->turns)
		lab_turn_end();
}

/* A call of the index between two marks, and two readings of the clock. */
#define TIMED(me, call) (begin(me), call, end(me))

/* A lack of memory ends the point; any other error is a wrong answer. */
static void judge(struct point_own *me, int ret)
{
	if (ret == -ENOMEM)
		me->error = ret;
	else
		me->wrong += !!ret;
}

static bool is_sound(const struct point_run *run,
		     const struct blink_tree_entry *entry)
{
	return entry->value < run->numbers &&
	       entry->key == lab_key(&run->load.keys, entry->value);
}

static void look_up(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	u64 value = 0;
	int ret;

	TIMED(me, ret = index.ops->lookup(index.data, op->key, &value));
	if (ret)
		judge(me, ret);
	else
		me->wrong += value != op->number;
}

static void miss(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	u64 value;
	int ret;

	TIMED(me, ret = index.ops->lookup(index.data, op->key, &value));
	if (ret != -ENOENT)
		judge(me, ret ?: -EEXIST);
}

static void insert(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	int ret;

	TIMED(me, ret = index.ops->insert(index.data, op->key, op->number));
	judge(me, ret);
}

static void store(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	int ret;

	TIMED(me, ret = index.ops->store(index.data, op->key, op->number));
	judge(me, ret);
}

static void erase(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	int ret;

	TIMED(me, ret = index.ops->erase(index.data, op->key));
	judge(me, ret);
}

/* A scan with fewer entries than it was to have passed the last key that stays. */
static bool scan_is_right(const struct point_run *run, const struct lab_op *op,
			  const struct blink_tree_entry *entry,
			  unsigned int got)
{
	bool right = got && got <= op->nr && entry->key == op->key;
	unsigned int i;

	for (i = 0; right && i < got; i++) {
		right = is_sound(run, &entry[i]);
		if (i && run->descends)
			right = right && entry[i].key < entry[i - 1].key;
		else if (i)
			right = right && entry[i].key > entry[i - 1].key;
	}
	if (!right || got == op->nr)
		return right;
	return run->descends ? entry[got - 1].key <= run->low :
			       entry[got - 1].key >= run->high;
}

static void scan(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	unsigned int got;

	TIMED(me,
	      got = index.ops->scan(index.data, op->key, me->entry, op->nr));
	me->wrong += !scan_is_right(me->run, op, me->entry, got);
}

/* The key itself is absent. Beyond the last key that stays, that one is less. */
static void find_floor(struct point_own *me, const struct lab_op *op)
{
	const struct point_run *run = me->run;
	const struct lab_index index = run->index;
	struct blink_tree_entry *entry = me->entry;
	bool right;
	int ret;

	TIMED(me, ret = index.ops->floor(index.data, op->key, entry));
	if (ret)
		right = ret == -ENOENT && op->key < run->low;
	else
		right = entry->key < op->key && is_sound(run, entry) &&
			(op->key < run->high || entry->key >= run->high);
	me->wrong += !right;
}

static void get_or_insert(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	u64 value = op->number;
	int ret;

	TIMED(me, ret = index.ops->get_or_insert(index.data, op->key, &value));
	if (ret < 0)
		judge(me, ret);
	else
		me->wrong += ret != !op->nr || value != op->number;
}

/* By the law of large numbers, and more for small ones. */
static bool is_about(u64 keys, u64 expected)
{
	return keys <= 2 * expected + 20 && keys + 20 >= expected / 2;
}

static void count(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	u64 keys;

	TIMED(me, keys = index.ops->count(index.data, op->key, op->last));
	me->wrong += !is_about(keys, op->nr);
}

/* The least key, which is then inserted again. */
static void pop(struct point_own *me)
{
	const struct lab_index index = me->run->index;
	struct blink_tree_entry *entry = me->entry;
	int ret;

	TIMED(me, ret = index.ops->pop_min(index.data, entry));
	if (ret)
		return judge(me, ret);
	me->wrong += !is_sound(me->run, entry);
	TIMED(me,
	      ret = index.ops->insert(index.data, entry->key, entry->value));
	judge(me, ret);
}

static void erase_range(struct point_own *me, const struct lab_op *op)
{
	const struct lab_index index = me->run->index;
	u64 keys;

	TIMED(me, keys = index.ops->erase_range(index.data, op->key, op->last));
	me->wrong += !is_about(keys, op->nr);
	me->stream.erased += keys;
}

static void execute(struct point_own *me, const struct lab_op *op)
{
	switch (op->kind) {
	case LAB_OP_READ:
		return look_up(me, op);
	case LAB_OP_INSERT:
		return insert(me, op);
	case LAB_OP_UPDATE:
		return store(me, op);
	case LAB_OP_ERASE:
		return erase(me, op);
	case LAB_OP_SCAN:
		return scan(me, op);
	case LAB_OP_RMW:
		look_up(me, op);
		return store(me, op);
	case LAB_OP_MISS:
		return miss(me, op);
	case LAB_OP_FLOOR:
		return find_floor(me, op);
	case LAB_OP_GET_OR_INSERT:
		return get_or_insert(me, op);
	case LAB_OP_COUNT:
		return count(me, op);
	case LAB_OP_POP:
		return pop(me);
	case LAB_OP_ERASE_RANGE:
		return erase_range(me, op);
	}
}

static struct blink_tree_ioc_op call_of(struct point_own *me, unsigned int i)
{
	const struct lab_op *op = &me->op[i];
	struct blink_tree_ioc_op call = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.key = op->key,
	};

	if (op->kind == LAB_OP_INSERT) {
		call.opcode = BLINK_TREE_OP_INSERT;
		call.value = op->number;
	} else if (op->kind == LAB_OP_SCAN) {
		call.opcode = LAB_BATCH_SCAN;
		call.value = (uintptr_t)&me->entry[i * LAB_MIX_SCAN_MAX];
		call.old = op->nr;
	}
	return call;
}

static void judge_call(struct point_own *me, unsigned int i)
{
	const struct lab_op *op = &me->op[i];
	const struct blink_tree_ioc_op *call = &me->call[i];

	if (op->kind == LAB_OP_SCAN)
		me->wrong += !scan_is_right(me->run, op,
					    &me->entry[i * LAB_MIX_SCAN_MAX],
					    call->result);
	else if (call->result)
		judge(me, call->result);
	else
		me->wrong += call->value != op->number;
}

static void execute_batch(struct point_own *me, unsigned int nr)
{
	const struct lab_index index = me->run->index;
	unsigned int i;

	for (i = 0; i < nr; i++)
		me->call[i] = call_of(me, i);
	TIMED(me, index.ops->batch(index.data, me->call, nr));
	for (i = 0; i < nr; i++)
		judge_call(me, i);
}

/* An operation of a batch takes as long as the batch. */
static void add_times(struct point_own *me, unsigned int nr)
{
	unsigned int i;

	for (i = 0; me->timed && i < nr; i++)
		lab_times_add(&me->times[me->op[i].kind], me->ns);
	me->ns = 0;
}

/* Whether a thread executes the changes alone, beside readers. */
static __always_inline bool is_writer(const struct point_own *me)
{
	return me->stream.id < me->run->load.writers;
}

/* Whether to go on; now and then other threads may have the CPU. */
static __always_inline bool go_on(const struct point_own *me, u64 calls)
{
	if (!(calls % PATIENCE))
		cond_resched();
	if (is_writer(me) && !atomic_read(&me->run->readers))
		return false;
	return !me->error && !READ_ONCE(me->run->stop);
}

/* Execute the next operations of the stream; returns how many it could. */
static u64 execute_next(struct point_own *me, u64 ops)
{
	u64 done = 0, calls = 0;
	unsigned int nr, i;

	for (; done < ops && go_on(me, calls); done += nr, calls++) {
		nr = min_t(u64, me->run->batch, ops - done);
		for (i = 0; i < nr; i++)
			lab_stream_next(&me->stream, &me->op[i]);
		if (me->run->batches)
			execute_batch(me, nr);
		else
			execute(me, me->op);
		add_times(me, nr);
	}
	return done;
}

/* Take shared operations up to a ticket, in portions of whole batches, and execute them. */
static u64 execute_shared(struct point_own *me, atomic64_t *taken, u64 end)
{
	u64 portion = PORTION - PORTION % me->run->batch;
	u64 done = 0, nr = 0, got = 0, ticket;

	while (got == nr) {
		ticket = atomic64_fetch_add(portion, taken);
		if (ticket >= end)
			break;
		me->stream.ticket = ticket;
		nr = min(portion, end - ticket);
		got = execute_next(me, nr);
		done += got;
	}
	return done;
}

/* @before: the shared operations that are over */
static u64 execute_all(struct point_thread *thread, u64 before, u64 ops)
{
	struct point_run *run = thread->run;
	u64 done;

	if (run->load.shared)
		return execute_shared(thread->own, &run->taken, before + ops);
	done = execute_next(thread->own, ops);
	if (!is_writer(thread->own))
		atomic_dec(&run->readers);
	return done;
}

/* A thread leaves the index at the end of each of its parts. */
static int leave(struct point_own *me)
{
	const struct lab_index index = me->run->index;

	if (index.ops->leave)
		index.ops->leave(index.data);
	return me->error;
}

static void load_number(struct point_own *me, u64 number)
{
	const struct point_run *run = me->run;
	const struct lab_index_ops *ops = run->index.ops;
	u64 key = lab_key(&run->load.keys, number);

	judge(me, (ops->load ?: ops->store)(run->index.data, key, number));
	if (number >= me->stream.stable)
		return;
	me->low = min(me->low, key);
	me->high = max(me->high, key);
}

static int load_numbers(struct point_own *me)
{
	const struct point_run *run = me->run;
	u64 number = me->stream.id, i;
	u32 *order = point_load_order(run, number);

	for (i = 0; number < run->load.window && go_on(me, i); i++) {
		load_number(me, order ? order[i] : number);
		number += run->loaders;
	}
	kvfree(order);
	return leave(me);
}

/* Load this thread's numbers of the window, if it is a loader. */
int point_load(void *arg)
{
	struct point_thread *thread = arg;
	struct point_run *run = thread->run;
	struct point_own *me;

	me = kvzalloc(struct_size(me, times, run->timed ? LAB_OP_NR : 0),
		      GFP_KERNEL);
	if (!me)
		return -ENOMEM;
	thread->own = me;
	me->run = run;
	me->low = U64_MAX;
	lab_stream_init(&me->stream, &run->load, &run->zipf, thread->id);
	return thread->id < run->loaders ? load_numbers(me) : 0;
}

/* Do the operations that are not measured. */
int point_warm_up(void *arg)
{
	struct point_thread *thread = arg;

	blink_tell_stack();
	execute_all(thread, 0, thread->run->load.warm_up);
	return leave(thread->own);
}

/* Do the operations that are measured. */
int point_measure(void *arg)
{
	struct point_thread *thread = arg;
	const struct lab_workload *load = &thread->run->load;
	struct point_own *me = thread->own;

	me->timed = thread->run->timed;
	blink_tell_stack();
	me->begin = ktime_get_ns();
	me->done = execute_all(thread, load->warm_up, load->ops);
	me->end = ktime_get_ns();
	return leave(me);
}
