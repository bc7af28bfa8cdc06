/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libblinktree: keys of any kind. The functions of <blinktree.h> take keys of 64 bits as
 * numbers. Those below take keys and values as strings of bytes, and work with trees of
 * every kind.
 *
 * The *form* of a key is that of <linux/blink_tree.h>: 8 bytes for a tree of
 * BLINK_TREE_KEY_U64 or BLINK_TREE_KEY_MULTI, 16 bytes for one of
 * BLINK_TREE_KEY_U128, the most significant byte first, so that the bytes of keys have
 * the order of the keys. A UUID or an IPv6 address is therefore a key as it is. In a tree
 * of BLINK_TREE_KEY_BYTES a key is any string of 0 to 1,024 bytes. A value has 8 bytes, in
 * the order of the machine: the address of a __u64. In a tree with
 * BLINK_TREE_CREATE_BYTE_VALUES it is any string of 0 to 4,096 bytes, which operations
 * replace and compare as a whole.
 *
 * A tree of BLINK_TREE_KEY_MULTI is a set of pairs of a key and a value, in the order of
 * both.
 *
 * A *record* is an operation with its key and values, or the result of one. A *stream*
 * has many records, which the kernel executes in a few calls.
 *
 * Lengths: a key or a value of a length that the tree does not have is -EINVAL.
 *
 * Errors, threads and signals: as in <blinktree.h>. Only one thread at a time can use a
 * stream or a scan. A handle that is open for writing only cannot read values: a former
 * or present value then has the length 0.
 */
#ifndef BLINKTREE_BYTES_H
#define BLINKTREE_BYTES_H

#include "blinktree.h"

