// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_RECORD_SCAN and BLINK_TREE_IOC_RECORD_ERASE in trees with values of
 * bytes: values that fill the output, calls that end early, and memory that cannot be
 * written.
 */
#include <signal.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "values.h"

#define NAME "selftest.values_range"
#define KEYS 240
#define DESC BYTES_DESC
#define FIRST_OPEN BYTES_FIRST_OPEN
#define LAST_OPEN BYTES_LAST_OPEN
#define PREFIX BYTES_PREFIX
#define DONE BYTES_DONE

FIXTURE(values_range)
{
	struct stream s;
};

FIXTURE_VARIANT(values_range)
{
	struct blink_tree_ioc_create how;
};

ADD_VALUES(values_range);

FIXTURE_SETUP(values_range)
{
	ASSERT_EQ(0, stream_open(&self->s, NAME, &variant->how));
}

FIXTURE_TEARDOWN(values_range)
{
	stream_close(&self->s, NAME);
}

/* The values that the keys have: of all lengths, or only the longest, or empty ones. */
enum content { MIXED, LONGEST, EMPTY };

static struct string content_of(enum content values, unsigned int number)
{
	if (values == MIXED)
		return value_for(number);
	return value_like(number, values == LONGEST ? VALUES_MAX : 0);
}

static bool add_keys(struct stream *s, enum content values)
{
	unsigned int i;

	for (i = 0; i < KEYS;) {
		stream_reset(s);
		do {
			ADD_VALUES_REC(s, STORE, .key = key_like(s->kind, i),
				       .value = content_of(values, i));
		} while (++i % 40);
		if (stream_call(s, 0, s->size, 1 << 19) || s->arg.done != 40)
			return false;
	}
	return true;
}

/* How many entries are in the rest of a range. */
static long rest_of(struct stream *s, const struct bytes_range *range)
{
	struct bytes_range rest = *range;

	rest.arg.first = ptr_to_u64(rest.first);
	rest.arg.last = ptr_to_u64(rest.last);
	rest.arg.flags &= ~DESC;
	return bytes_count(s, &rest);
}

/*
 * Scan with so much room in each call, and expect the keys from number @first on. A call
 * ends only if the output has no room for the longest entry, and the rest of the range
 * has the entries that have not come.
 */
static bool scan_gives(struct stream *s, struct bytes_range *range,
		       enum content values, int first, int nr, size_t room)
{
	int at = range->arg.flags & DESC ? first + nr - 1 : first;
	const int step = range->arg.flags & DESC ? -1 : 1;
	struct values_rec r;
	size_t from, length;

	do {
		memset(s->output, 0xee, room + 8);
		if (bytes_scan(s, range, room) || range->arg.output_used > room)
			return false;
		for (from = 0; from < range->arg.output_used; from += length) {
			length = values_get(s->output + from,
					    range->arg.output_used - from, &r);
			if (!length || nr-- <= 0 || r.flags ||
			    r.opcode != BLINK_TREE_OP_LOOKUP ||
			    !found(&r, key_like(s->kind, at),
				   content_of(values, at)))
				return false;
			at += step;
			range->arg.count--;
		}
		if (range->arg.count || s->output[room] != '\xee')
			return false;
		if (!(range->arg.flags & DONE) &&
		    (room - range->arg.output_used >= entry_max(s->kind) ||
		     rest_of(s, range) != nr))
			return false;
	} while (!(range->arg.flags & DONE));
	return !nr;
}

static const __u32 flags[] = {
	0,
	FIRST_OPEN,
	LAST_OPEN,
	FIRST_OPEN | LAST_OPEN,
};

/* The range from one key to another one, with one direction and with the other. */
static bool scans(struct stream *s, enum content values, int first, int last,
		  size_t room)
{
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(flags); i++) {
		const __u32 open = flags[i / 2];
		const int from = first + !!(open & FIRST_OPEN);
		const int to = last - !!(open & LAST_OPEN);
		struct bytes_range range;

		bytes_range_init(&range, open | (i & 1 ? DESC : 0),
				 key_like(s->kind, first),
				 key_like(s->kind, last));
		if (!scan_gives(s, &range, values, from,
				to < from ? 0 : to - from + 1, room)) {
			fprintf(stderr, "# flags %#x room %zu\n", open, room);
			return false;
		}
	}
	return true;
}

static bool scans_in_rooms(struct stream *s, enum content values)
{
	const size_t most = entry_max(s->kind);
	const size_t rooms[] = { most,	most + 1, 2 * most - 1, 3 * most + 5,
				 65536, 1 << 17,  1 << 18 };
	unsigned int i;

	if (!add_keys(s, values))
		return false;
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		if (!scans(s, values, 0, KEYS - 1, rooms[i]) ||
		    !scans(s, values, 17, 91, rooms[i]) ||
		    !scans(s, values, 5, 5, rooms[i]))
			return false;
	}
	return true;
}

