// SPDX-License-Identifier: GPL-2.0
/*
 * Unloading the module: refused while a descriptor is open, and otherwise the
 * end of all trees. It is loaded again from BLINK_MODDIR after each test.
 */
#include <sys/syscall.h>

#include "kselftest_harness.h"

#include "blink_test.h"

#define MODULE "blink_tree"
#define NAME "selftest.unload"
#define OPENERS 3
#define SECONDS 2
#define TIMES 3

static int unload(void)
{
	return syscall(SYS_delete_module, MODULE, O_NONBLOCK) ? -errno : 0;
}

static int load(void)
{
	const char *dir = getenv("BLINK_MODDIR");
	char path[4096];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/module/" MODULE ".ko", dir);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

static bool is_loaded(void)
{
	return !access("/sys/module/" MODULE, F_OK);
}

/* How many use the module: open descriptors and other modules. */
static int users(void)
{
	FILE *f = fopen("/sys/module/" MODULE "/refcnt", "r");
	int users = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%d", &users) != 1)
		users = -1;
	fclose(f);
	return users;
}

/* Trees that are somebody's own would be lost. */
static bool has_trees(void)
{
	struct blink_tree_list_entry entry;
	struct blink_tree_ioc_list arg = {
		.capacity = 1,
		.trees = ptr_to_u64(&entry),
		.entry_size = sizeof(entry),
	};
	int device = device_open();
	int ret = call(device, BLINK_TREE_IOC_LIST, &arg);

	close(device);
	return ret || arg.count;
}

/* The kernel's log from now on, or an error. */
static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* Whether a record is a warning, or of caches that went with objects in them. */
static bool is_bad(const char *record)
{
	return strstr(record, "WARNING: ") || strstr(record, "BUG: ") ||
	       (strstr(record, "blink_") && strstr(record, "objects"));
}

/* Whether there was such a thing since. */
static bool log_tells_of_harm(int fd)
{
	char record[8192];
	bool told = false;
	ssize_t len;

	for (;;) {
		len = read(fd, record, sizeof(record) - 1);
		if (len < 0 && errno == EPIPE)
			continue;
		if (len <= 0)
			return told;
		record[len] = 0;
		told |= is_bad(record);
	}
}

FIXTURE(unload)
{
	int device;
	int log;
};

FIXTURE_SETUP(unload)
{
	if (geteuid())
		SKIP(return, "needs root, to unload a module");
	if (!getenv("BLINK_MODDIR"))
		SKIP(return, "BLINK_MODDIR is not set: cannot load it again");
	if (!is_loaded())
		ASSERT_EQ(0, load());
	if (users())
		SKIP(return, "the module is in use by others");
	if (has_trees())
		SKIP(return, "there are trees that would be lost");
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	self->log = log_open();
	ASSERT_GE(self->log, 0);
}

FIXTURE_TEARDOWN(unload)
{
	EXPECT_FALSE(log_tells_of_harm(self->log));
	close(self->log);
	if (!is_loaded())
		EXPECT_EQ(0, load());
}

TEST_F(unload, and_load_again)
{
	struct blink_tree_ioc_info info = {};

	close(self->device);
	EXPECT_EQ(0, unload());
	EXPECT_EQ(-ENOENT, device_open());
	EXPECT_EQ(0, load());
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	EXPECT_EQ(0, call(self->device, BLINK_TREE_IOC_INFO, &info));
	close(self->device);
}

TEST_F(unload, refused_while_the_device_is_open)
{
	EXPECT_EQ(-EWOULDBLOCK, unload());
	close(self->device);
	EXPECT_EQ(0, unload());
}

TEST_F(unload, refused_while_a_tree_is_open)
{
	int tree = tree_create(self->device, "", 0, 0);
	__u64 value;

	ASSERT_GE(tree, 0);
	close(self->device);
	ASSERT_EQ(0, fill(tree, 0, 1000, 1));
	EXPECT_EQ(-EWOULDBLOCK, unload());
	EXPECT_EQ(0, lookup(tree, 999, &value));
	EXPECT_EQ(0, tree_check(tree, 1000));
	close(tree);
	EXPECT_EQ(0, unload());
}

/* A tree that is unlinked but open counts like any other. */
TEST_F(unload, refused_while_an_unlinked_tree_is_open)
{
	int tree = tree_create(self->device, NAME, 0600, 0);

	ASSERT_GE(tree, 0);
	ASSERT_EQ(0, tree_unlink(self->device, NAME));
	close(self->device);
	EXPECT_EQ(-EWOULDBLOCK, unload());
	close(tree);
	EXPECT_EQ(0, unload());
}

TEST_F(unload, destroys_named_trees)
{
	char name[BLINK_TREE_NAME_MAX];
	unsigned int i;
	int tree;

	for (i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), NAME ".%u", i);
		tree = tree_create(self->device, name, 0600, 0);
		ASSERT_GE(tree, 0);
		ASSERT_EQ(0, fill(tree, 0, i * 1000 + 1, 1));
		close(tree);
	}
	close(self->device);
	ASSERT_EQ(0, unload());
	ASSERT_EQ(0, load());
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	EXPECT_EQ(-ENOENT,
		  tree_open(self->device, NAME ".3", BLINK_TREE_OPEN_READ));
	EXPECT_FALSE(has_trees());
	close(self->device);
}

