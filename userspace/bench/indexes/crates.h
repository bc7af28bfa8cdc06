/* SPDX-License-Identifier: GPL-2.0 */
/* The exports of crates/src: operations of struct lab_index_ops, and a histogram. */
#ifndef COMPARE_CRATES_H
#define COMPARE_CRATES_H

#include "lab/schemes/lab_index.h"

#define CRATE(name)                                              \
	void *name##_create(const struct lab_index_ops *ops,     \
			    const struct lab_params *params);    \
	void name##_destroy(void *map);                          \
	int name##_store(void *map, __u64 key, __u64 value);     \
	int name##_lookup(void *map, __u64 key, __u64 *value);   \
	int name##_erase(void *map, __u64 key);                  \
	unsigned int name##_scan(void *map, __u64 key,           \
				 struct blink_tree_entry *entry, \
				 unsigned int nr)

CRATE(congee);
CRATE(skiplist);
int skiplist_floor(void *map, __u64 key, struct blink_tree_entry *entry);

/* An HdrHistogram of nanoseconds, to three digits. */
struct histogram *histogram_create(void);
void histogram_destroy(struct histogram *histogram);
void histogram_record(struct histogram *histogram, __u64 ns);
void histogram_merge(struct histogram *to, const struct histogram *from);
double histogram_quantile(const struct histogram *histogram, double share);

#endif /* COMPARE_CRATES_H */
