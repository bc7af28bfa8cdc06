// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORD_SCAN and BLINK_TREE_IOC_RECORD_ERASE in trees with keys of all
 * kinds: the bounds of a range, and calls that end early.
 */
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#define NAME "selftest.record_range"
#define KEYS 1000
#define BOUND 16

#define DESC BLINK_TREE_RECORD_SCAN_DESC
#define COUNT BLINK_TREE_RECORD_SCAN_COUNT
#define FIRST_OPEN BLINK_TREE_RECORD_SCAN_FIRST_OPEN
#define LAST_OPEN BLINK_TREE_RECORD_SCAN_LAST_OPEN
#define PREFIX BLINK_TREE_RECORD_SCAN_PREFIX
#define DONE BLINK_TREE_RECORD_SCAN_DONE

FIXTURE(record_range)
{
	struct stream s;
};

FIXTURE_VARIANT(record_range)
{
	struct blink_tree_ioc_create how;
};

ADD_KINDS(record_range);

FIXTURE_SETUP(record_range)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
	stream_fill(&self->s, BLINK_TREE_OP_INSERT, 0, KEYS);
	ASSERT_EQ(0, stream_run(&self->s));
}

FIXTURE_TEARDOWN(record_range)
{
	stream_close(&self->s, NAME);
}

/* A range, with bounds as the kernel reads and writes them. */
struct range {
	struct blink_tree_ioc_record_scan arg;
	char first[BOUND];
	char last[BOUND];
};

static void range_init(struct range *range, __u32 flags)
{
	*range = (struct range){ .arg.flags = flags };
	range->arg.first = ptr_to_u64(range->first);
	range->arg.last = ptr_to_u64(range->last);
}

/* The keys with these numbers as bounds, with their first bytes alone if so wanted. */
static void range_keys(struct range *range, const struct stream *s, __u32 flags,
		       __u64 first, __u64 last)
{
	range_init(range, flags);
	range->arg.first_length =
		key_put(range->first, s->kind, key_number(s->kind, first));
	range->arg.last_length =
		key_put(range->last, s->kind, key_number(s->kind, last));
}

static int scan(struct stream *s, struct range *range, size_t room)
{
	range->arg.output = room ? ptr_to_u64(s->output) : 0;
	range->arg.output_size = room;
	range->arg.output_used = JUNK;
	range->arg.count = JUNK;
	return call(s->tree, BLINK_TREE_IOC_RECORD_SCAN, &range->arg);
}

/* How many entries are in a range; a negative errno. */
static long count(struct stream *s, struct range *range)
{
	long sum = 0;
	int ret;

	range->arg.flags |= COUNT;
	do {
		ret = scan(s, range, 0);
		sum += range->arg.count;
	} while (!ret && !(range->arg.flags & DONE));
	return ret ?: sum;
}

/*
 * Scan all entries, with room for some of them in each call. Returns whether each one
 * comes once and in order.
 */
static bool scan_all(struct stream *s, __u32 flags, size_t room)
{
	struct range range;
	unsigned int seen = 0, want;
	struct rec r;
	size_t at;

	range_init(&range, flags);
	do {
		if (scan(s, &range, room) || range.arg.output_used > room)
			return false;
		for (at = 0; at < range.arg.output_used; seen++) {
			want = flags & DESC ? KEYS - 1 - seen : seen;
			at += rec_get(s->output + at,
				      range.arg.output_used - at, s->kind, &r);
			if (r.opcode != BLINK_TREE_OP_LOOKUP || r.result ||
			    !r.has_key || !r.has_value || r.has_old ||
			    r.key.low != key_number(s->kind, want).low ||
			    r.key.high != key_number(s->kind, want).high ||
			    r.value != value_of(want))
				return false;
		}
		if (range.arg.output_used / room > range.arg.count)
			return false;
	} while (!(range.arg.flags & DONE));
	return seen == KEYS;
}

TEST_F(record_range, scan_of_all)
{
	const size_t rooms[] = { 48, 100, 1000, 20000, 1 << 18 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		EXPECT_TRUE(scan_all(&self->s, 0, rooms[i]));
		EXPECT_TRUE(scan_all(&self->s, DESC, rooms[i]));
	}
}

