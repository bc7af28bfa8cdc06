// SPDX-License-Identifier: GPL-2.0
/*
 * blink_bench: measure workloads of one tree, or list the workloads and modes. NUMA nodes
 * are in name only, so that this shows the cost of copies, and none of their benefit.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <stdlib.h>

#include "bench.h"
#include "core/core.h"
#include "core/node/node.h"
#include "core/tree/watch.h"
#include "zipf.h"

static const char usage[] =
	"usage: blink_bench [MODE KEYS THREADS OPERATIONS WORKLOAD...]\n";

#define MODE(name_, nodes_, text_, ...) \
	{ .name = name_, .nodes = nodes_, .text = text_, __VA_ARGS__ }

/* Options of the tree, and how many NUMA nodes threads are said to be on. */
static const struct mode {
	const char *name;
	int nodes;
	const char *text;
	bool watched;
	struct blink_tree_params params;
} modes[] = {
	MODE("none", 2, "one index"),
	MODE("cohort", 2, "one index, cohort locks",
	     .params.locking = BLINK_TREE_LOCKING_COHORT),
	MODE("compress", 2, "one index, compressed leaves",
	     .params.flags = BLINK_TREE_COMPRESS),
	MODE("watched", 2, "one index, and a watch", .watched = true),
	MODE("inner2", 2, "2 indexes",
	     .params.replication = BLINK_TREE_REPLICATE_INNER),
	MODE("inner4", 4, "4 indexes",
	     .params.replication = BLINK_TREE_REPLICATE_INNER),
	MODE("full2", 2, "2 copies of everything",
	     .params.replication = BLINK_TREE_REPLICATE_FULL),
	{},
};

struct blink_tree *tree;
u64 nr_keys;
u64 nr_ops;
unsigned int nr_threads;

static const struct mode *mode;
static const struct workload *workload;

static void print_texts(const char *name, const struct workload *table)
{
	printf(", \"%s\": {", name);
	for (; table->name; table++)
		printf("\"%s\": \"%s\"%s", table->name, table->text,
		       table[1].name ? ", " : "}");
}

static int print_facts(void)
{
	const struct mode *each;

	printf("{\"machine\": {\"compiler\": \"%s\"}", __VERSION__);
	printf(", \"nodes\": {\"leaf_bytes\": %zu, \"leaf_slots\": %d",
	       BLINK_LEAF_BYTES, BLINK_LEAF_SLOTS);
	printf(", \"inner_bytes\": %zu, \"inner_slots\": %d}",
	       BLINK_INNER_BYTES, BLINK_INNER_SLOTS);
	print_texts("workloads", workloads);
	print_texts("meeting", meeting_workloads);
	printf(", \"modes\": {");
	for (each = modes; each->name; each++)
		printf("\"%s\": \"%s\"%s", each->name, each->text,
		       each[1].name ? ", " : "}}\n");
	return 0;
}

/* A watch of all keys without a reader: the changes that it cannot keep are lost. */
static void watch_begin(void)
{
	static struct blink_watch watch = { .last = ~(u128)0 };
	const u32 slots = BLINK_TREE_WATCH_SLOTS_DEFAULT;
	void *ring;

	/* Not freed: the process ends with the tree. */
	if (posix_memalign(&ring, 4096, blink_watch_size(slots)))
		shim_die(__FILE__, __LINE__, "no memory for a watch");
	memset(ring, 0, blink_watch_size(slots));
	blink_watch_init(&watch, ring, slots);
	blink_watch_link(tree, &watch);
}

static void create(void)
{
	tree = blink_tree_create(&mode->params, GFP_KERNEL);
	if (IS_ERR(tree))
		shim_die(__FILE__, __LINE__, "no memory");
	if (mode->watched)
		watch_begin();
}

static void prepare(void *member)
{
	struct worker *w = member;

	w->random = (w->m.id + 1) * 0x2545f4914f6cdd1dULL + *workload->name;
	if (workload->fill)
		w->zipf = zipf_create(nr_ops, nr_keys, &w->random);
}

static void work(void *member)
{
	u64 ops = nr_ops / (workload->share ?: 1);
	struct worker *w = member;

	if (workload->whole)
		workload->whole(w);
	else
		while (w->m.done < ops)
			workload->step(w);
	erase_guests(w);
}

static void leave(void *member)
{
	struct worker *w = member;

	free(w->zipf);
}

/* False if an answer was wrong. */
static bool measure(void)
{
	struct worker worker[nr_threads];
	const struct team team = {
		nr_threads, worker, sizeof(*worker), prepare, work, leave,
	};
	struct blink_tree_ioc_stats before, after;
	struct score score;
	double kops;

	memset(worker, 0, sizeof(worker));
	blink_tree_stats(tree, &before);
	score = team_run(&team);
	blink_tree_stats(tree, &after);
	kops = (double)score.done / 1e3;
	score_print(workload->name, &score);
	printf(", \"waits\": %.4f, \"splits\": %.4f",
	       (double)(after.lock_waits - before.lock_waits) / kops,
	       (double)(after.heat_splits - before.heat_splits) / kops);
	if (workload == workloads)
		printf(", \"bytes_per_key\": %.4f, \"height\": %u",
		       (double)after.bytes / (double)after.entries,
		       blink_tree_height(tree));
	printf("}\n");
	return !score.wrong;
}

static bool measure_alone(void)
{
	bool right;

	create();
	workload->fill();
	right = measure();
	blink_tree_destroy(tree);
	return right;
}

static const struct mode *find_mode(const char *name)
{
	const struct mode *each;

	for (each = modes; each->name; each++)
		if (!strcmp(each->name, name))
			return each;
	return NULL;
}

static bool measure_named(char *const *names)
{
	bool right = true;

	for (workload = meeting_workloads; workload->name; workload++)
		if (is_among(workload->name, names))
			right &= measure_alone();
	create();
	for (workload = workloads; workload->name; workload++)
		if (is_among(workload->name, names))
			right &= measure();
	blink_tree_destroy(tree);
	return right;
}

int main(int argc, char **argv)
{
	bool right;

	if (argc == 1)
		return print_facts();
	mode = argc > 5 ? find_mode(argv[1]) : NULL;
	if (!mode) {
		fputs(usage, stderr);
		return 2;
	}
	nr_keys = strtoull(argv[2], NULL, 10);
	nr_threads = strtoul(argv[3], NULL, 10);
	nr_ops = strtoull(argv[4], NULL, 10);
	shim_nodes = mode->nodes;
	shim_stay(0);
	if (blink_core_init())
		return 1;
	right = measure_named(argv + 5);
	blink_core_exit();
	return !right;
}
