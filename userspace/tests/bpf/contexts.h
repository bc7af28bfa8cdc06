/* SPDX-License-Identifier: GPL-2.0 */
/* The variables of the programs of contexts.bpf.c, which the test maps. */
#ifndef BLINK_TESTS_BPF_CONTEXTS_H
#define BLINK_TESTS_BPF_CONTEXTS_H

/* Functions that each run of a program calls. */
#define READS 4

/**
 * struct contexts - the tree to read, and the results of reading it
 * @handle: the handle of the tree
 * @key: a key
 * @runs: how often a program ran
 * @answers: results 0 and -ENOENT
 * @busy: results -EAGAIN
 * @errors: other results
 */
struct contexts {
	__u64 handle;
	__u64 key;
	__u64 runs;
	__u64 answers;
	__u64 busy;
	__u64 errors;
};

#endif /* BLINK_TESTS_BPF_CONTEXTS_H */
