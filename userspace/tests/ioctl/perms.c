// SPDX-License-Identifier: GPL-2.0
/*
 * The rights of users: the mode of a named tree for its owner, its group and others, and
 * capabilities.
 *
 * A child becomes another user and calls the module as that user. Trees are
 * created by OWNER with the group GROUP.
 */
#include <sched.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "users.h"

#define NAME "selftest.perms"
#define OWNER 12345
#define GROUP 23456
#define STRANGER 34567
#define RW (BLINK_TREE_OPEN_READ | BLINK_TREE_OPEN_WRITE)

/* The user and the groups of a child. */
struct identity {
	uid_t uid;
	gid_t gid;
	gid_t extra;
};

/* The device, and its mode for device_restore(). */
static int device_prepare(mode_t *mode)
{
	int device = device_open();
	struct stat st;

	if (device < 0)
		return device;
	if (fstat(device, &st))
		return -errno;
	*mode = st.st_mode & 07777;
	umask(0);
	tree_unlink(device, NAME);
	return device;
}

static void device_restore(int device, mode_t mode)
{
	chmod(BLINK_TREE_DEVICE, mode);
	tree_unlink(device, NAME);
	close(device);
}

FIXTURE(perms)
{
	int device;
	mode_t mode;
};

FIXTURE_SETUP(perms)
{
	if (geteuid())
		SKIP(return, "needs root, to become other users");
	self->device = device_prepare(&self->mode);
	ASSERT_GE(self->device, 0);
}

FIXTURE_TEARDOWN(perms)
{
	device_restore(self->device, self->mode);
}

/* Run @fn as somebody else; its return value, at most 125, or a bad status. */
static int as(const struct identity *who, int (*fn)(void *arg), void *arg)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(become(who->uid, who->gid, who->extra) ? 126 : fn(arg));
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* Create a tree of OWNER and GROUP with a few keys. */
static int make_tree(void *arg)
{
	const unsigned int *mode = arg;
	int device = device_open();
	int tree = tree_create(device, NAME, *mode, 0);

	return tree < 0 ? -tree : -fill(tree, 0, 10, 1);
}

static int make(unsigned int mode)
{
	const struct identity owner = { OWNER, GROUP, 0 };

	chmod(BLINK_TREE_DEVICE, 0666);
	return as(&owner, make_tree, &mode);
}

static int try_open(void *arg)
{
	const unsigned int *flags = arg;
	int tree = tree_open(device_open(), NAME, *flags);

	return tree < 0 ? -tree : 0;
}

/* Open the tree if @uid owns it. */
static int open_owned(int device, unsigned int flags, uid_t uid)
{
	struct blink_tree_ioc_open open = {
		.flags = flags | BLINK_TREE_OPEN_OWNER,
		.uid = uid,
		.name = NAME,
	};
	int tree = call(device, BLINK_TREE_IOC_OPEN, &open);

	if (tree >= 0)
		close(tree);
	return tree < 0 ? tree : 0;
}

static int try_unlink(void *arg)
{
	(void)arg;
	return -tree_unlink(device_open(), NAME);
}

/* The rights that a mode gives to a user; the bits of the others are the opposite. */
FIXTURE(mode)
{
	int device;
	mode_t mode;
};

FIXTURE_VARIANT(mode)
{
	struct identity who;
	unsigned int shift;
};

FIXTURE_VARIANT_ADD(mode, owner)
MEMBERS(.who = { OWNER, STRANGER, 0 }, .shift = 6);

FIXTURE_VARIANT_ADD(mode, owner_in_group)
MEMBERS(.who = { OWNER, GROUP, 0 }, .shift = 6);

FIXTURE_VARIANT_ADD(mode, group)
MEMBERS(.who = { STRANGER, GROUP, 0 }, .shift = 3);

FIXTURE_VARIANT_ADD(mode, supplementary_group)
MEMBERS(.who = { STRANGER, STRANGER, GROUP }, .shift = 3);

FIXTURE_VARIANT_ADD(mode, others)
MEMBERS(.who = { STRANGER, STRANGER, 0 });

FIXTURE_SETUP(mode)
{
	if (geteuid())
		SKIP(return, "needs root, to become other users");
	self->device = device_prepare(&self->mode);
	ASSERT_GE(self->device, 0);
}

FIXTURE_TEARDOWN(mode)
{
	device_restore(self->device, self->mode);
}

