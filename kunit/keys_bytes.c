// SPDX-License-Identifier: GPL-2.0
/* The functions of keys_bytes.h. */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "keys_bytes.h"

/**
 * keys_bytes_kept() - the most memory of low keys that an empty tree keeps
 * @stats: its statistics
 *
 * Each mender that was asked keeps one.
 *
 * Return: bytes; 0 if the keys are numbers.
 */
u64 keys_bytes_kept(const struct blink_tree_ioc_stats *stats)
{
	if (stats->key != BLINK_TREE_KEY_BYTES)
		return 0;
	/* Two numbers of 32 bits, and the value. */
	return stats->indexes * kmalloc_size_roundup(16 + BLINK_BYTES_MAX);
}

/* The number of a key of the tree. */
static u64 number_of(const u8 *data, u32 length)
{
	struct blink_bytes_key same;
	struct keys_text text;
	u64 key = keys_text_get(data, length);

	same = keys_bytes(&text, key);
	WARN_ON_ONCE(same.length != length || memcmp(same.data, data, length));
	return key;
}

/* The tree has no longer keys, so the buffer need not be of BLINK_BYTES_MAX bytes. */
int keys_bytes_nearest(struct blink_tree *tree,
		       int (*find)(struct blink_tree *tree,
				   struct blink_bytes_key key,
				   struct blink_tree_bytes_entry *entry),
		       u64 key, struct blink_tree_entry *entry)
{
	struct keys_text text;
	struct blink_tree_bytes_entry found = { .key = text.bytes };
	int ret = find(tree, KEYS_BYTES(key), &found);

	if (ret)
		return ret;
	entry->key = number_of(found.key, found.length);
	entry->value = found.value;
	return 0;
}

/* An operation, with the strings that it leads to. */
struct op_text {
	struct keys_text asked;
	struct keys_text found;
};

static void op_begin(struct blink_tree_bytes_op *to, struct op_text *text,
		     const struct blink_tree_ioc_op *op)
{
	*to = (struct blink_tree_bytes_op){
		.opcode = op->opcode,
		.flags = op->flags,
		.result = op->result,
		.key = keys_bytes(&text->asked, op->key),
		.value = op->value,
		.old = op->old,
		.found = text->found.bytes,
	};
}

static bool finds_key(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_FLOOR ||
	       opcode == BLINK_TREE_OP_CEILING ||
	       opcode == BLINK_TREE_OP_POP_MIN ||
	       opcode == BLINK_TREE_OP_POP_MAX;
}

static void op_end(struct blink_tree_ioc_op *op,
		   const struct blink_tree_bytes_op *from)
{
	op->result = from->result;
	op->value = from->value;
	op->old = from->old;
	if (!op->result && finds_key(op->opcode))
		op->key = number_of(from->found, from->found_length);
}

void keys_bytes_op(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		   gfp_t gfp)
{
	struct blink_tree_bytes_op bytes;
	struct op_text text;

	op_begin(&bytes, &text, op);
	blink_tree_bytes_op(tree, &bytes, gfp);
	op_end(op, &bytes);
}

int keys_bytes_get_or_insert(struct blink_tree *tree, u64 key, u64 *value,
			     gfp_t gfp)
{
	struct blink_tree_ioc_op op = {
		.opcode = BLINK_TREE_OP_GET_OR_INSERT,
		.key = key,
		.value = *value,
	};

	keys_bytes_op(tree, &op, gfp);
	if (op.result == 1)
		*value = op.old;
	return op.result;
}

/* As many operations or entries have room on the stack, in any context. */
#define FEW 8

/* Room for more. No allocation of it ever fails. */
static void *more_room(size_t nr, size_t size)
{
	return kvmalloc_array(nr, size, GFP_KERNEL | __GFP_NOFAIL);
}

void keys_bytes_batch(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, gfp_t gfp)
{
	struct blink_tree_bytes_op few[FEW] = {}, *bytes = few;
	struct op_text few_texts[FEW], *texts = few_texts;
	unsigned int i;

	if (nr > FEW) {
		bytes = more_room(nr, sizeof(*bytes));
		texts = more_room(nr, sizeof(*texts));
	}
	for (i = 0; i < nr; i++)
		op_begin(&bytes[i], &texts[i], &ops[i]);
	blink_tree_bytes_batch(tree, bytes, nr, gfp);
	for (i = 0; i < nr; i++)
		op_end(&ops[i], &bytes[i]);
	if (nr > FEW) {
		kvfree(texts);
		kvfree(bytes);
	}
}

int keys_bytes_load(struct blink_tree *tree,
		    const struct blink_tree_entry *entries, unsigned int nr,
		    unsigned int fill, gfp_t gfp, unsigned int *done)
{
	struct blink_tree_bytes_entry few[FEW] = {}, *bytes = few;
	struct keys_text few_texts[FEW], *texts = few_texts;
	unsigned int i;
	int ret;

	if (nr > FEW) {
		bytes = more_room(nr, sizeof(*bytes));
		texts = more_room(nr, sizeof(*texts));
	}
	for (i = 0; i < nr; i++) {
		bytes[i].key = texts[i].bytes;
		bytes[i].length = keys_text_put(bytes[i].key, entries[i].key);
		bytes[i].value = entries[i].value;
	}
	ret = blink_tree_bytes_load(tree, bytes, nr, fill, gfp, done);
	if (nr > FEW) {
		kvfree(texts);
		kvfree(bytes);
	}
	return ret;
}

/**
 * struct span - a range of a tree of strings
 * @scan: the range as the tree takes it
 * @first: the string of its first key
 * @last: the string of its last key
 */
