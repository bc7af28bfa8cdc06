/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trees with keys of each kind, as variants, and streams of records for them.
 *
 * Include it after blink_test.h.
 */
#ifndef BLINK_TEST_RECORDS_H
#define BLINK_TEST_RECORDS_H

#include "../common/record.h"

#include "modes.h"

#define ADD_KIND(fixture, kind, ...)       \
	FIXTURE_VARIANT_ADD(fixture, kind) \
	MEMBERS(.how = { __VA_ARGS__ })

/**
 * struct stream - a tree, and operations for it
 * @tree: the tree
 * @kind: its kind
 * @size: bytes at @input
 * @input: the operations
 * @output: the results of the last call
 * @arg: the structure of the last call
 * @device: the device
 * @input_end: the end of the memory for operations
 * @output_end: the end of the memory for results
 */
struct stream {
	int tree;
	enum blink_tree_key kind;
	size_t size;
	char *input;
	char *output;
	struct blink_tree_ioc_records arg;
	int device;
	char *input_end;
	char *output_end;
};

#define STREAM_PAGES 64

/* A tree with a name. Returns 0 or an error. */
static inline int stream_open(struct stream *s, const char *name,
			      const struct blink_tree_ioc_create *how)
{
	struct blink_tree_ioc_create arg = *how;

	memset(s, 0, sizeof(*s));
	s->device = device_open();
	if (s->device < 0)
		return s->device;
	tree_unlink(s->device, name);
	arg.mode = 0600;
	snprintf(arg.name, sizeof(arg.name), "%s", name);
	s->kind = arg.key;
	s->tree = call(s->device, BLINK_TREE_IOC_CREATE, &arg);
	if (s->tree < 0)
		return s->tree;
	s->input_end = guard_alloc(STREAM_PAGES);
	s->output_end = guard_alloc(2 * STREAM_PAGES);
	if (!s->input_end || !s->output_end)
		return -ENOMEM;
	s->input = s->input_end - STREAM_PAGES * page_size();
	s->output = s->output_end - 2 * STREAM_PAGES * page_size();
	return 0;
}

static inline void stream_close(struct stream *s, const char *name)
{
	tree_unlink(s->device, name);
	close(s->tree);
	close(s->device);
}

/* Keys ascend with their number, and differ in the bytes that a kind has. */
static inline struct key key_number(enum blink_tree_key kind, __u64 number)
{
	if (kind == BLINK_TREE_KEY_U128)
		return (struct key){ number / 3, number << 40 | 1 };
	return (struct key){ .low = number << 20 | 1 };
}

static inline void stream_reset(struct stream *s)
{
	s->size = 0;
}

static inline void stream_add(struct stream *s, const struct rec *rec)
{
	s->size += rec_put(s->input + s->size, s->kind, rec);
}

/* @nr operations with the keys from number @first on. */
static inline void stream_fill(struct stream *s, unsigned int opcode,
			       __u64 first, unsigned int nr)
{
	bool has_value = opcode == BLINK_TREE_OP_INSERT ||
			 opcode == BLINK_TREE_OP_STORE;
	unsigned int i;

	stream_reset(s);
	for (i = 0; i < nr; i++) {
		struct rec rec = {
			.opcode = opcode,
			.has_value = has_value,
			.key = key_number(s->kind, first + i),
			.value = value_of(first + i),
		};

		stream_add(s, &rec);
	}
}

/* Execute a part of the stream, with so much room for the results. */
static inline int stream_call(struct stream *s, size_t from, size_t size,
			      size_t room)
{
	s->arg = (struct blink_tree_ioc_records){
		.input = ptr_to_u64(s->input + from),
		.output = ptr_to_u64(s->output),
		.input_size = size,
		.output_size = room,
		.input_used = JUNK,
		.output_used = JUNK,
		.done = JUNK,
	};
	return call(s->tree, BLINK_TREE_IOC_RECORDS, &s->arg);
}

/* Execute all of it, however often a signal cuts it short. */
static inline int stream_run(struct stream *s)
{
	size_t from = 0;
	char *output = s->output;
	int ret = 0;

	while (!ret && from < s->size) {
		ret = stream_call(s, from, s->size - from, s->size * 2);
		from += s->arg.input_used;
		s->output += s->arg.output_used;
	}
	s->output = output;
	return ret;
}

/* Remove the entries of a range. Returns how many there were, or a negative errno. */
static inline long range_erase(const struct stream *s,
			       const struct blink_tree_ioc_record_scan *range)
{
	struct blink_tree_ioc_record_erase arg = {
		.flags = range->flags,
		.first = range->first,
		.last = range->last,
		.first_length = range->first_length,
		.last_length = range->last_length,
		.count = JUNK,
	};
	long sum = 0;
	int ret;

	do {
		ret = call(s->tree, BLINK_TREE_IOC_RECORD_ERASE, &arg);
		sum += arg.count;
	} while (!ret && !(arg.flags & BLINK_TREE_RECORD_ERASE_DONE));
	return ret ? ret : sum;
}

#endif /* BLINK_TEST_RECORDS_H */
