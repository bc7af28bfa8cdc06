// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORDS in trees with keys of all kinds: what each operation returns,
 * which streams are refused, and how a call ends early.
 */
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#define NAME "selftest.records"
#define KEYS 1000
#define HEADER sizeof(struct blink_tree_record)

FIXTURE(records)
{
	struct stream s;
};

FIXTURE_VARIANT(records)
{
	struct blink_tree_ioc_create how;
};

ADD_KINDS(records);

FIXTURE_SETUP(records)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(records)
{
	stream_close(&self->s, NAME);
}

static bool same_key(struct key a, struct key b)
{
	return a.high == b.high && a.low == b.low;
}

TEST_F(records, operations_of_unique_keys)
{
	struct stream *s = &self->s;
	const struct key key = key_number(s->kind, 5);
	struct rec r;

	if (s->kind == BLINK_TREE_KEY_MULTI)
		SKIP(return, "keys are not unique");
	r = ONE(s, LOOKUP, .key = key);
	EXPECT_TRUE(r.result == -ENOENT && !r.has_value && !r.has_key);
	r = ONE(s, INSERT, .key = key, .has_value = true, .value = 7);
	EXPECT_TRUE(!r.result && !r.has_old && !r.has_value);
	r = ONE(s, INSERT, .key = key, .has_value = true, .value = 8);
	EXPECT_TRUE(r.result == -EEXIST && r.has_old && r.old == 7);
	r = ONE(s, GET_OR_INSERT, .key = key, .has_value = true, .value = 8);
	EXPECT_TRUE(r.result == 1 && r.has_old && r.old == 7);
	r = ONE(s, STORE, .key = key, .has_value = true, .value = 9);
	EXPECT_TRUE(r.result == 1 && r.has_old && r.old == 7);
	r = ONE(s, REPLACE, .key = key, .has_value = true, .value = 10);
	EXPECT_TRUE(!r.result && r.has_old && r.old == 9);
	r = ONE(s, CMPXCHG, .key = key, .has_value = true, .value = 11,
		.has_old = true, .old = 9);
	EXPECT_TRUE(r.result == -ESTALE && r.has_old && r.old == 10);
	r = ONE(s, CMPXCHG, .key = key, .has_value = true, .value = 11,
		.has_old = true, .old = 10);
	EXPECT_TRUE(!r.result && r.has_old && r.old == 10);
	r = ONE(s, LOOKUP, .key = key);
	EXPECT_TRUE(!r.result && r.has_value && r.value == 11 && !r.has_key);
	r = ONE(s, FLOOR, .key = key_number(s->kind, 6));
	EXPECT_TRUE(!r.result && r.has_key && same_key(r.key, key));
	EXPECT_TRUE(r.has_value && r.value == 11 && !r.has_old);
	r = ONE(s, CEILING, .key = key_number(s->kind, 6));
	EXPECT_TRUE(r.result == -ENOENT && !r.has_key && !r.has_value);
	r = ONE(s, CEILING, .key = {});
	EXPECT_TRUE(!r.result && r.has_key && same_key(r.key, key));
	r = ONE(s, CMPERASE, .key = key, .has_old = true, .old = 10);
	EXPECT_TRUE(r.result == -ESTALE && r.has_old && r.old == 11);
	r = ONE(s, CMPERASE, .key = key, .has_old = true, .old = 11);
	EXPECT_TRUE(!r.result && r.has_old && r.old == 11);
	r = ONE(s, GET_OR_INSERT, .key = key, .has_value = true, .value = 12);
	EXPECT_TRUE(!r.result && !r.has_old);
	r = ONE(s, POP_MIN, .key = key_number(s->kind, 6));
	EXPECT_TRUE(r.result == -ENOENT && !r.has_key && !r.has_old);
	r = ONE(s, POP_MIN, .key = {});
	EXPECT_TRUE(!r.result && same_key(r.key, key) && r.old == 12);
	EXPECT_TRUE(r.has_key && r.has_old && !r.has_value);
	ONE(s, INSERT, .key = key, .has_value = true, .value = 13);
	r = ONE(s, POP_MAX, .key = key_number(s->kind, 6));
	EXPECT_TRUE(!r.result && same_key(r.key, key) && r.old == 13);
	EXPECT_EQ(-ENOENT, ONE(s, ERASE, .key = key).result);
	ONE(s, INSERT, .key = key, .has_value = true, .value = 14);
	r = ONE(s, ERASE, .key = key);
	EXPECT_TRUE(!r.result && r.has_old && r.old == 14);
	EXPECT_EQ(-ENOENT,
		  ONE(s, REPLACE, .key = key, .has_value = true).result);
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

TEST_F(records, operations_of_pairs)
{
	struct stream *s = &self->s;
	struct rec r;
	__u64 i;

	if (s->kind != BLINK_TREE_KEY_MULTI)
		SKIP(return, "keys are unique");
	for (i = 0; i < 3; i++)
		EXPECT_EQ(0, ONE(s, INSERT, .key.low = 5, .has_value = true,
				 .value = i)
				     .result);
	r = ONE(s, INSERT, .key.low = 5, .has_value = true, .value = 1);
	EXPECT_TRUE(r.result == -EEXIST && !r.has_old);
	r = ONE(s, STORE, .key.low = 5, .has_value = true, .value = 1);
	EXPECT_TRUE(r.result == 1 && !r.has_old);
	r = ONE(s, LOOKUP, .key.low = 5);
	EXPECT_TRUE(!r.result && r.has_value && r.value == 0);
	EXPECT_EQ(-ENOENT, ONE(s, LOOKUP, .key.low = 4).result);
	r = ONE(s, FLOOR, .key.low = 5);
	EXPECT_TRUE(!r.result && r.key.low == 5 && r.value == 2);
	r = ONE(s, FLOOR, .key.low = 5, .has_value = true, .value = 1);
	EXPECT_TRUE(!r.result && r.key.low == 5 && r.value == 1);
	r = ONE(s, CEILING, .key.low = 5, .has_value = true, .value = 1);
	EXPECT_TRUE(!r.result && r.key.low == 5 && r.value == 1);
	r = ONE(s, CMPERASE, .key.low = 5, .has_old = true, .old = 3);
	EXPECT_TRUE(r.result == -ENOENT && !r.has_old);
	r = ONE(s, CMPERASE, .key.low = 5, .has_old = true, .old = 1);
	EXPECT_TRUE(!r.result && !r.has_old);
	r = ONE(s, POP_MAX, .key.low = 5);
	EXPECT_TRUE(!r.result && r.key.low == 5 && r.has_old && r.old == 2);
	r = ONE(s, POP_MIN, .key.low = 5);
	EXPECT_TRUE(!r.result && r.key.low == 5 && r.has_old && r.old == 0);
	EXPECT_EQ(-EOPNOTSUPP, ONE(s, REPLACE).result);
	EXPECT_EQ(-EOPNOTSUPP, ONE(s, CMPXCHG).result);
	EXPECT_EQ(-EOPNOTSUPP, ONE(s, GET_OR_INSERT).result);
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* A well-formed record with fields that its operation does not have. */
TEST_F(records, wrong_fields_are_einval)
{
	struct stream *s = &self->s;
	enum blink_tree_key right = s->kind;

	EXPECT_EQ(-EINVAL, ONE(s, NR).result);
	EXPECT_EQ(-EINVAL, ONE(s, INSERT).result);
	EXPECT_EQ(-EINVAL, ONE(s, LOOKUP, .has_value = true).result);
	EXPECT_EQ(-EINVAL, ONE(s, LOOKUP, .has_old = true).result);
	EXPECT_EQ(-EINVAL, ONE(s, CMPERASE).result);
	EXPECT_EQ(-EINVAL,
		  ONE(s, INSERT, .has_value = true, .has_old = true).result);
	s->kind = right == BLINK_TREE_KEY_U128 ? BLINK_TREE_KEY_U64 :
						 BLINK_TREE_KEY_U128;
	EXPECT_EQ(-EINVAL, ONE(s, INSERT, .has_value = true).result);
	s->kind = right;
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

static bool refused(struct stream *s, unsigned int opcode)
{
	return stream_one(s, &(struct rec){ .opcode = opcode }).result ==
	       -EBADF;
}

TEST_F(records, read_only_descriptor)
{
	struct stream s = self->s;
	unsigned int opcode;

	ONE(&s, INSERT, .key.low = 1, .has_value = true, .value = 7);
	s.tree = tree_open(self->s.device, NAME, BLINK_TREE_OPEN_READ);
	ASSERT_GE(s.tree, 0);
	for (opcode = 0; opcode < BLINK_TREE_OP_NR; opcode++)
		EXPECT_EQ(opcode != BLINK_TREE_OP_LOOKUP &&
				  opcode != BLINK_TREE_OP_FLOOR &&
				  opcode != BLINK_TREE_OP_CEILING,
			  refused(&s, opcode));
	EXPECT_EQ(7, ONE(&s, LOOKUP, .key.low = 1).value);
	/* One that is not permitted, between two that are. */
	stream_reset(&s);
	ADD_REC(&s, LOOKUP, .key.low = 1);
	ADD_REC(&s, ERASE, .key.low = 1);
	ADD_REC(&s, LOOKUP, .key.low = 1);
	EXPECT_EQ(0, stream_call(&s, 0, s.size, 4 * RECORD_BYTES));
	EXPECT_EQ(3, s.arg.done);
	EXPECT_EQ(2 * (HEADER + 8) + HEADER, s.arg.output_used);
	s.arg = (struct blink_tree_ioc_records){
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 1,
	};
	EXPECT_EQ(-EBADF, call(s.tree, BLINK_TREE_IOC_RECORDS, &s.arg));
	close(s.tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 1));
}

TEST_F(records, write_only_descriptor)
{
	const __u64 permitted =
		1 << BLINK_TREE_OP_INSERT | 1 << BLINK_TREE_OP_STORE |
		1 << BLINK_TREE_OP_REPLACE | 1 << BLINK_TREE_OP_ERASE;
	struct stream s = self->s;
	unsigned int opcode;
	struct rec r;

	ONE(&s, INSERT, .key.low = 1, .has_value = true, .value = 7);
	s.tree = tree_open(self->s.device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(s.tree, 0);
	for (opcode = 0; opcode < BLINK_TREE_OP_NR; opcode++)
		EXPECT_EQ(!(permitted >> opcode & 1), refused(&s, opcode));
	r = ONE(&s, INSERT, .key.low = 1, .has_value = true, .value = 7);
	EXPECT_TRUE(r.result == -EEXIST && !r.has_old);
	r = ONE(&s, STORE, .key.low = 1, .has_value = true, .value = 7);
	EXPECT_TRUE(r.result == 1 && !r.has_old);
	r = ONE(&s, ERASE, .key.low = 1);
	EXPECT_TRUE(r.result >= 0 && !r.has_old);
	close(s.tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 0));
}

TEST_F(records, load)
{
	struct stream *s = &self->s;
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
		.input = ptr_to_u64(s->input),
	};
	size_t each;

	stream_fill(s, BLINK_TREE_OP_INSERT, 10, KEYS);
	each = s->size / KEYS;
	arg.input_size = s->size;
	ASSERT_EQ(0, call(s->tree, BLINK_TREE_IOC_RECORDS, &arg));
	EXPECT_EQ(KEYS, arg.done);
	EXPECT_EQ(s->size, arg.input_used);
	EXPECT_EQ(0, arg.output_used);
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
	/* The eleventh key is present. */
	stream_fill(s, BLINK_TREE_OP_INSERT, 0, 20);
	arg.input_size = s->size;
	EXPECT_EQ(-EEXIST, call(s->tree, BLINK_TREE_IOC_RECORDS, &arg));
	EXPECT_EQ(10, arg.done);
	EXPECT_EQ(10 * each, arg.input_used);
	EXPECT_EQ(0, tree_check(s->tree, KEYS + 10));
	/* Another operation. */
	stream_fill(s, BLINK_TREE_OP_STORE, 2 * KEYS, 1);
	arg.input_size = s->size;
	EXPECT_EQ(-EINVAL, call(s->tree, BLINK_TREE_IOC_RECORDS, &arg));
	EXPECT_EQ(0, arg.done);
	EXPECT_EQ(0, tree_check(s->tree, KEYS + 10));
}

static void on_alarm(int sig)
{
	(void)sig;
}

static void timer_set(unsigned int usec)
{
	struct itimerval timer = {
		.it_value.tv_usec = usec,
		.it_interval.tv_usec = usec,
	};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void catch_alarms(void)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
}

/* The same operations again and again, until a signal made one call short. */
TEST_F(records, signal_makes_it_short)
{
	struct stream *s = &self->s;
	unsigned int shorts = 0, tries;
	size_t each;

	stream_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
	each = s->size / KEYS;
	catch_alarms();
	timer_set(1000);
	for (tries = 0; tries < 20000 && shorts < 5; tries++) {
		ASSERT_EQ(0, stream_call(s, 0, s->size, 2 * s->size));
		ASSERT_LE(1, s->arg.done);
		ASSERT_EQ(s->arg.done * each, s->arg.input_used);
		shorts += s->arg.done < KEYS;
	}
	timer_set(0);
	EXPECT_LE(1, shorts);
	EXPECT_EQ(0, stream_run(s));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

#define PAIRS 200000

/* An ERASE of many pairs, in as many calls as signals make of it. */
TEST_F(records, erase_of_many_pairs)
{
	struct stream *s = &self->s;
	struct rec rec = { .opcode = BLINK_TREE_OP_INSERT, .has_value = true };
	__u64 removed = 0;
	unsigned int i;
	struct rec r;

	if (s->kind != BLINK_TREE_KEY_MULTI)
		SKIP(return, "keys are unique");
	for (i = 0; i < PAIRS;) {
		stream_reset(s);
		for (; i < PAIRS && s->size < 60000; i++) {
			rec.value = i;
			stream_add(s, &rec);
		}
		s->arg = (struct blink_tree_ioc_records){
			.flags = BLINK_TREE_RECORDS_LOAD,
			.fill = 100,
			.input = ptr_to_u64(s->input),
			.input_size = s->size,
		};
		ASSERT_EQ(0, call(s->tree, BLINK_TREE_IOC_RECORDS, &s->arg));
	}
	ONE(s, INSERT, .key.low = 1, .has_value = true);
	catch_alarms();
	timer_set(2000);
	do {
		r = ONE(s, ERASE);
		ASSERT_TRUE(r.result > 0 ||
			    (r.result == -ENOENT && removed == PAIRS));
		removed += r.result > 0 ? r.result : 0;
		ASSERT_TRUE(r.flags == 0 || r.flags == BLINK_TREE_RECORD_MORE);
	} while (r.flags && r.result > 0);
	timer_set(0);
	EXPECT_EQ(PAIRS, removed);
	EXPECT_EQ(0, tree_check(s->tree, 1));
}

/* Operations of one stream on one key come one after the other. */
TEST_F(records, order_on_a_key)
{
	struct stream *s = &self->s;
	const struct key key = key_number(s->kind, 3);
	struct rec r;
	unsigned int i;
	size_t at = 0;

	stream_reset(s);
	for (i = 0; i < 100; i++) {
		ADD_REC(s, INSERT, .key = key, .has_value = true, .value = i);
		ADD_REC(s, LOOKUP, .key = key);
		ADD_REC(s, ERASE, .key = key);
	}
	ASSERT_EQ(0, stream_run(s));
	for (i = 0; i < 300; i++) {
		at += rec_get(s->output + at, RECORD_BYTES, s->kind, &r);
		if (i % 3 == 1) {
			ASSERT_TRUE(!r.result && r.value == i / 3);
		} else {
			ASSERT_EQ(i % 3 && s->kind == BLINK_TREE_KEY_MULTI,
				  r.result);
		}
	}
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* A full tree refuses new keys, and each record says so. */
TEST_F(records, full_tree)
{
	struct blink_tree_ioc_create how = variant->how;
	struct stream s = self->s;
	unsigned int i, added = 0;
	size_t at = 0;
	struct rec r;

	how.max_entries = 100;
	s.tree = tree_new_as(&how);
	ASSERT_GE(s.tree, 0);
	stream_fill(&s, BLINK_TREE_OP_INSERT, 0, 150);
	ASSERT_EQ(0, stream_run(&s));
	for (i = 0; i < 150; i++) {
		at += rec_get(s.output + at, RECORD_BYTES, s.kind, &r);
		ASSERT_TRUE(!r.result || r.result == -ENOSPC);
		added += !r.result;
	}
	EXPECT_EQ(100, added);
	s.arg = (struct blink_tree_ioc_records){
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
		.input = ptr_to_u64(s.input),
	};
	stream_fill(&s, BLINK_TREE_OP_INSERT, 1000, 1);
	s.arg.input_size = s.size;
	EXPECT_EQ(-ENOSPC, call(s.tree, BLINK_TREE_IOC_RECORDS, &s.arg));
	close(s.tree);
}

/* The ioctls with keys of 64 bits. */
TEST_F(records, other_ioctls)
{
	const int want = variant->how.key ? -EOPNOTSUPP : 0;
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
	struct blink_tree_ioc_attr attr = {};
	struct blink_tree_ioc_stats stats = {};
	int tree = self->s.tree;
	unsigned int done;

	EXPECT_EQ(want, op_call(tree, &op));
	op.opcode = BLINK_TREE_OP_LOOKUP;
	EXPECT_EQ(want, batch(tree, &op, 1, &done));
	EXPECT_EQ(want, call(tree, BLINK_TREE_IOC_LOAD, &load));
	EXPECT_EQ(want, call(tree, BLINK_TREE_IOC_SCAN, &scan));
	EXPECT_EQ(want, call(tree, BLINK_TREE_IOC_ERASE_RANGE, &erase));
	EXPECT_EQ(0, call(tree, BLINK_TREE_IOC_ATTR, &attr));
	EXPECT_EQ(variant->how.key, attr.key);
	EXPECT_EQ(0, call(tree, BLINK_TREE_IOC_STATS, &stats));
	EXPECT_EQ(variant->how.key, stats.key);
	EXPECT_EQ(0, tree_check(tree, 0));
}

TEST(unknown_kinds_are_einval)
{
	struct blink_tree_ioc_create how = { .key = BLINK_TREE_KEY_BYTES + 1 };

	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	how.key = ~0u;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	how.flags = BLINK_TREE_CREATE_COMPRESS;
	how.key = BLINK_TREE_KEY_U128;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
	how.key = BLINK_TREE_KEY_MULTI;
	EXPECT_EQ(-EINVAL, tree_new_as(&how));
}

TEST_HARNESS_MAIN
