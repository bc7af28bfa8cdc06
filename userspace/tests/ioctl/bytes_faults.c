// SPDX-License-Identifier: GPL-2.0
/*
 * Trees whose keys are byte strings while memory is short: each allocation and each copy
 * of a call fails in its turn, or allocations fail at random. A string is added or it is
 * not, as its result says, and what a call counts as done was done.
 */
#include "kselftest_harness.h"

#include "fault_inject.h"
#include "records.h"

#include "../common/bytes.h"
#include "ranges.h"

#define NAME "selftest.bytes_faults"
/* Keys of a trial, more than a leaf has, and those that are always there. */
#define TRIAL 65
#define KEYS (2 * TRIAL)
/* Some for each string, and for a call itself. */
#define POINTS (10 * TRIAL)
#define ROOM (TRIAL * BYTES_RESULT_MAX)

/* The keys have a long prefix, and the same bytes behind it. */
#define LONG 60

static void bytes_add(struct stream *s, const struct bytes_rec *rec)
{
	s->size += bytes_put(s->input + s->size, rec);
}

static bool with_value(const struct bytes_rec *r, int ret, __u64 value)
{
	return r->opcode != 0xffff && r->result == ret && !r->key.length &&
	       r->has_value && r->value == value && !r->has_old;
}

static bool found(const struct bytes_rec *r, struct string key, __u64 value)
{
	return r->opcode != 0xffff && !r->result && r->has_value &&
	       !r->has_old && r->value == value && string_same(r->key, key);
}

/* The greatest key that there can be. */
static struct string greatest_key(void)
{
	static unsigned char ones[BYTES_KEY_MAX];

	memset(ones, 0xff, sizeof(ones));
	return (struct string){ sizeof(ones), ones };
}

struct subject {
	struct fault_inject inject;
	struct stream s;
	unsigned int nth;
	const char *wrong;
};

FIXTURE(bytes_faults)
{
	struct subject subject;
};

FIXTURE_VARIANT(bytes_faults)
{
	int (*run)(struct subject *s);
	struct blink_tree_ioc_create how;
};

static void wrong_if(struct subject *s, bool wrong, const char *what)
{
	if (wrong)
		s->wrong = what;
}

static int on_tree(struct subject *s, unsigned long cmd, void *arg)
{
	return fault_nth(&s->inject, s->nth, s->s.tree, cmd, arg);
}

/* The key of a number, in memory that the next call uses again; keys ascend. */
static struct string nth_key(unsigned int i)
{
	static char bytes[LONG + 2];

	memset(bytes, 'x', LONG);
	bytes[LONG] = i / 256;
	bytes[LONG + 1] = i % 256;
	return (struct string){ sizeof(bytes), bytes };
}

static void plan(struct stream *s, unsigned int opcode, unsigned int first,
		 unsigned int nr)
{
	const bool has_value = opcode == BLINK_TREE_OP_INSERT;

	stream_reset(s);
	for (; nr; nr--, first++)
		bytes_add(s, &(struct bytes_rec){ .opcode = opcode,
						  .key = nth_key(first),
						  .has_value = has_value,
						  .value = value_of(first) });
}

static int do_all(struct stream *s, unsigned int opcode, unsigned int first,
		  unsigned int nr)
{
	plan(s, opcode, first, nr);
	return stream_call(s, 0, s->size, ROOM);
}

/* Find out which keys of a trial are there, with their values. */
static void look(struct stream *s, bool *there)
{
	size_t at = 0, length;
	struct bytes_rec r;
	unsigned int i;
	int ret = do_all(s, BLINK_TREE_OP_LOOKUP, KEYS, TRIAL);

	for (i = 0; i < TRIAL; i++, at += length) {
		length = ret ? 0 :
			       bytes_get(s->output + at,
					 s->arg.output_used - at, &r);
		there[i] = length && with_value(&r, 0, value_of(KEYS + i));
	}
}

/* How many keys of a trial are there, from the first on; -1: others are. */
static int row_of(struct stream *s)
{
	unsigned int i, row = 0;
	bool there[TRIAL];

	look(s, there);
	for (i = 0; i < TRIAL; i++) {
		if (!there[i])
			continue;
		if (row < i)
			return -1;
		row++;
	}
	return row;
}

/* The results of a stream of insertions: a key is there if its own one is 0. */
static bool each_as_told(struct stream *s)
{
	static char copy[ROOM];
	size_t size = s->arg.output_used, at = 0, length;
	struct bytes_rec r = {};
	bool there[TRIAL];
	unsigned int i;

	memcpy(copy, s->output, size);
	look(s, there);
	for (i = 0; i < TRIAL; i++, at += length) {
		length = bytes_get(copy + at, size - at, &r);
		if (!length || (r.result && r.result != -ENOMEM) ||
		    there[i] != !r.result)
			return false;
	}
	return at == size;
}

