// SPDX-License-Identifier: GPL-2.0
/* Trees of strings on the device: an operation on a key becomes one on its string. */
#include <errno.h>
#include <string.h>

#include "../../../kunit/keys_text.h"
#include "blinktree_bytes.h"
#include "device_bytes.h"
#include "history.h"

/* Operations with a value, with an expected one, and those that find a key. */
static const unsigned int with_value =
	1u << BLINK_TREE_OP_INSERT | 1u << BLINK_TREE_OP_STORE |
	1u << BLINK_TREE_OP_REPLACE | 1u << BLINK_TREE_OP_CMPXCHG |
	1u << BLINK_TREE_OP_GET_OR_INSERT | 1u << BLINK_TREE_OP_ADD;
static const unsigned int with_old = 1u << BLINK_TREE_OP_CMPXCHG |
				     1u << BLINK_TREE_OP_CMPERASE |
				     1u << BLINK_TREE_OP_EXPECT;
static const unsigned int finds =
	1u << BLINK_TREE_OP_FLOOR | 1u << BLINK_TREE_OP_CEILING |
	1u << BLINK_TREE_OP_POP_MIN | 1u << BLINK_TREE_OP_POP_MAX;

/* An empty stream: that of the process. */
static struct blinktree_stream *empty_stream(void)
{
	static struct blinktree_stream *stream;
	int ret = stream ? 0 : blinktree_stream_open(&stream);

	if (ret)
		history_die("no stream", -ret);
	blinktree_stream_clear(stream);
	return stream;
}

static void add(struct blinktree_stream *stream,
		const struct blink_tree_ioc_op *op)
{
	const unsigned int bit = 1u << op->opcode;
	__u8 text[KEYS_TEXT_MAX];
	const struct blinktree_record record = {
		.opcode = op->opcode,
		.flags = op->flags,
		.key = text,
		.key_length = keys_text_put(text, op->key),
		.value = &op->value,
		.value_length = bit & with_value ? sizeof(op->value) : 0,
		.old = &op->old,
		.old_length = bit & with_old ? sizeof(op->old) : 0,
	};
	int ret = blinktree_stream_add(stream, &record);

	if (ret)
		history_die("an operation is refused", -ret);
}

static void answer(struct blink_tree_ioc_op *op,
		   const struct blinktree_record *result)
{
	op->result = result->result;
	if (!op->result && 1u << op->opcode & finds)
		op->key = keys_text_get(result->key, result->key_length);
	if (result->value_length)
		memcpy(&op->value, result->value, sizeof(op->value));
	if (result->old_length)
		memcpy(&op->old, result->old, sizeof(op->old));
}

static struct blinktree_stream *stream_of(const struct blink_tree_ioc_op *ops,
					  unsigned int nr)
{
	struct blinktree_stream *stream = empty_stream();
	unsigned int i;

	for (i = 0; i < nr; i++)
		add(stream, &ops[i]);
	return stream;
}

static void answers(struct blinktree_stream *stream,
		    struct blink_tree_ioc_op *ops, unsigned int nr)
{
	const struct blinktree_record *result;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (!blinktree_stream_next(stream, &result))
			history_die("a result is missing", ENODATA);
		answer(&ops[i], result);
	}
}

void bytes_batch(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr)
{
	struct blinktree_stream *stream = stream_of(ops, nr);
	int ret = blinktree_stream_run(stream, tree, NULL);

	if (ret)
		history_die("a stream fails", -ret);
	answers(stream, ops, nr);
}

int bytes_commit(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr)
{
	struct blinktree_stream *stream = stream_of(ops, nr);
	int ret = blinktree_stream_commit(stream, tree, NULL);

	if (!ret || ret == -ESTALE)
		answers(stream, ops, nr);
	return ret;
}

int bytes_load(struct blinktree *tree, const struct blink_tree_entry *entries,
	       unsigned int nr, size_t *done)
{
	struct blinktree_stream *stream = empty_stream();
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct blink_tree_ioc_op op = {
			.opcode = BLINK_TREE_OP_INSERT,
			.key = entries[i].key,
			.value = entries[i].value,
		};

		add(stream, &op);
	}
	return blinktree_stream_load(stream, tree, 100, done);
}

/**
 * struct bounds - a range, with the strings of its bounds
 * @range: as the library takes it
 * @first: the first key
 * @last: the last key
 */
struct bounds {
	struct blinktree_range range;
	__u8 first[KEYS_TEXT_MAX];
	__u8 last[KEYS_TEXT_MAX];
};

static void bounds_init(struct bounds *bounds, const struct range *range)
{
	bounds->range = (struct blinktree_range){
		.flags = range->desc ? BLINK_TREE_RECORD_SCAN_DESC : 0,
		.first = bounds->first,
		.first_length = keys_text_put(bounds->first, range->first),
		.last = bounds->last,
		.last_length = keys_text_put(bounds->last, range->last),
	};
	/* No bytes would be no bound: the empty key is the one before that of a NUL. */
	if (!range->last) {
		bounds->range.flags |= BLINK_TREE_RECORD_SCAN_LAST_OPEN;
		bounds->last[0] = 0;
		bounds->range.last_length = 1;
	}
}

/* Scan all of it, with a buffer for so many entries at least. */
int bytes_scan(struct blinktree *tree, const struct range *range,
	       struct blink_tree_entry *entries, unsigned int room)
{
	const struct blinktree_record *found;
	struct blinktree_bytes_scan *scan;
	struct bounds bounds;
	unsigned int n;
	int ret;

	bounds_init(&bounds, range);
	ret = blinktree_bytes_scan_open(tree, &bounds.range, 64 * room, &scan);
	for (n = 0; !ret; n++) {
		ret = blinktree_bytes_scan_next(scan, &found);
		if (ret <= 0)
			break;
		entries[n].key = keys_text_get(found->key, found->key_length);
		memcpy(&entries[n].value, found->value, sizeof(__u64));
		ret = 0;
	}
	blinktree_bytes_scan_close(scan);
	return ret ? ret : (int)n;
}
