// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORDS in trees with values of bytes: what each operation returns, for
 * values of all lengths and keys of each kind; limits; and the memory of values.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "values.h"

#define NAME "selftest.values"
#define HEADER sizeof(struct blink_tree_record)

FIXTURE(values)
{
	struct stream s;
	struct string key;
};

FIXTURE_VARIANT(values)
{
	struct blink_tree_ioc_create how;
};

ADD_VALUES(values);

FIXTURE_SETUP(values)
{
	static unsigned char bytes[BYTES_KEY_MAX];

	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
	self->key = key_like(self->s.kind, 5);
	memcpy(bytes, self->key.data, self->key.length);
	self->key.data = bytes;
}

FIXTURE_TEARDOWN(values)
{
	stream_close(&self->s, NAME);
}

#define CHECK(condition)                                                 \
	do {                                                             \
		if (!(condition)) {                                      \
			fprintf(stderr,                                  \
				"# line %d: values of %zu, %zu bytes\n", \
				__LINE__, x.length, y.length);           \
			good = false;                                    \
		}                                                        \
	} while (0)
#define OP(op, ...) (r = VALUES_ONE(s, op, .key = key, ##__VA_ARGS__), &r)

/* Operations on the only key of a tree that add, replace and return its value. */
static bool plain_updates(struct stream *s, struct string key, struct string x,
			  struct string y)
{
	struct values_rec r;
	bool good = true;

	CHECK(bare(OP(LOOKUP), -ENOENT));
	CHECK(bare(OP(REPLACE, .value = x), -ENOENT));
	CHECK(bare(OP(ERASE), -ENOENT));
	CHECK(bare(OP(INSERT, .value = x), 0));
	CHECK(with_value(OP(LOOKUP), 0, x));
	CHECK(with_old(OP(INSERT, .value = y), -EEXIST, x));
	CHECK(with_old(OP(GET_OR_INSERT, .value = y), 1, x));
	CHECK(with_value(OP(LOOKUP), 0, x));
	CHECK(with_old(OP(STORE, .value = y), 1, x));
	CHECK(with_value(OP(LOOKUP), 0, y));
	CHECK(with_old(OP(REPLACE, .value = x), 0, y));
	CHECK(with_old(OP(REPLACE, .value = x), 0, x));
	CHECK(with_old(OP(ERASE), 0, x));
	CHECK(bare(OP(GET_OR_INSERT, .value = y), 0));
	CHECK(with_old(OP(ERASE), 0, y));
	CHECK(bare(OP(STORE, .value = x), 0));
	CHECK(with_old(OP(ERASE), 0, x));
	CHECK(bare(OP(LOOKUP), -ENOENT));
	return good;
}

/* Operations that compare the value of the only key of a tree. */
static bool comparing_updates(struct stream *s, struct string key,
			      struct string x, struct string y)
{
	const bool same = string_same(x, y);
	struct values_rec r;
	bool good = true;

	CHECK(bare(OP(CMPXCHG, .value = y, .old = x), -ENOENT));
	CHECK(bare(OP(CMPERASE, .old = x), -ENOENT));
	CHECK(bare(OP(INSERT, .value = x), 0));
	CHECK(with_old(OP(CMPXCHG, .value = x, .old = y), same ? 0 : -ESTALE,
		       x));
	CHECK(with_value(OP(LOOKUP), 0, x));
	CHECK(with_old(OP(CMPXCHG, .value = x, .old = x), 0, x));
	CHECK(with_old(OP(CMPXCHG, .value = y, .old = x), 0, x));
	CHECK(with_value(OP(LOOKUP), 0, y));
	if (!same)
		CHECK(with_old(OP(CMPERASE, .old = x), -ESTALE, y));
	CHECK(with_value(OP(LOOKUP), 0, y));
	CHECK(with_old(OP(CMPERASE, .old = y), 0, y));
	CHECK(bare(OP(CMPERASE, .old = y), -ENOENT));
	return good;
}

