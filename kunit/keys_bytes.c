// SPDX-License-Identifier: GPL-2.0
/* The functions of keys_bytes.h. */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "keys_bytes.h"

/*
 * The most memory of low keys that an empty tree keeps: each mender that was asked
 * keeps one.
 */
u64 keys_bytes_kept(const struct blink_tree_ioc_stats *stats)
{
	if (stats->key != BLINK_TREE_KEY_BYTES)
		return 0;
	/* Two numbers of 32 bits, and the value. */
	return stats->indexes * kmalloc_size_roundup(16 + BLINK_BYTES_MAX);
}

const struct strings *keys_strings;

/* The order of strings. */
int keys_bytes_compare(const void *a, const void *b)
{
	const struct blink_bytes_key *x = a, *y = b;
	int diff = memcmp(x->data, y->data, min(x->length, y->length));

	return diff ?: (int)x->length - (int)y->length;
}

/* The number that stands for a string of the set; U64_MAX for any other one. */
static u64 number_in_set(const u8 *data, u32 length)
{
	struct blink_bytes_key key = blink_bytes_key(data, length);
	unsigned int low = 0, high = keys_strings->nr, middle;
	int diff;

	while (low < high) {
		middle = (low + high) / 2;
		diff = keys_bytes_compare(&keys_strings->key[middle], &key);
		if (!diff)
			return 2ULL * middle;
		if (diff < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return U64_MAX;
}

/*
 * The string of a number, in the memory of @text. Of a set, also the place behind a
 * string, or what is behind all.
 */
struct blink_bytes_key keys_bytes(struct keys_text *text, u64 key)
{
	static const u8 greatest[BLINK_BYTES_MAX] = { [0 ... BLINK_BYTES_MAX -
						       1] = 0xff };
	struct blink_bytes_key string;

	if (!keys_strings)
		return blink_bytes_key(text->bytes,
				       keys_text_put(text->bytes, key));
	if (key / 2 >= keys_strings->nr)
		return blink_bytes_key(greatest, sizeof(greatest));
	string = keys_strings->key[key / 2];
	string.side = key % 2;
	return string;
}

/* The same for a search down: a place is that before the next string. */
static struct blink_bytes_key bytes_down(struct keys_text *text, u64 key)
{
	struct blink_bytes_key string = keys_bytes(text, key);

	if (string.side && key / 2 + 1 < keys_strings->nr) {
		string = keys_strings->key[key / 2 + 1];
		string.side = -1;
	}
	return string;
}

/* The key next to a place, as pops take no place. */
u64 keys_bytes_exact(u64 key, bool up)
{
	if (!keys_strings || key / 2 >= keys_strings->nr || !(key & 1))
		return key;
	return up ? key + 1 : key - 1;
}

/* The number of a key of the tree. */
static u64 number_of(const u8 *data, u32 length)
{
	struct blink_bytes_key same;
	struct keys_text text;
	u64 key;

	if (keys_strings)
		return number_in_set(data, length);
	key = keys_text_get(data, length);
	same = keys_bytes(&text, key);
	WARN_ON_ONCE(same.length != length || memcmp(same.data, data, length));
	return key;
}

int keys_bytes_nearest(struct blink_tree *tree,
		       typeof(blink_tree_bytes_floor) find, u64 key,
		       struct blink_tree_entry *entry)
{
	u8 bytes[BLINK_BYTES_MAX];
	struct blink_tree_bytes_entry found = { .key = bytes };
	struct keys_text text;
	int ret = find(tree,
		       find == blink_tree_bytes_floor ? bytes_down(&text, key) :
							keys_bytes(&text, key),
		       &found);

	if (ret)
		return ret;
	entry->key = number_of(found.key, found.length);
	entry->value = found.value;
	return 0;
}

static struct blink_bytes_key asked(const struct blink_tree_ioc_op *op,
				    struct keys_text *text)
{
	switch (op->opcode) {
	case BLINK_TREE_OP_FLOOR:
		return bytes_down(text, op->key);
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return keys_bytes(
			text,
			keys_bytes_exact(op->key,
					 op->opcode == BLINK_TREE_OP_POP_MIN));
	default:
		return keys_bytes(text, op->key);
	}
}

/* Operation number @i of a batch. */
struct blink_tree_bytes_op
keys_bytes_op_begin(const struct blink_tree_ioc_op *op,
		    struct keys_op_text *text, unsigned int i)
{
	return (struct blink_tree_bytes_op){
		.opcode = op->opcode,
		.flags = op->flags,
		.result = op->result,
		.key = asked(op, &text->asked),
		.value = op->value,
		.old = op->old,
		.found = keys_strings ? keys_strings->found[i] :
					text->found.bytes,
	};
}

static bool finds_key(unsigned int opcode)
{
	return opcode == BLINK_TREE_OP_FLOOR ||
	       opcode == BLINK_TREE_OP_CEILING ||
	       opcode == BLINK_TREE_OP_POP_MIN ||
	       opcode == BLINK_TREE_OP_POP_MAX;
}

void keys_bytes_op_end(struct blink_tree_ioc_op *op,
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
	struct keys_op_text text;
	struct blink_tree_bytes_op bytes = keys_bytes_op_begin(op, &text, 0);

	blink_tree_bytes_op(tree, &bytes, gfp);
	keys_bytes_op_end(op, &bytes);
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

int keys_bytes_many(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		    unsigned int nr, bool commit, unsigned int *failed,
		    gfp_t gfp)
{
	struct blink_tree_bytes_op few[FEW], *bytes = few;
	struct keys_op_text few_texts[FEW], *texts = few_texts;
	unsigned int i;
	int ret = 0;

	if (nr > FEW) {
		bytes = more_room(nr, sizeof(*bytes));
		texts = more_room(nr, sizeof(*texts));
	}
	for (i = 0; i < nr; i++)
		bytes[i] = keys_bytes_op_begin(&ops[i], &texts[i], i);
	if (commit)
		ret = blink_tree_bytes_commit(tree, bytes, nr, failed, gfp);
	else
		blink_tree_bytes_batch(tree, bytes, nr, gfp);
	for (i = 0; i < nr; i++)
		keys_bytes_op_end(&ops[i], &bytes[i]);
	if (nr > FEW) {
		kvfree(texts);
		kvfree(bytes);
	}
	return ret;
}

struct blink_tree_bytes_entry
keys_bytes_entry(const struct blink_tree_entry *entry, struct keys_text *text)
{
	struct blink_bytes_key key = keys_bytes(text, entry->key);

	return (struct blink_tree_bytes_entry){ (u8 *)key.data, key.length,
						entry->value };
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
	for (i = 0; i < nr; i++)
		bytes[i] = keys_bytes_entry(&entries[i], &texts[i]);
	ret = blink_tree_bytes_load(tree, bytes, nr, fill, gfp, done);
	if (nr > FEW) {
		kvfree(texts);
		kvfree(bytes);
	}
	return ret;
}

void keys_span_begin(struct keys_span *span, const struct blink_scan *scan)
{
	span->scan = (struct blink_bytes_scan){
		.first = keys_bytes(&span->first, scan->first),
		.last = bytes_down(&span->last, scan->last),
		.desc = scan->desc,
		.done = scan->done,
	};
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

void keys_span_end(struct blink_scan *scan, const struct keys_span *span)
{
	scan->first = number_from(span->scan.first);
	scan->last = number_to(span->scan.last);
	scan->done = span->scan.done;
}

/* Pass on the entries of a range; returns @nr, which may be an error. */
int keys_bytes_found(struct blink_tree_entry *entries,
		     const struct blink_tree_bytes_entry *found, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		entries[i].key = number_of(found[i].key, found[i].length);
		entries[i].value = found[i].value;
	}
	return nr;
}

/* The keys have room in the buffer as far as the entries have; of a set, two of them. */
static int with_entries(struct blink_tree *tree, struct blink_bytes_scan *scan,
			struct blink_tree_entry *entries, unsigned int nr,
			typeof(blink_tree_bytes_scan) fn)
{
	struct blink_tree_bytes_entry *found =
		more_room(nr + 1, sizeof(*found));
	const size_t texts = (size_t)nr * KEYS_TEXT_MAX;
	int ret;

	scan->size = keys_strings ? 2 * BLINK_BYTES_MAX :
				    max_t(size_t, texts, BLINK_BYTES_MAX);
	scan->buffer = more_room(1, scan->size);
	ret = keys_bytes_found(entries, found, fn(tree, scan, found, nr));
	kvfree(scan->buffer);
	kvfree(found);
	return ret;
}

static int for_range(struct blink_tree *tree, struct blink_scan *scan,
		     struct blink_tree_entry *entries, unsigned int nr,
		     typeof(blink_tree_bytes_scan) fn)
{
	/* It is too large for the stack. */
	struct keys_span *span = more_room(1, sizeof(*span));
	int ret;

	keys_span_begin(span, scan);
	if (entries)
		ret = with_entries(tree, &span->scan, entries, nr, fn);
	else
		ret = fn(tree, &span->scan, NULL, nr);
	keys_span_end(scan, span);
	kvfree(span);
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

static int count_range(struct blink_tree *tree, struct blink_bytes_scan *scan,
		       struct blink_tree_bytes_entry *unused, unsigned int nr)
{
	return blink_tree_bytes_count_range(tree, scan, nr);
}

int keys_bytes_count_range(struct blink_tree *tree, struct blink_scan *scan,
			   unsigned int nr)
{
	return for_range(tree, scan, NULL, nr, count_range);
}

/* The next entry of a cursor; returns as blink_cursor_next(). */
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

int keys_bytes_finger_step(struct keys_finger *finger, bool back,
			   struct blink_tree_entry *entry)
{
	u64 from = back ? U64_MAX : 0;

	if (finger->placed) {
		if (finger->key == ~from)
			return -ENOENT;
		from = finger->key + (back ? -1 : 1);
	}
	return keys_bytes_step(finger, from, back, entry);
}
