/* SPDX-License-Identifier: GPL-2.0 */
/* A question of a test to the program of query.bpf.c, and the answer. */
#ifndef BLINK_TESTS_BPF_QUERY_H
#define BLINK_TESTS_BPF_QUERY_H

enum query_kind {
	QUERY_LOOKUP,
	QUERY_FLOOR,
	QUERY_CEILING,
	/* Iterate over the range from @key to @last. */
	QUERY_WALK,
	/* Likewise by blink_for_each(), and leave it after @most entries. */
	QUERY_LOOP,
};

/**
 * struct query - a question and its answer
 * @kind: enum query_kind
 * @flags: those of the iteration
 * @handle: the handle
 * @key: the key, or the least key of the range
 * @last: the greatest key of the range
 * @most: when to leave the loop
 * @result: out: the result of the function
 * @error: out: of the iteration
 * @found: out: the key found, or the last key of the iteration
 * @value: out: its value
 * @count: out: entries of the iteration
 * @sum: out: query_sum() of them
 */
struct query {
	__u32 kind;
	__u32 flags;
	__u64 handle;
	__u64 key;
	__u64 last;
	__u64 most;
	__s32 result;
	__s32 error;
	__u64 found;
	__u64 value;
	__u64 count;
	__u64 sum;
};

/* A sum of entries that depends on their order. */
static inline __u64 query_sum(__u64 sum, __u64 key, __u64 value)
{
	return (sum ^ key) * 0x9e3779b97f4a7c15ULL + value;
}

#endif /* BLINK_TESTS_BPF_QUERY_H */
