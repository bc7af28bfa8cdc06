/* SPDX-License-Identifier: GPL-2.0 */
/* CPUs come online when a program says so; those that there are, at once. */
#ifndef SHIM_LINUX_CPUHOTPLUG_H
#define SHIM_LINUX_CPUHOTPLUG_H

#include <linux/topology.h>

#define CPUHP_BP_PREPARE_DYN 1

typedef int shim_cpu_fn(unsigned int cpu);

/* The function to call for a CPU before it runs; only one at a time is registered. */
extern shim_cpu_fn *shim_cpu_prepare;

static inline int shim_cpuhp_setup(shim_cpu_fn *prepare)
{
	unsigned int cpu;
	int err = 0;

	for_each_present_cpu(cpu)
		err = err ?: prepare(cpu);
	if (err)
		return err;
	shim_cpu_prepare = prepare;
	return CPUHP_BP_PREPARE_DYN;
}

#define cpuhp_setup_state(state, name, prepare, teardown) \
	shim_cpuhp_setup(prepare)
#define cpuhp_remove_state(state) ((void)(state), shim_cpu_prepare = NULL)

#endif /* SHIM_LINUX_CPUHOTPLUG_H */
