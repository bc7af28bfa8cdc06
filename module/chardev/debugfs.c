// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/debug/blink_tree. The files "trees" and "verify" have a line for
 * each tree that has a name: "trees" shows its configuration and counters, and
 * "verify" the result of a verification. "counters" explains the counters in
 * "trees". "searches" has a line for each such tree and CPU. It shows a sample
 * of searches, which are made when the file is read, and how many of the nodes
 * that they read are local. "users" has a line for each user who has trees, named or not.
 *
 * The position in the files that have lines for trees is the id of the last tree
 * that was shown. So reading continues where it stopped, whatever was unlinked
 * meanwhile.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#include "registry.h"
#include "../core/inspect/sample.h"
#include "debugfs.h"
#include "payer.h"
#include "../obs/stats_list.h"

static struct dentry *root;

static const struct counter {
	const char *name;
	const char *text;
	size_t offset;
} counters[] = {
#define BLINK_STAT_ROW(field, text) \
	{ #field, text, offsetof(struct blink_tree_ioc_stats, field) },
	BLINK_STAT_LIST(BLINK_STAT_ROW)
#undef BLINK_STAT_ROW
};

static int counters_show(struct seq_file *m, void *v)
{
	const struct counter *c;

	for (c = counters; c < counters + ARRAY_SIZE(counters); c++)
		seq_printf(m, "%s: %s\n", c->name, c->text);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counters);

static int users_show(struct seq_file *m, void *v)
{
	blink_payers_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(users);

static void *objects_start(struct seq_file *m, loff_t *pos)
{
	return blink_registry_next(*pos);
}

static void *objects_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct blink_object *object = v;

	*pos = object->id;
	blink_object_put(object);
	return blink_registry_next(*pos);
}

static void objects_stop(struct seq_file *m, void *v)
{
	if (v)
		blink_object_put(v);
}

/*
 * False if the object has lost its name since it was found; then it has no
 * line.
 */
static bool still_named(const struct blink_object *object,
			struct blink_attr *attr)
{
	blink_object_attr(object, attr);
	return attr->name[0];
}

/* Show the configuration of a tree, in the words of the command line. */
static void show_kind(struct seq_file *m,
		      const struct blink_tree_ioc_stats *stats)
{
	static const char *const key[] = {
		[BLINK_TREE_KEY_U64] = "u64",
		[BLINK_TREE_KEY_U128] = "u128",
		[BLINK_TREE_KEY_MULTI] = "multi",
		[BLINK_TREE_KEY_BYTES] = "bytes",
	};
	static const char *const replication[] = {
		[BLINK_TREE_REPLICATE_NONE] = "none",
		[BLINK_TREE_REPLICATE_INNER] = "inner",
		[BLINK_TREE_REPLICATE_FULL] = "full",
	};
	static const char *const locking[] = {
		[BLINK_TREE_LOCKING_PLAIN] = "plain",
		[BLINK_TREE_LOCKING_COHORT] = "cohort",
	};
	static const char *const placement[] = {
		[BLINK_TREE_PLACE_LOCAL] = "local",
		[BLINK_TREE_PLACE_INTERLEAVE] = "interleave",
	};

	seq_printf(m, " key=%s value=%s", key[stats->key],
		   stats->create_flags & BLINK_TREE_CREATE_BYTE_VALUES ?
			   "bytes" :
			   "u64");
	seq_printf(m, " indexes=%llu replication=%s", stats->indexes,
		   replication[stats->replication]);
	seq_printf(m, " locking=%s placement=%s compress=%s",
		   locking[stats->locking], placement[stats->placement],
		   stats->create_flags & BLINK_TREE_CREATE_COMPRESS ? "yes" :
								      "no");
}

static int trees_show(struct seq_file *m, void *v)
{
	const struct blink_object *object = v;
	struct user_namespace *ns = seq_user_ns(m);
	struct blink_tree_ioc_stats stats;
	const struct counter *c;
	struct blink_attr attr;

	if (!still_named(object, &attr))
		return SEQ_SKIP;
	blink_tree_stats(object->tree, &stats);
	/* A name contains no blank, so it ends before the first ": ". */
	seq_printf(m, "%s: id=%llu uid=%u gid=%u mode=%04o", attr.name,
		   object->id, from_kuid_munged(ns, attr.uid),
		   from_kgid_munged(ns, attr.gid), attr.mode);
	seq_printf(m, " entries=%llu max_entries=%llu bytes=%llu",
		   stats.entries, stats.max_entries, stats.bytes);
	seq_printf(m, " limbo_bytes=%llu height=%u", stats.limbo_bytes,
		   blink_tree_height(object->tree));
	show_kind(m, &stats);
	for (c = counters; c < counters + ARRAY_SIZE(counters); c++)
		seq_printf(m, " %s=%llu", c->name,
			   *(u64 *)((void *)&stats + c->offset));
	seq_putc(m, '\n');
	return 0;
}

static const char *violation_text(u32 violation)
{
	static const char *const texts[] = {
		[BLINK_TREE_BAD_ORDER] = "keys do not ascend",
		[BLINK_TREE_BAD_RANGE] = "key out of its node's range",
		[BLINK_TREE_BAD_CHAIN] = "neighbours do not meet",
		[BLINK_TREE_BAD_ROUTE] = "index entry leads elsewhere",
		[BLINK_TREE_BAD_LEVEL] = "link to a wrong level",
		[BLINK_TREE_BAD_COUNT] = "too many or too few entries",
		[BLINK_TREE_BAD_DEAD] = "link to a dead node",
		[BLINK_TREE_BAD_COPY] = "copy of a leaf not equal to it",
		[BLINK_TREE_BAD_SIGN] = "signposts do not match the keys",
		[BLINK_TREE_BAD_HEAD] = "slot without the head of its key",
	};

	if (violation < ARRAY_SIZE(texts) && texts[violation])
		return texts[violation];
	return "unknown violation";
}

static int verify_show(struct seq_file *m, void *v)
{
	const struct blink_object *object = v;
	struct blink_tree_ioc_verify report;
	struct blink_attr attr;
	int err;

	if (!still_named(object, &attr))
		return SEQ_SKIP;
	err = blink_tree_verify(object->tree, &report);
	if (err && err != -EUCLEAN)
		return err;

	seq_puts(m, attr.name);
	if (report.violation == BLINK_TREE_OK)
		seq_puts(m, ": ok");
	else
		seq_printf(m, ": BROKEN (%s) level=%u key=%llu",
			   violation_text(report.violation), report.level,
			   report.key);
	seq_printf(m, " height=%u leaves=%llu inner=%llu entries=%llu",
		   report.height, report.leaves, report.inner, report.entries);
	seq_printf(m, " empty=%llu unindexed=%llu misplaced=%llu\n",
		   report.empty, report.unindexed, report.misplaced);
	return 0;
}

struct sampling {
	struct blink_tree *tree;
	struct blink_sample sample;
};

static long sample_here(void *data)
{
	struct sampling *sampling = data;

	blink_tree_sample(sampling->tree, &sampling->sample);
	return 0;
}

/* Returns -ENODEV if the CPU has gone offline. */
static int sample_on(int cpu, struct sampling *sampling)
{
	int err = -ENODEV;

	cpus_read_lock();
	if (cpu_online(cpu))
		err = work_on_cpu(cpu, sample_here, sampling);
	cpus_read_unlock();
	return err;
}

/*
 * "node" is the NUMA node of the CPU, "memory" the nearest one that has memory.
 */
static void show_sample(struct seq_file *m, const char *name, int cpu,
			const struct blink_sample *sample)
{
	seq_printf(m, "%s: cpu=%d node=%d memory=%d searches=%llu", name, cpu,
		   cpu_to_node(cpu), sample->nid, sample->searches);
	seq_printf(m, " inner_local=%llu inner_remote=%llu",
		   sample->inner_local, sample->inner_remote);
	seq_printf(m, " leaf_local=%llu leaf_remote=%llu\n", sample->leaf_local,
		   sample->leaf_remote);
}

static int searches_show(struct seq_file *m, void *v)
{
	const struct blink_object *object = v;
	struct sampling sampling = { .tree = object->tree };
	struct blink_attr attr;
	int cpu, err;

	if (!still_named(object, &attr))
		return SEQ_SKIP;

	/* CPUs can go offline and come online between two samples. */
	for_each_online_cpu(cpu) {
		if (fatal_signal_pending(current))
			return -EINTR;
		err = sample_on(cpu, &sampling);
		if (err == -ENODEV)
			continue;
		if (err)
			return err;
		show_sample(m, attr.name, cpu, &sampling.sample);
	}
	return 0;
}

static const struct seq_operations trees_sops = {
	.start = objects_start,
	.next = objects_next,
	.stop = objects_stop,
	.show = trees_show,
};
DEFINE_SEQ_ATTRIBUTE(trees);

static const struct seq_operations verify_sops = {
	.start = objects_start,
	.next = objects_next,
	.stop = objects_stop,
	.show = verify_show,
};
DEFINE_SEQ_ATTRIBUTE(verify);

static const struct seq_operations searches_sops = {
	.start = objects_start,
	.next = objects_next,
	.stop = objects_stop,
	.show = searches_show,
};
DEFINE_SEQ_ATTRIBUTE(searches);

/* Create the files. No other code depends on them, so errors of debugfs are ignored. */
void __init blink_debugfs_init(void)
{
	root = debugfs_create_dir("blink_tree", NULL);
	debugfs_create_file("counters", 0400, root, NULL, &counters_fops);
	debugfs_create_file("searches", 0400, root, NULL, &searches_fops);
	debugfs_create_file("trees", 0400, root, NULL, &trees_fops);
	debugfs_create_file("users", 0400, root, NULL, &users_fops);
	debugfs_create_file("verify", 0400, root, NULL, &verify_fops);
}

/* Remove the files, after all readers have finished. */
void blink_debugfs_exit(void)
{
	debugfs_remove(root);
}
