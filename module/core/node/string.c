// SPDX-License-Identifier: GPL-2.0
/* The memory of strings (../key/bytes.h): making, counting and freeing them. */
#include <linux/err.h>

#include "../tree/tree.h"
#include "../key/key.h"

#if BLINK_STRINGS
#include "string.h"

struct blink_string blink_string_least = { .refs = ATOMIC_INIT(1) };

/* The memory of a string: not less than RCU needs. */
static long string_bytes(u32 length)
{
	return max(offsetof(struct blink_string, data) + length,
		   sizeof(struct blink_string));
}

/**
 * blink_entry_make() - make the string of a new entry
 * @tree: its tree
 * @key: the key
 * @value: its value
 * @gfp: how to allocate
 * @entry: set to the address of the string, which has one reference
 *
 * Context: no node lock held; as @gfp allows.
 * Return: 0; -EINVAL if the key is too long; or an error of blink_block_alloc().
 */
int blink_entry_make(struct blink_tree *tree, blink_key_t key, u64 value,
		     gfp_t gfp, u64 *entry)
{
	struct blink_string *string;

	if (!key.data || key.length > BLINK_BYTES_MAX || key.side)
		return -EINVAL;
	string = blink_block_alloc(tree, string_bytes(key.length), gfp);
	if (IS_ERR(string))
		return PTR_ERR(string);
	string->length = key.length;
	atomic_set(&string->refs, 1);
	string->value = value;
	memcpy(string->data, key.data, key.length);
	*entry = (uintptr_t)string;
	return 0;
}

/**
 * blink_string_free() - free a string that no other CPU can reach
 * @tree: its tree
 * @string: the string
 *
 * Context: any but NMI.
 */
void blink_string_free(struct blink_tree *tree, struct blink_string *string)
{
	blink_block_free(tree, string, string_bytes(string->length));
}

/**
 * blink_string_drop() - drop a reference to a string that no reader can reach
 * @tree: its tree, which is not in use any more
 * @string: the string
 *
 * The last one frees it at once.
 *
 * Context: any but NMI.
 */
void blink_string_drop(struct blink_tree *tree, struct blink_string *string)
{
	if (atomic_dec_and_test(&string->refs))
		blink_string_free(tree, string);
}

static void string_rcu(struct rcu_head *head)
{
	struct blink_string *string =
		container_of(head, struct blink_string, block.rcu);

	blink_block_end(string->block.tree, string,
			string_bytes(string->length));
}

/**
 * blink_string_put() - drop a reference to a string
 * @tree: its tree
 * @string: the string
 *
 * The last one frees it after a grace period.
 *
 * Context: any but NMI.
 */
void blink_string_put(struct blink_tree *tree, struct blink_string *string)
{
	if (atomic_dec_and_test(&string->refs))
		blink_block_retire(tree, &string->block,
				   string_bytes(string->length), string_rcu);
}
#endif
