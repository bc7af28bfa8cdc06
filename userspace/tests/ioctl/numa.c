// SPDX-License-Identifier: GPL-2.0
/*
 * The options of a new tree: which values there are, what it tells of them,
 * and whose memory it then takes. An index is as large on its NUMA node as on
 * any other; leaves are where their placement puts them.
 *
 * A tree is made by a process on one NUMA node, the *creator*, and grown by one
 * on another, the *filler*, so that both leave their marks.
 */
#include <linux/membarrier.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"
#include "topology.h"

#define NAME "selftest.numa"
#define KEYS 80000
#define ROWS (16 * SET_MAX)
#define OLD_SIZE offsetof(struct blink_tree_ioc_create, replication)

FIXTURE(options)
{
	int device;
	struct blink_tree_ioc_create arg;
};

FIXTURE_SETUP(options)
{
	self->device = device_open();
	ASSERT_GE(self->device, 0);
}

FIXTURE_TEARDOWN(options)
{
	close(self->device);
}

static int create_sized(int device, struct blink_tree_ioc_create *arg,
			size_t size)
{
	unsigned long cmd = _IOC(_IOC_READ | _IOC_WRITE, BLINK_TREE_IOC_TYPE,
				 _IOC_NR(BLINK_TREE_IOC_CREATE), size);

	return call(device, cmd, arg);
}

TEST_F(options, unknown_value_is_einval)
{
	const struct {
		size_t offset;
		unsigned int known;
	} fields[] = {
		{ offsetof(struct blink_tree_ioc_create, replication),
		  BLINK_TREE_REPLICATE_FULL + 1 },
		{ offsetof(struct blink_tree_ioc_create, locking),
		  BLINK_TREE_LOCKING_COHORT + 1 },
		{ offsetof(struct blink_tree_ioc_create, placement),
		  BLINK_TREE_PLACE_INTERLEAVE + 1 },
	};
	__u8 *field;
	unsigned int i, value;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		field = (__u8 *)&self->arg + fields[i].offset;
		for (value = fields[i].known; value < 256; value++) {
			*field = value;
			EXPECT_EQ(-EINVAL,
				  call(self->device, BLINK_TREE_IOC_CREATE,
				       &self->arg))
			TH_LOG("value %u at %zu", value, fields[i].offset);
		}
		*field = 0;
	}
}

/* A program that was compiled before there were options gets their defaults. */
TEST_F(options, older_structure_has_the_defaults)
{
	struct blink_tree_ioc_stats arg;
	int tree;

	memset(&self->arg.replication, 0xff,
	       sizeof(self->arg) - offsetof(typeof(self->arg), replication));
	tree = create_sized(self->device, &self->arg, OLD_SIZE);
	ASSERT_LE(0, tree);
	EXPECT_EQ(0, fill(tree, 0, 1000, 1));
	EXPECT_EQ(0, tree_check(tree, 1000));
	ASSERT_EQ(0, tree_stats(tree, &arg));
	EXPECT_EQ(1, arg.indexes);
	EXPECT_EQ(BLINK_TREE_REPLICATE_NONE, arg.replication);
	EXPECT_EQ(BLINK_TREE_LOCKING_PLAIN, arg.locking);
	EXPECT_EQ(BLINK_TREE_PLACE_LOCAL, arg.placement);
	EXPECT_EQ(0, arg.create_flags);
	close(tree);
}

FIXTURE(mode)
{
	int device;
	int tree;
	__u64 memory;
	__u64 homes;
	unsigned int creator;
	unsigned int filler;
	char kfence[16];
};

FIXTURE_VARIANT(mode)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(mode);

/* The first and the last node that has both memory and CPUs. */
static void choose_nodes(FIXTURE_DATA(mode) * self)
{
	unsigned int nid;
	bool any = false;

	for_each_member(nid, self->memory) {
		if (!cpus_of(nid))
			continue;
		if (!any)
			self->filler = nid;
		self->creator = nid;
		any = true;
	}
}

/*
 * KFENCE serves one allocation in so many milliseconds from a pool of its own,
 * which is on no NUMA node that anybody asked for.
 */
#define KFENCE "/sys/module/kfence/parameters/sample_interval"

static void stop_kfence(char *interval, size_t size)
{
	FILE *f = fopen(KFENCE, "r+");

	interval[0] = '\0';
	if (!f)
		return;
	if (fgets(interval, size, f)) {
		rewind(f);
		fputs("0", f);
	}
	fclose(f);
}

