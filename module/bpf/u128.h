/* SPDX-License-Identifier: GPL-2.0 */
/* Keys of 128 bits as two words: the stack of a program aligns them no better. */
#ifndef BLINK_BPF_U128_H
#define BLINK_BPF_U128_H

#include <linux/blink_tree_u128.h>

#include "kfuncs.h"

static inline struct blink_u128 blink_u128_halves(u128 key)
{
	return (struct blink_u128){
		.high = blink_pair_key(key),
		.low = blink_pair_value(key),
	};
}

static inline u128 blink_u128_join(const struct blink_u128 *key)
{
	return blink_pair(key->high, key->low);
}

static inline struct blink_u128_entry
blink_u128_entry(const struct blink_tree_u128_entry *entry)
{
	return (struct blink_u128_entry){
		.high = blink_pair_key(entry->key),
		.low = blink_pair_value(entry->key),
		.value = entry->value,
	};
}

#endif /* BLINK_BPF_U128_H */
