// SPDX-License-Identifier: GPL-2.0
/*
 * Cohort locks, as far as a tree tells of them: all CPUs want one leaf. The
 * locks by themselves are tried in userspace (userspace/tests/cohort_test.c).
 */
#include <linux/cpumask.h>
#include <linux/nodemask.h>
#include <linux/topology.h>

#include "crew.h"

/* As in module/lock/cohort.h. */
#define PASSES_IN_A_ROW 64

static const struct blink_tree_params cohort = {
	.locking = BLINK_LOCKING_COHORT,
};

static void store_one_key(struct crew_member *me)
{
	unsigned long ops = *(unsigned long *)me->arg, n;
	int ret;

	for (n = 0; n < ops && crew_goes_on(me); n++) {
		ret = blink_tree_store(me->crew->tree, 1, n, NULL, GFP_KERNEL);
		if (ret < 0 || ret > 1)
			crew_fail(me, "store: %d", ret);
	}
}

static void one_hot_leaf(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree_with(test, &cohort);
	struct crew *crew = crew_create(test, tree);
	unsigned long ops = fixture_work(20000);
	struct blink_stats stats;
	u64 taken;

	crew_lead(crew, crew_cpus(), store_one_key, &ops);
	crew_run(crew);
	fixture_sound(test, tree, 1);
	blink_tree_stats(tree, &stats);
	taken = stats.gate_passes + stats.gate_releases + stats.gate_bounds;
	kunit_info(test, "%llu through gates: %llu passed, %llu bounded\n",
		   taken, stats.gate_passes, stats.gate_bounds);
	/* Nobody is passed over more often than the bound says. */
	KUNIT_EXPECT_GE(test, stats.gate_passes,
			PASSES_IN_A_ROW * stats.gate_bounds);
	if (crew_cpus() < 2 * num_node_state(N_CPU))
		kunit_skip(test, "no NUMA node has two CPUs");
	KUNIT_EXPECT_GT(test, stats.gate_passes, 0);
}

/* Without anybody else no lock goes through a gate. */
static void alone(struct kunit *test)
{
	struct blink_tree *tree = fixture_tree_with(test, &cohort);
	struct blink_stats stats;

	fixture_fill(test, tree, 0, 3, 1000);
	blink_tree_stats(tree, &stats);
	KUNIT_EXPECT_EQ(test, stats.locking, BLINK_LOCKING_COHORT);
	KUNIT_EXPECT_EQ(test, stats.gate_passes, 0);
	KUNIT_EXPECT_EQ(test, stats.gate_releases, 0);
	KUNIT_EXPECT_EQ(test, stats.gate_bounds, 0);
}

static struct kunit_case cohort_cases[] = {
	KUNIT_CASE(alone),
	KUNIT_CASE_SLOW(one_hot_leaf),
	{},
};

static struct kunit_suite cohort_suite = {
	.name = "blink_tree_cohort",
	.init = fixture_init,
	.test_cases = cohort_cases,
};

kunit_test_suite(cohort_suite);
