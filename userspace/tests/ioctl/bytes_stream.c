// SPDX-License-Identifier: GPL-2.0
/*
 * Streams of records whose keys are byte strings: lengths that lie, missing bytes, room
 * for results, calls that end early, loads, and memory that cannot be read or written.
 */
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "bytes.h"

#define NAME "selftest.bytes_stream"
#define KEYS 200
#define HEADER sizeof(struct blink_tree_record)

FIXTURE(bytes_stream)
{
	struct stream s;
};

FIXTURE_VARIANT(bytes_stream)
{
	struct blink_tree_ioc_create how;
};

ADD_BYTES(bytes_stream);

FIXTURE_SETUP(bytes_stream)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(bytes_stream)
{
	stream_close(&self->s, NAME);
}

/* Keys ascend with their number, and all lengths from @shortest on come. */
static struct string numbered(unsigned int number, size_t shortest)
{
	static unsigned char bytes[BYTES_KEY_MAX];
	size_t length = shortest + number * 37 % (BYTES_KEY_MAX + 1 - shortest);

	memset(bytes, 0xff, sizeof(bytes));
	bytes[0] = number >> 8;
	bytes[1] = number;
	return (struct string){ length, bytes };
}

/* @nr operations with the keys from number @first on. */
static void fill_with(struct stream *s, unsigned int opcode, unsigned int first,
		      unsigned int nr, size_t shortest)
{
	const bool has_value = opcode == BLINK_TREE_OP_INSERT ||
			       opcode == BLINK_TREE_OP_STORE;
	unsigned int i;

	stream_reset(s);
	for (i = first; i < first + nr; i++)
		bytes_add(s, &(struct bytes_rec){
				     .opcode = opcode,
				     .has_value = has_value,
				     .key = numbered(i, shortest),
				     .value = value_of(i),
			     });
}

/* How many bytes the first records of the input have. */
static size_t bytes_of(const struct stream *s, unsigned int nr)
{
	struct blink_tree_record header;
	size_t size = 0;

	while (nr--) {
		memcpy(&header, s->input + size, HEADER);
		size += header.length;
	}
	return size;
}

/* The second record has the longest key; only the first record is executed. */
static bool second_refused(struct stream *s, struct blink_tree_record *second,
			   size_t more)
{
	struct string key = { BYTES_KEY_MAX - 5, greatest_key().data };
	size_t half;

	stream_reset(s);
	ADD_BYTES_REC(s, STORE, .key = STRING("first"), .has_value = true);
	half = s->size;
	ADD_BYTES_REC(s, STORE, .key = key, .has_value = true);
	memset(s->input + s->size, 0, 8192);
	memcpy(s->input + half, second, HEADER);
	return stream_call(s, 0, s->size + more, 65536) == -EINVAL &&
	       s->arg.done == 1 && s->arg.input_used == half &&
	       s->arg.output_used >= HEADER && entries_of(s->tree) == 1;
}

TEST_F(bytes_stream, malformed_is_einval)
{
	struct stream *s = &self->s;
	const struct blink_tree_record good = {
		.length = HEADER + BYTES_KEY_MAX + 8,
		.opcode = BLINK_TREE_OP_STORE,
		.key_length = BYTES_KEY_MAX - 5,
		.value_length = 8,
	};
	struct blink_tree_record bad;

#define BAD(change, more)                                  \
	do {                                               \
		bad = good;                                \
		change;                                    \
		EXPECT_TRUE(second_refused(s, &bad, more)) \
		TH_LOG("line %d", __LINE__);               \
	} while (0)
	BAD(bad.length = 0, 0);
	BAD(bad.length = HEADER, 0);
	BAD(bad.length -= 8, 0);
	BAD(bad.length += 8, 8);
	BAD(bad.length += 4, 8);
	BAD(bad.length |= 1u << 31, 0);
	BAD(bad.length = -8, 0);
	BAD(bad.flags = 1, 0);
	BAD(bad.flags = 0x8000, 0);
	BAD(bad.result = 1, 0);
	BAD(bad.result = -1, 0);
	BAD(bad.key_length = 0, 0);
	BAD(bad.key_length -= 8, 0);
	BAD(bad.key_length = 0xffff, 0);
	BAD(bad.value_length = 0, 0);
	BAD(bad.value_length = 9, 0);
	BAD(bad.value_length = 0xffff, 0);
	BAD(bad.old_length = 1, 0);
	BAD(bad.old_length = 0xffff, 0);
	BAD(bad.__reserved[0] = 1, 0);
	BAD(bad.__reserved[2] = 0x8000, 0);
	/* The padding of the key begins one byte too early. */
	BAD(bad.key_length--, 0);
	/* A key that is too long, in a record that is as long as it says. */
	BAD((bad.key_length = BYTES_KEY_MAX + 1, bad.length += 8), 8);
	BAD((bad.key_length = BYTES_KEY_MAX + 8, bad.length += 8), 8);
	BAD((bad.value_length = 4097, bad.length += 4096), 4096);
	EXPECT_EQ(0, tree_check(s->tree, 1));
}

