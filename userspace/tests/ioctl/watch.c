// SPDX-License-Identifier: GPL-2.0
/* BLINK_TREE_IOC_WATCH: the descriptor of a watch, and copies kept by its records. */
#include "kselftest_harness.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "../common/record.h"
#include "alarms.h"
#include "blink_test.h"
#include "modes.h"
#include "watch.h"

#define WRITERS 4
#define KEYS 5000U
#define ROUNDS 200U
#define BATCH 32U

typedef const struct blink_tree_watch_ring *ring_t;

static ring_t ring_map(int watch, unsigned int slots)
{
	return mmap(NULL, ring_size(slots), PROT_READ, MAP_SHARED, watch, 0);
}

FIXTURE(watch)
{
	int tree;
};

FIXTURE_SETUP(watch)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(watch)
{
	close(self->tree);
}

TEST_F(watch, refuses)
{
	static const struct blink_tree_ioc_watch bad[] = {
		{ .flags = 1 },
		{ .slots = 1 },
		{ .slots = 100 },
		{ .slots = BLINK_TREE_WATCH_SLOTS_MIN / 2 },
		{ .slots = BLINK_TREE_WATCH_SLOTS_MAX * 2 },
		{ .slots = 1u << 31 },
		{ .first = 2, .last = 1 },
		{ .first_low = 1, .last = U64_MAX },
		{ .last = U64_MAX, .last_low = 1 },
	};
	struct blink_tree_ioc_watch arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		arg = bad[i];
		EXPECT_EQ(-EINVAL, call(self->tree, BLINK_TREE_IOC_WATCH, &arg))
		TH_LOG("of %u", i);
	}
}

TEST_F(watch, needs_reading)
{
	int device = device_open(), tree, reader;

	tree = tree_create(device, "watched", 0600, 0);
	ASSERT_GE(tree, 0);
	reader = tree_open(device, "watched", BLINK_TREE_OPEN_WRITE);
	EXPECT_EQ(-EBADF, watch_new(reader, 0));
	close(reader);
	reader = tree_open(device, "watched", BLINK_TREE_OPEN_READ);
	EXPECT_LT(0, watch_new(reader, 0));
	EXPECT_EQ(0, tree_unlink(device, "watched"));
	close(reader);
	close(tree);
	close(device);
}

TEST_F(watch, not_of_bytes)
{
	static const struct blink_tree_ioc_create how[] = {
		{ .key = BLINK_TREE_KEY_BYTES },
		{ .flags = BLINK_TREE_CREATE_BYTE_VALUES },
	};
	unsigned int i;
	int tree;

	for (i = 0; i < 2; i++) {
		tree = tree_new_as(&how[i]);
		ASSERT_GE(tree, 0);
		EXPECT_EQ(-EOPNOTSUPP, watch_new(tree, 0));
		close(tree);
	}
}

TEST_F(watch, so_many)
{
	int watch[BLINK_TREE_WATCHES_MAX], i;

	for (i = 0; i < BLINK_TREE_WATCHES_MAX; i++) {
		watch[i] = watch_new(self->tree, 64);
		ASSERT_GE(watch[i], 0);
	}
	EXPECT_EQ(-EUSERS, watch_new(self->tree, 64));
	close(watch[3]);
	watch[3] = watch_new(self->tree, 64);
	EXPECT_GE(watch[3], 0);
	for (i = 0; i < BLINK_TREE_WATCHES_MAX; i++)
		close(watch[i]);
}

