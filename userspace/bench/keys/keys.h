/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The comparison of indexes by kinds of keys: declarations that the parts of the program share.
 *
 * A *set* is all keys of a run, in random order, and the *probes*: a sample of them in
 * another random order, copied one behind the other. A search therefore does not wait
 * for the key that it is given, and neither order is that of the index's memory.
 */
#ifndef BENCH_KEYS_H
#define BENCH_KEYS_H

#include <linux/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kind { KIND_U64, KIND_U128, KIND_BYTES, KIND_NR };

#define BATCH 32
#define SCAN 48
#define KEY_MAX 1024

/* A number is 16 bytes in the order of the machine, at a multiple of 16. */
struct key {
	const unsigned char *data;
	u32 length;
};

/**
 * struct set - keys, with the place of each in @key as its value
 * @nr: how many there are
 * @key: all of them
 * @longest: bytes of the longest one
 * @nr_probes: how many probes there are
 * @probe: the probes
 * @value: the value of each probe
 */
struct set {
	size_t nr;
	struct key *key;
	u32 longest;
	size_t nr_probes;
	struct key *probe;
	u64 *value;
};

/* The lines of a file; NULL if it cannot be read or has no line. */
struct set *set_of_file(const char *path, size_t probes);
/* Random numbers, or strings of 24 bytes; each key once. */
struct set *set_random(enum kind kind, size_t nr, size_t probes);

/**
 * struct index_ops - an index, with keys of a kind
 * @name: its name
 * @longest: the most bytes that a key can have, or 0 for all that a tree can
 * @create: make one without keys
 * @insert: add a key that is absent; returns whether it was
 * @lookup: look up a key; returns whether it is present
 * @scan: read entries from a key on; returns how many, and adds their values to @sum
 * @batch: look up BATCH keys in one call; returns how many are present; may be NULL
 * @bytes: memory that it uses, or NULL if this is what the heap has given out
 */
struct index_ops {
	const char *name;
	u32 longest;
	void *(*create)(void);
	bool (*insert)(void *index, const struct key *key, u64 value);
	bool (*lookup)(void *index, const struct key *key, u64 *value);
	unsigned int (*scan)(void *index, const struct key *key,
			     unsigned int nr, u64 *sum);
	unsigned int (*batch)(void *index, const struct key *keys, u64 *values);
	u64 (*bytes)(void *index);
};

extern const struct index_ops index_u64, index_u128, index_bytes;
extern const struct index_ops absl_u64, absl_u128, absl_bytes;
extern const struct index_ops map_u64, map_u128, map_bytes;
extern const struct index_ops index_judy, index_lmdb, index_skiplist;

/* The exports of indexes/crates/src/bytes.rs. */
void *skiplist_bytes_create(void);
bool skiplist_bytes_insert(void *map, const struct key *key, u64 value);
bool skiplist_bytes_lookup(void *map, const struct key *key, u64 *value);
unsigned int skiplist_bytes_scan(void *map, const struct key *key,
				 unsigned int nr, u64 *sum);

/*
 * Measure all workloads that the index has, and print a line for each; with the sum of all
 * values that scans found, which is the same for each index. None if the set has keys that
 * are too long. False if an answer was wrong.
 */
bool work_measure(const struct index_ops *ops, const struct set *set,
		  unsigned int threads);

#ifdef __cplusplus
}
#endif

#endif /* BENCH_KEYS_H */
