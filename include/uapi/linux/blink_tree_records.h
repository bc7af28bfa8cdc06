/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * blink_tree: operations and entries as records, for trees with keys of any kind. A
 * part of blink_tree.h, which defines the terms and the errors that every ioctl has.
 */
#ifndef _UAPI_LINUX_BLINK_TREE_RECORDS_H
#define _UAPI_LINUX_BLINK_TREE_RECORDS_H

#include <linux/types.h>

/**
 * DOC: records
 *
 * A *record* is an operation or a result as a string of bytes: a header (struct
 * blink_tree_record), then the key, the value and the old value. Zero bytes pad each
 * of the three to a multiple of 8 bytes. A *stream* is a sequence of records without
 * gaps. Records work for trees of all kinds (enum blink_tree_key).
 *
 * In a tree of kind BLINK_TREE_KEY_BYTES a key is a string of 0 to 1,024 bytes. In all
 * others it is a number, most significant byte first, so that memcmp() compares keys
 * in the order of the tree. The number has 8 bytes, or 16 bytes in a tree of kind
 * BLINK_TREE_KEY_U128. A UUID and an IPv6 address are keys of 16 bytes as they are. A
 * value has 8 bytes, in the byte order of the CPU, as in all other ioctls. In a tree with
 * BLINK_TREE_CREATE_BYTE_VALUES it is a string of 0 to 4,096 bytes; operations replace
 * and compare it as a whole, and a field of no bytes is an empty value if the operation
 * has the field. The address of a stream can be any number.
 */

/* The longest key and the longest value that a record can have, in bytes. */
#define BLINK_TREE_RECORD_KEY_MAX 1024
#define BLINK_TREE_RECORD_VALUE_MAX 4096

/* @flags of a result: an ERASE is not complete, as the key can still have values. */
#define BLINK_TREE_RECORD_MORE (1u << 0)

/**
 * struct blink_tree_record - the header of a record
 * @length: bytes of the whole record, with this header and all padding; a multiple of 8
 * @opcode: enum blink_tree_opcode
 * @flags: in: BLINK_TREE_COMMIT_EMPTY or BLINK_TREE_COMMIT_CLEAR in a commit, otherwise zero;
 *	out: BLINK_TREE_RECORD_MORE, or zero
 * @result: in: must be zero; out: 0, a negative errno, or a positive result of the
 *	operation
 * @key_length: bytes of the key, without padding
 * @value_length: bytes of the value, without padding
 * @old_length: bytes of the old value, without padding
 * @__reserved: must be zero
 *
 * A record is *malformed* if a field that must be zero is not, if a flag is unknown, if
 * padding is not zero, if @key_length is greater than BLINK_TREE_RECORD_KEY_MAX, if
 * @value_length or @old_length is greater than BLINK_TREE_RECORD_VALUE_MAX, if @length is
 * not the sum of its parts, or if the record does not end within the stream.
 */
struct blink_tree_record {
	__u32 length;
	__u16 opcode;
	__u16 flags;
	__s32 result;
	__u16 key_length;
	__u16 value_length;
	__u16 old_length;
	__u16 __reserved[3];
};

/* BLINK_TREE_IOC_RECORDS: add entries, as BLINK_TREE_IOC_LOAD: fast while keys ascend. */
#define BLINK_TREE_RECORDS_LOAD (1u << 0)
/* BLINK_TREE_IOC_RECORDS: the input is one commit. */
#define BLINK_TREE_RECORDS_COMMIT (1u << 1)

