// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that the fibers share. An execution does not reuse memory that it frees, so
 * that every later access to it is noticed. New memory begins with a pattern: a fiber
 * that finds it has read memory too early. Each fiber allocates from a part of its own,
 * so that addresses depend little on the schedule.
 */
#include <linux/kernel.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"

#define PARTS (FIBERS_MAX + 1)
#define PART_BYTES (ARENA_BYTES / PARTS / 64 * 64)
#define LINE 64
#define PATTERN 0xa5

char arena[ARENA_BYTES] __aligned(4096);

/* For each line of 64 bytes. */
static bool live[ARENA_BYTES / LINE];
static size_t used[PARTS], kept;
/* Lines of the setup that this execution freed. */
static size_t freed[4096];
static unsigned int nr_freed;

static unsigned int part_of_caller(void)
{
	return search_running() ? search_fiber() + 1 : 0;
}

void *arena_alloc(size_t bytes)
{
	unsigned int part = part_of_caller();
	size_t lines = (bytes + LINE - 1) / LINE + 1;
	size_t at = part * PART_BYTES + used[part];

	/* The first line has the size. It is not live, so that an access to it is reported. */
	used[part] += lines * LINE;
	if (used[part] > PART_BYTES)
		explore_fail("the arena is too small");
	*(size_t *)(arena + at) = lines;
	memset(arena + at + LINE, PATTERN, (lines - 1) * LINE);
	memset(live + at / LINE + 1, true, lines - 1);
	return arena + at + LINE;
}

void *arena_aligned_alloc(size_t align, size_t bytes)
{
	if (align > LINE)
		explore_fail("alignment of %zu", align);
	return arena_alloc(bytes);
}

void arena_free(void *object)
{
	size_t at = (char *)object - arena, line = at / LINE;
	size_t lines = *(size_t *)(arena + at - LINE) - 1;

	if (!live[line])
		explore_fail("freed twice");
	memset(live + line, false, lines);
	if (!search_running())
		return;
	for (; lines--; line++) {
		if (nr_freed == ARRAY_SIZE(freed))
			explore_fail("too much is freed");
		freed[nr_freed++] = line;
	}
}

bool arena_live(unsigned long offset)
{
	return live[offset / LINE];
}

void arena_keep(void)
{
	kept = used[0];
}

void arena_restart(void)
{
	unsigned int part;

	memset(live + kept / LINE, false, (used[0] - kept) / LINE);
	used[0] = kept;
	while (nr_freed)
		live[freed[--nr_freed]] = true;
	for (part = 1; part < PARTS; part++) {
		memset(live + part * PART_BYTES / LINE, false,
		       used[part] / LINE);
		used[part] = 0;
	}
}
