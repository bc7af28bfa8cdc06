// SPDX-License-Identifier: GPL-2.0
/* The cores of the tasks (mx_cores.h). */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "lab_index.h"
#include "mx_cores.h"

/*
 * A core without a CPU of its own would only take turns with others. A program that is
 * recorded has one: the machine that executes the tasks again has its own.
 */
static unsigned int count_cores(u32 most)
{
	unsigned int cpu, nr = 0;

#ifdef SHIM_TRACED
	most = 1;
#endif
	for_each_online_cpu(cpu)
		nr += !most || nr < most;
	return nr;
}

/* CPUs may come and go: a new one has no core, and a core that lost its CPU moves. */
static int start_threads(struct mx_cores *cores, unsigned int nr,
			 int (*main)(void *core))
{
	struct mx_core *core;
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (cores->nr == nr)
			break;
		core = &cores->core[cores->nr];
		core->thread =
			kthread_create_on_cpu(main, core, cpu, "blink_mx/%u");
		if (IS_ERR(core->thread))
			return PTR_ERR(core->thread);
		get_task_struct(core->thread);
		cores->nr++;
	}
	for (core = cores->core; core < cores->core + cores->nr; core++)
		wake_up_process(core->thread);
	return 0;
}

/*
 * Start cores, on a CPU each: @most, or fewer if there are fewer CPUs; 0 for one on
 * each CPU.
 */
int mx_cores_create(struct mx_tree *mx, u32 most, int (*main)(void *core))
{
	unsigned int nr = count_cores(most), i;
	struct mx_cores *cores;
	int ret;

	cores = kzalloc(struct_size(cores, core, nr), LAB_GFP);
	if (!cores)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		init_llist_head(&cores->core[i].queue);
		cores->core[i].mx = mx;
	}
	mx->cores = cores;
	ret = start_threads(cores, nr, main);
	if (ret) {
		mx_cores_destroy(cores);
		mx->cores = NULL;
	}
	return ret;
}

/* Stop the cores; no operation is left. */
void mx_cores_destroy(struct mx_cores *cores)
{
	unsigned int i;

	/* A core may still wake one that has done what it was woken for. */
	for (i = 0; i < cores->nr; i++)
		kthread_stop(cores->core[i].thread);
	for (i = 0; i < cores->nr; i++)
		put_task_struct(cores->core[i].thread);
	kfree(cores);
}

/* Hold a core until mx_cores_leave(). NULL if other threads hold all of them. */
struct mx_core *mx_cores_hold(struct mx_cores *cores)
{
	struct mx_core *core, *end = cores->core + cores->nr;

	for (core = cores->core; core < end; core++) {
		if (READ_ONCE(core->holder) == current)
			return core;
	}
	for (core = cores->core; core < end; core++) {
		if (mx_core_hold(core))
			return core;
	}
	return NULL;
}

/* Give up the core that the caller holds, if it does. */
void mx_cores_leave(struct mx_cores *cores)
{
	struct mx_core *core;

	for (core = cores->core; core < cores->core + cores->nr; core++) {
		if (READ_ONCE(core->holder) == current)
			mx_core_release(core);
	}
}
