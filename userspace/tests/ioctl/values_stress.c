// SPDX-License-Identifier: GPL-2.0
/*
 * Several processes add, replace, compare, remove and read values of bytes of the same few
 * keys. Each value tells its key and its length, and all its bytes follow from its first
 * ones, so that a value is whole if and only if it agrees with itself and with its key.
 * The processes count what they added and removed.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#define PROCESSES 4
#define KEYS 200
/* The key of a counter, which is there all the time: the others are greater. */
#define COUNTER 0

/* The begin of each value. */
struct stamp {
	__u64 key;
	__u64 salt;
	__u32 length;
	__u32 count;
};

FIXTURE(values_stress)
{
	struct stream s;
};

FIXTURE_VARIANT(values_stress)
{
	struct blink_tree_ioc_create how;
};

FOR_EACH_VALUES(ADD_KIND, values_stress);

FIXTURE_SETUP(values_stress)
{
	ASSERT_EQ(0, stream_open(&self->s, tree_new_as(&variant->how),
				 variant->how.key));
}

FIXTURE_TEARDOWN(values_stress)
{
	close(self->s.tree);
}

/**
 * struct shared - the work of all processes
 * @s: the tree, and each process's own memory for streams
 * @seed: for random choices
 * @until: when to end, in ms
 * @added: keys added, less keys removed
 * @counted: successful increments of the counter
 * @operations: how many operations there were
 */
struct shared {
	struct stream s;
	__u64 seed;
	__u64 until;
	long added[PROCESSES];
	unsigned long counted[PROCESSES];
	unsigned long operations[PROCESSES];
};

static void put_pattern(unsigned char *to, const struct stamp *stamp)
{
	size_t i;

	for (i = sizeof(*stamp); i < stamp->length; i++)
		to[i] = (stamp->salt + stamp->key + i * 131) >> 3;
	memcpy(to, stamp, sizeof(*stamp));
}

/* A value of any length for a key. */
static struct string stamped(__u64 *random, __u64 key, unsigned int count)
{
	static unsigned char bytes[RECORD_VALUE_MAX];
	const struct stamp stamp = {
		.key = key,
		.salt = random_next(random),
		.length = sizeof(stamp) +
			  random_below(random, (random_below(random, 3) ?
							200 :
							RECORD_VALUE_MAX -
								sizeof(stamp)) +
						       1),
		.count = count,
	};

	put_pattern(bytes, &stamp);
	return (struct string){ stamp.length, bytes };
}

/* Whether a value is whole, and that of its key. */
static bool is_whole(enum blink_tree_key kind, struct string key,
		     struct string value)
{
	unsigned char right[RECORD_VALUE_MAX];
	struct stamp stamp;

	if (value.length < sizeof(stamp))
		return false;
	memcpy(&stamp, value.data, sizeof(stamp));
	if (stamp.length != value.length || stamp.key >= KEYS)
		return false;
	put_pattern(right, &stamp);
	return !memcmp(right, value.data, value.length) &&
	       string_same(key, key_like(kind, stamp.key));
}

/* The change of the number of keys by an operation that succeeded. */
static int change_by(unsigned int opcode)
{
	switch (opcode) {
	case BLINK_TREE_OP_INSERT:
	case BLINK_TREE_OP_STORE:
	case BLINK_TREE_OP_GET_OR_INSERT:
		return 1;
	case BLINK_TREE_OP_ERASE:
	case BLINK_TREE_OP_CMPERASE:
	case BLINK_TREE_OP_POP_MIN:
		return -1;
	default:
		return 0;
	}
}

/* Whether a result has a value of its key, if it must have one, and a whole one. */
static bool result_is_whole(enum blink_tree_key kind, struct string asked,
			    const struct rec *r)
{
	const struct string key = r->key.length ? r->key : asked;
	const struct string value = r->value.length ? r->value : r->old;

	if (r->opcode == 0xffff)
		return false;
	if (r->result == -ENOENT || (!r->result && change_by(r->opcode) > 0))
		return !value.length;
	return is_whole(kind, key, value);
}

/* Copy a value that a later operation expects. */
static struct string kept(struct string value)
{
	static unsigned char bytes[RECORD_VALUE_MAX];

	if (value.length)
		memcpy(bytes, value.data, value.length);
	return (struct string){ value.length, bytes };
}

/* One operation. False: its result cannot be right. */
static bool run_op(struct stream *s, struct shared *shared, int id,
		   __u64 *random)
{
	const unsigned int number = 1 + random_below(random, KEYS - 1);
	const struct string key = key_like(s->kind, number);
	struct rec r, rec = { .key = key };

	do {
		rec.opcode = random_below(random, BLINK_TREE_OP_EXPECT);
	} while (rec.opcode == BLINK_TREE_OP_POP_MAX);
	if (takes_old(rec.opcode)) {
		r = STREAM_ONE(s, LOOKUP, .key = key);
		if (!result_is_whole(s->kind, key, &r))
			return false;
		rec.old = kept(r.value);
	}
	if (takes_value(rec.opcode))
		rec.value = stamped(random, number, 0);
	r = stream_one(s, &rec);
	if (!r.result)
		shared->added[id] += change_by(rec.opcode);
	return result_is_whole(s->kind, key, &r) &&
	       (r.result >= 0 || r.result == -ENOENT || r.result == -EEXIST ||
		r.result == -ESTALE);
}

