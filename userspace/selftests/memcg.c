// SPDX-License-Identifier: GPL-2.0
/*
 * What a process makes a tree grow to is charged to its memory cgroup, given
 * back with the tree, and bounded by memory.max.
 *
 * Work is done by a child in a cgroup of its own, with user memory that the
 * parent touched first: what the cgroup is charged for is the tree then.
 */
#include <dirent.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "kselftest_harness.h"

#include "blink_test.h"

#define NAME "selftest.memcg"
#define KEYS 210000
/* Charges are counted in batches for each CPU. */
#define SLACK (3L << 20)
#define ROOM (4L << 20)

/* What the child found out. */
struct result {
	long before;
	long with;
	long still;
	long after;
	__u64 bytes;
	__u64 added;
	int erased;
	int ret;
};

/* Where the child works, and with what. */
struct place {
	char root[64];
	char path[96];
	bool mounted;
	struct blink_op *ops;
	struct result *result;
};

static int write_file(const char *dir, const char *name, const char *text)
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

static long read_number(const char *dir, const char *name)
{
	char path[160];
	long number = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &number) != 1)
		number = -1;
	fclose(f);
	return number;
}

/* Where the unified hierarchy is mounted; mount it if it is not. */
static bool find_root(char *root, size_t size, bool *mounted)
{
	FILE *f = fopen("/proc/mounts", "r");
	char where[64], type[32];

	while (f && fscanf(f, "%*s %63s %31s %*[^\n]", where, type) == 2) {
		if (!strcmp(type, "cgroup2")) {
			snprintf(root, size, "%s", where);
			fclose(f);
			return true;
		}
	}
	if (f)
		fclose(f);
	snprintf(root, size, "/tmp/blink_cgroup.XXXXXX");
	if (!mkdtemp(root))
		return false;
	*mounted = !mount("none", root, "cgroup2", 0, NULL);
	if (!*mounted)
		rmdir(root);
	return *mounted;
}

/* Make a cgroup to work in; why it cannot be, or NULL. */
static const char *place_open(struct place *place)
{
	if (geteuid())
		return "needs root, to make a cgroup";
	if (!find_root(place->root, sizeof(place->root), &place->mounted))
		return "no cgroup2 hierarchy here";
	write_file(place->root, "cgroup.subtree_control", "+memory");
	snprintf(place->path, sizeof(place->path), "%s/blink_selftest.%d",
		 place->root, getpid());
	if (mkdir(place->path, 0755))
		return "cannot make a cgroup";
	if (read_number(place->path, "memory.current") < 0) {
		rmdir(place->path);
		return "no memory controller in the cgroup2 hierarchy";
	}
	return NULL;
}

static void place_close(struct place *place)
{
	rmdir(place->path);
	if (place->mounted) {
		umount(place->root);
		rmdir(place->root);
	}
}

/* Touched here, so that it is not charged to the child's cgroup. */
static bool place_fill(struct place *place)
{
	unsigned int i;

	place->result = shared_alloc(sizeof(*place->result));
	place->ops = shared_alloc(KEYS * sizeof(*place->ops));
	if (!place->result || !place->ops)
		return false;
	for (i = 0; i < KEYS; i++) {
		place->ops[i].opcode = BLINK_OP_INSERT;
		place->ops[i].key = i;
	}
	return true;
}

/* Charges are settled a little later than memory is given back. */
static long settled(const char *path, long below)
{
	__u64 end = now_ms() + 5000;
	long now;

	do {
		now = read_number(path, "memory.current");
	} while (now > below && now_ms() < end && !usleep(20000));
	return now;
}

FIXTURE(charge)
{
	struct place place;
};

/* In which way a tree ends: what is done first does not free it yet. */
FIXTURE_VARIANT(charge)
{
	struct blink_ioc_create how;
	bool unlink_first;
};

FIXTURE_VARIANT_ADD(charge, unnamed)
MEMBERS();
FIXTURE_VARIANT_ADD(charge, closed_then_unlinked)
MEMBERS(.how = { .name = NAME });
FIXTURE_VARIANT_ADD(charge, unlinked_then_closed)
MEMBERS(.how = { .name = NAME }, .unlink_first = true);
/* Where every NUMA node has an index, or all, the others' is charged too. */
FIXTURE_VARIANT_ADD(charge, inner)
MEMBERS(.how = { .replication = BLINK_REPLICATE_INNER });
FIXTURE_VARIANT_ADD(charge, inner_lazy)
MEMBERS(.how = { .replication = BLINK_REPLICATE_INNER,
		 .posting = BLINK_POSTING_LAZY });
