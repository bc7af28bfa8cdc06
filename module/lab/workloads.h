/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: workloads
 *
 * A *mix* says how frequent each kind of operation is, and which keys are popular. The
 * mixes of the papers, those of YCSB and our own are lines of one table, lab_mixes[]. A
 * *workload* is a mix, an *order* of the keys, numbers of keys, operations and threads,
 * and a seed. A *stream* is the sequence of operations of one thread; it depends on the
 * workload and the thread's number alone.
 *
 * Each key has a number: 0, 1, 2, ... lab_key() maps numbers to keys, one to one, in the
 * order of the workload. The value of a key is its number, so that a benchmark can check
 * each answer. At first the index has the keys of a *window*, the numbers 0 to
 * @window - 1. A thread inserts numbers of its own, those that leave the same remainder
 * as its id when they are divided by the number of threads. If the mix erases keys, each
 * thread erases numbers of its own in the upper half of the window, and then those that
 * it inserted, the oldest first; reads, updates and scans use the lower half. So each
 * operation succeeds, whatever the other threads do. A thread that erases ranges erases
 * those of its own part of all keys, one after the other; such a mix has nothing else, and
 * neither has one that pops the least key, and inserts it again.
 *
 * The operations of a workload are those of each thread, or *shared*: of all threads
 * together, so that a fast thread executes more of them. Each has a *ticket*, from 0 on. A
 * thread takes some tickets, and inserts keys of their numbers: all threads insert from one
 * array. Such a mix erases no keys, and reads no latest ones: a thread would have to know its
 * own.
 *
 * Threads can have roles instead: some are *writers*, which execute the operations of the mix
 * that change the index, and the others execute the rest.
 *
 * The source is compiled into the module and natively, so it has no floating point.
 */
#ifndef BLINK_LAB_WORKLOADS_H
#define BLINK_LAB_WORKLOADS_H

#include <linux/bits.h>

#include "zipf.h"

/* Keys of a range that is counted, unless the window has few. */
#define LAB_RANGE_KEYS 1000

/* Most entries that a scan of any mix asks for. */
#define LAB_MIX_SCAN_MAX 100

enum lab_op_kind {
	LAB_OP_READ,
	LAB_OP_INSERT,
	LAB_OP_UPDATE,
	LAB_OP_ERASE,
	LAB_OP_SCAN,
	LAB_OP_RMW,
	LAB_OP_MISS,
	LAB_OP_FLOOR,
	LAB_OP_GET_OR_INSERT,
	LAB_OP_COUNT,
	LAB_OP_POP,
	LAB_OP_ERASE_RANGE,
	LAB_OP_NR
};

/* Sets of kinds: all, those that add keys, and those that change the index. */
#define LAB_OPS_ALL (BIT(LAB_OP_NR) - 1)
#define LAB_OPS_ADD \
	(BIT(LAB_OP_INSERT) | BIT(LAB_OP_ERASE) | BIT(LAB_OP_GET_OR_INSERT))
#define LAB_OPS_CHANGE                                        \
	(LAB_OPS_ADD | BIT(LAB_OP_UPDATE) | BIT(LAB_OP_RMW) | \
	 BIT(LAB_OP_POP) | BIT(LAB_OP_ERASE_RANGE))

enum lab_popularity { LAB_UNIFORM, LAB_ZIPFIAN, LAB_LATEST, LAB_POPULARITY_NR };

/* RANDOM: a bijection; CLUSTERED: runs of 64 in random order; FILE: see lab_keys. */
enum lab_order {
	LAB_RANDOM,
	LAB_ASCENDING,
	LAB_DESCENDING,
	LAB_CLUSTERED,
	LAB_FILE,
	LAB_ORDER_NR
};

/**
 * struct lab_mix - a line of the table
 * @name: its name
 * @source: the paper or the benchmark that it is from
 * @share: how frequent each kind of operation is, in relation to the others
 * @popularity: enum lab_popularity, of the keys that are read, updated and scanned
 * @scan_least: entries that a scan asks for, all numbers between these two alike
 * @scan_most: likewise
 */
struct lab_mix {
	const char *name;
	const char *source;
	u16 share[LAB_OP_NR];
	u8 popularity;
	u8 scan_least;
	u8 scan_most;
};

/* The table; the last one has no name. */
extern const struct lab_mix lab_mixes[];
/* Names of the orders, until NULL, of popularities, and of the kinds of operations. */
extern const char *const lab_order_names[LAB_ORDER_NR + 1];
extern const char *const lab_popularity_names[LAB_POPULARITY_NR];
extern const char *const lab_op_names[LAB_OP_NR];

const struct lab_mix *lab_mix_find(const char *name);
int lab_mix_read(char *text, struct lab_mix *mix);
u32 lab_mix_shares(const struct lab_mix *mix, u32 kinds);

/**
 * struct lab_keys - the keys of all numbers
 * @order: enum lab_order
 * @nr: for LAB_FILE, how many keys the file has
 * @key: for LAB_FILE, the keys, no two the same, each of 63 bits
 */
struct lab_keys {
	u32 order;
	u64 nr;
	const u64 *key;
};

u64 lab_key(const struct lab_keys *keys, u64 number);

/**
 * struct lab_workload - a workload
 * @mix: the mix
 * @keys: the keys of all numbers
 * @window: how many keys there are at first
 * @warm_up: operations of each thread before those that are measured
 * @ops: operations of each thread that are measured
 * @shared: these are not of each thread, but of all together
 * @threads: how many
 * @writers: so many of them do what changes the index, and the others the rest; if 0, all
 *	threads do both
 * @seed: another one makes other choices
 */
struct lab_workload {
	const struct lab_mix *mix;
	struct lab_keys keys;
	u64 window;
	u64 warm_up;
	u64 ops;
	bool shared;
	u32 threads;
	u32 writers;
	u32 seed;
};

/**
 * struct lab_stream - the operations of a thread
 * @load: the workload
 * @zipf: for the popularity of its mix
 * @id: the number of the thread
 * @kinds: a set of the kinds that it executes
 * @shares: the sum of their shares of the mix
 * @stable: numbers below this are never erased
 * @random: its choices
 * @pool: how many numbers of the window it may erase
 * @inserted: how many numbers it inserted
 * @erased: how many it erased
 * @ranges: how many ranges it erased
 * @ticket: of the next insertion, if operations are shared; the caller sets it to the first
 *	one that it took
 */
struct lab_stream {
	const struct lab_workload *load;
	const struct lab_zipf *zipf;
	u32 id;
	u32 kinds;
	u32 shares;
	u64 stable;
	u64 random;
	u64 pool;
	u64 inserted;
	u64 erased;
	u64 ranges;
	u64 ticket;
};

/**
 * struct lab_op - an operation
 * @kind: enum lab_op_kind
 * @nr: entries that a scan asks for; keys that a range has, about; whether the key of
 *	LAB_OP_GET_OR_INSERT is new
 * @number: the number of the key; for LAB_OP_MISS and LAB_OP_FLOOR one that is absent
 * @key: the key; the first one of a range
 * @last: the last one of a range
 */
struct lab_op {
	u32 kind;
	u32 nr;
	u64 number;
	u64 key;
	u64 last;
};

u64 lab_workload_stable(const struct lab_workload *load);
u64 lab_workload_ops(const struct lab_workload *load);
bool lab_workload_valid(const struct lab_workload *load);
void lab_stream_init(struct lab_stream *stream, const struct lab_workload *load,
		     const struct lab_zipf *zipf, u32 id);
void lab_stream_next(struct lab_stream *stream, struct lab_op *op);

#endif /* BLINK_LAB_WORKLOADS_H */
