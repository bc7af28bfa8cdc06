// SPDX-License-Identifier: GPL-2.0
/* The streams of workloads (workloads.h). The table is in mixes.c. */
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "keys.h"
#include "workloads.h"

/* A run of LAB_CLUSTERED has 2^RUN_BITS keys. */
#define RUN_BITS 6

const char *const lab_order_names[LAB_ORDER_NR + 1] = {
	[LAB_RANDOM] = "random",
	[LAB_ASCENDING] = "ascending",
	[LAB_DESCENDING] = "descending",
	[LAB_CLUSTERED] = "clustered",
	[LAB_FILE] = "file",
};

const char *const lab_popularity_names[LAB_POPULARITY_NR] = {
	[LAB_UNIFORM] = "uniform",
	[LAB_ZIPFIAN] = "zipfian",
	[LAB_LATEST] = "latest",
};

const char *const lab_op_names[LAB_OP_NR] = {
	[LAB_OP_READ] = "read",	    [LAB_OP_MISS] = "miss",
	[LAB_OP_UPDATE] = "update", [LAB_OP_INSERT] = "insert",
	[LAB_OP_ERASE] = "erase",   [LAB_OP_SCAN] = "scan",
	[LAB_OP_FLOOR] = "floor",   [LAB_OP_RMW] = "read-modify-write",
	[LAB_OP_COUNT] = "count",   [LAB_OP_GET_OR_INSERT] = "get-or-insert",
	[LAB_OP_POP] = "pop",	    [LAB_OP_ERASE_RANGE] = "erase-range",
};

/* The key of a number, of 63 bits. */
u64 lab_key(const struct lab_keys *keys, u64 number)
{
	switch (keys->order) {
	case LAB_ASCENDING:
		return number;
	case LAB_DESCENDING:
		return LAB_KEY_MAX - number;
	case LAB_CLUSTERED:
		return lab_image_bits(number >> RUN_BITS, 63 - RUN_BITS)
			       << RUN_BITS |
		       (number & ((1 << RUN_BITS) - 1));
	case LAB_FILE:
		return keys->key[number];
	default:
		return lab_image(number);
	}
}

static bool erases(const struct lab_workload *load)
{
	return load->mix->share[LAB_OP_ERASE];
}

/* How many keys of the window are never erased: those of the least numbers. */
u64 lab_workload_stable(const struct lab_workload *load)
{
	return erases(load) ? load->window / 2 : load->window;
}

/* The operations of all threads, with those that warm up. */
u64 lab_workload_ops(const struct lab_workload *load)
{
	return (load->warm_up + load->ops) * (load->shared ? 1 : load->threads);
}

/*
 * Whether a workload can be done. Each thread needs keys to work on. A file needs a
 * key for each number that the threads can insert, and cannot serve reads of absent
 * keys.
 */
bool lab_workload_valid(const struct lab_workload *load)
{
	u64 most = load->window + lab_workload_ops(load);

	if (!load->threads || load->window < 2 * (u64)load->threads ||
	    most > LAB_ABSENT)
		return false;
	if (load->keys.order != LAB_FILE)
		return true;
	if (load->mix->share[LAB_OP_MISS] || load->mix->share[LAB_OP_FLOOR])
		return false;
	if (!lab_mix_shares(load->mix, LAB_OPS_ADD))
		most = load->window;
	return load->keys.nr >= most;
}

/* The kinds of operations that a thread executes. */
static u32 kinds_of(const struct lab_workload *load, u32 id)
{
	if (!load->writers)
		return LAB_OPS_ALL;
	return id < load->writers ? LAB_OPS_CHANGE :
				    LAB_OPS_ALL & ~LAB_OPS_CHANGE;
}

/*
 * Begin with the operations of a thread. @load stays. @zipf is prepared for the
 * numbers that are never erased, unless the mix is uniform.
 */
void lab_stream_init(struct lab_stream *stream, const struct lab_workload *load,
		     const struct lab_zipf *zipf, u32 id)
{
	*stream = (struct lab_stream){
		.load = load,
		.zipf = zipf,
		.id = id,
		.kinds = kinds_of(load, id),
		.stable = lab_workload_stable(load),
		.random = (u64)load->seed << 32 | id,
	};
	stream->shares = lab_mix_shares(load->mix, stream->kinds);
	stream->pool = (load->window - stream->stable) / load->threads;
	/* States that differ by little give choices that differ by little at first. */
	stream->random = lab_image(stream->random & LAB_KEY_MAX);
}