/**
 * struct blink_tree_ioc_records - BLINK_TREE_IOC_RECORDS, on a tree
 * @flags: BLINK_TREE_RECORDS_LOAD or BLINK_TREE_RECORDS_COMMIT, or zero
 * @fill: with LOAD the percent of a leaf to fill, 1 to 100; otherwise zero
 * @input: address of a stream of operations
 * @output: address of the stream of results, which must not overlap the input; zero with
 *	LOAD
 * @input_size: bytes at @input
 * @output_size: room at @output, in bytes; zero with LOAD
 * @input_used: out: bytes of the records that were executed, from the first
 * @output_used: out: bytes of the results that were written
 * @done: out: number of records that were executed, or of entries that LOAD added
 *
 * The ioctl executes the operations with the guarantees of a batch (struct
 * blink_tree_ioc_batch), and writes one result for each. Every operation has a key.
 * The table shows the other fields of an operation, and those of its result::
 *
 *   operation                       fields         result    if @result is
 *   LOOKUP                                         value     0
 *   INSERT                          value          old       EEXIST
 *   STORE, GET_OR_INSERT            value          old       1
 *   ADD, ADD_SATURATE               value          old       1
 *   REPLACE                         value          old       0
 *   ERASE                                          old       0
 *   CMPXCHG                         value, old     old       0 or ESTALE
 *   CMPERASE                        old            old       0 or ESTALE
 *   FLOOR, CEILING                                 key, value   0
 *   POP_MIN, POP_MAX                               key, old     0
 *   EXPECT                          old            old       ESTALE
 *   ABSENT                                         old       EEXIST
 *
 * A result has the opcode of its operation. It has no other fields than these, and
 * none of them if @result is another one. A descriptor that was opened for writing
 * only gets no @old.
 *
 * A tree of kind BLINK_TREE_KEY_MULTI is a set of pairs of a key and a value::
 *
 *   LOOKUP              return the least value of the key
 *   INSERT, STORE       add the pair of key and value; if it is present, INSERT fails
 *                       with EEXIST, and the @result of STORE is 1; no old value
 *   ERASE               remove all pairs of the key; @result is their number, at most
 *                       the greatest positive __s32; no old value; if a signal, or
 *                       EAGAIN (O_NONBLOCK), ends it, @flags is
 *                       BLINK_TREE_RECORD_MORE, and the call ends with it
 *   CMPERASE            remove the pair of key and @old; ENOENT if it is absent; no
 *                       old value in the result
 *   FLOOR, POP_MAX      the greatest pair that is at most the pair of key and value;
 *                       without a value (@value_length 0) that of a key at most @key
 *   CEILING, POP_MIN    the least pair that is at least the pair of key and value;
 *                       without a value that of a key at least @key
 *
 *   ABSENT              the pair of key and value is absent
 *
 * REPLACE, CMPXCHG, GET_OR_INSERT, EXPECT, ADD and ADD_SATURATE fail with EOPNOTSUPP in such
 * a tree, and LOOKUP and ERASE with EINVAL in a commit. The value of a
 * pair is in the byte order of the CPU, as any other value of a record; only in a bound of a
 * range is it a part of the key.
 *
 * An operation begins only if its largest result still fits into @output: the header
 * with all fields of the table, padded, with the longest key and the longest value that
 * the tree can have. The results before it take as much room as they have bytes. Otherwise
 * the call ends, and the caller passes the rest from @input_used again.
 *
 * The @result of an operation with an unknown opcode, a wrong length of a key or value,
 * or a field that it does not have, is EINVAL. The @result of one that the descriptor
 * does not permit (struct blink_tree_ioc_op) is EBADF. A malformed record ends the call.
 *
 * In a tree with BLINK_TREE_CREATE_BYTE_VALUES an operation with a value allocates it
 * before it finds the key. The @result of INSERT, STORE, REPLACE, CMPXCHG and
 * GET_OR_INSERT can therefore be ENOMEM, ENOSPC (the tree has reached its max_bytes) or
 * EDQUOT, whether the key is present or not. The tree is then unchanged. ADD and
 * ADD_SATURATE fail with EOPNOTSUPP.
 *
 * With COMMIT all records of the input are one commit, with the guarantees that struct
 * blink_tree_ioc_batch states for BLINK_TREE_BATCH_COMMIT, and the same errors. If all take
 * effect, or the call fails with ESTALE, there is a result for each record: the first one
 * whose @result is not ECANCELED is the one that failed. @done is then the number of
 * records, or of those before it, and @input_used is @input_size, or zero. After another
 * error nothing was done, or after EFAULT all if @done is the number of records. Where memory
 * is short, a commit with a LOOKUP or a GET_OR_INSERT can fail in a tree with byte values
 * although memory can be reclaimed. Adds EMSGSIZE (@output has not room for the largest results of
 * all records) and EOPNOTSUPP (the kind of the tree lacks an operation). EINVAL also for a
 * malformed record, and for one that would fail alone with EINVAL.
 *
 * With LOAD all records are INSERTs, and the ioctl needs a descriptor that was opened
 * for writing. @input_used and @done tell which entry was not added if the call fails.
 *
 * Return: 0, and each operation has its own @result. If @input_used is less
 * than @input_size, the caller can pass the rest again: @output is full, a
 * signal arrived, or a descriptor with O_NONBLOCK would have waited for memory,
 * and the rest fails with EAGAIN until it is free. After an error the
 * operations that @done counts were executed, and no others. After EFAULT the
 * results of the last ones may be missing in @output. EINVAL also for a
 * malformed record. Adds EMSGSIZE (the result of the first operation does not
 * fit into @output). With LOAD EINVAL also for a record with another opcode or
 * a wrong length of key or value; adds EEXIST (the key or pair is present),
 * ENOSPC (the tree has reached its max_entries or max_bytes) and EDQUOT (the
 * trees of its creator have reached the limit of one user). EINTR or EAGAIN if
 * no operation was executed.
 */
