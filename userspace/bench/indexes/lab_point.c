// SPDX-License-Identifier: GPL-2.0
/* The points of module/lab/point in a process; a signal ends the process. */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/init.h"
#include "lab/lists.h"
#include "lab/point/point.h"
#include "lab_threads.h"

/* A program may measure each point in a child, but then none itself before. */
static void shim_attribute(__constructor__(101)) say_that_it_forks(void)
{
	shim_forks = true;
}

/* The steps of a kernel's boot: once in a process, or in a forked child. */
static void start_kernel(void)
{
	static bool started;

	if (started)
		return;
	started = true;
	shim_start_reclaimer();
	shim_nodes = lab_threads_nodes();
	standin_init();
}

static int show(const struct lab_point *point, char *answer, size_t bytes)
{
	struct seq_file m = { .buf = answer, .size = bytes };

	lab_point_show(&m, point);
	return seq_has_overflowed(&m) ? -ENOSPC : 0;
}

int lab_point_order(const char *order, char *answer, size_t bytes)
{
	char *text = strdup(order);
	struct lab_point point;
	int ret;

	if (!text)
		return -ENOMEM;
	start_kernel();
	ret = lab_point_parse(text, &point);
	free(text);
	if (ret)
		return ret;
	ret = lab_point(&point);
	if (!ret || ret == -EIO)
		ret = show(&point, answer, bytes) ?: ret;
	lab_point_end(&point);
	return ret;
}

int lab_point_list(char *text, size_t bytes)
{
	struct seq_file m = { .buf = text, .size = bytes };

	lab_lists_show(&m);
	return seq_has_overflowed(&m) ? -ENOSPC : 0;
}