/* Operations that find the only key of a tree. */
static bool finds(struct stream *s, struct string key, struct string x,
		  struct string y)
{
	const struct string least = least_key(s->kind);
	const struct string greatest = greatest_key(s->kind);
	struct values_rec r;
	bool good = true;

#define FIND(op, from) (r = VALUES_ONE(s, op, .key = (from)), &r)
	CHECK(bare(OP(INSERT, .value = x), 0));
	CHECK(found(FIND(FLOOR, key), key, x));
	CHECK(found(FIND(CEILING, key), key, x));
	CHECK(found(FIND(FLOOR, greatest), key, x));
	CHECK(found(FIND(CEILING, least), key, x));
	CHECK(bare(FIND(FLOOR, least), -ENOENT));
	CHECK(bare(FIND(CEILING, greatest), -ENOENT));
	CHECK(bare(FIND(POP_MAX, least), -ENOENT));
	CHECK(bare(FIND(POP_MIN, greatest), -ENOENT));
	CHECK(popped(FIND(POP_MIN, least), key, x));
	CHECK(bare(FIND(POP_MIN, least), -ENOENT));
	CHECK(bare(OP(INSERT, .value = y), 0));
	CHECK(popped(FIND(POP_MAX, greatest), key, y));
	CHECK(bare(FIND(FLOOR, greatest), -ENOENT));
	CHECK(bare(FIND(CEILING, least), -ENOENT));
	return good;
}