struct span {
	struct blink_bytes_scan scan;
	struct keys_text first;
	struct keys_text last;
};

/* The range, which is too large for the stack. */
static struct span *span_begin(const struct blink_scan *scan)
{
	struct span *span = more_room(1, sizeof(*span));

	span->scan = (struct blink_bytes_scan){
		.first = keys_bytes(&span->first, scan->first),
		.last = keys_bytes(&span->last, scan->last),
		.desc = scan->desc,
		.done = scan->done,
	};
	return span;
}

/* The least number whose string is not before a place. */
static u64 number_from(struct blink_bytes_key place)
{
	u64 key = place.data ? number_of(place.data, place.length) : U64_MAX;

	return key + (place.side > 0 && key < U64_MAX);
}

/* The greatest one whose string is not behind it. */
static u64 number_to(struct blink_bytes_key place)
{
	u64 key = place.data ? number_of(place.data, place.length) : U64_MAX;

	return key - (place.side < 0 && key);
}

static void span_end(struct span *span, struct blink_scan *scan)
{
	scan->first = number_from(span->scan.first);
	scan->last = number_to(span->scan.last);
	scan->done = span->scan.done;
	kvfree(span);
}

typedef int (*range_fn)(struct blink_tree *tree, struct blink_bytes_scan *scan,
			struct blink_tree_bytes_entry *entries,
			unsigned int nr);

/* The keys have room in the buffer as far as the entries have. */
static int with_entries(struct blink_tree *tree, struct blink_bytes_scan *scan,
			struct blink_tree_entry *entries, unsigned int nr,
			range_fn fn)
{
	struct blink_tree_bytes_entry *found =
		more_room(nr + 1, sizeof(*found));
	const size_t texts = (size_t)nr * KEYS_TEXT_MAX;
	int ret, i;

	scan->size = max_t(size_t, texts, BLINK_BYTES_MAX);
	scan->buffer = more_room(1, scan->size);
	ret = fn(tree, scan, found, nr);
	for (i = 0; i < ret; i++) {
		entries[i].key = number_of(found[i].key, found[i].length);
		entries[i].value = found[i].value;
	}
	kvfree(scan->buffer);
	kvfree(found);
	return ret;
}

static int for_range(struct blink_tree *tree, struct blink_scan *scan,
		     struct blink_tree_entry *entries, unsigned int nr,
		     range_fn fn)
{
	struct span *span = span_begin(scan);
	int ret;

	if (entries)
		ret = with_entries(tree, &span->scan, entries, nr, fn);
	else
		ret = fn(tree, &span->scan, NULL, nr);
	span_end(span, scan);
	return ret;
}

int keys_bytes_scan(struct blink_tree *tree, struct blink_scan *scan,
		    struct blink_tree_entry *entries, unsigned int nr)
{
	return for_range(tree, scan, entries, nr, blink_tree_bytes_scan);
}

int keys_bytes_erase_range(struct blink_tree *tree, struct blink_scan *scan,
			   struct blink_tree_entry *entries, unsigned int nr)
{
	return for_range(tree, scan, entries, nr, blink_tree_bytes_erase_range);
}

int keys_bytes_count_range(struct blink_tree *tree, struct blink_scan *scan,
			   unsigned int nr)
{
	struct span *span = span_begin(scan);
	int ret = blink_tree_bytes_count_range(tree, &span->scan, nr);

	span_end(span, scan);
	return ret;
}

/**
 * keys_bytes_next() - the next entry of a cursor
 * @tree: its tree
 * @steps: its state
 * @entry: set to the entry
 *
 * Return: as blink_cursor_next().
 */
int keys_bytes_next(struct blink_tree *tree, struct keys_steps *steps,
		    struct blink_tree_entry *entry)
{
	u64 from = steps->desc ? steps->last : steps->first;
	struct blink_tree_entry next;
	int ret;

	if (steps->done || steps->first > steps->last)
		return 0;
	ret = keys_bytes_nearest(tree,
				 steps->desc ? blink_tree_bytes_floor :
					       blink_tree_bytes_ceiling,
				 from, &next);
	if (ret && ret != -ENOENT)
		return ret;
	if (ret || next.key < steps->first || next.key > steps->last)
		return 0;
	steps->done = next.key == (steps->desc ? steps->first : steps->last);
	if (steps->desc)
		steps->last = next.key - 1;
	else
		steps->first = next.key + 1;
	*entry = next;
	return 1;
}

/* A step of a finger to the entry that a search from @key on finds. */
int keys_bytes_step(struct keys_finger *finger, u64 key, bool below,
		    struct blink_tree_entry *entry)
{
	int ret = keys_bytes_nearest(finger->tree,
				     below ? blink_tree_bytes_floor :
					     blink_tree_bytes_ceiling,
				     key, entry);

	if (ret)
		return ret;
	finger->placed = true;
	finger->key = entry->key;
	return 0;
}

int keys_bytes_finger_next(struct keys_finger *finger,
			   struct blink_tree_entry *entry)
{
	if (!finger->placed)
		return keys_bytes_step(finger, 0, false, entry);
	if (finger->key == U64_MAX)
		return -ENOENT;
	return keys_bytes_step(finger, finger->key + 1, false, entry);
}

int keys_bytes_finger_prev(struct keys_finger *finger,
			   struct blink_tree_entry *entry)
{
	if (!finger->placed)
		return keys_bytes_step(finger, U64_MAX, true, entry);
	if (!finger->key)
		return -ENOENT;
	return keys_bytes_step(finger, finger->key - 1, true, entry);
}
