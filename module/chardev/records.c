// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORDS: a stream of operations, in *chunks*. The input is copied into
 * a buffer, each byte once. A chunk is a number of records at the begin of the buffer:
 * they are parsed, executed, and their results are copied out. The bytes behind the
 * chunk, which can be a part of a record, stay in the buffer. A signal can end the
 * call between two chunks. However the call ends, @done and @input_used tell which
 * operations were executed.
 *
 * Parsing stops before a record that is malformed, or whose result might not fit. The
 * records before it are executed as a chunk, and then the parsing of the next chunk
 * stops at once, which ends the call.
 *
 * A commit is one chunk: the buffers have room for all of it.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "stream.h"
#include "tally.h"
#include "tree_file.h"

/* Fill the buffer from the caller's input. */
static int stream_read(struct blink_stream *s)
{
	u64 at = s->arg->input_used + s->size;
	size_t size = min_t(u64, s->arg->input_size - at, s->room - s->size);

	if (copy_from_user(s->input + s->size,
			   u64_to_user_ptr(s->arg->input + at), size))
		return -EFAULT;
	s->size += size;
	return 0;
}

/* Forget the records of the chunk. */
static void stream_advance(struct blink_stream *s)
{
	s->size -= s->used;
	memmove(s->input, s->input + s->used, s->size);
}

static bool stream_ends(const struct blink_stream *s)
{
	return s->arg->input_used + s->size == s->arg->input_size;
}

/* Why a record cannot be executed, or 0. */
static int stream_check(const struct blink_stream *s,
			const struct blink_tree_record *record)
{
	if (!blink_op_permitted(s->file, record->opcode, record->flags))
		return -EBADF;
	return blink_record_check(s->tree, record);
}

/*
 * Add a record to the chunk. Returns -EINVAL if a load cannot execute it. In other
 * calls an operation that cannot be executed has its result already.
 */
static int stream_add(struct blink_stream *s,
		      const struct blink_tree_record *record)
{
	int err = stream_check(s, record);
	struct blink_record content;

	if (s->arg->flags & BLINK_TREE_RECORDS_LOAD &&
	    (err || record->opcode != BLINK_TREE_OP_INSERT))
		return -EINVAL;
	s->failed[s->nr] = err;
	s->flags[s->nr] = 0;
	if (!err) {
		blink_record_get(record, &content);
		s->kind->make(s, s->nr, &content);
	}
	s->modifies |= blink_op_modifies(record->opcode, record->flags);
	s->record[s->nr++] = record;
	s->used += record->length;
	return 0;
}

/*
 * Parse a chunk. Returns 0 if the chunk is full, or the buffer has no other record;
 * -EMSGSIZE if the result of the next record might not fit; -EINVAL if the next
 * record cannot be executed.
 */
static int stream_parse(struct blink_stream *s)
{
	const bool load = s->arg->flags & BLINK_TREE_RECORDS_LOAD;
	const u16 flags = s->arg->flags & BLINK_TREE_RECORDS_COMMIT ?
				  BLINK_TREE_COMMIT_EMPTY |
					  BLINK_TREE_COMMIT_CLEAR :
				  0;
	const u64 room = s->arg->output_size - s->arg->output_used;
	const struct blink_tree_record *record;
	size_t reserved;
	int length, err;

	s->nr = 0;
	s->used = 0;
	s->reserved = 0;
	s->modifies = false;
	while (s->nr < BLINK_CHUNK && s->used < s->size) {
		record = (const void *)(s->input + s->used);
		length = blink_record_length(record, s->size - s->used, flags);
		if (!length)
			return stream_ends(s) ? -EINVAL : 0;
		if (length < 0)
			return length;
		reserved = s->reserved;
		if (!load)
			reserved += blink_result_size(s->tree, record->opcode);
		if (reserved > room)
			return -EMSGSIZE;
		if (reserved > s->output_room)
			return 0;
		err = stream_add(s, record);
		if (err)
			return err;
		s->reserved = reserved;
	}
	return 0;
}

