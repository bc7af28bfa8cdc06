// SPDX-License-Identifier: GPL-2.0
/*
 * A writer at each step of a reader of strings. The searches are for strings whose head
 * equals a word that is in the leaf and is no head: the address of a string. A search that
 * takes such a word for a head compares strings at a place where there is none.
 */
#define KEYS_OWN_NAMES
#include <asm/byteorder.h>
#include <linux/blink_tree.h>
#include <linux/blink_tree_bytes.h>
#include <linux/blink_tree_value.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <sanitizer/asan_interface.h>
#include <string.h>

#define BLINK_COMPILE_BYTES
#define BLINK_NAME(name) blink_bytes_##name
#define BLINK_TREE_NAME(name) blink_tree_bytes_##name
#include "core/kind/names.h"

#include "core/node/layout.h"
#include "core/tree/tree.h"
#define TAP_ELSEWHERE
#include "steps.h"
#include "tap.h"

struct text {
	__be64 word;
};

/* Less than any address, so that one that is searched for is behind all of them. */
static struct blink_bytes_key key_of(struct text *text, u64 word)
{
	text->word = cpu_to_be64(word);
	return blink_bytes_key((u8 *)text, sizeof(*text));
}

#define KEY(word) key_of(&(struct text){}, word)

static void string_put(struct blink_tree *to, unsigned int i)
{
	int ret = blink_tree_insert(to, KEY(i), i, NULL, GFP_NOWAIT);

	tap_check(!ret || ret == -EEXIST);
}

static void string_erase(struct blink_tree *from, unsigned int i)
{
	int ret = blink_tree_erase(from, KEY(i), NULL);

	tap_check(!ret || ret == -ENOENT);
}

/* The word of the last leaf behind its heads: the address of its first string. */
static u64 word_behind(struct blink_tree *in)
{
	void (*hook)(void) = shim_hooks.point;
	struct blink_node *node;

	/* This is no step of the call. */
	shim_hooks.point = NULL;
	node = rcu_access_pointer(in->index[0].root);
	while (node->level)
		node = blink_inner_child(node, node->count - 1);
	shim_hooks.point = hook;
	return *blink_values(node, true);
}

/* Its key as a number. */
static struct answer found(int ret, const struct blink_tree_entry *entry)
{
	__be64 word = 0;

	if (!ret)
		memcpy(&word, entry->key, sizeof(word));
	return (struct answer){ ret, be64_to_cpu(word), entry->value };
}

static struct answer string_lookup(struct blink_tree *in, unsigned int nr)
{
	struct answer answer = {};

	answer.ret = blink_tree_lookup(in, KEY(word_behind(in)), &answer.value);
	return answer;
}

static struct answer string_floor(struct blink_tree *in, unsigned int nr)
{
	u8 key[BLINK_BYTES_MAX];
	struct blink_tree_entry entry = { .key = key };
	int ret = blink_tree_floor(in, KEY(word_behind(in)), &entry);

	return found(ret, &entry);
}

static struct answer string_ceiling(struct blink_tree *in, unsigned int nr)
{
	u8 key[BLINK_BYTES_MAX];
	struct blink_tree_entry entry = { .key = key };
	int ret = blink_tree_ceiling(in, KEY(nr / 2 * 2 - 1), &entry);

	return found(ret, &entry);
}

static struct answer string_behind(struct blink_tree *in, unsigned int nr)
{
	u8 key[BLINK_BYTES_MAX];
	struct blink_tree_entry entry = { .key = key };
	int ret = blink_tree_ceiling(in, KEY(word_behind(in)), &entry);

	return found(ret, &entry);
}

static struct answer string_scan(struct blink_tree *in, bool desc)
{
	static u8 buffer[8 * BLINK_BYTES_MAX];
	struct blink_scan scan = {
		.first = KEY(0),
		.last = KEY(word_behind(in)),
		.desc = desc,
		.buffer = buffer,
		.size = sizeof(buffer),
	};
	struct blink_tree_entry entry[16];
	struct answer answer = {};
	int n;

	while (!scan.done) {
		n = blink_tree_scan(in, &scan, entry, ARRAY_SIZE(entry));
		if (!tap_check(n >= 0))
			break;
		answer.ret += n;
	}
	return answer;
}

static struct answer string_ascend(struct blink_tree *in, unsigned int nr)
{
	return string_scan(in, false);
}

static struct answer string_descend(struct blink_tree *in, unsigned int nr)
{
	return string_scan(in, true);
}

