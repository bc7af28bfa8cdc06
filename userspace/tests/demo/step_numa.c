// SPDX-License-Identifier: GPL-2.0
/*
 * The NUMA nodes on which the nodes of the trees lie, and how many of the nodes that
 * each CPU reads are near to it. Trees with copies are compared with one without
 * copies. It has the same keys as the tree with copies of all nodes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "searches.h"
#include "workers.h"

#define NODES_MAX 1024
/* Most CPUs that are printed; all CPUs are checked. */
#define ROWS 16

struct place {
	__u64 inner;
	__u64 leaves;
};

struct census {
	const char *name;
	__u64 indexes;
	unsigned int replication;
	unsigned int key;
	unsigned int height;
	/* Nodes that are not on their own NUMA node, for lack of memory there. */
	__u64 misplaced;
	struct place places[NODES_MAX];
	struct searches *cpus;
	size_t nr_cpus;
};

static const char *const copied[] = {
	[BLINK_TREE_REPLICATE_NONE] = "nothing",
	[BLINK_TREE_REPLICATE_INNER] = "inner nodes",
	[BLINK_TREE_REPLICATE_FULL] = "all nodes",
};

static const char *const keys[] = {
	[BLINK_TREE_KEY_U64] = "numbers",
	[BLINK_TREE_KEY_BYTES] = "strings",
};

static void count_nodes(struct census *census, struct blinktree *tree)
{
	const struct blink_tree_level_stats *levels;
	struct blinktree_stats *stats;
	size_t i, nr;

	if (blinktree_stats_read(tree, BLINKTREE_STATS_LEVELS, &stats))
		fail("numa: no statistics");
	census->indexes = blinktree_stats_counters(stats)->indexes;
	census->replication = blinktree_stats_counters(stats)->replication;
	census->key = blinktree_stats_counters(stats)->key;
	census->height = blinktree_stats_height(stats);
	levels = blinktree_stats_levels(stats, &nr);
	for (i = 0; i < nr; i++) {
		if (levels[i].nid >= NODES_MAX)
			fail("numa: there is a NUMA node %u", levels[i].nid);
		if (levels[i].level)
			census->places[levels[i].nid].inner += levels[i].nodes;
		else
			census->places[levels[i].nid].leaves += levels[i].nodes;
	}
	blinktree_stats_free(stats);
}

static void take(struct census *census, const struct job *all, const char *name)
{
	struct blink_tree_ioc_verify verify = {};
	struct job job = *all;

	job.tree_name = name;
	job.tree = open_tree(&job);
	census->name = name;
	count_nodes(census, job.tree);
	if (blinktree_verify(job.tree, &verify, sizeof(verify)) ||
	    verify.violation)
		fail("numa: an invariant of %s is broken", name);
	census->misplaced = verify.misplaced;
	blinktree_close(job.tree);
	census->nr_cpus = searches_read(name, &census->cpus);
}

/* KFENCE puts a few of all objects into memory of its own. */
static bool kfence_takes_some(void)
{
	FILE *file =
		fopen("/sys/module/kfence/parameters/sample_interval", "r");
	unsigned int interval = 0;

	if (!file)
		return false;
	if (fscanf(file, "%u", &interval) != 1)
		interval = 0;
	fclose(file);
	return interval;
}

/* A CPU on a NUMA node with memory reads the copies of nodes there. */
static void check_cpu(const struct census *census, const struct searches *cpu)
{
	bool inner = census->replication != BLINK_TREE_REPLICATE_NONE &&
		     !census->misplaced;
	bool leaves = census->replication == BLINK_TREE_REPLICATE_FULL &&
		      !kfence_takes_some();

	if (!cpu->searches ||
	    cpu->searches != cpu->leaves.local + cpu->leaves.remote)
		fail("numa: %s: CPU %u did not search", census->name, cpu->cpu);
	if (cpu->node != cpu->memory)
		return;
	if (inner && cpu->inner.remote)
		fail("numa: %s: CPU %u read %llu inner nodes of other NUMA nodes",
		     census->name, cpu->cpu, cpu->inner.remote);
	if (leaves && cpu->leaves.remote)
		fail("numa: %s: CPU %u read %llu leaves of other NUMA nodes; is its own full?",
		     census->name, cpu->cpu, cpu->leaves.remote);
}

