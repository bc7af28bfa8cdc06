// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORD_SCAN and BLINK_TREE_IOC_RECORD_ERASE in trees whose keys are byte
 * strings: bounds, prefixes, calls that end early, and memory that cannot be written.
 */
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "bytes.h"

#define NAME "selftest.bytes_range"
#define DESC BYTES_DESC
#define COUNT BYTES_COUNT
#define FIRST_OPEN BYTES_FIRST_OPEN
#define LAST_OPEN BYTES_LAST_OPEN
#define PREFIX BYTES_PREFIX
#define DONE BYTES_DONE

/* The longest record of an entry. */
#define ENTRY_MAX BYTES_RESULT_MAX

FIXTURE(bytes_range)
{
	struct stream s;
};

FIXTURE_VARIANT(bytes_range)
{
	struct blink_tree_ioc_create how;
};

ADD_BYTES(bytes_range);

FIXTURE_SETUP(bytes_range)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(bytes_range)
{
	stream_close(&self->s, NAME);
}

/* In order. */
static const struct string keys[] = {
	STRING(""),	    STRING("\0"),
	STRING("\0\0"),	    STRING("a"),
	STRING("a\0"),	    STRING("ab"),
	STRING("abc"),	    STRING("abc\0"),
	STRING("ab\xff"),   STRING("ab\xff\xff"),
	STRING("ac"),	    STRING("b"),
	STRING("\xff"),	    STRING("\xff\0"),
	STRING("\xff\xff"), STRING("\xff\xff\xff"),
};

#define KEYS ((int)ARRAY_SIZE(keys))

/* Add all keys that are absent. Returns whether all could be added. */
static bool add_keys(struct stream *s)
{
	int i;

	stream_reset(s);
	for (i = 0; i < KEYS; i++)
		ADD_BYTES_REC(s, STORE, .key = keys[i], .has_value = true,
			      .value = value_of(i));
	return !stream_call(s, 0, s->size, 65536) && s->arg.done == KEYS;
}

/* Scan up or down with little room, and expect the keys from one on, so many. */
static bool scan_gives(struct stream *s, struct bytes_range *range, int first,
		       int nr, size_t room)
{
	int at = range->arg.flags & DESC ? first + nr - 1 : first;
	const int step = range->arg.flags & DESC ? -1 : 1;
	struct bytes_rec r;
	size_t from, length;

	do {
		if (bytes_scan(s, range, room) || range->arg.output_used > room)
			return false;
		for (from = 0; from < range->arg.output_used; from += length) {
			length = bytes_get(s->output + from,
					   range->arg.output_used - from, &r);
			if (!length || nr-- <= 0 || r.flags ||
			    r.opcode != BLINK_TREE_OP_LOOKUP ||
			    !found(&r, keys[at], value_of(at)))
				return false;
			at += step;
		}
		if (!range->arg.count && !(range->arg.flags & DONE))
			return false;
	} while (!(range->arg.flags & DONE));
	return !nr;
}

struct example {
	__u32 flags;
	struct string first;
	struct string last;
	int from;
	int nr;
};

