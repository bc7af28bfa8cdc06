// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading the module: the core, the functions for BPF programs, and the
 * device through which user space reaches both, torn down in the opposite order.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "bpf/kfuncs.h"
#include "chardev/chardev.h"
#include "core/op/batch.h"
#include "core/core.h"
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
	blink_kfuncs_init();
	err = blink_chardev_init();
	if (err)
		goto err_chardev;
	return 0;

err_chardev:
	blink_kfuncs_exit();
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
	blink_chardev_exit();
	blink_kfuncs_exit();
	blink_core_exit();
	blink_chardev_check();
}

module_init(blink_init);
module_exit(blink_exit);

MODULE_DESCRIPTION("Concurrent ordered map (B-link tree)");
MODULE_AUTHOR("The blink_tree authors");
MODULE_VERSION(BLINK_VERSION);
MODULE_LICENSE("GPL");
