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

#define THREADS 4
/* More than twice as many as the largest node has. */
#define SIZED_KEYS 40000

/* Threads seldom meet: there are as many operations as take seconds. */
#if defined(__SANITIZE_ADDRESS__)
#define BUILD ", asan"
#define OPERATIONS 8000
#elif defined(__SANITIZE_THREAD__)
#define BUILD ", tsan"
#define OPERATIONS 4000
#else
#define BUILD ""
#define OPERATIONS 40000
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
		.seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1,
		.ops = argc > 2 ? strtoul(argv[2], NULL, 10) : OPERATIONS,
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
		printf("# %s, key %u, seed %u, nodes of %u bytes: error %d\n",
		       check.failure ?: "the check itself", check.number,
		       check.seed, check.node_bytes, ret);
	fflush(stdout);
}

static bool is_filled(const struct lab_index *index, u32 node_bytes)
{
	u64 key, value;

	for (key = 0; key < SIZED_KEYS; key++)
		if (index->ops->insert(index->data, key, key))
			return false;
	for (key = 0; key < SIZED_KEYS; key++)
		if (index->ops->lookup(index->data, key, &value) ||
		    value != key)
			return false;
	return !index->ops->verify(index->data) &&
	       index->ops->bytes(index->data) > 2 * node_bytes;
}

/* Malbrain's tree has nodes of these sizes in a figure; they are split. */
static void check_node_bytes(u32 node_bytes)
{
	const struct lab_params params = { .node_bytes = node_bytes };
	struct lab_index index;
	bool good;

	good = !lab_index_create(&index, lab_scheme_find("mckenzie:original"),
				 &params);
	if (good) {
		good = is_filled(&index, node_bytes);
		index.ops->destroy(index.data);
	}
	nr_failed += !good;
	printf("%sok %u - nodes of %u bytes" BUILD "\n", good ? "" : "not ",
	       ++nr_checked, node_bytes);
}

/* Of some schemes, only batches differ from another scheme. */
static u32 operations(const struct lab_scheme *scheme)
{
	return scheme->promises & LAB_BATCHES ? OPERATIONS / 20 : OPERATIONS;
}

int main(int argc, char **argv)
{
	u32 node_bytes;
	const struct lab_scheme *scheme;

	standin_init();
	printf("TAP version 13\n");
	for (scheme = lab_schemes; scheme->name; scheme++)
		check_one(scheme, operations(scheme), 0, argc, argv);
	/* The kernel's own indexes are not ours to mend. */
	for (scheme = lab_schemes; scheme->name; scheme++) {
		if (!scheme->ops->version && !(scheme->promises & LAB_BATCHES))
			check_one(scheme, OPERATIONS / 10, 10, argc, argv);
	}
	for (node_bytes = 4096; argc < 4 && node_bytes <= 262144;
	     node_bytes *= 2)
		check_node_bytes(node_bytes);
	printf("1..%u\n", nr_checked);
	return nr_failed > 0;
}
