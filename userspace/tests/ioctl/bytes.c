// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORDS in trees whose keys are byte strings: what each operation
 * returns, for keys of all lengths; the ioctls that such trees refuse; and those that tell
 * their kind.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "bytes.h"

#define NAME "selftest.bytes"
#define HEADER sizeof(struct blink_tree_record)

FIXTURE(bytes)
{
	struct stream s;
};

FIXTURE_VARIANT(bytes)
{
	struct blink_tree_ioc_create how;
};

ADD_BYTES(bytes);

FIXTURE_SETUP(bytes)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(bytes)
{
	stream_close(&self->s, NAME);
}

/* The lengths at which something in a record or in a node can change. */
static const size_t lengths[] = { 0, 1, 7, 8, 9, 255, 256, 1023, 1024 };

/* Keys of one byte only, and one with NULs between other bytes. */
enum content { ZEROS, ONES, LETTERS, MIXED, CONTENTS };

static struct string key_like(enum content content, size_t length,
			      unsigned char bytes[BYTES_KEY_MAX])
{
	static const unsigned char fill[] = { 0, 0xff, 'k', 'k' };
	size_t i;

	memset(bytes, fill[content], length);
	for (i = 1; i < length && content == MIXED; i += 2)
		bytes[i] = i % 3 ? 0 : 0xff;
	return (struct string){ length, bytes };
}

/* Operations on the only key of a tree that give back values of it. */
static bool values_of(struct stream *s, struct string key)
{
	struct bytes_rec r;
	bool good = true;

#define CHECK(condition)                                                 \
	do {                                                             \
		if (!(condition)) {                                      \
			fprintf(stderr, "# line %d, key of %zu bytes\n", \
				__LINE__, key.length);                   \
			good = false;                                    \
		}                                                        \
	} while (0)
#define OP(op, ...) (r = BYTES_ONE(s, op, .key = key, ##__VA_ARGS__), &r)
#define VALUE(number) .has_value = true, .value = (number)
#define OLD(number) .has_old = true, .old = (number)
	CHECK(bare(OP(LOOKUP), -ENOENT));
	CHECK(bare(OP(REPLACE, VALUE(1)), -ENOENT));
	CHECK(bare(OP(CMPXCHG, VALUE(1), OLD(0)), -ENOENT));
	CHECK(bare(OP(CMPERASE, OLD(0)), -ENOENT));
	CHECK(bare(OP(ERASE), -ENOENT));
	CHECK(bare(OP(INSERT, VALUE(7)), 0));
	CHECK(with_value(OP(LOOKUP), 0, 7));
	CHECK(with_old(OP(INSERT, VALUE(8)), -EEXIST, 7));
	CHECK(with_old(OP(GET_OR_INSERT, VALUE(8)), 1, 7));
	CHECK(with_old(OP(STORE, VALUE(9)), 1, 7));
	CHECK(with_old(OP(REPLACE, VALUE(10)), 0, 9));
	CHECK(with_old(OP(CMPXCHG, VALUE(11), OLD(9)), -ESTALE, 10));
	CHECK(with_old(OP(CMPXCHG, VALUE(11), OLD(10)), 0, 10));
	CHECK(with_value(OP(LOOKUP), 0, 11));
	CHECK(with_old(OP(CMPERASE, OLD(10)), -ESTALE, 11));
	CHECK(with_old(OP(CMPERASE, OLD(11)), 0, 11));
	CHECK(bare(OP(GET_OR_INSERT, VALUE(12)), 0));
	CHECK(with_old(OP(ERASE), 0, 12));
	CHECK(bare(OP(STORE, VALUE(U64_MAX)), 0));
	CHECK(with_old(OP(ERASE), 0, U64_MAX));
	return good;
}

