// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of records whose values are bytes (stream.h), by the operations of the kind of
 * keys that it is compiled for (kind.h). The core works with handles of values
 * (blink_tree_value.h). So each operation that adds a value makes it first, and a value
 * that an operation finds is copied to the place that the longest results before it leave,
 * within an RCU read section, or before it is dropped.
 *
 * Operations that only read are executed in batches, others one by one.
 */
#include <linux/blink_tree_value.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kind.h"
#include "tally.h"

static_assert(BLINK_VALUE_MAX == BLINK_TREE_RECORD_VALUE_MAX);

/* The operations that have a new value. */
#define WRITES                                                     \
	(BIT(BLINK_TREE_OP_INSERT) | BIT(BLINK_TREE_OP_STORE) |    \
	 BIT(BLINK_TREE_OP_REPLACE) | BIT(BLINK_TREE_OP_CMPXCHG) | \
	 BIT(BLINK_TREE_OP_GET_OR_INSERT))
/* Those that have an expected value. */
#define COMPARES                                                    \
	(BIT(BLINK_TREE_OP_CMPXCHG) | BIT(BLINK_TREE_OP_CMPERASE) | \
	 BIT(BLINK_TREE_OP_EXPECT))
/* Those whose result can be a value that stays in the tree. */
#define SHOWS (BIT(BLINK_TREE_OP_LOOKUP) | BIT(BLINK_TREE_OP_GET_OR_INSERT))

static bool op_is(const struct blink_stream *s, unsigned int i,
		  unsigned long opcodes)
{
	return BIT(s->record[i]->opcode) & opcodes;
}

/* A result ends with its value. */
static void values_make(struct blink_stream *s, unsigned int i,
			const struct blink_record *content)
{
	const struct blink_record key = {
		.opcode = content->opcode,
		.flags = content->flags,
		.has = BLINK_RECORD_KEY,
		.key = content->key,
	};

	blink_stream_u64.make(s, i, &key);
	s->found[i].length = 0;
	s->found[i].data = s->output + s->reserved - BLINK_VALUE_MAX +
			   blink_result_size(s->tree, content->opcode);
}

/* Copy a value that is present, or that belongs to the caller. */
static void value_keep(struct blink_stream *s, unsigned int i, u64 handle)
{
	const struct blink_value *value = blink_value(handle);

	s->found[i].length = value->length;
	memcpy(s->found[i].data, value->data, value->length);
}

/* Copy a value that was removed, and drop it. */
static void value_take(struct blink_stream *s, unsigned int i, u64 handle)
{
	value_keep(s, i, handle);
	blink_value_put(s->tree, handle);
}

static void execute_reads(struct blink_stream *s, unsigned int first,
			  unsigned int nr)
{
	struct blink_tree_ioc_op *op = blink_stream_op(s, first);
	unsigned int i;

	rcu_read_lock();
	blink_tree_value_batch(s->tree, op, nr);
	for (i = first; i < first + nr; i++, op++)
		if (!op->result)
			value_keep(s, i, op->value);
	rcu_read_unlock();
}

static void execute_op(struct blink_stream *s, unsigned int i, gfp_t gfp)
{
	blink_tree_value_op(s->tree, blink_stream_op(s, i), gfp);
}

/* INSERT or GET_OR_INSERT found the key, and left it as it is. */
static bool key_present(s32 result)
{
	return result == -EEXIST || result == 1;
}

/* An attempt that does not sleep failed, because memory is short. */
static bool memory_refused(s32 result)
{
	return result == -ENOMEM || result == -ENOSPC || result == -EDQUOT ||
	       result == -EAGAIN;
}

/* Add a key, or copy the value that it has, in one RCU read section. */
static s32 insert_nowait(struct blink_stream *s, unsigned int i)
{
	const struct blink_tree_ioc_op *op = blink_stream_op(s, i);

	rcu_read_lock();
	execute_op(s, i, (s->gfp & ~__GFP_DIRECT_RECLAIM) | __GFP_NOWARN);
	if (key_present(op->result))
		value_keep(s, i, op->old);
	rcu_read_unlock();
	return op->result;
}

/*
 * Where memory is short, a second attempt can sleep, so it is outside of the section. If
 * it finds the key, which another caller added in between, all begins again.
 */
