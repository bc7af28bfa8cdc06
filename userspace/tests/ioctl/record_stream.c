// SPDX-License-Identifier: GPL-2.0
/*
 * The streams of BLINK_TREE_IOC_RECORDS: lengths that lie, missing bytes, outputs that are
 * too small, and memory that cannot be read or written.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#define NAME "selftest.record_stream"
#define KEYS 1000
#define HEADER sizeof(struct blink_tree_record)

FIXTURE(record_stream)
{
	struct stream s;
};

FIXTURE_VARIANT(record_stream)
{
	struct blink_tree_ioc_create how;
};

ADD_KINDS(record_stream);

FIXTURE_SETUP(record_stream)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(record_stream)
{
	stream_close(&self->s, NAME);
}

/* Set a byte of the second of two records: the first one is executed alone. */
static bool second_refused(struct stream *s, size_t at, int byte)
{
	size_t half;

	stream_fill(s, BLINK_TREE_OP_STORE, 0, 2);
	half = s->size / 2;
	s->input[half + at] = byte;
	return stream_call(s, 0, s->size, s->size) == -EINVAL &&
	       s->arg.done == 1 && s->arg.input_used == half &&
	       s->arg.output_used >= HEADER && entries_of(s->tree) == 1;
}

#define AT(member) offsetof(struct blink_tree_record, member)

