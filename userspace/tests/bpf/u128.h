/* SPDX-License-Identifier: GPL-2.0 */
/* A question of a test to the program of u128.bpf.c, and the answer. */
#ifndef BLINK_TESTS_BPF_U128_H
#define BLINK_TESTS_BPF_U128_H

enum u128_kind {
	U128_LOOKUP,
	U128_FLOOR,
	U128_CEILING,
	/* Iterate over the range from the key to the last key. */
	U128_WALK,
};

/**
 * struct u128_query - a question and its answer
 * @kind: enum u128_kind
 * @flags: those of the iteration
 * @handle: the handle
 * @high: the upper half of the key, or of the least key of the range
 * @low: its lower half
 * @last_high: the upper half of the greatest key of the range
 * @last_low: its lower half
 * @result: out: the result of the function
 * @error: out: of the iteration
 * @found_high: out: the upper half of the key found, or of the last one
 * @found_low: out: its lower half
 * @value: out: its value
 * @count: out: entries of the iteration
 * @jumps: out: entries that are not in order
 */
struct u128_query {
	__u32 kind;
	__u32 flags;
	__u64 handle;
	__u64 high;
	__u64 low;
	__u64 last_high;
	__u64 last_low;
	__s32 result;
	__s32 error;
	__u64 found_high;
	__u64 found_low;
	__u64 value;
	__u64 count;
	__u64 jumps;
};

#endif /* BLINK_TESTS_BPF_U128_H */
