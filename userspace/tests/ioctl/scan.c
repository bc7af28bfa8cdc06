// SPDX-License-Identifier: GPL-2.0
/*
 * BLINK_TREE_IOC_SCAN on a tree that does not change: ranges, both directions, any
 * room, resuming, counting, what ends it, and what bad arguments do.
 *
 * The tree has NR keys, FIRST + GAP * *rank*.
 */

#include "kselftest_harness.h"

#include "alarms.h"
#include "blink_test.h"

#define FIRST 1000
#define GAP 7
#define NR 3000
#define LAST (FIRST + (NR - 1ULL) * GAP)

FIXTURE(scan)
{
	int tree;
	struct blink_tree_entry *entries;
};

FIXTURE_VARIANT(scan)
{
	unsigned int flags;
};

FIXTURE_VARIANT_ADD(scan, ascending)
MEMBERS(.flags = 0);

FIXTURE_VARIANT_ADD(scan, descending)
MEMBERS(.flags = BLINK_TREE_SCAN_DESC);

FIXTURE_SETUP(scan)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fill(self->tree, FIRST, NR, GAP));
	self->entries = calloc(NR + 1, sizeof(*self->entries));
	ASSERT_NE(NULL, self->entries);
}

FIXTURE_TEARDOWN(scan)
{
	free(self->entries);
	close(self->tree);
}

/* The end of the range that moves is where it must be after an entry. */
static bool moved_on(const struct blink_tree_ioc_scan *before,
		     const struct blink_tree_ioc_scan *after, __u64 key)
{
	if (before->flags & BLINK_TREE_SCAN_DESC)
		return after->first == before->first && after->last < key;
	return after->last == before->last && after->first > key;
}

/* Scan in pieces of @capacity; how many entries, or an error. */
static long scan_pieces(int tree, struct blink_tree_ioc_scan arg,
			struct blink_tree_entry *entries, unsigned int capacity)
{
	struct blink_tree_ioc_scan before;
	long nr = 0;
	int ret;

	do {
		arg.capacity = nr + capacity > NR + 1 ? NR + 1 - nr : capacity;
		arg.entries = ptr_to_u64(entries + nr);
		arg.entry_size = sizeof(entries[0]);
		before = arg;
		ret = call(tree, BLINK_TREE_IOC_SCAN, &arg);
		if (ret)
			return ret;
		nr += arg.count;
		if (arg.flags & BLINK_TREE_SCAN_DONE)
			break;
		/* Nothing but the room ends it earlier. */
		if (arg.flags != before.flags || arg.count != arg.capacity ||
		    !moved_on(&before, &arg, entries[nr - 1].key))
			return -EBADMSG;
	} while (nr <= NR);
	return nr;
}

/* Whether a scan gives what is in the range, in the right order. */
static bool scans_right(int tree, unsigned int flags, __u64 first, __u64 last,
			struct blink_tree_entry *entries, unsigned int capacity)
{
	const struct blink_tree_ioc_scan arg = {
		.flags = flags,
		.first = first,
		.last = last,
	};
	long low = 0, high = NR - 1, nr, i;

	if (first > FIRST)
		low = (first - FIRST + GAP - 1) / GAP;
	if (last < LAST)
		high = last < FIRST ? -1 : (long)((last - FIRST) / GAP);
	nr = scan_pieces(tree, arg, entries, capacity);
	if (nr != (high < low ? 0 : high - low + 1))
		return false;
	for (i = 0; i < nr; i++) {
		long rank = flags & BLINK_TREE_SCAN_DESC ? high - i : low + i;
		__u64 key = FIRST + rank * GAP;

		if (entries[i].key != key || entries[i].value != value_of(key))
			return false;
	}
	return true;
}

TEST_F(scan, whole_tree_in_any_pieces)
{
	const unsigned int capacities[] = { 1,	2,  3,	27,	28, 29,
					    31, 32, 33, 63,	64, 65,
					    66, 95, 96, NR - 1, NR, NR + 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(capacities); i++) {
		EXPECT_TRUE(scans_right(self->tree, variant->flags, 0, U64_MAX,
					self->entries, capacities[i]))
		TH_LOG("capacity %u", capacities[i]);
	}
}

