// SPDX-License-Identifier: GPL-2.0
/*
 * The news of watches about the tree itself: its name goes, its attributes are set, it is
 * full, and cannot change any more. Readers wait by read() or poll(); watch_wait.c has
 * io_uring.
 */
#include "kselftest_harness.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "blink_test.h"
#include "watch.h"

#define NAME "selftest.watch_tree"
#define OTHER "selftest.watch_tree.2"
#define THREE 3
#define SLOTS BLINK_TREE_WATCH_SLOTS_MIN
#define UNLINKED BLINK_TREE_CHANGE_UNLINKED
#define ATTR BLINK_TREE_CHANGE_ATTR
#define REFUSED BLINK_TREE_CHANGE_REFUSED

/* The next record: its kind, or an error. It has no key. */
static int next_op(struct place *place, __u64 *value)
{
	struct blink_tree_change change = {};
	int ret = ring_read(place->ring, place->position, &change);

	*value = change.value;
	if (ret <= 0)
		return ret;
	place->position++;
	if (change.op >= BLINK_TREE_CHANGE_TREE &&
	    (change.key || change.key_low || change.last || change.last_low ||
	     change.old))
		return -EUCLEAN;
	return change.op;
}

#define EXPECT_RECORD(place, op, number)                 \
	do {                                             \
		__u64 __value;                           \
		EXPECT_EQ(op, next_op(place, &__value)); \
		EXPECT_EQ(number, __value);              \
	} while (0)
#define EXPECT_NONE(place) EXPECT_RECORD(place, 0, 0)

/**
 * struct reader - a thread that waits once
 * @watch: for a change of this watch
 * @polls: by poll()
 * @tid: the thread, once it is about to wait
 * @result: that of read() or poll()
 * @head: the value that read() returned, or the events
 */
struct reader {
	int watch;
	bool polls;
	pid_t tid;
	int result;
	__u64 head;
};

static void *wait_once(void *arg)
{
	struct reader *reader = arg;
	struct pollfd poller = { .fd = reader->watch, .events = POLLIN };

	__atomic_store_n(&reader->tid, gettid(), __ATOMIC_RELEASE);
	if (reader->polls) {
		reader->result = poll(&poller, 1, -1);
		reader->head = poller.revents;
	} else {
		reader->result = read(reader->watch, &reader->head, 8);
	}
	return NULL;
}

static int reader_start(struct reader *reader, pthread_t *thread)
{
	int err = pthread_create(thread, NULL, wait_once, reader);

	while (!err && (!__atomic_load_n(&reader->tid, __ATOMIC_ACQUIRE) ||
			!sleeps(reader->tid)))
		usleep(1000);
	return err;
}

static int events_of(int watch)
{
	struct pollfd poller = { .fd = watch, .events = POLLIN };

	return poll(&poller, 1, 0) < 0 ? -errno : poller.revents;
}

FIXTURE(named)
{
	int device;
	int tree;
	struct place place[THREE];
};

FIXTURE_SETUP(named)
{
	int i;

	self->device = device_open();
	ASSERT_GE(self->device, 0);
	tree_unlink(self->device, NAME);
	tree_unlink(self->device, OTHER);
	self->tree = tree_create(self->device, NAME, 0600, 100);
	ASSERT_GE(self->tree, 0);
	for (i = 0; i < THREE; i++)
		ASSERT_EQ(0, place_open(&self->place[i], self->tree, SLOTS,
					100 * i, 100 * i + 9));
}

FIXTURE_TEARDOWN(named)
{
	int i;

	for (i = 0; i < THREE; i++)
		place_close(&self->place[i]);
	tree_unlink(self->device, NAME);
	tree_unlink(self->device, OTHER);
	close(self->tree);
	close(self->device);
}

/* Between WATCH and the first read. Changes by the descriptor go on. */
TEST_F(named, unlink_is_told_to_all)
{
	int i;

	EXPECT_EQ(0, store(self->tree, 105, 1));
	ASSERT_EQ(0, tree_unlink(self->device, NAME));
	EXPECT_EQ(0, store(self->tree, 205, 2));
	EXPECT_RECORD(&self->place[1], BLINK_TREE_CHANGE_INSERT, 1);
	for (i = 0; i < THREE; i++)
		EXPECT_RECORD(&self->place[i], UNLINKED, 0);
	EXPECT_RECORD(&self->place[2], BLINK_TREE_CHANGE_INSERT, 2);
	for (i = 0; i < THREE; i++) {
		EXPECT_NONE(&self->place[i]);
		EXPECT_EQ(POLLIN, events_of(self->place[i].fd));
	}
	/* Another tree has the name now, and nothing to do with these. */
	i = tree_create(self->device, NAME, 0600, 0);
	ASSERT_GE(i, 0);
	EXPECT_EQ(0, store(i, 5, 5));
	EXPECT_EQ(0, tree_unlink(self->device, NAME));
	close(i);
	EXPECT_NONE(&self->place[0]);
}

