// SPDX-License-Identifier: GPL-2.0
/*
 * Signals during long calls: one with a handler makes a call short, which returns how far it
 * came, and SIGKILL ends it at once. The operations that a call counted as done were done,
 * once, and no others.
 */
#include "kselftest_harness.h"

#include "../common/record.h"
#include "alarms.h"
#include "blink_test.h"

#define NAME "selftest.signals"

FIXTURE(signals)
{
	int tree;
};

FIXTURE_SETUP(signals)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, alarm_handle(SA_RESTART));
}

FIXTURE_TEARDOWN(signals)
{
	close(self->tree);
}

/* Whether the tree has the keys below @nr and no others. */
static bool has_just(int tree, __u64 nr)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_FLOOR,
					.key = U64_MAX };

	return !tree_check(tree, nr) && !op_call(tree, &op) && op.key == nr - 1;
}

#define OPS 100000

/*
 * The operations that were done have results, the others are untouched, and another call
 * can do them.
 */
TEST_F(signals, make_a_batch_short)
{
	struct blink_tree_ioc_op *ops = calloc(OPS, sizeof(*ops));
	unsigned int first = 0, shorts = 0, done, i;

	ASSERT_NE(NULL, ops);
	for (i = 0; i < OPS; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT,
			.result = -EUCLEAN,
			.key = i,
		};
	alarm_every(1000);
	while (first < OPS) {
		ASSERT_EQ(0,
			  batch(self->tree, ops + first, OPS - first, &done));
		first += done;
		ASSERT_LE(first, OPS);
		if (first == OPS)
			break;
		ASSERT_EQ(-EUCLEAN, ops[first].result);
		if (!shorts++)
			ASSERT_TRUE(has_just(self->tree, first));
		/* Slow machines may need all their time for signals. */
		if (shorts == 5)
			alarm_every(0);
	}
	alarm_every(0);
	EXPECT_LE(1, shorts);
	for (i = 0; i < OPS; i++)
		ASSERT_EQ(0, ops[i].result);
	EXPECT_TRUE(has_just(self->tree, OPS));
	free(ops);
}

#define ENTRIES 20000

/* All entries of a scan, in one direction or the other; how many calls that took. */
static unsigned int scan_all(int tree, unsigned int flags,
			     struct blink_tree_entry *entries, __u64 *total)
{
	struct blink_tree_ioc_scan arg = {
		.flags = flags,
		.capacity = ENTRIES,
		.last = U64_MAX,
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(*entries),
	};
	unsigned int calls = 0;

	*total = 0;
	alarm_every(100);
	while (!(arg.flags & BLINK_TREE_SCAN_DONE)) {
		if (call(tree, BLINK_TREE_IOC_SCAN, &arg))
			return 0;
		*total += arg.count;
		/* Slow machines get nowhere with so many. */
		if (++calls == 10)
			alarm_every(0);
	}
	alarm_every(0);
	return calls;
}

TEST_F(signals, make_a_scan_short)
{
	struct blink_tree_entry *entries = calloc(ENTRIES, sizeof(*entries));
	unsigned int flags, calls;
	__u64 total;

	ASSERT_NE(NULL, entries);
	ASSERT_EQ(0, fill(self->tree, 0, ENTRIES, 1));
	for (flags = 0; flags <= BLINK_TREE_SCAN_DESC; flags++) {
		/* A signal may come between two of them. */
		do {
			calls = scan_all(self->tree, flags, entries, &total);
			ASSERT_LT(0, calls);
			ASSERT_EQ(ENTRIES, total);
		} while (calls < 2);
	}
	free(entries);
}

#define MANY 200000
#define FIRST 7

/* The calls that a signal ended, or an error. Each leaves the range as it is. */
static int erase_as_writer(int tree, __u64 *count)
{
	struct number_erase erase;
	int ret, cut = 0;

	number_erase_init(&erase, FIRST, U64_MAX);
	for (*count = 0;; cut++) {
		ret = call(tree, BLINK_TREE_IOC_RECORD_ERASE, &erase.arg);
		if (ret)
			return ret;
		*count += erase.arg.count;
		if (be64toh(erase.first) != FIRST || erase.last != U64_MAX)
			return -EBADMSG;
		if (erase.arg.flags & BLINK_TREE_RECORD_ERASE_DONE)
			return cut;
	}
}

/* The rest of the range begins at a key, which only a reader may learn. */
TEST_F(signals, tell_no_key_to_a_writer)
{
	int device = device_open(), cut = 0, full, tree;
	__u64 count;

	tree_unlink(device, NAME);
	full = tree_create(device, NAME, 0600, 0);
	tree = tree_open(device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, tree_unlink(device, NAME));
	while (cut < 10) {
		int ret;

		ASSERT_EQ(0, fill(full, FIRST, MANY, 3));
		alarm_every(500);
		ret = erase_as_writer(tree, &count);
		alarm_every(0);
		ASSERT_LE(0, ret);
		EXPECT_EQ(MANY, count);
		EXPECT_EQ(0, entries_of(full));
		cut += ret;
	}
	close(tree);
	close(full);
	close(device);
}

#define WINDOW_OPS 32768u
#define WINDOWS 4096u

/*
 * More operations than can be done in any reasonable time, in little memory:
 * the same window of it again and again.
 */
static struct blink_tree_ioc_op *endless_ops(void)
{
	size_t size = WINDOW_OPS * sizeof(struct blink_tree_ioc_op), i;
	char *window = shared_alloc(size);
	char *mem;

	mem = mmap(NULL, size * WINDOWS, PROT_NONE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!window || mem == MAP_FAILED)
		return NULL;
	/* An old size of 0 maps what is shared once more. */
	for (i = 0; i < WINDOWS; i++) {
		if (mremap(window, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED,
			   mem + i * size) == MAP_FAILED)
			return NULL;
	}
	return (struct blink_tree_ioc_op *)mem;
}

/* How far it came shows in what the tree counted, not in its results. */
TEST_F(signals, kill_a_batch_at_once)
{
	const __u64 total = (__u64)WINDOW_OPS * WINDOWS;
	struct blink_tree_ioc_op *ops = endless_ops();
	struct blink_tree_ioc_stats stats;
	unsigned int done, i;
	int status;
	pid_t pid;

	ASSERT_NE(NULL, ops);
	for (i = 0; i < WINDOW_OPS; i++) {
		ops[i].opcode = i % 2 ? BLINK_TREE_OP_ERASE :
					BLINK_TREE_OP_INSERT;
		ops[i].key = i / 2;
	}
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		batch(self->tree, ops, total, &done);
		_exit(1);
	}
	do {
		ASSERT_EQ(0, waitpid(pid, &status, WNOHANG));
		ASSERT_EQ(0, tree_stats(self->tree, &stats));
	} while (stats.inserts < 1000);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	ASSERT_EQ(0, tree_stats(self->tree, &stats));
	EXPECT_GT(total / 4, stats.inserts);
	EXPECT_GE(1, stats.inserts - stats.erases);
	EXPECT_EQ(0, tree_check(self->tree, stats.entries));
}

TEST_HARNESS_MAIN