TEST_F(mode, decides_who_opens)
{
	unsigned int bits, flags;

	for (bits = 0; bits < 8; bits++) {
		unsigned int theirs = 0777 & ~(7 << variant->shift);
		unsigned int mode = bits << variant->shift |
				    (0111 * (7 - bits) & theirs);

		ASSERT_EQ(0, make(mode));
		for (flags = BLINK_TREE_OPEN_READ; flags <= RW; flags++) {
			bool read = !(flags & BLINK_TREE_OPEN_READ) || bits & 4;
			bool write = !(flags & BLINK_TREE_OPEN_WRITE) ||
				     bits & 2;

			EXPECT_EQ(read && write ? 0 : EACCES,
				  as(&variant->who, try_open, &flags))
			TH_LOG("mode %03o, flags %u", mode, flags);
		}
		ASSERT_EQ(0, tree_unlink(self->device, NAME));
	}
}

TEST_F(mode, does_not_matter_to_unlink)
{
	bool owner = variant->shift == 6;

	ASSERT_EQ(0, make(owner ? 0 : 0777));
	EXPECT_EQ(owner ? 0 : EPERM, as(&variant->who, try_unlink, NULL));
	EXPECT_EQ(owner ? -ENOENT : 0, tree_unlink(self->device, NAME));
}

TEST_F(perms, capabilities_pass)
{
	ASSERT_EQ(0, make(0));
	close(tree_open(self->device, NAME, RW));
	EXPECT_LE(0, tree_open(self->device, NAME, RW));
	ASSERT_EQ(0, keep_capabilities(~(1u << CAP_DAC_OVERRIDE)));
	EXPECT_EQ(-EACCES, tree_open(self->device, NAME, RW));
	EXPECT_EQ(-EACCES, tree_open(self->device, NAME, BLINK_TREE_OPEN_READ));
	ASSERT_EQ(0, keep_capabilities(~(1u << CAP_FOWNER)));
	EXPECT_EQ(-EPERM, tree_unlink(self->device, NAME));
}

static int owned_in_user_ns(void *arg)
{
	const int *device = arg;

	if (unshare(CLONE_NEWUSER))
		return 77;
	if (tree_create(*device, NAME, 0600, 0) < 0)
		return 1;
	/* The namespace maps no user: also the owner of the tree has no number. */
	return open_owned(*device, RW, 0) == -EINVAL &&
			       open_owned(*device, RW, STRANGER) == -EINVAL ?
		       0 :
		       2;
}

TEST_F(perms, an_owner_is_one_of_the_namespace)
{
	const struct identity stranger = { STRANGER, STRANGER, 0 };
	int ret;

	chmod(BLINK_TREE_DEVICE, 0666);
	ret = as(&stranger, owned_in_user_ns, &self->device);
	if (ret == 77)
		SKIP(return, "no user namespaces for users here");
	EXPECT_EQ(0, ret);
}

static bool find(int device, struct blink_tree_list_entry *entry)
{
	struct blink_tree_ioc_list list = {
		.capacity = 1,
		.trees = ptr_to_u64(entry),
		.entry_size = sizeof(*entry),
	};

	while (!call(device, BLINK_TREE_IOC_LIST, &list) && list.count) {
		if (!strcmp(entry->name, NAME))
			return true;
	}
	return false;
}

static int in_new_user_ns(void *arg)
{
	struct blink_tree_list_entry entry;
	const int *device = arg;
	int tree;

	if (unshare(CLONE_NEWUSER))
		return 77;
	/* Full capabilities here, but what was there before is not seen. */
	tree = tree_open(*device, NAME, BLINK_TREE_OPEN_READ);
	if (tree != -ENOENT)
		return 1;
	if (tree_unlink(*device, NAME) != -ENOENT)
		return 2;
	if (find(*device, &entry))
		return 3;
	/* The name is free here; this one's owner may do with it as he likes. */
	tree = tree_create(*device, NAME, 0600, 0);
	if (tree < 0 || !find(*device, &entry) || entry.id <= 1)
		return 4;
	return tree_unlink(*device, NAME) ? 5 : 0;
}

/* Names of one user namespace are nothing to another. */
TEST_F(perms, names_belong_to_a_user_namespace)
{
	const struct identity stranger = { STRANGER, STRANGER, 0 };
	int ret;

	ASSERT_EQ(0, make(0));
	ret = as(&stranger, in_new_user_ns, &self->device);
	if (ret == 77)
		SKIP(return, "no user namespaces for users here");
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, tree_unlink(self->device, NAME));
}

