// SPDX-License-Identifier: GPL-2.0
/*
 * A tree's descriptor as a thing of its own: inherited, passed to others,
 * closed at any moment, and worth no more than what it was opened for.
 */
#include <pthread.h>
#include <sys/socket.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"
#include "users.h"

#define NAME "selftest.share"

FIXTURE(share)
{
	int tree;
};

FIXTURE_VARIANT(share)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(share);

FIXTURE_SETUP(share)
{
	self->tree = tree_new_as(&variant->how);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fill(self->tree, 0, 1000, 2));
}

FIXTURE_TEARDOWN(share)
{
	close(self->tree);
}

TEST_F(share, is_close_on_exec)
{
	int device = device_open(), named, opened;

	named = tree_create(device, NAME, 0600, 0);
	opened = tree_open(device, NAME, BLINK_TREE_OPEN_READ);
	tree_unlink(device, NAME);
	ASSERT_LE(0, named);
	ASSERT_LE(0, opened);
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->tree, F_GETFD));
	EXPECT_EQ(FD_CLOEXEC, fcntl(named, F_GETFD));
	EXPECT_EQ(FD_CLOEXEC, fcntl(opened, F_GETFD));
	EXPECT_EQ(O_RDWR, fcntl(named, F_GETFL) & O_ACCMODE);
	EXPECT_EQ(O_RDONLY, fcntl(opened, F_GETFL) & O_ACCMODE);
	close(named);
	close(opened);
	close(device);
}

/* Whether /proc has this line for a descriptor of ours. */
static bool fdinfo_has(int fd, const char *line)
{
	char path[64], text[1024];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	if (!file)
		return false;
	while (fgets(text, sizeof(text), file))
		found |= !strcmp(text, line);
	fclose(file);
	return found;
}

/* Otherwise a tree without a name would show nowhere. */
TEST_F(share, tells_of_itself)
{
	int device = device_open(), named;

	named = tree_create(device, "selftest.share:1", 0600, 0);
	ASSERT_LE(0, named);
	EXPECT_TRUE(fdinfo_has(named, "blink-name:\tselftest.share:1\n"));
	EXPECT_TRUE(fdinfo_has(named, "blink-entries:\t0\n"));
	EXPECT_TRUE(fdinfo_has(self->tree, "blink-name:\t\n"));
	EXPECT_TRUE(fdinfo_has(self->tree, "blink-entries:\t1000\n"));
	EXPECT_FALSE(fdinfo_has(self->tree, "blink-bytes:\t0\n"));
	close(named);
	/* A process that may only write learns nothing of the tree's state. */
	named = tree_open(device, "selftest.share:1", BLINK_TREE_OPEN_WRITE);
	ASSERT_LE(0, named);
	EXPECT_TRUE(fdinfo_has(named, "blink-name:\tselftest.share:1\n"));
	EXPECT_FALSE(fdinfo_has(named, "blink-entries:\t0\n"));
	tree_unlink(device, "selftest.share:1");
	close(named);
	close(device);
}

/* A duplicate keeps the tree. */
TEST_F(share, duplicate_is_the_same_tree)
{
	int other = dup(self->tree);
	__u64 value;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, insert(self->tree, 1, 1));
	close(self->tree);
	EXPECT_EQ(0, lookup(other, 1, &value));
	EXPECT_EQ(0, tree_check(other, 1001));
	close(other);
}

/* A descriptor must not get more rights when it is opened by its path. */
TEST_F(share, cannot_be_reopened)
{
	char path[64];
	int device = device_open(), tree;

	close(tree_create(device, NAME, 0600, 0));
	tree = tree_open(device, NAME, BLINK_TREE_OPEN_READ);
	tree_unlink(device, NAME);
	ASSERT_LE(0, tree);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", tree);
	EXPECT_EQ(-1, open(path, O_RDWR));
	EXPECT_EQ(-EBADF, insert(tree, 1, 1));
	fcntl(tree, F_SETFL, O_RDWR);
	EXPECT_EQ(-EBADF, insert(tree, 1, 1));
	close(tree);
	close(device);
}

