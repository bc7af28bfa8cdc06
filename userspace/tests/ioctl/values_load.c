// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_RECORDS_LOAD with values of bytes: the order of keys, the entry that cannot
 * be added, and the entries before it, of which none is lost.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "values.h"

#define NAME "selftest.values_load"
#define KEYS 160

FIXTURE(values_load)
{
	struct stream s;
};

FIXTURE_VARIANT(values_load)
{
	struct blink_tree_ioc_create how;
};

ADD_VALUES(values_load);

FIXTURE_SETUP(values_load)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(values_load)
{
	stream_close(&self->s, NAME);
}

TEST_F(values_load, ascending)
{
	const unsigned int fills[] = { 1, 50, 70, 100 };
	struct stream *s = &self->s;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fills); i++) {
		values_fill(s, BLINK_TREE_OP_INSERT, 1000 * i, KEYS);
		ASSERT_EQ(0, values_load(s, fills[i]));
		EXPECT_EQ(KEYS, s->arg.done);
		EXPECT_EQ(s->size, s->arg.input_used);
		EXPECT_EQ(0, s->arg.output_used);
		EXPECT_EQ(0, tree_check(s->tree, KEYS * (i + 1)));
		EXPECT_TRUE(values_present(s, 1000 * i, KEYS));
	}
}

/* Keys that do not ascend are loaded slower, and all of them are there. */
TEST_F(values_load, in_any_order)
{
	struct stream *s = &self->s;
	unsigned int i;

	stream_reset(s);
	for (i = 0; i < KEYS; i++)
		ADD_VALUES_REC(s, INSERT,
			       .key = key_like(s->kind, i * 7 % KEYS),
			       .value = value_for(i * 7 % KEYS));
	ASSERT_EQ(0, values_load(s, 100));
	EXPECT_EQ(KEYS, s->arg.done);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
	EXPECT_TRUE(values_present(s, 0, KEYS));
}

/* The first and the last record of a call, the longest ones, and one that is empty. */
TEST_F(values_load, values_of_all_lengths)
{
	struct stream *s = &self->s;
	struct values_rec r;
	unsigned int i;

	stream_reset(s);
	for (i = 0; i < 4 * VALUE_LENGTHS; i++)
		ADD_VALUES_REC(s, INSERT, .key = key_like(s->kind, i),
			       .value = value_like(
				       i,
				       value_lengths[i * 3 % VALUE_LENGTHS]));
	ASSERT_EQ(0, values_load(s, 100));
	EXPECT_EQ(i, s->arg.done);
	for (i = 0; i < 4 * VALUE_LENGTHS; i++) {
		r = VALUES_ONE(s, ERASE, .key = key_like(s->kind, i));
		EXPECT_TRUE(with_old(
			&r, 0,
			value_like(i, value_lengths[i * 3 % VALUE_LENGTHS])));
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* A key that is present ends a load; its value and those before it remain. */
TEST_F(values_load, a_present_key)
{
	const unsigned int at[] = { 0, 1, 63, 64, 65, 150 };
	const struct string other = STRING("the value that is present");
	struct stream *s = &self->s;
	unsigned int i, first = 0;
	struct values_rec r;

	for (i = 0; i < ARRAY_SIZE(at); i++, first += KEYS) {
		VALUES_ONE(s, INSERT, .key = key_like(s->kind, first + at[i]),
			   .value = other);
		values_fill(s, BLINK_TREE_OP_INSERT, first, KEYS);
		EXPECT_EQ(-EEXIST, values_load(s, 100));
		EXPECT_EQ(at[i], s->arg.done);
		EXPECT_EQ(bytes_of(s, at[i]), s->arg.input_used);
		r = VALUES_ONE(s, LOOKUP,
			       .key = key_like(s->kind, first + at[i]));
		EXPECT_TRUE(with_value(&r, 0, other));
		EXPECT_TRUE(values_present(s, first, at[i]));
		/* The key comes twice. */
		first += KEYS;
		values_fill(s, BLINK_TREE_OP_INSERT, first, at[i] + 1);
		ADD_VALUES_REC(s, INSERT,
			       .key = key_like(s->kind, first + at[i]),
			       .value = other);
		ADD_VALUES_REC(s, INSERT,
			       .key = key_like(s->kind, first + KEYS),
			       .value = other);
		EXPECT_EQ(-EEXIST, values_load(s, 100));
		EXPECT_EQ(at[i] + 1, s->arg.done);
		EXPECT_EQ(bytes_of(s, at[i] + 1), s->arg.input_used);
		EXPECT_TRUE(values_present(s, first, at[i] + 1));
	}
	EXPECT_TRUE(tree_sound(s->tree, entries_of(s->tree)));
}

/* The entries of a load that are counted are in the tree, and no others. */
static void full(struct __test_metadata *_metadata, struct stream *s,
		 unsigned int least)
{
	unsigned int done;

	values_fill(s, BLINK_TREE_OP_INSERT, 0, KEYS);
	EXPECT_EQ(-ENOSPC, values_load(s, 100));
	done = s->arg.done;
	EXPECT_LE(least, done);
	EXPECT_GT(KEYS, done);
	EXPECT_EQ(bytes_of(s, done), s->arg.input_used);
	EXPECT_TRUE(tree_sound(s->tree, done));
	EXPECT_TRUE(values_present(s, 0, done));
}

TEST_F(values_load, full_of_bytes)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream s = self->s;

	for (how.max_bytes = 30000; how.max_bytes < 80000;
	     how.max_bytes += 7001) {
		s.tree = tree_new_as(&how);
		ASSERT_GE(s.tree, 0);
		full(_metadata, &s, 10);
		close(s.tree);
	}
}

TEST_F(values_load, full_of_entries)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream s = self->s;

	how.max_entries = 77;
	s.tree = tree_new_as(&how);
	ASSERT_GE(s.tree, 0);
	full(_metadata, &s, 77);
	close(s.tree);
}

