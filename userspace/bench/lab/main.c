// SPDX-License-Identifier: GPL-2.0
/*
 * blink_lab: measure a point in a process of its own.
 *
 *   blink_lab ORDER [KEYS]  print the answer to an order; KEYS is a file of numbers of 64
 *                           bits, the keys of order=file
 *   blink_lab list          print the schemes, the mixes, and how they were compiled
 *
 * BLINK_LAB_MACHINE=CPUS,NODES in the environment is the machine that there is said to be.
 * BLINK_LAB_CONTROL=CONTROL,ACK has the descriptors by which perf stat is told when the
 * measured operations begin and end. The exit status is 0 or an errno.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/topology.h>

#include "../../streams.h"
#include "lab/point/point.h"
#include "lab_threads.h"

static char text[LAB_POINT_ANSWER_MAX];

/* The keys stay for as long as the process. */
static int set_keys(const char *path)
{
	FILE *file = fopen(path, "re");
	u64 *key = NULL, nr = 0;

	if (!file)
		return -errno;
	if (!fseek(file, 0, SEEK_END)) {
		nr = ftell(file) / sizeof(*key);
		rewind(file);
		key = malloc(nr * sizeof(*key) + 1);
	}
	if (!key || fread(key, sizeof(*key), nr, file) != nr)
		nr = 0;
	fclose(file);
	return nr ? lab_point_set_keys(key, nr) : -EINVAL;
}

static int set_machine(const char *machine)
{
	unsigned int cpus, nodes;
	char end;

	if (!machine)
		return 0;
	if (sscanf(machine, "%u,%u%c", &cpus, &nodes, &end) != 2 || !nodes ||
	    nodes > cpus || nodes > MAX_NUMNODES)
		return -EINVAL;
	lab_threads_said_cpus = cpus;
	lab_threads_said_nodes = nodes;
	return 0;
}

static int set_control(const char *control)
{
	char end;

	if (control && (sscanf(control, "%d,%d%c", &lab_threads_control,
			       &lab_threads_ack, &end) != 2 ||
			lab_threads_control <= 0 || lab_threads_ack <= 0))
		return -EINVAL;
	return 0;
}

int main(int argc, char **argv)
{
	int ret = set_machine(getenv("BLINK_LAB_MACHINE")) ?:
			  set_control(getenv("BLINK_LAB_CONTROL"));

	if (!ret && argc == 3)
		ret = set_keys(argv[2]);

	streams_open();
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: %s ORDER [KEYS] | list\n", argv[0]);
		ret = -EINVAL;
	} else if (!strcmp(argv[1], "list")) {
		printf("{\"compiler\": \"%s\", \"flags\": \"%s\"}\n",
		       __VERSION__, LAB_FLAGS);
		ret = lab_point_list(text, sizeof(text));
	} else {
		ret = ret ?: lab_point_order(argv[1], text, sizeof(text));
	}
	fputs(text, stdout);
	return -ret;
}
