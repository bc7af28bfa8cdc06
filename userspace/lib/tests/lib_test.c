// SPDX-License-Identifier: GPL-2.0
/*
 * libblinktree with an ioctl() that uses every freedom of the contract, more often than
 * the kernel: it stops batches and scans early, fails in the middle, and grows a tree
 * between two calls. The program is linked with --wrap=ioctl.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blinktree.h"
#include "../../tests/common/tap.h"
#include "fake_device.h"

static void reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.info.known = sizeof(fake.info);
	fake.info.ioctls = (2ULL << _IOC_NR(BLINK_TREE_IOC_RECORD_ERASE)) - 1;
	fake.info.opcodes = (1ULL << BLINK_TREE_OP_NR) - 1;
	fake.info.features = BLINK_TREE_FEATURE_OPEN_OWNER;
	fake.limit = UINT32_MAX;
}

static void test_open(void)
{
	struct blinktree_ctl *ctl = NULL;

	reset();
	tap_check(blinktree_ctl_open("/nonexistent/x", &ctl) == -ENOENT);
	/* A module from before the first version has another layout. */
	fake.info.known = 1;
	tap_check(blinktree_ctl_open("/dev/null", &ctl) == -EPROTO);
	reset();
	fake.info.ioctls &= ~(1ULL << _IOC_NR(BLINK_TREE_IOC_SCAN));
	tap_check(blinktree_ctl_open("/dev/null", &ctl) == -EPROTO);
	reset();
	fake.info.opcodes &= ~(1ULL << BLINK_TREE_OP_CMPERASE);
	tap_check(blinktree_ctl_open("/dev/null", &ctl) == -EPROTO);
	/* A newer module has more ioctls, operations and fields. */
	reset();
	fake.info.known += 64;
	fake.info.ioctls = ~0ULL;
	fake.info.opcodes = ~0ULL;
	fake.info.features = ~0ULL;
	tap_check(!blinktree_ctl_open("/dev/null", &ctl));
	blinktree_ctl_close(ctl);
	ctl = NULL;
	fake.fail_call = fake.calls + 1;
	fake.fail_errno = ENOTTY;
	tap_check(blinktree_ctl_open("/dev/null", &ctl) == -ENOTTY);
	tap_check(!ctl);
	blinktree_ctl_close(ctl);
	tap_case("a device of another driver is refused");
}

static struct blinktree *get_tree(struct blinktree_ctl **ctl)
{
	struct blinktree *tree = NULL;

	reset();
	tap_check(!blinktree_ctl_open("/dev/null", ctl));
	tap_check(!blinktree_create(*ctl, NULL, 0, 0, &tree));
	if (!tree)
		exit(1);
	fake.calls = 0;
	return tree;
}

static void test_names(struct blinktree_ctl *ctl)
{
	char name[BLINK_TREE_NAME_MAX + 1];
	struct blinktree *tree = NULL;

	memset(name, 'n', BLINK_TREE_NAME_MAX);
	name[BLINK_TREE_NAME_MAX] = '\0';
	fake.calls = 0;
	tap_check(blinktree_create(ctl, name, 0, 0, &tree) == -ENAMETOOLONG);
	tap_check(blinktree_open(ctl, name, 1, &tree) == -ENAMETOOLONG);
	tap_check(blinktree_unlink(ctl, name) == -ENAMETOOLONG);
	tap_check(!fake.calls && !tree);
	name[BLINK_TREE_NAME_MAX - 1] = '\0';
	tap_check(!blinktree_create(ctl, name, 0, 0, &tree));
	blinktree_close(tree);
	tap_case("a name that is too long never reaches the kernel");
}

/* A device that the caller may only read. */
static void test_read_only(void)
{
	char path[] = "/tmp/lib_test.XXXXXX";
	struct blinktree_ctl *ctl = NULL;
	bool is_root = !geteuid();

	reset();
	close(mkstemp(path));
	tap_check(!chmod(path, 0444) && (!is_root || !seteuid(65534)));
	tap_check(!blinktree_ctl_open(path, &ctl));
	tap_check(ctl && (fcntl(blinktree_ctl_fd(ctl), F_GETFL) & O_ACCMODE) ==
				 O_RDONLY);
	blinktree_ctl_close(ctl);
	tap_check(!is_root || !seteuid(0));
	tap_check(!chmod(path, 0600) && !blinktree_ctl_open(path, &ctl));
	tap_check((fcntl(blinktree_ctl_fd(ctl), F_GETFL) & O_ACCMODE) ==
		  O_RDWR);
	blinktree_ctl_close(ctl);
	tap_check(!chmod(path, 0) && (!is_root || !seteuid(65534)));
	tap_check(blinktree_ctl_open(path, &ctl) == -EACCES);
	tap_check(!is_root || !seteuid(0));
	unlink(path);
	tap_case("a device that can only be read is opened for reading");
}

