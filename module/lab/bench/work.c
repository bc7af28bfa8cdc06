// SPDX-License-Identifier: GPL-2.0
/*
 * The work of a thread. Only the calls of the index are between marks, and each is
 * one indirect call (../schemes/lab_index.h).
 */
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "../keys.h"
#include "../marks.h"
#include "work.h"

/* How many calls to do between two offers to give the CPU up. */
#define PATIENCE 64

static __always_inline void begin(void)
{
	blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_CALL);
}

static __always_inline void end(void)
{
	blink_mark(BLINK_MARK_END);
}

/* An error other than a lack of memory is a wrong answer. */
static void judge(struct work_thread *me, int ret)
{
	if (ret == -ENOMEM)
		me->error = ret;
	else
		me->wrong += !!ret;
}

/* The number of a present key. */
static u64 pick(struct work_thread *me)
{
	return me->work->lowest + lab_below(&me->random, me->work->window);
}

/* Likewise, by Zipf's law. */
static u64 pick_zipf(struct work_thread *me)
{
	return me->work->lowest + lab_zipf_next(me->work->zipf, &me->random);
}

/* The number of this thread's next new key. */
static u64 fresh(struct work_thread *me)
{
	const struct work *work = me->work;

	return work->lowest + work->window + me->id +
	       me->inserted++ * work->threads;
}

/* The number of this thread's oldest key. */
static u64 oldest(struct work_thread *me)
{
	const struct work *work = me->work;

	return work->lowest + me->id + me->erased++ * work->threads;
}

static __always_inline void insert(struct work_thread *me)
{
	u64 n = fresh(me), key = lab_image(n);
	int ret;

	begin();
	ret = me->work->index.ops->insert(me->work->index.data, key, n);
	end();
	judge(me, ret);
}

static __always_inline void look_up(struct work_thread *me, u64 n)
{
	u64 key = lab_image(n), value = 0;
	int ret;

	begin();
	ret = me->work->index.ops->lookup(me->work->index.data, key, &value);
	end();
	me->wrong += ret || value != n;
}

static __always_inline void store(struct work_thread *me)
{
	u64 n = pick(me), key = lab_image(n);
	int ret;

	begin();
	ret = me->work->index.ops->store(me->work->index.data, key, n);
	end();
	judge(me, ret);
}

static __always_inline void erase(struct work_thread *me)
{
	u64 key = lab_image(oldest(me));
	int ret;

	begin();
	ret = me->work->index.ops->erase(me->work->index.data, key);
	end();
	judge(me, ret);
}

/* Near the end of all keys fewer entries than asked for are right. */
static bool near_end(u64 key)
{
	return key < LAB_KEY_MAX / 16 || key > LAB_KEY_MAX - LAB_KEY_MAX / 16;
}

static __always_inline void scan(struct work_thread *me)
{
	struct blink_tree_entry *entry = me->entry;
	u64 key = lab_image(pick(me));
	unsigned int got, i;

	begin();
	got = me->work->index.ops->scan(me->work->index.data, key, entry,
					LAB_SCAN_MAX);
	end();
	me->wrong += !got || entry[0].key != key;
	me->wrong += got && got < LAB_SCAN_MAX && !near_end(entry[got - 1].key);
	for (i = 0; i < got; i++)
		me->wrong += lab_image(entry[i].value) != entry[i].key ||
			     (i && (entry[i].key > entry[i - 1].key) ==
					   me->work->descends);
}

static __always_inline void find_floor(struct work_thread *me)
{
	u64 key = lab_image(LAB_ABSENT + lab_below(&me->random, LAB_ABSENT));
	struct blink_tree_entry *entry = me->entry;
	int ret;

	begin();
	ret = me->work->index.ops->floor(me->work->index.data, key, entry);
	end();
	if (ret)
		me->wrong += !near_end(key);
	else
		me->wrong += entry->key >= key ||
			     lab_image(entry->value) != entry->key;
}

static __always_inline void look_up_any(struct work_thread *me)
{
	look_up(me, pick(me));
}

static __always_inline void look_up_zipf(struct work_thread *me)
{
	look_up(me, pick_zipf(me));
}

static __always_inline void mix(struct work_thread *me)
{
	if (lab_below(&me->random, 20))
		look_up(me, pick(me));
	else
		store(me);
}

static __always_inline void turn_over(struct work_thread *me)
{
	if (me->done % 2)
		erase(me);
	else
		insert(me);
}

static __always_inline void grow(struct work_thread *me)
{
	if (me->done % 2)
		insert(me);
	else
		look_up(me, pick(me));
}

static __always_inline void get_or_insert(struct work_thread *me)
{
	bool add = me->done % 2;
	u64 n = add ? fresh(me) : pick(me), key = lab_image(n), value = n;
	int ret;

	begin();
	ret = me->work->index.ops->get_or_insert(me->work->index.data, key,
						 &value);
	end();
	judge(me, min(ret, 0));
	me->wrong += ret >= 0 && (ret != !add || value != n);
}

/* The keys are random, so that a range has about as many as its width says. */
static bool about(u64 keys, u64 expected)
{
	return keys >= expected / 2 && keys <= expected * 2;
}

static __always_inline void count(struct work_thread *me)
{
	u64 expected = min_t(u64, me->work->window / 2, WORK_RANGE_KEYS);
	u64 width = LAB_KEY_MAX / me->work->window * expected, keys;
	u64 first = lab_below(&me->random, LAB_KEY_MAX - width);

	begin();
	keys = me->work->index.ops->count(me->work->index.data, first,
					  first + width - 1);
	end();
	me->wrong += !about(keys, expected);
}