/* Operations that find the only key of a tree. */
static bool finds(struct stream *s, struct string key)
{
	const struct string least = {}, greatest = greatest_key();
	struct bytes_rec r;
	bool good = true;

#define FIND(op, from) (r = BYTES_ONE(s, op, .key = (from)), &r)
	CHECK(bare(OP(INSERT, VALUE(5)), 0));
	CHECK(found(FIND(FLOOR, key), key, 5));
	CHECK(found(FIND(CEILING, key), key, 5));
	CHECK(found(FIND(FLOOR, greatest), key, 5));
	CHECK(found(FIND(CEILING, least), key, 5));
	if (!string_same(key, least)) {
		CHECK(bare(FIND(FLOOR, least), -ENOENT));
		CHECK(bare(FIND(POP_MAX, least), -ENOENT));
	}
	if (!string_same(key, greatest)) {
		CHECK(bare(FIND(CEILING, greatest), -ENOENT));
		CHECK(bare(FIND(POP_MIN, greatest), -ENOENT));
	}
	CHECK(popped(FIND(POP_MIN, key), key, 5));
	CHECK(bare(FIND(POP_MIN, least), -ENOENT));
	CHECK(bare(OP(INSERT, VALUE(6)), 0));
	CHECK(popped(FIND(POP_MAX, greatest), key, 6));
	CHECK(bare(OP(INSERT, VALUE(7)), 0));
	CHECK(popped(FIND(POP_MAX, key), key, 7));
	CHECK(bare(OP(INSERT, VALUE(8)), 0));
	CHECK(popped(FIND(POP_MIN, least), key, 8));
	CHECK(bare(FIND(POP_MAX, greatest), -ENOENT));
	CHECK(bare(FIND(FLOOR, greatest), -ENOENT));
	CHECK(bare(FIND(CEILING, least), -ENOENT));
	return good;
}