static void test_open_owned(void)
{
	const struct blink_tree_ioc_open demand = {
		.flags = BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_OWNER,
		.uid = 1000,
		.name = "n",
	};
	struct blinktree_ctl *ctl = NULL;
	struct blinktree *tree = NULL;

	reset();
	tap_check(!blinktree_ctl_open("/dev/null", &ctl));
	tap_check(!blinktree_open_owned(ctl, "n", BLINK_TREE_OPEN_READ, 1000,
					&tree));
	tap_check(!memcmp(&fake.open, &demand, sizeof(demand)));
	blinktree_close(tree);
	tree = NULL;
	fake.fail_call = fake.calls + 1;
	fake.fail_errno = EPERM;
	tap_check(blinktree_open_owned(ctl, "n", BLINK_TREE_OPEN_READ, 1000,
				       &tree) == -EPERM);
	tap_check(!tree);
	blinktree_ctl_close(ctl);
	/* A module that cannot compare the owner opens nothing. */
	fake.info.features = 0;
	tap_check(!blinktree_ctl_open("/dev/null", &ctl));
	fake.calls = 0;
	tap_check(blinktree_open_owned(ctl, "n", BLINK_TREE_OPEN_READ, 1000,
				       &tree) == -EOPNOTSUPP);
	tap_check(!fake.calls && !tree);
	blinktree_ctl_close(ctl);
	tap_case("a tree is opened only if it has the owner");
}

static void test_create_as(struct blinktree_ctl *ctl)
{
	struct blink_tree_ioc_create how = {
		.flags = BLINK_TREE_CREATE_COMPRESS,
		.replication = BLINK_TREE_REPLICATE_FULL,
	};
	struct blinktree *tree = NULL;

	fake.calls = 0;
	tap_check(!blinktree_create_as(ctl, &how, sizeof(how), &tree));
	tap_check(fake.request == BLINK_TREE_IOC_CREATE);
	tap_check(!memcmp(&fake.create, &how, sizeof(how)));
	blinktree_close(tree);
	tap_check(!blinktree_create_as(
		ctl, &how, offsetof(struct blink_tree_ioc_create, replication),
		&tree));
	tap_check(_IOC_SIZE(fake.request) == 80);
	blinktree_close(tree);
	fake.calls = 0;
	tap_check(blinktree_create_as(ctl, &how, 1 << 20, &tree) == -E2BIG);
	tap_check(!fake.calls);
	tap_case("a tree is created with the structure of the caller's header");
}

static void test_ops(struct blinktree *tree)
{
	struct blink_tree_entry entry = {};
	__u64 value = 5;

	fake.result = -EEXIST;
	tap_check(blinktree_insert(tree, 1, 2, &value) == -EEXIST);
	tap_check(value == 77);
	value = 5;
	fake.result = 0;
	tap_check(blinktree_store(tree, 1, 2, &value) == 0 && value == 5);
	fake.result = 1;
	tap_check(blinktree_store(tree, 1, 2, &value) == 1 && value == 77);
	tap_check(blinktree_store(tree, 1, 2, NULL) == 1);
	value = 5;
	fake.result = -ESTALE;
	tap_check(blinktree_cmpxchg(tree, 1, &value, 9) == -ESTALE);
	tap_check(value == 77);
	value = 5;
	fake.result = -ENOENT;
	tap_check(blinktree_cmpxchg(tree, 1, &value, 9) == -ENOENT);
	tap_check(blinktree_cmperase(tree, 1, &value) == -ENOENT && value == 5);
	fake.result = -ESTALE;
	tap_check(blinktree_cmperase(tree, 1, &value) == -ESTALE);
	tap_check(value == 77);
	value = 5;
	fake.result = -ENOENT;
	tap_check(blinktree_erase(tree, 1, &value) == -ENOENT);
	tap_check(blinktree_get(tree, 1, &value) == -ENOENT && value == 5);
	fake.result = 0;
	tap_check(!blinktree_get(tree, 1, &value) && value == 78);
	tap_check(!blinktree_floor(tree, 10, &entry));
	tap_check(entry.key == 9 && entry.value == 78);
	tap_check(!blinktree_pop_max(tree, 20, &entry) && entry.key == 19);
	tap_check(!blinktree_pop_min(tree, 20, &entry) && entry.value == 77);
	tap_check(!blinktree_get_or_insert(tree, 1, &value) && value == 78);
	fake.result = 1;
	tap_check(blinktree_get_or_insert(tree, 1, &value) == 1 && value == 77);
	fake.result = -ENOENT;
	tap_check(blinktree_pop_min(tree, 30, &entry) && entry.key == 20);
	tap_case("single operations write exactly what they promise");
}