/* However many bytes are missing, whole records alone are executed. */
TEST_F(bytes_stream, truncated_is_einval)
{
	struct stream *s = &self->s;
	size_t size, whole;
	unsigned int nr;

	fill_with(s, BLINK_TREE_OP_STORE, 0, 6, 20);
	for (size = 0; size <= s->size; size++) {
		for (nr = 0; nr < 6 && bytes_of(s, nr + 1) <= size; nr++)
			;
		whole = bytes_of(s, nr);
		ASSERT_EQ(size == whole ? 0 : -EINVAL,
			  stream_call(s, 0, size, 65536));
		ASSERT_EQ(nr, s->arg.done);
		ASSERT_EQ(whole, s->arg.input_used);
	}
	EXPECT_EQ(0, tree_check(s->tree, 6));
}

/* The room that an operation needs before it begins. */
static size_t need(unsigned int opcode)
{
	switch (opcode) {
	case BLINK_TREE_OP_FLOOR:
	case BLINK_TREE_OP_CEILING:
	case BLINK_TREE_OP_POP_MIN:
	case BLINK_TREE_OP_POP_MAX:
		return HEADER + BYTES_KEY_MAX + 8;
	default:
		return HEADER + 8;
	}
}

static struct bytes_rec example(unsigned int opcode, struct string key)
{
	return (struct bytes_rec){
		.opcode = opcode,
		.key = key,
		.has_value = opcode == BLINK_TREE_OP_INSERT ||
			     opcode == BLINK_TREE_OP_STORE ||
			     opcode == BLINK_TREE_OP_REPLACE ||
			     opcode == BLINK_TREE_OP_CMPXCHG ||
			     opcode == BLINK_TREE_OP_GET_OR_INSERT,
		.has_old = opcode == BLINK_TREE_OP_CMPXCHG ||
			   opcode == BLINK_TREE_OP_CMPERASE,
	};
}

/* A short key needs room for the longest one, as the key that is found can be it. */
TEST_F(bytes_stream, an_operation_begins_if_its_longest_result_fits)
{
	struct stream *s = &self->s;
	struct bytes_rec rec;
	unsigned int opcode;
	size_t first;

	for (opcode = 0; opcode < BLINK_TREE_OP_NR; opcode++) {
		rec = example(opcode, STRING("k"));
		BYTES_ONE(s, STORE, .key = STRING("k"), .has_value = true);
		stream_reset(s);
		bytes_add(s, &rec);
		first = s->size;
		bytes_add(s, &rec);
		/* The first one does not fit. */
		EXPECT_EQ(-EMSGSIZE, stream_call(s, 0, s->size, 0));
		EXPECT_EQ(-EMSGSIZE,
			  stream_call(s, 0, s->size, need(opcode) - 1));
		EXPECT_EQ(0, s->arg.done);
		EXPECT_EQ(0, s->arg.input_used);
		EXPECT_EQ(0, s->arg.output_used);
		EXPECT_EQ(1, entries_of(s->tree));
		/* The first one fits, the second does not. */
		EXPECT_EQ(0, stream_call(s, 0, s->size, need(opcode)));
		EXPECT_EQ(1, s->arg.done);
		EXPECT_EQ(first, s->arg.input_used);
		EXPECT_GE(need(opcode), s->arg.output_used);
		EXPECT_EQ(0, s->arg.output_used % 8);
	}
	/* Both fit if the first one leaves enough: it took 40 bytes. */
	BYTES_ONE(s, STORE, .key = STRING("k"), .has_value = true);
	rec = example(BLINK_TREE_OP_FLOOR, STRING("k"));
	stream_reset(s);
	bytes_add(s, &rec);
	bytes_add(s, &rec);
	EXPECT_EQ(0, stream_call(s, 0, s->size, 2 * need(rec.opcode)));
	EXPECT_EQ(2, s->arg.done);
	EXPECT_EQ(2 * (HEADER + 8 + 8), s->arg.output_used);
	EXPECT_EQ(0, tree_check(s->tree, 1));
}