/* The least key, which is then inserted again. */
static __always_inline void pop(struct work_thread *me)
{
	struct blink_tree_entry *entry = me->entry;
	int ret;

	begin();
	ret = me->work->index.ops->pop_min(me->work->index.data, entry);
	end();
	me->wrong += ret || lab_image(entry->value) != entry->key;
	if (ret)
		return;
	begin();
	ret = me->work->index.ops->insert(me->work->index.data, entry->key,
					  entry->value);
	end();
	judge(me, ret);
}

/* The threads erase all keys, range by range, each in a part of its own. */
static __always_inline void erase_range(struct work_thread *me)
{
	u64 ranges = me->work->ops * me->work->threads, keys;
	u64 width = LAB_KEY_MAX / ranges;
	u64 first = (me->id * me->work->ops + me->done) * width;

	begin();
	keys = me->work->index.ops->erase_range(me->work->index.data, first,
						first + width - 1);
	end();
	me->wrong += !about(keys, me->work->window / ranges);
}

static bool adds(const struct work_thread *me, unsigned int i)
{
	return me->work->kind == LAB_WORK_INSERT ||
	       (me->work->kind == LAB_WORK_GROW && (me->done + i) % 2);
}

static unsigned int batch(struct work_thread *me)
{
	unsigned int nr = min(me->work->batch, me->work->ops - me->done), i;

	for (i = 0; i < nr; i++) {
		bool add = adds(me, i);

		me->number[i] = add ? fresh(me) : pick(me);
		me->op[i] = (struct blink_tree_ioc_op){
			.opcode = add ? BLINK_TREE_OP_INSERT :
					BLINK_TREE_OP_LOOKUP,
			.key = lab_image(me->number[i]),
			.value = add ? me->number[i] : 0,
		};
	}
	begin();
	me->work->index.ops->batch(me->work->index.data, me->op, nr);
	end();
	for (i = 0; i < nr; i++) {
		judge(me, me->op[i].result);
		me->wrong += me->op[i].value != me->number[i];
	}
	return nr;
}

/* Whether to go on; now and then others may have the CPU. */
static __always_inline bool go_on(struct work_thread *me, unsigned int *calls)
{
	if (!(++*calls % PATIENCE))
		cond_resched();
	return me->done < me->work->ops && !me->error &&
	       !READ_ONCE(me->work->stop);
}

/* Each @step is inlined into a loop of its own. */
static __always_inline void repeat(struct work_thread *me,
				   void (*step)(struct work_thread *me))
{
	unsigned int calls = 0;

	for (; go_on(me, &calls); me->done++)
		step(me);
}

static void repeat_batch(struct work_thread *me)
{
	unsigned int calls = 0;

	while (go_on(me, &calls))
		me->done += batch(me);
}

static void repeat_single(struct work_thread *me)
{
	switch (me->work->kind) {
	case LAB_WORK_INSERT:
		return repeat(me, insert);
	case LAB_WORK_LOOKUP:
		return repeat(me, look_up_any);
	case LAB_WORK_ZIPF:
		return repeat(me, look_up_zipf);
	case LAB_WORK_SCAN:
		return repeat(me, scan);
	case LAB_WORK_FLOOR:
		return repeat(me, find_floor);
	case LAB_WORK_MIX:
		return repeat(me, mix);
	case LAB_WORK_TURNOVER:
		return repeat(me, turn_over);
	case LAB_WORK_GROW:
		return repeat(me, grow);
	case LAB_WORK_GET_OR_INSERT:
		return repeat(me, get_or_insert);
	case LAB_WORK_COUNT:
		return repeat(me, count);
	case LAB_WORK_POP:
		return repeat(me, pop);
	case LAB_WORK_RANGE:
		return repeat(me, erase_range);
	}
}

/**
 * work_main() - do a thread's share of a workload
 * @arg: the thread
 *
 * Context: process; sleeps.
 * Return: 0, or what ended it early.
 */
int work_main(void *arg)
{
	struct work_thread *me = arg;

	me->random = ((me->id + 1ULL) << 32) + me->work->kind;
	me->begin = ktime_get_ns();
	if (me->work->batch > 1)
		repeat_batch(me);
	else
		repeat_single(me);
	me->end = ktime_get_ns();
	return me->error;
}

/**
 * work_possible() - whether an index can do a workload
 * @bench: the round
 * @kind: enum lab_work
 *
 * Context: any.
 * Return: whether it has the calls for it.
 */
bool work_possible(const struct lab_bench *bench, unsigned int kind)
{
	const struct lab_index_ops *ops = bench->scheme->ops;

	if (bench->batch > 1)
		return ops->batch &&
		       (kind == LAB_WORK_INSERT || kind == LAB_WORK_LOOKUP ||
			kind == LAB_WORK_GROW);
	switch (kind) {
	case LAB_WORK_SCAN:
		return ops->scan;
	case LAB_WORK_FLOOR:
		return ops->floor;
	case LAB_WORK_TURNOVER:
		return ops->erase;
	case LAB_WORK_GET_OR_INSERT:
		return ops->get_or_insert;
	case LAB_WORK_COUNT:
		return ops->count;
	case LAB_WORK_POP:
		return ops->pop_min;
	case LAB_WORK_RANGE:
		return ops->erase_range;
	default:
		return true;
	}
}