TEST_F(watch, the_ring_is_read_only)
{
	int watch = watch_new(self->tree, 128);
	struct blink_tree_change change;
	ring_t ring;
	char *end;
	void *map;

	ASSERT_GE(watch, 0);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_SHARED, watch, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE, watch, 0));
	ring = ring_map(watch, 128);
	ASSERT_NE(MAP_FAILED, ring);
	EXPECT_EQ(-1, mprotect((void *)ring, 4096, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, watch, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(-1, mprotect(map, 4096, PROT_READ | PROT_WRITE));
	munmap(map, 4096);
	EXPECT_EQ(128, ring->slots);
	EXPECT_EQ(sizeof(change), ring->record_size);
	EXPECT_EQ(sizeof(*ring), ring->records);
	/* The mapping alone keeps the watch, and the watch keeps the tree. */
	close(watch);
	EXPECT_EQ(0, ring_read(ring, 0, &change));
	EXPECT_EQ(0, insert(self->tree, 5, 50));
	ASSERT_EQ(1, ring_read(ring, 0, &change));
	EXPECT_EQ(BLINK_TREE_CHANGE_INSERT, change.op);
	EXPECT_EQ(5, change.key);
	EXPECT_EQ(50, change.value);
	/* No byte behind the last record is anybody else's. */
	for (end = (char *)ring + ring_size(128); (uintptr_t)end % 4096; end++)
		EXPECT_EQ(0, *end);
	munmap((void *)ring, ring_size(128));
}

static void on_bus_error(int sig)
{
	(void)sig;
	_exit(77);
}

static int read_behind(int id, void *arg)
{
	size_t pages = (ring_size(64) + 4095) / 4096;
	char *map = mmap(NULL, (pages + 1) * 4096, PROT_READ, MAP_SHARED,
			 *(int *)arg, 0);

	(void)id;
	signal(SIGBUS, on_bus_error);
	if (map == MAP_FAILED)
		return 1;
	__atomic_load_n(&map[pages * 4096 - 1], __ATOMIC_RELAXED);
	__atomic_load_n(&map[pages * 4096], __ATOMIC_RELAXED);
	return 0;
}

static int erase_keys(int tree, __u64 first, __u64 last)
{
	struct number_erase erase;
	int ret = 0;

	number_erase_init(&erase, first, last);
	while (!ret && !(erase.arg.flags & BLINK_TREE_RECORD_ERASE_DONE))
		ret = call(tree, BLINK_TREE_IOC_RECORD_ERASE, &erase.arg);
	return ret;
}

/* Keys of 64 bits have no lower half, whatever the end of the range says. */
TEST_F(watch, an_erased_range_is_that_of_the_watch)
{
	struct blink_tree_ioc_watch arg = { .first = 15,
					    .last = 20,
					    .last_low = U64_MAX };
	struct blink_tree_change change;
	int watch = call(self->tree, BLINK_TREE_IOC_WATCH, &arg);
	ring_t ring;

	ASSERT_GE(watch, 0);
	ring = ring_map(watch, BLINK_TREE_WATCH_SLOTS_DEFAULT);
	ASSERT_NE(MAP_FAILED, ring);
	EXPECT_EQ(0, fill(self->tree, 10, 3, 7));
	EXPECT_EQ(0, erase_keys(self->tree, 0, 100));
	ASSERT_EQ(1, ring_read(ring, 0, &change));
	EXPECT_EQ(17, change.key);
	ASSERT_EQ(1, ring_read(ring, 1, &change));
	EXPECT_EQ(BLINK_TREE_CHANGE_ERASE_RANGE, change.op);
	EXPECT_EQ(15, change.key);
	EXPECT_EQ(0, change.key_low);
	EXPECT_EQ(20, change.last);
	EXPECT_EQ(0, change.last_low);
	munmap((void *)ring, ring_size(BLINK_TREE_WATCH_SLOTS_DEFAULT));
	close(watch);
}

TEST_F(watch, nothing_behind_the_ring)
{
	int watch = watch_new(self->tree, 64), status;
	pid_t pid;

	ASSERT_GE(watch, 0);
	pid = fork();
	if (!pid)
		_exit(read_behind(0, &watch));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(77, WEXITSTATUS(status));
	close(watch);
}

TEST_F(watch, keeps_a_closed_tree)
{
	int watch = watch_new(self->tree, 64);
	__u64 head = JUNK;

	ASSERT_GE(watch, 0);
	EXPECT_EQ(0, insert(self->tree, 1, 1));
	close(self->tree);
	self->tree = -1;
	EXPECT_EQ(sizeof(head), read(watch, &head, sizeof(head)));
	EXPECT_EQ(1, head);
	close(watch);
}

TEST_F(watch, read_returns_the_head)
{
	int watch = watch_new(self->tree, 64);
	struct pollfd poller = { .fd = watch, .events = POLLIN };
	void *nowhere =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	__u64 head = JUNK;

	ASSERT_GE(watch, 0);
	ASSERT_EQ(0, fcntl(watch, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, read(watch, &head, sizeof(head)));
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, poll(&poller, 1, 0));
	EXPECT_EQ(0, fill(self->tree, 0, 100, 1));
	EXPECT_EQ(1, poll(&poller, 1, 0));
	EXPECT_EQ(-1, read(watch, &head, 7));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(watch, nowhere, 8));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(8, read(watch, &head, 8));
	EXPECT_EQ(100, head);
	EXPECT_EQ(0, poll(&poller, 1, 0));
	EXPECT_EQ(-1, read(watch, &head, 8));
	EXPECT_EQ(EAGAIN, errno);
	close(watch);
}

