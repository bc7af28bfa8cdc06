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
	struct blink_list_entry entry;
	struct blink_ioc_list arg = {
		.capacity = 1,
		.trees = ptr_to_u64(&entry),
		.entry_size = sizeof(entry),
	};
	int device = device_open();
	int ret = call(device, BLINK_IOC_LIST, &arg);

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

/* Whether it was said since that caches went with objects still in them. */
static bool log_tells_of_a_leak(int fd)
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
		told |= strstr(record, "blink_") && strstr(record, "objects");
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
	EXPECT_FALSE(log_tells_of_a_leak(self->log));
	if (!is_loaded())
		EXPECT_EQ(0, load());
}

TEST_F(unload, and_load_again)
{
	struct blink_ioc_info info = {};

	close(self->device);
	EXPECT_EQ(0, unload());
	EXPECT_EQ(-ENOENT, device_open());
	EXPECT_EQ(0, load());
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	EXPECT_EQ(0, call(self->device, BLINK_IOC_INFO, &info));
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
	char name[BLINK_NAME_MAX];
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
	EXPECT_EQ(-ENOENT, tree_open(self->device, NAME ".3", BLINK_OPEN_READ));
	EXPECT_FALSE(has_trees());
	close(self->device);
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
		ASSERT_EQ(0, apply(tree, BLINK_OP_ERASE, 0, 5000, 1));
		close(tree);
		ASSERT_EQ(0, unload());
		ASSERT_EQ(0, load());
	}
}

TEST_HARNESS_MAIN
