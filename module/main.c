// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading the module. The core is set up first and torn down
 * last. The device, through which user space reaches everything, is set up last
 * and torn down first.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "bpf/kfuncs.h"
#include "chardev/device.h"
#include "chardev/handle.h"
#include "chardev/payer.h"
#include "chardev/registry.h"
#include "chardev/tree_file.h"
#include "core/op/batch.h"
#include "core/core.h"
#include "chardev/debugfs.h"
#include "version.h"

module_param_named(batch_width, blink_batch_width, uint, 0644);
MODULE_PARM_DESC(batch_width,
		 "operations of a batch under way at a time, 1 to 16 (16)");

/*
 * Parse a number of bytes, or a share of the present memory: a number and '%'.
 */
static int set_limit(const char *text, const struct kernel_param *param)
{
	size_t len = strcspn(text, "%\n");
	bool percent = text[len] == '%';
	char number[24] = {};
	u64 bytes;
	int err;

	if (len >= sizeof(number) || !sysfs_streq(text + len + percent, ""))
		return -EINVAL;
	memcpy(number, text, len);
	err = kstrtou64(number, 0, &bytes);
	if (err)
		return err;
	if (percent && bytes > 100)
		return -EINVAL;
	if (percent && bytes)
		bytes = blink_memory_share(bytes);
	if (bytes > S64_MAX)
		return -ERANGE;
	WRITE_ONCE(*(u64 *)param->arg, bytes);
	return 0;
}

static int get_limit(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%llu\n", READ_ONCE(*(u64 *)param->arg));
}

static const struct kernel_param_ops limit_ops = {
	.set = set_limit,
	.get = get_limit,
};

module_param_cb(max_bytes, &limit_ops, &blink_max_bytes, 0644);
MODULE_PARM_DESC(
	max_bytes,
	"memory of all trees of user space, bytes or N%, 0: no limit (50%)");
module_param_cb(user_max_bytes, &limit_ops, &blink_user_max_bytes, 0644);
MODULE_PARM_DESC(
	user_max_bytes,
	"memory of the trees of one user, bytes or N%, 0: no limit (25%)");

static int __init blink_init(void)
{
	int err;

	blink_payers_init();
	err = blink_core_init();
	if (err)
		return err;
	err = blink_watches_init();
	if (err)
		goto err_watches;
	err = blink_objects_init();
	if (err)
		goto err_objects;
	blink_debugfs_init();
	blink_kfuncs_init();
	err = blink_device_init();
	if (err)
		goto err_device;
	return 0;

err_device:
	blink_kfuncs_exit();
	blink_debugfs_exit();
	blink_objects_exit();
err_objects:
	blink_watches_exit();
err_watches:
	blink_core_exit();
	return err;
}

/*
 * Every open file and every BPF program that calls the module holds a reference
 * to it, so no file is open here, and no program is loaded. The trees that are
 * left are those whose names were not unlinked.
 */
static void __exit blink_exit(void)
{
	blink_device_exit();
	blink_kfuncs_exit();
	blink_debugfs_exit();
	blink_handles_exit();
	blink_registry_exit();
	blink_objects_exit();
	blink_watches_exit();
	blink_core_exit();
	blink_payers_exit();
}

module_init(blink_init);
module_exit(blink_exit);

MODULE_DESCRIPTION("Concurrent ordered map (B-link tree)");
MODULE_AUTHOR("The blink_tree authors");
MODULE_VERSION(BLINK_VERSION);
MODULE_LICENSE("GPL");
