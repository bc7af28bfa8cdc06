/* SPDX-License-Identifier: GPL-2.0 */
/* What crates/src exports: the calls of struct index, and of a histogram. */
#ifndef COMPARE_CRATES_H
#define COMPARE_CRATES_H

#include "index.h"

void *congee_create(void);
void congee_destroy(void *map);
bool congee_store(void *map, __u64 key, __u64 value);
bool congee_lookup(void *map, __u64 key, __u64 *value);
bool congee_erase(void *map, __u64 key);
unsigned int congee_scan(void *map, __u64 key, struct blink_tree_entry *entry,
			 unsigned int nr);

void *skiplist_create(void);
void skiplist_destroy(void *map);
bool skiplist_store(void *map, __u64 key, __u64 value);
bool skiplist_lookup(void *map, __u64 key, __u64 *value);
bool skiplist_erase(void *map, __u64 key);
unsigned int skiplist_scan(void *map, __u64 key, struct blink_tree_entry *entry,
			   unsigned int nr);
bool skiplist_floor(void *map, struct blink_tree_entry *entry);

struct latency *histogram_create(void);
void histogram_destroy(struct latency *histogram);
void histogram_record(struct latency *histogram, __u64 ns);
void histogram_merge(struct latency *to, const struct latency *from);
double histogram_quantile(const struct latency *histogram, double share);

#endif /* COMPARE_CRATES_H */