/* With each room for results that lets one operation begin, all are executed. */
TEST_F(bytes_stream, results_in_little_room)
{
	struct stream *s = &self->s;
	const size_t least = need(BLINK_TREE_OP_FLOOR);
	struct bytes_rec r;
	size_t room, from, at;
	unsigned int nr;

	fill_with(s, BLINK_TREE_OP_STORE, 0, KEYS, 2);
	ASSERT_EQ(0, stream_call(s, 0, s->size, s->size));
	ASSERT_EQ(KEYS, s->arg.done);
	fill_with(s, BLINK_TREE_OP_FLOOR, 0, KEYS, 2);
	for (room = least; room < 10 * least; room += 1 + room / 20) {
		nr = 0;
		for (from = 0; from < s->size; from += s->arg.input_used) {
			ASSERT_EQ(0,
				  stream_call(s, from, s->size - from, room));
			ASSERT_GE(room, s->arg.output_used);
			ASSERT_LE(1, s->arg.done);
			for (at = 0; at < s->arg.output_used; nr++) {
				size_t length =
					bytes_get(s->output + at,
						  s->arg.output_used - at, &r);

				ASSERT_TRUE(length && found(&r, numbered(nr, 2),
							    value_of(nr)));
				at += length;
			}
		}
		ASSERT_EQ(KEYS, nr);
	}
}

static int load(struct stream *s, unsigned int fill)
{
	s->arg = (struct blink_tree_ioc_records){
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = fill,
		.input = ptr_to_u64(s->input),
		.input_size = s->size,
		.input_used = JUNK,
		.output_used = JUNK,
		.done = JUNK,
	};
	return call(s->tree, BLINK_TREE_IOC_RECORDS, &s->arg);
}

TEST_F(bytes_stream, load)
{
	const unsigned int fills[] = { 1, 50, 70, 100 };
	struct stream *s = &self->s;
	struct bytes_rec r;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		fill_with(s, BLINK_TREE_OP_INSERT, 1000 * i, KEYS, 2);
		ASSERT_EQ(0, load(s, fills[i]));
		EXPECT_EQ(KEYS, s->arg.done);
		EXPECT_EQ(s->size, s->arg.input_used);
		EXPECT_EQ(0, s->arg.output_used);
		EXPECT_EQ(0, tree_check(s->tree, KEYS * (i + 1)));
	}
	for (i = 0; i < KEYS; i++) {
		r = BYTES_ONE(s, LOOKUP, .key = numbered(1000 + i, 2));
		ASSERT_TRUE(with_value(&r, 0, value_of(1000 + i)));
	}
}

/* Keys that do not ascend are loaded slower, and all of them are there. */
TEST_F(bytes_stream, load_in_any_order)
{
	struct stream *s = &self->s;
	struct bytes_rec r;
	unsigned int i;

	stream_reset(s);
	for (i = 0; i < KEYS; i++)
		ADD_BYTES_REC(s, INSERT, .key = numbered(i * 7 % KEYS, 2),
			      .has_value = true, .value = i * 7 % KEYS);
	ASSERT_EQ(0, load(s, 100));
	EXPECT_EQ(KEYS, s->arg.done);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
	for (i = 0; i < KEYS; i++) {
		r = BYTES_ONE(s, LOOKUP, .key = numbered(i, 2));
		ASSERT_TRUE(with_value(&r, 0, i));
	}
}

/* A load ends at the entry that cannot be added, and tells which one it is. */
TEST_F(bytes_stream, load_ends_early)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream *s = &self->s;
	const unsigned int at[] = { 0, 1, 63, 64, 65, 150 };
	struct stream small = *s;
	unsigned int i, first = 0;

	for (i = 0; i < ARRAY_SIZE(at); i++, first += KEYS) {
		/* The key is present. */
		BYTES_ONE(s, INSERT, .key = numbered(first + at[i], 2),
			  .has_value = true);
		fill_with(s, BLINK_TREE_OP_INSERT, first, KEYS, 2);
		EXPECT_EQ(-EEXIST, load(s, 100));
		EXPECT_EQ(at[i], s->arg.done);
		EXPECT_EQ(bytes_of(s, at[i]), s->arg.input_used);
		/* The key comes twice. */
		first += KEYS;
		fill_with(s, BLINK_TREE_OP_INSERT, first, at[i] + 1, 2);
		ADD_BYTES_REC(s, INSERT, .key = numbered(first + at[i], 2),
			      .has_value = true);
		EXPECT_EQ(-EEXIST, load(s, 100));
		EXPECT_EQ(at[i] + 1, s->arg.done);
		EXPECT_EQ(bytes_of(s, at[i] + 1), s->arg.input_used);
	}
	EXPECT_TRUE(tree_sound(s->tree, entries_of(s->tree)));
	how.max_entries = 100;
	small.tree = tree_new_as(&how);
	ASSERT_GE(small.tree, 0);
	fill_with(&small, BLINK_TREE_OP_INSERT, 0, KEYS, 2);
	EXPECT_EQ(-ENOSPC, load(&small, 100));
	EXPECT_EQ(100, small.arg.done);
	EXPECT_EQ(bytes_of(&small, 100), small.arg.input_used);
	EXPECT_EQ(0, tree_check(small.tree, 100));
	close(small.tree);
}

