// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that wait for changes: by io_uring, which tells each one, and the end; by
 * read(), which is not woken under the lock of a writer; by epoll in several threads, which
 * are all woken; and by two calls of read() at the same time.
 */
#include "kselftest_harness.h"

#include <linux/io_uring.h>
#include <linux/time_types.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "blink_test.h"
#include "watch.h"

#define TRACING "/sys/kernel/tracing"
#define INSTANCE TRACING "/instances/blink_watch_wait"
#define CHANGES 20
#define WAIT_MS 20000

/* Rings of io_uring with place for one submission. */
struct uring {
	int fd;
	struct io_uring_params params;
	void *rings;
	struct io_uring_sqe *sqe;
};

static bool uring_open(struct uring *uring)
{
	struct io_uring_params *p = &uring->params;
	size_t size;

	memset(uring, 0, sizeof(*uring));
	uring->fd = syscall(__NR_io_uring_setup, 1, p);
	if (uring->fd < 0)
		return false;
	size = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
	uring->rings = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			    uring->fd, IORING_OFF_SQ_RING);
	uring->sqe = mmap(NULL, sizeof(*uring->sqe), PROT_READ | PROT_WRITE,
			  MAP_SHARED, uring->fd, IORING_OFF_SQES);
	return uring->rings != MAP_FAILED && uring->sqe != MAP_FAILED;
}

static __u32 *uring_word(const struct uring *uring, __u32 offset)
{
	return (__u32 *)((char *)uring->rings + offset);
}

/* Submit a poll that goes on after each event. */
static int uring_poll(struct uring *uring, int fd)
{
	__u32 *tail = uring_word(uring, uring->params.sq_off.tail);

	*uring->sqe = (struct io_uring_sqe){
		.opcode = IORING_OP_POLL_ADD,
		.fd = fd,
		.len = IORING_POLL_ADD_MULTI,
		.poll32_events = POLLIN,
	};
	*uring_word(uring, uring->params.sq_off.array) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	return syscall(__NR_io_uring_enter, uring->fd, 1, 0, 0, NULL, 0);
}

