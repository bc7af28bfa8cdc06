// SPDX-License-Identifier: GPL-2.0
/*
 * What a user without rights can do to others, once the device lets anyone in:
 * calls of a size that would take minutes, and trees without end. The first
 * must let others run on their CPU, and end when their process is killed; the
 * second must count as memory of who made them.
 *
 * A *hog* is a child that became nobody and makes one kind of huge call again
 * and again. Arrays of it are huge, but in the same piece of memory throughout.
 */
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "cgroup.h"
#include "topology.h"

#define NOBODY 65534
#define NAME "selftest.hostile"

/* A piece, and how often it is mapped, each after the other: 1 GiB in all. */
#define PIECE 0x100000UL
#define PIECES 1024
#define ARRAY_BYTES (PIECES * PIECE)

#define TREE_KEYS 60000
#define TREES 10000
#define NAPS 30
/* Emulated machines are slow, and their clocks are not steady. */
#define BOUND_MS 15000
/* Charges are counted in batches for each CPU. */
#define SLACK (2L << 20)

static int become_nobody(void)
{
	return setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY);
}

/* A huge array that takes little memory; NULL if there is no address for it. */
static void *huge_array(void)
{
	int fd = memfd_create("piece", MFD_CLOEXEC), i;
	char *at;

	at = mmap(NULL, ARRAY_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		  0);
	if (fd < 0 || at == MAP_FAILED || ftruncate(fd, PIECE))
		return NULL;
	for (i = 0; i < PIECES; i++) {
		if (mmap(at + i * PIECE, PIECE, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
			return NULL;
	}
	close(fd);
	return at;
}

/* The kinds of calls. Each returns the call's result. */
static int huge_batch(int tree, void *array)
{
	unsigned int done;

	return batch(tree, array, ARRAY_BYTES / sizeof(struct blink_op), &done);
}

/* Keys ascend for one piece: into a tree that has none, and goes again. */
static int huge_load(int tree, void *array)
{
	struct blink_ioc_load arg = {
		.count = ARRAY_BYTES / sizeof(struct blink_entry),
		.entries = ptr_to_u64(array),
		.fill = 1,
	};
	int ret;

	tree = tree_new(0);
	ret = call(tree, BLINK_IOC_LOAD, &arg);
	close(tree);
	return ret == -EEXIST ? 0 : ret;
}

static int huge_scan(int tree, void *array)
{
	struct blink_ioc_scan arg = {
		.last = U64_MAX,
		.capacity = ARRAY_BYTES / sizeof(struct blink_entry),
		.entries = ptr_to_u64(array),
	};

	return call(tree, BLINK_IOC_SCAN, &arg);
}

static int huge_count(int tree, void *array)
{
	struct blink_ioc_scan arg = {
		.flags = BLINK_SCAN_COUNT | BLINK_SCAN_DESC,
		.last = U64_MAX,
	};

	(void)array;
	return call(tree, BLINK_IOC_SCAN, &arg);
}

static int huge_verify(int tree, void *array)
{
	struct blink_ioc_verify arg = {};

	(void)array;
	return call(tree, BLINK_IOC_VERIFY, &arg);
}

static int huge_stats(int tree, void *array)
{
	struct blink_ioc_stats arg = {
		.capacity = UINT32_MAX,
		.levels = ptr_to_u64(array),
	};

	return call(tree, BLINK_IOC_STATS, &arg);
}

/* What a hog tells: how many calls it began and ended; an error, if one came. */
struct told {
	__u64 began;
	__u64 ended;
	int error;
};

FIXTURE(hog)
{
	struct told *told;
	mode_t mode;
	void *array;
	int tree;
	pid_t pid;
};

FIXTURE_VARIANT(hog)
{
	int (*make)(int tree, void *array);
};

FIXTURE_VARIANT_ADD(hog, batch)
MEMBERS(.make = huge_batch);
FIXTURE_VARIANT_ADD(hog, load)
MEMBERS(.make = huge_load);
FIXTURE_VARIANT_ADD(hog, scan)
MEMBERS(.make = huge_scan);
FIXTURE_VARIANT_ADD(hog, count)
MEMBERS(.make = huge_count);
FIXTURE_VARIANT_ADD(hog, verify)
MEMBERS(.make = huge_verify);
FIXTURE_VARIANT_ADD(hog, stats)
MEMBERS(.make = huge_stats);

/* The device lets anyone in until device_close_again(). */
static int device_let_in(mode_t *mode)
{
	struct stat st;

	if (stat(BLINK_DEVICE, &st))
		return -errno;
	*mode = st.st_mode & 07777;
	return chmod(BLINK_DEVICE, 0666) ? -errno : 0;
}

/* Ascending keys are operations too: look-ups, of what the opcode is 0 in. */
static void fill_piece(struct blink_entry *entries)
{
	unsigned int i;

	for (i = 0; i < PIECE / sizeof(*entries); i++)
		entries[i].key = (__u64)i << 16;
}

FIXTURE_SETUP(hog)
{
	if (geteuid())
		SKIP(return, "needs root, to become nobody");
	self->told = shared_alloc(sizeof(*self->told));
	self->array = huge_array();
	ASSERT_NE(NULL, self->told);
	ASSERT_NE(NULL, self->array);
	fill_piece(self->array);
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, fill(self->tree, 0, TREE_KEYS, 3));
	ASSERT_EQ(0, device_let_in(&self->mode));
}

FIXTURE_TEARDOWN(hog)
{
	chmod(BLINK_DEVICE, self->mode);
	close(self->tree);
}

static void be_hog(const FIXTURE_DATA(hog) * self,
		   int (*make)(int tree, void *array))
{
	struct told *told = self->told;
	int ret;

	if (become_nobody())
		_exit(1);
	do {
		__atomic_add_fetch(&told->began, 1, __ATOMIC_RELAXED);
		ret = make(self->tree, self->array);
		__atomic_add_fetch(&told->ended, 1, __ATOMIC_RELAXED);
	} while (!ret);
	told->error = -ret;
	_exit(2);
}

/* Sleep a millisecond: how many it took. */
static __u64 nap(void)
{
	__u64 before = now_ms();

	usleep(1000);
	return now_ms() - before;
}

TEST_F(hog, shares_its_cpu_and_dies)
{
	__u64 longest = 0, killed;
	unsigned int i;
	int status;

	ASSERT_EQ(0, run_on(1));
	self->pid = fork();
	ASSERT_LE(0, self->pid);
	if (!self->pid)
		be_hog(self, variant->make);
	while (!__atomic_load_n(&self->told->began, __ATOMIC_RELAXED))
		sched_yield();
	for (i = 0; i < NAPS; i++) {
		__u64 took = nap();

		longest = took > longest ? took : longest;
	}
	killed = now_ms();
	ASSERT_EQ(0, kill(self->pid, SIGKILL));
	ASSERT_EQ(self->pid, waitpid(self->pid, &status, 0));
	killed = now_ms() - killed;
	TH_LOG("%llu calls; longest nap %llu ms; killed within %llu ms",
	       self->told->ended, longest, killed);
	EXPECT_EQ(0, self->told->error);
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	EXPECT_GE(BOUND_MS, longest);
	EXPECT_GE(BOUND_MS, killed);
	/* The test itself: the longest call was not over before. */
	if (variant->make == huge_batch)
		EXPECT_EQ(0, self->told->ended);
	EXPECT_EQ(0, tree_check(self->tree, TREE_KEYS));
}

/* What the maker of trees tells: how many there are, what ended it. */
struct made {
	unsigned int trees;
	int error;
};

FIXTURE(trees)
{
	struct cgroup cgroup;
	struct made *made;
	struct blink_list_entry *listed;
	mode_t mode;
};

FIXTURE_VARIANT(trees)
{
	/* Memory that there is for them, 0 for no limit. */
	long room;
};

FIXTURE_VARIANT_ADD(trees, unbounded)
MEMBERS(.room = 0);
FIXTURE_VARIANT_ADD(trees, bounded)
MEMBERS(.room = 4L << 20);

FIXTURE_SETUP(trees)
{
	const char *missing = cgroup_open(&self->cgroup);

	if (missing)
		SKIP(return, "%s", missing);
	self->made = shared_alloc(sizeof(*self->made));
	self->listed = calloc(TREES + 1, sizeof(*self->listed));
	ASSERT_NE(NULL, self->made);
	ASSERT_NE(NULL, self->listed);
	ASSERT_EQ(0, device_let_in(&self->mode));
}

FIXTURE_TEARDOWN(trees)
{
	chmod(BLINK_DEVICE, self->mode);
	cgroup_close(&self->cgroup);
	free(self->listed);
}

static void name_tree(char name[BLINK_NAME_MAX], unsigned int number)
{
	snprintf(name, BLINK_NAME_MAX, "%s.%u", NAME, number);
}

/* A tree that stays, with an entry; 0, or what it failed with. */
static int make_tree(int device, unsigned int number)
{
	char name[BLINK_NAME_MAX];
	int tree, ret;

	name_tree(name, number);
	tree = tree_create(device, name, 0600, 0);
	if (tree < 0)
		return tree;
	ret = insert(tree, number, number);
	close(tree);
	return ret;
}

static int make_trees(const struct cgroup *cgroup, struct made *made, long room)
{
	int device = device_open();
	char text[32];

	snprintf(text, sizeof(text), "%ld", room);
	if (device < 0 || write_file("/proc/self", "oom_score_adj", "-1000") ||
	    write_file(cgroup->path, "cgroup.procs", "0") ||
	    (room && write_file(cgroup->path, "memory.max", text)) ||
	    become_nobody())
		return 1;
	while (made->trees < TREES && !made->error) {
		made->error = -make_tree(device, made->trees);
		made->trees += !made->error;
	}
	return 0;
}

/* The trees of a user, in one call; -1 if it fails. */
static int list_trees(int device, struct blink_list_entry *entries)
{
	struct blink_ioc_list arg = {
		.capacity = TREES + 1,
		.trees = ptr_to_u64(entries),
		.entry_size = sizeof(*entries),
	};

	return call(device, BLINK_IOC_LIST, &arg) ? -1 : (int)arg.count;
}

static unsigned int unlink_trees(int device, unsigned int nr)
{
	char name[BLINK_NAME_MAX];
	unsigned int i, unlinked = 0;

	for (i = 0; i < nr; i++) {
		name_tree(name, i);
		unlinked += !tree_unlink(device, name);
	}
	return unlinked;
}

TEST_F(trees, cost_their_maker)
{
	const char *path = self->cgroup.path;
	struct made *made = self->made;
	int device = device_open(), status, listed, i;
	__u64 bytes = 0;
	long charged;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(make_trees(&self->cgroup, made, variant->room));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	/* Who made them is gone: what is charged is the trees. */
	charged = read_number(path, "memory.current");
	listed = list_trees(device, self->listed);
	for (i = 0; i < listed; i++)
		bytes += self->listed[i].bytes;
	TH_LOG("%u trees of %llu bytes, %ld charged", made->trees, bytes,
	       charged);
	EXPECT_EQ(variant->room ? ENOMEM : 0, made->error);
	EXPECT_LE(variant->room ? 1 : TREES, made->trees);
	EXPECT_GE(variant->room ? TREES - 1 : TREES, made->trees);
	/* One may have its name, but not its entry. */
	EXPECT_LE((int)made->trees, listed);
	EXPECT_GE((int)made->trees + 1, listed);
	EXPECT_LE((long)bytes, charged + SLACK);

	/* Others have memory, and root can clean up. */
	i = tree_new(0);
	EXPECT_LE(0, i);
	EXPECT_EQ(0, fill(i, 0, 1000, 1));
	close(i);
	EXPECT_EQ(listed, unlink_trees(device, made->trees + 1));
	EXPECT_GE(SLACK, cgroup_settled(path, SLACK / 2));
	close(device);
}

TEST_HARNESS_MAIN
