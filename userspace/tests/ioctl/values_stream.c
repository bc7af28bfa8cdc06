// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of records whose values are bytes: lengths that lie, missing bytes, room for
 * results, calls that end early, loads, and memory that cannot be read or written.
 */
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "values.h"

#define NAME "selftest.values_stream"
#define KEYS 120
#define HEADER sizeof(struct blink_tree_record)

FIXTURE(values_stream)
{
	struct stream s;
};

FIXTURE_VARIANT(values_stream)
{
	struct blink_tree_ioc_create how;
};

ADD_VALUES(values_stream);

FIXTURE_SETUP(values_stream)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(values_stream)
{
	stream_close(&self->s, NAME);
}

/* Only the first record is executed; the second one has this header, and these bytes. */
static bool second_refused(struct stream *s,
			   const struct blink_tree_record *second, int byte)
{
	size_t half, whole;

	stream_reset(s);
	ADD_VALUES_REC(s, STORE, .key = key_like(s->kind, 1),
		       .value = value_like(1, 20));
	half = s->size;
	ADD_VALUES_REC(s, CMPXCHG, .key = key_like(s->kind, 6),
		       .value = value_like(2, 4090),
		       .old = value_like(3, 2001));
	whole = s->size;
	memset(s->input + whole, 0, 1 << 14);
	memset(s->input + half + HEADER, byte, 1 << 14);
	memcpy(s->input + half, second, HEADER);
	return stream_call(s, 0, half + second->length, 65536) == -EINVAL &&
	       s->arg.done == 1 && s->arg.input_used == half &&
	       s->arg.output_used == HEADER;
}

static bool one_refused(struct stream *s,
			const struct blink_tree_record *second, int byte)
{
	struct values_rec r;

	if (!second_refused(s, second, byte) || entries_of(s->tree) != 1)
		return false;
	r = VALUES_ONE(s, ERASE, .key = key_like(s->kind, 1));
	return with_old(&r, 0, value_like(1, 20));
}

TEST_F(values_stream, malformed_is_einval)
{
	const size_t key_length = key_like(self->s.kind, 6).length;
	const struct blink_tree_record good = {
		.length = HEADER + bytes_padded(key_length) + 4096 + 2008,
		.opcode = BLINK_TREE_OP_CMPXCHG,
		.key_length = key_length,
		.value_length = 4090,
		.old_length = 2001,
	};
	struct stream *s = &self->s;
	struct blink_tree_record bad;

#define BAD(change, byte)                               \
	do {                                            \
		bad = good;                             \
		change;                                 \
		EXPECT_TRUE(one_refused(s, &bad, byte)) \
		TH_LOG("line %d", __LINE__);            \
	} while (0)
	/* The padding is not zero: of all fields, or of one. */
	BAD(, 0xff);
	BAD((bad.value_length = 4096, bad.old_length = 2001), 1);
	BAD((bad.value_length = 4095, bad.old_length = 2008), 1);
	/* Too long, in a record that is as long as it says. */
	BAD((bad.value_length = 4097, bad.length += 8), 0);
	BAD((bad.value_length = 4104, bad.length += 8), 0);
	BAD((bad.old_length = 4097, bad.length += 4104 - 2008), 0);
	BAD((bad.value_length = 0xffff, bad.length += 65536 - 4096), 0);
	/* Lengths that do not add up. */
	BAD(bad.value_length = 4088, 0);
	BAD(bad.old_length = 0, 0);
	BAD(bad.old_length = 2009, 0);
	BAD(bad.value_length = 0, 0);
	BAD(bad.length += 8, 0);
	BAD(bad.length -= 8, 0);
	BAD(bad.flags = 1, 0);
	BAD(bad.result = 1, 0);
	BAD(bad.__reserved[1] = 1, 0);
	/* With nothing wrong it is executed. */
	EXPECT_FALSE(one_refused(s, &good, 0));
	EXPECT_EQ(2, s->arg.done);
	EXPECT_TRUE(tree_sound(s->tree, 1));
}