TEST_F(values_range, scan_of_mixed_values)
{
	EXPECT_TRUE(scans_in_rooms(&self->s, MIXED));
}

TEST_F(values_range, scan_of_longest_values)
{
	EXPECT_TRUE(scans_in_rooms(&self->s, LONGEST));
}

TEST_F(values_range, scan_of_empty_values)
{
	EXPECT_TRUE(scans_in_rooms(&self->s, EMPTY));
}

static bool begins_with(struct string key, struct string first, size_t length)
{
	return key.length >= length && !memcmp(key.data, first.data, length);
}

/* The keys that begin with a part of a key: they are neighbours. */
TEST_F(values_range, prefix)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	struct string prefix;
	unsigned int i, first = 0, nr;
	size_t length;

	ASSERT_TRUE(add_keys(s, MIXED));
	for (length = 1; length <= 8; length++) {
		prefix = key_like(s->kind, 100);
		prefix.length = length;
		for (i = 0, nr = 0; i < KEYS; i++) {
			prefix.data = key_like(s->kind, 100).data;
			if (!begins_with(key_like(s->kind, i), prefix, length))
				continue;
			first = nr++ ? first : i;
		}
		ASSERT_LE(1, nr);
		bytes_range_init(&range, PREFIX, prefix, NO_STRING);
		EXPECT_TRUE(scan_gives(s, &range, MIXED, first, nr, 20000));
		bytes_range_init(&range, PREFIX | DESC, prefix, NO_STRING);
		EXPECT_TRUE(scan_gives(s, &range, MIXED, first, nr, 20000));
	}
}

/* A scan goes on behind its last entry, whatever became of it and of its neighbours. */
TEST_F(values_range, continued_after_changes)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	struct values_rec r;

	ASSERT_TRUE(add_keys(s, LONGEST));
	bytes_range_init(&range, 0, NO_STRING, NO_STRING);
	ASSERT_EQ(0, bytes_scan(s, &range, entry_max(s->kind)));
	ASSERT_EQ(1, range.arg.count);
	ASSERT_EQ(0, range.arg.flags & DONE);
	VALUES_ONE(s, ERASE, .key = key_like(s->kind, 0));
	VALUES_ONE(s, ERASE, .key = key_like(s->kind, 1));
	VALUES_ONE(s, REPLACE, .key = key_like(s->kind, 2),
		   .value = STRING("new"));
	ASSERT_EQ(0, bytes_scan(s, &range, entry_max(s->kind)));
	ASSERT_TRUE(values_get(s->output, range.arg.output_used, &r));
	EXPECT_TRUE(found(&r, key_like(s->kind, 2), STRING("new")));
	EXPECT_LE(KEYS - 4, rest_of(s, &range));
}

TEST_F(values_range, erase)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	struct values_rec r;
	int i, k, nr;

	for (i = 0; i < (int)ARRAY_SIZE(flags); i++) {
		ASSERT_TRUE(add_keys(s, MIXED));
		bytes_range_init(&range, flags[i], key_like(s->kind, 30),
				 key_like(s->kind, 200));
		nr = 171 - !!(flags[i] & FIRST_OPEN) - !!(flags[i] & LAST_OPEN);
		EXPECT_EQ(nr, bytes_count(s, &range));
		bytes_range_init(&range, flags[i], key_like(s->kind, 30),
				 key_like(s->kind, 200));
		EXPECT_EQ(nr, range_erase(s, &range.arg));
		EXPECT_EQ(0, tree_check(s->tree, KEYS - nr));
		for (k = 0; k < KEYS; k++) {
			bool left = k < 30 + !!(flags[i] & FIRST_OPEN) ||
				    k > 200 - !!(flags[i] & LAST_OPEN);

			r = VALUES_ONE(s, LOOKUP, .key = key_like(s->kind, k));
			EXPECT_TRUE(left ? with_value(&r, 0, value_for(k)) :
					   bare(&r, -ENOENT));
		}
	}
	bytes_range_init(&range, 0, NO_STRING, NO_STRING);
	EXPECT_EQ(KEYS - nr, range_erase(s, &range.arg));
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