/* A bound is a key: it stands for no longer key, and can be absent. */
static const struct example examples[] = {
	{ 0, STRING(""), STRING(""), 0, KEYS },
	{ FIRST_OPEN, STRING(""), STRING(""), 1, KEYS - 1 },
	{ LAST_OPEN, STRING(""), STRING(""), 0, 0 },
	{ FIRST_OPEN | LAST_OPEN, STRING(""), STRING(""), 0, 0 },
	{ 0, STRING(""), STRING("\0"), 0, 2 },
	{ LAST_OPEN, STRING(""), STRING("\0"), 0, 1 },
	{ FIRST_OPEN | LAST_OPEN, STRING(""), STRING("\0"), 0, 0 },
	{ 0, STRING("\0"), STRING("\0\0"), 1, 2 },
	{ 0, STRING(""), STRING("ab"), 0, 6 },
	{ LAST_OPEN, STRING(""), STRING("ab"), 0, 5 },
	{ 0, STRING("ab"), STRING("ab"), 5, 1 },
	{ FIRST_OPEN, STRING("ab"), STRING("ab"), 0, 0 },
	{ LAST_OPEN, STRING("ab"), STRING("ab"), 0, 0 },
	{ FIRST_OPEN | LAST_OPEN, STRING("ab"), STRING("ab"), 0, 0 },
	{ FIRST_OPEN, STRING("ab"), STRING("abc"), 6, 1 },
	{ FIRST_OPEN | LAST_OPEN, STRING("ab"), STRING("abc"), 0, 0 },
	{ 0, STRING("ab"), STRING("abc"), 5, 2 },
	{ 0, STRING("aa"), STRING("abb"), 5, 1 },
	{ 0, STRING("abd"), STRING("abz"), 0, 0 },
	{ FIRST_OPEN, STRING("abc"), STRING(""), 7, KEYS - 7 },
	{ 0, STRING("\xff\xff\xff"), STRING(""), KEYS - 1, 1 },
	{ FIRST_OPEN, STRING("\xff\xff\xff"), STRING(""), 0, 0 },
	{ FIRST_OPEN, STRING("\xff\xff"), STRING(""), KEYS - 1, 1 },
	{ PREFIX, STRING(""), STRING(""), 0, KEYS },
	{ PREFIX, STRING("\0"), STRING(""), 1, 2 },
	{ PREFIX, STRING("\0\0\0"), STRING(""), 0, 0 },
	{ PREFIX, STRING("a"), STRING(""), 3, 8 },
	{ PREFIX, STRING("ab"), STRING(""), 5, 5 },
	{ PREFIX, STRING("abc"), STRING(""), 6, 2 },
	{ PREFIX, STRING("ab\xff"), STRING(""), 8, 2 },
	{ PREFIX, STRING("ab\xff\xff"), STRING(""), 9, 1 },
	{ PREFIX, STRING("ab\xff\xff\xff"), STRING(""), 0, 0 },
	{ PREFIX, STRING("abd"), STRING(""), 0, 0 },
	{ PREFIX, STRING("b"), STRING(""), 11, 1 },
	{ PREFIX, STRING("\xfe"), STRING(""), 0, 0 },
	{ PREFIX, STRING("\xff"), STRING(""), 12, 4 },
	{ PREFIX, STRING("\xff\xff"), STRING(""), 14, 2 },
	{ PREFIX, STRING("\xff\xff\xff"), STRING(""), 15, 1 },
	{ PREFIX, STRING("\xff\xff\xff\xff"), STRING(""), 0, 0 },
};

static void example_init(struct bytes_range *range, const struct example *e,
			 __u32 more)
{
	bytes_range_init(range, e->flags | more, e->first, e->last);
}

TEST_F(bytes_range, bounds)
{
	const size_t rooms[] = { ENTRY_MAX, ENTRY_MAX + 33, ENTRY_MAX + 100,
				 1 << 17 };
	struct stream *s = &self->s;
	struct bytes_range range;
	const struct example *e;
	unsigned int i, j;

	ASSERT_TRUE(add_keys(s));
	for (i = 0; i < ARRAY_SIZE(examples); i++) {
		e = &examples[i];
		example_init(&range, e, 0);
		EXPECT_EQ(e->nr, bytes_count(s, &range))
		TH_LOG("example %u", i);
		example_init(&range, e, DESC);
		EXPECT_EQ(e->nr, bytes_count(s, &range))
		TH_LOG("example %u, downwards", i);
		for (j = 0; j < 2 * ARRAY_SIZE(rooms); j++) {
			example_init(&range, e, j & 1 ? DESC : 0);
			EXPECT_TRUE(scan_gives(s, &range, e->from, e->nr,
					       rooms[j / 2]))
			TH_LOG("example %u, case %u", i, j);
		}
	}
}