static struct answer string_count(struct blink_tree *in, unsigned int nr)
{
	struct blink_scan scan = { .first = KEY(1),
				   .last = KEY(word_behind(in)) };
	struct answer answer = {};

	while (!scan.done)
		answer.ret += blink_tree_count_range(in, &scan, 1);
	return answer;
}

static struct answer string_batch(struct blink_tree *in, unsigned int nr)
{
	static u8 key[2][BLINK_BYTES_MAX];
	struct blink_tree_ioc_op op[] = {
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = KEY(word_behind(in)) },
		{ .opcode = BLINK_TREE_OP_FLOOR,
		  .key = KEY(word_behind(in)),
		  .found = key[0] },
		{ .opcode = BLINK_TREE_OP_CEILING,
		  .key = KEY(word_behind(in)),
		  .found = key[1] },
	};

	blink_tree_batch(in, op, ARRAY_SIZE(op), GFP_KERNEL);
	tap_check(op[0].result == -ENOENT);
	tap_check(op[2].result == -ENOENT);
	return (struct answer){ op[1].result, 0, op[1].value };
}

static struct answer string_verify(struct blink_tree *in, unsigned int nr)
{
	struct blink_tree_ioc_verify report;
	struct answer answer = {};

	answer.ret = blink_tree_verify(in, &report);
	tap_check(!answer.ret && !report.violation);
	return answer;
}

static struct blink_tree *create(void)
{
	struct blink_tree_params params = { .key = BLINK_TREE_KEY_BYTES };
	struct blink_tree *made = blink_tree_create(&params, GFP_KERNEL);

	if (IS_ERR(made))
		shim_die(__FILE__, __LINE__, "no tree");
	return made;
}

/*
 * While the sequence of a leaf is odd, the strings of its first entries, and of those of
 * its right neighbour, must not be read.
 */
static struct blink_node *written;
static void *guarded[4];
static unsigned int nr_guarded, sections;

static void guard(const struct blink_node *leaf)
{
	unsigned int i;

	for (i = 0; leaf && i < 2 && i < leaf->count; i++) {
		guarded[nr_guarded] =
			(void *)(uintptr_t)blink_values(leaf, true)[i];
		__asan_poison_memory_region(guarded[nr_guarded++],
					    sizeof(struct blink_string));
	}
}

static void at_access(void)
{
	static bool inside;

	if (inside)
		return;
	inside = true;
	if (!(written->seq & 1)) {
		while (nr_guarded)
			__asan_unpoison_memory_region(
				guarded[--nr_guarded],
				sizeof(struct blink_string));
	} else if (!nr_guarded) {
		sections++;
		guard(written);
		guard(rcu_access_pointer(written->right));
	}
	inside = false;
}

/* Keys of the second leaf: those of its first half have one more byte in common. */
static u64 word_of(unsigned int i)
{
	return (i < BLINK_LEAF_SLOTS * 3 / 2 ? 0x100 : 0x200) + 2 * i;
}

/* A split that makes the prefix of a leaf longer, and a merge that makes it shorter. */
void steps_strings_sections(void)
{
	struct blink_tree *tree = create();
	unsigned int prefix, i;

	for (i = 0; i < 3 * BLINK_LEAF_SLOTS; i++)
		string_put(tree, word_of(i));
	written = rcu_access_pointer(tree->index[0].root);
	while (written->level)
		written = blink_inner_child(written, 0);
	written = rcu_access_pointer(written->right);
	prefix = written->form;
	sections = 0;
	shim_hooks.point = at_access;
	string_put(tree, word_of(BLINK_LEAF_SLOTS + 1) - 1);
	tap_check(sections && written->form > prefix);
	/* Those of the new leaf, so that it is merged. */
	for (i = BLINK_LEAF_SLOTS * 3 / 2; i < 2 * BLINK_LEAF_SLOTS; i++)
		string_erase(tree, word_of(i));
	shim_hooks.point = NULL;
	tap_check(sections > 1 && written->form == prefix);
	blink_tree_destroy(tree);
	tap_case("steps: a write section reads no string");
}

static const struct call calls[] = { { "lookup", string_lookup, true },
				     { "floor", string_floor, true },
				     { "ceiling", string_ceiling, true },
				     { "ceiling behind all", string_behind,
				       true },
				     { "scan", string_ascend },
				     { "scan down", string_descend },
				     { "count", string_count },
				     { "batch", string_batch },
				     { "verify", string_verify },
				     {} };

const struct kind kind_strings = {
	.name = "steps: strings",
	.create = create,
	.put = string_put,
	.erase = string_erase,
	.calls = calls,
};