/* Records that a load does not take, behind some that it takes. */
TEST_F(values_load, other_records_are_einval)
{
	const struct values_rec bad[] = {
		{ .opcode = BLINK_TREE_OP_STORE },
		{ .opcode = BLINK_TREE_OP_NR },
		{ .opcode = BLINK_TREE_OP_LOOKUP },
		{ .opcode = BLINK_TREE_OP_INSERT, .old = STRING("old") },
	};
	struct stream *s = &self->s;
	unsigned int i, entries = 0;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct values_rec rec = bad[i];

		rec.key = key_like(s->kind, 500);
		values_fill(s, BLINK_TREE_OP_INSERT, i * 10, 3);
		values_add(s, &rec);
		EXPECT_EQ(-EINVAL, values_load(s, 100));
		EXPECT_EQ(3, s->arg.done);
		EXPECT_EQ(bytes_of(s, 3), s->arg.input_used);
		entries += 3;
		EXPECT_EQ(0, tree_check(s->tree, entries));
	}
	EXPECT_EQ(-EINVAL, values_load(s, 0));
	EXPECT_EQ(-EINVAL, values_load(s, 101));
	EXPECT_EQ(0, tree_check(s->tree, entries));
}

/* The input ends a byte too late: the entries that are counted were added. */
TEST_F(values_load, input_faults)
{
	struct stream *s = &self->s;
	size_t size;

	values_fill(s, BLINK_TREE_OP_INSERT, 0, KEYS);
	size = s->size;
	s->input = s->input_end - size;
	values_fill(s, BLINK_TREE_OP_INSERT, 0, KEYS);
	s->size++;
	EXPECT_EQ(-EFAULT, values_load(s, 100));
	EXPECT_EQ(bytes_of(s, s->arg.done), s->arg.input_used);
	EXPECT_EQ(0, tree_check(s->tree, s->arg.done));
}

TEST_HARNESS_MAIN
