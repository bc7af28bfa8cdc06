// SPDX-License-Identifier: GPL-2.0
/* Programs from files and into files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared.h"

int complain(const char *what)
{
	fprintf(stderr, "blink_fuzz: %s: %s\n", what, strerror(errno));
	return -1;
}

int read_programs(struct plan *plan, const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned int line = 0;
	int ret = 1;

	if (!file)
		return complain(path);
	while (ret > 0) {
		plan->given = reallocarray(plan->given, plan->nr_given + 1,
					   sizeof(*plan->given));
		if (!plan->given)
			abort();
		ret = program_read(&plan->given[plan->nr_given], file, &line);
		plan->nr_given += ret > 0;
	}
	fclose(file);
	if (ret < 0)
		fprintf(stderr, "blink_fuzz: %s:%u: not a call\n", path, line);
	return ret;
}

int write_corpus(const struct shared *shared, const char *path)
{
	FILE *file = fopen(path, "we");
	unsigned int i;

	if (!file)
		return complain(path);
	for (i = 0; i < shared->nr_corpus && i < CORPUS_MAX; i++) {
		if (shared->corpus[i].nr)
			program_write(&shared->corpus[i], file);
	}
	return fclose(file) ? complain(path) : 0;
}

static void write_recent(const struct worker_state *state, FILE *file)
{
	unsigned int i;

	for (i = 1; i <= RECENT; i++) {
		const struct program *program =
			&state->recent[(state->executions + i) % RECENT];

		if (program->nr)
			program_write(program, file);
	}
}

int write_crash(const struct shared *shared, const char *path)
{
	FILE *file = fopen(path, "we");
	unsigned int i;

	if (!file)
		return complain(path);
	for (i = 0; i < WORKERS; i++) {
		const struct worker_state *state = &shared->workers[i];

		fprintf(file, "# worker %u: %s\n", i,
			*state->complaint ? state->complaint : "was well");
		write_recent(state, file);
	}
	return fclose(file) ? complain(path) : 0;
}