TEST_F(record_stream, malformed_is_einval)
{
	struct stream *s = &self->s;
	const struct {
		size_t at;
		int byte;
	} bad[] = {
		{ AT(length), 0 },
		{ AT(length), HEADER },
		{ AT(length), 33 },
		{ AT(length), 88 },
		{ AT(length) + 1, 1 },
		{ AT(length) + 3, 0x80 },
		{ AT(flags), 1 },
		{ AT(flags) + 1, 0x80 },
		{ AT(result), 1 },
		{ AT(result) + 3, 0xff },
		{ AT(key_length), 0 },
		{ AT(key_length), 7 },
		{ AT(key_length) + 1, 0xff },
		{ AT(value_length), 0 },
		{ AT(value_length), 9 },
		{ AT(value_length) + 1, 0x10 },
		{ AT(old_length), 1 },
		{ AT(old_length) + 1, 0xff },
		{ AT(__reserved), 1 },
		{ AT(__reserved) + 5, 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_TRUE(second_refused(s, bad[i].at, bad[i].byte))
		TH_LOG("at %zu: %d", bad[i].at, bad[i].byte);
	}
}

/* A key of an odd length, in a record that is as long as it says. */
TEST_F(record_stream, padding_that_is_not_zero_is_einval)
{
	struct stream *s = &self->s;
	struct blink_tree_record *header = (void *)s->input;

	stream_fill(s, BLINK_TREE_OP_STORE, 1, 1);
	header->key_length--;
	EXPECT_EQ(-EINVAL, stream_call(s, 0, s->size, s->size));
	EXPECT_EQ(0, s->arg.done);
	/* With padding that is zero the length alone is wrong. */
	s->input[HEADER + header->key_length] = 0;
	EXPECT_EQ(0, stream_call(s, 0, s->size, s->size));
	EXPECT_EQ(1, s->arg.done);
	EXPECT_EQ(-EINVAL, ((struct blink_tree_record *)s->output)->result);
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* The longest record that there can be is one with a wrong length, and no more. */
TEST_F(record_stream, longest_record)
{
	struct stream *s = &self->s;
	struct blink_tree_record *header = (void *)s->input;
	const __u32 longest = HEADER + BLINK_TREE_RECORD_KEY_MAX +
			      2 * BLINK_TREE_RECORD_VALUE_MAX;

	memset(s->input, 0, longest + 8);
	*header = (struct blink_tree_record){
		.length = longest,
		.key_length = BLINK_TREE_RECORD_KEY_MAX,
		.value_length = BLINK_TREE_RECORD_VALUE_MAX,
		.old_length = BLINK_TREE_RECORD_VALUE_MAX,
	};
	EXPECT_EQ(0, stream_call(s, 0, longest, HEADER + 8));
	EXPECT_EQ(1, s->arg.done);
	EXPECT_EQ(longest, s->arg.input_used);
	EXPECT_EQ(-EINVAL, ((struct blink_tree_record *)s->output)->result);
	header->length += 8;
	header->key_length += 8;
	EXPECT_EQ(-EINVAL, stream_call(s, 0, longest + 8, HEADER + 8));
	EXPECT_EQ(0, s->arg.done);
}

/* However many bytes are missing, whole records alone are executed. */
TEST_F(record_stream, truncated_is_einval)
{
	struct stream *s = &self->s;
	size_t size, each;

	stream_fill(s, BLINK_TREE_OP_STORE, 0, 3);
	each = s->size / 3;
	for (size = 0; size <= s->size; size++) {
		ASSERT_EQ(size % each ? -EINVAL : 0,
			  stream_call(s, 0, size, 3 * RECORD_BYTES));
		ASSERT_EQ(size / each, s->arg.done);
		ASSERT_EQ(size / each * each, s->arg.input_used);
	}
	EXPECT_EQ(0, tree_check(s->tree, 3));
}

/* With every room for results, until all operations were executed. */
TEST_F(record_stream, output_too_small)
{
	struct stream *s = &self->s;
	size_t room, from, calls, used;
	int ret;

	stream_fill(s, BLINK_TREE_OP_INSERT, 0, 3);
	ASSERT_EQ(0, stream_run(s));
	stream_fill(s, BLINK_TREE_OP_FLOOR, 0, 3);
	for (room = 0; room < 3 * RECORD_BYTES; room++) {
		used = 0;
		calls = 0;
		for (from = 0; from < s->size; from += s->arg.input_used) {
			ret = stream_call(s, from, s->size - from, room);
			if (ret)
				break;
			calls++;
			ASSERT_LE(1, s->arg.done);
			ASSERT_GE(room, s->arg.output_used);
			used = s->arg.output_used / s->arg.done;
		}
		if (!calls) {
			ASSERT_EQ(-EMSGSIZE, ret);
			ASSERT_TRUE(!s->arg.done && !s->arg.input_used &&
				    !s->arg.output_used);
			ASSERT_GT(HEADER + record_key_bytes(s->kind) + 8, room);
		} else {
			ASSERT_EQ(s->size, from);
			ASSERT_LE(used, room);
			ASSERT_EQ((3 + room / used - 1) / (room / used) < 3 ?
					  (3 + room / used - 1) /
						  (room / used) :
					  3,
				  calls);
		}
	}
}

TEST_F(record_stream, bad_arguments_are_einval)
{
	struct stream *s = &self->s;
	const struct blink_tree_ioc_records bad[] = {
		{ .fill = 1 },
		{ .flags = 2 },
		{ .flags = BLINK_TREE_RECORDS_LOAD },
		{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 101 },
		{ .flags = BLINK_TREE_RECORDS_LOAD, .fill = 1, .output = 8 },
		{ .flags = BLINK_TREE_RECORDS_LOAD,
		  .fill = 1,
		  .output_size = 8 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		s->arg = bad[i];
		EXPECT_EQ(-EINVAL,
			  call(s->tree, BLINK_TREE_IOC_RECORDS, &s->arg));
	}
	/* No records are no error. */
	EXPECT_EQ(0, stream_call(s, 0, 0, 0));
	EXPECT_EQ(0, s->arg.done);
}

/* The input ends with the memory, or a byte too late. */
TEST_F(record_stream, input_faults)
{
	struct stream *s = &self->s;
	char *start = s->input;
	size_t size;

	stream_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	size = s->size;
	s->input = s->input_end - size;
	stream_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	EXPECT_EQ(-EFAULT, stream_call(s, 0, size + 1, 2 * size));
	EXPECT_EQ(0, s->arg.input_used % (size / KEYS));
	EXPECT_EQ(s->arg.done * (size / KEYS), s->arg.input_used);
	EXPECT_EQ(s->arg.done, entries_of(s->tree));
	EXPECT_EQ(0, stream_call(s, 0, size, 2 * size));
	EXPECT_EQ(KEYS, s->arg.done);
	s->input = start;
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* What was executed is counted, though its results cannot be written. */
TEST_F(record_stream, output_faults)
{
	struct stream *s = &self->s;
	char *start = s->output;
	size_t result = HEADER;

	stream_fill(s, BLINK_TREE_OP_INSERT, 0, KEYS);
	s->output = s->output_end - 100 * result - 1;
	EXPECT_EQ(-EFAULT, stream_call(s, 0, s->size, 4 * s->size));
	EXPECT_EQ(s->arg.done, entries_of(s->tree));
	EXPECT_EQ(s->arg.done * (s->size / KEYS), s->arg.input_used);
	EXPECT_TRUE(s->arg.output_used && s->arg.output_used <= 100 * result);
	EXPECT_EQ(0, s->arg.output_used % result);
	EXPECT_LE(s->arg.output_used / result, s->arg.done);
	s->output = start;
}

TEST_F(record_stream, read_only_structure_is_efault)
{
	struct stream *s = &self->s;
	struct blink_tree_ioc_records *arg = (void *)guard_alloc(1);

	ASSERT_NE(NULL, arg);
	stream_fill(s, BLINK_TREE_OP_INSERT, 0, 3);
	*--arg = (struct blink_tree_ioc_records){
		.input = ptr_to_u64(s->input),
		.input_size = s->size,
		.output = ptr_to_u64(s->output),
		.output_size = s->size,
	};
	ASSERT_EQ(0, mprotect((char *)(arg + 1) - page_size(), page_size(),
			      PROT_READ));
	EXPECT_EQ(-EFAULT, call(s->tree, BLINK_TREE_IOC_RECORDS, arg));
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

TEST_F(record_stream, addresses_that_wrap_are_efault)
{
	const __u64 bad[] = { 0, U64_MAX, U64_MAX - 31, 1ULL << 63,
			      0xffff888000000000ULL };
	struct stream *s = &self->s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		s->arg = (struct blink_tree_ioc_records){
			.input = bad[i],
			.input_size = U64_MAX,
			.output = bad[i],
			.output_size = U64_MAX,
			.done = 5,
		};
		EXPECT_EQ(-EFAULT,
			  call(s->tree, BLINK_TREE_IOC_RECORDS, &s->arg));
		EXPECT_EQ(0, s->arg.done);
	}
}

/* Results in the place of operations: any of them, and none of the kernel's harm. */
TEST_F(record_stream, overlapping_streams_do_no_harm)
{
	struct stream *s = &self->s;
	char *output = s->output;
	size_t offset;

	for (offset = 0; offset < 200; offset += 4) {
		stream_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
		s->output = s->input + offset;
		stream_call(s, 0, s->size, s->size);
		EXPECT_GE(s->size, s->arg.input_used);
		EXPECT_GE(s->size, s->arg.output_used);
		EXPECT_GE(KEYS, s->arg.done);
	}
	s->output = output;
	EXPECT_TRUE(tree_sound(s->tree, entries_of(s->tree)));
}

TEST_HARNESS_MAIN