/* A range between two ranks, each end before, on or behind its key. */
static bool edges_right(int tree, unsigned int flags, unsigned int low,
			unsigned int high, struct blink_tree_entry *entries)
{
	__u64 first, last;
	int a, b;

	for (a = -1; a <= 1; a++) {
		for (b = -1; b <= 1; b++) {
			first = FIRST + low * GAP + a;
			last = FIRST + high * GAP + b;
			if (first <= last &&
			    !scans_right(tree, flags, first, last, entries, NR))
				return false;
		}
	}
	return true;
}

TEST_F(scan, ranges_that_end_on_or_beside_a_key)
{
	const unsigned int ranks[] = { 0, 1, 27, 28, 29, NR - 2, NR - 1 };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(ranks); i++) {
		for (j = i; j < ARRAY_SIZE(ranks); j++) {
			ASSERT_TRUE(edges_right(self->tree, variant->flags,
						ranks[i], ranks[j],
						self->entries))
			TH_LOG("ranks %u to %u", ranks[i], ranks[j]);
		}
	}
}

TEST_F(scan, random_ranges)
{
	__u64 state = random_stream(seed_get(), variant->flags);
	unsigned int i;

	for (i = 0; i < 300; i++) {
		__u64 first = random_next(&state) % (LAST + 2 * FIRST);
		__u64 last = first + random_next(&state) % 2000;
		unsigned int capacity = 1 + random_next(&state) % 100;

		ASSERT_TRUE(scans_right(self->tree, variant->flags, first, last,
					self->entries, capacity))
		TH_LOG("from %llu to %llu by %u", first, last, capacity);
	}
}

TEST_F(scan, empty_tree_is_done)
{
	struct blink_tree_ioc_scan arg = {
		.flags = variant->flags,
		.capacity = 1,
		.last = U64_MAX,
		.entries = ptr_to_u64(self->entries),
		.entry_size = sizeof(struct blink_tree_entry),
		.count = JUNK,
	};
	int tree = tree_new(0);

	ASSERT_GE(tree, 0);
	EXPECT_EQ(0, call(tree, BLINK_TREE_IOC_SCAN, &arg));
	EXPECT_EQ(0, arg.count);
	EXPECT_EQ(variant->flags | BLINK_TREE_SCAN_DONE, arg.flags);
	close(tree);
}

/* Behind the key that ends the key space there is nothing to go on with. */
TEST_F(scan, both_ends_of_the_key_space)
{
	struct blink_tree_ioc_scan arg = { .flags = variant->flags,
					   .last = U64_MAX };
	bool desc = variant->flags & BLINK_TREE_SCAN_DESC;
	unsigned int capacity;
	int tree = tree_new(0);

	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, insert(tree, 0, 1));
	ASSERT_EQ(0, insert(tree, U64_MAX, 2));
	for (capacity = 1; capacity <= 3; capacity++) {
		ASSERT_EQ(2, scan_pieces(tree, arg, self->entries, capacity));
		EXPECT_EQ(0, self->entries[desc].key);
		EXPECT_EQ(1, self->entries[desc].value);
		EXPECT_EQ(U64_MAX, self->entries[!desc].key);
		EXPECT_EQ(2, self->entries[!desc].value);
	}
	arg.first = U64_MAX;
	EXPECT_EQ(1, scan_pieces(tree, arg, self->entries, 1));
	arg.first = 0;
	arg.last = 0;
	EXPECT_EQ(1, scan_pieces(tree, arg, self->entries, 1));
	close(tree);
}

