// SPDX-License-Identifier: GPL-2.0
/* The memory of strings (../key/bytes.h): making, counting and freeing them. */
#include <linux/err.h>

#include "../key/key.h"
#include "../tree/block.h"
#include "../tree/tree.h"

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

/* The object of the caller to which a string belongs. */
static struct blink_bytes_link *link_of(struct blink_string *string)
{
	static_assert(offsetof(struct blink_bytes_link, key) -
			      offsetof(struct blink_bytes_link, length) ==
		      offsetof(struct blink_string, data));
	static_assert(offsetof(struct blink_bytes_link, self) -
			      offsetof(struct blink_bytes_link, length) ==
		      offsetof(struct blink_string, value));
	static_assert(offsetof(struct blink_bytes_link, refs) -
			      offsetof(struct blink_bytes_link, length) ==
		      offsetof(struct blink_string, refs));
	return container_of(&string->length, struct blink_bytes_link, length);
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
	if (tree->release)
		tree->release(link_of(string));
	else
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

static void link_rcu(struct rcu_head *head)
{
	struct blink_bytes_link *link =
		container_of(head, struct blink_bytes_link, rcu);
	struct blink_tree *tree = link->tree;

	tree->release(link);
	/* The last access to the tree, which its owner may have destroyed. */
	percpu_ref_put(&tree->ref);
}

/* Readers can use the object until their sections end, so no part of it is reused. */
static void link_retire(struct blink_tree *tree, struct blink_bytes_link *link)
{
	percpu_ref_get(&tree->ref);
	link->tree = tree;
	/* A lazy callback could keep the object for ten seconds. */
	call_rcu_hurry(&link->rcu, link_rcu);
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
	if (!atomic_dec_and_test(&string->refs))
		return;
	if (tree->release)
		link_retire(tree, link_of(string));
	else
		blink_block_retire(tree, &string->block,
				   string_bytes(string->length), string_rcu);
}
#endif
