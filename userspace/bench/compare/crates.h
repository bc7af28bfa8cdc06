/* SPDX-License-Identifier: GPL-2.0 */
/* What crates/src/lib.rs exports: the calls of struct index. */
#ifndef COMPARE_CRATES_H
#define COMPARE_CRATES_H

#include "index.h"

void *congee_create(void);
void congee_destroy(void *map);
bool congee_store(void *map, __u64 key, __u64 value);
bool congee_lookup(void *map, __u64 key, __u64 *value);
bool congee_erase(void *map, __u64 key);
unsigned int congee_scan(void *map, __u64 key, struct blink_entry *entry,
			 unsigned int nr);

void *skiplist_create(void);
void skiplist_destroy(void *map);
bool skiplist_store(void *map, __u64 key, __u64 value);
bool skiplist_lookup(void *map, __u64 key, __u64 *value);
bool skiplist_erase(void *map, __u64 key);
unsigned int skiplist_scan(void *map, __u64 key, struct blink_entry *entry,
			   unsigned int nr);
bool skiplist_floor(void *map, struct blink_entry *entry);

#endif /* COMPARE_CRATES_H */
