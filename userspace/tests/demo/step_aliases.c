// SPDX-License-Identifier: GPL-2.0
/*
 * Aliases: several symbols can have the same address. A tree with equal keys has a pair
 * of each line of the file: the address, and the *number* of the line. Several processes
 * insert the pairs at the same time. Then the whole tree is compared with the sorted
 * file, and several processes resolve in both directions: from an address to all its
 * symbols, and from a symbol to the pair of its address.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/blinktree_bytes.h"
#include "workers.h"

#define BATCH 1024
/* Lines of each process for which it resolves. */
#define RESOLVED 2000
/* Symbols to print as an example. */
#define SHOWN 3

struct pair {
	__u64 address;
	__u64 number;
};

/* All pairs, in the order of the tree. */
struct pairs {
	struct pair *sorted;
	size_t nr;
	/* Addresses with several symbols, and the first pair of the one with most. */
	size_t shared;
	size_t most;
	size_t example;
	atomic_ullong resolved;
};

static int compare(const void *a, const void *b)
{
	const struct pair *left = a;
	const struct pair *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return left->number < right->number ? -1 : 1;
}

/* The number of pairs with the address of the one at @first. */
static size_t run_length(const struct pairs *pairs, size_t first)
{
	size_t i = first;

	while (i < pairs->nr &&
	       pairs->sorted[i].address == pairs->sorted[first].address)
		i++;
	return i - first;
}

static void sort_pairs(struct pairs *pairs, const struct symbols *symbols)
{
	size_t i, len;

	pairs->nr = symbols->nr_lines;
	pairs->sorted = calloc(pairs->nr, sizeof(*pairs->sorted));
	if (!pairs->sorted)
		fail("aliases: no memory");
	for (i = 0; i < pairs->nr; i++)
		pairs->sorted[i] =
			(struct pair){ symbols->lines[i].address, i };
	qsort(pairs->sorted, pairs->nr, sizeof(*pairs->sorted), compare);
	for (i = 0; i < pairs->nr; i += len) {
		len = run_length(pairs, i);
		pairs->shared += len > 1;
		if (len <= pairs->most)
			continue;
		pairs->most = len;
		pairs->example = i;
	}
}

/* Execute the insertions of a stream. Each pair is new. */
static void insert_all(struct blinktree_stream *stream, struct blinktree *tree)
{
	const struct blinktree_record *result;
	int err = blinktree_stream_run(stream, tree, NULL);

	if (err)
		fail("aliases: stream: error %d", -err);
	while (blinktree_stream_next(stream, &result)) {
		if (result->result)
			fail("aliases: insert: error %d", -result->result);
	}
	blinktree_stream_clear(stream);
}

static void add(struct blinktree_stream *stream, const struct pair *pair)
{
	unsigned char key[8];
	const struct blinktree_record record = {
		.opcode = BLINK_TREE_OP_INSERT,
		.key = key,
		.key_length = sizeof(key),
		.value = &pair->number,
		.value_length = sizeof(pair->number),
	};

	blinktree_key_from_number(key, pair->address);
	if (blinktree_stream_add(stream, &record))
		fail("aliases: no memory");
}

/* Insert every so many lines: several processes insert symbols of one address. */
static void load(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	const struct symbols *symbols = &job->symbols;
	struct blinktree_stream *stream;
	size_t i, nr = 0;

	(void)context;
	if (blinktree_stream_open(&stream))
		fail("aliases: no memory");
	for (i = worker; i < symbols->nr_lines; i += job->processes) {
		const struct pair pair = { symbols->lines[i].address, i };

		add(stream, &pair);
		if (++nr % BATCH == 0)
			insert_all(stream, tree);
	}
	insert_all(stream, tree);
	blinktree_stream_close(stream);
}

/* Check that a scan returns exactly these pairs; backwards with BLINK_TREE_..._DESC. */
static void check_scan(struct blinktree *tree,
		       const struct blinktree_range *range,
		       const struct pair *pairs, size_t nr)
{
	bool desc = range->flags & BLINK_TREE_RECORD_SCAN_DESC;
	const struct blinktree_record *entry;
	struct blinktree_bytes_scan *scan;
	size_t i = 0;
	int ret = blinktree_bytes_scan_open(tree, range, 0, &scan);

	if (ret)
		fail("aliases: scan: error %d", -ret);
	while ((ret = blinktree_bytes_scan_next(scan, &entry)) == 1) {
		const struct pair *pair = &pairs[desc ? nr - 1 - i : i];
		__u64 number;

		memcpy(&number, entry->value, sizeof(number));
		if (i == nr ||
		    blinktree_key_number(entry->key) != pair->address ||
		    number != pair->number)
			fail("aliases: pair %zu is %#llx with %llu", i,
			     blinktree_key_number(entry->key), number);
		i++;
	}
	blinktree_bytes_scan_close(scan);
	if (ret || i != nr)
		fail("aliases: the scan ended after %zu of %zu pairs, error %d",
		     i, nr, -ret);
}