TEST_F(scan, done_means_done)
{
	struct blink_tree_ioc_scan arg = {
		.flags = variant->flags | BLINK_TREE_SCAN_DONE,
		.capacity = 10,
		.first = 1,
		.last = U64_MAX,
		.entries = ptr_to_u64(self->entries),
		.entry_size = sizeof(struct blink_tree_entry),
		.count = JUNK,
	};

	EXPECT_EQ(0, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
	EXPECT_EQ(0, arg.count);
	EXPECT_EQ(variant->flags | BLINK_TREE_SCAN_DONE, arg.flags);
	EXPECT_EQ(1, arg.first);
	EXPECT_EQ(U64_MAX, arg.last);
	arg.first = 2;
	arg.last = 1;
	EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
}

TEST_F(scan, bad_arguments_are_einval)
{
	const struct blink_tree_ioc_scan good = {
		.flags = variant->flags,
		.capacity = 1,
		.entries = ptr_to_u64(self->entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	struct blink_tree_ioc_scan arg = good;

	arg.first = 1;
	EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
	arg = good;
	arg.capacity = 0;
	EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
	arg = good;
	arg.entry_size = 0;
	EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
}

/* The same range can be scanned again, though some entries were written already. */
TEST_F(scan, fault_leaves_the_range)
{
	struct blink_tree_entry *end =
		(struct blink_tree_entry *)guard_alloc(2);
	const unsigned int room[] = { 0, 1, 50, 256, 300 };
	struct blink_tree_ioc_scan arg;
	unsigned int i;

	ASSERT_NE(NULL, end);
	for (i = 0; i < ARRAY_SIZE(room); i++) {
		arg = (struct blink_tree_ioc_scan){
			.flags = variant->flags,
			.capacity = room[i] + 1,
			.first = FIRST + 1,
			.last = LAST - 1,
			.entries = ptr_to_u64(end - room[i]),
			.entry_size = sizeof(struct blink_tree_entry),
		};
		EXPECT_EQ(-EFAULT, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
		EXPECT_EQ(FIRST + 1, arg.first);
		EXPECT_EQ(LAST - 1, arg.last);
		EXPECT_FALSE(arg.flags & BLINK_TREE_SCAN_DONE);
	}
	arg.entries = ptr_to_u64(self->entries);
	EXPECT_EQ(0, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
	EXPECT_EQ(301, arg.count);
}

TEST_F(scan, room_at_the_edge_of_memory_is_enough)
{
	struct blink_tree_entry *end =
		(struct blink_tree_entry *)guard_alloc(1);
	struct blink_tree_ioc_scan arg = {
		.flags = variant->flags,
		.capacity = 100,
		.last = U64_MAX,
		.entries = ptr_to_u64(end - 100),
		.entry_size = sizeof(struct blink_tree_entry),
	};

	ASSERT_NE(NULL, end);
	EXPECT_EQ(0, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
	EXPECT_EQ(100, arg.count);

	/* Room that is not needed need not be there. */
	arg = (struct blink_tree_ioc_scan){
		.flags = variant->flags,
		.capacity = UINT32_MAX,
		.first = FIRST,
		.last = FIRST + 4 * GAP,
		.entries = ptr_to_u64(end - 5),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	EXPECT_EQ(0, call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
	EXPECT_EQ(5, arg.count);
}

TEST_F(scan, signal_makes_it_short)
{
	__u64 end = now_ms() + 15000, total;
	const unsigned int nr = NR + 20000;
	struct blink_tree_entry *entries = calloc(nr, sizeof(*entries));
	struct blink_tree_ioc_scan arg;
	unsigned int calls;

	ASSERT_NE(NULL, entries);
	ASSERT_EQ(0, fill(self->tree, LAST + 1, 20000, 1));
	ASSERT_EQ(0, alarm_handle(SA_RESTART));
	do {
		arg = (struct blink_tree_ioc_scan){
			.flags = variant->flags,
			.capacity = nr,
			.last = U64_MAX,
			.entries = ptr_to_u64(entries),
			.entry_size = sizeof(*entries),
		};
		total = 0;
		alarm_every(100);
		for (calls = 0; !(arg.flags & BLINK_TREE_SCAN_DONE); calls++) {
			ASSERT_EQ(0,
				  call(self->tree, BLINK_TREE_IOC_SCAN, &arg));
			total += arg.count;
			/* Slow machines get nowhere with so many. */
			if (calls == 10)
				alarm_every(0);
		}
		alarm_every(0);
		ASSERT_EQ(nr, total);
	} while (calls < 2 && now_ms() < end);
	EXPECT_LE(2, calls);
	free(entries);
}

TEST_HARNESS_MAIN