static void resume_kfence(const char *interval)
{
	FILE *f = *interval ? fopen(KFENCE, "w") : NULL;

	if (!f)
		return;
	fputs(interval, f);
	fclose(f);
}

FIXTURE_SETUP(mode)
{
	struct blink_tree_ioc_create arg = variant->how;

	stop_kfence(self->kfence, sizeof(self->kfence));
	self->memory = nodes_with_memory();
	if (!self->memory)
		SKIP(return, "no NUMA nodes here");
	self->homes = nodes_with_index();
	choose_nodes(self);
	self->device = device_open();
	ASSERT_GE(self->device, 0);
	tree_unlink(self->device, NAME);
	snprintf(arg.name, sizeof(arg.name), "%s", NAME);
	arg.mode = 0600;
	ASSERT_EQ(0, run_on(cpus_of(self->creator)));
	self->tree = call(self->device, BLINK_TREE_IOC_CREATE, &arg);
	ASSERT_GE(self->tree, 0);
	ASSERT_EQ(0, run_on(cpus_of(self->filler)));
}

FIXTURE_TEARDOWN(mode)
{
	resume_kfence(self->kfence);
	tree_unlink(self->device, NAME);
	close(self->tree);
	close(self->device);
}

static bool replicated(const FIXTURE_VARIANT(mode) * variant)
{
	return variant->how.replication != BLINK_TREE_REPLICATE_NONE;
}

static unsigned int indexes(const FIXTURE_DATA(mode) * self,
			    const FIXTURE_VARIANT(mode) * variant)
{
	return replicated(variant) ? __builtin_popcountll(self->homes) : 1;
}

TEST_F(mode, stats_tell_the_options)
{
	const struct blink_tree_ioc_create *how = &variant->how;
	struct blink_tree_ioc_attr attr = {};
	struct blink_tree_ioc_stats arg;

	ASSERT_EQ(0, call(self->tree, BLINK_TREE_IOC_ATTR, &attr));
	EXPECT_EQ(how->flags, attr.create_flags);
	ASSERT_EQ(0, tree_stats(self->tree, &arg));
	EXPECT_EQ(how->replication, arg.replication);
	EXPECT_EQ(how->locking, arg.locking);
	EXPECT_EQ(how->placement, arg.placement);
	EXPECT_EQ(how->flags, arg.create_flags);
	EXPECT_EQ(indexes(self, variant), arg.indexes);
}

/* The next line for the tree, or an empty one. */
static void debugfs_line(FILE *f, char *line, size_t size)
{
	do {
		if (!fgets(line, size, f))
			line[0] = '\0';
	} while (line[0] && strncmp(line, NAME ":", strlen(NAME ":")));
}

TEST_F(mode, debugfs_tells_the_options)
{
	const char *const replication[] = { "none", "inner", "full" };
	const char *const locking[] = { "plain", "cohort" };
	const char *const placement[] = { "local", "interleave" };
	const struct blink_tree_ioc_create *how = &variant->how;
	FILE *f = debugfs_open("/sys/kernel/debug/blink_tree/trees");
	char line[1024], want[64];

	if (!f)
		SKIP(return, "no debugfs");
	debugfs_line(f, line, sizeof(line));
	fclose(f);
	snprintf(want, sizeof(want), " replication=%s ",
		 replication[how->replication]);
	EXPECT_TRUE(strstr(line, want)) TH_LOG("%s", line);
	snprintf(want, sizeof(want), " locking=%s placement=%s ",
		 locking[how->locking], placement[how->placement]);
	EXPECT_TRUE(strstr(line, want)) TH_LOG("%s", line);
	snprintf(want, sizeof(want), " compress=%s ",
		 how->flags & BLINK_TREE_CREATE_COMPRESS ? "yes" : "no");
	EXPECT_TRUE(strstr(line, want)) TH_LOG("%s", line);
}

/* How many nodes each NUMA node has. */
struct census {
	__u64 inner[SET_MAX];
	__u64 leaves[SET_MAX];
	__u64 all_inner;
	__u64 all_leaves;
};

