// SPDX-License-Identifier: GPL-2.0
/*
 * The module's beginning and end: the core first and last, the device, through
 * which everything can be reached, last and first.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "chardev/device.h"
#include "chardev/registry.h"
#include "core/batch.h"
#include "core/core.h"
#include "obs/debugfs.h"
#include "version.h"

module_param_named(batch_width, blink_batch_width, uint, 0644);
MODULE_PARM_DESC(batch_width,
		 "operations of a batch under way at a time, 1 to 16 (16)");

static int __init blink_init(void)
{
	int err;

	err = blink_core_init();
	if (err)
		return err;
	err = blink_registry_init();
	if (err)
		goto err_registry;
	blink_debugfs_init();
	err = blink_device_init();
	if (err)
		goto err_device;
	return 0;

err_device:
	blink_debugfs_exit();
	blink_registry_exit();
err_registry:
	blink_core_exit();
	return err;
}

/*
 * Every open file holds a reference to the module, so that none is left here;
 * only the trees that nobody unlinked are.
 */
static void __exit blink_exit(void)
{
	blink_device_exit();
	blink_debugfs_exit();
	blink_registry_exit();
	blink_core_exit();
}

module_init(blink_init);
module_exit(blink_exit);

MODULE_DESCRIPTION("Concurrent ordered map from u64 to u64 (B-link tree)");
MODULE_AUTHOR("The blink_tree authors");
MODULE_VERSION(BLINK_VERSION);
MODULE_LICENSE("GPL");