/* Each home has an index, and each index has at least a root. */
static void check_places(const struct census *census, unsigned int homes)
{
	unsigned int nid, with_inner = 0;

	if (census->replication == BLINK_TREE_REPLICATE_NONE)
		homes = 1;
	for (nid = 0; nid < NODES_MAX; nid++)
		with_inner += !!census->places[nid].inner;
	if (census->indexes != homes)
		fail("numa: %s has %llu indexes for %u NUMA nodes",
		     census->name, census->indexes, homes);
	if (census->height > 1 && !census->misplaced && with_inner != homes)
		fail("numa: %s has inner nodes on %u NUMA nodes of %u",
		     census->name, with_inner, homes);
}

static void print_head(const struct census *census, const char *what)
{
	unsigned int i;

	printf("%-28s", "keys are");
	for (i = 0; i < JOB_TREES; i++)
		printf("%13s", keys[census[i].key]);
	printf("\n%-28s", "copies of");
	for (i = 0; i < JOB_TREES; i++)
		printf("%13s", copied[census[i].replication]);
	printf("\n%-28s", what);
	for (i = 0; i < JOB_TREES; i++)
		printf("%6s%7s", "inner", "leaves");
	putchar('\n');
}

static void print_places(const struct census *census)
{
	unsigned int nid, i;

	print_head(census, "nodes in the memory of");
	for (nid = 0; nid < NODES_MAX; nid++) {
		__u64 any = 0;

		for (i = 0; i < JOB_TREES; i++)
			any += census[i].places[nid].inner +
			       census[i].places[nid].leaves;
		if (!any)
			continue;
		printf("  NUMA node %-16u", nid);
		for (i = 0; i < JOB_TREES; i++)
			printf("%6llu%7llu", census[i].places[nid].inner,
			       census[i].places[nid].leaves);
		putchar('\n');
	}
}

static void print_share(int width, const struct reads *reads)
{
	__u64 all = reads->local + reads->remote;

	/* A single leaf has no inner nodes above it. */
	if (all)
		printf("%*.0f%%", width - 1, 100.0 * reads->local / all);
	else
		printf("%*s", width, "-");
}

static void print_searches(const struct census *census)
{
	size_t nr = census->nr_cpus, row;
	unsigned int i;

	print_head(census, "nodes read in near memory by");
	for (row = 0; row < nr && row < ROWS; row++) {
		printf("  CPU %-4u of NUMA node %-4u", census->cpus[row].cpu,
		       census->cpus[row].node);
		for (i = 0; i < JOB_TREES; i++) {
			print_share(6, &census[i].cpus[row].inner);
			print_share(7, &census[i].cpus[row].leaves);
		}
		putchar('\n');
	}
	if (nr > ROWS)
		printf("  and %zu more CPUs\n", nr - ROWS);
}

static unsigned int homes(void)
{
	struct blinktree_ctl *ctl;
	unsigned int nr;

	if (blinktree_ctl_open(NULL, &ctl))
		fail("%s", BLINK_TREE_DEVICE);
	nr = blinktree_ctl_info(ctl)->numa_nodes;
	blinktree_ctl_close(ctl);
	return nr;
}

void step_numa(struct job *job)
{
	static struct census census[JOB_TREES];
	double start = now();
	unsigned int i, nr = homes();
	size_t cpu;

	for (i = 0; i < JOB_TREES; i++) {
		take(&census[i], job, job->names[i]);
		check_places(&census[i], nr);
		if (census[i].nr_cpus != census[0].nr_cpus)
			fail("numa: CPUs came or went");
		for (cpu = 0; cpu < census[i].nr_cpus; cpu++)
			check_cpu(&census[i], &census[i].cpus[cpu]);
	}
	report("numa", start,
	       "%llu indexes for %u NUMA nodes; %zu CPUs searched",
	       census[0].indexes, nr, census[0].nr_cpus);
	print_places(census);
	if (census[0].nr_cpus)
		print_searches(census);
	else
		detail("(debugfs is not mounted: it would count the nodes that searches read)");
	if (nr == 1)
		detail("(one NUMA node: all of its CPUs read the one copy)");
	fflush(stdout);
	for (i = 0; i < JOB_TREES; i++)
		free(census[i].cpus);
}