TEST_F(record_range, bounds_that_are_keys)
{
	const struct {
		__u32 flags;
		__u64 first;
		__u64 last;
		long want;
	} ranges[] = {
		{ 0, 10, 20, 11 },
		{ FIRST_OPEN, 10, 20, 10 },
		{ LAST_OPEN, 10, 20, 10 },
		{ FIRST_OPEN | LAST_OPEN, 10, 20, 9 },
		{ 0, 10, 10, 1 },
		{ FIRST_OPEN, 10, 10, 0 },
		{ LAST_OPEN, 10, 10, 0 },
		{ FIRST_OPEN | LAST_OPEN, 10, 11, 0 },
		{ 0, KEYS, 2 * KEYS, 0 },
		{ 0, 20, 10, -EINVAL },
		{ FIRST_OPEN | LAST_OPEN, 20, 10, -EINVAL },
	};
	struct stream *s = &self->s;
	struct range range;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		range_keys(&range, s, ranges[i].flags, ranges[i].first,
			   ranges[i].last);
		EXPECT_EQ(ranges[i].want, count(s, &range))
		TH_LOG("range %u", i);
		range_keys(&range, s, ranges[i].flags, ranges[i].first,
			   ranges[i].last);
		EXPECT_EQ(ranges[i].want, range_erase(s, &range.arg))
		TH_LOG("range %u", i);
		stream_fill(s, BLINK_TREE_OP_STORE, 0, KEYS);
		ASSERT_EQ(0, stream_run(s));
	}
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* A bound of any length stands for all keys that begin with it. */
TEST_F(record_range, bounds_shorter_than_keys)
{
	struct stream *s = &self->s;
	size_t bytes = record_key_bytes(s->kind), length;
	struct range range;
	char key[BOUND];
	char other[BOUND];
	long same, before;
	unsigned int i;

	key_put(key, s->kind, key_number(s->kind, KEYS / 2));
	for (length = 0; length <= bytes; length++) {
		same = 0;
		before = 0;
		for (i = 0; i < KEYS; i++) {
			key_put(other, s->kind, key_number(s->kind, i));
			same += !memcmp(other, key, length);
			before += memcmp(other, key, length) < 0;
		}
		range_init(&range, PREFIX);
		memcpy(range.first, key, length);
		range.arg.first_length = length;
		ASSERT_EQ(same, count(s, &range));
		range_init(&range, 0);
		memcpy(range.first, key, length);
		range.arg.first_length = length;
		ASSERT_EQ(KEYS - before, count(s, &range));
		range_init(&range, FIRST_OPEN);
		memcpy(range.first, key, length);
		range.arg.first_length = length;
		ASSERT_EQ(KEYS - before - same, count(s, &range));
		range_init(&range, LAST_OPEN);
		memcpy(range.last, key, length);
		range.arg.last_length = length;
		ASSERT_EQ(before, count(s, &range));
		range_init(&range, 0);
		memcpy(range.last, key, length);
		range.arg.last_length = length;
		ASSERT_EQ(before + same, count(s, &range));
	}
}

