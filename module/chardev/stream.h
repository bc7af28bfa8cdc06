/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: streams of records
 *
 * BLINK_TREE_IOC_RECORDS executes records in *chunks*: a number of records at the begin
 * of the input buffer, one operation for each, and room for their results. The kinds
 * of keys have different operations, so each has its functions for them.
 */
#ifndef BLINK_CHARDEV_STREAM_H
#define BLINK_CHARDEV_STREAM_H

#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_u128.h>

#include "record.h"

/* Records of a chunk. */
#define BLINK_CHUNK 64U
/* The most bytes of their results, and of results with values that are bytes. */
#define BLINK_CHUNK_OUTPUT 16384
#define BLINK_CHUNK_OUTPUT_VALUES 65536
static_assert(BLINK_CHUNK_OUTPUT >= BLINK_RESULT_MAX);
static_assert(BLINK_CHUNK >= BLINK_TREE_COMMIT_MAX);

/**
 * struct blink_found - a value that an operation has found
 * @length: its length
 * @data: its bytes, where its result has room for the longest value
 */
struct blink_found {
	u32 length;
	u8 *data;
};

/* Room for an operation, or an entry, by a key of any kind. */
union blink_stream_op {
	struct blink_tree_ioc_op u64_op;
	struct blink_tree_u128_op u128_op;
	struct blink_tree_bytes_op bytes_op;
};

/**
 * struct blink_stream - a call under way
 * @file: the tree's file
 * @gfp: how its operations allocate
 * @tree: its tree
 * @key: the kind of the tree's keys
 * @kind: its functions
 * @arg: the caller's structure
 * @nr: records of the chunk
 * @used: bytes of @input that they occupy
 * @size: bytes of the caller's input in @input
 * @room: size of @input
 * @reserved: bytes of @output for their results
 * @output_room: size of @output
 * @modifies: an operation of the chunk may change the tree
 * @record: the records, in @input
 * @failed: why each of them cannot be executed, or 0
 * @flags: the flags of each result
 * @ops: their operations, or their entries (BLINK_TREE_RECORDS_LOAD), one behind the other
 * @found: if values are bytes: the value of each result
 * @handle: if values are bytes: the value of each entry (BLINK_TREE_RECORDS_LOAD)
 * @output: their results
 * @input: the buffer
 */
struct blink_stream {
	struct file *file;
	gfp_t gfp;
	struct blink_tree *tree;
	enum blink_tree_key key;
	const struct blink_stream_kind *kind;
	struct blink_tree_ioc_records *arg;
	unsigned int nr;
	size_t used;
	size_t size;
	size_t room;
	size_t reserved;
	size_t output_room;
	bool modifies;
	const struct blink_tree_record *record[BLINK_CHUNK];
	s32 failed[BLINK_CHUNK];
	u16 flags[BLINK_CHUNK];
	union blink_stream_op ops[BLINK_CHUNK];
	struct blink_found found[BLINK_CHUNK];
	u64 handle[BLINK_CHUNK];
	u8 *output;
	u8 input[] __aligned(8);
};

/**
 * struct blink_result_numbers - room for the fields of a result that are numbers
 * @key: the key, most significant byte first
 * @value: the value
 */
struct blink_result_numbers {
	__be64 key[2];
	u64 value;
};

/**
 * struct blink_stream_kind - the operations on keys, or values, of one kind
 * @output: the most bytes of a chunk's results
 * @make: make operation @i of the chunk from @content; bytes behind @reserved are for
 *	its result
 * @execute: execute @nr operations of the chunk from the one at @first, or let the chunk
 *	end with one that is not complete
 * @result: set the result, the key and the values of @content to those of operation @i,
 *	with @numbers for those that need room
 * @load: add the entries of the operations; sets @done to their number
 * @commit: execute all operations of the chunk at one instant, or none; sets @failed to the
 *	number of the one that fails
 */
struct blink_stream_kind {
	size_t output;
	void (*make)(struct blink_stream *s, unsigned int i,
		     const struct blink_record *content);
	void (*execute)(struct blink_stream *s, unsigned int first,
			unsigned int nr);
	void (*result)(const struct blink_stream *s, unsigned int i,
		       struct blink_record *content,
		       struct blink_result_numbers *numbers);
	int (*load)(struct blink_stream *s, unsigned int *done);
	int (*commit)(struct blink_stream *s, unsigned int *failed);
};

/* For keys of each kind, and values of 64 bits or of bytes. */
extern const struct blink_stream_kind blink_stream_u64;
extern const struct blink_stream_kind blink_stream_u128;
extern const struct blink_stream_kind blink_stream_bytes;
extern const struct blink_stream_kind blink_stream_values_u64;
extern const struct blink_stream_kind blink_stream_values_u128;
extern const struct blink_stream_kind blink_stream_values_bytes;

#endif /* BLINK_CHARDEV_STREAM_H */
