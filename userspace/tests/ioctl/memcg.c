// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that a process adds to a tree is charged to its memory cgroup, given
 * back with the tree, and bounded by memory.max.
 *
 * Work is done by a child in a cgroup of its own, with user memory that the
 * parent touched first: the cgroup is charged for the tree only then.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "records.h"

#include "cgroup.h"

#define NAME "selftest.memcg"
#define KEYS 210000
/* Charges are counted in batches for each CPU. */
#define SLACK (3L << 20)
#define ROOM (4L << 20)

/* The findings of the child. */
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
	struct cgroup cgroup;
	struct blink_tree_ioc_op *ops;
	struct result *result;
};

/* Touched here, so that it is not charged to the child's cgroup. */
static bool place_fill(struct place *place)
{
	unsigned int i;

	place->result = shared_alloc(sizeof(*place->result));
	place->ops = shared_alloc(KEYS * sizeof(*place->ops));
	if (!place->result || !place->ops)
		return false;
	for (i = 0; i < KEYS; i++) {
		place->ops[i].opcode = BLINK_TREE_OP_INSERT;
		place->ops[i].key = i;
	}
	return true;
}

FIXTURE(charge)
{
	struct place place;
};

/* In which way a tree ends: the first step does not free it yet. */
FIXTURE_VARIANT(charge)
{
	struct blink_tree_ioc_create how;
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
MEMBERS(.how = { .replication = BLINK_TREE_REPLICATE_INNER });
FIXTURE_VARIANT_ADD(charge, full)
MEMBERS(.how = { .replication = BLINK_TREE_REPLICATE_FULL });

FIXTURE_SETUP(charge)
{
	const char *missing = cgroup_open(&self->place.cgroup);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_TRUE(place_fill(&self->place));
}

FIXTURE_TEARDOWN(charge)
{
	cgroup_close(&self->place.cgroup);
}

static void end(int device, int tree, const char *name, bool unlink)
{
	if (unlink)
		tree_unlink(device, name);
	else
		close(tree);
}

/* Measure the memory before, with, and after a tree of KEYS entries. */
static int measure(struct place *place, const struct blink_tree_ioc_create *how,
		   bool unlink_first)
{
	struct result *result = place->result;
	struct blink_tree_ioc_stats stats;
	int device, tree;

	if (write_file(place->cgroup.path, "cgroup.procs", "0"))
		return 1;
	device = device_open();
	tree_unlink(device, NAME);
	tree = tree_new_as(how);
	result->before = read_number(place->cgroup.path, "memory.current");
	result->ret = batch_all(tree, place->ops, KEYS);
	result->with = read_number(place->cgroup.path, "memory.current");
	tree_stats(tree, &stats);
	result->bytes = stats.bytes;
	if (how->name[0])
		end(device, tree, how->name, unlink_first);
	result->still = read_number(place->cgroup.path, "memory.current");
	end(device, tree, how->name, how->name[0] && !unlink_first);
	result->after =
		cgroup_settled(place->cgroup.path, result->before + SLACK / 2);
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

/* Values of bytes: a tree reports as many bytes as the allocator takes for it. */
FIXTURE(values)
{
	struct place place;
	struct stream stream;
};

/* The slab allocator rounds the memory of some values up by much. */
FIXTURE_VARIANT(values)
{
	size_t length;
};

FIXTURE_VARIANT_ADD(values, bytes_1000)
MEMBERS(.length = 1000);
FIXTURE_VARIANT_ADD(values, bytes_4096)
MEMBERS(.length = 4096);

FIXTURE_SETUP(values)
{
	static const struct blink_tree_ioc_create how = { BYTE_VALUES };
	const char *missing = cgroup_open(&self->place.cgroup);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_TRUE(place_fill(&self->place));
	ASSERT_EQ(0, stream_open(&self->stream, tree_new_as(&how), how.key));
}

FIXTURE_TEARDOWN(values)
{
	close(self->stream.tree);
	cgroup_close(&self->place.cgroup);
}

#define VALUES_BYTES (16L << 20)

static int measure_values(struct place *place, struct stream *s, size_t length)
{
	struct result *result = place->result;
	struct blink_tree_ioc_stats stats;
	struct rec made;
	__u64 i;

	if (write_file(place->cgroup.path, "cgroup.procs", "0"))
		return 1;
	result->before = read_number(place->cgroup.path, "memory.current");
	for (i = 0; i < VALUES_BYTES / length && !result->ret; i++) {
		made = STREAM_ONE(s, INSERT, .key = key_like(s->kind, i),
				  .value = value_like(i, length));
		result->ret = made.opcode == 0xffff ? -EIO : made.result;
	}
	result->with = read_number(place->cgroup.path, "memory.current");
	tree_stats(s->tree, &stats);
	result->bytes = stats.bytes;
	return 0;
}

TEST_F(values, counted_as_allocated)
{
	struct result *result = self->place.result;
	long bytes, grown;
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		_exit(measure_values(&self->place, &self->stream,
				     variant->length));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(0, result->ret);
	bytes = result->bytes;
	grown = result->with - result->before;
	EXPECT_LE(VALUES_BYTES, bytes);
	EXPECT_LE(bytes - bytes / 8, grown);
	/* The cgroup has a pointer for each object, and KASAN has memory behind it. */
	EXPECT_GE(bytes + bytes * 3 / 5, grown);
}

FIXTURE(memcg)
{
	struct place place;
	int tree;
};

FIXTURE_SETUP(memcg)
{
	const char *missing = cgroup_open(&self->place.cgroup);

	if (missing)
		SKIP(return, "%s", missing);
	ASSERT_TRUE(place_fill(&self->place));
	self->tree = tree_new(0);
	ASSERT_GE(self->tree, 0);
}

FIXTURE_TEARDOWN(memcg)
{
	close(self->tree);
	cgroup_close(&self->place.cgroup);
}

/* A key at a time until it fails; to erase keys then needs no memory. */
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
 * The child may not be killed when memory is short, so that it gets to see the
 * error. It opens nothing at the limit, as that would want memory too.
 */
TEST_F(memcg, enomem_at_the_limit)
{
	struct result *result = self->place.result;
	const char *path = self->place.cgroup.path;
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
	EXPECT_LE(ROOM / 2,
		  (long)(result->added * sizeof(struct blink_tree_entry)));
	EXPECT_GE(2 * ROOM,
		  (long)(result->added * sizeof(struct blink_tree_entry)));
	EXPECT_EQ(0, tree_check(self->tree, result->added - 100));

	/* For others the tree works on. */
	EXPECT_EQ(0, insert(self->tree, result->added, 0));
	EXPECT_EQ(0, fill(self->tree, 10 * KEYS, 1000, 1));
	EXPECT_EQ(0, tree_check(self->tree, result->added + 901));
}

TEST_HARNESS_MAIN