static void test_batch(struct blinktree *tree)
{
	struct blink_tree_ioc_op ops[10] = {};
	size_t done = 99, i;

	fake.limit = 3;
	fake.idle_call = 2;
	tap_check(!blinktree_batch(tree, ops, 10, &done) && done == 10);
	tap_check(fake.calls == 5);
	for (i = 0; i < 10; i++)
		tap_check(ops[i].result == 1);

	fake.calls = 0;
	fake.idle_call = 0;
	fake.fail_call = 3;
	fake.fail_errno = EFAULT;
	tap_check(blinktree_batch(tree, ops, 10, &done) == -EFAULT);
	tap_check(done == 7 && ops[6].result == 2 && ops[7].result == 1);

	tap_check(!blinktree_batch(tree, NULL, 0, &done) && !done);
	tap_case(
		"a batch continues after a signal, and executes no operation twice");
}

static void test_load(struct blinktree *tree)
{
	struct blink_tree_entry entries[10] = {};
	size_t done = 99;

	fake.limit = 3;
	fake.idle_call = 2;
	tap_check(!blinktree_load(tree, entries, 10, 100, &done) && done == 10);
	tap_check(fake.calls == 5);

	fake.calls = 0;
	fake.idle_call = 0;
	fake.fail_call = 3;
	fake.fail_errno = EEXIST;
	tap_check(blinktree_load(tree, entries, 10, 100, &done) == -EEXIST);
	tap_check(done == 7);

	tap_check(!blinktree_load(tree, NULL, 0, 100, &done) && !done);
	tap_case("a load continues after a signal");
}

static void check_scan(struct blinktree *tree, unsigned int flags)
{
	bool desc = flags & BLINK_TREE_SCAN_DESC;
	struct blinktree_scan *scan;
	struct blink_tree_entry entry;
	__u64 first, last, i;

	tap_check(!blinktree_scan_open(tree, 15, 250, flags, 4, &scan));
	for (i = 0; i < 24; i++) {
		__u64 key = desc ? 250 - 10 * i : 20 + 10 * i;

		tap_check(blinktree_scan_left(scan, &first, &last) == 1);
		tap_check(first <= key && key <= last);
		tap_check(desc ? last < key + 10 && first == 15 :
				 first > key - 10 && last == 250);
		if (!tap_check(blinktree_scan_next(scan, &entry) == 1))
			break;
		tap_check(entry.key == key && entry.value == key + 1);
	}
	tap_check(!blinktree_scan_next(scan, &entry));
	tap_check(!blinktree_scan_left(scan, &first, &last));
	blinktree_scan_close(scan);
}

static void test_scan(struct blinktree *tree)
{
	struct blinktree_scan *scan = NULL;
	struct blink_tree_entry entry = {};

	fake.keys = 100;
	check_scan(tree, 0);
	check_scan(tree, BLINK_TREE_SCAN_DESC);
	fake.limit = 1;
	fake.idle_call = fake.calls + 5;
	check_scan(tree, 0);
	fake.idle_call = fake.calls + 1;
	check_scan(tree, BLINK_TREE_SCAN_DESC);

	tap_check(blinktree_scan_open(tree, 5, 4, 0, 0, &scan) == -EINVAL);
	tap_check(blinktree_scan_open(tree, 0, 4, 1u << 1, 0, &scan) ==
		  -EINVAL);
	tap_check(!blinktree_scan_open(tree, 0, 100, 0, 1, &scan));
	tap_check(blinktree_scan_next(scan, &entry) == 1 && entry.key == 0);
	fake.fail_call = fake.calls + 1;
	fake.fail_errno = EFAULT;
	tap_check(blinktree_scan_next(scan, &entry) == -EFAULT);
	tap_check(blinktree_scan_next(scan, &entry) == 1 && entry.key == 10);
	blinktree_scan_close(scan);
	tap_case("a scan returns every key once, in order, after errors too");
}