TEST_F(named, unlink_ends_read)
{
	struct reader reader = { .watch = self->place[0].fd };
	pthread_t thread;

	ASSERT_EQ(0, reader_start(&reader, &thread));
	ASSERT_EQ(0, tree_unlink(self->device, NAME));
	pthread_join(thread, NULL);
	EXPECT_EQ(8, reader.result);
	EXPECT_EQ(1, reader.head);
	EXPECT_RECORD(&self->place[0], UNLINKED, 0);
}

TEST_F(named, unlink_ends_poll)
{
	struct reader reader = { .watch = self->place[0].fd, .polls = true };
	pthread_t thread;

	ASSERT_EQ(0, reader_start(&reader, &thread));
	ASSERT_EQ(0, tree_unlink(self->device, NAME));
	pthread_join(thread, NULL);
	EXPECT_EQ(1, reader.result);
	EXPECT_EQ(POLLIN, reader.head);
}

static int set(int tree, struct blink_tree_ioc_attr arg)
{
	return call(tree, BLINK_TREE_IOC_ATTR, &arg);
}

TEST_F(named, attributes_are_told)
{
	static const struct blink_tree_ioc_attr how[] = {
		{ .flags = BLINK_TREE_ATTR_MODE, .mode = 0640 },
		{ .flags = BLINK_TREE_ATTR_UID, .uid = 12345 },
		{ .flags = BLINK_TREE_ATTR_GID, .gid = 12345 },
		{ .flags = BLINK_TREE_ATTR_NAME, .name = OTHER },
		{ .flags = BLINK_TREE_ATTR_MAX_ENTRIES, .max_entries = 1 },
		{ .flags = BLINK_TREE_ATTR_MAX_BYTES, .max_bytes = 1 << 20 },
		{ .flags = BLINK_TREE_ATTR_MODE | BLINK_TREE_ATTR_MAX_ENTRIES,
		  .mode = 0600 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(how); i++) {
		ASSERT_EQ(0, set(self->tree, how[i]));
		EXPECT_RECORD(&self->place[0], ATTR, how[i].flags);
		EXPECT_NONE(&self->place[0]);
	}
	for (i = 0; i < ARRAY_SIZE(how); i++)
		EXPECT_RECORD(&self->place[2], ATTR, how[i].flags);
	EXPECT_NONE(&self->place[2]);
}

/* Neither a question nor what fails sets anything. */
TEST_F(named, nothing_set_is_nothing_told)
{
	struct blink_tree_ioc_attr taken = {
		.flags = BLINK_TREE_ATTR_NAME | BLINK_TREE_ATTR_MODE,
		.name = OTHER,
	};
	int other = tree_create(self->device, OTHER, 0600, 0);

	ASSERT_GE(other, 0);
	EXPECT_EQ(0, set(self->tree, (struct blink_tree_ioc_attr){}));
	EXPECT_EQ(-EEXIST, set(self->tree, taken));
	EXPECT_NONE(&self->place[0]);
	close(other);
}

/* A limit that is lowered below what the tree has, reached, and raised. */
TEST_F(named, refusals_are_told)
{
	struct blink_tree_ioc_attr limit = {
		.flags = BLINK_TREE_ATTR_MAX_ENTRIES, .max_entries = 2
	};
	struct place *place = &self->place[0];
	int i;

	EXPECT_EQ(0, fill(self->tree, 50, 3, 1));
	ASSERT_EQ(0, set(self->tree, limit));
	for (i = 0; i < 3; i++)
		EXPECT_EQ(-ENOSPC, insert(self->tree, 60 + i, 1));
	EXPECT_RECORD(place, ATTR, BLINK_TREE_ATTR_MAX_ENTRIES);
	EXPECT_RECORD(place, REFUSED, ENOSPC);
	EXPECT_NONE(place);
	limit.max_entries = 4;
	ASSERT_EQ(0, set(self->tree, limit));
	EXPECT_EQ(0, insert(self->tree, 60, 1));
	EXPECT_EQ(-ENOSPC, insert(self->tree, 61, 1));
	EXPECT_EQ(-ENOSPC, store(self->tree, 61, 1));
	EXPECT_RECORD(place, ATTR, BLINK_TREE_ATTR_MAX_ENTRIES);
	EXPECT_RECORD(place, REFUSED, ENOSPC);
	EXPECT_NONE(place);
}

TEST_F(named, memory_that_is_full_is_told)
{
	struct blink_tree_ioc_attr limit = { .flags = BLINK_TREE_ATTR_MAX_BYTES,
					     .max_bytes = 1 };
	struct blink_tree_ioc_attr more = {
		.flags = BLINK_TREE_ATTR_MAX_ENTRIES
	};
	struct place *place = &self->place[2];
	__u64 key;
	int ret;

	ASSERT_EQ(0, set(self->tree, limit));
	ASSERT_EQ(0, set(self->tree, more));
	for (key = 1000; !(ret = insert(self->tree, key, 1)); key++)
		;
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_RECORD(place, ATTR, BLINK_TREE_ATTR_MAX_BYTES);
	EXPECT_RECORD(place, ATTR, BLINK_TREE_ATTR_MAX_ENTRIES);
	EXPECT_RECORD(place, REFUSED, ENOSPC);
	EXPECT_NONE(place);
}

/* The name and the descriptor keep the tree; without both it cannot change. */
TEST_F(named, ends_without_name_and_descriptor)
{
	const int watch = self->place[0].fd;
	__u64 head = JUNK;
	int again;

	EXPECT_EQ(0, store(self->tree, 5, 5));
	close(self->tree);
	EXPECT_EQ(8, read(watch, &head, 8));
	EXPECT_EQ(1, head);
	EXPECT_EQ(0, events_of(watch));
	again = tree_open(self->device, NAME, BLINK_TREE_OPEN_WRITE);
	ASSERT_GE(again, 0);
	EXPECT_EQ(0, tree_unlink(self->device, NAME));
	EXPECT_EQ(POLLIN, events_of(watch));
	EXPECT_EQ(8, read(watch, &head, 8));
	EXPECT_EQ(0, events_of(watch));
	EXPECT_EQ(1, store(again, 5, 6));
	close(again);
	self->tree = -1;
	EXPECT_EQ(POLLIN | POLLHUP, events_of(watch));
	EXPECT_EQ(8, read(watch, &head, 8));
	EXPECT_EQ(3, head);
	EXPECT_EQ(POLLIN | POLLHUP, events_of(watch));
	EXPECT_EQ(0, read(watch, &head, 8));
	EXPECT_EQ(0, read(watch, &head, 8));
	EXPECT_RECORD(&self->place[0], BLINK_TREE_CHANGE_INSERT, 5);
	EXPECT_RECORD(&self->place[0], UNLINKED, 0);
	EXPECT_RECORD(&self->place[0], BLINK_TREE_CHANGE_UPDATE, 6);
	EXPECT_NONE(&self->place[0]);
	EXPECT_EQ(POLLIN | POLLHUP, events_of(self->place[1].fd));
	EXPECT_EQ(POLLIN | POLLHUP, events_of(self->place[2].fd));
}

FIXTURE(nameless)
{
	int tree;
	struct place place;
};

FIXTURE_SETUP(nameless)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, place_open(&self->place, self->tree, SLOTS, 0, U64_MAX));
}

