/* SPDX-License-Identifier: GPL-2.0 */
/* Our tree's plain calls as operations of a scheme: for schemes with other batches. */
#ifndef BLINK_LAB_SCHEMES_BLINK_H
#define BLINK_LAB_SCHEMES_BLINK_H

#include "lab_index.h"

void *lab_blink_create(const struct lab_index_ops *ops,
		       const struct lab_params *params);
void lab_blink_destroy(void *data);
int lab_blink_insert(void *data, u64 key, u64 value);
int lab_blink_lookup(void *data, u64 key, u64 *value);
int lab_blink_store(void *data, u64 key, u64 value);
int lab_blink_erase(void *data, u64 key);
unsigned int lab_blink_scan(void *data, u64 key, struct blink_tree_entry *entry,
			    unsigned int nr);
int lab_blink_floor(void *data, u64 key, struct blink_tree_entry *entry);
int lab_blink_verify(void *data);
u64 lab_blink_bytes(void *data);

/* All operations of a scheme but its batches. */
#define LAB_BLINK_CALLS                                           \
	.create = lab_blink_create, .destroy = lab_blink_destroy, \
	.insert = lab_blink_insert, .lookup = lab_blink_lookup,   \
	.store = lab_blink_store, .erase = lab_blink_erase,       \
	.scan = lab_blink_scan, .floor = lab_blink_floor,         \
	.verify = lab_blink_verify, .bytes = lab_blink_bytes

#endif /* BLINK_LAB_SCHEMES_BLINK_H */