/* The longest bound of pairs is a key and a value. */
TEST_F(record_range, bounds_of_pairs)
{
	struct stream *s = &self->s;
	__u64 words[2] = { 0, 0 };
	struct range range;
	unsigned int i;

	if (s->kind != BLINK_TREE_KEY_MULTI)
		SKIP(return, "keys are unique");
	for (i = 0; i < 10; i++)
		ONE(s, INSERT, .has_value = true, .value = i);
	words[1] = htobe64(4);
	range_init(&range, FIRST_OPEN);
	memcpy(range.first, words, BOUND);
	range.arg.first_length = BOUND;
	range.arg.last_length = 8;
	EXPECT_EQ(5, count(s, &range));
	range_init(&range, LAST_OPEN);
	memcpy(range.last, words, BOUND);
	range.arg.last_length = BOUND;
	EXPECT_EQ(4, range_erase(s, &range.arg));
	range_init(&range, PREFIX);
	range.arg.first_length = 8;
	EXPECT_EQ(6, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

TEST_F(record_range, bad_arguments_are_einval)
{
	struct stream *s = &self->s;
	const __u32 longest = s->kind == BLINK_TREE_KEY_U64 ? 8 : 16;
	struct range range;

	range_init(&range, 0);
	range.arg.first_length = longest + 1;
	EXPECT_EQ(-EINVAL, scan(s, &range, 1000));
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	range_init(&range, 0);
	range.arg.last_length = ~0u;
	EXPECT_EQ(-EINVAL, scan(s, &range, 1000));
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	range_init(&range, PREFIX | FIRST_OPEN);
	EXPECT_EQ(-EINVAL, scan(s, &range, 1000));
	range_init(&range, PREFIX | LAST_OPEN);
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	range_init(&range, PREFIX);
	range.arg.last_length = 1;
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	range_init(&range, COUNT);
	EXPECT_EQ(-EINVAL, scan(s, &range, 1000));
	range_init(&range, DESC);
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	range_init(&range, COUNT);
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

TEST_F(record_range, output_too_small_is_emsgsize)
{
	struct stream *s = &self->s;
	const size_t each = sizeof(struct blink_tree_record) +
			    record_key_bytes(s->kind) + 8;
	struct range range;
	size_t room;

	for (room = 0; room < 3 * each; room++) {
		range_init(&range, 0);
		ASSERT_EQ(room < each ? -EMSGSIZE : 0, scan(s, &range, room));
		if (room >= each) {
			ASSERT_EQ(room / each, range.arg.count);
			ASSERT_EQ(room / each * each, range.arg.output_used);
			ASSERT_EQ(0, range.arg.flags);
		}
	}
}

/* A call with DONE, and one for no keys, leave the range unchanged. */
TEST_F(record_range, done_is_done)
{
	struct stream *s = &self->s;
	struct range range, before;

	range_init(&range, 0);
	EXPECT_EQ(0, scan(s, &range, 1 << 18));
	EXPECT_EQ(DONE, range.arg.flags);
	EXPECT_EQ(KEYS, range.arg.count);
	EXPECT_EQ(0, scan(s, &range, 1000));
	EXPECT_EQ(0, range.arg.count);
	EXPECT_EQ(0, range.arg.output_used);
	range_keys(&range, s, FIRST_OPEN, 5, 5);
	before = range;
	EXPECT_EQ(0, scan(s, &range, 1000));
	EXPECT_EQ(FIRST_OPEN | DONE, range.arg.flags);
	EXPECT_EQ(0, range.arg.count);
	EXPECT_EQ(before.arg.first_length, range.arg.first_length);
	EXPECT_EQ(0, memcmp(before.first, range.first, 2 * BOUND));
	EXPECT_EQ(0, scan(s, &range, 1000));
	EXPECT_EQ(0, range.arg.count);
	range_init(&range, DONE);
	EXPECT_EQ(0, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* Neither a bound nor the output can be written: the range stays what it is. */
TEST_F(record_range, faults)
{
	struct stream *s = &self->s;
	const size_t each = sizeof(struct blink_tree_record) +
			    record_key_bytes(s->kind) + 8;
	const __u32 longest = s->kind == BLINK_TREE_KEY_U64 ? 8 : 16;
	char *start = s->output, *end = guard_alloc(1);
	struct range range, before;

	ASSERT_NE(NULL, end);
	range_init(&range, 0);
	before = range;
	s->output = s->output_end - 10 * each - 1;
	EXPECT_EQ(-EFAULT, scan(s, &range, 1 << 18));
	EXPECT_EQ(0, range.arg.first_length);
	EXPECT_EQ(0, range.arg.flags);
	EXPECT_EQ(0, memcmp(before.first, range.first, 2 * BOUND));
	s->output = start;
	range.arg.first = ptr_to_u64(end - longest + 1);
	EXPECT_EQ(-EFAULT, scan(s, &range, 1000));
	EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
	range.arg.first = ptr_to_u64(end - longest);
	EXPECT_EQ(0, scan(s, &range, 1000));
	range_init(&range, 0);
	range.arg.last = ptr_to_u64(end - longest + 1);
	EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
	range.arg.flags = PREFIX;
	EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
	ASSERT_EQ(0, mprotect(end - page_size(), page_size(), PROT_READ));
	range.arg.last = ptr_to_u64(end - longest);
	EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
	EXPECT_EQ(-EFAULT, scan(s, &range, 1000));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

TEST_F(record_range, permissions)
{
	struct stream s = self->s;
	struct range range;

	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_READ);
	ASSERT_GE(s.tree, 0);
	range_init(&range, 0);
	EXPECT_EQ(-EBADF, range_erase(&s, &range.arg));
	EXPECT_EQ(KEYS, count(&s, &range));
	close(s.tree);
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(s.tree, 0);
	range_init(&range, 0);
	EXPECT_EQ(-EBADF, count(&s, &range));
	range_init(&range, 0);
	EXPECT_EQ(KEYS, range_erase(&s, &range.arg));
	close(s.tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 0));
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

/* Signals cut scans and erases short, and the next call continues them. */
TEST_F(record_range, signals)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct stream *s = &self->s;
	struct range range;
	unsigned int i;

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	timer_set(500);
	for (i = 0; i < 30; i++) {
		EXPECT_TRUE(scan_all(s, i & 1 ? DESC : 0, 1 << 18));
		range_init(&range, 0);
		EXPECT_EQ(KEYS, count(s, &range));
	}
	range_init(&range, 0);
	EXPECT_EQ(KEYS, range_erase(s, &range.arg));
	timer_set(0);
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

TEST_HARNESS_MAIN