static void test_stats(struct blinktree *tree)
{
	const struct blink_tree_level_stats *levels;
	struct blinktree_stats *stats = NULL;
	size_t nr = 99;

	fake.keys = 42;
	fake.levels = 30;
	tap_check(!blinktree_stats_read(tree, BLINKTREE_STATS_LEVELS, &stats));
	levels = blinktree_stats_levels(stats, &nr);
	tap_check(nr == 35 && levels[34].nodes == 134);
	tap_check(blinktree_stats_height(stats) == 3);
	tap_check(blinktree_stats_counters(stats)->entries == 42);
	blinktree_stats_free(stats);

	tap_check(!blinktree_stats_read(tree, 0, &stats));
	blinktree_stats_levels(stats, &nr);
	tap_check(!nr);
	blinktree_stats_free(stats);
	tap_check(blinktree_stats_read(tree, 8, &stats) == -EINVAL);
	tap_case("statistics have all levels of a tree that grows");
}

static void test_list(struct blinktree_ctl *ctl)
{
	const struct blink_tree_list_entry *entry;
	const unsigned int sizes[] = { 0, 1, 63, 64, 65, 128, 200 };
	struct blinktree_list *list;
	unsigned int i, seen;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		reset();
		fake.trees = sizes[i];
		tap_check(!blinktree_list_open(ctl, &list));
		for (seen = 0;
		     seen < 999 && blinktree_list_next(list, &entry) == 1;
		     seen++)
			tap_check(entry->id == seen + 1);
		tap_check(seen == sizes[i]);
		tap_check(blinktree_list_next(list, &entry) == 0);
		blinktree_list_close(list);
	}
	tap_case("a list has every tree once, whatever the window");
}

static void test_verify(struct blinktree *tree)
{
	struct {
		struct blink_tree_ioc_verify report;
		char later[8];
	} newer;
	struct blink_tree_ioc_verify older;

	memset(&newer, 0xff, sizeof(newer));
	tap_check(!blinktree_verify(tree, &newer.report, sizeof(newer)));
	tap_check(newer.report.height == 4 && !newer.later[0]);
	memset(&older, 0xff, sizeof(older));
	tap_check(!blinktree_verify(tree, &older, sizeof(older) - 8));
	tap_check(older.height == 4 && older.misplaced == ~0ULL);
	tap_check(!strcmp(blinktree_violation_text(BLINK_TREE_OK), "ok"));
	tap_check(blinktree_violation_text(BLINK_TREE_BAD_HEAD + 1));
	tap_case("a report fits older and newer callers");
}

static void test_from_fd(void)
{
	struct blinktree *tree = NULL;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct blink_tree_ioc_attr attr = {};

	reset();
	fake.fail_call = 1;
	fake.fail_errno = ENOTTY;
	tap_check(blinktree_from_fd(fd, &tree) == -ENOTTY && !tree);
	tap_check(fcntl(fd, F_GETFD) >= 0);
	tap_check(!blinktree_from_fd(fd, &tree) && blinktree_fd(tree) == fd);
	blinktree_close(tree);
	tap_check(fcntl(fd, F_GETFD) < 0);

	/* The probe is an ioctl that every descriptor of a tree accepts. */
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	fake.request = 0;
	tap_check(!blinktree_from_fd(fd, &tree));
	tap_check(fake.request == BLINK_TREE_IOC_ATTR);
	/* The structure of the caller can be shorter or longer than the library's. */
	blinktree_attr(tree, &attr, sizeof(attr));
	tap_check(fake.request == BLINK_TREE_IOC_ATTR);
	blinktree_attr(tree, &attr, sizeof(attr) + 8);
	tap_check(_IOC_SIZE(fake.request) == sizeof(attr) + 8);
	tap_check(blinktree_attr(tree, &attr, 1 << _IOC_SIZEBITS) == -E2BIG);
	blinktree_close(tree);
	tap_case("a handle owns the descriptor only after success");
}

int main(void)
{
	const unsigned int planned = 13;
	struct blinktree_ctl *ctl = NULL;
	struct blinktree *tree;

	tap_begin(planned);
	test_open();
	test_open_owned();
	test_read_only();
	tree = get_tree(&ctl);
	test_names(ctl);
	test_create_as(ctl);
	test_ops(tree);
	reset();
	test_batch(tree);
	reset();
	test_load(tree);
	reset();
	test_scan(tree);
	reset();
	reset();
	test_stats(tree);
	test_list(ctl);
	test_verify(tree);
	test_from_fd();
	blinktree_close(tree);
	blinktree_ctl_close(ctl);
	return tap_exit(planned);
}
