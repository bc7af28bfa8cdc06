/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine's NUMA nodes and CPUs, as sets of at most 64: a bit for each.
 *
 * Include it after blink_test.h.
 */
#ifndef BLINK_TEST_TOPOLOGY_H
#define BLINK_TEST_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>

#define NODE_DIR "/sys/devices/system/node"
#define CPU_DIR "/sys/devices/system/cpu"
#define SET_MAX 64

#define for_each_member(i, set)             \
	for ((i) = 0; (i) < SET_MAX; (i)++) \
		if ((set) >> (i) & 1)

/* A list like 0-1,4; the empty set if it cannot be read. */
static inline __u64 set_read(const char *path)
{
	unsigned int first, last;
	FILE *f = fopen(path, "r");
	__u64 set = 0;

	if (!f)
		return 0;
	while (fscanf(f, "%u", &first) == 1) {
		if (fscanf(f, "-%u", &last) != 1)
			last = first;
		for (; first <= last && first < SET_MAX; first++)
			set |= 1ULL << first;
		if (fgetc(f) != ',')
			break;
	}
	fclose(f);
	return set;
}

/* Those with memory that is not for programs alone. */
static inline __u64 nodes_with_memory(void)
{
	return set_read(NODE_DIR "/has_normal_memory");
}

static inline __u64 cpus_of(unsigned int nid)
{
	char path[96];

	snprintf(path, sizeof(path), NODE_DIR "/node%u/cpulist", nid);
	return set_read(path);
}

/* Stay on these CPUs from now on. */
static inline int run_on(__u64 cpus)
{
	unsigned int cpu;
	cpu_set_t set;

	CPU_ZERO(&set);
	for_each_member(cpu, cpus)
		CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

/* The node with memory that is nearest to one. */
static inline int nearest_memory(unsigned int nid)
{
	__u64 memory = nodes_with_memory();
	__u64 online = set_read(NODE_DIR "/online");
	unsigned int other, distance, best = -1U;
	int nearest = -1;
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), NODE_DIR "/node%u/distance", nid);
	f = fopen(path, "r");
	if (!f)
		return -errno;
	for_each_member(other, online) {
		if (fscanf(f, "%u", &distance) != 1)
			break;
		if (distance < best && memory >> other & 1) {
			best = distance;
			nearest = other;
		}
	}
	fclose(f);
	return nearest;
}

/* Those that trees have an index on, if they have several; no CPU is offline. */
static inline __u64 nodes_with_index(void)
{
	__u64 nodes = set_read(NODE_DIR "/has_cpu"), homes = 0;
	unsigned int nid;

	for_each_member(nid, nodes)
		homes |= 1ULL << nearest_memory(nid);
	return homes;
}

#endif /* BLINK_TEST_TOPOLOGY_H */
