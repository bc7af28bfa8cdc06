/* SPDX-License-Identifier: GPL-2.0 */
/* The file of a tree, and the ioctls that it supports. */
#ifndef BLINK_CHARDEV_TREE_FILE_H
#define BLINK_CHARDEV_TREE_FILE_H

#include <linux/compiler.h>
#include <linux/fs.h>
#include <linux/slab.h>

#include "../core/core.h"
#include "ioctl.h"
#include "registry.h"

/* Size of the first version of an entry. */
#define BLINK_ENTRY_MIN_SIZE offsetofend(struct blink_tree_entry, value)

struct file *blink_tree_file(struct blink_object *object, unsigned int flags);
u64 blink_tree_ioctls(void);

static inline struct blink_tree *blink_file_tree(const struct file *file)
{
	const struct blink_object *object = file->private_data;

	return object->tree;
}

static inline enum blink_tree_key blink_file_key(const struct file *file)
{
	return blink_tree_key_kind(blink_file_tree(file));
}

/* How the ioctls of the file allocate. With O_NONBLOCK they do not wait at limits. */
static inline gfp_t blink_file_gfp(const struct file *file)
{
	return READ_ONCE(file->f_flags) & O_NONBLOCK ?
		       GFP_KERNEL_ACCOUNT | __GFP_NORETRY :
		       GFP_KERNEL_ACCOUNT;
}

/* Whether the ioctls with keys and values of 64 bits in their structures work on it. */
static inline bool blink_file_u64(const struct file *file)
{
	return blink_file_key(file) == BLINK_TREE_KEY_U64 &&
	       !blink_tree_byte_values(blink_file_tree(file));
}

/* op.c */
bool blink_op_permitted(const struct file *file, u16 opcode, u16 flags);
void blink_op_conceal(const struct file *file, struct blink_tree_ioc_op *op);
bool blink_op_modifies(u16 opcode, u16 flags);
int blink_limbo_wait(const struct file *file);
long blink_op_ioctl(struct file *file, struct blink_tree_ioc_op __user *user);
long blink_op_call(struct blink_call *call);

/* batch.c */
long blink_batch_call(struct blink_call *call);

/* load.c */
long blink_load_call(struct blink_call *call);

/* scan.c */
long blink_scan_call(struct blink_call *call);

/* records.c */
long blink_records_call(struct blink_call *call);

/* range.c */
long blink_range_call(struct blink_call *call);

/* range_numbers.c */
int blink_range_u64_search(struct blink_tree *tree,
			   struct blink_tree_ioc_range *arg);
int blink_range_u64_execute(struct blink_tree *tree,
			    struct blink_tree_ioc_range *arg, gfp_t gfp);
int blink_range_u128_search(struct blink_tree *tree,
			    struct blink_tree_ioc_range *arg);
int blink_range_u128_execute(struct blink_tree *tree,
			     struct blink_tree_ioc_range *arg, gfp_t gfp);

/* record_scan.c */
long blink_record_scan_call(struct blink_call *call);

/* record_erase.c */
long blink_record_erase_call(struct blink_call *call);

/* report.c */
long blink_attr_call(struct blink_call *call);
long blink_hot_leaves_call(struct blink_call *call);
long blink_levels_call(struct blink_call *call);
long blink_stats_call(struct blink_call *call);
long blink_verify_call(struct blink_call *call);

/* watch.c */
long blink_watch_call(struct blink_call *call);
int blink_watches_init(void);
void blink_watches_exit(void);

#endif /* BLINK_CHARDEV_TREE_FILE_H */
