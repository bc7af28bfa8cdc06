// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of records. The *input* has all @added operations. The kernel has executed the
 * @done ones before @used, or refused them as a commit. The *output* has their results, of
 * which the caller has read those before @next.
 */
#include <limits.h>

#include "record.h"

#define ROOM_MIN 4096

struct bytes {
	unsigned char *data;
	size_t length;
	size_t room;
};

struct blinktree_stream {
	struct bytes input;
	size_t added;
	size_t used;
	size_t done;
	struct bytes output;
	size_t next;
	struct blinktree_record result;
};

/* Make room for more bytes. */
static int reserve(struct bytes *bytes, size_t more)
{
	size_t room = bytes->room ?: ROOM_MIN;
	unsigned char *data;

	if (more <= bytes->room - bytes->length)
		return 0;
	while (more > room - bytes->length)
		room *= 2;
	data = realloc(bytes->data, room);
	if (!data)
		return -ENOMEM;
	bytes->data = data;
	bytes->room = room;
	return 0;
}

int blinktree_stream_open(struct blinktree_stream **stream)
{
	struct blinktree_stream *new = calloc(1, sizeof(*new));

	if (!new)
		return -ENOMEM;
	*stream = new;
	return 0;
}

int blinktree_stream_add(struct blinktree_stream *stream,
			 const struct blinktree_record *record)
{
	size_t size = blinktree_record_size(record);
	int err;

	if (!size)
		return -EINVAL;
	err = reserve(&stream->input, size);
	if (err)
		return err;
	blinktree_record_write(stream->input.data + stream->input.length,
			       record);
	stream->input.length += size;
	stream->added++;
	return 0;
}

/* The last one of the records that begin at a place. */
static struct blink_tree_record *last_record(unsigned char *at,
					     const unsigned char *end)
{
	struct blink_tree_record *record;

	do {
		record = (struct blink_tree_record *)at;
		at += record->length;
	} while (at < end);
	return record;
}

/*
 * A call ends with an ERASE that is not complete. Its result, the last one of those behind
 * @output, becomes that of the whole, before an operation behind it is executed. The
 * operations of the call are those behind @used.
 */
static int complete(struct blinktree_stream *stream, struct blinktree *tree,
		    size_t used, size_t output)
{
	const struct blink_tree_record *record;
	struct blink_tree_record *result;
	__u64 sum;
	int err;

	if (stream->output.length == output)
		return 0;
	result = last_record(stream->output.data + output,
			     stream->output.data + stream->output.length);
	if (result->opcode != BLINK_TREE_OP_ERASE ||
	    !(result->flags & BLINK_TREE_RECORD_MORE))
		return 0;
	record = last_record(stream->input.data + used,
			     stream->input.data + stream->used);
	err = blinktree_erase_rest(tree, record + 1, record->key_length, &sum);
	sum += result->result;
	result->result = sum < INT_MAX ? sum : INT_MAX;
	if (!err)
		result->flags &= ~BLINK_TREE_RECORD_MORE;
	return err;
}

/* Execute operations until the kernel ends the call. */
static int step(struct blinktree_stream *stream, struct blinktree *tree,
		unsigned int flags, unsigned int fill)
{
	size_t room =
		flags & BLINK_TREE_RECORDS_COMMIT ? BLINK_TREE_COMMIT_MAX : 1;
	size_t used = stream->used, output = stream->output.length;
	size_t left = stream->input.length - used;
	struct blink_tree_ioc_records arg = {
		.flags = flags,
		.fill = fill,
		.input = (uintptr_t)(stream->input.data + stream->used),
		.input_size = left,
	};
	int err;

	if (!(flags & BLINK_TREE_RECORDS_LOAD)) {
		/* An operation begins only if there is room for the longest result. */
		err = reserve(&stream->output, left + room * RECORD_MAX);
		if (err)
			return err;
		arg.output = (uintptr_t)(stream->output.data +
					 stream->output.length);
		arg.output_size = stream->output.room - stream->output.length;
	}
	err = blinktree_call(tree->fd, BLINK_TREE_IOC_RECORDS, &arg);
	stream->used += arg.input_used;
	stream->done += arg.done;
	stream->output.length += arg.output_used;
	return err ?: complete(stream, tree, used, output);
}

static int run(struct blinktree_stream *stream, struct blinktree *tree,
	       unsigned int flags, unsigned int fill, size_t *done)
{
	int err = 0;

	while (!err && stream->used < stream->input.length)
		err = step(stream, tree, flags, fill);
	if (done)
		*done = stream->done;
	return err;
}

int blinktree_stream_run(struct blinktree_stream *stream,
			 struct blinktree *tree, size_t *done)
{
	return run(stream, tree, 0, 0, done);
}

int blinktree_stream_load(struct blinktree_stream *stream,
			  struct blinktree *tree, unsigned int fill,
			  size_t *done)
{
	return run(stream, tree, BLINK_TREE_RECORDS_LOAD, fill, done);
}

int blinktree_stream_commit(struct blinktree_stream *stream,
			    struct blinktree *tree, size_t *failed)
{
	size_t before = stream->done;
	int err = step(stream, tree, BLINK_TREE_RECORDS_COMMIT, 0);

	/* A commit that failed is not repeated, but has results. */
	if (err == -ESTALE) {
		if (failed)
			*failed = stream->done - before;
		stream->used = stream->input.length;
	}
	/* The kernel can have written the number of the operation that failed to @done. */
	stream->done = stream->used < stream->input.length ? before :
							     stream->added;
	return err;
}

int blinktree_stream_next(struct blinktree_stream *stream,
			  const struct blinktree_record **result)
{
	if (stream->next == stream->output.length)
		return 0;
	stream->next += blinktree_record_read(
		stream->output.data + stream->next, &stream->result);
	*result = &stream->result;
	return 1;
}

void blinktree_stream_clear(struct blinktree_stream *stream)
{
	stream->input.length = 0;
	stream->added = 0;
	stream->used = 0;
	stream->done = 0;
	stream->output.length = 0;
	stream->next = 0;
}

void blinktree_stream_close(struct blinktree_stream *stream)
{
	if (!stream)
		return;
	free(stream->input.data);
	free(stream->output.data);
	free(stream);
}