/* Nothing but ioctls is for a tree, and for the device. */
TEST_F(share, has_no_other_file_operations)
{
	int device = device_open();
	char byte = 0;

	EXPECT_EQ(-1, read(self->tree, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, write(self->tree, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, read(device, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(MAP_FAILED,
		  mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->tree, 0));
	EXPECT_EQ(ENODEV, errno);
	close(device);
}

static void tell(int socket)
{
	if (write(socket, "", 1) != 1)
		_exit(1);
}

/* False if the process that should tell is gone. */
static bool told(int socket)
{
	char byte;

	return read(socket, &byte, 1) == 1;
}

/* An inherited descriptor is the child's own reference. */
TEST_F(share, inherited_outlives_the_parents)
{
	int sockets[2], status;
	__u64 value = 0;
	pid_t pid;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(sockets[0]);
		ASSERT_EQ(0, insert(self->tree, 1, 1));
		tell(sockets[1]);
		ASSERT_TRUE(told(sockets[1]));
		EXPECT_EQ(0, lookup(self->tree, 3, &value));
		EXPECT_EQ(0, tree_check(self->tree, 1002));
		_exit(0);
	}
	close(sockets[1]);
	ASSERT_TRUE(told(sockets[0]));
	EXPECT_EQ(0, lookup(self->tree, 1, &value));
	EXPECT_EQ(0, insert(self->tree, 3, 3));
	close(self->tree);
	self->tree = -1;
	tell(sockets[0]);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

union control {
	char buf[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static bool send_fd(int socket, int fd)
{
	union control control = {};
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.buf,
		.msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(int));
	return sendmsg(socket, &msg, 0) == 1;
}

static int receive_fd(int socket)
{
	union control control = {};
	char byte = 0;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.buf,
		.msg_controllen = sizeof(control.buf),
	};
	struct cmsghdr *cmsg;
	int fd;

	if (recvmsg(socket, &msg, 0) != 1)
		return -1;
	cmsg = CMSG_FIRSTHDR(&msg);
	if (!cmsg || cmsg->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(cmsg), sizeof(int));
	return fd;
}

/* A user who may not open the device may still use a descriptor that is passed. */
TEST_F(share, passed_to_a_user_without_rights)
{
	int sockets[2], status, tree;
	__u64 value;
	pid_t pid;

	if (geteuid())
		SKIP(return, "needs root, to become another user");
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		close(self->tree);
		ASSERT_EQ(0, become(NOBODY, NOBODY, 0));
		tree = receive_fd(sockets[1]);
		ASSERT_LE(0, tree);
		EXPECT_EQ(0, lookup(tree, 998, &value));
		EXPECT_EQ(value_of(998), value);
		EXPECT_EQ(0, insert(tree, 1, 1));
		_exit(0);
	}
	ASSERT_TRUE(send_fd(sockets[0], self->tree));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(0, lookup(self->tree, 1, &value));
	EXPECT_EQ(0, tree_check(self->tree, 1001));
}

/* While the descriptor is on its way, it may be the only one of the tree. */
TEST_F(share, survives_being_passed)
{
	int sockets[2], tree;

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	ASSERT_TRUE(send_fd(sockets[0], self->tree));
	close(self->tree);
	close(sockets[0]);
	tree = receive_fd(sockets[1]);
	ASSERT_LE(0, tree);
	EXPECT_EQ(0, tree_check(tree, 1000));
	close(tree);
	self->tree = -1;
}

#define CLOSE_ROUNDS 20
#define CLOSE_OPS 2000

struct worker {
	int tree;
	int ret;
	bool started;
	struct blink_tree_ioc_op ops[CLOSE_OPS];
};

/* Batch after batch until the descriptor is gone. */
static void *work(void *arg)
{
	struct worker *worker = arg;
	unsigned int done;

	do {
		worker->ret =
			batch(worker->tree, worker->ops, CLOSE_OPS, &done);
		__atomic_store_n(&worker->started, true, __ATOMIC_RELEASE);
	} while (!worker->ret && done == CLOSE_OPS);
	return NULL;
}

/*
 * The call under way is finished, and with it goes the tree; the next call
 * finds no descriptor.
 */
TEST_F(share, closed_while_in_use)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	unsigned int round, i;
	pthread_t thread;

	ASSERT_NE(NULL, worker);
	for (i = 0; i < CLOSE_OPS; i++) {
		worker->ops[i].opcode = i % 2 ? BLINK_TREE_OP_ERASE :
						BLINK_TREE_OP_STORE;
		worker->ops[i].key = i * 7919 % 1000;
	}
	for (round = 0; round < CLOSE_ROUNDS; round++) {
		worker->tree = tree_new_as(&variant->how);
		ASSERT_LE(0, worker->tree);
		worker->started = false;
		ASSERT_EQ(0, pthread_create(&thread, NULL, work, worker));
		while (!__atomic_load_n(&worker->started, __ATOMIC_ACQUIRE))
			usleep(100);
		usleep(round * 50);
		close(worker->tree);
		ASSERT_EQ(0, pthread_join(thread, NULL));
		EXPECT_EQ(-EBADF, worker->ret);
	}
	free(worker);
}

TEST_HARNESS_MAIN
