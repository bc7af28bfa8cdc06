/* SPDX-License-Identifier: GPL-2.0 */
/* The check of a scheme: whether it keeps its promises. */
#ifndef BLINK_LAB_CHECK_CHECK_H
#define BLINK_LAB_CHECK_CHECK_H

#include "../schemes/lab_index.h"

#define LAB_CHECK_THREADS_MAX 32
/* Keys of the check of schemes with unique keys. */
#define LAB_CHECK_KEYS 2048U
/* Attempts of an update that finds no memory. */
#define LAB_CHECK_TRIES_MAX 100

/**
 * struct lab_check - a check and its outcome
 * @scheme: the scheme
 * @threads: threads that work at the same time, if it promises LAB_CONCURRENT
 * @ops: operations of each thread
 * @seed: for keys and choices
 * @loads: half of the keys are loaded at first, in the scheme's own way
 * @failure: out: the operation or promise that was wrong, or NULL
 * @number: out: the number of its key
 * @node_bytes: out: the size of nodes that was asked for, 0 for the scheme's choice
 */
struct lab_check {
	const struct lab_scheme *scheme;
	u32 threads;
	u32 ops;
	u32 seed;
	bool loads;
	const char *failure;
	u32 number;
	u32 node_bytes;
};

/*
 * Whether to do an update again: without memory it fails, and has changed nothing.
 * Another thread may free some meanwhile, or the failure is injected.
 */
static inline bool lab_check_again(int ret, unsigned int *tries)
{
	return ret == -ENOMEM && ++*tries < LAB_CHECK_TRIES_MAX;
}

#define LAB_CHECK_TRY(call)                                 \
	({                                                  \
		unsigned int __tries = 0;                   \
		int __ret;                                  \
		do {                                        \
			__ret = (call);                     \
		} while (lab_check_again(__ret, &__tries)); \
		__ret;                                      \
	})

static inline int lab_check_insert(const struct lab_index *index, u64 key,
				   u64 value)
{
	return LAB_CHECK_TRY(index->ops->insert(index->data, key, value));
}

static inline int lab_check_store(const struct lab_index *index, u64 key,
				  u64 value)
{
	return LAB_CHECK_TRY(index->ops->store(index->data, key, value));
}

static inline int lab_check_load(const struct lab_index *index, u64 key,
				 u64 value)
{
	return LAB_CHECK_TRY(index->ops->load(index->data, key, value));
}

static inline int lab_check_erase(const struct lab_index *index, u64 key)
{
	return LAB_CHECK_TRY(index->ops->erase(index->data, key));
}

int lab_check(struct lab_check *check);
int lab_check_create(struct lab_check *check, struct lab_index *index,
		     u32 node_bytes);
int lab_check_size(struct lab_check *check, u32 node_bytes, u32 ops);
int lab_check_empty(struct lab_check *check);
int lab_check_multi(struct lab_check *check);

#endif /* BLINK_LAB_CHECK_CHECK_H */
