// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs go away and come back while a tree is in use: work that they did must
 * still count, and no process may wait for a CPU that is gone.
 *
 * Each process inserts and erases its own keys, again and again, in an order
 * that makes every result certain.
 */
#include "kselftest_harness.h"

#include "blink_test.h"
#include "modes.h"
#include "topology.h"

#define PROCESSES 4
#define OWN_KEYS 400
#define ROUNDS 2

/* The state that the processes share. */
struct stage {
	int tree;
	__u64 cpus;
	bool *stop;
	__u64 *laps;
};

FIXTURE(hotplug)
{
	struct stage stage;
};

FIXTURE_VARIANT(hotplug)
{
	struct blink_tree_ioc_create how;
};

ADD_MODES(hotplug);

static int cpu_turn(unsigned int cpu, bool on)
{
	char path[96];
	int fd, ret;

	snprintf(path, sizeof(path), CPU_DIR "/cpu%u/online", cpu);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, on ? "1" : "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return ret;
}

FIXTURE_SETUP(hotplug)
{
	const struct blink_tree_ioc_create how = how_to(&variant->how);

	/* All but the first, which may not go. */
	self->stage.cpus = set_read(CPU_DIR "/online") & ~1ULL;
	if (!self->stage.cpus)
		SKIP(return, "one CPU only");
	if (cpu_turn(__builtin_ctzll(self->stage.cpus), true))
		SKIP(return, "CPUs cannot be taken away here");
	self->stage.tree = tree_new_as(&how);
	ASSERT_GE(self->stage.tree, 0);
	self->stage.stop = shared_alloc(sizeof(*self->stage.stop));
	self->stage.laps = shared_alloc(sizeof(*self->stage.laps));
	ASSERT_TRUE(self->stage.stop && self->stage.laps);
}

FIXTURE_TEARDOWN(hotplug)
{
	unsigned int cpu;

	for_each_member(cpu, self->stage.cpus)
		cpu_turn(cpu, true);
	close(self->stage.tree);
}

/* One process: fill and empty its part until told to stop; it ends full. */
static int work(int id, const struct stage *stage)
{
	unsigned int i;
	__u64 value;

	for (;;) {
		if (fill(stage->tree, id, OWN_KEYS, PROCESSES))
			return 1;
		for (i = 0; i < OWN_KEYS; i++) {
			__u64 key = id + i * PROCESSES;

			if (lookup(stage->tree, key, &value) ||
			    value != value_of(key))
				return 2;
		}
		__atomic_add_fetch(stage->laps, 1, __ATOMIC_RELAXED);
		if (__atomic_load_n(stage->stop, __ATOMIC_RELAXED))
			return 0;
		if (apply(stage->tree, BLINK_TREE_OP_ERASE, id, OWN_KEYS,
			  PROCESSES))
			return 3;
	}
}

static __u64 laps(const struct stage *stage)
{
	return __atomic_load_n(stage->laps, __ATOMIC_RELAXED);
}

/* Let some work be done with the CPUs that there are. */
static bool let_work(const struct stage *stage)
{
	__u64 want = laps(stage) + PROCESSES, end = now_ms() + 60000;

	while (laps(stage) < want) {
		if (now_ms() > end)
			return false;
		usleep(10000);
	}
	return true;
}

static int turn_all(const struct stage *stage, bool on)
{
	unsigned int cpu;
	int ret = 0;

	for_each_member(cpu, stage->cpus) {
		ret = cpu_turn(cpu, on);
		if (!ret && !let_work(stage))
			ret = -ETIME;
		if (ret) {
			fprintf(stderr, "# turning CPU %u: %d\n", cpu, ret);
			break;
		}
	}
	return ret;
}

/* Take CPUs away one after the other until the first is alone, and back. */
static int turn_cpus(const struct stage *stage)
{
	unsigned int round;
	int ret = 0;

	for (round = 0; round < ROUNDS && !ret; round++)
		ret = turn_all(stage, false) ?: turn_all(stage, true);
	__atomic_store_n(stage->stop, true, __ATOMIC_RELAXED);
	return ret;
}

static int work_or_turn(int id, void *arg)
{
	return id == PROCESSES ? turn_cpus(arg) : work(id, arg);
}

TEST_F(hotplug, nothing_is_lost)
{
	EXPECT_EQ(0, in_children(PROCESSES + 1, work_or_turn, &self->stage));
	EXPECT_LT(2 * ROUNDS, *self->stage.laps);
	/* Each key of a lap is looked up once, and before that inserted. */
	fprintf(stderr, "# operations %llu\n",
		*self->stage.laps * 2 * OWN_KEYS);
	EXPECT_EQ(0, tree_check(self->stage.tree, PROCESSES * OWN_KEYS));
}

/* A tree that is created while a NUMA node has no CPUs works there later. */
TEST_F(hotplug, node_without_cpus)
{
	const struct blink_tree_ioc_create how = how_to(&variant->how);
	struct stage *stage = &self->stage;
	unsigned int cpu;

	for_each_member(cpu, self->stage.cpus)
		ASSERT_EQ(0, cpu_turn(cpu, false));
	close(stage->tree);
	stage->tree = tree_new_as(&how);
	ASSERT_LE(0, stage->tree);
	ASSERT_EQ(0, fill(stage->tree, 0, OWN_KEYS, 1));
	for_each_member(cpu, self->stage.cpus)
		ASSERT_EQ(0, cpu_turn(cpu, true));
	for_each_member(cpu, self->stage.cpus) {
		ASSERT_EQ(0, run_on(1ULL << cpu));
		EXPECT_EQ(0,
			  fill(stage->tree, (cpu + 1) * OWN_KEYS, OWN_KEYS, 1));
	}
	EXPECT_EQ(0, tree_check(stage->tree,
				(1 + __builtin_popcountll(self->stage.cpus)) *
					OWN_KEYS));
}

TEST_HARNESS_MAIN