/* The i-th number of this thread in the window's upper half, or of the new ones. */
static u64 own_number(const struct lab_stream *stream, u64 i)
{
	const struct lab_workload *load = stream->load;
	u64 begin = stream->stable;

	if (i >= stream->pool) {
		begin = load->window;
		i -= stream->pool;
	}
	return begin + stream->id + i * load->threads;
}

/* The number of a key that is not there yet. */
static u64 new_number(struct lab_stream *stream)
{
	u64 i = stream->pool + stream->inserted++;

	if (stream->load->shared)
		return stream->load->window + stream->ticket++;
	return own_number(stream, i);
}

/* Of the latest keys, those that this thread inserted come first. */
static u64 latest_number(struct lab_stream *stream)
{
	u64 age = lab_zipf_next(stream->zipf, &stream->random);

	if (age < stream->inserted)
		return own_number(stream,
				  stream->pool + stream->inserted - 1 - age);
	return stream->stable - 1 - (age - stream->inserted);
}

static u64 present_number(struct lab_stream *stream)
{
	switch (stream->load->mix->popularity) {
	case LAB_ZIPFIAN:
		return lab_zipf_next(stream->zipf, &stream->random);
	case LAB_LATEST:
		return latest_number(stream);
	default:
		return lab_below(&stream->random, stream->stable);
	}
}

/* Of a kind that the thread executes. */
static u32 share_of(const struct lab_stream *stream, unsigned int kind)
{
	return stream->kinds & BIT(kind) ? stream->load->mix->share[kind] : 0;
}

/* A thread that has nothing to erase inserts instead. */
static unsigned int choose_kind(struct lab_stream *stream)
{
	u64 at = lab_below(&stream->random, stream->shares);
	unsigned int kind = 0;

	while (at >= share_of(stream, kind))
		at -= share_of(stream, kind++);
	if (kind == LAB_OP_ERASE &&
	    stream->erased == stream->pool + stream->inserted)
		return LAB_OP_INSERT;
	return kind;
}

static u32 choose_length(struct lab_stream *stream)
{
	const struct lab_mix *mix = stream->load->mix;

	return mix->scan_least +
	       lab_below(&stream->random, mix->scan_most - mix->scan_least + 1);
}

/* Keys are random, so that a part of all keys has as large a part of the window. */
static void choose_range(struct lab_stream *stream, struct lab_op *op)
{
	const struct lab_workload *load = stream->load;
	u64 ranges = (load->warm_up + load->ops) * load->threads, width;

	if (op->kind == LAB_OP_COUNT) {
		op->nr = min_t(u64, load->window / 2, LAB_RANGE_KEYS);
		width = LAB_KEY_MAX / load->window * op->nr;
		op->key = lab_below(&stream->random, LAB_KEY_MAX - width);
	} else {
		op->nr = load->window / ranges;
		width = LAB_KEY_MAX / ranges;
		op->key = width * (ranges / load->threads * stream->id +
				   stream->ranges++);
	}
	op->last = op->key + width - 1;
}

/* The next operation of a thread, which executes it; and it succeeds. */
void lab_stream_next(struct lab_stream *stream, struct lab_op *op)
{
	op->kind = choose_kind(stream);
	op->nr = op->kind == LAB_OP_SCAN ? choose_length(stream) : 0;
	switch (op->kind) {
	case LAB_OP_MISS:
	case LAB_OP_FLOOR:
		op->number =
			LAB_ABSENT + lab_below(&stream->random, LAB_ABSENT);
		break;
	case LAB_OP_INSERT:
		op->number = new_number(stream);
		break;
	case LAB_OP_ERASE:
		op->number = own_number(stream, stream->erased++);
		break;
	case LAB_OP_GET_OR_INSERT:
		op->nr = lab_below(&stream->random, 2);
		op->number = op->nr ? new_number(stream) :
				      present_number(stream);
		break;
	case LAB_OP_COUNT:
	case LAB_OP_ERASE_RANGE:
		choose_range(stream, op);
		return;
	default:
		op->number = present_number(stream);
		break;
	}
	op->key = lab_key(&stream->load->keys, op->number);
}
