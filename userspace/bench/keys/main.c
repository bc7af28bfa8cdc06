// SPDX-License-Identifier: GPL-2.0
/* blink_keys: measure an index with a set of keys, or print the names of the indexes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "keys.h"

static const char usage[] =
	"usage: blink_keys [KIND INDEX KEYS PROBES THREADS [FILE]]\n"
	"Measure an index with keys of a kind, u64, u128 or bytes, or of FILE, a line for\n"
	"each workload, or list the choices. userspace/bench/run keys is for people.\n";

static const char *const kinds[KIND_NR] = { "u64", "u128", "bytes" };

/* The first ones are ours, with keys of each kind. */
static const struct index_ops *const indexes[] = {
	&index_u64,
	&index_u128,
	&index_bytes,
	&index_absl,
	&index_map,
	&index_judy,
	&index_lmdb,
#ifdef KEYS_CRATES
	&index_skiplist,
#endif
	NULL,
};

/* The names of the indexes that can have keys of each kind. */
static int print_facts(void)
{
	const struct index_ops *const *index;
	const char *before;
	enum kind kind;

	printf("{\"machine\": %s, \"indexes\": {", facts_json());
	for (kind = 0; kind < KIND_NR; kind++) {
		before = "";
		printf("%s\"%s\": [", kind ? ", " : "", kinds[kind]);
		for (index = indexes; *index; index++) {
			if (!((*index)->kinds & KIND_BIT(kind)))
				continue;
			printf("%s\"%s\"", before, (*index)->name);
			before = ", ";
		}
		printf("]");
	}
	printf("}}\n");
	return 0;
}

static const struct index_ops *find_index(const char *name, enum kind kind)
{
	const struct index_ops *const *index = indexes;

	while (*index && (strcmp((*index)->name, name) ||
			  !((*index)->kinds & KIND_BIT(kind))))
		index++;
	return *index;
}

int main(int argc, char **argv)
{
	const struct index_ops *index = NULL;
	static char output[BUFSIZ];
	struct set *set = NULL;
	enum kind kind = 0;
	size_t probes;

	/* The heap has the memory of indexes alone. */
	setvbuf(stdout, output, _IOFBF, sizeof(output));
	if (argc == 1)
		return print_facts();
	while (argc > 5 && kind < KIND_NR && strcmp(kinds[kind], argv[1]))
		kind++;
	if (argc > 5 && kind < KIND_NR)
		index = find_index(argv[2], kind);
	if (!index) {
		fputs(usage, stderr);
		return 2;
	}
	probes = strtoull(argv[4], NULL, 10);
	set = argc > 6 ? set_of_file(argv[6], probes) :
			 set_random(kind, strtoull(argv[3], NULL, 10), probes);
	if (!set)
		fprintf(stderr, "blink_keys: %s: no lines\n", argv[6]);
	return !set || !work_measure(index, set, strtoul(argv[5], NULL, 10));
}