static int take_census(int tree, struct census *census)
{
	static struct blink_tree_level_stats rows[ROWS];
	struct blink_tree_ioc_levels arg = {
		.capacity = ROWS,
		.levels = ptr_to_u64(rows),
		.level_size = sizeof(struct blink_tree_level_stats),
	};
	int ret = call(tree, BLINK_TREE_IOC_LEVELS, &arg);
	unsigned int i;

	memset(census, 0, sizeof(*census));
	for (i = 0; !ret && i < arg.count; i++) {
		if (rows[i].nid >= SET_MAX)
			return -ERANGE;
		if (rows[i].level) {
			census->inner[rows[i].nid] += rows[i].nodes;
			census->all_inner += rows[i].nodes;
		} else {
			census->leaves[rows[i].nid] += rows[i].nodes;
			census->all_leaves += rows[i].nodes;
		}
	}
	return ret;
}

static __u64 misplaced(int tree)
{
	struct blink_tree_ioc_verify arg = {};

	return call(tree, BLINK_TREE_IOC_VERIFY, &arg) ? U64_MAX :
							 arg.misplaced;
}

/* Equal but for what chance does. */
static bool alike(__u64 a, __u64 b)
{
	__u64 most = a > b ? a : b;

	return most - (a > b ? b : a) <= 1 + most / 8;
}

/* An index is on the node that it is for, a lonely one on the creator's. */
TEST_F(mode, inner_nodes_are_where_they_belong)
{
	unsigned int nr = __builtin_popcountll(self->homes), nid;
	struct census census;

	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
	EXPECT_EQ(0, tree_check(self->tree, KEYS));
	EXPECT_EQ(0, misplaced(self->tree));
	ASSERT_EQ(0, take_census(self->tree, &census));
	ASSERT_LT(4, census.all_inner);
	if (!replicated(variant)) {
		EXPECT_EQ(census.all_inner, census.inner[self->creator]);
		return;
	}
	for_each_member(nid, self->homes) {
		EXPECT_TRUE(alike(census.all_inner / nr, census.inner[nid]))
		TH_LOG("%llu of %llu on node %u", census.inner[nid],
		       census.all_inner, nid);
	}
}

/* The number that follows a word in a line, or U64_MAX. */
static __u64 number_after(const char *line, const char *word)
{
	const char *found = strstr(line, word);

	return found ? strtoull(found + strlen(word), NULL, 10) : U64_MAX;
}

/* The nodes that a CPU's searches read: a line of "searches". */
struct near {
	__u64 node;
	__u64 memory;
	__u64 searches;
	__u64 inner_local;
	__u64 inner_remote;
	__u64 leaf_local;
	__u64 leaf_remote;
};

static struct near parse_near(const char *line)
{
	return (struct near){
		.node = number_after(line, " node="),
		.memory = number_after(line, " memory="),
		.searches = number_after(line, " searches="),
		.inner_local = number_after(line, " inner_local="),
		.inner_remote = number_after(line, " inner_remote="),
		.leaf_local = number_after(line, " leaf_local="),
		.leaf_remote = number_after(line, " leaf_remote="),
	};
}

/* Every search reads an inner node at least, and ends in one leaf. */
static bool adds_up(const struct near *near)
{
	return near->searches > 1 &&
	       near->inner_local + near->inner_remote >= near->searches &&
	       near->leaf_local + near->leaf_remote == near->searches;
}

/* From its CPUs each node with memory reads its own copies, or the one index. */
TEST_F(mode, searches_read_what_is_near)
{
	FILE *f = debugfs_open("/sys/kernel/debug/blink_tree/searches");
	bool full = variant->how.replication == BLINK_TREE_REPLICATE_FULL;
	struct census census;
	char line[256];
	int cpus = 0;

	if (!f)
		SKIP(return, "no debugfs");
	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
	EXPECT_EQ(0, tree_check(self->tree, KEYS));
	ASSERT_EQ(0, take_census(self->tree, &census));
	for (debugfs_line(f, line, sizeof(line)); line[0]; cpus++) {
		struct near near = parse_near(line);
		bool own = replicated(variant) || near.node == self->creator;

		EXPECT_TRUE(adds_up(&near)) TH_LOG("%s", line);
		if (near.node == near.memory) {
			EXPECT_EQ(0, own ? near.inner_remote : near.inner_local)
			TH_LOG("%s", line);
			EXPECT_EQ(full ? near.searches :
					 census.leaves[near.node],
				  near.leaf_local)
			TH_LOG("%s", line);
		}
		debugfs_line(f, line, sizeof(line));
	}
	fclose(f);
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_ONLN), cpus);
}