/* However many bytes are missing, whole records alone are executed. */
TEST_F(values_stream, truncated_is_einval)
{
	struct stream *s = &self->s;
	size_t size, whole;
	unsigned int nr;

	stream_reset(s);
	for (nr = 0; nr < 4; nr++)
		ADD_VALUES_REC(s, STORE, .key = key_like(s->kind, nr),
			       .value = value_like(nr, nr * 1300));
	for (size = 0; size <= s->size; size += size % 8 ? 7 : 1) {
		for (nr = 0; nr < 4 && bytes_of(s, nr + 1) <= size; nr++)
			;
		whole = bytes_of(s, nr);
		ASSERT_EQ(size == whole ? 0 : -EINVAL,
			  stream_call(s, 0, size, 65536));
		ASSERT_EQ(nr, s->arg.done);
		ASSERT_EQ(whole, s->arg.input_used);
	}
	EXPECT_EQ(0, tree_check(s->tree, 4));
}

static struct values_rec example(unsigned int opcode, struct string key,
				 struct string value)
{
	struct values_rec rec = { .opcode = opcode, .key = key };

	if (takes_value(opcode))
		rec.value = value;
	if (takes_old(opcode))
		rec.old = value;
	return rec;
}

/* A short value needs room for the longest one, as the value that is found can be it. */
TEST_F(values_stream, an_operation_begins_if_its_longest_result_fits)
{
	struct stream *s = &self->s;
	const struct string one = value_like(1, 1);
	struct values_rec rec;
	unsigned int opcode;
	size_t first, need;

	for (opcode = 0; opcode < BLINK_TREE_OP_NR; opcode++) {
		need = room_needed(s->kind, opcode);
		VALUES_ONE(s, STORE, .key = key_like(s->kind, 1), .value = one);
		stream_reset(s);
		rec = example(opcode, key_like(s->kind, 1), one);
		values_add(s, &rec);
		first = s->size;
		values_add(s, &rec);
		EXPECT_EQ(-EMSGSIZE, stream_call(s, 0, s->size, 0));
		EXPECT_EQ(-EMSGSIZE, stream_call(s, 0, s->size, need - 1));
		EXPECT_EQ(0, s->arg.done);
		EXPECT_EQ(0, s->arg.input_used);
		EXPECT_EQ(0, s->arg.output_used);
		EXPECT_EQ(1, entries_of(s->tree));
		/* The first one fits, the second does not. */
		EXPECT_EQ(0, stream_call(s, 0, s->size, need));
		EXPECT_EQ(1, s->arg.done)
		TH_LOG("opcode %u", opcode);
		EXPECT_EQ(first, s->arg.input_used);
		EXPECT_GE(need, s->arg.output_used);
	}
	/* An unknown operation needs the header. */
	stream_reset(s);
	ADD_VALUES_REC(s, NR, .key = key_like(s->kind, 1));
	EXPECT_EQ(-EMSGSIZE, stream_call(s, 0, s->size, HEADER - 1));
	EXPECT_EQ(0, stream_call(s, 0, s->size, HEADER));
	EXPECT_EQ(1, s->arg.done);
}

/* The result of the lookup of a key, or of the nearest entry. */
static size_t result_bytes(const struct stream *s, unsigned int opcode,
			   unsigned int number)
{
	return HEADER + bytes_padded(value_for(number).length) +
	       (gives_key(opcode) ?
			bytes_padded(key_like(s->kind, number).length) :
			0);
}

/* Which operations begin follows from the room that the results before them left. */
static bool as_many_as_fit(struct stream *s, unsigned int opcode, size_t room)
{
	const size_t need = room_needed(s->kind, opcode);
	unsigned int first = 0, i;
	struct values_rec r;
	size_t size, at;

	while (first < KEYS) {
		values_fill(s, opcode, first, KEYS - first);
		size = 0;
		for (i = first; i < KEYS && size + need <= room; i++)
			size += result_bytes(s, opcode, i);
		memset(s->output, 0xee, room + 64);
		if (stream_call(s, 0, s->size, room) ||
		    s->arg.done != i - first || s->arg.output_used != size ||
		    s->arg.input_used != bytes_of(s, s->arg.done))
			return false;
		for (at = 0; at < size; first++) {
			at += values_get(s->output + at, size - at, &r);
			if (gives_key(opcode) ?
				    !found(&r, key_like(s->kind, first),
					   value_for(first)) :
				    !with_value(&r, 0, value_for(first)))
				return false;
		}
		for (i = 0; i < 64; i++) {
			if (s->output[room + i] != '\xee')
				return false;
		}
	}
	return true;
}