static void execute_insert(struct blink_stream *s, unsigned int i)
{
	s32 *result = &blink_stream_op(s, i)->result;

	while (memory_refused(insert_nowait(s, i))) {
		execute_op(s, i, s->gfp);
		if (!key_present(*result))
			return;
		if (fatal_signal_pending(current)) {
			*result = -EINTR;
			return;
		}
		cond_resched();
	}
}

/* Operations that replace or remove a value whatever it is. */
static void execute_replace(struct blink_stream *s, unsigned int i)
{
	const bool store = op_is(s, i, BIT(BLINK_TREE_OP_STORE));
	const struct blink_tree_ioc_op *op = blink_stream_op(s, i);

	execute_op(s, i, s->gfp);
	if (op->result == store)
		value_take(s, i, op->old);
}

static void execute_compare(struct blink_stream *s, unsigned int i,
			    const struct blink_field *expected)
{
	struct blink_tree_ioc_op *op = blink_stream_op(s, i);

	rcu_read_lock();
	if (op_is(s, i, BIT(BLINK_TREE_OP_CMPERASE)))
		op->result = blink_tree_value_cmperase(s->tree, op->key,
						       expected->data,
						       expected->length,
						       &op->old);
	else
		op->result = blink_tree_value_cmpxchg(s->tree, op->key,
						      expected->data,
						      expected->length,
						      op->value, &op->old);
	if (!op->result)
		value_take(s, i, op->old);
	else if (op->result == -ESTALE)
		value_keep(s, i, op->old);
	rcu_read_unlock();
}

/* Whether an operation has put its new value into the tree. */
static bool value_added(const struct blink_stream *s, unsigned int i,
			s32 result)
{
	return !result ||
	       (result == 1 && op_is(s, i, BIT(BLINK_TREE_OP_STORE)));
}

static void execute_made(struct blink_stream *s, unsigned int i,
			 const struct blink_record *content)
{
	switch (content->opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_GET_OR_INSERT:
		execute_insert(s, i);
		return;
	case BLINK_TREE_OP_CMPXCHG:
	case BLINK_TREE_OP_CMPERASE:
		execute_compare(s, i, &content->old);
		return;
	default:
		execute_replace(s, i);
	}
}

static void execute_update(struct blink_stream *s, unsigned int i)
{
	const bool writes = op_is(s, i, WRITES);
	struct blink_tree_ioc_op *op = blink_stream_op(s, i);
	struct blink_record content;
	u64 made;

	blink_record_get(s->record[i], &content);
	if (writes) {
		op->result = blink_value_make(s->tree, content.value.data,
					      content.value.length, s->gfp,
					      &made);
		if (op->result)
			return;
		op->value = made;
	}
	execute_made(s, i, &content);
	if (writes && !value_added(s, i, op->result))
		blink_value_free(s->tree, made);
}

static void values_execute(struct blink_stream *s, unsigned int first,
			   unsigned int nr)
{
	const unsigned int last = first + nr;
	unsigned int end;

	for (; first < last; first = end) {
		end = first;
		while (end < last && op_is(s, end, BLINK_READING_OPS))
			end++;
		if (end > first)
			execute_reads(s, first, end - first);
		else
			execute_update(s, end++);
	}
}

static void values_result(const struct blink_stream *s, unsigned int i,
			  struct blink_record *content,
			  struct blink_result_numbers *numbers)
{
	blink_stream_u64.result(s, i, content, numbers);
	content->value =
		(struct blink_field){ s->found[i].data, s->found[i].length };
	content->old = content->value;
}

/* Make the values of a chunk. Returns how many; if not all, *@err tells why. */
static unsigned int make_chunk(struct blink_stream *s, int *err)
{
	struct blink_record content;
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		blink_record_get(s->record[i], &content);
		*err = blink_value_make(s->tree, content.value.data,
					content.value.length, s->gfp,
					&s->handle[i]);
		if (*err)
			break;
		blink_stream_op(s, i)->value = s->handle[i];
	}
	return i;
}

static int values_load(struct blink_stream *s, unsigned int *done)
{
	const unsigned int nr = s->nr;
	int err = 0, ret;
	unsigned int i;

	s->nr = make_chunk(s, &err);
	ret = blink_stream_u64.load(s, done);
	for (i = *done; i < s->nr; i++)
		blink_value_free(s->tree, s->handle[i]);
	s->nr = nr;
	return ret ?: err;
}