/* Wait for the next event: its result, or -ETIME. */
static int uring_wait(struct uring *uring)
{
	struct __kernel_timespec limit = { .tv_sec = 300 };
	struct io_uring_getevents_arg arg = { .ts = ptr_to_u64(&limit) };
	__u32 *head = uring_word(uring, uring->params.cq_off.head);
	struct io_uring_cqe *cqes =
		(void *)uring_word(uring, uring->params.cq_off.cqes);
	int result;

	if (syscall(__NR_io_uring_enter, uring->fd, 0, 1,
		    IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &arg,
		    sizeof(arg)) < 0)
		return -errno;
	result = cqes[*head & (uring->params.cq_entries - 1)].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

FIXTURE(wait)
{
	int tree;
	int watch;
};

FIXTURE_SETUP(wait)
{
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	self->watch = watch_new(self->tree, 0);
	ASSERT_GE(self->watch, 0);
}

FIXTURE_TEARDOWN(wait)
{
	close(self->watch);
	close(self->tree);
}

/* It asks the watch for events only if the wake-up does not say which they are. */
TEST_F(wait, io_uring_tells_each_change)
{
	struct uring uring;
	__u64 key, head;

	if (!uring_open(&uring))
		SKIP(return, "io_uring: %s", strerror(errno));
	ASSERT_EQ(0, fcntl(self->watch, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(1, uring_poll(&uring, self->watch));
	for (key = 0; key < CHANGES; key++) {
		ASSERT_EQ(0, insert(self->tree, key, key));
		ASSERT_EQ(POLLIN, uring_wait(&uring)) TH_LOG("%llu", key);
		ASSERT_EQ(8, read(self->watch, &head, 8));
		ASSERT_EQ(key + 1, head);
	}
	close(uring.fd);
}

TEST_F(wait, io_uring_tells_of_the_tree)
{
	const char *name = "selftest.watch_wait";
	int device = device_open(), tree, watch;
	struct uring uring;
	__u64 head;

	if (!uring_open(&uring))
		SKIP(return, "io_uring: %s", strerror(errno));
	tree_unlink(device, name);
	tree = tree_create(device, name, 0600, 0);
	ASSERT_GE(tree, 0);
	watch = watch_new(tree, 64);
	ASSERT_GE(watch, 0);
	ASSERT_EQ(0, fcntl(watch, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(1, uring_poll(&uring, watch));
	ASSERT_EQ(0, tree_unlink(device, name));
	ASSERT_EQ(POLLIN, uring_wait(&uring));
	ASSERT_EQ(8, read(watch, &head, 8));
	ASSERT_EQ(1, head);
	/* The tree cannot change any more. */
	close(tree);
	ASSERT_EQ(POLLIN | POLLHUP, uring_wait(&uring));
	ASSERT_EQ(0, read(watch, &head, 8));
	close(uring.fd);
	close(watch);
	close(device);
}

/* A thread that waits by read(), and the head that it knows. */
struct reader {
	int watch;
	__u64 *to;
	__u64 head;
	pid_t tid;
	bool ready;
};

static void *read_all(void *arg)
{
	struct reader *reader = arg;
	__u64 head = 0;

	reader->tid = gettid();
	__atomic_store_n(&reader->ready, true, __ATOMIC_RELEASE);
	while (head < CHANGES) {
		if (read(reader->watch, &head, 8) != 8)
			return arg;
		__atomic_store_n(&reader->head, head, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* Trace the events that wake a thread. Returns false if the kernel cannot. */
static bool trace_begin(pid_t tid)
{
	char filter[32];

	/* It may be there already. */
	mount("tracefs", TRACING, "tracefs", 0, NULL);
	if (mkdir(INSTANCE, 0700))
		return false;
	snprintf(filter, sizeof(filter), "pid == %d", tid);
	return !write_file(INSTANCE "/events/sched/sched_waking", "filter",
			   filter) &&
	       !write_file(INSTANCE "/events/sched/sched_waking", "enable",
			   "1");
}

/* How many events there were, and how many of them in an interrupt. */
static void trace_count(unsigned int *events, unsigned int *interrupts)
{
	FILE *trace = fopen(INSTANCE "/trace", "r");
	char line[512], *flags;

	*events = 0;
	*interrupts = 0;
	while (trace && fgets(line, sizeof(line), trace)) {
		flags = strstr(line, "] ");
		if (*line == '#' || !flags || !strstr(line, "sched_waking"))
			continue;
		/* irqs-off, need-resched, hardirq or softirq, ... */
		++*events;
		*interrupts += flags[4] == 'h' || flags[4] == 'H';
	}
	if (trace)
		fclose(trace);
}

/* The interrupt comes under the lock of the leaf, and tasks can be many. */
TEST_F(wait, no_interrupt_wakes)
{
	struct reader reader = { .watch = self->watch };
	unsigned int events, interrupts;
	pthread_t thread;
	void *failed;
	__u64 key;

	ASSERT_EQ(0, pthread_create(&thread, NULL, read_all, &reader));
	while (!__atomic_load_n(&reader.ready, __ATOMIC_ACQUIRE))
		usleep(1000);
	if (!trace_begin(reader.tid)) {
		rmdir(INSTANCE);
		SKIP(return, "the kernel does not trace wake-ups");
	}
	for (key = 0; key < CHANGES; key++) {
		while (__atomic_load_n(&reader.head, __ATOMIC_ACQUIRE) < key ||
		       !sleeps(reader.tid))
			usleep(1000);
		EXPECT_EQ(0, insert(self->tree, key, key));
	}
	pthread_join(thread, &failed);
	EXPECT_EQ(NULL, failed);
	trace_count(&events, &interrupts);
	write_file(INSTANCE "/events/sched/sched_waking", "enable", "0");
	EXPECT_EQ(0, rmdir(INSTANCE));
	/*
	 * A task wakes it for each change, unless one finds it about to sleep. An interrupt
	 * may wake it for another reason, such as a page that was read.
	 */
	EXPECT_LT(CHANGES / 2, events - interrupts);
}

static void *wait_exclusively(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLEXCLUSIVE };
	int epoll = epoll_create1(EPOLL_CLOEXEC), events = -1;
	struct reader *reader = arg;

	reader->tid = gettid();
	if (!epoll_ctl(epoll, EPOLL_CTL_ADD, reader->watch, &event)) {
		__atomic_store_n(&reader->ready, true, __ATOMIC_RELEASE);
		events = epoll_wait(epoll, &event, 1, WAIT_MS);
	}
	/* A thread that failed does not keep the test waiting. */
	__atomic_store_n(&reader->ready, true, __ATOMIC_RELEASE);
	close(epoll);
	return events == 1 ? NULL : arg;
}

/* If one alone were woken, and died before it asked again, the others would wait in vain. */
TEST_F(wait, each_exclusive_waiter_is_woken)
{
	struct reader readers[3];
	pthread_t threads[3];
	void *failed;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		readers[i] = (struct reader){ .watch = self->watch };
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, wait_exclusively,
					    &readers[i]));
		while (!__atomic_load_n(&readers[i].ready, __ATOMIC_ACQUIRE) ||
		       !sleeps(readers[i].tid))
			usleep(1000);
	}
	ASSERT_EQ(0, insert(self->tree, 1, 1));
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], &failed);
		EXPECT_EQ(NULL, failed) TH_LOG("waiter %u", i);
	}
}

/* Memory whose only page is not there before somebody brings it. */
struct late {
	int fd;
	void *page;
	size_t size;
};

static bool late_open(struct late *late)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	late->size = sysconf(_SC_PAGESIZE);
	late->page = mmap(NULL, late->size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = ptr_to_u64(late->page);
	range.range.len = late->size;
	late->fd = syscall(__NR_userfaultfd, O_CLOEXEC);
	return late->fd >= 0 && !ioctl(late->fd, UFFDIO_API, &api) &&
	       !ioctl(late->fd, UFFDIO_REGISTER, &range);
}

static void *read_late(void *arg)
{
	struct reader *reader = arg;

	return read(reader->watch, reader->to, 8) == 8 ? NULL : arg;
}

/* The first read() has the head, and waits for the memory to store it in. */
TEST_F(wait, a_late_read_changes_nothing)
{
	struct reader reader = { .watch = self->watch };
	struct uffdio_zeropage zero = {};
	struct uffd_msg fault;
	struct late late;
	pthread_t thread;
	void *failed;
	__u64 head;

	if (!late_open(&late))
		SKIP(return, "userfaultfd: %s", strerror(errno));
	reader.to = late.page;
	zero.range.start = ptr_to_u64(late.page);
	zero.range.len = late.size;
	ASSERT_EQ(0, fcntl(self->watch, F_SETFL, O_NONBLOCK));
	ASSERT_EQ(0, insert(self->tree, 1, 1));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_late, &reader));
	ASSERT_EQ(sizeof(fault), read(late.fd, &fault, sizeof(fault)));
	ASSERT_EQ(0, insert(self->tree, 2, 2));
	ASSERT_EQ(8, read(self->watch, &head, 8));
	EXPECT_EQ(2, head);
	ASSERT_EQ(0, ioctl(late.fd, UFFDIO_ZEROPAGE, &zero));
	pthread_join(thread, &failed);
	EXPECT_EQ(NULL, failed);
	EXPECT_EQ(1, *reader.to);
	/* Nothing has changed since the second one. */
	EXPECT_EQ(-1, read(self->watch, &head, 8));
	EXPECT_EQ(EAGAIN, errno);
	close(late.fd);
}

TEST_HARNESS_MAIN