TEST_F(values_stream, results_in_little_room)
{
	static const unsigned int opcodes[] = { BLINK_TREE_OP_LOOKUP,
						BLINK_TREE_OP_FLOOR,
						BLINK_TREE_OP_CEILING };
	struct stream *s = &self->s;
	unsigned int i;
	size_t room;

	values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	ASSERT_EQ(0, stream_call(s, 0, s->size, 1 << 18));
	ASSERT_EQ(KEYS, s->arg.done);
	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		const size_t need = room_needed(s->kind, opcodes[i]);

		for (room = need; room < 6 * need; room += 8 + room / 9)
			EXPECT_TRUE(as_many_as_fit(s, opcodes[i], room))
		TH_LOG("opcode %u room %zu", opcodes[i], room);
		EXPECT_TRUE(as_many_as_fit(s, opcodes[i], 65536));
		EXPECT_TRUE(as_many_as_fit(s, opcodes[i], 1 << 18));
	}
}

/* More results than any buffer of the kernel has room for, in one call. */
TEST_F(values_stream, many_long_results)
{
	struct stream *s = &self->s;
	size_t from = 0, at, length;
	struct string value;
	struct values_rec r;
	unsigned int i;

	for (i = 0; i < KEYS; i++)
		VALUES_ONE(s, STORE, .key = key_like(s->kind, i),
			   .value = value_like(i, VALUES_MAX - i % 3));
	stream_reset(s);
	for (i = 0; i < 2 * KEYS; i++) {
		const struct values_rec rec = {
			.opcode = i & 1 ? BLINK_TREE_OP_REPLACE :
					  BLINK_TREE_OP_LOOKUP,
			.key = key_like(s->kind, i / 2),
			.value = value_like(i, i & 1 ? i : 0),
		};

		values_add(s, &rec);
	}
	for (i = 0; i < 2 * KEYS; from += s->arg.input_used) {
		ASSERT_EQ(0, stream_call(s, from, s->size - from, 1 << 19));
		for (at = 0; at < s->arg.output_used; i++) {
			length = values_get(s->output + at,
					    s->arg.output_used - at, &r);
			value = value_like(i / 2, VALUES_MAX - i / 2 % 3);
			ASSERT_TRUE(length &&
				    (i & 1 ? with_old(&r, 0, value) :
					     with_value(&r, 0, value)))
			TH_LOG("result %u", i);
			at += length;
		}
	}
	EXPECT_EQ(s->size, from);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* Operations on one key take effect one after the other. */
TEST_F(values_stream, operations_on_one_key_are_in_order)
{
	const struct string key = key_like(self->s.kind, 7);
	struct stream *s = &self->s;
	struct string value[8];
	static unsigned char bytes[8][VALUES_MAX];
	struct values_rec r[11];
	unsigned int i, nr = 0;
	size_t at;

	for (i = 0; i < 8; i++)
		value[i] = (struct string){ value_lengths[i % VALUE_LENGTHS],
					    memset(bytes[i], 'a' + i,
						   VALUES_MAX) };
	stream_reset(s);
	ADD_VALUES_REC(s, STORE, .key = key, .value = value[0]);
	ADD_VALUES_REC(s, STORE, .key = key, .value = value[1]);
	ADD_VALUES_REC(s, LOOKUP, .key = key);
	ADD_VALUES_REC(s, REPLACE, .key = key, .value = value[6]);
	ADD_VALUES_REC(s, CEILING, .key = key);
	ADD_VALUES_REC(s, CMPXCHG, .key = key, .value = value[5],
		       .old = value[6]);
	ADD_VALUES_REC(s, FLOOR, .key = key);
	ADD_VALUES_REC(s, GET_OR_INSERT, .key = key, .value = value[3]);
	ADD_VALUES_REC(s, CMPERASE, .key = key, .old = value[5]);
	ADD_VALUES_REC(s, INSERT, .key = key, .value = value[4]);
	ADD_VALUES_REC(s, POP_MIN, .key = key);
	ASSERT_EQ(0, stream_call(s, 0, s->size, 1 << 17));
	ASSERT_EQ(11, s->arg.done);
	for (at = 0; at < s->arg.output_used && nr < 11; nr++)
		at += values_get(s->output + at, s->arg.output_used - at,
				 &r[nr]);
	ASSERT_EQ(11, nr);
	EXPECT_TRUE(bare(&r[0], 0));
	EXPECT_TRUE(with_old(&r[1], 1, value[0]));
	EXPECT_TRUE(with_value(&r[2], 0, value[1]));
	EXPECT_TRUE(with_old(&r[3], 0, value[1]));
	EXPECT_TRUE(found(&r[4], key, value[6]));
	EXPECT_TRUE(with_old(&r[5], 0, value[6]));
	EXPECT_TRUE(found(&r[6], key, value[5]));
	EXPECT_TRUE(with_old(&r[7], 1, value[5]));
	EXPECT_TRUE(with_old(&r[8], 0, value[5]));
	EXPECT_TRUE(bare(&r[9], 0));
	EXPECT_TRUE(popped(&r[10], key, value[4]));
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* The input ends with the memory, or a byte too late; and at odd addresses. */
TEST_F(values_stream, input_faults)
{
	struct stream *s = &self->s;
	char *start = s->input;
	size_t size;

	values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	size = s->size;
	s->input = s->input_end - size;
	values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	EXPECT_EQ(-EFAULT, stream_call(s, 0, size + 1, 1 << 18));
	EXPECT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
	EXPECT_EQ(s->arg.done, entries_of(s->tree));
	EXPECT_EQ(0, stream_call(s, 0, size, 1 << 18));
	EXPECT_EQ(KEYS, s->arg.done);
	s->input = start + 3;
	s->output += 5;
	values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	EXPECT_EQ(0, stream_call(s, 0, size, 1 << 18));
	EXPECT_EQ(KEYS, s->arg.done);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
	EXPECT_TRUE(values_present(s, 0, KEYS));
}

/* What was executed is counted, though its results cannot be written. */
TEST_F(values_stream, output_faults)
{
	struct stream *s = &self->s;
	char *start = s->output;
	struct values_rec r;
	size_t room, at;
	unsigned int nr;

	for (room = 0; room < 60000; room = room * 2 + 7) {
		values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
		ASSERT_EQ(0, stream_call(s, 0, s->size, 1 << 19));
		values_fill(s, BLINK_TREE_OP_POP_MIN, 0, KEYS);
		s->output = s->output_end - room;
		EXPECT_EQ(-EFAULT, stream_call(s, 0, s->size, 1 << 19));
		EXPECT_EQ(KEYS - s->arg.done, entries_of(s->tree));
		EXPECT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
		EXPECT_GE(room, s->arg.output_used);
		/* The results that are counted are whole. */
		for (at = 0, nr = 0; at < s->arg.output_used; nr++) {
			at += values_get(s->output + at,
					 s->arg.output_used - at, &r);
			ASSERT_TRUE(popped(&r, key_like(s->kind, nr),
					   value_for(nr)));
		}
		EXPECT_LE(nr, s->arg.done);
		s->output = start;
	}
	EXPECT_TRUE(tree_sound(s->tree, entries_of(s->tree)));
}

/* Results in the place of operations: any of them, and no harm to the tree. */
TEST_F(values_stream, overlapping_streams_do_no_harm)
{
	static const unsigned int opcodes[] = { BLINK_TREE_OP_STORE,
						BLINK_TREE_OP_CEILING,
						BLINK_TREE_OP_POP_MIN };
	struct stream *s = &self->s;
	char *output = s->output;
	size_t offset;
	unsigned int i;

	for (offset = 0; offset < 20000; offset += offset / 2 + 12) {
		for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
			values_fill(s, opcodes[i], 0, KEYS);
			s->output = s->input + offset;
			stream_call(s, 0, s->size, s->size);
			EXPECT_GE(s->size, s->arg.input_used);
			EXPECT_GE(s->size, s->arg.output_used);
			EXPECT_GE(s->size / HEADER, s->arg.done);
		}
	}
	s->output = output;
	EXPECT_TRUE(tree_sound(s->tree, entries_of(s->tree)));
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* The same operations again and again, until a signal made some calls short. */
TEST_F(values_stream, signals)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value.tv_usec = 500,
				   .it_interval.tv_usec = 500 };
	struct stream *s = &self->s;
	unsigned int shorts = 0, tries;

	values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	for (tries = 0; tries < 20000 && shorts < 5; tries++) {
		ASSERT_EQ(0, stream_call(s, 0, s->size, 1 << 19));
		ASSERT_LE(1, s->arg.done);
		ASSERT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
		shorts += s->arg.done < KEYS;
	}
	memset(&timer, 0, sizeof(timer));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_LE(1, shorts);
	values_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	EXPECT_EQ(0, stream_call(s, 0, s->size, 1 << 19));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
	EXPECT_TRUE(values_present(s, 0, KEYS));
}

TEST_HARNESS_MAIN
