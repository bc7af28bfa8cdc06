// SPDX-License-Identifier: GPL-2.0
/*
 * Reading trees with keys of 128 bits, and trees with equal keys, by BPF
 * programs.
 */
#include "kselftest_harness.h"

#include "bpf_test.h"

#include "../ioctl/records.h"
#include "u128.h"

#define KEYS 500U

FIXTURE(wide)
{
	struct stream stream;
	__u64 handle;
	struct bpf_object *object;
	int program;
};

FIXTURE_VARIANT(wide)
{
	struct blink_tree_ioc_create how;
};

FIXTURE_VARIANT_ADD(wide, u128)
MEMBERS(.how = { .key = BLINK_TREE_KEY_U128 });

FIXTURE_VARIANT_ADD(wide, multi)
MEMBERS(.how = { .key = BLINK_TREE_KEY_MULTI });

struct key {
	__u64 high;
	__u64 low;
};

/* Keys ascend with their number, and differ in the bytes that a kind has. */
static struct key key_number(enum blink_tree_key kind, __u64 number)
{
	if (kind == BLINK_TREE_KEY_U128)
		return (struct key){ number / 3, number << 40 | 1 };
	return (struct key){ .low = number << 20 | 1 };
}

static int insert_all(struct stream *s)
{
	char bytes[16];
	struct key key;
	struct rec r;
	__u64 i;

	for (i = 1; i <= KEYS; i++) {
		key = key_number(s->kind, i);
		r = STREAM_ONE(s, INSERT,
			       .key = number_put(bytes, s->kind, key.high,
						 key.low),
			       .value = WORD(value_of(i)));
		if (r.opcode == 0xffff || r.result)
			return -EUCLEAN;
	}
	return 0;
}

FIXTURE_SETUP(wide)
{
	if (!bpf_usable())
		SKIP(return, "the kernel does not know the module's types");
	ASSERT_EQ(0, stream_open(&self->stream, tree_new_as(&variant->how),
				 variant->how.key));
	ASSERT_EQ(0, insert_all(&self->stream));
	self->handle = handle_of(self->stream.tree);
	ASSERT_NE(0, self->handle);
	self->object = object_load("u128");
	ASSERT_NE(NULL, self->object);
	self->program = program_fd(self->object, "run_query");
}

FIXTURE_TEARDOWN(wide)
{
	bpf_object__close(self->object);
	close(self->stream.tree);
}

/* The key with a number as the tree has it: a pair in a tree with equal keys. */
static struct key key_of(const struct stream *s, __u64 number)
{
	struct key key = key_number(s->kind, number);

	if (s->kind == BLINK_TREE_KEY_U128)
		return key;
	return (struct key){ key.low, value_of(number) };
}

/* Have the program execute a query. Returns the result of its function. */
static int ask(int program, struct u128_query *query)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = query,
		    .ctx_size_in = sizeof(*query));

	return bpf_prog_test_run_opts(program, &opts) ? -EUCLEAN :
							query->result;
}

static bool found(const struct stream *s, const struct u128_query *query,
		  __u64 number)
{
	struct key key = key_of(s, number);
	bool paired = s->kind == BLINK_TREE_KEY_MULTI;

	return query->found_high == key.high && query->found_low == key.low &&
	       query->value == (paired ? 0 : value_of(number));
}

TEST_F(wide, keys_and_their_neighbours)
{
	struct u128_query query;
	struct key key;
	unsigned int i;

	for (i = 1; i <= KEYS; i++) {
		key = key_of(&self->stream, i);
		query = (struct u128_query){ .kind = U128_LOOKUP,
					     .handle = self->handle,
					     .high = key.high,
					     .low = key.low };
		ASSERT_EQ(0, ask(self->program, &query));
		query.found_high = key.high;
		query.found_low = key.low;
		ASSERT_TRUE(found(&self->stream, &query, i));
		query.low ^= 1;
		ASSERT_EQ(-ENOENT, ask(self->program, &query));
		query.low = key.low - 1;
		query.kind = U128_FLOOR;
		ASSERT_EQ(i == 1 ? -ENOENT : 0, ask(self->program, &query));
		if (i > 1)
			ASSERT_TRUE(found(&self->stream, &query, i - 1));
		query.low = key.low + 1;
		query.kind = U128_CEILING;
		ASSERT_EQ(i == KEYS ? -ENOENT : 0, ask(self->program, &query));
		if (i < KEYS)
			ASSERT_TRUE(found(&self->stream, &query, i + 1));
	}
}

TEST_F(wide, walks_in_both_directions)
{
	struct u128_query query;
	struct key first, last;
	unsigned int i, flags;

	for (i = 1; i <= KEYS / 2; i += 7) {
		first = key_of(&self->stream, i);
		last = key_of(&self->stream, KEYS + 1 - i);
		for (flags = 0; flags <= BLINK_TREE_SCAN_DESC; flags++) {
			query = (struct u128_query){ .kind = U128_WALK,
						     .flags = flags,
						     .handle = self->handle,
						     .high = first.high,
						     .low = first.low,
						     .last_high = last.high,
						     .last_low = last.low };
			ASSERT_EQ(0, ask(self->program, &query));
			ASSERT_EQ(0, query.error);
			ASSERT_EQ(KEYS + 2 - 2 * i, query.count);
			ASSERT_EQ(0, query.jumps);
			ASSERT_TRUE(found(&self->stream, &query,
					  flags ? i : KEYS + 1 - i));
		}
	}
}

TEST_F(wide, bad_arguments)
{
	struct u128_query query = { .kind = U128_WALK,
				    .handle = self->handle,
				    .high = 1 };
	int other = tree_new(0);

	EXPECT_EQ(-EINVAL, ask(self->program, &query));
	EXPECT_EQ(-EINVAL, query.error);
	query.last_high = 1;
	query.flags = BLINK_TREE_RECORD_SCAN_COUNT;
	EXPECT_EQ(-EINVAL, ask(self->program, &query));
	query.flags = 0;
	query.handle = 0;
	EXPECT_EQ(0, ask(self->program, &query));
	EXPECT_EQ(-EBADF, query.error);
	query.handle = handle_of(other);
	EXPECT_EQ(0, ask(self->program, &query));
	EXPECT_EQ(-EOPNOTSUPP, query.error);
	for (query.kind = U128_LOOKUP; query.kind <= U128_CEILING; query.kind++)
		EXPECT_EQ(-EOPNOTSUPP, ask(self->program, &query));
	close(other);
}

TEST_HARNESS_MAIN