struct blink_tree_ioc_records {
	__u32 flags;
	__u32 fill;
	__u64 input;
	__u64 output;
	__u64 input_size;
	__u64 output_size;
	__u64 input_used;
	__u64 output_used;
	__u64 done;
};

/* BLINK_TREE_IOC_RECORD_SCAN: scan from @last down to @first. */
#define BLINK_TREE_RECORD_SCAN_DESC (1u << 0)
/* BLINK_TREE_IOC_RECORD_SCAN: count only; @output and @output_size are zero. */
#define BLINK_TREE_RECORD_SCAN_COUNT (1u << 1)
/* BLINK_TREE_IOC_RECORD_SCAN: the range does not contain @first. */
#define BLINK_TREE_RECORD_SCAN_FIRST_OPEN (1u << 2)
/* BLINK_TREE_IOC_RECORD_SCAN: the range does not contain @last. */
#define BLINK_TREE_RECORD_SCAN_LAST_OPEN (1u << 3)
/* BLINK_TREE_IOC_RECORD_SCAN: the range is all keys that begin with @first. */
#define BLINK_TREE_RECORD_SCAN_PREFIX (1u << 4)
/* BLINK_TREE_IOC_RECORD_SCAN: the scan reached the end of the range. */
#define BLINK_TREE_RECORD_SCAN_DONE (1u << 31)

/**
 * struct blink_tree_ioc_record_scan - BLINK_TREE_IOC_RECORD_SCAN, on a tree
 * @flags: BLINK_TREE_RECORD_SCAN_*; the kernel sets DONE at the end of the range
 * @__reserved: must be zero
 * @first: address of the lower bound
 * @last: address of the upper bound; with PREFIX the kernel only writes it
 * @first_length: bytes of the lower bound, 0 for none
 * @last_length: bytes of the upper bound, 0 for none; with PREFIX zero
 * @output: address of a stream of records, one for each entry: a LOOKUP with a key
 *	and a value, and a @result of 0
 * @output_size: room at @output, in bytes
 * @output_used: out: bytes of the records that were written
 * @count: out: entries written, or counted
 *
 * A bound is a key in the form that it has in records. In a tree of kind
 * BLINK_TREE_KEY_MULTI it is a key and a value of 8 bytes each, both most significant
 * byte first. A shorter bound stands for all keys that begin with it: the range
 * contains them all, or with FIRST_OPEN or LAST_OPEN none of them. So 8 bytes stand for
 * all values of a key in a tree of kind BLINK_TREE_KEY_MULTI. A bound of no bytes stands
 * for all keys: with FIRST_OPEN or LAST_OPEN it leaves none in the range. @first is greater
 * than @last if all keys that @first stands for are greater than all keys that @last stands
 * for. PREFIX is an abbreviation for two equal bounds; FIRST_OPEN and LAST_OPEN are then
 * zero.
 *
 * In a tree of kind BLINK_TREE_KEY_BYTES a bound is a key, and stands for this key only:
 * the range contains it, or with FIRST_OPEN or LAST_OPEN does not. With PREFIX the
 * range has all keys that begin with @first. An upper bound of no bytes is none, unless
 * LAST_OPEN is set: no key is less than the key of no bytes. A lower bound of no bytes is
 * none, unless FIRST_OPEN is set: the range then has all keys but that of no bytes.
 *
 * The range is the position of the scan: the caller passes the same structure again
 * until the kernel sets DONE. The kernel replaces both bounds and their lengths by
 * those of the rest of the range, and FIRST_OPEN, LAST_OPEN and PREFIX by flags
 * that fit these bounds. The buffers at @first and @last therefore have room for the
 * longest bound: 8 bytes for keys of 64 bits, 1,024 for byte strings, otherwise 16. The
 * kernel can overwrite all this room. A call with DONE finds no entry and leaves the
 * range unchanged. A range without keys is done at once. The order of the entries, and
 * what other threads can change meanwhile, are as for struct blink_tree_ioc_scan.
 *
 * Return: 0, and without DONE there can be more entries: the output has no room for the
 * longest one, or a signal arrived. After EFAULT the range is unchanged, unless the
 * structure or a bound could be written at the begin of the call and not at its end. EINVAL
 * also if a bound is too long, if @first is greater than @last, or if @output_size is not
 * zero with COUNT. Adds EMSGSIZE (without COUNT: the longest entry that the tree can have
 * does not fit into @output).
 */