static void *insert_later(void *arg)
{
	int tree = *(int *)arg;
	__u64 key;

	for (key = 0; key < 20; key++) {
		usleep(20000);
		store(tree, key, key);
	}
	return NULL;
}

/* No change is slept through, whether by read() or by poll(). */
TEST_F(watch, wakes)
{
	int watch = watch_new(self->tree, 64);
	struct pollfd poller = { .fd = watch, .events = POLLIN };
	__u64 head = 0;
	pthread_t thread;

	ASSERT_GE(watch, 0);
	ASSERT_EQ(0, pthread_create(&thread, NULL, insert_later, &self->tree));
	while (head < 20) {
		if (head % 2)
			ASSERT_EQ(1, poll(&poller, 1, 60000));
		ASSERT_EQ(8, read(watch, &head, 8));
	}
	pthread_join(thread, NULL);
	EXPECT_EQ(20, head);
	close(watch);
}

TEST_F(watch, a_signal_ends_read)
{
	int watch = watch_new(self->tree, 64);
	__u64 head;

	ASSERT_GE(watch, 0);
	ASSERT_EQ(0, alarm_handle(0));
	ASSERT_EQ(0, alarm_every(10000));
	EXPECT_EQ(-1, read(watch, &head, 8));
	EXPECT_EQ(EINTR, errno);
	alarm_every(0);
	close(watch);
}

FIXTURE(watch_copy)
{
	int tree;
	int copy;
	int watch;
	ring_t ring;
	__u64 position;
	unsigned int overruns;
};

FIXTURE_VARIANT(watch_copy)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(watch_copy);

FIXTURE_SETUP(watch_copy)
{
	self->tree = tree_new_as(&variant->how);
	self->copy = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_GE(self->copy, 0);
}

FIXTURE_TEARDOWN(watch_copy)
{
	close(self->tree);
	close(self->copy);
}

static void write_batch(int tree, __u64 *random)
{
	static const unsigned char opcodes[] = {
		BLINK_TREE_OP_STORE,   BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_INSERT,  BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_POP_MIN,
	};
	struct blink_tree_ioc_op op[BATCH] = {};
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		op[i].opcode = opcodes[random_below(random, sizeof(opcodes))];
		op[i].key = random_below(random, KEYS);
		op[i].value = random_below(random, 1000);
	}
	batch_all(tree, op, BATCH);
}

static void write_load(int tree, __u64 *random)
{
	struct blink_tree_entry entry[BATCH];
	struct blink_tree_ioc_load arg = { .entries = ptr_to_u64(entry),
					   .count = BATCH,
					   .fill = 100,
					   .entry_size = sizeof(entry[0]) };
	__u64 first = random_below(random, KEYS);
	unsigned int i;

	for (i = 0; i < BATCH; i++)
		entry[i] = (struct blink_tree_entry){ .key = first + i };
	call(tree, BLINK_TREE_IOC_LOAD, &arg);
}

static void write_range(int tree, __u64 *random)
{
	__u64 first = random_below(random, KEYS);

	erase_keys(tree, first, first + random_below(random, 50));
}

/* Set by the reader once it watches. Until then writers write all the time. */
static bool *watching;

static void write_some(int tree, __u64 *random)
{
	switch (random_below(random, 8)) {
	case 0:
		write_load(tree, random);
		break;
	case 1:
		write_range(tree, random);
		break;
	default:
		write_batch(tree, random);
	}
}