/*
 * A tree of a user namespace that this process creates and does not enter: its
 * descriptor.
 */
static int tree_from_below(int device)
{
	struct blink_tree_ioc_create arg = { .mode = 0600 };
	int *tree = shared_alloc(sizeof(*tree)), status;
	pid_t pid;

	if (!tree)
		return -ENOMEM;
	/* A process of its own, with the same descriptors. */
	pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		if (unshare(CLONE_NEWUSER))
			_exit(77);
		*tree = call(device, BLINK_TREE_IOC_CREATE, &arg);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WEXITSTATUS(status) == 77 ? -EOPNOTSUPP : *tree;
}

/* The creator of a namespace has all capabilities over it, and none elsewhere. */
static int give_to_root(void *arg)
{
	const int *device = arg;
	int tree = tree_from_below(*device);
	struct blink_tree_ioc_attr attr = { .flags = BLINK_TREE_ATTR_UID };

	if (tree == -EOPNOTSUPP)
		return 77;
	if (tree < 0)
		return 1;
	if (call(tree, BLINK_TREE_IOC_ATTR, &attr) != -EPERM)
		return 2;
	attr.flags = BLINK_TREE_ATTR_GID;
	return call(tree, BLINK_TREE_IOC_ATTR, &attr) == -EPERM ? 0 : 3;
}

TEST_F(perms, a_namespace_gives_no_rights_outside)
{
	const struct identity stranger = { STRANGER, STRANGER, 0 };
	int ret;

	chmod(BLINK_TREE_DEVICE, 0666);
	ret = as(&stranger, give_to_root, &self->device);
	if (ret == 77)
		SKIP(return, "no user namespaces for users here");
	EXPECT_EQ(0, ret);
}

static int leave_a_name(void *arg)
{
	const int *device = arg;

	if (unshare(CLONE_NEWUSER))
		return 77;
	return tree_create(*device, NAME, 0600, 0) < 0;
}

/* A tree of a namespace without processes is found by its number, not by its name. */
TEST_F(perms, names_of_a_namespace_that_is_gone)
{
	const struct identity stranger = { STRANGER, STRANGER, 0 };
	struct blink_tree_list_entry entry;
	struct blink_tree_ioc_list list = {
		.flags = BLINK_TREE_LIST_BELOW,
		.capacity = 1,
		.trees = ptr_to_u64(&entry),
		.entry_size = sizeof(entry),
	};
	struct blink_tree_ioc_unlink unlink = {};
	struct blink_tree_ioc_open open = { .flags = RW };
	int ret;

	chmod(BLINK_TREE_DEVICE, 0666);
	ret = as(&stranger, leave_a_name, &self->device);
	if (ret == 77)
		SKIP(return, "no user namespaces for users here");
	ASSERT_EQ(0, ret);
	EXPECT_FALSE(find(self->device, &entry));
	EXPECT_EQ(-ENOENT, tree_unlink(self->device, NAME));
	do {
		ASSERT_EQ(0, call(self->device, BLINK_TREE_IOC_LIST, &list));
		ASSERT_EQ(1, list.count);
	} while (strcmp(entry.name, NAME));
	EXPECT_EQ(STRANGER, entry.uid);
	open.id = entry.id;
	unlink.id = entry.id;
	ret = call(self->device, BLINK_TREE_IOC_OPEN, &open);
	EXPECT_LE(0, ret);
	close(ret);
	EXPECT_EQ(0, call(self->device, BLINK_TREE_IOC_UNLINK, &unlink));
	EXPECT_EQ(-ENOENT, call(self->device, BLINK_TREE_IOC_UNLINK, &unlink));
	EXPECT_EQ(-ENOENT, call(self->device, BLINK_TREE_IOC_OPEN, &open));
}

static int list_owner(void *arg)
{
	struct blink_tree_list_entry entry;
	const int *device = arg;

	if (!find(*device, &entry))
		return 2;
	return entry.uid == OWNER && entry.gid == GROUP ? 0 : 1;
}

TEST_F(perms, list_tells_the_owner_to_anyone)
{
	const struct identity stranger = { STRANGER, STRANGER, 0 };

	ASSERT_EQ(0, make(0));
	EXPECT_EQ(0, as(&stranger, list_owner, &self->device));
}

TEST_HARNESS_MAIN