TEST_F(bytes_range, erase)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	const struct example *e;
	struct bytes_rec r;
	unsigned int i;
	int k;

	for (i = 0; i < ARRAY_SIZE(examples); i++) {
		e = &examples[i];
		ASSERT_TRUE(add_keys(s));
		example_init(&range, e, 0);
		EXPECT_EQ(e->nr, range_erase(s, &range.arg))
		TH_LOG("example %u", i);
		EXPECT_EQ(0, tree_check(s->tree, KEYS - e->nr));
		for (k = 0; k < KEYS; k++) {
			r = BYTES_ONE(s, LOOKUP, .key = keys[k]);
			EXPECT_EQ(k >= e->from && k < e->from + e->nr ?
					  -ENOENT :
					  0,
				  r.result)
			TH_LOG("example %u, key %d", i, k);
		}
	}
}

/* The bounds and the prefixes that have as many bytes as there can be. */
TEST_F(bytes_range, longest_bounds)
{
	const struct string ones = greatest_key();
	const struct string fewer = { ones.length - 1, ones.data };
	struct stream *s = &self->s;
	struct bytes_range range;

	ASSERT_TRUE(add_keys(s));
	BYTES_ONE(s, STORE, .key = fewer, .has_value = true);
	BYTES_ONE(s, STORE, .key = ones, .has_value = true);
	bytes_range_init(&range, 0, ones, ones);
	EXPECT_EQ(1, bytes_count(s, &range));
	bytes_range_init(&range, 0, ones, STRING(""));
	EXPECT_EQ(1, bytes_count(s, &range));
	bytes_range_init(&range, FIRST_OPEN, ones, STRING(""));
	EXPECT_EQ(0, bytes_count(s, &range));
	bytes_range_init(&range, LAST_OPEN, STRING(""), ones);
	EXPECT_EQ(KEYS + 1, bytes_count(s, &range));
	bytes_range_init(&range, FIRST_OPEN, fewer, ones);
	EXPECT_EQ(1, bytes_count(s, &range));
	bytes_range_init(&range, FIRST_OPEN | LAST_OPEN, fewer, ones);
	EXPECT_EQ(0, bytes_count(s, &range));
	bytes_range_init(&range, PREFIX, ones, STRING(""));
	EXPECT_EQ(1, bytes_count(s, &range));
	bytes_range_init(&range, PREFIX | DESC, fewer, STRING(""));
	EXPECT_EQ(2, bytes_count(s, &range));
	bytes_range_init(&range, PREFIX, fewer, STRING(""));
	EXPECT_EQ(2, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

#define MANY 1000

/* Keys of 1,000 bytes and more that differ in their last ones. */
static struct string long_key(unsigned int i)
{
	static unsigned char bytes[BYTES_KEY_MAX];

	memset(bytes, 'x', sizeof(bytes));
	bytes[998] = i >> 8;
	bytes[999] = i;
	return (struct string){ 1000 + i % 25, bytes };
}

static bool add_many(struct stream *s)
{
	unsigned int i;

	for (i = 0; i < MANY;) {
		stream_reset(s);
		do {
			ADD_BYTES_REC(s, STORE, .key = long_key(i),
				      .has_value = true, .value = value_of(i));
		} while (++i % 100);
		if (stream_call(s, 0, s->size, 65536) || s->arg.done != 100)
			return false;
	}
	return true;
}

/* The kernel leaves off where the output is full, and tells where. */
static bool scan_many(struct stream *s, __u32 flags, size_t room)
{
	struct bytes_range range;
	unsigned int seen = 0, i;
	struct bytes_rec r;
	size_t at, length;

	bytes_range_init(&range, flags, STRING("x"), STRING(""));
	do {
		if (bytes_scan(s, &range, room) || range.arg.output_used > room)
			return false;
		/* No call stops while there is room for any entry. */
		if (!(range.arg.flags & DONE) &&
		    (!range.arg.count || range.arg.flags & PREFIX ||
		     !range.arg.first_length))
			return false;
		for (at = 0; at < range.arg.output_used; at += length) {
			i = flags & DESC ? MANY - 1 - seen : seen;
			length = bytes_get(s->output + at,
					   range.arg.output_used - at, &r);
			if (!length || !found(&r, long_key(i), value_of(i)))
				return false;
			seen++;
		}
	} while (!(range.arg.flags & DONE));
	return seen == MANY;
}

TEST_F(bytes_range, scan_of_long_keys)
{
	const size_t rooms[] = { ENTRY_MAX, 2 * ENTRY_MAX - 1, 10000, 100000,
				 1 << 19 };
	const __u32 flags[] = { 0, DESC, PREFIX, PREFIX | DESC };
	struct stream *s = &self->s;
	struct bytes_range range;
	unsigned int i, j;

	ASSERT_TRUE(add_many(s));
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		for (j = 0; j < ARRAY_SIZE(flags); j++) {
			EXPECT_TRUE(scan_many(s, flags[j], rooms[i]))
			TH_LOG("room %zu, flags %#x", rooms[i], flags[j]);
		}
	}
	bytes_range_init(&range, PREFIX,
			 (struct string){ 999, long_key(256).data },
			 STRING(""));
	EXPECT_EQ(256, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, MANY - 256));
}