TEST_F(values, operations_on_values_of_all_lengths)
{
	struct stream *s = &self->s;
	unsigned int i, j;

	for (i = 0; i < VALUE_LENGTHS; i++) {
		for (j = 0; j < VALUE_LENGTHS; j++) {
			struct string x = value_like(1, value_lengths[i]);
			struct string y = value_like(2, value_lengths[j]);

			EXPECT_TRUE(plain_updates(s, self->key, x, y));
			EXPECT_TRUE(comparing_updates(s, self->key, x, y));
			EXPECT_TRUE(finds(s, self->key, x, y));
		}
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* A value differs from another one by any byte, and by its length alone. */
TEST_F(values, values_are_compared_as_a_whole)
{
	const struct string key = self->key;
	unsigned char bytes[VALUES_MAX + 8] = {};
	struct stream *s = &self->s;
	struct values_rec r;
	unsigned int i, at;

	for (i = 0; i < VALUE_LENGTHS; i++) {
		const size_t length = value_lengths[i];
		const struct string value = { length, bytes };
		const struct string shorter = { length - 1, bytes };
		const struct string longer = { length + 1, bytes };

		EXPECT_TRUE(bare(OP(STORE, .value = value), 0));
		/* They have the same bytes, with the padding. */
		if (length) {
			EXPECT_TRUE(with_old(OP(CMPERASE, .old = shorter),
					     -ESTALE, value));
		}
		if (length < VALUES_MAX) {
			EXPECT_TRUE(with_old(OP(CMPERASE, .old = longer),
					     -ESTALE, value));
		}
		for (at = 0; at < length; at += at < 16 ? 1 : 293) {
			unsigned char other[VALUES_MAX] = {};
			const struct string wrong = { length, other };

			other[length - 1 - at] = 1;
			EXPECT_TRUE(with_old(OP(CMPXCHG, .value = wrong,
						.old = wrong),
					     -ESTALE, value));
		}
		EXPECT_TRUE(with_value(OP(LOOKUP), 0, value));
		EXPECT_TRUE(with_old(OP(CMPERASE, .old = value), 0, value));
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* Many keys with values of all lengths: the nearest ones, and the order of pops. */
TEST_F(values, many_keys)
{
	struct stream *s = &self->s;
	struct values_rec r;
	unsigned int i;

	for (i = 0; i < 300; i++)
		ASSERT_EQ(0,
			  VALUES_ONE(s, INSERT,
				     .key = key_like(s->kind, i * 7 % 300 * 2),
				     .value = value_for(i * 7 % 300 * 2))
				  .result);
	EXPECT_EQ(0, tree_check(s->tree, 300));
	for (i = 0; i < 599; i++) {
		r = VALUES_ONE(s, FLOOR, .key = key_like(s->kind, i));
		EXPECT_TRUE(found(&r, key_like(s->kind, i & ~1u),
				  value_for(i & ~1u)));
		r = VALUES_ONE(s, CEILING, .key = key_like(s->kind, i));
		EXPECT_TRUE(found(&r, key_like(s->kind, (i + 1) & ~1u),
				  value_for((i + 1) & ~1u)));
	}
	for (i = 0; i < 300; i += 2) {
		r = VALUES_ONE(s, POP_MIN, .key = least_key(s->kind));
		EXPECT_TRUE(popped(&r, key_like(s->kind, i), value_for(i)));
		r = VALUES_ONE(s, POP_MAX, .key = greatest_key(s->kind));
		EXPECT_TRUE(popped(&r, key_like(s->kind, 598 - i),
				   value_for(598 - i)));
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* A well-formed record with fields that its operation does not have. */
TEST_F(values, wrong_fields_are_einval)
{
	const struct string x = value_like(1, 8), key = self->key;
	struct stream *s = &self->s;
	struct values_rec r;

#define REFUSED(op, ...) bare(OP(op, ##__VA_ARGS__), -EINVAL)
	EXPECT_TRUE(bare(OP(STORE, .value = x), 0));
	EXPECT_TRUE(REFUSED(NR));
	EXPECT_TRUE(REFUSED(LOOKUP, .value = x));
	EXPECT_TRUE(REFUSED(LOOKUP, .old = x));
	EXPECT_TRUE(REFUSED(INSERT, .value = x, .old = x));
	EXPECT_TRUE(REFUSED(STORE, .old = x));
	EXPECT_TRUE(REFUSED(REPLACE, .value = x, .old = x));
	EXPECT_TRUE(REFUSED(GET_OR_INSERT, .value = x, .old = x));
	EXPECT_TRUE(REFUSED(CMPERASE, .value = x, .old = x));
	EXPECT_TRUE(REFUSED(ERASE, .value = x));
	EXPECT_TRUE(REFUSED(ERASE, .old = x));
	EXPECT_TRUE(REFUSED(FLOOR, .value = value_like(1, 1)));
	EXPECT_TRUE(REFUSED(CEILING, .old = value_like(1, 4096)));
	EXPECT_TRUE(REFUSED(POP_MIN, .value = x));
	EXPECT_TRUE(REFUSED(POP_MAX, .old = x));
	/* Keys that are numbers have one length. */
	r = VALUES_ONE(s, STORE,
		       .key = { key.length + 1, greatest_key(0).data },
		       .value = x);
	EXPECT_TRUE(bare(&r, s->kind == BLINK_TREE_KEY_BYTES ? 0 : -EINVAL));
	EXPECT_TRUE(with_value(OP(LOOKUP), 0, x));
	EXPECT_TRUE(
		tree_sound(s->tree, s->kind == BLINK_TREE_KEY_BYTES ? 2 : 1));
}

static const unsigned int readers = 1u << BLINK_TREE_OP_LOOKUP |
				    1u << BLINK_TREE_OP_FLOOR |
				    1u << BLINK_TREE_OP_CEILING;
static const unsigned int writers =
	1u << BLINK_TREE_OP_INSERT | 1u << BLINK_TREE_OP_STORE |
	1u << BLINK_TREE_OP_REPLACE | 1u << BLINK_TREE_OP_ERASE;

/* The descriptor refuses an operation, whatever fields it has. */
static bool forbidden(struct stream *s, struct string key, unsigned int opcode)
{
	struct values_rec r = values_one(s, &(struct values_rec){
						    .opcode = opcode,
						    .key = key,
						    .value = STRING("value"),
						    .old = STRING("old"),
					    });

	return bare(&r, -EBADF);
}

TEST_F(values, read_only)
{
	const struct string x = value_like(1, 4096), key = self->key;
	struct stream copy = self->s, *s = &copy;
	struct values_rec r;
	unsigned int i;

	EXPECT_TRUE(bare(OP(INSERT, .value = x), 0));
	s->tree = tree_open(s->device, NAME, BLINK_TREE_OPEN_READ);
	ASSERT_GE(s->tree, 0);
	for (i = 0; i < BLINK_TREE_OP_NR; i++)
		EXPECT_EQ(!(readers >> i & 1), forbidden(s, key, i));
	EXPECT_TRUE(with_value(OP(LOOKUP), 0, x));
	EXPECT_TRUE(found(OP(FLOOR), key, x));
	EXPECT_TRUE(found(OP(CEILING), key, x));
	values_fill(s, BLINK_TREE_OP_INSERT, 10, 1);
	EXPECT_EQ(-EBADF, values_load(s, 100));
	close(s->tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 1));
}

/* No byte of a value is told to a descriptor that cannot read. */
TEST_F(values, write_only)
{
	struct stream copy = self->s, *s = &copy;
	const struct string key = self->key;
	struct values_rec r;
	unsigned int i, j;
	size_t at;

	s->tree = tree_open(s->device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(s->tree, 0);
	for (i = 0; i < BLINK_TREE_OP_NR; i++)
		EXPECT_EQ(!(writers >> i & 1), forbidden(s, key, i));
	for (i = 0; i < VALUE_LENGTHS; i++) {
		const struct string x = value_like(1, value_lengths[i]);
		const struct string y = value_like(2, value_lengths[i]);

		EXPECT_TRUE(bare(OP(INSERT, .value = x), 0));
		EXPECT_TRUE(bare(OP(INSERT, .value = y), -EEXIST));
		EXPECT_TRUE(bare(OP(STORE, .value = y), 1));
		EXPECT_TRUE(bare(OP(REPLACE, .value = x), 0));
		EXPECT_TRUE(bare(OP(ERASE), 0));
		/* Nothing is written behind the results. */
		for (j = 0; j < 40; j++)
			ADD_VALUES_REC(s, STORE, .key = key, .value = x);
		memset(s->output, 0xee, 1 << 19);
		ASSERT_EQ(0, stream_call(s, 0, s->size, 1 << 19));
		EXPECT_EQ(s->arg.done * HEADER, s->arg.output_used);
		for (at = s->arg.output_used; at < 1 << 19; at++)
			ASSERT_EQ('\xee', s->output[at]);
		EXPECT_TRUE(bare(OP(ERASE), 0));
	}
	close(s->tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 0));
}

/* Put values into a tree and take them out again, by one operation each. */
static bool churn(struct stream *s, unsigned int opcode)
{
	unsigned int i;

	for (i = 0; i < 40; i++) {
		const struct string key =
			key_like(s->kind, takes_value(opcode) ? 1 : i);
		struct values_rec r, rec = { .opcode = opcode, .key = key };

		r = VALUES_ONE(s, STORE, .key = key,
			       .value = value_like(i, VALUES_MAX));
		if (r.result && r.result != 1)
			return false;
		if (takes_value(opcode))
			rec.value = value_like(i, VALUES_MAX - 1);
		if (takes_old(opcode))
			rec.old = value_like(i, VALUES_MAX);
		if (gives_key(opcode))
			rec.key = opcode == BLINK_TREE_OP_POP_MAX ?
					  greatest_key(s->kind) :
					  least_key(s->kind);
		values_one(s, &rec);
	}
	return true;
}

/* Values are charged to their tree, and what is replaced or removed comes back. */
TEST_F(values, memory_of_values)
{
	const __u64 empty = memory_of(self->s.tree);
	struct stream *s = &self->s;
	struct blink_tree_ioc_record_scan all = {
		.first = ptr_to_u64(s->input),
		.last = ptr_to_u64(s->output),
	};
	unsigned int i;

	for (i = 0; i < 100; i++)
		VALUES_ONE(s, STORE, .key = key_like(s->kind, i),
			   .value = value_like(i, VALUES_MAX));
	EXPECT_LE(100 * VALUES_MAX, blocks_of(s->tree));
	EXPECT_LE(empty + 100 * VALUES_MAX, memory_of(s->tree));
	EXPECT_EQ(100, range_erase(s, &all));
	EXPECT_TRUE(values_vanish(s));
	for (i = 0; i < BLINK_TREE_OP_NR; i++) {
		ASSERT_TRUE(churn(s, i));
		ASSERT_LE(0, range_erase(s, &all));
		EXPECT_TRUE(values_vanish(s))
		TH_LOG("opcode %u", i);
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* An update of a tree that is full takes no value away, and all of them remain. */
TEST_F(values, full_of_bytes)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream copy = self->s, *s = &copy;
	const struct string key = self->key;
	struct values_rec r;
	unsigned int i, j;

	how.max_bytes = 1 << 20;
	s->tree = tree_new_as(&how);
	ASSERT_GE(s->tree, 0);
	for (i = 0; i < 10000; i++) {
		r = VALUES_ONE(s, INSERT, .key = key_like(s->kind, 10 + i),
			       .value = value_like(i, VALUES_MAX));
		if (r.result)
			break;
	}
	EXPECT_TRUE(bare(&r, -ENOSPC));
	EXPECT_LT(100, i);
	EXPECT_GT((1 << 20) / VALUES_MAX, i);
	EXPECT_GE(1 << 20, memory_of(s->tree));
	for (j = 0; j < i; j++) {
		r = VALUES_ONE(s, LOOKUP, .key = key_like(s->kind, 10 + j));
		ASSERT_TRUE(with_value(&r, 0, value_like(j, VALUES_MAX)));
	}
	EXPECT_TRUE(
		bare(OP(STORE, .value = value_like(1, VALUES_MAX)), -ENOSPC));
	EXPECT_TRUE(tree_sound(s->tree, i));
	/* With room, it takes values again. */
	for (j = 0; j < i; j++)
		VALUES_ONE(s, ERASE, .key = key_like(s->kind, 10 + j));
	EXPECT_TRUE(values_vanish(s));
	EXPECT_TRUE(bare(OP(STORE, .value = value_like(1, VALUES_MAX)), 0));
	EXPECT_TRUE(tree_sound(s->tree, 1));
	close(s->tree);
}

/* An operation needs the memory of its value also to replace another one. */
TEST_F(values, replacing_in_a_full_tree)
{
	const struct string x = value_like(1, 1), y = value_like(2, VALUES_MAX);
	const unsigned int limit = BLINK_TREE_ATTR_MAX_BYTES;
	struct blink_tree_ioc_attr full = { .flags = limit, .max_bytes = 1 };
	struct blink_tree_ioc_attr none = { .flags = limit };
	const struct string key = self->key;
	struct stream *s = &self->s;
	struct values_rec r;

	EXPECT_TRUE(bare(OP(INSERT, .value = x), 0));
	EXPECT_EQ(0, call(s->tree, BLINK_TREE_IOC_ATTR, &full));
	EXPECT_TRUE(bare(OP(STORE, .value = y), -ENOSPC));
	EXPECT_TRUE(bare(OP(REPLACE, .value = y), -ENOSPC));
	EXPECT_TRUE(bare(OP(CMPXCHG, .value = y, .old = x), -ENOSPC));
	EXPECT_TRUE(with_value(OP(LOOKUP), 0, x));
	EXPECT_TRUE(found(OP(FLOOR), key, x));
	EXPECT_TRUE(with_old(OP(CMPERASE, .old = y), -ESTALE, x));
	EXPECT_TRUE(with_old(OP(ERASE), 0, x));
	EXPECT_EQ(0, call(s->tree, BLINK_TREE_IOC_ATTR, &none));
	EXPECT_TRUE(bare(OP(INSERT, .value = y), 0));
	EXPECT_EQ(0, tree_check(s->tree, 1));
}

TEST_F(values, full_of_entries)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream copy = self->s, *s = &copy;
	struct values_rec r;
	unsigned int i;

	how.max_entries = 50;
	s->tree = tree_new_as(&how);
	ASSERT_GE(s->tree, 0);
	for (i = 0; i < 80; i++) {
		r = VALUES_ONE(s, INSERT, .key = key_like(s->kind, i),
			       .value = value_for(i));
		EXPECT_TRUE(bare(&r, i < 50 ? 0 : -ENOSPC));
	}
	r = VALUES_ONE(s, STORE, .key = key_like(s->kind, 49),
		       .value = value_for(1));
	EXPECT_TRUE(with_old(&r, 1, value_for(49)));
	EXPECT_EQ(0, tree_check(s->tree, 50));
	close(s->tree);
}

TEST_F(values, ioctls_with_numbers_are_eopnotsupp)
{
	struct blink_tree_entry entry = { .key = 1 };
	struct blink_tree_ioc_op op = {};
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
	unsigned int done, i;

	VALUES_ONE(&self->s, INSERT, .key = self->key,
		   .value = value_like(1, 8));
	for (i = 0; i < BLINK_TREE_OP_NR; i++) {
		op.opcode = i;
		EXPECT_EQ(-EOPNOTSUPP, op_call(tree, &op));
		EXPECT_EQ(-EOPNOTSUPP, batch(tree, &op, 1, &done));
	}
	EXPECT_EQ(-EOPNOTSUPP, call(tree, BLINK_TREE_IOC_LOAD, &load));
	EXPECT_EQ(-EOPNOTSUPP, call(tree, BLINK_TREE_IOC_SCAN, &scan));
	scan = (struct blink_tree_ioc_scan){
		.flags = BLINK_TREE_SCAN_COUNT,
		.last = U64_MAX,
	};
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

TEST_F(values, the_flag_is_told)
{
	struct blink_tree_ioc_attr attr = {};
	struct blink_tree_ioc_stats stats = {};
	struct blink_tree_list_entry entry;

	EXPECT_EQ(0, call(self->s.tree, BLINK_TREE_IOC_ATTR, &attr));
	EXPECT_EQ(BLINK_TREE_CREATE_BYTE_VALUES, attr.create_flags);
	EXPECT_EQ(variant->how.key, attr.key);
	EXPECT_EQ(0, tree_stats(self->s.tree, &stats));
	EXPECT_EQ(BLINK_TREE_CREATE_BYTE_VALUES, stats.create_flags);
	EXPECT_EQ(variant->how.key, stats.key);
	ASSERT_EQ(0, list_entry(self->s.device, NAME, &entry));
	EXPECT_EQ(BLINK_TREE_CREATE_BYTE_VALUES, entry.create_flags);
	EXPECT_EQ(variant->how.key, entry.key);
}

TEST(creation)
{
	struct blink_tree_ioc_create how = { BYTE_VALUES };
	struct blink_tree_ioc_info info = {};
	int device = device_open();

	ASSERT_GE(device, 0);
	how.key = BLINK_TREE_KEY_MULTI;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	how.key = BLINK_TREE_KEY_U64;
	how.flags |= BLINK_TREE_CREATE_COMPRESS;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	how.flags = BLINK_TREE_CREATE_BYTE_VALUES << 1;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	EXPECT_EQ(0, call(device, BLINK_TREE_IOC_INFO, &info));
	EXPECT_TRUE(info.features & BLINK_TREE_FEATURE_BYTE_VALUES);
	close(device);
}

TEST_HARNESS_MAIN