/* Replace the counter by one that is greater by one. */
static bool run_count(struct stream *s, struct shared *shared, int id,
		      __u64 *random)
{
	const struct string key = key_like(s->kind, COUNTER);
	struct stamp stamp;
	struct rec r;

	r = STREAM_ONE(s, LOOKUP, .key = key);
	if (r.result || !result_is_whole(s->kind, key, &r))
		return false;
	memcpy(&stamp, r.value.data, sizeof(stamp));
	r = STREAM_ONE(s, CMPXCHG, .key = key, .old = kept(r.value),
		       .value = stamped(random, COUNTER, stamp.count + 1));
	shared->counted[id] += !r.result;
	return result_is_whole(s->kind, key, &r) &&
	       (!r.result || r.result == -ESTALE);
}

/* All entries in one direction: their keys are in order, and their values whole. */
static bool run_scan(struct stream *s, __u64 *random)
{
	const bool desc = random_below(random, 2);
	unsigned char last[RECORD_KEY_MAX];
	struct string before = { .data = last };
	struct range range;
	bool first = true;
	struct rec r;
	size_t at, length;

	range_init(&range, desc ? BLINK_TREE_RECORD_SCAN_DESC : 0, NO_STRING,
		   NO_STRING);
	do {
		range.arg.output = ptr_to_u64(s->output);
		range.arg.output_size =
			RESULT_MAX + random_below(random, 1 << 17);
		if (call(s->tree, BLINK_TREE_IOC_RECORD_SCAN, &range.arg))
			return false;
		for (at = 0; at < range.arg.output_used; at += length) {
			length = rec_get(s->output + at,
					 range.arg.output_used - at, &r);
			if (!length || !is_whole(s->kind, r.key, r.value))
				return false;
			if (!first &&
			    (string_compare(r.key, before) < 0) != desc)
				return false;
			first = false;
			before.length = r.key.length;
			memcpy(last, r.key.data, r.key.length);
		}
	} while (!(range.arg.flags & BLINK_TREE_RECORD_SCAN_DONE));
	return !first;
}

/* Remove some neighbours. */
static bool run_erase(struct stream *s, struct shared *shared, int id,
		      __u64 *random)
{
	const unsigned int first = 1 + random_below(random, KEYS - 20);
	struct range range;
	long nr;

	range_init(&range, 0, key_like(s->kind, first),
		   key_like(s->kind, first + 8));
	nr = range_erase(s, &range);
	shared->added[id] -= nr > 0 ? nr : 0;
	return nr >= 0;
}

static int work(int id, void *arg)
{
	struct shared *shared = arg;
	__u64 random = random_stream(shared->seed, id);
	struct stream s = shared->s;
	bool good = true;

	s.input = malloc(RECORD_MAX);
	s.output = malloc(1 << 18);
	if (!s.input || !s.output)
		return 1;
	while (good && now_ms() < shared->until) {
		switch (random_below(&random, 40)) {
		case 0:
			good = run_scan(&s, &random);
			break;
		case 1:
			good = run_erase(&s, shared, id, &random);
			break;
		case 2:
		case 3:
		case 4:
			good = run_count(&s, shared, id, &random);
			break;
		default:
			good = run_op(&s, shared, id, &random);
		}
		shared->operations[id]++;
	}
	return !good;
}

/* The counter in the tree is as great as the processes counted. */
static void check_counter(struct __test_metadata *_metadata, struct stream *s,
			  unsigned long counted)
{
	const struct string key = key_like(s->kind, COUNTER);
	struct rec r = STREAM_ONE(s, LOOKUP, .key = key);
	struct stamp stamp = {};

	ASSERT_TRUE(result_is_whole(s->kind, key, &r) && r.value.length);
	memcpy(&stamp, r.value.data, sizeof(stamp));
	EXPECT_EQ(counted, stamp.count);
}

static __u64 blocks_of(int tree)
{
	struct blink_tree_ioc_stats stats;

	return tree_stats(tree, &stats) ? U64_MAX : stats.block_bytes;
}

/*
 * Whether a tree without entries has no value, soon: after some grace periods. One whose
 * keys are strings can have some keys that separate its nodes.
 */
static bool values_vanish(const struct stream *s)
{
	const __u64 most =
		s->kind == BLINK_TREE_KEY_BYTES ? 2 * RECORD_VALUE_MAX : 0;
	unsigned int i;

	for (i = 0; i < 600 && blocks_of(s->tree) > most; i++)
		usleep(100000);
	return blocks_of(s->tree) <= most;
}

TEST_F(values_stress, values_are_whole)
{
	struct shared *shared = shared_alloc(sizeof(*shared));
	struct stream *s = &self->s;
	struct range all;
	unsigned long counted = 0, operations = 0;
	__u64 random = 1;
	long added = 1;
	int i;

	ASSERT_NE(NULL, shared);
	STREAM_ONE(s, STORE, .key = key_like(s->kind, COUNTER),
		   .value = stamped(&random, COUNTER, 0));
	shared->s = *s;
	shared->seed = seed_get();
	shared->until = now_ms() + 1000 * seconds_get(2);
	EXPECT_EQ(0, in_children(PROCESSES, work, shared));
	for (i = 0; i < PROCESSES; i++) {
		added += shared->added[i];
		counted += shared->counted[i];
		operations += shared->operations[i];
	}
	fprintf(stderr, "# %lu increments\n# operations %lu\n", counted,
		operations);
	EXPECT_EQ(0, tree_check(s->tree, added));
	check_counter(_metadata, s, counted);
	range_init(&all, 0, NO_STRING, NO_STRING);
	EXPECT_EQ(added, range_erase(s, &all));
	EXPECT_TRUE(values_vanish(s));
}

TEST_HARNESS_MAIN