/* A scan goes on behind the last key that it returned, also if this key is gone. */
TEST_F(bytes_range, continued_after_changes)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	struct bytes_rec r;

	ASSERT_TRUE(add_many(s));
	bytes_range_init(&range, 0, STRING("x"), STRING(""));
	ASSERT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	ASSERT_EQ(1, range.arg.count);
	ASSERT_EQ(0, range.arg.flags & DONE);
	BYTES_ONE(s, ERASE, .key = long_key(0));
	BYTES_ONE(s, ERASE, .key = long_key(1));
	/* One comes before the rest of the range, and one comes into it. */
	BYTES_ONE(s, INSERT, .key = STRING("w"), .has_value = true);
	BYTES_ONE(s, INSERT, .key = STRING("y"), .has_value = true);
	ASSERT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	ASSERT_TRUE(bytes_get(s->output, range.arg.output_used, &r));
	EXPECT_TRUE(found(&r, long_key(2), value_of(2)));
	EXPECT_EQ(MANY - 3 + 1, bytes_count(s, &range));
}

/* The key of no bytes is all that is left, and is no missing bound. */
TEST_F(bytes_range, downwards_to_the_empty_key)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	struct bytes_rec r;

	BYTES_ONE(s, STORE, .key = STRING(""), .has_value = true);
	BYTES_ONE(s, STORE, .key = greatest_key(), .has_value = true);
	bytes_range_init(&range, DESC, STRING(""), STRING(""));
	ASSERT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	ASSERT_EQ(1, range.arg.count);
	ASSERT_EQ(0, range.arg.flags & DONE);
	ASSERT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	ASSERT_EQ(1, range.arg.count);
	ASSERT_TRUE(bytes_get(s->output, range.arg.output_used, &r));
	EXPECT_TRUE(found(&r, STRING(""), 0));
	EXPECT_EQ(DONE, range.arg.flags & DONE);
}

TEST_F(bytes_range, bad_arguments_are_einval)
{
	const struct {
		__u32 flags;
		__u32 first_length;
		__u32 last_length;
	} bad[] = {
		{ 0, BYTES_KEY_MAX + 1, 0 },
		{ 0, 0, BYTES_KEY_MAX + 1 },
		{ PREFIX, BYTES_KEY_MAX + 1, 0 },
		{ 0, ~0u, 0 },
		{ 0, 0, ~0u },
		{ PREFIX | FIRST_OPEN, 1, 0 },
		{ PREFIX | LAST_OPEN, 1, 0 },
		{ PREFIX, 1, 1 },
		{ 1 << 5, 0, 0 },
		{ 1 << 30, 0, 0 },
		/* Both bounds have zeros, so the longer one is greater. */
		{ 0, 2, 1 },
		{ FIRST_OPEN, 2, 1 },
		{ LAST_OPEN, BYTES_KEY_MAX, 1 },
	};
	struct stream *s = &self->s;
	struct bytes_range range;
	unsigned int i;

	ASSERT_TRUE(add_keys(s));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		bytes_range_init(&range, bad[i].flags, STRING(""), STRING(""));
		range.arg.first_length = bad[i].first_length;
		range.arg.last_length = bad[i].last_length;
		EXPECT_EQ(-EINVAL, bytes_scan(s, &range, 1 << 17))
		TH_LOG("case %u", i);
		range.arg.flags = bad[i].flags | COUNT;
		EXPECT_EQ(-EINVAL, bytes_scan(s, &range, 0))
		TH_LOG("case %u", i);
		range.arg.flags = bad[i].flags;
		EXPECT_EQ(-EINVAL, range_erase(s, &range.arg))
		TH_LOG("case %u", i);
	}
	bytes_range_init(&range, 0, STRING("abc"), STRING("ab"));
	EXPECT_EQ(-EINVAL, bytes_scan(s, &range, 1 << 17));
	bytes_range_init(&range, 0, STRING("b"), STRING("ab"));
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	bytes_range_init(&range, COUNT, STRING(""), STRING(""));
	EXPECT_EQ(-EINVAL, bytes_scan(s, &range, 1 << 17));
	bytes_range_init(&range, DESC, STRING(""), STRING(""));
	EXPECT_EQ(-EINVAL, range_erase(s, &range.arg));
	bytes_range_init(&range, 0, STRING(""), STRING(""));
	range.arg.__reserved = 1;
	EXPECT_EQ(-EINVAL, bytes_scan(s, &range, 1 << 17));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* The longest entry must fit, however short those are that are there. */
