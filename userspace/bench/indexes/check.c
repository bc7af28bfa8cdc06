// SPDX-License-Identifier: GPL-2.0
/*
 * Every scheme against the oracle of module/lab/check, by one thread and by several.
 * Prints TAP. Usage: check [SEED [OPERATIONS [NAME]]]
 */
#include <linux/kernel.h>
#include <stdlib.h>

#include "kernel/init.h"
#include "lab/check/check.h"
#include "lab_threads.h"
#include "two_phase.h"

#define THREADS 4

/* Threads seldom meet: there are as many operations as take seconds. */
#if defined(__SANITIZE_ADDRESS__)
#define BUILD ", asan"
#define OPERATIONS 15000
#elif defined(__SANITIZE_THREAD__)
#define BUILD ", tsan"
#define OPERATIONS 8000
#else
#define BUILD ""
#define OPERATIONS 100000
#endif

static unsigned int nr_checked;
static unsigned int nr_failed;

/* @fail: let one of so many allocations fail, or 0 */
static void check_one(const struct lab_scheme *scheme, u32 ops,
		      unsigned int fail, int argc, char **argv)
{
	struct lab_check check = {
		.scheme = scheme,
		.threads = THREADS,
		.seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 1,
		.ops = argc > 2 ? strtoul(argv[2], NULL, 0) : ops,
	};
	int ret;

	if (argc > 3 && strcmp(argv[3], scheme->name))
		return;
	lab_threads_fail_one_in = fail;
	ret = lab_check(&check);
	nr_failed += !!ret;
	printf("%sok %u - %s%s" BUILD "\n", ret ? "not " : "", ++nr_checked,
	       scheme->name, fail ? ", memory short" : "");
	if (ret)
		printf("# %s, key %u, seed %u: error %d\n",
		       check.failure ?: "the check itself", check.number,
		       check.seed, ret);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const struct lab_scheme *scheme;

	standin_init();
	printf("TAP version 13\n");
	for (scheme = lab_schemes; scheme->name; scheme++)
		check_one(scheme, OPERATIONS, 0, argc, argv);
	/* The kernel's own indexes are not ours to mend. */
	for (scheme = lab_schemes; scheme->name; scheme++) {
		if (!scheme->ops->version)
			check_one(scheme, OPERATIONS / 10, 3, argc, argv);
	}
	/* Only their batches differ from those of blink_tree. */
	for (scheme = two_phase_schemes(); scheme->name; scheme++)
		check_one(scheme, OPERATIONS / 20, 0, argc, argv);
	printf("1..%u\n", nr_checked);
	return nr_failed > 0;
}