/* The longest entry must fit, however short those are that are there. */
TEST_F(values_range, output_too_small_is_emsgsize)
{
	struct stream *s = &self->s;
	struct bytes_range range;
	size_t room;

	ASSERT_TRUE(add_keys(s, EMPTY));
	for (room = 0; room < entry_max(s->kind);
	     room += room < 64 ? 1 : entry_max(s->kind) / 32) {
		bytes_range_init(&range, 0, NO_STRING, NO_STRING);
		ASSERT_EQ(-EMSGSIZE, bytes_scan(s, &range, room));
	}
	bytes_range_init(&range, 0, key_like(s->kind, 3), NO_STRING);
	ASSERT_EQ(-EMSGSIZE, bytes_scan(s, &range, entry_max(s->kind) - 1));
	EXPECT_EQ(key_like(s->kind, 3).length, range.arg.first_length);
	EXPECT_EQ(0, range.arg.flags);
	EXPECT_EQ(KEYS - 3, rest_of(s, &range));
	ASSERT_EQ(0, bytes_scan(s, &range, entry_max(s->kind)));
	EXPECT_LE(1, range.arg.count);
}

/* An output that cannot be written leaves the range what it was. */
TEST_F(values_range, output_faults)
{
	struct stream *s = &self->s;
	char *start = s->output;
	struct bytes_range range, before;
	size_t room;

	ASSERT_TRUE(add_keys(s, LONGEST));
	for (room = 0; room < 300000; room = room * 2 + 1) {
		bytes_range_init(&range, 0, key_like(s->kind, 3),
				 key_like(s->kind, 230));
		before = range;
		s->output = s->output_end - room;
		EXPECT_EQ(-EFAULT, bytes_scan(s, &range, 1 << 20));
		EXPECT_EQ(0, range.arg.flags);
		EXPECT_EQ(before.arg.first_length, range.arg.first_length);
		EXPECT_EQ(before.arg.last_length, range.arg.last_length);
		EXPECT_EQ(0, memcmp(before.first, range.first,
				    before.arg.first_length));
		EXPECT_EQ(0, memcmp(before.last, range.last,
				    before.arg.last_length));
	}
	s->output = start;
}

TEST_F(values_range, permissions)
{
	struct stream s = self->s;
	struct bytes_range range;

	ASSERT_TRUE(add_keys(&s, MIXED));
	bytes_range_init(&range, 0, NO_STRING, NO_STRING);
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_READ);
	ASSERT_GE(s.tree, 0);
	EXPECT_EQ(-EBADF, range_erase(&s, &range.arg));
	EXPECT_TRUE(scan_gives(&s, &range, MIXED, 0, KEYS, 1 << 17));
	close(s.tree);
	s.tree = tree_open(s.device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(s.tree, 0);
	bytes_range_init(&range, 0, NO_STRING, NO_STRING);
	EXPECT_EQ(-EBADF, bytes_scan(&s, &range, 1 << 17));
	EXPECT_EQ(-EBADF, bytes_count(&s, &range));
	bytes_range_init(&range, 0, NO_STRING, NO_STRING);
	EXPECT_EQ(KEYS, range_erase(&s, &range.arg));
	close(s.tree);
	EXPECT_EQ(0, tree_check(self->s.tree, 0));
}

static void on_alarm(int sig)
{
	(void)sig;
}

/* All entries of a scan come, however often a signal cuts it short. */
static bool scan_under_signals(struct stream *s, __u32 desc)
{
	struct bytes_range range;
	struct values_rec r;
	int next = desc ? KEYS - 1 : 0;
	size_t at, length;

	bytes_range_init(&range, desc, NO_STRING, NO_STRING);
	do {
		if (bytes_scan(s, &range, 1 << 19))
			return false;
		for (at = 0; at < range.arg.output_used; at += length) {
			length = values_get(s->output + at,
					    range.arg.output_used - at, &r);
			if (!length || !found(&r, key_like(s->kind, next),
					      value_like(next, VALUES_MAX)))
				return false;
			next += desc ? -1 : 1;
		}
	} while (!(range.arg.flags & DONE));
	return next == (desc ? -1 : KEYS);
}

TEST_F(values_range, signals)
{
	struct sigaction action = { .sa_handler = on_alarm,
				    .sa_flags = SA_RESTART };
	struct itimerval timer = { .it_value.tv_usec = 500,
				   .it_interval.tv_usec = 500 };
	struct stream *s = &self->s;
	struct bytes_range range;
	unsigned int i;

	ASSERT_TRUE(add_keys(s, LONGEST));
	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	for (i = 0; i < 10; i++) {
		EXPECT_TRUE(scan_under_signals(s, i & 1 ? DESC : 0));
		bytes_range_init(&range, 0, NO_STRING, NO_STRING);
		EXPECT_EQ(KEYS, bytes_count(s, &range));
	}
	bytes_range_init(&range, 0, NO_STRING, NO_STRING);
	EXPECT_EQ(KEYS, range_erase(s, &range.arg));
	memset(&timer, 0, sizeof(timer));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &timer, NULL));
	EXPECT_EQ(0, tree_check(s->tree, 0));
}

TEST_HARNESS_MAIN