/* A worker is still destroying it. */
TEST_F(unload, with_a_big_tree_that_ends)
{
	unsigned int round;
	int tree;

	close(self->device);
	for (round = 0; round < 3; round++) {
		tree = tree_new(0);
		ASSERT_GE(tree, 0);
		ASSERT_EQ(0, fill(tree, 0, 100000, 1));
		close(tree);
		ASSERT_EQ(0, unload());
		ASSERT_EQ(0, load());
	}
}

/* Nodes that were just merged away still wait for a grace period. */
TEST_F(unload, with_nodes_in_limbo)
{
	unsigned int round;
	int tree;

	close(self->device);
	for (round = 0; round < 5; round++) {
		tree = tree_new(0);
		ASSERT_GE(tree, 0);
		ASSERT_EQ(0, fill(tree, 0, 5000, 1));
		ASSERT_EQ(0, apply(tree, BLINK_TREE_OP_ERASE, 0, 5000, 1));
		close(tree);
		ASSERT_EQ(0, unload());
		ASSERT_EQ(0, load());
	}
}

/* The state that the processes share which open the device. */
struct race {
	bool stop;
	__u64 seed;
	__u64 opened;
	__u64 no_node;
	__u64 no_driver;
};

static bool stopped(const struct race *race)
{
	return __atomic_load_n(&race->stop, __ATOMIC_RELAXED);
}

static void count(__u64 *counter)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/*
 * Open the device if it is there. Other results: there is no such name (ENOENT),
 * or no module that serves it any more, or yet (ENODEV, ENXIO).
 */
static int open_in_race(struct race *race)
{
	int device = device_open();

	if (device == -ENOENT)
		count(&race->no_node);
	else if (device == -ENODEV || device == -ENXIO)
		count(&race->no_driver);
	else if (device >= 0)
		count(&race->opened);
	return device;
}

/*
 * A tree of some leaves; for a while it alone keeps the module, if @alone. As
 * long as there is one the device is there, too.
 */
static int use_device(int device, bool alone)
{
	int tree = tree_create(device, "", 0, 0);
	int ret;

	if (alone) {
		close(device);
		usleep(2000);
	}
	ret = tree < 0 ? tree : fill(tree, 0, 300, 1);
	if (alone)
		device = device_open();
	if (tree >= 0)
		close(tree);
	if (device < 0)
		return device;
	close(device);
	return ret;
}

/* One process: open and close until told to stop. */
static int open_and_close(int id, void *arg)
{
	struct race *race = arg;
	__u64 state = random_stream(race->seed, id);
	int device, ret;

	while (!stopped(race)) {
		__u64 luck = random_next(&state), began = now_us();

		device = open_in_race(race);
		if (device == -ENOENT || device == -ENODEV || device == -ENXIO)
			continue;
		ret = device < 0 ? device : use_device(device, luck % 2);
		if (ret) {
			fprintf(stderr, "# process %d: %d\n", id, ret);
			__atomic_store_n(&race->stop, true, __ATOMIC_RELAXED);
			return 1;
		}
		/* Or there would always be somebody who has it open. */
		if (luck % 8 == 0)
			usleep(4 * (now_us() - began));
	}
	return 0;
}

/* Unload the module if it is not in use, and load it again. */
static int unload_in_race(unsigned int *unloaded, unsigned int *refused)
{
	int ret = unload();

	if (!ret) {
		++*unloaded;
		return load();
	}
	++*refused;
	return ret == -EWOULDBLOCK || ret == -EBUSY ? 0 : ret;
}

TEST_F(unload, raced_with_opens)
{
	struct race *race = shared_alloc(sizeof(*race));
	__u64 end = now_ms() + 1000 * seconds_get(SECONDS);
	unsigned int unloaded = 0, refused = 0, i;
	int ret = 0, status, failed = 0;

	ASSERT_NE(NULL, race);
	race->seed = seed_get();
	close(self->device);
	for (i = 0; i < OPENERS; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(open_and_close(i, race));
		failed += pid < 0;
	}
	while (!failed && !stopped(race) &&
	       !__atomic_load_n(&race->opened, __ATOMIC_RELAXED))
		usleep(1000);
	/* However it happens to go, each must have been seen, several times. */
	while (!ret && !failed && !stopped(race) &&
	       (now_ms() < end || unloaded < TIMES || refused < TIMES ||
		!race->no_node))
		ret = unload_in_race(&unloaded, &refused);
	__atomic_store_n(&race->stop, true, __ATOMIC_RELAXED);
	while (wait(&status) > 0)
		failed += status != 0;
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, failed);
	EXPECT_LT(0, race->opened);
	fprintf(stderr,
		"# unloaded %u times, refused %u; opened %llu times, no device %llu, no driver %llu\n",
		unloaded, refused, race->opened, race->no_node,
		race->no_driver);
	/* No reference was left behind. */
	EXPECT_EQ(0, unload());
}

TEST_HARNESS_MAIN
