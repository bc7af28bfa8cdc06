// SPDX-License-Identifier: GPL-2.0
/*
 * blink_compare: measure workloads of one index, or list the indexes and workloads. The index
 * "memory" is the memory itself.
 */
#include <linux/kernel.h>
#include <stdlib.h>

#include "kernel/init.h"
#include "version.h"
#include "work.h"

static const char usage[] =
	"usage: blink_compare [INDEX KEYS THREADS BATCH OPERATIONS WORKLOAD...]\n";

static int print_facts(void)
{
	const struct lab_scheme *scheme;

	printf("{\"machine\": {\"compiler\": \"%s\"}, \"clock_ns\": %.0f, \"workloads\": ",
	       __VERSION__, work_clock());
	work_print();
	printf(", \"indexes\": {");
	for (scheme = lab_schemes; scheme->name; scheme++) {
		printf("%s\"%s\": {\"version\": \"%s\", \"section\": \"%s\"",
		       scheme == lab_schemes ? "" : ", ", scheme->name,
		       scheme->ops->version ?: BLINK_VERSION, scheme->section);
		printf(", \"most_keys\": %llu, \"batches\": %u, \"single\": %u",
		       (u64)scheme->ops->most_keys, !!scheme->ops->batch,
		       !(scheme->promises & LAB_BATCHES));
		printf(", \"commits\": %u, \"concurrent\": %u, \"compared\": %u}",
		       !!scheme->ops->commit,
		       !!(scheme->promises & LAB_CONCURRENT),
		       !!(scheme->promises & LAB_COMPARED));
	}
	printf("}}\n");
	return 0;
}

int main(int argc, char **argv)
{
	static char output[BUFSIZ];
	struct setting setting;

	/* The heap has the memory of indexes alone. */
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	standin_init();
	if (argc == 1)
		return print_facts();
	if (argc < 6) {
		fputs(usage, stderr);
		return 2;
	}
	setting = (struct setting){
		.index = lab_scheme_find(argv[1]),
		.keys = strtoull(argv[2], NULL, 10),
		.threads = strtoul(argv[3], NULL, 10),
		.batch = strtoul(argv[4], NULL, 10),
		.ops = strtoull(argv[5], NULL, 10),
		.names = argv + 6,
	};
	if (!strcmp(argv[1], "memory"))
		return !chase_measure(setting.keys, setting.threads);
	return !setting.index || !work_measure(&setting);
}
