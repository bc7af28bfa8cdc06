// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of records whose keys are numbers (stream.h). An operation of a tree with equal
 * keys is one on a pair.
 */
#include <linux/blink_tree_value.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "../core/core.h"
#include "kind.h"
#include "tree_file.h"

/* The most pairs that are removed before the task looks for a signal. */
#define ERASE_CHUNK 1024U

/*
 * Make the operation on a key that of a pair: of the key and its value, or the old
 * value, or the least or greatest value that is possible.
 */
static void make_pair(struct blink_tree_ioc_op *op,
		      const struct blink_record *content)
{
	u64 value = 0;

	if (content->has & BLINK_RECORD_VALUE)
		value = blink_field_number(&content->value);
	else if (content->has & BLINK_RECORD_OLD)
		value = blink_field_number(&content->old);
	else if (blink_record_greatest(BLINK_TREE_KEY_MULTI, content->opcode))
		value = U64_MAX;
	op->key = blink_pair(op->key, value);
	op->value = 0;
	op->old = 0;
}

static void numbers_make(struct blink_stream *s, unsigned int i,
			 const struct blink_record *content)
{
	struct blink_tree_ioc_op *op = blink_stream_op(s, i);

	*op = (struct blink_tree_ioc_op){
		.opcode = blink_record_opcode(s->key, content->opcode),
		.flags = content->flags,
		.key = blink_number_get(content->key.data, content->key.length),
		.value = blink_field_number(&content->value),
		.old = blink_field_number(&content->old),
	};
	if (blink_number_is_pair(s->key))
		make_pair(op, content);
}

/* Let the chunk end before a record. */
static void cut(struct blink_stream *s, unsigned int nr)
{
	while (s->nr > nr)
		s->used -= s->record[--s->nr]->length;
}

/*
 * Remove the pairs of a key, in a tree with equal keys: each place in their range is passed
 * once, whatever others add meanwhile. The chunk ends with an operation that leaves some of
 * them, as those behind it take effect after the rest.
 */
static void erase_pairs(struct blink_stream *s, unsigned int i)
{
	struct blink_tree_ioc_op *op = blink_stream_op(s, i);
	const u64 key = blink_pair_key(op->key);
	struct blink_u128_scan scan = {
		.first = blink_pair(key, 0),
		.last = blink_pair(key, U64_MAX),
	};
	u64 sum = 0;
	int nr;

	for (;;) {
		nr = blink_tree_u128_erase_range(s->tree, &scan, NULL,
						 ERASE_CHUNK);
		if (nr < 0)
			break;
		sum += nr;
		if (scan.done)
			break;
		cond_resched();
		if (signal_pending(current) || blink_limbo_wait(s->file)) {
			s->flags[i] = BLINK_TREE_RECORD_MORE;
			cut(s, i + 1);
			break;
		}
	}
	if (sum)
		op->result = min_t(u64, sum, INT_MAX);
	else
		op->result = nr ?: -ENOENT;
}

static bool erases_pairs(const struct blink_stream *s, unsigned int i)
{
	return blink_number_is_pair(s->key) &&
	       s->record[i]->opcode == BLINK_TREE_OP_ERASE;
}

/* Execute operations in batches as long as possible. */
static void numbers_execute(struct blink_stream *s, unsigned int first,
			    unsigned int nr)
{
	const unsigned int last = first + nr;
	unsigned int end;

	for (; first < min(last, s->nr); first = end) {
		end = first;
		while (end < last && !erases_pairs(s, end))
			end++;
		if (end > first)
			blink_tree_batch(s->tree, blink_stream_op(s, first),
					 end - first, s->gfp);
		else
			erase_pairs(s, end++);
	}
}

/* The result of an operation with a pair is the pair. */
static void result_pair(const struct blink_stream *s, unsigned int i,
			struct blink_record *content,
			struct blink_result_numbers *numbers)
{
	const u128 pair = blink_stream_op(s, i)->key;
	const struct blink_tree_record *record = s->record[i];

	numbers->value = blink_pair_value(pair);
	content->value = blink_field_of(&numbers->value);
	content->old = blink_field_of(&numbers->value);
	if (record->opcode == BLINK_TREE_OP_LOOKUP && !content->result &&
	    blink_pair_key(pair) !=
		    (u64)blink_number_get(record + 1, record->key_length))
		content->result = -ENOENT;
}

static void numbers_result(const struct blink_stream *s, unsigned int i,
			   struct blink_record *content,
			   struct blink_result_numbers *numbers)
{
	const struct blink_tree_ioc_op *op = blink_stream_op(s, i);
	blink_number key = op->key;

	content->result = op->result;
	content->value = blink_field_of(&op->value);
	content->old = blink_field_of(&op->old);
	if (blink_number_is_pair(s->key)) {
		key = blink_pair_key(key);
		result_pair(s, i, content, numbers);
	}
	content->key.data = numbers->key;
	content->key.length = blink_key_size(s->key);
	blink_number_put(numbers->key, key, content->key.length);
}

static int numbers_load(struct blink_stream *s, unsigned int *done)
{
	struct blink_tree_entry *entries = (void *)s->ops;
	unsigned int i;

	/* Each entry replaces operations that were read before. */
	static_assert(sizeof(*entries) <= sizeof(struct blink_tree_ioc_op));
	for (i = 0; i < s->nr; i++) {
		const struct blink_tree_ioc_op op = *blink_stream_op(s, i);

		entries[i] = (struct blink_tree_entry){
			.key = op.key,
			.value = op.value,
		};
	}
	if (blink_tree_byte_values(s->tree))
		return blink_tree_value_load(s->tree, entries, s->nr,
					     s->arg->fill, s->gfp, done);
	return blink_tree_load(s->tree, entries, s->nr, s->arg->fill, s->gfp,
			       done);
}

static int numbers_commit(struct blink_stream *s, unsigned int *failed)
{
	unsigned int i;

	/* It could be any number of pairs. */
	for (i = 0; i < s->nr; i++) {
		if (erases_pairs(s, i))
			return -EINVAL;
	}
	return blink_tree_commit(s->tree, blink_stream_op(s, 0), s->nr, failed,
				 s->gfp);
}

const struct blink_stream_kind blink_stream_u64 = {
	.output = BLINK_CHUNK_OUTPUT,
	.make = numbers_make,
	.execute = numbers_execute,
	.result = numbers_result,
	.load = numbers_load,
	.commit = numbers_commit,
};