TEST_F(bytes, operations_on_keys_of_all_lengths)
{
	unsigned char bytes[BYTES_KEY_MAX];
	struct stream *s = &self->s;
	struct string key;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		for (j = 0; j < CONTENTS; j++) {
			key = key_like(j, lengths[i], bytes);
			EXPECT_TRUE(values_of(s, key));
			EXPECT_TRUE(finds(s, key));
		}
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* The keys of all lengths together: each is found where it belongs. */
TEST_F(bytes, keys_of_all_lengths_in_one_tree)
{
	static unsigned char bytes[CONTENTS][ARRAY_SIZE(lengths)][BYTES_KEY_MAX];
	struct string keys[CONTENTS * ARRAY_SIZE(lengths)];
	struct stream *s = &self->s;
	unsigned int i, j, nr = 0;
	struct bytes_rec r;

	for (j = 0; j < CONTENTS; j++) {
		for (i = 0; i < ARRAY_SIZE(lengths); i++) {
			keys[nr] = key_like(j, lengths[i], bytes[j][i]);
			r = BYTES_ONE(s, INSERT, .key = keys[nr],
				      .has_value = true, .value = i);
			nr += !r.result;
			ASSERT_TRUE(!r.result || r.result == -EEXIST);
		}
	}
	qsort(keys, nr, sizeof(keys[0]), by_string);
	EXPECT_EQ(0, tree_check(s->tree, nr));
	for (i = 0; i < nr; i++) {
		r = BYTES_ONE(s, FLOOR, .key = keys[i]);
		EXPECT_TRUE(!r.result && string_same(r.key, keys[i]));
		r = BYTES_ONE(s, CEILING, .key = keys[i]);
		EXPECT_TRUE(!r.result && string_same(r.key, keys[i]));
	}
	for (i = 0; i < nr; i++) {
		r = BYTES_ONE(s, POP_MIN);
		ASSERT_TRUE(!r.result && string_same(r.key, keys[i]));
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* A key comes before those that begin with it, and after those that are less. */
TEST_F(bytes, order_is_that_of_memcmp)
{
	static const struct string keys[] = {
		STRING(""),	    STRING("\0"),	STRING("\0\0"),
		STRING("\0\1"),	    STRING("\1"),	STRING("a"),
		STRING("a\0"),	    STRING("a\0b"),	STRING("ab"),
		STRING("abc"),	    STRING("abd"),	STRING("b"),
		STRING("\x7f\xff"), STRING("\x80"),	STRING("\xff"),
		STRING("\xff\0"),   STRING("\xff\xff"),
	};
	const int nr = ARRAY_SIZE(keys);
	struct stream *s = &self->s;
	struct bytes_rec r;
	int i;

	for (i = nr - 1; i >= 0; i -= 2)
		ASSERT_EQ(0, BYTES_ONE(s, INSERT, .key = keys[i],
				       .has_value = true, .value = i)
				     .result);
	/* Those with even numbers are there. */
	for (i = 0; i < nr; i++) {
		r = BYTES_ONE(s, FLOOR, .key = keys[i]);
		EXPECT_TRUE(found(&r, keys[i & ~1], i & ~1));
		r = BYTES_ONE(s, CEILING, .key = keys[i]);
		EXPECT_TRUE(found(&r, keys[(i + 1) & ~1], (i + 1) & ~1));
	}
	r = BYTES_ONE(s, POP_MAX, .key = STRING("abz"));
	EXPECT_TRUE(popped(&r, keys[10], 10));
	r = BYTES_ONE(s, POP_MIN, .key = STRING("abb"));
	EXPECT_TRUE(popped(&r, keys[12], 12));
	EXPECT_EQ(0, tree_check(s->tree, nr / 2 + 1 - 2));
}

/* A well-formed record with fields that its operation does not have. */
TEST_F(bytes, wrong_fields_are_einval)
{
	const struct string key = STRING("key");
	struct stream *s = &self->s;
	struct bytes_rec r;
	unsigned int i;

#define REFUSED(op, ...) \
	(r = BYTES_ONE(s, op, .key = key, ##__VA_ARGS__), bare(&r, -EINVAL))
	EXPECT_TRUE(REFUSED(NR));
	EXPECT_TRUE(REFUSED(INSERT));
	EXPECT_TRUE(REFUSED(STORE));
	EXPECT_TRUE(REFUSED(REPLACE));
	EXPECT_TRUE(REFUSED(GET_OR_INSERT));
	EXPECT_TRUE(REFUSED(CMPXCHG));
	EXPECT_TRUE(REFUSED(CMPXCHG, VALUE(1)));
	EXPECT_TRUE(REFUSED(CMPXCHG, OLD(1)));
	EXPECT_TRUE(REFUSED(CMPERASE));
	EXPECT_TRUE(REFUSED(CMPERASE, VALUE(1), OLD(1)));
	EXPECT_TRUE(REFUSED(LOOKUP, VALUE(1)));
	EXPECT_TRUE(REFUSED(LOOKUP, OLD(1)));
	EXPECT_TRUE(REFUSED(INSERT, VALUE(1), OLD(1)));
	EXPECT_TRUE(REFUSED(ERASE, VALUE(1)));
	EXPECT_TRUE(REFUSED(ERASE, OLD(1)));
	EXPECT_TRUE(REFUSED(FLOOR, VALUE(1)));
	EXPECT_TRUE(REFUSED(CEILING, OLD(1)));
	EXPECT_TRUE(REFUSED(POP_MIN, VALUE(1)));
	EXPECT_TRUE(REFUSED(POP_MAX, OLD(1)));
	/* Values have 8 bytes. */
	for (i = 1; i <= 4096; i = i < 32 ? i + 1 : i * 2) {
		struct blink_tree_record *header = (void *)s->input;

		memset(s->input, 0, HEADER + 8 + 4096);
		*header = (struct blink_tree_record){
			.length = HEADER + 8 + bytes_padded(i),
			.opcode = BLINK_TREE_OP_STORE,
			.key_length = 3,
			.value_length = i,
		};
		EXPECT_EQ(0, stream_call(s, 0, header->length, HEADER + 8));
		EXPECT_EQ(1, s->arg.done);
		EXPECT_EQ(i == 8 ? 0 : -EINVAL,
			  ((struct blink_tree_record *)s->output)->result);
	}
	EXPECT_EQ(0, tree_check(s->tree, 1));
}

static const unsigned int readers = 1u << BLINK_TREE_OP_LOOKUP |
				    1u << BLINK_TREE_OP_FLOOR |
				    1u << BLINK_TREE_OP_CEILING;
static const unsigned int writers =
	1u << BLINK_TREE_OP_INSERT | 1u << BLINK_TREE_OP_STORE |
	1u << BLINK_TREE_OP_REPLACE | 1u << BLINK_TREE_OP_ERASE;

static bool forbidden(struct stream *s, unsigned int opcode)
{
	struct bytes_rec r = bytes_one(s, &(struct bytes_rec){
						  .opcode = opcode,
						  .key = STRING("key"),
						  .has_value = true,
						  .has_old = true,
					  });

	return bare(&r, -EBADF);
}

TEST_F(bytes, permissions)
{
	const struct string key = STRING("key");
	struct stream s = self->s;
	struct bytes_rec r;
	unsigned int i;

	BYTES_ONE(&s, INSERT, .key = key, VALUE(7));
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_READ);
	ASSERT_GE(s.tree, 0);
	for (i = 0; i < BLINK_TREE_OP_NR; i++)
		EXPECT_EQ(!(readers >> i & 1), forbidden(&s, i));
	r = BYTES_ONE(&s, LOOKUP, .key = key);
	EXPECT_TRUE(with_value(&r, 0, 7));
	r = BYTES_ONE(&s, FLOOR, .key = key);
	EXPECT_TRUE(found(&r, key, 7));
	s.arg = (struct blink_tree_ioc_records){
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 1,
	};
	EXPECT_EQ(-EBADF, call(s.tree, BLINK_TREE_IOC_RECORDS, &s.arg));
	close(s.tree);
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(s.tree, 0);
	for (i = 0; i < BLINK_TREE_OP_NR; i++)
		EXPECT_EQ(!(writers >> i & 1), forbidden(&s, i));
	/* Results that would tell a value. */
	r = BYTES_ONE(&s, INSERT, .key = key, VALUE(8));
	EXPECT_TRUE(bare(&r, -EEXIST));
	r = BYTES_ONE(&s, STORE, .key = key, VALUE(8));
	EXPECT_TRUE(bare(&r, 1));
	r = BYTES_ONE(&s, REPLACE, .key = key, VALUE(9));
	EXPECT_TRUE(bare(&r, 0));
	r = BYTES_ONE(&s, ERASE, .key = key);
	EXPECT_TRUE(bare(&r, 0));
	close(s.tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 0));
}

/* What a tree without another key answers a full one, and what it does not change. */
TEST_F(bytes, full_tree)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream s = self->s;
	unsigned char bytes[BYTES_KEY_MAX] = {};
	unsigned int i, added = 0;
	struct bytes_rec r;

	how.max_entries = 100;
	s.tree = tree_new_as(&how);
	ASSERT_GE(s.tree, 0);
	for (i = 0; i < 150; i++) {
		bytes[BYTES_KEY_MAX - 1] = i;
		r = BYTES_ONE(&s, INSERT, .key = { BYTES_KEY_MAX, bytes },
			      VALUE(i));
		ASSERT_TRUE(bare(&r, i < 100 ? 0 : -ENOSPC));
		added += !r.result;
	}
	EXPECT_EQ(0, tree_check(s.tree, added));
	/* A key that is there needs no room. */
	bytes[BYTES_KEY_MAX - 1] = 99;
	r = BYTES_ONE(&s, STORE, .key = { BYTES_KEY_MAX, bytes }, VALUE(1));
	EXPECT_TRUE(with_old(&r, 1, 99));
	close(s.tree);
}

/* The memory of keys counts: trees of long keys are full before those of short ones. */
TEST_F(bytes, full_of_bytes)
{
	struct blink_tree_ioc_create how = variant->how;
	struct blink_tree_ioc_stats stats;
	struct stream s = self->s;
	unsigned char bytes[BYTES_KEY_MAX] = {};
	unsigned int i;
	struct bytes_rec r;

	how.max_bytes = 1 << 20;
	s.tree = tree_new_as(&how);
	ASSERT_GE(s.tree, 0);
	for (i = 0; i < 10000; i++) {
		memcpy(bytes + BYTES_KEY_MAX - sizeof(i), &i, sizeof(i));
		bytes[0] = i % 251;
		r = BYTES_ONE(&s, INSERT, .key = { BYTES_KEY_MAX, bytes },
			      VALUE(i));
		if (r.result)
			break;
	}
	EXPECT_TRUE(bare(&r, -ENOSPC));
	EXPECT_LE(1, i);
	EXPECT_GE((1 << 20) / BYTES_KEY_MAX, i);
	EXPECT_EQ(0, tree_stats(s.tree, &stats));
	EXPECT_GE(1 << 20, stats.bytes);
	EXPECT_TRUE(tree_sound(s.tree, i));
	close(s.tree);
}

TEST_F(bytes, ioctls_with_numbers_are_eopnotsupp)
{
	struct blink_tree_entry entry = { .key = 1 };
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_STORE };
	struct blink_tree_ioc_load load = {
		.count = 1,
		.entries = ptr_to_u64(&entry),
		.fill = 100,
		.entry_size = sizeof(entry),
	};
	struct blink_tree_ioc_scan scan = {
		.capacity = 1,
		.last = U64_MAX,
		.entries = ptr_to_u64(&entry),
		.entry_size = sizeof(entry),
	};
	struct blink_tree_ioc_erase_range erase = { .last = U64_MAX };
	int tree = self->s.tree;
	unsigned int done;

	BYTES_ONE(&self->s, INSERT, .key = STRING("12345678"), VALUE(1));
	EXPECT_EQ(-EOPNOTSUPP, op_call(tree, &op));
	op.opcode = BLINK_TREE_OP_LOOKUP;
	EXPECT_EQ(-EOPNOTSUPP, batch(tree, &op, 1, &done));
	EXPECT_EQ(-EOPNOTSUPP, call(tree, BLINK_TREE_IOC_LOAD, &load));
	EXPECT_EQ(-EOPNOTSUPP, call(tree, BLINK_TREE_IOC_SCAN, &scan));
	EXPECT_EQ(-EOPNOTSUPP, call(tree, BLINK_TREE_IOC_ERASE_RANGE, &erase));
	EXPECT_EQ(0, tree_check(tree, 1));
}

static int list_entry(int device, const char *name,
		      struct blink_tree_list_entry *found_entry)
{
	struct blink_tree_ioc_list arg = {
		.capacity = 1,
		.trees = ptr_to_u64(found_entry),
		.entry_size = sizeof(*found_entry),
	};
	int ret;

	do {
		ret = call(device, BLINK_TREE_IOC_LIST, &arg);
		if (ret || !arg.count)
			return ret ? ret : -ENOENT;
	} while (strcmp(found_entry->name, name));
	return 0;
}

TEST_F(bytes, the_kind_is_told)
{
	struct blink_tree_ioc_attr attr = {};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_list_entry entry;

	EXPECT_EQ(0, call(self->s.tree, BLINK_TREE_IOC_ATTR, &attr));
	EXPECT_EQ(BLINK_TREE_KEY_BYTES, attr.key);
	EXPECT_EQ(variant->how.replication, attr.replication);
	EXPECT_EQ(0, attr.create_flags);
	EXPECT_EQ(0, tree_stats(self->s.tree, &stats));
	EXPECT_EQ(BLINK_TREE_KEY_BYTES, stats.key);
	ASSERT_EQ(0, list_entry(self->s.device, NAME, &entry));
	EXPECT_EQ(BLINK_TREE_KEY_BYTES, entry.key);
}

TEST(creation)
{
	struct blink_tree_ioc_create how = {
		.flags = BLINK_TREE_CREATE_COMPRESS,
		.key = BLINK_TREE_KEY_BYTES,
	};
	struct blink_tree_ioc_info info = {};
	int device = device_open();

	ASSERT_GE(device, 0);
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	how.flags = 0;
	how.key = BLINK_TREE_KEY_BYTES + 1;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	EXPECT_EQ(0, call(device, BLINK_TREE_IOC_INFO, &info));
	EXPECT_EQ(BLINK_TREE_FEATURE_BYTES,
		  info.features & BLINK_TREE_FEATURE_BYTES);
	close(device);
}

TEST_HARNESS_MAIN
