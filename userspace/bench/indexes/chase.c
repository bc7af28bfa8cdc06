// SPDX-License-Identifier: GPL-2.0
/*
 * The limit of the memory itself: pointers followed from line to line at random, one chain
 * by itself, as a search that is alone must, and several at a time, as the searches of a
 * batch can. All lines of the buffer, in huge pages as those of slab.c, are one random
 * cycle, in which chains begin anywhere.
 */
#include <linux/kernel.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "lab/keys.h"
#include "team.h"
#include "work.h"

#define LINE 64
#define CHAINS_MAX 32
/* A fraction of a second; as many of each chain. */
#define STEPS 2000000

static const unsigned int chains[] = { 1, 16, CHAINS_MAX };

struct line {
	struct line *next;
	char unused[LINE - sizeof(struct line *)];
};

static struct line *lines;
static u64 nr_lines;
static unsigned int nr_chains;

static void swap_next(u64 a, u64 b)
{
	struct line *next = lines[a].next;

	lines[a].next = lines[b].next;
	lines[b].next = next;
}

/* Each line swaps its successor with that of an earlier one: one cycle. */
static bool make_cycle(u64 keys)
{
	u64 i, random = 1, bytes;

	nr_lines = max(keys * CHASE_BYTES_PER_KEY / LINE, 2ULL * CHAINS_MAX);
	bytes = nr_lines * LINE;
	lines = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (lines == MAP_FAILED)
		return false;
	madvise(lines, bytes, MADV_HUGEPAGE);
	for (i = 0; i < nr_lines; i++)
		lines[i].next = &lines[i];
	for (i = nr_lines - 1; i; i--)
		swap_next(i, lab_below(&random, i));
	return true;
}

/* Always inlined, so that the compiler knows how many chains there are. */
static __always_inline void follow(unsigned int nr, const struct member *m)
{
	struct line *at[CHAINS_MAX];
	u64 random = m->id + 1, i;
	unsigned int k;

	for (k = 0; k < nr; k++)
		at[k] = &lines[lab_below(&random, nr_lines)];
	for (i = 0; i < STEPS; i += nr)
		for (k = 0; k < nr; k++)
			at[k] = READ_ONCE(at[k]->next);
	/* Made use of, or it would not be computed. */
	for (k = 0; k < nr; k++)
		__asm__ volatile("" : : "r"(at[k]));
}

static void chase(void *member)
{
	if (nr_chains == 1)
		follow(1, member);
	else if (nr_chains == 16)
		follow(16, member);
	else
		follow(CHAINS_MAX, member);
}

bool chase_measure(u64 keys, unsigned int threads)
{
	struct member members[threads];
	const struct team team = {
		.nr = threads,
		.members = members,
		.bytes = sizeof(*members),
		.work = chase,
	};
	unsigned int i;

	if (!make_cycle(keys))
		return false;
	for (i = 0; i < ARRAY_SIZE(chains); i++) {
		nr_chains = chains[i];
		printf("{\"workload\": \"%u\", \"ns_per_line\": %.2f}\n",
		       nr_chains, team_run(&team).wall * 1e9 / STEPS / threads);
	}
	return true;
}
