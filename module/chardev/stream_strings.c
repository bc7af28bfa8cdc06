// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of records whose keys are strings (stream.h). The core takes keys from the
 * input buffer, and copies the keys that it finds to the places that the longest results
 * before them leave.
 */
#include <linux/blink_tree_value.h>
#include <linux/slab.h>

#include "../core/core.h"
#include "stream.h"

static struct blink_tree_bytes_op *strings_op(const struct blink_stream *s,
					      unsigned int i)
{
	return (struct blink_tree_bytes_op *)s->ops + i;
}

static void strings_make(struct blink_stream *s, unsigned int i,
			 const struct blink_record *content)
{
	*strings_op(s, i) = (struct blink_tree_bytes_op){
		.opcode = content->opcode,
		.flags = content->flags,
		.key = blink_bytes_key(content->key.data, content->key.length),
		.value = blink_field_number(&content->value),
		.old = blink_field_number(&content->old),
		.found = s->output + s->reserved + BLINK_RECORD_HEADER,
	};
}

static void strings_execute(struct blink_stream *s, unsigned int first,
			    unsigned int nr)
{
	blink_tree_bytes_batch(s->tree, strings_op(s, first), nr, s->gfp);
}

static void strings_result(const struct blink_stream *s, unsigned int i,
			   struct blink_record *content,
			   struct blink_result_numbers *numbers)
{
	const struct blink_tree_bytes_op *op = strings_op(s, i);

	content->result = op->result;
	content->key.data = op->found;
	content->key.length = op->found_length;
	content->value = blink_field_of(&op->value);
	content->old = blink_field_of(&op->old);
}

static int strings_load(struct blink_stream *s, unsigned int *done)
{
	struct blink_tree_bytes_entry *entries = (void *)s->ops;
	unsigned int i;

	/* Each entry replaces operations that were read before. */
	static_assert(sizeof(*entries) <= sizeof(struct blink_tree_bytes_op));
	for (i = 0; i < s->nr; i++) {
		const struct blink_tree_bytes_op op = *strings_op(s, i);

		entries[i] = (struct blink_tree_bytes_entry){
			.key = (u8 *)op.key.data,
			.length = op.key.length,
			.value = op.value,
		};
	}
	if (blink_tree_byte_values(s->tree))
		return blink_tree_bytes_value_load(s->tree, entries, s->nr,
						   s->arg->fill, s->gfp, done);
	return blink_tree_bytes_load(s->tree, entries, s->nr, s->arg->fill,
				     s->gfp, done);
}

static int strings_commit(struct blink_stream *s, unsigned int *failed)
{
	return blink_tree_bytes_commit(s->tree, strings_op(s, 0), s->nr, failed,
				       s->gfp);
}

const struct blink_stream_kind blink_stream_bytes = {
	.output = BLINK_CHUNK_OUTPUT,
	.make = strings_make,
	.execute = strings_execute,
	.result = strings_result,
	.load = strings_load,
	.commit = strings_commit,
};