static int write_all(int id, void *arg)
{
	__u64 random = 77 + id;
	unsigned int left = ROUNDS;

	while (left) {
		write_some(*(int *)arg, &random);
		left -= __atomic_load_n(watching, __ATOMIC_RELAXED);
	}
	return 0;
}

/* Each is an operation of the two trees, which @step may compare or copy. */
static int each_entry(int tree,
		      int (*step)(int to, const struct blink_tree_entry *entry),
		      int to)
{
	struct blink_tree_entry entry[256];
	struct blink_tree_ioc_scan arg = { .last = U64_MAX };
	unsigned int i;
	int ret = 0;

	while (!ret && !(arg.flags & BLINK_TREE_SCAN_DONE)) {
		arg.entries = ptr_to_u64(entry);
		arg.capacity = 256;
		arg.entry_size = sizeof(entry[0]);
		ret = call(tree, BLINK_TREE_IOC_SCAN, &arg);
		for (i = 0; i < arg.count && !ret; i++)
			ret = step(to, &entry[i]);
	}
	return ret;
}

static int copy_entry(int to, const struct blink_tree_entry *entry)
{
	return store(to, entry->key, entry->value) < 0 ? -EUCLEAN : 0;
}

static int compare_entry(int to, const struct blink_tree_entry *entry)
{
	__u64 value;

	return lookup(to, entry->key, &value) || value != entry->value ?
		       -EUCLEAN :
		       0;
}

static int apply_change(int copy, const struct blink_tree_change *change)
{
	if (change->op == BLINK_TREE_CHANGE_INSERT ||
	    change->op == BLINK_TREE_CHANGE_UPDATE)
		return store(copy, change->key, change->value) < 0;
	if (change->op != BLINK_TREE_CHANGE_ERASE &&
	    change->op != BLINK_TREE_CHANGE_ERASE_RANGE)
		return -EUCLEAN;
	return erase_keys(copy, change->key, change->last);
}

/* Apply all changes in the ring. Returns 0 or an error. */
static int follow(FIXTURE_DATA(watch_copy) * self)
{
	struct blink_tree_change change;
	int ret, err = 0;

	while (!err) {
		ret = ring_read(self->ring, self->position, &change);
		if (!ret)
			break;
		if (ret == -EAGAIN) {
			sched_yield();
		} else if (ret == -EOVERFLOW) {
			self->overruns++;
			self->position = ring_head(self->ring);
			err = erase_keys(self->copy, 0, U64_MAX);
			if (!err)
				err = each_entry(self->tree, copy_entry,
						 self->copy);
		} else {
			self->position++;
			err = apply_change(self->copy, &change);
		}
	}
	return err;
}

static int keep_copy(FIXTURE_DATA(watch_copy) * self, unsigned int slots)
{
	int status, err;
	pid_t pid;

	watching = shared_alloc(sizeof(*watching));
	pid = fork();
	if (!pid)
		_exit(in_children(WRITERS, write_all, &self->tree));
	self->watch = watch_new(self->tree, slots);
	__atomic_store_n(watching, true, __ATOMIC_RELAXED);
	if (self->watch < 0)
		return self->watch;
	self->ring = ring_map(self->watch, slots);
	err = each_entry(self->tree, copy_entry, self->copy);
	while (!err && !waitpid(pid, &status, WNOHANG))
		err = follow(self);
	if (!err)
		err = follow(self);
	munmap((void *)self->ring, ring_size(slots));
	close(self->watch);
	return err ?: status;
}

static int expect_equal(FIXTURE_DATA(watch_copy) * self)
{
	if (entries_of(self->tree) != entries_of(self->copy))
		return -EUCLEAN;
	return each_entry(self->tree, compare_entry, self->copy);
}

TEST_F(watch_copy, has_all_changes)
{
	ASSERT_EQ(0, keep_copy(self, 1u << 19));
	EXPECT_EQ(0, self->overruns);
	EXPECT_LT(0, self->position);
	EXPECT_EQ(0, expect_equal(self));
}

TEST_F(watch_copy, scans_again_after_overruns)
{
	ASSERT_EQ(0, keep_copy(self, 64));
	EXPECT_EQ(0, expect_equal(self));
}

TEST_HARNESS_MAIN
