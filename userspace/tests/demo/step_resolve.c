// SPDX-License-Identifier: GPL-2.0
/*
 * Resolving addresses to symbols with floor, alone and in batches, while other
 * processes make noise around the same symbols. Each answer is compared with a binary
 * search of the table, and some answers also with a linear search of the file.
 */
#include <errno.h>
#include <stdatomic.h>

#include "noise.h"

/* Addresses at a time. */
#define ROUND 64
/* After this many rounds, one address is also searched for line by line. */
#define STRAIGHT 16

struct resolve {
	struct noise *noise;
	atomic_ullong lookups;
	/* Answers that had to be a noise key, and answers that could be one. */
	atomic_ullong noisy;
	atomic_ullong raced;
	atomic_ullong straight;
};

struct query {
	__u64 address;
	/* The right symbol, and the state of the noise key after it. */
	size_t i;
	__u32 before;
	struct blink_tree_entry answer;
};

/* A random address of the symbol with this index. */
static __u64 address_in(const struct symbols *symbols, size_t i, __u64 *random)
{
	__u64 first = symbols->sorted[i].address;
	__u64 end = UINT64_MAX;

	if (i + 1 < symbols->nr)
		end = symbols->sorted[i + 1].address;
	return first + random_below(random, end - first);
}

static void choose(const struct symbols *symbols, struct resolve *resolve,
		   struct query *query, __u64 *random)
{
	struct noise *noise = resolve->noise;
	size_t i = random_below(random, symbols->nr);

	if (random_next(random) >> 63)
		i = noise->hot_first + random_below(random, noise->hot_nr);
	query->address = address_in(symbols, i, random);
	query->i = symbols_floor(symbols, query->address);
	query->before = noise_look(noise, query->i);
}

static void ask_alone(struct blinktree *tree, struct query *queries)
{
	size_t i;

	for (i = 0; i < ROUND; i++) {
		int err = blinktree_floor(tree, queries[i].address,
					  &queries[i].answer);

		if (err)
			fail("resolve: floor of %#llx: error %d",
			     queries[i].address, -err);
	}
}

static void ask_batch(struct blinktree *tree, struct query *queries)
{
	struct blink_tree_ioc_op ops[ROUND];
	size_t i;
	int err;

	for (i = 0; i < ROUND; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_FLOOR,
			.key = queries[i].address,
		};
	err = blinktree_batch(tree, ops, ROUND, NULL);
	if (err)
		fail("resolve: batch: error %d", -err);
	for (i = 0; i < ROUND; i++) {
		if (ops[i].result)
			fail("resolve: floor of %#llx: error %d",
			     queries[i].address, -ops[i].result);
		queries[i].answer.key = ops[i].key;
		queries[i].answer.value = ops[i].value;
	}
}

/* Whether the answer is the symbol of the table and of the file. */
static bool is_symbol(const struct symbols *symbols, const struct query *query)
{
	const struct symbol *symbol = &symbols->sorted[query->i];

	return query->answer.key == symbol->address &&
	       query->answer.value == symbol->position &&
	       symbols_address_at(symbols, query->answer.value) ==
		       query->answer.key;
}

static bool is_noise(const struct symbols *symbols, const struct query *query)
{
	__u64 key = noise_key(symbols, query->i);

	return noise_possible(symbols, query->i) && key <= query->address &&
	       query->answer.key == key &&
	       query->answer.value == noise_value(key);
}

[[gnu::noreturn]] static void wrong(const struct symbols *symbols,
				    const struct query *query,
				    enum noise_known behind)
{
	static const char *const texts[] = {
		[NOISE_ABSENT] = "was not there",
		[NOISE_PRESENT] = "was there",
		[NOISE_UNKNOWN] = "came or went",
	};
	const struct symbol *symbol = &symbols->sorted[query->i];

	fail("resolve: floor of %#llx gave %#llx: %llu, not %#llx: %llu; noise %s",
	     query->address, query->answer.key, query->answer.value,
	     symbol->address, symbol->position, texts[behind]);
}

static void check(const struct symbols *symbols, struct resolve *resolve,
		  const struct query *query)
{
	bool noise = is_noise(symbols, query);
	bool symbol = is_symbol(symbols, query);
	__u32 after = noise_look(resolve->noise, query->i);
	enum noise_known behind = noise_between(query->before, after);
	bool may_be_noise = noise_possible(symbols, query->i) &&
			    noise_key(symbols, query->i) <= query->address;

	if (!may_be_noise)
		behind = NOISE_ABSENT;
	if ((!noise && !symbol) || (behind == NOISE_PRESENT && !noise) ||
	    (behind == NOISE_ABSENT && !symbol))
		wrong(symbols, query, behind);
	if (behind == NOISE_PRESENT)
		atomic_fetch_add(&resolve->noisy, 1);
	if (behind == NOISE_UNKNOWN)
		atomic_fetch_add(&resolve->raced, 1);
}

/* Compare the binary search with a linear search of the file. */
static void check_straight(const struct symbols *symbols,
			   struct resolve *resolve, const struct query *query)
{
	__u64 position = symbols_straight_floor(symbols, query->address);

	if (position != symbols->sorted[query->i].position)
		fail("resolve: the table has %llu for %#llx, the file %llu",
		     symbols->sorted[query->i].position, query->address,
		     position);
	atomic_fetch_add(&resolve->straight, 1);
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	__u64 random = random_seed(job, 1, worker);
	struct resolve *resolve = context;
	struct query queries[ROUND];
	size_t done, i;

	for (done = 0; done < job->lookups; done += ROUND) {
		for (i = 0; i < ROUND; i++)
			choose(&job->symbols, resolve, &queries[i], &random);
		if (done / ROUND % 2)
			ask_batch(tree, queries);
		else
			ask_alone(tree, queries);
		for (i = 0; i < ROUND; i++)
			check(&job->symbols, resolve, &queries[i]);
		if (!(done / ROUND % STRAIGHT))
			check_straight(&job->symbols, resolve, &queries[0]);
	}
	atomic_fetch_add(&resolve->lookups, done);
}

/* Print a few symbols as examples. */
static void show(struct job *job)
{
	static const char *const names[] = { "vfs_read", "schedule", "kfree" };
	const struct symbols *symbols = &job->symbols;
	struct blink_tree_entry entry;
	size_t i;

	for (i = 0; i < 3; i++) {
		__u64 address = symbols_find(symbols, names[i]) + 4;
		const char *name;
		int len;

		if (blinktree_floor(job->tree, address, &entry))
			fail("resolve: floor of %#llx", address);
		name = symbols_name_at(symbols, entry.value, &len);
		detail("%#llx is %.*s+%llu", address, len, name,
		       address - entry.key);
	}
}

void step_resolve(struct job *job)
{
	struct resolve *resolve = shared_alloc(sizeof(*resolve));
	struct workers workers;
	double start = now();
	__u64 rounds;

	resolve->noise = noise_start(job, 2);
	workers_start(&workers, job, job->processes, work, resolve);
	workers_wait(&workers);
	rounds = noise_stop(job, resolve->noise);
	if (!rounds || !resolve->noisy)
		fail("resolve: there was no noise, so the check is void");
	report("resolve", start,
	       "%llu floors from %u processes, all right; %llu also compared with the file",
	       resolve->lookups, job->processes, resolve->straight);
	detail("meanwhile other processes inserted and erased %llu keys:",
	       rounds);
	detail("%llu answers had to be one of them, %llu more could be one",
	       resolve->noisy, resolve->raced);
	show(job);
	shared_free(resolve, sizeof(*resolve));
}