struct blink_tree_ioc_record_scan {
	__u32 flags;
	__u32 __reserved;
	__u64 first;
	__u64 last;
	__u32 first_length;
	__u32 last_length;
	__u64 output;
	__u64 output_size;
	__u64 output_used;
	__u64 count;
};

/* BLINK_TREE_IOC_RECORD_ERASE: the range does not contain @first. */
#define BLINK_TREE_RECORD_ERASE_FIRST_OPEN (1u << 2)
/* BLINK_TREE_IOC_RECORD_ERASE: the range does not contain @last. */
#define BLINK_TREE_RECORD_ERASE_LAST_OPEN (1u << 3)
/* BLINK_TREE_IOC_RECORD_ERASE: the range is all keys that begin with @first. */
#define BLINK_TREE_RECORD_ERASE_PREFIX (1u << 4)
/* BLINK_TREE_IOC_RECORD_ERASE: the erase reached the end of the range. */
#define BLINK_TREE_RECORD_ERASE_DONE (1u << 31)

/**
 * struct blink_tree_ioc_record_erase - BLINK_TREE_IOC_RECORD_ERASE, on a tree
 * @flags: BLINK_TREE_RECORD_ERASE_*; the kernel sets DONE at the end of the range
 * @__reserved: must be zero
 * @first: address of the lower bound
 * @last: address of the upper bound; with PREFIX the kernel only writes it
 * @first_length: bytes of the lower bound, 0 for none
 * @last_length: bytes of the upper bound, 0 for none; with PREFIX zero
 * @count: out: number of entries that this call removed
 *
 * The bounds are those of struct blink_tree_ioc_record_scan, and the flags are the same
 * numbers. The kernel replaces the bounds, their lengths and the flags as for a scan. Each
 * entry is removed at one moment, the entries of a leaf together. The range as a whole is
 * not: other threads can find a part of its entries removed, and entries that they add
 * during the call can remain. A descriptor that was opened for writing only learns how many
 * entries it removed, as it does by BLINK_TREE_OP_ERASE, and nothing of where they were:
 * the kernel sets DONE at the end of the range and changes nothing else in it, and the next
 * call finds no entry where this one has removed them.
 *
 * Return: 0, and without DONE a signal arrived, or a descriptor with O_NONBLOCK
 * would have waited for memory, and the rest fails with EAGAIN until it is
 * free. EINVAL also if a bound is too long, or if @first is greater than @last.
 * EINTR or EAGAIN if no entry was removed. After EFAULT the range is unchanged
 * and nothing was removed, unless the structure or a bound could be written at
 * the begin of the call and not at its end.
 */
struct blink_tree_ioc_record_erase {
	__u32 flags;
	__u32 __reserved;
	__u64 first;
	__u64 last;
	__u32 first_length;
	__u32 last_length;
	__u64 count;
};

#endif /* _UAPI_LINUX_BLINK_TREE_RECORDS_H */
