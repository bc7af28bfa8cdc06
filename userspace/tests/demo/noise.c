// SPDX-License-Identifier: GPL-2.0
/* The processes that make noise, and the states of their keys. */
#include <sched.h>

#include "noise.h"

/*
 * The hot symbols are divided into *windows*. A process goes through the windows in
 * circles, and leaves the noise keys of the last few windows in the tree.
 */
#define WINDOW 512
#define WINDOWS 32
#define STANDING 8

/* States of a noise key, modulo their number. */
enum state {
	STATE_ABSENT,
	STATE_ADDING,
	STATE_PRESENT,
	STATE_REMOVING,
	STATES,
};

bool noise_possible(const struct symbols *symbols, size_t i)
{
	__u64 key = symbols->sorted[i].address + 1;

	if (i + 1 == symbols->nr)
		return key;
	return key < symbols->sorted[i + 1].address;
}

__u64 noise_key(const struct symbols *symbols, size_t i)
{
	return symbols->sorted[i].address + 1;
}

/* Greater than every position in a file. */
__u64 noise_value(__u64 key)
{
	return key ^ 0x5555555555555555ULL;
}

__u32 noise_look(const struct noise *noise, size_t i)
{
	return atomic_load(&noise->states[i]);
}

enum noise_known noise_between(__u32 before, __u32 after)
{
	if (before != after)
		return NOISE_UNKNOWN;
	switch (before % STATES) {
	case STATE_ABSENT:
		return NOISE_ABSENT;
	case STATE_PRESENT:
		return NOISE_PRESENT;
	}
	return NOISE_UNKNOWN;
}

/* The noise keys of a process in one window. It changes them in one batch. */
struct chord {
	size_t nr;
	/* For each key: the symbol before it, and the operation. */
	size_t indices[WINDOW];
	struct blink_tree_ioc_op ops[WINDOW];
};

/* Choose the noise keys of this process in a window. */
static void choose(const struct symbols *symbols, const struct noise *noise,
		   size_t first, unsigned int worker, struct chord *chord)
{
	size_t i;

	chord->nr = 0;
	for (i = first; i < first + WINDOW; i++) {
		if (i % noise->processes != worker ||
		    !noise_possible(symbols, i))
			continue;
		chord->indices[chord->nr] = i;
		chord->ops[chord->nr++].key = noise_key(symbols, i);
	}
}

/* Announce a change of the keys, execute it in one batch, announce its end. */
static void change(struct blinktree *tree, struct noise *noise,
		   struct chord *chord, unsigned int opcode)
{
	size_t i;
	int err;

	for (i = 0; i < chord->nr; i++) {
		chord->ops[i].opcode = opcode;
		chord->ops[i].value = noise_value(chord->ops[i].key);
		atomic_fetch_add(&noise->states[chord->indices[i]], 1);
	}
	err = blinktree_batch(tree, chord->ops, chord->nr, NULL);
	if (err)
		fail("noise: batch: error %d", -err);
	for (i = 0; i < chord->nr; i++) {
		if (chord->ops[i].result)
			fail("noise: operation %u on %#llx gave %d", opcode,
			     chord->ops[i].key, chord->ops[i].result);
		atomic_fetch_add(&noise->states[chord->indices[i]], 1);
	}
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	static struct chord chords[STANDING];
	struct noise *noise = context;
	__u64 random = random_seed(job, 99, worker);
	size_t window = random_below(&random, WINDOWS);
	size_t i;

	for (i = 0; !atomic_load(&noise->stop); i++) {
		struct chord *chord = &chords[i % STANDING];

		change(tree, noise, chord, BLINK_TREE_OP_ERASE);
		atomic_fetch_add(&noise->rounds, chord->nr);
		window = (window + 1) % WINDOWS;
		choose(&job->symbols, noise, noise->hot_first + window * WINDOW,
		       worker, chord);
		change(tree, noise, chord, BLINK_TREE_OP_INSERT);
	}
	for (i = 0; i < STANDING; i++)
		change(tree, noise, &chords[i], BLINK_TREE_OP_ERASE);
}

struct noise *noise_start(struct job *job, unsigned int processes)
{
	struct noise *noise = shared_alloc(sizeof(*noise));
	size_t nr = job->symbols.nr;

	if (nr < WINDOWS * WINDOW)
		fail("%zu symbols are too few", nr);
	noise->states_size = nr * sizeof(noise->states[0]);
	noise->states = shared_alloc(noise->states_size);
	noise->hot_nr = WINDOWS * WINDOW;
	noise->hot_first = (nr - noise->hot_nr) / 2;
	noise->processes = processes;
	workers_start(&noise->workers, job, processes, work, noise);
	/* The readers start only after the noise has started. */
	while (!atomic_load(&noise->rounds)) {
		workers_check(&noise->workers);
		sched_yield();
	}
	return noise;
}

__u64 noise_stop(struct job *job, struct noise *noise)
{
	__u64 rounds;

	atomic_store(&noise->stop, true);
	workers_wait(&noise->workers);
	rounds = atomic_load(&noise->rounds);
	if (entries_of(job->tree) != job->symbols.nr)
		fail("the tree has %llu entries after the noise, not %zu",
		     entries_of(job->tree), job->symbols.nr);
	shared_free((void *)noise->states, noise->states_size);
	shared_free(noise, sizeof(*noise));
	return rounds;
}