static void arm(struct stream *s, __u32 flags)
{
	s->arg = (struct blink_tree_ioc_records){
		.flags = flags,
		.input = ptr_to_u64(s->input),
		.input_size = s->size,
		.done = JUNK,
	};
	if (flags & BLINK_TREE_RECORDS_LOAD) {
		s->arg.fill = 90;
	} else {
		s->arg.output = ptr_to_u64(s->output);
		s->arg.output_size = ROOM;
	}
}

/* All operations that were done are there; the first failure has ended the call. */
static void check_row(struct subject *s, __u64 done)
{
	int row = row_of(&s->s);

	wrong_if(s, row < 0, "not one key after the other");
	wrong_if(s, done != JUNK && row < (int)done, "counted but not done");
}

static int run_stream(struct subject *s)
{
	struct blink_tree_ioc_records arg;
	int ret;

	plan(&s->s, BLINK_TREE_OP_INSERT, KEYS, TRIAL);
	arm(&s->s, 0);
	ret = on_tree(s, BLINK_TREE_IOC_RECORDS, &s->s.arg);
	arg = s->s.arg;
	if (ret) {
		check_row(s, arg.done);
	} else {
		wrong_if(s, arg.done != TRIAL, "an end without a reason");
		wrong_if(s, !each_as_told(&s->s), "another result");
	}
	do_all(&s->s, BLINK_TREE_OP_ERASE, KEYS, TRIAL);
	return ret;
}

static int run_load(struct subject *s)
{
	__u64 done;
	int ret;

	plan(&s->s, BLINK_TREE_OP_INSERT, KEYS, TRIAL);
	arm(&s->s, BLINK_TREE_RECORDS_LOAD);
	ret = on_tree(s, BLINK_TREE_IOC_RECORDS, &s->s.arg);
	done = s->s.arg.done;
	wrong_if(s, !ret && done != TRIAL, "an end without a reason");
	check_row(s, done);
	wrong_if(s, ret == -ENOMEM && row_of(&s->s) != (int)done,
		 "another number was loaded");
	do_all(&s->s, BLINK_TREE_OP_ERASE, KEYS, TRIAL);
	return ret;
}

/* Whether the output has all keys that are always there. */
static bool all_scanned(const struct stream *s, size_t size, bool desc)
{
	size_t at = 0, length;
	struct bytes_rec r;
	unsigned int i, k;

	for (i = 0; i < KEYS; i++, at += length) {
		k = desc ? KEYS - 1 - i : i;
		length = bytes_get(s->output + at, size - at, &r);
		if (!length || !found(&r, nth_key(k), value_of(k)))
			return false;
	}
	return at == size;
}

static int scan(struct subject *s, __u32 flags)
{
	const struct string first = nth_key(0);
	struct bytes_range range;
	int ret;

	bytes_range_init(&range, flags, first, greatest_key());
	if (!(flags & BYTES_COUNT)) {
		range.arg.output = ptr_to_u64(s->s.output);
		range.arg.output_size = KEYS * BYTES_RESULT_MAX;
	}
	ret = on_tree(s, BLINK_TREE_IOC_RECORD_SCAN, &range.arg);
	/* An answer that cannot be written can have moved it. */
	wrong_if(s,
		 ret == -ENOMEM &&
			 memcmp(range.first, first.data, first.length),
		 "an error moved the range");
	wrong_if(s, !ret && range.arg.count != KEYS, "not all there");
	wrong_if(s,
		 !ret && !(flags & BYTES_COUNT) &&
			 !all_scanned(&s->s, range.arg.output_used,
				      flags & BYTES_DESC),
		 "another entry");
	return ret;
}

static int run_scan(struct subject *s)
{
	return scan(s, 0);
}

static int run_scan_desc(struct subject *s)
{
	return scan(s, BYTES_DESC);
}

static int run_count(struct subject *s)
{
	return scan(s, BYTES_COUNT);
}

/* Several leaves: an error comes before the first one is erased or after the last. */
static int run_erase(struct subject *s)
{
	struct bytes_range range;
	struct blink_tree_ioc_record_erase arg;
	int ret, row;

	do_all(&s->s, BLINK_TREE_OP_INSERT, KEYS, TRIAL);
	bytes_range_init(&range, 0, nth_key(KEYS), greatest_key());
	arg = (struct blink_tree_ioc_record_erase){
		.first = range.arg.first,
		.last = range.arg.last,
		.first_length = range.arg.first_length,
		.last_length = range.arg.last_length,
	};
	ret = on_tree(s, BLINK_TREE_IOC_RECORD_ERASE, &arg);
	row = row_of(&s->s);
	wrong_if(s, !ret && (arg.count != TRIAL || row), "not all erased");
	wrong_if(s, ret && row && row != TRIAL,
		 "some erased in spite of an error");
	do_all(&s->s, BLINK_TREE_OP_ERASE, KEYS, TRIAL);
	return ret;
}

#define BYTES .key = BLINK_TREE_KEY_BYTES
#define INNER .replication = BLINK_TREE_REPLICATE_INNER
#define FULL .replication = BLINK_TREE_REPLICATE_FULL

