// SPDX-License-Identifier: GPL-2.0
/*
 * The file of a tree, with an anonymous inode: it can be passed to other
 * processes, but not reopened with more rights. If the kernel lets modules
 * create inodes, each file has its own, so that security modules can label it.
 * The file holds one reference to its object.
 */
#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "handle.h"
#include "tree_file.h"

static const struct blink_ioctl tree_ioctls[] = {
	BLINK_IOCTL(BLINK_TREE_IOC_OP, struct blink_tree_ioc_op, old, 0,
		    blink_op_call),
	BLINK_IOCTL(BLINK_TREE_IOC_ATTR, struct blink_tree_ioc_attr, name, 0,
		    blink_attr_call),
	BLINK_IOCTL(BLINK_TREE_IOC_BATCH, struct blink_tree_ioc_batch, op_size,
		    0, blink_batch_call),
	BLINK_IOCTL(BLINK_TREE_IOC_LOAD, struct blink_tree_ioc_load, __reserved,
		    FMODE_WRITE, blink_load_call),
	BLINK_IOCTL(BLINK_TREE_IOC_SCAN, struct blink_tree_ioc_scan, __reserved,
		    FMODE_READ, blink_scan_call),
	BLINK_IOCTL(BLINK_TREE_IOC_RECORDS, struct blink_tree_ioc_records, done,
		    0, blink_records_call),
	BLINK_IOCTL(BLINK_TREE_IOC_RECORD_SCAN,
		    struct blink_tree_ioc_record_scan, count, FMODE_READ,
		    blink_record_scan_call),
	BLINK_IOCTL(BLINK_TREE_IOC_RECORD_ERASE,
		    struct blink_tree_ioc_record_erase, count, FMODE_WRITE,
		    blink_record_erase_call),
	BLINK_IOCTL(BLINK_TREE_IOC_STATS, struct blink_tree_ioc_stats,
		    merges_deferred, FMODE_READ, blink_stats_call),
	BLINK_IOCTL(BLINK_TREE_IOC_LEVELS, struct blink_tree_ioc_levels, height,
		    FMODE_READ, blink_levels_call),
	BLINK_IOCTL(BLINK_TREE_IOC_HOT_LEAVES, struct blink_tree_ioc_hot_leaves,
		    __reserved, FMODE_READ, blink_hot_leaves_call),
	BLINK_IOCTL(BLINK_TREE_IOC_VERIFY, struct blink_tree_ioc_verify,
		    unindexed, FMODE_READ, blink_verify_call),
	BLINK_IOCTL(BLINK_TREE_IOC_BPF_HANDLE, struct blink_tree_ioc_bpf_handle,
		    handle, 0, blink_handle_call),
	BLINK_IOCTL(BLINK_TREE_IOC_RANGE, struct blink_tree_ioc_range, value, 0,
		    blink_range_call),
	BLINK_IOCTL(BLINK_TREE_IOC_WATCH, struct blink_tree_ioc_watch, last_low,
		    FMODE_READ, blink_watch_call),
};

/* The ioctls that a tree's file supports: a mask with a bit for the number of each. */
u64 blink_tree_ioctls(void)
{
	return blink_ioctl_mask(tree_ioctls, ARRAY_SIZE(tree_ioctls));
}

static long tree_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	/*
	 * A single operation is short, so the cost of the table would be
	 * noticeable.
	 */
	if (likely(cmd == BLINK_TREE_IOC_OP))
		return blink_op_ioctl(file, user);
	return blink_ioctl(file, cmd, user, tree_ioctls,
			   ARRAY_SIZE(tree_ioctls));
}

static int tree_release(struct inode *inode, struct file *file)
{
	blink_handle_close(file);
	blink_object_put(file->private_data);
	return 0;
}

/*
 * Show the object in /proc/PID/fdinfo, the only place that shows a tree without
 * a name.
 */
static void tree_show_fdinfo(struct seq_file *m, struct file *file)
{
	const struct blink_object *object = file->private_data;
	struct blink_tree_ioc_stats stats;
	struct blink_attr attr;

	blink_object_attr(object, &attr);
	blink_tree_stats(object->tree, &stats);
	seq_printf(m, "blink-id:\t%llu\n", object->id);
	seq_printf(m, "blink-name:\t%s\n", attr.name);
	/*
	 * As STATS: a descriptor that is open for writing only shows nothing of
	 * the tree's content.
	 */
	if (!(file->f_mode & FMODE_READ))
		return;
	seq_printf(m, "blink-entries:\t%llu\n", stats.entries);
	seq_printf(m, "blink-bytes:\t%llu\n", stats.bytes);
}

static const struct file_operations tree_fops = {
	.owner = THIS_MODULE,
	.release = tree_release,
	.unlocked_ioctl = tree_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.show_fdinfo = tree_show_fdinfo,
};

/**
 * blink_tree_file() - open an object
 * @object: the object; on success the file takes over a reference to it
 * @flags: O_RDONLY, O_WRONLY or O_RDWR
 *
 * Context: process context.
 * Return: the file, or an ERR_PTR().
 */
struct file *blink_tree_file(struct blink_object *object, unsigned int flags)
{
	return anon_inode_create_getfile("[blink_tree]", &tree_fops, object,
					 flags, NULL);
}
