// SPDX-License-Identifier: GPL-2.0
/*
 * The files in /sys/kernel/debug/blink_tree_lab. Writing the parameters of a run
 * into "run" does the run (config.c parses them); "probe" does a probe,
 * "lock_bench" a benchmark of locks, "check" the check of a scheme and "point" measures a
 * point in the same way. Reading the file returns the outcome of the last one. A parameter
 * that is not written has its default.
 *
 * A write into "keys" sets the keys of order=file: numbers of 64 bits in the order of
 * the machine, all in one write. "list" contains the schemes and mixes that there are.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "lab.h"
#include "lists.h"
#include "point/point.h"

#define TEXT_MAX 1024
/* Their number is limited by the time to sort them, which nothing can end. */
#define KEYS_BYTES_MAX (sizeof(u64) << 22)

/* Held for a run, probe and so on: there is one set of counters. */
static DEFINE_MUTEX(lab_lock);

static struct lab_run last_run;
static struct lab_probe last_probe;
static struct lab_lock_bench last_lock_bench;
static struct lab_check last_check = {
	.scheme = lab_schemes,
};

static struct lab_point last_point;

static struct dentry *root;

static const struct lab_run default_run = {
	.keys = 100000,
	.ops = 2000,
	.lookups = 100,
	.seed = 1,
};

static const struct lab_probe default_probe = {
	.loads = 1000,
};

static const struct lab_lock_bench default_lock_bench = {
	.rounds = 10000,
};

static const struct lab_check default_check = {
	.scheme = lab_schemes,
	.threads = 4,
	.ops = 10000,
	.seed = 1,
};

/* The function of a file that reads what to do and does it. */
#define TAKE(kind)                                           \
	static int take_##kind(char *text)                   \
	{                                                    \
		struct lab_##kind wanted = default_##kind;   \
		int ret = lab_##kind##_parse(text, &wanted); \
		if (!ret) {                                  \
			ret = lab_##kind(&wanted);           \
			last_##kind = wanted;                \
		}                                            \
		return ret;                                  \
	}

TAKE(run)
TAKE(probe)
TAKE(lock_bench)

static int take_check(char *text)
{
	struct lab_check check = default_check;
	int ret = lab_check_parse(text, &check);

	if (ret)
		return ret;
	check.threads = min(check.threads, num_online_cpus());
	ret = lab_check(&check);
	last_check = check;
	return ret;
}

static int take_point(char *text)
{
	struct lab_point point;
	int ret = lab_point_parse(text, &point);

	if (ret)
		return ret;
	ret = lab_point(&point);
	lab_point_end(&last_point);
	last_point = point;
	return ret;
}

/* A run that failed has no number. */
static void show_run(struct seq_file *m)
{
	seq_printf(m, "number=%u ops=%llu height=%u\n", last_run.number,
		   last_run.done, last_run.height);
}

static void show_probe(struct seq_file *m)
{
	seq_printf(m, "number=%u\n", last_probe.number);
}

static void show_lock_bench(struct seq_file *m)
{
	seq_printf(m, "number=%u taken=%u local=%u longest=%u\n",
		   last_lock_bench.number, last_lock_bench.taken,
		   last_lock_bench.local, last_lock_bench.longest);
}

static void show_check(struct seq_file *m)
{
	seq_printf(
		m,
		"scheme=%s threads=%u ops=%u seed=%u number=%u node_bytes=%u failure=%s\n",
		last_check.scheme->name, last_check.threads, last_check.ops,
		last_check.seed, last_check.number, last_check.node_bytes,
		last_check.failure ?: "none");
}

/* There is no answer before the first point. */
static void show_point(struct seq_file *m)
{
	if (last_point.scheme)
		lab_point_show(m, &last_point);
}

static void show_keys(struct seq_file *m)
{
	seq_printf(m, "keys=%llu\n", lab_point_keys()->nr);
}

/**
 * struct lab_file - a file, whose functions are called with the lock
 * @name: its name
 * @show: write its content
 * @take: do what a text says, which it may change; NULL: the file takes keys
 */
struct lab_file {
	const char *name;
	void (*show)(struct seq_file *m);
	int (*take)(char *text);
};

static const struct lab_file lab_files[] = {
	{ "run", show_run, take_run },
	{ "probe", show_probe, take_probe },
	{ "lock_bench", show_lock_bench, take_lock_bench },
	{ "check", show_check, take_check },
	{ "point", show_point, take_point },
	{ "keys", show_keys, NULL },
};

static int lab_show(struct seq_file *m, void *v)
{
	const struct lab_file *file = m->private;

	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	file->show(m);
	mutex_unlock(&lab_lock);
	return 0;
}

static int lab_open(struct inode *inode, struct file *file)
{
	return single_open(file, lab_show, inode->i_private);
}

static void *copy_written(const struct lab_file *to, const char __user *from,
			  size_t size)
{
	if (to->take)
		return size < TEXT_MAX ? memdup_user_nul(from, size) :
					 ERR_PTR(-E2BIG);
	if (!size || size % sizeof(u64))
		return ERR_PTR(-EINVAL);
	return size <= KEYS_BYTES_MAX ? vmemdup_user(from, size) :
					ERR_PTR(-E2BIG);
}

static ssize_t lab_write(struct file *file, const char __user *from,
			 size_t size, loff_t *pos)
{
	const struct lab_file *to = file_inode(file)->i_private;
	void *copy = copy_written(to, from, size);
	int ret = -EINTR;

	if (IS_ERR(copy))
		return PTR_ERR(copy);
	if (!mutex_lock_interruptible(&lab_lock)) {
		ret = to->take ? to->take(copy) :
				 lab_point_set_keys(copy, size / sizeof(u64));
		mutex_unlock(&lab_lock);
	}
	kvfree(copy);
	return ret ?: size;
}

static const struct file_operations lab_fops = {
	.owner = THIS_MODULE,
	.open = lab_open,
	.read = seq_read,
	.write = lab_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int list_show(struct seq_file *m, void *v)
{
	lab_lists_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(list);

/* Nothing but these files leads here: without them there is no use in it. */
static int __init lab_init(void)
{
	unsigned int i;

	root = debugfs_create_dir("blink_tree_lab", NULL);
	if (IS_ERR(root))
		return PTR_ERR(root);
	for (i = 0; i < ARRAY_SIZE(lab_files); i++)
		debugfs_create_file(lab_files[i].name, 0600, root,
				    (void *)&lab_files[i], &lab_fops);
	debugfs_create_file("list", 0400, root, NULL, &list_fops);
	return 0;
}

/* Removing the files waits for the system calls that use one of them. */
static void __exit lab_exit(void)
{
	debugfs_remove(root);
	lab_point_end(&last_point);
	lab_point_set_keys(NULL, 0);
}

module_init(lab_init);
module_exit(lab_exit);

MODULE_DESCRIPTION(
	"Laboratory for the B-link tree: counted work, and benchmarks");
MODULE_AUTHOR("The blink_tree authors");
MODULE_LICENSE("GPL");