FIXTURE_VARIANT_ADD(charge, full)
MEMBERS(.how = { .replication = BLINK_REPLICATE_FULL });

FIXTURE_SETUP(charge)
{
	const char *missing = place_open(&self->place);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_TRUE(place_fill(&self->place));
}

FIXTURE_TEARDOWN(charge)
{
	place_close(&self->place);
}

static void end(int device, int tree, const char *name, bool unlink)
{
	if (unlink)
		tree_unlink(device, name);
	else
		close(tree);
}

/* What the memory is before, with, and after a tree of KEYS entries. */
static int measure(struct place *place, const struct blink_ioc_create *how,
		   bool unlink_first)
{
	struct result *result = place->result;
	struct blink_ioc_stats stats;
	int device, tree;

	if (write_file(place->path, "cgroup.procs", "0"))
		return 1;
	device = device_open();
	tree_unlink(device, NAME);
	tree = tree_new_as(how);
	result->before = read_number(place->path, "memory.current");
	result->ret = batch_all(tree, place->ops, KEYS);
	result->with = read_number(place->path, "memory.current");
	tree_stats(tree, &stats);
	result->bytes = stats.stats.bytes;
	if (how->name[0])
		end(device, tree, how->name, unlink_first);
	result->still = read_number(place->path, "memory.current");
	end(device, tree, how->name, how->name[0] && !unlink_first);
	result->after = settled(place->path, result->before + SLACK / 2);
	return 0;
}

TEST_F(charge, given_back_with_the_last_reference)
{
	struct result *result = self->place.result;
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(measure(&self->place, &variant->how,
			      variant->unlink_first));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(0, result->ret);
	/* The test itself: the tree must be more than what is imprecise. */
	ASSERT_LT(SLACK, (long)result->bytes);
	EXPECT_LE((long)result->bytes - SLACK / 4,
		  result->with - result->before);
	EXPECT_LE((long)result->bytes - SLACK / 4,
		  result->still - result->before);
	EXPECT_GE(result->before + SLACK / 2, result->after);
}

FIXTURE(memcg)
{
	struct place place;
	int tree;
};

FIXTURE_SETUP(memcg)
{
	const char *missing = place_open(&self->place);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_TRUE(place_fill(&self->place));
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(memcg)
{
	close(self->tree);
	place_close(&self->place);
}

/* A key at a time until it fails; what is erased then needs no memory. */
static void insert_until_full(int tree, struct result *result)
{
	do {
		result->ret = insert(tree, result->added, result->added);
		result->added += !result->ret;
	} while (!result->ret && result->added < 10 * KEYS);
	result->erased = erase(tree, 0);
	for (unsigned int i = 1; i < 100; i++)
		result->erased |= erase(tree, i);
}

/*
 * The child may not be killed for want of memory, so that it gets to see the
 * error. It opens nothing at the limit, as that would want memory too.
 */
TEST_F(memcg, enomem_at_the_limit)
{
	struct result *result = self->place.result;
	const char *path = self->place.path;
	char max[32];
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (write_file("/proc/self", "oom_score_adj", "-1000") ||
		    write_file(path, "cgroup.procs", "0"))
			_exit(1);
		snprintf(max, sizeof(max), "%ld",
			 read_number(path, "memory.current") + ROOM);
		if (write_file(path, "memory.max", max))
			_exit(2);
		insert_until_full(self->tree, result);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(-ENOMEM, result->ret);
	EXPECT_EQ(0, result->erased);
	EXPECT_LE(ROOM / 2, (long)(result->added * sizeof(struct blink_entry)));
	EXPECT_GE(2 * ROOM, (long)(result->added * sizeof(struct blink_entry)));
	EXPECT_EQ(0, tree_check(self->tree, result->added - 100));

	/* For others the tree works on. */
	EXPECT_EQ(0, insert(self->tree, result->added, 0));
	EXPECT_EQ(0, fill(self->tree, 10 * KEYS, 1000, 1));
	EXPECT_EQ(0, tree_check(self->tree, result->added + 901));
}

TEST_HARNESS_MAIN
