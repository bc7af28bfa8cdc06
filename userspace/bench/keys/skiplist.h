/* SPDX-License-Identifier: GPL-2.0 */
/* The exports of crates/src/bytes.rs. */
#ifndef BENCH_KEYS_SKIPLIST_H
#define BENCH_KEYS_SKIPLIST_H

#include "keys.h"

void *skiplist_bytes_create(void);
bool skiplist_bytes_insert(void *map, const unsigned char *data, size_t length,
			   u64 value);
bool skiplist_bytes_lookup(void *map, const unsigned char *data, size_t length,
			   u64 *value);
/* @copies: room for @nr keys of KEY_MAX bytes */
unsigned int skiplist_bytes_scan(void *map, const unsigned char *data,
				 size_t length, unsigned int nr, u64 *sum,
				 unsigned char *copies);

#endif /* BENCH_KEYS_SKIPLIST_H */
