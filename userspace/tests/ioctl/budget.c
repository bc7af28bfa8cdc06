// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that trees may take: those of each user, and all of them, as the
 * module's parameters say. Every user here is a child that shares the device.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "users.h"

#define PARAMETERS "/sys/module/blink_tree/parameters"
#define ALICE 65001
#define BOB 65002
/* Without trees of other tests, which may not be free yet. */
#define CAROL 65003
#define MIB 1048576ULL

FIXTURE(budget)
{
	int device;
	char before[2][32];
};

static const char *const names[] = { "max_bytes", "user_max_bytes" };

static int set(const char *name, __u64 bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", bytes);
	return write_file(PARAMETERS, name, text);
}

static int read_parameter(const char *name, char *text, size_t size)
{
	char path[96];
	int fd, len;

	snprintf(path, sizeof(path), PARAMETERS "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, size - 1);
	close(fd);
	if (len < 0)
		return -EIO;
	text[len] = '\0';
	return 0;
}

static __u64 parameter(const char *name)
{
	char text[32];

	return read_parameter(name, text, sizeof(text)) ?
		       0 :
		       strtoull(text, NULL, 10);
}

FIXTURE_SETUP(budget)
{
	unsigned int i;

	if (geteuid())
		SKIP(return, "needs root, to be several users");
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, read_parameter(names[i], self->before[i],
					    sizeof(self->before[i])));
}

/* In the parent: a failed assertion skips the child's own, and later programs need it. */
FIXTURE_TEARDOWN_PARENT(budget)
{
	unsigned int i;

	for (i = 0; i < 2; i++)
		write_file(PARAMETERS, names[i], self->before[i]);
}

/* The part of a child, as another user. */
struct user {
	int device;
	unsigned int uid;
	/* Keep the privileges of root, but not CAP_SYS_RESOURCE. */
	bool unprivileged;
	int (*fn)(const struct user *user);
	int err;
	__u64 max_bytes;
	/* How many keys or trees it made, in memory that is shared. */
	__u64 *keys;
};

static int be(const struct user *user)
{
	if (user->unprivileged)
		return keep_capabilities(~(1u << CAP_SYS_RESOURCE));
	if (!user->uid)
		return 0;
	return become(user->uid, user->uid, 0);
}

static int run_user(int id, void *arg)
{
	const struct user *user = (const struct user *)arg + id;

	return be(user) ?: user->fn(user);
}

static int new_tree(int device)
{
	struct blink_tree_ioc_create arg = {};

	return call(device, BLINK_TREE_IOC_CREATE, &arg);
}

/* Load until it is refused, or there are 64 MiB of keys. */
static int fill_up(const struct user *user)
{
	static struct blink_tree_entry entries[4096];
	struct blink_tree_ioc_load load = {
		.entries = ptr_to_u64(entries),
		.count = 4096,
		.fill = 100,
		.entry_size = sizeof(entries[0]),
	};
	int tree = new_tree(user->device), ret = 0;
	unsigned int i;
	__u64 key = 0;

	if (tree < 0)
		return 1;
	while (!ret && key < 4 * MIB) {
		for (i = 0; i < 4096; i++)
			entries[i].key = key + i;
		ret = call(tree, BLINK_TREE_IOC_LOAD, &load);
		key += load.done;
	}
	/* The tree is sound, and an operation that needs no memory succeeds. */
	*user->keys = key;
	if (ret != user->err || tree_check(tree, key) || erase(tree, 0) ||
	    insert(tree, 0, 1))
		return 1;
	if (user->err) {
		/* A worker may have freed memory of another tree since. */
		do {
			ret = store(tree, key, 1);
		} while (!ret && key++ < 4 * MIB);
		if (ret != user->err)
			return 1;
	}
	close(tree);
	return 0;
}

TEST_F(budget, parameters_are_bytes_or_percent)
{
	static const char *const bad[] = {
		"%",
		"x",
		"-1",
		"101%",
		"5%x",
		"5 %",
		"1k",
		"9223372036854775808",
		"99999999999999999999",
	};
	__u64 total = sysconf(_SC_PHYS_PAGES) * page_size(), bytes;
	unsigned int i, j;

	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, write_file(PARAMETERS, names[i], "10%\n"));
		bytes = parameter(names[i]);
		EXPECT_LE(total / 11, bytes);
		EXPECT_GE(total / 9, bytes);
		for (j = 0; j < ARRAY_SIZE(bad); j++)
			EXPECT_GT(0, write_file(PARAMETERS, names[i], bad[j]))
		TH_LOG("number %u", j);
		EXPECT_EQ(bytes, parameter(names[i]));
		EXPECT_EQ(0, write_file(PARAMETERS, names[i], "0x100000"));
		EXPECT_EQ(MIB, parameter(names[i]));
		EXPECT_EQ(0, write_file(PARAMETERS, names[i], "0"));
		EXPECT_EQ(0, parameter(names[i]));
	}
}