TEST_F(bytes_range, output_too_small_is_emsgsize)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	size_t room;

	ASSERT_TRUE(add_keys(s));
	for (room = 0; room < ENTRY_MAX; room += room < 64 ? 1 : 31) {
		bytes_range_init(&range, 0, STRING("ab"), STRING(""));
		ASSERT_EQ(-EMSGSIZE, bytes_scan(s, &range, room));
	}
	bytes_range_init(&range, 0, STRING("ab"), STRING(""));
	ASSERT_EQ(-EMSGSIZE, bytes_scan(s, &range, ENTRY_MAX - 1));
	EXPECT_EQ(2, range.arg.first_length);
	EXPECT_EQ(0, range.arg.flags);
	ASSERT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	EXPECT_LE(1, range.arg.count);
}

/* A call with DONE, and one for no keys, leave the range unchanged. */
TEST_F(bytes_range, done_is_done)
{
	struct stream *s = &self->s;
	struct bytes_range range, before;

	ASSERT_TRUE(add_keys(s));
	bytes_range_init(&range, 0, STRING(""), STRING(""));
	EXPECT_EQ(0, bytes_scan(s, &range, 1 << 17));
	EXPECT_EQ(DONE, range.arg.flags & DONE);
	EXPECT_EQ(0, range.arg.flags & PREFIX);
	EXPECT_EQ(KEYS, range.arg.count);
	before = range;
	EXPECT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	EXPECT_EQ(0, range.arg.count);
	EXPECT_EQ(0, range.arg.output_used);
	EXPECT_EQ(before.arg.flags, range.arg.flags);
	EXPECT_EQ(before.arg.first_length, range.arg.first_length);
	EXPECT_EQ(before.arg.last_length, range.arg.last_length);
	bytes_range_init(&range, FIRST_OPEN, STRING("ab"), STRING("ab"));
	before = range;
	EXPECT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	EXPECT_EQ(FIRST_OPEN | DONE, range.arg.flags);
	EXPECT_EQ(0, range.arg.count);
	EXPECT_EQ(2, range.arg.first_length);
	EXPECT_EQ(2, range.arg.last_length);
	EXPECT_EQ(0, memcmp(before.first, range.first, 2));
	EXPECT_EQ(0, memcmp(before.last, range.last, 2));
	bytes_range_init(&range, DONE, STRING(""), STRING(""));
	EXPECT_EQ(0, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* The longest bound can be written at both addresses, or nothing is done. */
TEST_F(bytes_range, bounds_that_cannot_be_written)
{
	struct stream *s = &self->s;
	char *end = guard_alloc(1);
	char *at;
	struct bytes_range range;
	int last, i;

	ASSERT_NE(NULL, end);
	ASSERT_TRUE(add_keys(s));
	for (i = 0; i < 4; i++) {
		/* One byte too late, in a page that ends; or read-only. */
		at = end - BYTES_KEY_MAX + (i < 2);
		if (i == 2)
			ASSERT_EQ(0, mprotect(end - page_size(), page_size(),
					      PROT_READ));
		last = i & 1;
		bytes_range_init(&range, 0, STRING(""), STRING(""));
		*(last ? &range.arg.last : &range.arg.first) = ptr_to_u64(at);
		EXPECT_EQ(-EFAULT, bytes_scan(s, &range, ENTRY_MAX));
		EXPECT_EQ(0, range.arg.flags);
		EXPECT_EQ(0, range.arg.first_length);
		EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
		range.arg.flags = PREFIX;
		EXPECT_EQ(-EFAULT, bytes_scan(s, &range, ENTRY_MAX));
		EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
		range.arg.flags = 0;
		EXPECT_EQ(-EFAULT, bytes_count(s, &range));
		EXPECT_EQ(0, tree_check(s->tree, KEYS));
	}
	ASSERT_EQ(0, mprotect(end - page_size(), page_size(),
			      PROT_READ | PROT_WRITE));
	bytes_range_init(&range, 0, STRING(""), STRING(""));
	range.arg.first = ptr_to_u64(end - BYTES_KEY_MAX);
	range.arg.last = ptr_to_u64(end - 2 * BYTES_KEY_MAX);
	EXPECT_EQ(0, bytes_scan(s, &range, ENTRY_MAX));
	/* A bound that cannot be read. */
	bytes_range_init(&range, 0, STRING("a"), STRING(""));
	range.arg.first = ptr_to_u64(end);
	EXPECT_EQ(-EFAULT, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, KEYS));
}

/* An output that cannot be written leaves the range what it was. */
TEST_F(bytes_range, output_faults)
{
	struct stream *s = &self->s;
	char *start = s->output;
	struct bytes_range range;
	size_t room;

	ASSERT_TRUE(add_many(s));
	for (room = 0; room < 300000; room = room * 2 + 1) {
		bytes_range_init(&range, 0, STRING("x"), STRING("y"));
		s->output = s->output_end - room;
		EXPECT_EQ(-EFAULT, bytes_scan(s, &range, 1 << 20));
		EXPECT_EQ(0, range.arg.flags);
		EXPECT_EQ(1, range.arg.first_length);
		EXPECT_EQ(1, range.arg.last_length);
		EXPECT_TRUE(range.first[0] == 'x' && range.last[0] == 'y');
	}
	s->output = start;
}

TEST_F(bytes_range, permissions)
{
	struct stream s = self->s;
	struct bytes_range range;

	ASSERT_TRUE(add_keys(&s));
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_READ);
	ASSERT_GE(s.tree, 0);
	bytes_range_init(&range, 0, STRING(""), STRING(""));
	EXPECT_EQ(-EBADF, range_erase(&s, &range.arg));
	EXPECT_EQ(KEYS, bytes_count(&s, &range));
	close(s.tree);
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(s.tree, 0);
	bytes_range_init(&range, 0, STRING(""), STRING(""));
	EXPECT_EQ(-EBADF, bytes_count(&s, &range));
	bytes_range_init(&range, 0, STRING(""), STRING(""));
	EXPECT_EQ(KEYS, range_erase(&s, &range.arg));
	close(s.tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 0));
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* Signals cut scans, counts and erases short, and the next call continues them. */
TEST_F(bytes_range, signals)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value.tv_usec = 500,
				   .it_interval.tv_usec = 500 };
	struct stream *s = &self->s;
	struct bytes_range range;
	unsigned int i;

	ASSERT_TRUE(add_many(s));
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	for (i = 0; i < 30; i++) {
		EXPECT_TRUE(scan_many(s, i & 1 ? DESC : 0, 1 << 19));
		bytes_range_init(&range, 0, STRING(""), STRING(""));
		EXPECT_EQ(MANY, bytes_count(s, &range));
	}
	bytes_range_init(&range, PREFIX, STRING("x"), STRING(""));
	EXPECT_EQ(MANY, range_erase(s, &range.arg));
	memset(&timer, 0, sizeof(timer));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

TEST_HARNESS_MAIN
