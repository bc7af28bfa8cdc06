/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histories: the operations of the clients of a tree, its answers, and their times.
 *
 * A *round* is the history of one tree from its creation, when it is empty, to
 * its end. A recorder writes one round after the other: the head, then records
 * of all clients, each client's in its order, then the entries that scans gave,
 * in the order of the scans. All is of the machine's own byte order; the
 * checker (checker/history.go) reads it on a machine of the same kind.
 */
#ifndef LINEAR_HISTORY_H
#define LINEAR_HISTORY_H

#include <linux/blink_tree.h>

#define HISTORY_MAGIC 0x32524c42u
#define HISTORY_CLIENTS 8

/* Opcodes of records only: @key to @value of the operation was scanned. */
#define HISTORY_SCAN BLINK_TREE_OP_NR
#define HISTORY_SCAN_DESC (BLINK_TREE_OP_NR + 1)

/* Flag of records only: the operation is of a commit; all of one commit have its batch. */
#define HISTORY_COMMIT 0x8000

/* @old of an insertion as it was asked: a load, which does not tell what is there. */
#define HISTORY_UNTOLD (~0ULL)
/* @old of a scan as it was asked: it was one call. */
#define HISTORY_ONE_CALL 1

/**
 * struct history_head - the parameters of a round
 * @magic: HISTORY_MAGIC
 * @clients: how many worked at once
 * @records: how many records follow
 * @entries: how many entries follow these
 * @seed: the seed that the recorder was started with
 * @round: number of the round, from 0
 * @key_base: the least key there can be
 * @key_step: how far the next one is
 * @keys: how many there are
 * @nearest: whether floors, ceilings and commits were asked for
 * @mode: the mode of the tree, in a word
 * @one_leaf: no leaf was ever split, so that each call of a scan was at one moment
 * @__pad: zero
 */
struct history_head {
	__u32 magic;
	__u32 clients;
	__u32 records;
	__u32 entries;
	__u64 seed;
	__u64 round;
	__u64 key_base;
	__u64 key_step;
	__u32 keys;
	__u32 nearest;
	char mode[16];
	__u32 one_leaf;
	__u32 __pad;
};

/**
 * struct history_record - one operation
 * @start: the time before it was asked for, in nanoseconds
 * @end: the time after it was answered
 * @asked: the operation before
 * @got: the same after
 * @client: the client that asked
 * @batch: 0, or a number that all operations of one call have
 * @place: its place in the batch
 * @entries: how many a scan gave
 */
struct history_record {
	__u64 start;
	__u64 end;
	struct blink_tree_ioc_op asked;
	struct blink_tree_ioc_op got;
	__u32 client;
	__u32 batch;
	__u32 place;
	__u32 entries;
};

/* Room for a client's part of a round. */
#define HISTORY_RECORDS 16384
#define HISTORY_ENTRIES 32768

/**
 * struct history_part - the records of one client
 * @records: how many
 * @entries: how many
 * @batches: calls with several operations
 * @__pad: aligns what follows
 * @record: the records
 * @entry: the entries of all scans
 */
struct history_part {
	__u32 records;
	__u32 entries;
	__u32 batches;
	__u32 __pad;
	struct history_record record[HISTORY_RECORDS];
	struct blink_tree_entry entry[HISTORY_ENTRIES];
};

/* The parts, one for each client, in memory that processes share. */
struct history_part *history_alloc(unsigned int clients);

/* The time; no access of the program moves across a reading of the clock. */
__u64 history_clock(void);

/* Write a round to the standard output; ends the program if it cannot be written. */
void history_write(struct history_head *head, const struct history_part *parts);

/* Say what is wrong and end the program. */
void history_die(const char *what, int error);

#endif /* LINEAR_HISTORY_H */