/* Make the value that an operation expects, to compare with it. No tree is charged. */
static int expected_make(struct blink_stream *s, unsigned int i,
			 const struct blink_field *bytes)
{
	struct blink_value *value;

	value = kmalloc(struct_size(value, data, bytes->length),
			GFP_KERNEL_ACCOUNT);
	if (!value)
		return -ENOMEM;
	value->length = bytes->length;
	memcpy(value->data, bytes->data, bytes->length);
	s->handle[i] = (uintptr_t)value;
	return 0;
}

/* Make the new values of a commit, and those that it expects. */
static int commit_make(struct blink_stream *s)
{
	struct blink_record content;
	unsigned int i;
	int err = 0;

	for (i = 0; i < s->nr && !err; i++) {
		blink_record_get(s->record[i], &content);
		if (op_is(s, i, WRITES))
			err = blink_value_make(s->tree, content.value.data,
					       content.value.length, s->gfp,
					       &blink_stream_op(s, i)->value);
		if (!err && op_is(s, i, COMPARES))
			err = expected_make(s, i, &content.old);
	}
	return err;
}

/* Set the expected values, in whose place an attempt can leave other ones. */
static void commit_expect(struct blink_stream *s)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		blink_stream_op(s, i)->old = s->handle[i];
}

/* Free the values that are not in the tree. @added: the commit has taken effect. */
static void commit_free(struct blink_stream *s, bool added)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		const struct blink_tree_ioc_op *op = blink_stream_op(s, i);

		kfree((void *)(uintptr_t)s->handle[i]);
		if (op_is(s, i, WRITES) && op->value &&
		    !(added && value_added(s, i, op->result)))
			blink_value_free(s->tree, op->value);
	}
}

/* Copy the values that a commit has found, which has taken effect if @ret is 0. */
static void commit_keep(struct blink_stream *s, int ret)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		const struct blink_tree_ioc_op *op = blink_stream_op(s, i);
		const u16 opcode = s->record[i]->opcode;
		const s32 result = op->result;

		if (!(blink_result_fields(s->key, opcode, result) &
		      (BLINK_RECORD_VALUE | BLINK_RECORD_OLD)))
			continue;
		if (opcode == BLINK_TREE_OP_LOOKUP)
			value_keep(s, i, op->value);
		else if (ret || op_is(s, i, SHOWS))
			value_keep(s, i, op->old);
		else
			value_take(s, i, op->old);
	}
}

static int commit_nowait(struct blink_stream *s, unsigned int *failed)
{
	int ret;

	rcu_read_lock();
	ret = blink_tree_value_commit(
		s->tree, blink_stream_op(s, 0), s->nr, failed,
		(s->gfp & ~__GFP_DIRECT_RECLAIM) | __GFP_NOWARN);
	if (!ret || ret == -ESTALE)
		commit_keep(s, ret);
	rcu_read_unlock();
	return ret;
}

static bool any_shows(const struct blink_stream *s)
{
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		if (op_is(s, i, SHOWS))
			return true;
	}
	return false;
}

/*
 * As execute_insert(): a second attempt can sleep, so it must not find values that stay in
 * the tree. If its condition fails, all begins again, to copy the value that is there. One
 * that looks up values fails where memory is short.
 */
static int commit_execute(struct blink_stream *s, unsigned int *failed)
{
	int ret;

	for (;;) {
		commit_expect(s);
		ret = commit_nowait(s, failed);
		if (!memory_refused(ret) || any_shows(s))
			return ret;
		ret = blink_tree_value_commit(s->tree, blink_stream_op(s, 0),
					      s->nr, failed, s->gfp);
		if (!ret)
			commit_keep(s, ret);
		if (ret != -ESTALE)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
}

static int values_commit(struct blink_stream *s, unsigned int *failed)
{
	int ret;

	memset(s->handle, 0, sizeof(s->handle));
	ret = commit_make(s) ?: commit_execute(s, failed);
	commit_free(s, !ret);
	return ret;
}

const struct blink_stream_kind blink_stream_values_u64 = {
	.output = BLINK_CHUNK_OUTPUT_VALUES,
	.make = values_make,
	.execute = values_execute,
	.result = values_result,
	.load = values_load,
	.commit = values_commit,
};
