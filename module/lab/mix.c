// SPDX-License-Identifier: GPL-2.0
/*
 * The operations of a worker on a tree: filling it, and a mix of lookups and updates.
 *
 * The keys of a worker are numbered. Those that it filled the tree with come
 * first; updates add the next and remove the oldest in turn, so that the tree
 * keeps its size. Scrambled numbers are the keys: those of each worker lie all
 * over the tree, and all work on every leaf, yet each knows of its own keys
 * whether they are there, and checks every answer.
 *
 * Softirqs wait until an operation is over: they free nodes of the tree, among
 * other things, which would be taken for its doing.
 *
 * After each operation the CPU relaxes. In QEMU with one thread this is when
 * another CPU has its turn: operations of all CPUs alternate.
 */
#include <linux/bottom_half.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/processor.h>
#include <linux/sched.h>

#include "lab.h"
#include "marks.h"
#include "schemes/lab_index.h"

/* One-to-one and random in all bits: the end of splitmix64. */
static u64 scramble(u64 x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static u64 key_of_worker(const struct lab_run *run, u32 id, u32 number)
{
	u64 salt = (u64)run->seed * 0x9e3779b97f4a7c15ULL;

	return scramble(((u64)id << 32 | number) + salt);
}

static u64 key_of(const struct lab_worker *me, u32 number)
{
	return key_of_worker(me->run, me->id, number);
}

static u64 value_of(u64 key)
{
	return ~key;
}

static __always_inline void begin(unsigned int class)
{
	local_bh_disable();
	blink_mark(BLINK_MARK_BEGIN | class);
}

static __always_inline void end(void)
{
	blink_mark(BLINK_MARK_END);
	local_bh_enable();
}

static int look_up(struct lab_worker *me)
{
	u32 offset = prandom_u32_state(&me->rnd) % (me->next - me->first);
	u64 key = key_of(me, me->first + offset), value = 0;
	int ret;

	begin(BLINK_CLASS_LOOKUP);
	ret = blink_tree_lookup(me->tree, key, &value);
	end();
	return ret || value == value_of(key) ? ret : -EIO;
}

static int add(struct lab_worker *me)
{
	u64 key = key_of(me, me->next);
	int ret;

	begin(BLINK_CLASS_INSERT);
	ret = blink_tree_insert(me->tree, key, value_of(key), NULL, GFP_ATOMIC);
	end();
	me->next++;
	return ret;
}

static int remove(struct lab_worker *me)
{
	u64 key = key_of(me, me->first), old = 0;
	int ret;

	begin(BLINK_CLASS_ERASE);
	ret = blink_tree_erase(me->tree, key, &old);
	end();
	me->first++;
	return ret || old == value_of(key) ? ret : -EIO;
}

static void rest(void)
{
	cpu_relax();
	cond_resched();
}

/* Insert the first keys of a worker: @me, or another one that shares its tree. */
static int fill_for(struct lab_worker *me, u32 id, u32 share)
{
	int ret = 0;
	u32 number;
	u64 key;

	for (number = 0; !ret && number < share; number++) {
		key = key_of_worker(me->run, id, number);
		ret = blink_tree_insert(me->tree, key, value_of(key), NULL,
					LAB_GFP);
		rest();
	}
	return ret;
}

/* Add the keys of some workers, itself if it shares a tree with all, to a worker's tree. */
int lab_fill(void *arg)
{
	struct lab_worker *me = arg;
	u32 share = me->run->keys / num_online_cpus(), id;
	int ret = 0;

	for (id = me->fills; !ret && id < num_online_cpus(); id += me->step)
		ret = fill_for(me, id, share);
	me->next = share;
	return ret;
}

/*
 * Do a worker's share of operations on its tree, which has the worker's share of the
 * keys.
 *
 * Returns 0; -EIO for a wrong value; another error of the tree.
 */
int lab_mix(void *arg)
{
	struct lab_worker *me = arg;
	u32 i;
	int ret = 0;

	for (i = 0; !ret && i < me->run->ops; i++) {
		if (prandom_u32_state(&me->rnd) % 100 < me->run->lookups) {
			ret = look_up(me);
		} else {
			me->added = !me->added;
			ret = me->added ? add(me) : remove(me);
		}
		rest();
	}
	return ret;
}

/* Erase all keys of a worker, whose share of them is in the tree. Returns as lab_mix(). */
int lab_drain(void *arg)
{
	struct lab_worker *me = arg;
	int ret = 0;

	while (!ret && me->first != me->next) {
		ret = remove(me);
		rest();
	}
	return ret;
}
