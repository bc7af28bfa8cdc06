// SPDX-License-Identifier: GPL-2.0
/*
 * The device with all that belongs to it, and its parameters. Accounts, watches and named
 * trees are set up first; the device itself comes last, and is torn down first.
 */
#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

#include "chardev/chardev.h"
#include "chardev/debugfs.h"
#include "chardev/device.h"
#include "chardev/handle.h"
#include "chardev/payer.h"
#include "chardev/registry.h"
#include "chardev/tree_file.h"

static int set_limit(const char *text, const struct kernel_param *param)
{
	u64 bytes;
	int err = blink_memory_parse(text, &bytes);

	if (!err)
		WRITE_ONCE(*(u64 *)param->arg, bytes);
	return err;
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

/* Set up the device, after the core. An error leaves nothing behind. */
int __init blink_chardev_init(void)
{
	int err;

	blink_payers_init();
	err = blink_watches_init();
	if (err)
		return err;
	err = blink_objects_init();
	if (err)
		goto err_objects;
	blink_debugfs_init();
	err = blink_device_init();
	if (err)
		goto err_device;
	return 0;

err_device:
	blink_debugfs_exit();
	blink_objects_exit();
err_objects:
	blink_watches_exit();
	return err;
}

/* Undo blink_chardev_init(), and destroy the named trees, when no file is open. */
void blink_chardev_exit(void)
{
	blink_device_exit();
	blink_debugfs_exit();
	blink_handles_exit();
	blink_registry_exit();
	blink_objects_exit();
	blink_watches_exit();
}

/* Warn if memory of a tree is still charged to someone, after blink_core_exit(). */
void blink_chardev_check(void)
{
	blink_payers_exit();
}