/* Execute the operations of the chunk that can be executed. */
static void stream_execute(struct blink_stream *s)
{
	unsigned int i, end;

	for (i = 0; i < s->nr; i = end + 1) {
		end = i;
		while (end < s->nr && !s->failed[end])
			end++;
		if (end > i)
			s->kind->execute(s, i, end - i);
	}
}

/* Write the result of an operation, and count it. Returns its length. */
static size_t put_result(struct blink_stream *s, unsigned int i, u8 *to,
			 struct blink_tally *tally)
{
	const bool conceal = !(s->file->f_mode & FMODE_READ);
	struct blink_record content = {
		.opcode = s->record[i]->opcode,
		.flags = s->flags[i],
		.result = s->failed[i],
	};
	struct blink_result_numbers numbers;

	if (!s->failed[i]) {
		s->kind->result(s, i, &content, &numbers);
		content.has = blink_result_fields(s->key, content.opcode,
						  content.result);
	}
	if (conceal)
		content.has &= ~BLINK_RECORD_OLD;
	blink_tally_op(tally, content.opcode, content.result);
	return blink_record_put(to, &content);
}

/* Copy the results out, and count the operations as done. */
static int stream_write(struct blink_stream *s)
{
	struct blink_tree_ioc_records *arg = s->arg;
	struct blink_tally tally = {};
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		size += put_result(s, i, s->output + size, &tally);
	blink_tally_end(&tally, s->tree);
	arg->done += s->nr;
	arg->input_used += s->used;
	if (copy_to_user(u64_to_user_ptr(arg->output + arg->output_used),
			 s->output, size))
		return -EFAULT;
	arg->output_used += size;
	return 0;
}

static int stream_execute_chunk(struct blink_stream *s)
{
	int err = s->modifies ? blink_limbo_wait(s->file) : 0;

	if (err)
		return err;
	stream_execute(s);
	return stream_write(s);
}

/* Add the entries of the chunk. */
static int stream_load_chunk(struct blink_stream *s)
{
	unsigned int i, done;
	int err = s->kind->load(s, &done);

	s->arg->done += done;
	for (i = 0; i < done; i++)
		s->arg->input_used += s->record[i]->length;
	return err;
}

/* Why the chunk is not a commit, or 0. @err: why its parsing ended. */
static int commit_check(const struct blink_stream *s, int err)
{
	const bool all = s->used == s->arg->input_size;
	unsigned int i;

	if (s->nr > BLINK_TREE_COMMIT_MAX ||
	    (!all && s->nr == BLINK_TREE_COMMIT_MAX))
		return -E2BIG;
	if (!all)
		return err ?: -EMSGSIZE;
	for (i = 0; i < s->nr; i++) {
		if (s->failed[i])
			return s->failed[i];
	}
	return 0;
}

/* Execute all records of the input at one instant, or none. */
static int stream_commit(struct blink_stream *s)
{
	struct blink_tree_ioc_records *arg = s->arg;
	unsigned int failed;
	int err, ret;

	err = stream_read(s);
	if (err)
		return err;
	err = commit_check(s, stream_parse(s));
	if (!err && s->modifies)
		err = blink_limbo_wait(s->file);
	if (err)
		return err;
	err = s->kind->commit(s, &failed);
	if (err && err != -ESTALE)
		return err;
	ret = stream_write(s);
	if (err) {
		arg->done = failed;
		arg->input_used = 0;
	}
	return ret ?: err;
}

static int stream_run(struct blink_stream *s)
{
	const bool load = s->arg->flags & BLINK_TREE_RECORDS_LOAD;
	int err;

	do {
		err = stream_read(s);
		if (err)
			return err;
		err = stream_parse(s);
		if (!s->nr)
			return err;
		err = load ? stream_load_chunk(s) : stream_execute_chunk(s);
		/* The operations behind one that is not complete wait for its rest. */
		if (err || s->flags[s->nr - 1])
			return err;
		stream_advance(s);
		cond_resched();
	} while (!signal_pending(current));
	return 0;
}