FIXTURE_TEARDOWN(nameless)
{
	place_close(&self->place);
	if (self->tree >= 0)
		close(self->tree);
}

TEST_F(nameless, last_close_ends_read)
{
	struct reader reader = { .watch = self->place.fd };
	int copy = dup(self->tree);
	pthread_t thread;

	ASSERT_GE(copy, 0);
	ASSERT_EQ(0, reader_start(&reader, &thread));
	close(self->tree);
	self->tree = -1;
	EXPECT_EQ(0, events_of(self->place.fd));
	close(copy);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, reader.result);
}

TEST_F(nameless, last_close_ends_poll)
{
	struct reader reader = { .watch = self->place.fd, .polls = true };
	pthread_t thread;

	ASSERT_EQ(0, reader_start(&reader, &thread));
	close(self->tree);
	self->tree = -1;
	pthread_join(thread, NULL);
	EXPECT_EQ(1, reader.result);
	EXPECT_EQ(POLLIN | POLLHUP, reader.head);
}

/* A child has the last descriptor, and is killed. */
TEST_F(nameless, a_child_that_dies_ends_it)
{
	struct reader reader = { .watch = self->place.fd };
	pthread_t thread;
	__u64 head;
	pid_t pid;

	pid = fork();
	if (!pid) {
		store(self->tree, 1, 1);
		pause();
		_exit(0);
	}
	ASSERT_LT(0, pid);
	EXPECT_EQ(8, read(self->place.fd, &head, 8));
	close(self->tree);
	self->tree = -1;
	EXPECT_EQ(0, events_of(self->place.fd));
	ASSERT_EQ(0, reader_start(&reader, &thread));
	kill(pid, SIGKILL);
	pthread_join(thread, NULL);
	EXPECT_EQ(0, reader.result);
	waitpid(pid, NULL, 0);
}

TEST_HARNESS_MAIN
