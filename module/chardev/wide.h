/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: wide keys
 *
 * Records are executed with *wide* keys, which have 128 bits in trees of every kind: the
 * number itself in a tree with keys of 64 or 128 bits, and the pair of key and value
 * in a tree with equal keys (blink_pair()). These functions do for wide keys what the
 * functions without "wide" in their names do for the keys of the tree, in the same
 * contexts and with the same errors.
 */
#ifndef BLINK_CHARDEV_WIDE_H
#define BLINK_CHARDEV_WIDE_H

#include <linux/blink_tree_u128.h>

#include <asm/byteorder.h>

/**
 * blink_wide_get() - read a number, most significant byte first
 * @from: the bytes, at a multiple of 8
 * @size: how many: 8 or 16
 *
 * Context: any.
 * Return: the number.
 */
static inline u128 blink_wide_get(const void *from, size_t size)
{
	const __be64 *words = from;
	u128 key = be64_to_cpu(words[0]);

	return size == sizeof(u64) ? key : key << 64 | be64_to_cpu(words[1]);
}

/**
 * blink_wide_put() - write a number, most significant byte first
 * @to: room for the bytes, at a multiple of 8
 * @key: the number
 * @size: how many bytes: 8 or 16
 *
 * Context: any.
 */
static inline void blink_wide_put(void *to, u128 key, size_t size)
{
	__be64 *words = to;

	if (size == sizeof(u128))
		*words++ = cpu_to_be64(key >> 64);
	*words = cpu_to_be64(key);
}

struct blink_field;

void blink_wide_batch(struct blink_tree *tree, struct blink_tree_u128_op *ops,
		      unsigned int nr, gfp_t gfp);
int blink_wide_lookup(struct blink_tree *tree, u128 key, u64 *value);
void blink_wide_value_op(struct blink_tree *tree, struct blink_tree_u128_op *op,
			 gfp_t gfp);
void blink_wide_value_batch(struct blink_tree *tree,
			    struct blink_tree_u128_op *ops, unsigned int nr);
void blink_wide_value_cmpxchg(struct blink_tree *tree,
			      struct blink_tree_u128_op *op,
			      const struct blink_field *expected);
void blink_wide_value_cmperase(struct blink_tree *tree,
			       struct blink_tree_u128_op *op,
			       const struct blink_field *expected);
int blink_wide_load(struct blink_tree *tree,
		    struct blink_tree_u128_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done);
int blink_wide_value_load(struct blink_tree *tree,
			  struct blink_tree_u128_entry *entries,
			  unsigned int nr, unsigned int fill, gfp_t gfp,
			  unsigned int *done);
int blink_wide_scan(struct blink_tree *tree, struct blink_u128_scan *scan,
		    struct blink_tree_u128_entry *entries, unsigned int nr);
int blink_wide_count_range(struct blink_tree *tree,
			   struct blink_u128_scan *scan, unsigned int nr);
int blink_wide_erase_range(struct blink_tree *tree,
			   struct blink_u128_scan *scan, unsigned int nr);

#endif /* BLINK_CHARDEV_WIDE_H */