static bool records_valid(const struct blink_tree_ioc_records *arg)
{
	if (arg->flags & BLINK_TREE_RECORDS_LOAD)
		return !(arg->flags & ~BLINK_TREE_RECORDS_LOAD) && arg->fill &&
		       arg->fill <= 100 && !arg->output && !arg->output_size;
	return !(arg->flags & ~BLINK_TREE_RECORDS_COMMIT) && !arg->fill;
}

static const struct blink_stream_kind *stream_kind(struct file *file)
{
	static const struct blink_stream_kind *const kinds[][2] = {
		[BLINK_TREE_KEY_U64] = { &blink_stream_u64,
					 &blink_stream_values_u64 },
		[BLINK_TREE_KEY_U128] = { &blink_stream_u128,
					  &blink_stream_values_u128 },
		[BLINK_TREE_KEY_MULTI] = { &blink_stream_u128 },
		[BLINK_TREE_KEY_BYTES] = { &blink_stream_bytes,
					   &blink_stream_values_bytes },
	};

	return kinds[blink_file_key(file)]
		    [blink_tree_byte_values(blink_file_tree(file))];
}

/* The buffer of the results is behind that of the input. */
static struct blink_stream *stream_create(struct blink_call *call)
{
	struct blink_tree_ioc_records *arg = &call->arg.records;
	const struct blink_stream_kind *kind = stream_kind(call->file);
	size_t records = 1, output_room = kind->output, room;
	struct blink_stream *s;

	if (arg->flags & BLINK_TREE_RECORDS_COMMIT) {
		records = BLINK_TREE_COMMIT_MAX;
		output_room = BLINK_TREE_COMMIT_MAX * BLINK_RESULT_MAX;
	}
	room = ALIGN(min_t(u64, arg->input_size, records * BLINK_RECORD_MAX),
		     8);
	output_room = min_t(u64, arg->output_size, output_room);

	s = kvmalloc(struct_size(s, input, room + output_room),
		     GFP_KERNEL_ACCOUNT);
	if (!s)
		return NULL;
	s->file = call->file;
	s->gfp = blink_file_gfp(call->file);
	s->tree = blink_file_tree(call->file);
	s->key = blink_file_key(call->file);
	s->kind = kind;
	s->arg = arg;
	s->size = 0;
	s->room = room;
	s->output_room = output_room;
	s->output = s->input + room;
	return s;
}

static int records_run(struct blink_call *call)
{
	struct blink_tree_ioc_records *arg = &call->arg.records;
	struct blink_stream *s = stream_create(call);
	int err;

	if (!s)
		return -ENOMEM;
	if (arg->flags & BLINK_TREE_RECORDS_COMMIT)
		err = stream_commit(s);
	else
		err = stream_run(s);
	kvfree(s);
	/* A full output and a signal are no errors after the first operation. */
	if (arg->done &&
	    (err == -EMSGSIZE || err == -ERESTARTSYS || err == -EAGAIN))
		return 0;
	return err;
}

long blink_records_call(struct blink_call *call)
{
	struct blink_tree_ioc_records *arg = &call->arg.records;
	int err;

	if (!records_valid(arg))
		return -EINVAL;
	if (arg->flags & BLINK_TREE_RECORDS_LOAD &&
	    !(call->file->f_mode & FMODE_WRITE))
		return -EBADF;
	if (fatal_signal_pending(current))
		return -EINTR;

	/* If the progress cannot be reported, no operation may be executed. */
	arg->input_used = 0;
	arg->output_used = 0;
	arg->done = 0;
	if (blink_reply(call))
		return -EFAULT;
	err = records_run(call);
	return blink_reply(call) ?: err;
}
