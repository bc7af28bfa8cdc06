/* SPDX-License-Identifier: GPL-2.0 */
/* A change that a test wants of the programs of change.bpf.c, and its result. */
#ifndef BLINK_TESTS_BPF_CHANGE_H
#define BLINK_TESTS_BPF_CHANGE_H

enum change_kind {
	CHANGE_INSERT,
	CHANGE_STORE,
	CHANGE_ADD,
	CHANGE_ADD_SATURATE,
	CHANGE_REPLACE,
	CHANGE_CMPXCHG,
	CHANGE_ERASE,
	CHANGE_KINDS,
};

/**
 * struct change - a change and its result
 * @handle: the handle
 * @kind: enum change_kind
 * @blind: the program passes no place for the old value
 * @key: the key
 * @value: the new value
 * @old: the expected value; out: the old one
 * @result: out: the result of the function
 */
struct change {
	__u64 handle;
	__u32 kind;
	__u32 blind;
	__u64 key;
	__u64 value;
	__u64 old;
	__s32 result;
	__u32 padding;
};

/**
 * struct traffic - the variables of the programs on packets
 * @handle: the handle
 * @keys: how many keys they use
 * @turn: number of the next packet
 * @inserted: keys that they added
 * @erased: keys that they removed
 * @busy: results -EBUSY
 * @errors: results that must not be
 */
struct traffic {
	__u64 handle;
	__u64 keys;
	__u64 turn;
	__u64 inserted;
	__u64 erased;
	__u64 busy;
	__u64 errors;
};

#endif /* BLINK_TESTS_BPF_CHANGE_H */
