// SPDX-License-Identifier: GPL-2.0
/* Reading the samples of searches in debugfs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "searches.h"

#define PATH "/sys/kernel/debug/blink_tree/searches"

/* The number after " NAME=" in a line. */
static __u64 number(const char *line, const char *name)
{
	size_t length = strlen(name);
	const char *word = line;

	while ((word = strchr(word, ' '))) {
		word++;
		if (!strncmp(word, name, length) && word[length] == '=')
			return strtoull(word + length + 1, NULL, 10);
	}
	fail("numa: %s has no %s in: %s", PATH, name, line);
}

static void parse(const char *line, struct searches *cpu)
{
	*cpu = (struct searches){
		.cpu = number(line, "cpu"),
		.node = number(line, "node"),
		.memory = number(line, "memory"),
		.searches = number(line, "searches"),
		.inner.local = number(line, "inner_local"),
		.inner.remote = number(line, "inner_remote"),
		.leaves.local = number(line, "leaf_local"),
		.leaves.remote = number(line, "leaf_remote"),
	};
}

size_t searches_read(const char *tree, struct searches **cpus)
{
	size_t length = strlen(tree), nr = 0;
	FILE *file = fopen(PATH, "r");
	char line[256];

	*cpus = NULL;
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, tree, length) || line[length] != ':')
			continue;
		*cpus = reallocarray(*cpus, nr + 1, sizeof(**cpus));
		if (!*cpus)
			fail("no memory");
		parse(line + length + 1, &(*cpus)[nr++]);
	}
	if (ferror(file) || !nr)
		fail("numa: %s has no line of the tree %s", PATH, tree);
	fclose(file);
	return nr;
}