/* Records that a load does not take, behind some that it takes. */
TEST_F(bytes_stream, load_of_other_records_is_einval)
{
	const struct bytes_rec bad[] = {
		{ .opcode = BLINK_TREE_OP_STORE, .has_value = true },
		{ .opcode = BLINK_TREE_OP_NR, .has_value = true },
		{ .opcode = BLINK_TREE_OP_INSERT },
		{ .opcode = BLINK_TREE_OP_INSERT,
		  .has_value = true,
		  .has_old = true },
	};
	struct stream *s = &self->s;
	unsigned int i, entries = 0;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		fill_with(s, BLINK_TREE_OP_INSERT, i * 10, 3, 2);
		bytes_add(s, &bad[i]);
		EXPECT_EQ(-EINVAL, load(s, 100));
		EXPECT_EQ(3, s->arg.done);
		EXPECT_EQ(bytes_of(s, 3), s->arg.input_used);
		entries += 3;
		EXPECT_EQ(0, tree_check(s->tree, entries));
	}
	EXPECT_EQ(-EINVAL, load(s, 0));
	EXPECT_EQ(-EINVAL, load(s, 101));
	EXPECT_EQ(0, tree_check(s->tree, entries));
}

/* The input ends with the memory, or a byte too late; and at odd addresses. */
TEST_F(bytes_stream, input_faults)
{
	struct stream *s = &self->s;
	char *start = s->input;
	size_t size;

	fill_with(s, BLINK_TREE_OP_STORE, 0, KEYS, 2);
	size = s->size;
	s->input = s->input_end - size;
	fill_with(s, BLINK_TREE_OP_STORE, 0, KEYS, 2);
	EXPECT_EQ(-EFAULT, stream_call(s, 0, size + 1, 2 * size));
	EXPECT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
	EXPECT_EQ(s->arg.done, entries_of(s->tree));
	EXPECT_EQ(0, stream_call(s, 0, size, 2 * size));
	EXPECT_EQ(KEYS, s->arg.done);
	s->input = start + 3;
	s->output += 5;
	fill_with(s, BLINK_TREE_OP_STORE, 0, KEYS, 2);
	EXPECT_EQ(0, stream_call(s, 0, size, 2 * size));
	EXPECT_EQ(KEYS, s->arg.done);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* What was executed is counted, though its results cannot be written. */
TEST_F(bytes_stream, output_faults)
{
	struct stream *s = &self->s;
	size_t room;

	for (room = 0; room < 20000; room = room * 2 + 1) {
		fill_with(s, BLINK_TREE_OP_STORE, 0, KEYS, 2);
		ASSERT_EQ(0, stream_call(s, 0, s->size, s->size));
		fill_with(s, BLINK_TREE_OP_POP_MAX, 0, KEYS, 2);
		s->output = s->output_end - room;
		EXPECT_EQ(-EFAULT, stream_call(s, 0, s->size, 1 << 18));
		EXPECT_EQ(KEYS - s->arg.done, entries_of(s->tree));
		EXPECT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
		EXPECT_GE(room, s->arg.output_used);
		s->output = s->output_end - 2 * STREAM_PAGES * page_size();
	}
	EXPECT_TRUE(tree_sound(s->tree, entries_of(s->tree)));
}

/* Results in the place of operations: any of them, and no harm to the tree. */
TEST_F(bytes_stream, overlapping_streams_do_no_harm)
{
	const unsigned int opcodes[] = { BLINK_TREE_OP_STORE,
					 BLINK_TREE_OP_CEILING,
					 BLINK_TREE_OP_POP_MIN };
	struct stream *s = &self->s;
	char *output = s->output;
	size_t offset;
	unsigned int i;

	for (offset = 0; offset < 5000; offset += offset / 8 + 4) {
		for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
			fill_with(s, opcodes[i], 0, KEYS, 2);
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
TEST_F(bytes_stream, signals)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value.tv_usec = 500,
				   .it_interval.tv_usec = 500 };
	struct stream *s = &self->s;
	unsigned int shorts = 0, tries;

	fill_with(s, BLINK_TREE_OP_STORE, 0, KEYS, 2);
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	for (tries = 0; tries < 20000 && shorts < 5; tries++) {
		ASSERT_EQ(0, stream_call(s, 0, s->size, 2 * s->size));
		ASSERT_LE(1, s->arg.done);
		ASSERT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
		shorts += s->arg.done < KEYS;
	}
	memset(&timer, 0, sizeof(timer));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_LE(1, shorts);
	EXPECT_EQ(0, stream_call(s, 0, s->size, 2 * s->size));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

TEST_HARNESS_MAIN
