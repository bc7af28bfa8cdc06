// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of the interface: the same operations by one ioctl each, and by batches
 * of several sizes, beside system calls that do nothing. Each call is between
 * marks, for the plugin that counts instructions; on a real machine the
 * nanoseconds are of interest. Needs the device, and a CPU to itself.
 *
 * Prints a line for each kind of call, and lets the counters be dumped for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "../../tests/common/random.h"
#include "../thread.h"
#include "marks.h"

#define KEYS 100000
/* Of each kind of call; of big ones a few calls at least. */
#define OPS 8192
#define CALLS_MIN 16
#define SIZE_MAX_ 1024

#define NO_IOCTL _IO(BLINK_TREE_IOC_TYPE, 250)

static int tree;
static unsigned long long random_state = 1;
static unsigned long long next_key = KEYS;
static struct blink_tree_ioc_op ops[SIZE_MAX_];
static struct blink_tree_entry entries[SIZE_MAX_];
static struct blink_tree_ioc_batch batch;
static struct blink_tree_ioc_scan range;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void require(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "ioctl_cost: %s: a wrong answer\n", what);
	exit(1);
}

/* A call: made ready, done between marks, and checked. */
struct call {
	const char *name;
	unsigned int size;
	void (*prepare)(unsigned int size);
	int (*call)(void);
	void (*check)(int ret, unsigned int size);
};

static void prepare_nothing(unsigned int size)
{
	(void)size;
}

static int call_getppid(void)
{
	return syscall(SYS_getppid);
}

static void check_getppid(int ret, unsigned int size)
{
	(void)size;
	require(ret > 0, "getppid");
}

static int call_unknown(void)
{
	return ioctl(tree, NO_IOCTL, NULL);
}

static void check_unknown(int ret, unsigned int size)
{
	(void)size;
	require(ret == -1 && errno == ENOTTY, "unknown ioctl");
}

/* For both calls: of one operation, and of a batch. */
static void prepare_batch(unsigned int size)
{
	batch = (struct blink_tree_ioc_batch){
		.count = size,
		.ops = (unsigned long)ops,
		.op_size = sizeof(*ops),
	};
}

static void prepare_lookups(unsigned int size)
{
	unsigned int i;

	prepare_batch(size);
	for (i = 0; i < size; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_LOOKUP,
			.key = random_mix(random_mix(random_state++) % KEYS),
		};
}

static void prepare_inserts(unsigned int size)
{
	unsigned int i;

	prepare_batch(size);
	for (i = 0; i < size; i++, next_key++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT,
			.key = random_mix(next_key),
			.value = ~random_mix(next_key),
		};
}

static int call_op(void)
{
	return ioctl(tree, BLINK_TREE_IOC_OP, &ops[0]);
}

static void check_ops(int ret, unsigned int size)
{
	unsigned int i;

	require(!ret, "operation");
	for (i = 0; i < size; i++)
		require(!ops[i].result && ops[i].value == ~ops[i].key,
			"operation");
}

static int call_batch(void)
{
	return ioctl(tree, BLINK_TREE_IOC_BATCH, &batch);
}

static void check_batch(int ret, unsigned int size)
{
	require(batch.done == size, "batch");
	check_ops(ret, size);
}

/* From a key with so many behind it. */
static void prepare_scan(unsigned int size)
{
	range = (struct blink_tree_ioc_scan){
		.capacity = size,
		.first = random_mix(random_mix(random_state++) % KEYS) >> 1,
		.last = ~0ULL,
		.entries = (unsigned long)entries,
		.entry_size = sizeof(struct blink_tree_entry),
	};
}

static int call_scan(void)
{
	return ioctl(tree, BLINK_TREE_IOC_SCAN, &range);
}

static void check_scan(int ret, unsigned int size)
{
	unsigned int i;

	require(!ret && range.count == size, "scan");
	for (i = 0; i < size; i++)
		require(entries[i].value == ~entries[i].key &&
				(!i || entries[i].key > entries[i - 1].key),
			"scan");
}

#define LOOKUPS(size) \
	{ "batch-lookup", size, prepare_lookups, call_batch, check_batch }
#define INSERTS(size) \
	{ "batch-insert", size, prepare_inserts, call_batch, check_batch }

static const struct call calls[] = {
	{ "getppid", 1, prepare_nothing, call_getppid, check_getppid },
	{ "unknown-ioctl", 1, prepare_nothing, call_unknown, check_unknown },
	{ "op-lookup", 1, prepare_lookups, call_op, check_ops },
	LOOKUPS(1),
	LOOKUPS(8),
	LOOKUPS(32),
	LOOKUPS(128),
	LOOKUPS(1024),
	{ "op-insert", 1, prepare_inserts, call_op, check_ops },
	INSERTS(1),
	INSERTS(8),
	INSERTS(32),
	INSERTS(128),
	INSERTS(1024),
	{ "scan", 48, prepare_scan, call_scan, check_scan },
	{ "scan", 1024, prepare_scan, call_scan, check_scan },
};

static __u64 now(void)
{
	return thread_ns(CLOCK_MONOTONIC);
}

/* Returns the nanoseconds of the calls alone. */
static __u64 repeat(const struct call *call, unsigned int nr)
{
	__u64 ns = 0, begin;
	int ret;

	while (nr--) {
		call->prepare(call->size);
		begin = now();
		blink_mark(BLINK_MARK_BEGIN | BLINK_CLASS_CALL);
		ret = call->call();
		blink_mark(BLINK_MARK_END);
		ns += now() - begin;
		call->check(ret, call->size);
	}
	return ns;
}

static void measure(const struct call *call)
{
	unsigned int nr = OPS / call->size;
	__u64 ns;

	nr = nr < CALLS_MIN ? CALLS_MIN : nr;
	/* The first calls fault pages in and fill caches. */
	repeat(call, CALLS_MIN);
	blink_mark(BLINK_MARK_COUNT);
	ns = repeat(call, nr);
	blink_mark(BLINK_MARK_PAUSE);
	blink_mark(BLINK_MARK_DUMP);
	printf("call=%s size=%u calls=%u ns=%llu\n", call->name, call->size, nr,
	       ns);
}

/* The keys that were inserted go, so that the next ones meet the same tree. */
static void tidy_up(void)
{
	while (next_key > KEYS) {
		ops[0] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_ERASE,
			.key = random_mix(--next_key),
		};
		require(!call_op() && ops[0].old == ~ops[0].key, "erase");
	}
}

static void fill(void)
{
	next_key = 0;
	while (next_key < KEYS) {
		prepare_inserts(SIZE_MAX_ < KEYS - next_key ? SIZE_MAX_ :
							      KEYS - next_key);
		check_batch(call_batch(), batch.count);
	}
}

int main(void)
{
	struct blink_tree_ioc_create create = { .mode = 0600 };
	size_t i;
	int fd;

	thread_pin(0);
	fd = open("/dev/blink_tree", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die("/dev/blink_tree");
	tree = ioctl(fd, BLINK_TREE_IOC_CREATE, &create);
	if (tree < 0)
		die("create");
	fill();
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		measure(&calls[i]);
		tidy_up();
	}
	return 0;
}
