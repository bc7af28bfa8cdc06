/* SPDX-License-Identifier: GPL-2.0 */
/* The variables of the programs of bytes.bpf.c, which the test maps. */
#ifndef BLINK_TESTS_BPF_BYTES_H
#define BLINK_TESTS_BPF_BYTES_H

#define BYTES_BUFFER 2048

enum bytes_kind {
	BYTES_LOOKUP,
	BYTES_FLOOR,
	BYTES_CEILING,
	BYTES_LOWER,
	BYTES_HIGHER,
	/* Go from the least key to the greatest one, or back from the key. */
	BYTES_UP,
	BYTES_DOWN,
};

/**
 * struct bytes_query - a question of the test and its answer
 * @kind: enum bytes_kind
 * @length: bytes of the key
 * @size: bytes of @entry, those before the key found included
 * @result: out: the result of the function, the last one of several
 * @handle: the handle
 * @sum: out: of the values of several entries, in their order (bytes_sum())
 * @count: out: number of entries
 * @answers: out: results 0 and -ENOENT of programs inside of a call
 * @busy: out: their results -EBUSY
 * @errors: out: their other results
 * @key: the key
 * @entry: out: the entry found, a struct blink_bytes_entry
 * @found: out: the bytes of its key
 */
struct bytes_query {
	__u32 kind;
	__u32 length;
	__u32 size;
	__s32 result;
	__u64 handle;
	__u64 sum;
	__u64 count;
	__u64 answers;
	__u64 busy;
	__u64 errors;
	char key[BYTES_BUFFER];
	struct blink_bytes_entry entry;
	char found[BYTES_BUFFER - sizeof(struct blink_bytes_entry)];
};

static inline __u64 bytes_sum(__u64 sum, __u64 value)
{
	return 31 * sum + value;
}

#endif /* BLINK_TESTS_BPF_BYTES_H */
