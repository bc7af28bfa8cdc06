// SPDX-License-Identifier: GPL-2.0
/* The memory of strings (../key/bytes.h): allocating, charging and freeing it. */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "../tree/charge.h"
#include "../tree/limbo.h"
#include "../tree/tree.h"
#include "../key/key.h"

#if BLINK_STRINGS
#include "string.h"

struct blink_string blink_string_least = { .refs = ATOMIC_INIT(1) };

/* The memory of a string: not less than RCU needs. */
static size_t string_bytes(u32 length)
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
 * Return: 0; -EINVAL if the key is too long; -ENOMEM; or the error of
 * blink_charge_leaf().
 */
int blink_entry_make(struct blink_tree *tree, blink_key_t key, u64 value,
		     gfp_t gfp, u64 *entry)
{
	long bytes = string_bytes(key.length);
	struct blink_string *string;
	int err;

	if (!key.data || key.length > BLINK_BYTES_MAX || key.side)
		return -EINVAL;
	if (unlikely(!blink_limbo_admits(tree, gfp)))
		return -ENOMEM;
	err = blink_charge_leaf(tree, bytes, gfp);
	if (unlikely(err))
		return err;
	string = kmalloc(bytes, gfp);
	if (unlikely(!string)) {
		blink_uncharge(tree, bytes);
		return -ENOMEM;
	}
	this_cpu_add(tree->counters->bytes, bytes);
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
	long bytes = string_bytes(string->length);

	this_cpu_sub(tree->counters->bytes, bytes);
	kfree(string);
	blink_uncharge(tree, bytes);
}

static void string_rcu(struct rcu_head *head)
{
	struct blink_string *string =
		container_of(head, struct blink_string, rcu);
	long bytes = string_bytes(string->length);
	struct blink_tree *tree = string->tree;

	blink_string_free(tree, string);
	blink_limbo_add(tree, -bytes);
	/* The last access to the tree, which its owner may have destroyed. */
	percpu_ref_put(&tree->ref);
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
	percpu_ref_get(&tree->ref);
	blink_limbo_add(tree, string_bytes(string->length));
	string->tree = tree;
	/* A lazy callback could keep the string for ten seconds. */
	call_rcu_hurry(&string->rcu, string_rcu);
}
#endif