/* Unless they were set at boot. */
TEST_F(budget, defaults_leave_memory)
{
	__u64 total = sysconf(_SC_PHYS_PAGES) * page_size();

	if (getenv("BLINK_BUDGET_SET"))
		SKIP(return, "limits were set");
	EXPECT_LE(total * 45 / 100, strtoull(self->before[0], NULL, 10));
	EXPECT_GE(total * 55 / 100, strtoull(self->before[0], NULL, 10));
	EXPECT_LE(total * 22 / 100, strtoull(self->before[1], NULL, 10));
	EXPECT_GE(total * 28 / 100, strtoull(self->before[1], NULL, 10));
}

TEST_F(budget, one_user_is_exhausted_and_others_are_not)
{
	__u64 *keys = shared_alloc(4 * sizeof(*keys));
	struct user users[] = {
		{ .uid = ALICE, .err = -EDQUOT },
		{ .uid = BOB, .err = -EDQUOT },
		{ .uid = 0, .unprivileged = true, .err = -EDQUOT },
		{ .uid = 0 },
	};
	unsigned int i;

	ASSERT_NE(NULL, keys);
	for (i = 0; i < ARRAY_SIZE(users); i++) {
		users[i].device = self->device;
		users[i].fn = fill_up;
		users[i].keys = keys + i;
	}
	ASSERT_EQ(0, set("user_max_bytes", 8 * MIB));
	EXPECT_EQ(0, in_children(ARRAY_SIZE(users), run_user, users));
	for (i = 0; i < 3; i++) {
		/* At least nine tenths of it, at some 17 bytes a key. */
		EXPECT_LE(8 * MIB / 18 * 9 / 10, keys[i]);
		EXPECT_GE(8 * MIB / 16, keys[i]);
	}
	EXPECT_LE(4 * MIB, keys[3]);
}

/* A tree with a name, which stays when the child has ended. */
static int leave_a_tree(const struct user *user)
{
	int tree = tree_create(user->device, "budget.left", 0600, 0);

	return tree < 0 || insert(tree, 1, 1);
}

/* The words after the name of a budget in debugfs, or "" without it. */
static void budget_line(const char *name, char *line, size_t size)
{
	FILE *f = debugfs_open("/sys/kernel/debug/blink_tree/users");

	line[0] = '\0';
	while (f && fgets(line, size, f)) {
		size_t len = strlen(name);

		if (!strncmp(line, name, len) && line[len] == ':')
			break;
		line[0] = '\0';
	}
	if (f)
		fclose(f);
}

TEST_F(budget, users_are_in_debugfs)
{
	struct user carol = {
		.device = self->device,
		.uid = CAROL,
		.fn = leave_a_tree,
	};
	__u64 used, limit, trees;
	char line[128];
	int ret;

	/* Much more than these have. */
	ASSERT_EQ(0, set("max_bytes", 256 * MIB));
	ASSERT_EQ(0, set("user_max_bytes", 128 * MIB));
	EXPECT_EQ(0, in_children(1, run_user, &carol));
	budget_line("users", line, sizeof(line));
	ret = sscanf(line, "users: used=%llu limit=%llu", &used, &limit);
	ASSERT_EQ(2, ret);
	/* A part is left to services. */
	EXPECT_EQ(248 * MIB, limit);
	EXPECT_LT(0, used);
	budget_line("user 65003", line, sizeof(line));
	ret = sscanf(line, "user 65003: used=%llu limit=%llu trees=%llu", &used,
		     &limit, &trees);
	ASSERT_EQ(3, ret);
	EXPECT_EQ(128 * MIB, limit);
	EXPECT_EQ(1, trees);
	EXPECT_LT(0, used);
	EXPECT_EQ(0, tree_unlink(self->device, "budget.left"));
}

TEST_HARNESS_MAIN