#ifdef __cplusplus
extern "C" {
#endif

struct blinktree_stream;
struct blinktree_bytes_scan;

/**
 * struct blinktree_buffer - room for a key or a value that a function returns
 * @data: in: address of the room
 * @room: in: bytes at @data
 * @length: out: length of the key or value; if it is greater than @room, only its first
 *	@room bytes are at @data
 */
struct blinktree_buffer {
	void *data;
	size_t room;
	size_t length;
};

/**
 * struct blinktree_record - an operation, or its result
 * @opcode: enum blink_tree_opcode: BLINK_TREE_OP_LOOKUP and others
 * @flags: in: BLINK_TREE_COMMIT_EMPTY or BLINK_TREE_COMMIT_CLEAR in a commit, otherwise 0;
 *	out: BLINK_TREE_RECORD_MORE if an error ended an erase in a tree of
 *	BLINK_TREE_KEY_MULTI and the key can still have values, otherwise 0
 * @result: out: 0 or a positive number, or a negative errno, as the function for the
 *	operation returns it, such as blinktree_bytes_get()
 * @key: the key; in a result the key that the operation found (floor, ceiling, pop)
 * @key_length: bytes at @key; 0 in a result of an operation that returns no key
 * @value: the new value; in a result the value that the operation found
 * @value_length: bytes at @value; 0 for none, and for an empty value
 * @old: for BLINK_TREE_OP_CMPXCHG, BLINK_TREE_OP_CMPERASE and BLINK_TREE_OP_EXPECT the
 *	expected value; in a result the former or present value
 * @old_length: bytes at @old; likewise
 */
struct blinktree_record {
	__u16 opcode;
	__u16 flags;
	int result;
	const void *key;
	size_t key_length;
	const void *value;
	size_t value_length;
	const void *old;
	size_t old_length;
};

/**
 * struct blinktree_range - a range of keys
 * @flags: BLINK_TREE_RECORD_SCAN_FIRST_OPEN, BLINK_TREE_RECORD_SCAN_LAST_OPEN and
 *	BLINK_TREE_RECORD_SCAN_PREFIX; for a scan also BLINK_TREE_RECORD_SCAN_DESC
 * @first: the least key; with PREFIX the first bytes of all keys
 * @first_length: bytes at @first
 * @last: the greatest key; unused with PREFIX
 * @last_length: bytes at @last
 *
 * Both bounds belong to the range, unless FIRST_OPEN or LAST_OPEN is set. A bound that
 * is shorter than the keys of the tree stands for all keys that begin with it: a bound of
 * no bytes is no bound. In a tree of BLINK_TREE_KEY_MULTI a bound has up to 16 bytes: a
 * key, and a value with its most significant byte first. In a tree of
 * BLINK_TREE_KEY_BYTES a bound is a key, and stands for this key only; a last bound of no
 * bytes is none, unless LAST_OPEN is set.
 */
struct blinktree_range {
	unsigned int flags;
	const void *first;
	size_t first_length;
	const void *last;
	size_t last_length;
};

/* The shared library exports only the functions that are declared below. */
#pragma GCC visibility push(default)

/**
 * blinktree_key_from_number() - write a number as a key of 8 bytes
 * @key: the key; 8 bytes
 * @number: the number
 */
void blinktree_key_from_number(void *key, __u64 number);

/**
 * blinktree_key_number() - read a key of 8 bytes as a number
 * @key: the key; 8 bytes
 *
 * Two calls convert a key of 16 bytes: the upper half is in the first 8 bytes.
 *
 * Return: the number.
 */
__u64 blinktree_key_number(const void *key);

/**
 * blinktree_bytes_get() - look up a key
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @value: its value, in a tree of BLINK_TREE_KEY_MULTI the least one; written on
 *	success
 *
 * Return: 0; -ENOENT if the key is absent; -EBADF if the tree is not open for reading;
 * -EINVAL for a wrong length.
 */
int blinktree_bytes_get(struct blinktree *tree, const void *key,
			size_t key_length, struct blinktree_buffer *value);

/**
 * blinktree_bytes_insert() - add a key that is absent
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @value: its value
 * @value_length: length of the value
 * @present: the present value; written if the return value is -EEXIST; can be NULL
 *
 * In a tree of BLINK_TREE_KEY_MULTI it adds a pair.
 *
 * Return: 0; -EEXIST if the key, or the pair, is present; -ENOSPC, -EDQUOT, -ENOMEM and
 * -EBADF as blinktree_insert(); -EINVAL for a wrong length.
 */
int blinktree_bytes_insert(struct blinktree *tree, const void *key,
			   size_t key_length, const void *value,
			   size_t value_length,
			   struct blinktree_buffer *present);

/**
 * blinktree_bytes_get_or_insert() - return the value of a key, which is added if absent
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @value: the value for a new key
 * @value_length: length of the value
 * @present: the present value; written if the return value is 1; can be NULL
 *
 * Return: 0 if the key was added; 1 if it was present; -EOPNOTSUPP in a tree of
 * BLINK_TREE_KEY_MULTI; other errors as blinktree_get_or_insert(); -EINVAL for a wrong
 * length.
 */
int blinktree_bytes_get_or_insert(struct blinktree *tree, const void *key,
				  size_t key_length, const void *value,
				  size_t value_length,
				  struct blinktree_buffer *present);

/**
 * blinktree_bytes_store() - add a key or overwrite its value
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @value: its value
 * @value_length: length of the value
 * @old: the former value; written if the return value is 1; can be NULL
 *
 * In a tree of BLINK_TREE_KEY_MULTI it adds a pair, and a pair that is present stays.
 *
 * Return: 0 if the key, or the pair, was added; 1 if it was present; errors as
 * blinktree_store(); -EINVAL for a wrong length.
 */
int blinktree_bytes_store(struct blinktree *tree, const void *key,
			  size_t key_length, const void *value,
			  size_t value_length, struct blinktree_buffer *old);

/**
 * blinktree_bytes_add() - add a number to the value of a key
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @number: added to the value, modulo 2^64
 * @old: the former value; written if the return value is 1; can be NULL
 *
 * Return: as blinktree_add(); -EOPNOTSUPP in a tree of BLINK_TREE_KEY_MULTI, and if values
 * are bytes; -EINVAL for a wrong length.
 */
int blinktree_bytes_add(struct blinktree *tree, const void *key,
			size_t key_length, __u64 number,
			struct blinktree_buffer *old);

/**
 * blinktree_bytes_add_saturate() - add a signed number to the value of a key, within its
 *	limits
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @number: added to the value, as by blinktree_add_saturate()
 * @old: the former value; written if the return value is 1; can be NULL
 *
 * Return: as blinktree_bytes_add().
 */
int blinktree_bytes_add_saturate(struct blinktree *tree, const void *key,
				 size_t key_length, __s64 number,
				 struct blinktree_buffer *old);

/**
 * blinktree_bytes_replace() - overwrite the value of a key that is present
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @value: its value
 * @value_length: length of the value
 * @old: the former value; written on success; can be NULL
 *
 * Return: 0; -EOPNOTSUPP in a tree of BLINK_TREE_KEY_MULTI; other errors as
 * blinktree_replace(); -EINVAL for a wrong length.
 */
int blinktree_bytes_replace(struct blinktree *tree, const void *key,
			    size_t key_length, const void *value,
			    size_t value_length, struct blinktree_buffer *old);

/**
 * blinktree_bytes_erase() - remove a key
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @old: its value; written if the return value is 0; can be NULL
 *
 * In a tree of BLINK_TREE_KEY_MULTI it removes all pairs of the key, but not at one
 * moment. An error after the first ones, such as -EINTR (as blinktree_batch()),
 * leaves a part of them, and the call returns the number of those that it removed. The
 * next call removes the rest, and -ENOENT means that none is left.
 * blinktree_bytes_erase_range() returns the error and the number.
 *
 * Return: 0, in a tree of BLINK_TREE_KEY_MULTI the number of removed pairs, INT_MAX at
 * most; -ENOENT if the key is absent; -EBADF if the tree is not open for writing;
 * -EINTR or -ENOMEM, and nothing was removed; -EINVAL for a wrong length.
 */
int blinktree_bytes_erase(struct blinktree *tree, const void *key,
			  size_t key_length, struct blinktree_buffer *old);

/**
 * blinktree_bytes_cmpxchg() - overwrite a value if it is the expected one
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @expected: the expected value
 * @expected_length: length of the expected value
 * @value: the new value
 * @value_length: length of the new value
 * @present: the present value; written if the return value is -ESTALE; can be NULL
 *
 * Return: 0; -ESTALE if the key has another value; -ENOENT if the key is absent;
 * -EOPNOTSUPP in a tree of BLINK_TREE_KEY_MULTI; other errors as blinktree_cmpxchg();
 * -EINVAL for a wrong length.
 */
int blinktree_bytes_cmpxchg(struct blinktree *tree, const void *key,
			    size_t key_length, const void *expected,
			    size_t expected_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *present);

/**
 * blinktree_bytes_cmperase() - remove a key if its value is the expected one
 * @tree: the tree
 * @key: the key
 * @key_length: its length
 * @expected: the expected value
 * @expected_length: length of the expected value
 * @present: the present value; written if the return value is -ESTALE; can be NULL
 *
 * In a tree of BLINK_TREE_KEY_MULTI it removes one pair.
 *
 * Return: 0; -ESTALE if the key has another value; -ENOENT if the key, or the pair, is
 * absent; -EBADF if the tree is not open for reading and writing; -EINVAL for a wrong
 * length.
 */
int blinktree_bytes_cmperase(struct blinktree *tree, const void *key,
			     size_t key_length, const void *expected,
			     size_t expected_length,
			     struct blinktree_buffer *present);

/**
 * blinktree_bytes_floor() - find the greatest key that is not above a given one
 * @tree: the tree
 * @key: the given key
 * @key_length: its length
 * @value: in a tree of BLINK_TREE_KEY_MULTI the value of the given pair; NULL for the
 *	greatest value
 * @value_length: length of the value; 0 for none
 * @found_key: the key that was found; written on success; can be NULL
 * @found_value: its value; written on success; can be NULL
 *
 * Return: 0; -ENOENT if all keys, or pairs, are greater; -EBADF if the tree is not open
 * for reading; -EINVAL for a wrong length.
 */
int blinktree_bytes_floor(struct blinktree *tree, const void *key,
			  size_t key_length, const void *value,
			  size_t value_length,
			  struct blinktree_buffer *found_key,
			  struct blinktree_buffer *found_value);

/**
 * blinktree_bytes_ceiling() - find the least key that is not below a given one
 * @tree: the tree
 * @key: the given key
 * @key_length: its length
 * @value: in a tree of BLINK_TREE_KEY_MULTI the value of the given pair; NULL for the
 *	least value
 * @value_length: length of the value; 0 for none
 * @found_key: the key that was found; written on success; can be NULL
 * @found_value: its value; written on success; can be NULL
 *
 * Return: 0; -ENOENT if all keys, or pairs, are less; otherwise as
 * blinktree_bytes_floor().
 */
int blinktree_bytes_ceiling(struct blinktree *tree, const void *key,
			    size_t key_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *found_key,
			    struct blinktree_buffer *found_value);

/**
 * blinktree_bytes_pop_min() - remove the least key that is not below a given one
 * @tree: the tree
 * @first: the given key
 * @first_length: its length
 * @value: as for blinktree_bytes_ceiling()
 * @value_length: likewise
 * @found_key: the key that was removed; written on success; can be NULL
 * @found_value: its value; written on success; can be NULL
 *
 * The search and the removal are one atomic operation.
 *
 * Return: 0; -ENOENT if all keys, or pairs, are less; -EBADF if the tree is not open for
 * reading and writing; -EINVAL for a wrong length.
 */
int blinktree_bytes_pop_min(struct blinktree *tree, const void *first,
			    size_t first_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *found_key,
			    struct blinktree_buffer *found_value);

/**
 * blinktree_bytes_pop_max() - remove the greatest key that is not above a given one
 * @tree: the tree
 * @last: the given key
 * @last_length: its length
 * @value: as for blinktree_bytes_floor()
 * @value_length: likewise
 * @found_key: the key that was removed; written on success; can be NULL
 * @found_value: its value; written on success; can be NULL
 *
 * The search and the removal are one atomic operation.
 *
 * Return: 0; -ENOENT if all keys, or pairs, are greater; otherwise as
 * blinktree_bytes_pop_min().
 */
int blinktree_bytes_pop_max(struct blinktree *tree, const void *last,
			    size_t last_length, const void *value,
			    size_t value_length,
			    struct blinktree_buffer *found_key,
			    struct blinktree_buffer *found_value);

/**
 * blinktree_stream_open() - make an empty stream
 * @stream: the stream; written on success
 *
 * Return: 0 or -ENOMEM.
 */
int blinktree_stream_open(struct blinktree_stream **stream);

/**
 * blinktree_stream_add() - add an operation to a stream
 * @stream: the stream
 * @record: the operation; the stream copies its key and its values
 *
 * Return: 0; -EINVAL for a length that no kind of tree has; -ENOMEM.
 */
int blinktree_stream_add(struct blinktree_stream *stream,
			 const struct blinktree_record *record);

/**
 * blinktree_stream_run() - execute the operations of a stream
 * @stream: the stream; operations that an earlier call has executed are not repeated
 * @tree: the tree
 * @done: number of operations of the stream that were executed, counted from the first;
 *	those of a commit that failed with -ESTALE count too; always written; can be NULL
 *
 * The guarantees about the order of the operations are those of blinktree_batch().
 *
 * Return: 0 if all operations were executed, even if some of them failed. After an error
 * the first @done ones were executed, and the others were not: -ENOMEM; -EINTR as
 * blinktree_batch().
 */
int blinktree_stream_run(struct blinktree_stream *stream,
			 struct blinktree *tree, size_t *done);

/**
 * blinktree_stream_commit() - execute the operations of a stream at one instant, or none
 * @stream: the stream; all operations that no earlier call has executed are one commit
 * @tree: the tree
 * @failed: with -ESTALE, number of the first operation of the commit whose condition is
 *	not true; can be NULL
 *
 * After success and -ESTALE each operation has a result, and no later call executes it.
 *
 * Return: as blinktree_commit(); -EOPNOTSUPP for an operation that the kind of tree does
 * not have.
 */
int blinktree_stream_commit(struct blinktree_stream *stream,
			    struct blinktree *tree, size_t *failed);

/**
 * blinktree_stream_next() - return the next result of a stream
 * @stream: the stream
 * @result: the result, valid until the next call of a function with this stream; written
 *	if the return value is 1
 *
 * The results come in the order of the operations.
 *
 * Return: 1; or 0 if no operation that was executed is left.
 */
int blinktree_stream_next(struct blinktree_stream *stream,
			  const struct blinktree_record **result);

/**
 * blinktree_stream_load() - add the keys of a stream, which ascend
 * @stream: the stream; all its operations are BLINK_TREE_OP_INSERT
 * @tree: the tree
 * @fill: percent of a leaf to fill, 1 to 100
 * @done: number of entries that were added, counted from the first; always written;
 *	can be NULL
 *
 * Does for a tree of any kind what blinktree_load() does. The operations have no results.
 *
 * Return: 0; otherwise the reason why the entry after the first @done ones was not added,
 * as blinktree_load(); -EINVAL also for a wrong length, or for another operation.
 */
int blinktree_stream_load(struct blinktree_stream *stream,
			  struct blinktree *tree, unsigned int fill,
			  size_t *done);

/**
 * blinktree_stream_clear() - remove all operations and results from a stream
 * @stream: the stream, which keeps its memory for new operations
 */
void blinktree_stream_clear(struct blinktree_stream *stream);

/**
 * blinktree_stream_close() - free a stream
 * @stream: the stream, or NULL
 */
void blinktree_stream_close(struct blinktree_stream *stream);

/**
 * blinktree_bytes_scan_open() - begin to scan a range of keys
 * @tree: the tree, which must outlive the scan
 * @range: the range; NULL for all keys
 * @buffer: bytes to read ahead, 0 for the default of 64 KiB
 * @scan: the scan; written on success
 *
 * Return: 0; -EINVAL if a bound is longer than any key, or if @buffer has more than 31
 * bits; -ENOMEM.
 */
int blinktree_bytes_scan_open(struct blinktree *tree,
			      const struct blinktree_range *range,
			      size_t buffer,
			      struct blinktree_bytes_scan **scan);

/**
 * blinktree_bytes_scan_next() - return the next entry of the range
 * @scan: the scan
 * @entry: the entry, in @key and @value, valid until the next call; written if the
 *	return value is 1
 *
 * The guarantees are those of blinktree_scan_next(). After an error the next call
 * continues with the same entry.
 *
 * Return: 1; 0 at the end of the range; or a negative errno, -EBADF if the tree is not
 * open for reading, -EINVAL if the first key of the range is greater than the last, for
 * an unknown flag, or for a bound that is longer than the keys of the tree.
 */
int blinktree_bytes_scan_next(struct blinktree_bytes_scan *scan,
			      const struct blinktree_record **entry);

/**
 * blinktree_bytes_scan_close() - end a scan
 * @scan: the scan, or NULL
 */
void blinktree_bytes_scan_close(struct blinktree_bytes_scan *scan);

/**
 * blinktree_bytes_count() - count the keys, or the pairs, of a range
 * @tree: the tree
 * @range: the range; NULL for all keys
 * @count: number of keys; written on success
 *
 * Return: 0; otherwise as blinktree_bytes_scan_next().
 */
int blinktree_bytes_count(struct blinktree *tree,
			  const struct blinktree_range *range, __u64 *count);

/**
 * blinktree_bytes_erase_range() - remove the keys, or the pairs, of a range
 * @tree: the tree
 * @range: the range; NULL for all keys
 * @count: number of keys that were removed; always written; can be NULL
 *
 * The entries are removed in ascending order, and those of a leaf together. Others can find
 * a part of the range removed, and entries that they add during the call can remain.
 *
 * Return: 0; -EBADF if the tree is not open for writing; -EINTR as blinktree_batch();
 * -EINVAL as blinktree_bytes_scan_next().
 */
int blinktree_bytes_erase_range(struct blinktree *tree,
				const struct blinktree_range *range,
				__u64 *count);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* BLINKTREE_BYTES_H */