FIXTURE_VARIANT_ADD(bytes_faults, stream)
MEMBERS(.run = run_stream, .how = { BYTES });
FIXTURE_VARIANT_ADD(bytes_faults, stream_inner)
MEMBERS(.run = run_stream, .how = { BYTES, INNER });
FIXTURE_VARIANT_ADD(bytes_faults, stream_full)
MEMBERS(.run = run_stream, .how = { BYTES, FULL });
FIXTURE_VARIANT_ADD(bytes_faults, load)
MEMBERS(.run = run_load, .how = { BYTES });
FIXTURE_VARIANT_ADD(bytes_faults, load_full)
MEMBERS(.run = run_load, .how = { BYTES, FULL });
FIXTURE_VARIANT_ADD(bytes_faults, scan)
MEMBERS(.run = run_scan, .how = { BYTES });
FIXTURE_VARIANT_ADD(bytes_faults, scan_desc)
MEMBERS(.run = run_scan_desc, .how = { BYTES });
FIXTURE_VARIANT_ADD(bytes_faults, count)
MEMBERS(.run = run_count, .how = { BYTES });
FIXTURE_VARIANT_ADD(bytes_faults, erase)
MEMBERS(.run = run_erase, .how = { BYTES });
FIXTURE_VARIANT_ADD(bytes_faults, erase_full)
MEMBERS(.run = run_erase, .how = { BYTES, FULL });

FIXTURE_SETUP(bytes_faults)
{
	struct subject *s = &self->subject;
	const char *missing = fault_open(&s->inject);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, stream_open(&s->s, NAME, &variant->how));
	ASSERT_EQ(0, do_all(&s->s, BLINK_TREE_OP_INSERT, 0, TRIAL));
	ASSERT_EQ(0, do_all(&s->s, BLINK_TREE_OP_INSERT, TRIAL, TRIAL));
}

FIXTURE_TEARDOWN(bytes_faults)
{
	stream_close(&self->subject.s, NAME);
	fault_close(&self->subject.inject);
}

TEST_F(bytes_faults, at_every_point)
{
	struct subject *s = &self->subject;
	unsigned int hits = 0;
	int ret;

	for (s->nth = 1; s->nth <= POINTS; s->nth++) {
		ret = variant->run(s);
		EXPECT_EQ(NULL, s->wrong)
		TH_LOG("fault %u, returned %d: %s", s->nth, ret, s->wrong);
		if (!s->inject.hit)
			break;
		hits++;
		EXPECT_TRUE(!ret || ret == -ENOMEM || ret == -EFAULT)
		TH_LOG("fault %u, returned %d", s->nth, ret);
	}
	fprintf(stderr, "# %u fault points\n", hits);
	EXPECT_GE(POINTS, s->nth);
	EXPECT_EQ(0, ret);
	EXPECT_LE(1, hits);
	EXPECT_EQ(0, tree_check(s->s.tree, KEYS));
}

FIXTURE(bytes_storm)
{
	struct subject subject;
};

FIXTURE_VARIANT(bytes_storm)
{
	const char *percent;
};

FIXTURE_VARIANT_ADD(bytes_storm, some)
MEMBERS(.percent = "30");
FIXTURE_VARIANT_ADD(bytes_storm, most)
MEMBERS(.percent = "80");

FIXTURE_SETUP(bytes_storm)
{
	const struct blink_tree_ioc_create how = { BYTES };
	struct subject *s = &self->subject;
	const char *missing = fault_open(&s->inject);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_EQ(0, stream_open(&s->s, NAME, &how));
	/* The first access to a page allocates, and would fail with EFAULT. */
	memset(s->s.output, 1, ROOM);
	ASSERT_EQ(0, fault_probability(variant->percent));
}

FIXTURE_TEARDOWN(bytes_storm)
{
	stream_close(&self->subject.s, NAME);
	fault_close(&self->subject.inject);
}

/* In a stream each insertion fails for itself. Erasing needs no memory of the tree's. */
TEST_F(bytes_storm, as_each_result_says)
{
	struct subject *s = &self->subject;
	unsigned int round, ran = 0;
	int ret;

	for (round = 0; round < 200; round++) {
		plan(&s->s, BLINK_TREE_OP_INSERT, KEYS, TRIAL);
		arm(&s->s, 0);
		ret = fault_storm(&s->inject, s->s.tree, BLINK_TREE_IOC_RECORDS,
				  &s->s.arg);
		ASSERT_TRUE(!ret || ret == -ENOMEM);
		if (ret) {
			ASSERT_EQ(0, row_of(&s->s));
			continue;
		}
		ran++;
		ASSERT_EQ(TRIAL, s->s.arg.done);
		ASSERT_TRUE(each_as_told(&s->s));
		ASSERT_EQ(0, do_all(&s->s, BLINK_TREE_OP_ERASE, KEYS, TRIAL));
		ASSERT_EQ(0, tree_check(s->s.tree, 0));
	}
	EXPECT_LE(1, ran);
}

TEST_HARNESS_MAIN