TEST_F(mode, leaves_are_where_they_belong)
{
	const struct blink_tree_ioc_create *how = &variant->how;
	bool full = how->replication == BLINK_TREE_REPLICATE_FULL;
	__u64 nodes = full ? self->homes : self->memory;
	struct census census;
	unsigned int nid;
	__u64 each;

	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
	ASSERT_EQ(0, take_census(self->tree, &census));
	each = census.all_leaves / __builtin_popcountll(nodes);
	if (full) {
		for_each_member(nid, nodes) {
			EXPECT_EQ(each, census.leaves[nid]);
		}
	} else if (how->placement == BLINK_TREE_PLACE_INTERLEAVE) {
		for_each_member(nid, nodes) {
			EXPECT_TRUE(alike(each, census.leaves[nid]));
		}
	} else {
		/* All but the first, which came with the tree. */
		EXPECT_LE(census.all_leaves - 1, census.leaves[self->filler]);
	}
}

/* Erasing gives the memory of every node back. */
TEST_F(mode, shrinks_on_every_node)
{
	struct census census;

	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
	ASSERT_EQ(0, run_on(cpus_of(self->creator)));
	ASSERT_EQ(0, apply(self->tree, BLINK_TREE_OP_ERASE, 0, KEYS, 1));
	EXPECT_EQ(0, tree_check(self->tree, 0));
	ASSERT_EQ(0, take_census(self->tree, &census));
	EXPECT_EQ(0, census.all_inner);
	EXPECT_EQ(variant->how.replication == BLINK_TREE_REPLICATE_FULL ?
			  __builtin_popcountll(self->homes) :
			  1,
		  census.all_leaves);
}

/*
 * Leave the slab allocator memory of the filler's node that is half used: it
 * is what a careless request gets next. Freed leaves must come back for that,
 * from RCU and from the quarantine that KASAN has.
 */
static int leave_memory(int tree)
{
	FILE *f;
	__u64 i;
	int ret = fill(tree, 0, KEYS, 1);

	for (i = 0; !ret && i < KEYS; i += 400)
		ret = apply(tree, BLINK_TREE_OP_ERASE, i, 200, 1);
	syscall(__NR_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	f = fopen("/sys/kernel/slab/blink_leaf/shrink", "w");
	if (f) {
		fputs("1", f);
		fclose(f);
	}
	return ret;
}

/* A process on a node without memory uses the nearest that has some. */
TEST_F(mode, node_without_memory)
{
	__u64 bare = set_read(NODE_DIR "/has_cpu") & ~self->memory;
	int nid = __builtin_ctzll(bare), nearest, tree;
	struct census census;

	if (!bare)
		SKIP(return, "every NUMA node has memory");
	nearest = nearest_memory(nid);
	ASSERT_LE(0, nearest);
	ASSERT_EQ(0, leave_memory(self->tree));
	ASSERT_EQ(0, run_on(cpus_of(nid)));
	tree = tree_new_as(&variant->how);
	ASSERT_LE(0, tree);
	ASSERT_EQ(0, fill(tree, 0, KEYS, 1));
	EXPECT_EQ(0, tree_check(tree, KEYS));
	EXPECT_EQ(0, misplaced(tree));
	ASSERT_EQ(0, take_census(tree, &census));
	close(tree);
	EXPECT_EQ(0, census.inner[nid] + census.leaves[nid]);
	if (replicated(variant))
		return;
	EXPECT_EQ(census.all_inner, census.inner[nearest]);
	if (variant->how.placement == BLINK_TREE_PLACE_LOCAL)
		EXPECT_EQ(census.all_leaves, census.leaves[nearest]);
}

/* Memory that no CPU is near to has no index: no search begins there. */
TEST_F(mode, memory_alone_has_no_index)
{
	__u64 alone = set_read(NODE_DIR "/has_memory") & ~self->homes;
	struct census census;
	unsigned int nid;

	if (!alone)
		SKIP(return, "every NUMA node with memory has a CPU near");
	ASSERT_EQ(0, fill(self->tree, 0, KEYS, 1));
	EXPECT_EQ(0, misplaced(self->tree));
	ASSERT_EQ(0, take_census(self->tree, &census));
	for_each_member(nid, alone) {
		EXPECT_EQ(0, census.inner[nid]);
		if (variant->how.replication == BLINK_TREE_REPLICATE_FULL ||
		    !(self->memory >> nid & 1))
			EXPECT_EQ(0, census.leaves[nid]);
	}
}

TEST_HARNESS_MAIN
