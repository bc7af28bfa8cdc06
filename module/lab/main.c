// SPDX-License-Identifier: GPL-2.0
/*
 * The files in /sys/kernel/debug/blink_tree_lab. Writing the parameters of a run
 * into "run" does the run (config.c parses them); "probe" does a probe,
 * "lock_bench" a benchmark of locks, "check" the check of a scheme and "point" measures a
 * point in the same way. Reading the file
 * returns the outcome of the last one. A parameter that is not written has its default.
 *
 * A write into "keys" sets the keys of order=file: numbers of 64 bits in the order of
 * the machine, all in one write. "list" contains the schemes and mixes that there are.
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
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

#define TEXT_MAX 256
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

static int run_text(char *text)
{
	struct lab_run run = default_run;
	int ret = lab_run_parse(text, &run);

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	ret = lab_run(&run);
	last_run = run;
	mutex_unlock(&lab_lock);
	return ret;
}

static int probe_text(char *text)
{
	struct lab_probe probe = default_probe;
	int ret = lab_probe_parse(text, &probe);

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	ret = lab_probe(&probe);
	last_probe = probe;
	mutex_unlock(&lab_lock);
	return ret;
}

static int lock_bench_text(char *text)
{
	struct lab_lock_bench bench = default_lock_bench;
	int ret = lab_lock_bench_parse(text, &bench);

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	ret = lab_lock_bench(&bench);
	last_lock_bench = bench;
	mutex_unlock(&lab_lock);
	return ret;
}

static int check_text(char *text)
{
	struct lab_check check = default_check;
	int ret = lab_check_parse(text, &check);

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	check.threads = min(check.threads, num_online_cpus());
	ret = lab_check(&check);
	last_check = check;
	mutex_unlock(&lab_lock);
	return ret;
}

static int point_text(char *text)
{
	struct lab_point point;
	int ret = lab_point_parse(text, &point);

	if (ret)
		return ret;
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	ret = lab_point(&point);
	lab_point_end(&last_point);
	last_point = point;
	mutex_unlock(&lab_lock);
	return ret;
}

static ssize_t write_text(const char __user *from, size_t size,
			  int (*take)(char *text))
{
	char *text;
	int ret;

	if (size >= TEXT_MAX)
		return -E2BIG;
	text = memdup_user_nul(from, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = take(text);
	kfree(text);
	return ret ?: size;
}

/* A run that failed has no number. */
static int run_show(struct seq_file *m, void *v)
{
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	seq_printf(m, "number=%u ops=%llu height=%u\n", last_run.number,
		   last_run.done, last_run.height);
	mutex_unlock(&lab_lock);
	return 0;
}

static int probe_show(struct seq_file *m, void *v)
{
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	seq_printf(m, "number=%u\n", last_probe.number);
	mutex_unlock(&lab_lock);
	return 0;
}

static int lock_bench_show(struct seq_file *m, void *v)
{
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	seq_printf(m, "number=%u taken=%u local=%u longest=%u\n",
		   last_lock_bench.number, last_lock_bench.taken,
		   last_lock_bench.local, last_lock_bench.longest);
	mutex_unlock(&lab_lock);
	return 0;
}

static int check_show(struct seq_file *m, void *v)
{
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	seq_printf(
		m,
		"scheme=%s threads=%u ops=%u seed=%u number=%u node_bytes=%u failure=%s\n",
		last_check.scheme->name, last_check.threads, last_check.ops,
		last_check.seed, last_check.number, last_check.node_bytes,
		last_check.failure ?: "none");
	mutex_unlock(&lab_lock);
	return 0;
}

/* There is no answer before the first point. */
static int point_show(struct seq_file *m, void *v)
{
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	if (last_point.scheme)
		lab_point_show(m, &last_point);
	mutex_unlock(&lab_lock);
	return 0;
}

static int keys_show(struct seq_file *m, void *v)
{
	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	seq_printf(m, "keys=%llu\n", lab_point_keys()->nr);
	mutex_unlock(&lab_lock);
	return 0;
}

static int list_show(struct seq_file *m, void *v)
{
	lab_lists_show(m);
	return 0;
}

static ssize_t run_write(struct file *file, const char __user *from,
			 size_t size, loff_t *pos)
{
	return write_text(from, size, run_text);
}

static ssize_t probe_write(struct file *file, const char __user *from,
			   size_t size, loff_t *pos)
{
	return write_text(from, size, probe_text);
}

static ssize_t lock_bench_write(struct file *file, const char __user *from,
				size_t size, loff_t *pos)
{
	return write_text(from, size, lock_bench_text);
}

static ssize_t check_write(struct file *file, const char __user *from,
			   size_t size, loff_t *pos)
{
	return write_text(from, size, check_text);
}

static ssize_t point_write(struct file *file, const char __user *from,
			   size_t size, loff_t *pos)
{
	return write_text(from, size, point_text);
}

static int set_keys(const u64 *key, u64 nr)
{
	int ret;

	if (mutex_lock_interruptible(&lab_lock))
		return -EINTR;
	ret = lab_point_set_keys(key, nr);
	mutex_unlock(&lab_lock);
	return ret;
}

static ssize_t keys_write(struct file *file, const char __user *from,
			  size_t size, loff_t *pos)
{
	u64 *key;
	int ret;

	if (!size || size % sizeof(*key))
		return -EINVAL;
	if (size > KEYS_BYTES_MAX)
		return -E2BIG;
	key = vmemdup_user(from, size);
	if (IS_ERR(key))
		return PTR_ERR(key);
	ret = set_keys(key, size / sizeof(*key));
	kvfree(key);
	return ret ?: size;
}
DEFINE_SHOW_STORE_ATTRIBUTE(run);
DEFINE_SHOW_STORE_ATTRIBUTE(probe);
DEFINE_SHOW_STORE_ATTRIBUTE(lock_bench);
DEFINE_SHOW_STORE_ATTRIBUTE(check);
DEFINE_SHOW_STORE_ATTRIBUTE(point);
DEFINE_SHOW_STORE_ATTRIBUTE(keys);
DEFINE_SHOW_ATTRIBUTE(list);

/* Nothing but these files leads here: without them there is no use in it. */
static int __init lab_init(void)
{
	root = debugfs_create_dir("blink_tree_lab", NULL);
	if (IS_ERR(root))
		return PTR_ERR(root);
	debugfs_create_file("run", 0600, root, NULL, &run_fops);
	debugfs_create_file("probe", 0600, root, NULL, &probe_fops);
	debugfs_create_file("lock_bench", 0600, root, NULL, &lock_bench_fops);
	debugfs_create_file("check", 0600, root, NULL, &check_fops);
	debugfs_create_file("point", 0600, root, NULL, &point_fops);
	debugfs_create_file("keys", 0600, root, NULL, &keys_fops);
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