/* From an address to all its symbols: the scan, the count, and the least one. */
static void check_address(struct blinktree *tree, const struct pairs *pairs,
			  size_t first)
{
	size_t nr = run_length(pairs, first);
	const struct pair *all = &pairs->sorted[first];
	unsigned char key[8];
	struct blinktree_range range = { 0, key, sizeof(key), key,
					 sizeof(key) };
	__u64 least = 0, count = 0;
	struct blinktree_buffer value = { &least, sizeof(least), 0 };
	int err;

	blinktree_key_from_number(key, all->address);
	check_scan(tree, &range, all, nr);
	range.flags = BLINK_TREE_RECORD_SCAN_DESC;
	check_scan(tree, &range, all, nr);
	range.flags = 0;
	err = blinktree_bytes_count(tree, &range, &count);
	if (err || count != nr)
		fail("aliases: %#llx has %llu symbols, not %zu; error %d",
		     all->address, count, nr, -err);
	err = blinktree_bytes_get(tree, key, sizeof(key), &value);
	if (err || least != all->number)
		fail("aliases: the first symbol of %#llx is %llu, not %llu; error %d",
		     all->address, least, all->number, -err);
}

/* From a symbol to its address: the pair is in the tree. */
static void check_symbol(struct blinktree *tree, const struct symbols *symbols,
			 __u64 number)
{
	__u64 found = 0, address = symbols->lines[number].address;
	unsigned char key[8], found_key[8] = {};
	struct blinktree_buffer keys = { found_key, sizeof(found_key), 0 };
	struct blinktree_buffer values = { &found, sizeof(found), 0 };
	int err;

	blinktree_key_from_number(key, address);
	err = blinktree_bytes_floor(tree, key, sizeof(key), &number,
				    sizeof(number), &keys, &values);
	if (err || blinktree_key_number(found_key) != address ||
	    found != number)
		fail("aliases: symbol %llu is not one of %#llx; error %d",
		     number, address, -err);
}

static void resolve(struct job *job, struct blinktree *tree,
		    unsigned int worker, void *context)
{
	__u64 random = random_seed(job, 9, worker);
	struct pairs *pairs = context;
	size_t i, first;

	for (i = 0; i < RESOLVED; i++) {
		first = random_below(&random, pairs->nr);
		check_symbol(tree, &job->symbols, pairs->sorted[first].number);
		while (first && pairs->sorted[first - 1].address ==
					pairs->sorted[first].address)
			first--;
		check_address(tree, pairs, first);
	}
	check_address(tree, pairs, pairs->example);
	atomic_fetch_add(&pairs->resolved, RESOLVED);
}

static void show(const struct job *job, const struct pairs *pairs)
{
	const struct pair *pair = &pairs->sorted[pairs->example];
	char names[SHOWN * 64] = "";
	size_t i;

	for (i = 0; i < pairs->most && i < SHOWN; i++) {
		int len;
		const char *name = symbols_name_at(
			&job->symbols,
			job->symbols.lines[pair[i].number].position, &len);

		snprintf(names + strlen(names), sizeof(names) - strlen(names),
			 "%s%.*s", i ? ", " : "", len < 60 ? len : 60, name);
	}
	detail("%#llx is %s%s", pair->address, names,
	       pairs->most > SHOWN ? " and others" : "");
}

void step_aliases(const struct job *all, const char *name)
{
	const struct blinktree_range everything = {};
	struct pairs *pairs = shared_alloc(sizeof(*pairs));
	struct workers workers;
	struct job job = *all;
	double start = now();

	job.tree_name = name;
	job.tree = open_tree(&job);
	sort_pairs(pairs, &job.symbols);
	workers_start(&workers, &job, job.processes, load, NULL);
	workers_wait(&workers);
	check_scan(job.tree, &everything, pairs->sorted, pairs->nr);
	workers_start(&workers, &job, job.processes, resolve, pairs);
	workers_wait(&workers);
	blinktree_close(job.tree);
	report("aliases", start,
	       "%zu pairs; %zu addresses have several symbols, up to %zu",
	       pairs->nr, pairs->shared, pairs->most);
	detail("%llu symbols and their addresses resolved in both directions",
	       pairs->resolved);
	show(&job, pairs);
	free(pairs->sorted);
	shared_free(pairs, sizeof(*pairs));
}
