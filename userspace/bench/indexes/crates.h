/* SPDX-License-Identifier: GPL-2.0 */
/* The exports of crates/src: operations of struct lab_index_ops, and a histogram. */
#ifndef COMPARE_CRATES_H
#define COMPARE_CRATES_H

#include "lab/schemes/lab_index.h"

void *congee_create(void);
void congee_destroy(void *map);
int congee_store(void *map, __u64 key, __u64 value);
int congee_lookup(void *map, __u64 key, __u64 *value);
int congee_erase(void *map, __u64 key);
unsigned int congee_scan(void *map, __u64 key, struct blink_tree_entry *entry,
			 unsigned int nr);

void *skiplist_create(void);
void skiplist_destroy(void *map);
int skiplist_store(void *map, __u64 key, __u64 value);
int skiplist_lookup(void *map, __u64 key, __u64 *value);
int skiplist_erase(void *map, __u64 key);
unsigned int skiplist_scan(void *map, __u64 key, struct blink_tree_entry *entry,
			   unsigned int nr);
int skiplist_floor(void *map, __u64 key, struct blink_tree_entry *entry);

/* An HdrHistogram of nanoseconds, to three digits. */
struct histogram *histogram_create(void);
void histogram_destroy(struct histogram *histogram);
void histogram_record(struct histogram *histogram, __u64 ns);
void histogram_merge(struct histogram *to, const struct histogram *from);
double histogram_quantile(const struct histogram *histogram, double share);

#endif /* COMPARE_CRATES_H */
