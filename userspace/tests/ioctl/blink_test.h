/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers that the suites share.
 *
 * The *device* is a descriptor of /dev/blink_tree, a *tree* one that it gave
 * out. Every call returns what the kernel returned, a negative errno instead
 * of -1: a test then names the error that it expects in one comparison.
 *
 * Include it after kselftest_harness.h.
 */
#ifndef BLINK_TEST_H
#define BLINK_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/blink_tree.h>

#include "../common/random.h"

/*
 * The clock of an emulated guest may run many times too fast on a busy host:
 * the time of a test must do for that, and ends only one that hangs.
 */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

#define U64_MAX (~0ULL)

/* The fields of a variant, behind FIXTURE_VARIANT_ADD(). */
#define MEMBERS(...) { __VA_ARGS__ }

/* The value of an output field before the call, to see whether it is written. */
#define JUNK 0xdeadbeefcafef00dULL

/* Such as the kernel has to be told things by. Returns 0 or an error. */
static inline int write_file(const char *dir, const char *name,
			     const char *text)
{
	char path[160];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static inline __u64 ptr_to_u64(const void *ptr)
{
	return (uintptr_t)ptr;
}

static inline int call(int fd, unsigned long cmd, void *arg)
{
	int ret = ioctl(fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

static inline int device_open(void)
{
	int fd = open(BLINK_TREE_DEVICE, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static inline int tree_create(int device, const char *name, unsigned int mode,
			      __u64 max_entries)
{
	struct blink_tree_ioc_create arg = {
		.mode = mode,
		.max_entries = max_entries,
	};

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

static inline int tree_open(int device, const char *name, unsigned int flags)
{
	struct blink_tree_ioc_open arg = { .flags = flags };

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	return call(device, BLINK_TREE_IOC_OPEN, &arg);
}

static inline int tree_unlink(int device, const char *name)
{
	struct blink_tree_ioc_unlink arg = {};

	snprintf(arg.name, sizeof(arg.name), "%s", name);
	return call(device, BLINK_TREE_IOC_UNLINK, &arg);
}

/* A tree like that, without a name if @how has none. */
static inline int tree_new_as(const struct blink_tree_ioc_create *how)
{
	struct blink_tree_ioc_create arg = *how;
	int device = device_open();
	int tree;

	if (device < 0)
		return device;
	tree = call(device, BLINK_TREE_IOC_CREATE, &arg);
	close(device);
	return tree;
}

/* A tree without a name. */
static inline int tree_new(__u64 max_entries)
{
	struct blink_tree_ioc_create how = { .max_entries = max_entries };

	return tree_new_as(&how);
}

/* A watch of all keys, with a number of slots or 0. */
static inline int watch_new(int tree, unsigned int slots)
{
	struct blink_tree_ioc_watch arg = { .slots = slots, .last = U64_MAX };

	return call(tree, BLINK_TREE_IOC_WATCH, &arg);
}

/*
 * One operation. Returns its result; -EBADMSG if the call and the result field
 * disagree on it.
 */
static inline int op_call(int tree, struct blink_tree_ioc_op *op)
{
	int ret;

	op->result = -EUCLEAN;
	ret = call(tree, BLINK_TREE_IOC_OP, op);
	if (ret == -EFAULT || ret == -ENOTTY)
		return ret;
	return ret == (op->result < 0 ? op->result : 0) ? op->result : -EBADMSG;
}

static inline int op_simple(int tree, unsigned int opcode, __u64 key,
			    __u64 value)
{
	struct blink_tree_ioc_op op = { .opcode = opcode,
					.key = key,
					.value = value };

	return op_call(tree, &op);
}

static inline int insert(int tree, __u64 key, __u64 value)
{
	return op_simple(tree, BLINK_TREE_OP_INSERT, key, value);
}

static inline int store(int tree, __u64 key, __u64 value)
{
	return op_simple(tree, BLINK_TREE_OP_STORE, key, value);
}

static inline int erase(int tree, __u64 key)
{
	return op_simple(tree, BLINK_TREE_OP_ERASE, key, 0);
}

static inline int lookup(int tree, __u64 key, __u64 *value)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_LOOKUP,
					.key = key };
	int ret = op_call(tree, &op);

	*value = op.value;
	return ret;
}

static inline int batch(int tree, struct blink_tree_ioc_op *ops,
			unsigned int count, unsigned int *done)
{
	struct blink_tree_ioc_batch arg = {
		.count = count,
		.ops = ptr_to_u64(ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
		.done = UINT32_MAX,
	};
	int ret = call(tree, BLINK_TREE_IOC_BATCH, &arg);

	*done = arg.done;
	return ret;
}

/* All of a batch, however often a signal cuts it short. */
static inline int batch_all(int tree, struct blink_tree_ioc_op *ops,
			    unsigned int count)
{
	unsigned int done;
	int ret = 0;

	for (; count && !ret; ops += done, count -= done)
		ret = batch(tree, ops, count, &done);
	return ret;
}

/* The value that tests give a key, so that a wrong one shows. */
static inline __u64 value_of(__u64 key)
{
	return key * 0x9e3779b97f4a7c15ULL ^ 0x5bd1e995;
}

/* @count operations of one kind on keys from @first on, @step apart. */
static inline int apply(int tree, unsigned int opcode, __u64 first,
			unsigned int count, __u64 step)
{
	struct blink_tree_ioc_op *ops = calloc(count, sizeof(*ops));
	unsigned int i;
	int ret;

	if (!ops)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		ops[i].opcode = opcode;
		ops[i].key = first + i * step;
		ops[i].value = value_of(ops[i].key);
	}
	ret = batch_all(tree, ops, count);
	for (i = 0; i < count && !ret; i++)
		ret = ops[i].result;
	free(ops);
	return ret;
}

static inline int fill(int tree, __u64 first, unsigned int count, __u64 step)
{
	return apply(tree, BLINK_TREE_OP_INSERT, first, count, step);
}

static inline int tree_stats(int tree, struct blink_tree_ioc_stats *arg)
{
	memset(arg, 0, sizeof(*arg));
	return call(tree, BLINK_TREE_IOC_STATS, arg);
}

static inline __u64 entries_of(int tree)
{
	struct blink_tree_ioc_stats arg;

	return tree_stats(tree, &arg) ? U64_MAX : arg.entries;
}

static inline unsigned int height_of(int tree)
{
	struct blink_tree_ioc_levels arg = {
		.level_size = sizeof(struct blink_tree_level_stats),
	};

	return call(tree, BLINK_TREE_IOC_LEVELS, &arg) ? 0 : arg.height;
}

/*
 * Verify a tree that is not in use and that is to have @entries keys. Returns 0,
 * or an error after saying what is wrong.
 */
static inline int tree_check(int tree, __u64 entries)
{
	struct blink_tree_ioc_verify report = {};
	__u64 counted = entries_of(tree);
	int ret = call(tree, BLINK_TREE_IOC_VERIFY, &report);

	if (!ret && report.violation == BLINK_TREE_OK &&
	    report.entries == entries && counted == entries &&
	    !report.unindexed && !report.__reserved &&
	    report.height == height_of(tree))
		return 0;
	fprintf(stderr,
		"# verify: ret %d violation %u level %u key %llu height %u entries %llu/%llu unindexed %llu, stats %llu\n",
		ret, report.violation, report.level, report.key, report.height,
		report.entries, entries, report.unindexed, counted);
	return ret ? ret : -EUCLEAN;
}

/* Whether there is no violation, and so many keys, after memory was short. */
static inline bool tree_sound(int tree, __u64 entries)
{
	struct blink_tree_ioc_verify arg = {};

	return !call(tree, BLINK_TREE_IOC_VERIFY, &arg) &&
	       arg.violation == BLINK_TREE_OK && arg.entries == entries &&
	       entries_of(tree) == entries;
}

/*
 * Run @fn in @nr processes at once, each with its number. Returns how many did
 * not return 0.
 */
static inline int in_children(int nr, int (*fn)(int id, void *arg), void *arg)
{
	int failed = 0, status, i;
	pid_t pid;

	for (i = 0; i < nr; i++) {
		pid = fork();
		if (!pid)
			_exit(fn(i, arg) ? 1 : 0);
		if (pid < 0)
			failed++;
	}
	while (wait(&status) > 0)
		failed += !WIFEXITED(status) || WEXITSTATUS(status);
	return failed;
}

/* Zeroed memory that children share with their parent. */
static inline void *shared_alloc(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

static inline size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/*
 * @pages of memory with another after them that is not accessible. Returns the
 * address between.
 */
static inline char *guard_alloc(unsigned int pages)
{
	size_t size = pages * page_size();
	char *mem = shared_alloc(size + page_size());

	if (!mem || mprotect(mem + size, page_size(), PROT_NONE))
		return NULL;
	return mem + size;
}

static inline __u64 now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

static inline __u64 now_ms(void)
{
	return now_us() / 1000;
}

/* The seed of a randomised test: SEED=, or a new one; printed in any case. */
static inline __u64 seed_get(void)
{
	const char *env = getenv("SEED");
	__u64 seed = env ? strtoull(env, NULL, 10) : 0;
	struct timespec ts;

	if (!seed) {
		clock_gettime(CLOCK_REALTIME, &ts);
		seed = ((__u64)ts.tv_sec << 20) ^ ts.tv_nsec ^ getpid();
	}
	fprintf(stderr, "# SEED=%llu\n", seed);
	return seed;
}

/* Seconds that a test shall take: SECONDS=, or as many as it likes. */
static inline __u64 seconds_get(__u64 otherwise)
{
	const char *env = getenv("SECONDS");

	return env ? strtoull(env, NULL, 10) : otherwise;
}

/* A file of ours in debugfs, or NULL. */
static inline FILE *debugfs_open(const char *path)
{
	FILE *f = fopen(path, "r");

	if (f)
		return f;
	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	return fopen(path, "r");
}

#endif /* BLINK_TEST_H */
