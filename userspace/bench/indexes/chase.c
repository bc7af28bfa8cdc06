// SPDX-License-Identifier: GPL-2.0
/*
 * The floor under all searches. All lines of the buffer, in huge pages as those
 * of slab.c, are one random cycle, in which chains begin anywhere.
 */
#include <linux/kernel.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "chase.h"
#include "lab/keys.h"
#include "thread.h"

#define LINE 64
#define CHAINS_MAX 32
/* A fraction of a second; as many of each chain. */
#define STEPS 2000000

const unsigned int chase_chains[CHASES] = { 1, 16, 32 };

const struct lab_scheme index_memory = { .name = "memory" };

struct line {
	struct line *next;
	char unused[LINE - sizeof(struct line *)];
};

static struct line *lines;
static u64 nr_lines;
static unsigned int nr_chains;
static unsigned int nr_threads;
static pthread_barrier_t start;

struct chaser {
	unsigned int id;
	u64 begin;
	u64 end;
};

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
static __always_inline void follow(unsigned int chains, const struct chaser *c)
{
	struct line *at[CHAINS_MAX];
	u64 random = c->id + 1, i;
	unsigned int k;

	for (k = 0; k < chains; k++)
		at[k] = &lines[lab_below(&random, nr_lines)];
	for (i = 0; i < STEPS; i += chains)
		for (k = 0; k < chains; k++)
			at[k] = READ_ONCE(at[k]->next);
	/* Made use of, or it would not be computed. */
	for (k = 0; k < chains; k++)
		__asm__ volatile("" : : "r"(at[k]));
}

static void *chaser_main(void *arg)
{
	struct chaser *c = arg;

	thread_pin(c->id);
	pthread_barrier_wait(&start);
	c->begin = latency_now();
	if (nr_chains == 1)
		follow(1, c);
	else if (nr_chains == 16)
		follow(16, c);
	else
		follow(32, c);
	c->end = latency_now();
	return NULL;
}

/* Nanoseconds that a line takes a thread. */
static double chase(void)
{
	struct chaser chaser[THREADS_MAX] = {};
	double ns = 0;
	unsigned int i;

	for (i = 0; i < nr_threads; i++)
		chaser[i].id = i;
	if (!threads_run(nr_threads, chaser_main, chaser, sizeof(*chaser),
			 &start))
		shim_die(__FILE__, __LINE__, "no thread");
	for (i = 0; i < nr_threads; i++)
		ns += (double)(chaser[i].end - chaser[i].begin);
	return ns / STEPS / nr_threads;
}

bool chase_measure(const struct setting *setting, struct sample *sample)
{
	unsigned int i;

	if (!make_cycle(setting->keys))
		return false;
	nr_threads = setting->threads;
	for (i = 0; i < CHASES; i++) {
		nr_chains = chase_chains[i];
		sample->chase_ns[i] = chase();
	}
	return true;
}
