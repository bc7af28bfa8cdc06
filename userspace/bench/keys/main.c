// SPDX-License-Identifier: GPL-2.0
/* blink_keys: measure an index with a set of keys, or print the names of the indexes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"

static const char usage[] =
	"usage: blink_keys [KIND INDEX KEYS PROBES THREADS [FILE]]\n";

static const char *const kinds[KIND_NR] = { "u64", "u128", "bytes" };

/* Ours first. */
static const struct index_ops *const indexes[KIND_NR][7] = {
	[KIND_U64] = { &index_u64, &absl_u64, &map_u64 },
	[KIND_U128] = { &index_u128, &absl_u128, &map_u128 },
	[KIND_BYTES] = { &index_bytes, &absl_bytes, &map_bytes, &index_judy,
			 &index_lmdb,
#ifdef KEYS_CRATES
			 &index_skiplist
#endif
	},
};

/* The names of the indexes that can have keys of each kind. */
static int print_facts(void)
{
	const struct index_ops *const *index;
	enum kind kind;

	printf("{\"machine\": {\"compiler\": \"%s\"}, \"indexes\": {",
	       __VERSION__);
	for (kind = 0; kind < KIND_NR; kind++) {
		printf("%s\"%s\": [", kind ? ", " : "", kinds[kind]);
		for (index = indexes[kind]; *index; index++)
			printf("\"%s\"%s", (*index)->name,
			       index[1] ? ", " : "]");
	}
	printf("}}\n");
	return 0;
}

static const struct index_ops *find_index(const char *name, enum kind kind)
{
	const struct index_ops *const *index = indexes[kind];

	while (*index && strcmp((*index)->name, name))
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
