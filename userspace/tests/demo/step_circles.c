// SPDX-License-Identifier: GPL-2.0
/*
 * Circles: for each address, processes on all CPUs go from the address to its symbol in
 * the main tree, from the symbol to its name, and from the name to its addresses in the
 * tree by name. Every answer on the way is compared with the sorted table.
 */
#include <stdatomic.h>
#include <string.h>

#include "by_name.h"
#include "workers.h"

/* Addresses at a time. */
#define BATCH 256
/* The scan of one name reads ahead no more than this: most names have one address. */
#define READ_AHEAD 8192

struct tally {
	/* Addresses that led back to themselves, and addresses that scans returned. */
	atomic_ullong circles;
	atomic_ullong scanned;
};

/* A process: its trees, and what it compares with. */
struct circle {
	const struct symbols *symbols;
	const struct names *names;
	struct blinktree *by_name;
	struct blinktree *by_address;
	struct blinktree_stream *stream;
	struct tally *tally;
};

/* From a name to all its addresses, of which @address is one. */
static void check_name(const struct circle *circle, const struct name *name)
{
	const struct by_name_key prefix = by_name_prefix(name);
	const struct blinktree_range range = {
		.flags = BLINK_TREE_RECORD_SCAN_PREFIX,
		.first = prefix.bytes,
		.first_length = prefix.length,
	};
	size_t first = names_find(circle->names, name);
	size_t i, nr = names_run(circle->names, first);
	const struct name *all = &circle->names->sorted[first];
	struct blinktree_bytes_scan *scan =
		by_name_scan(circle->by_name, &range, READ_AHEAD);

	by_name_expect_pairs(scan, all, nr);
	by_name_expect_end(scan);
	for (i = 0; i < nr && all[i].address != name->address; i++)
		;
	if (i == nr)
		fail("circles: %.*s is not at %#llx", name->len, name->text,
		     name->address);
	atomic_fetch_add(&circle->tally->scanned, nr);
}

/* From addresses to the names of their symbols. */
static void find_symbols(const struct circle *circle, const struct name *from,
			 struct name *symbols, size_t nr)
{
	struct blink_tree_ioc_op ops[BATCH];
	size_t i;
	int err;

	for (i = 0; i < nr; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_FLOOR,
			.key = from[i].address,
		};
	err = blinktree_batch(circle->by_address, ops, nr, NULL);
	if (err)
		fail("circles: batch: error %d", -err);
	for (i = 0; i < nr; i++) {
		if (ops[i].result || ops[i].key != from[i].address)
			fail("circles: no symbol at %#llx", from[i].address);
		symbols[i].address = ops[i].key;
		symbols[i].text = symbols_name_at(circle->symbols, ops[i].value,
						  &symbols[i].len);
	}
}

static void add_lookup(struct blinktree_stream *stream, const struct name *name)
{
	const struct blinktree_record record = {
		.opcode = BLINK_TREE_OP_LOOKUP,
		.key = name->text,
		.key_length = name->len,
	};

	if (blinktree_stream_add(stream, &record))
		fail("circles: no memory");
}

/* From names to the least address of each. */
static void check_least(const struct circle *circle, const struct name *from,
			size_t nr)
{
	size_t i;

	blinktree_stream_clear(circle->stream);
	for (i = 0; i < nr; i++)
		add_lookup(circle->stream, &from[i]);
	by_name_run(circle->stream, circle->by_name);
	for (i = 0; i < nr; i++) {
		const struct blinktree_record *result =
			by_name_next(circle->stream);
		size_t first = names_find(circle->names, &from[i]);
		__u64 least =
			by_name_address(result->value, result->value_length);

		if (least != circle->names->sorted[first].address)
			fail("circles: the first address of %.*s is not %#llx",
			     from[i].len, from[i].text, least);
	}
}

/* There and back; a symbol with the same address can have another name. */
static void go_round(const struct circle *circle, const struct name *from,
		     size_t nr)
{
	struct name symbols[BATCH];
	size_t i;

	find_symbols(circle, from, symbols, nr);
	check_least(circle, symbols, nr);
	for (i = 0; i < nr; i++) {
		check_name(circle, &symbols[i]);
		if (symbols[i].len != from[i].len ||
		    memcmp(symbols[i].text, from[i].text, from[i].len))
			check_name(circle, &from[i]);
	}
	atomic_fetch_add(&circle->tally->circles, nr);
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *tally)
{
	const struct names *names = &job->by_name;
	struct circle circle = { .symbols = &job->symbols,
				 .names = names,
				 .by_name = tree,
				 .tally = tally };
	struct job by_address = *job;
	size_t i, done = 0;

	by_address.tree_name = job->names[JOB_MAIN];
	circle.by_address = open_tree(&by_address);
	if (blinktree_stream_open(&circle.stream))
		fail("circles: no memory");
	for (i = worker * BATCH; i < names->nr && done < job->lookups;
	     i += job->cpus * BATCH) {
		size_t nr = names->nr - i < BATCH ? names->nr - i : BATCH;

		go_round(&circle, &names->sorted[i], nr);
		done += nr;
	}
	blinktree_stream_close(circle.stream);
	blinktree_close(circle.by_address);
}

void step_circles(const struct job *all)
{
	struct tally *tally = shared_alloc(sizeof(*tally));
	struct workers workers;
	struct job job = *all;
	double start = now();

	job.tree_name = job.names[JOB_NAMES];
	workers_start(&workers, &job, job.cpus, work, tally);
	workers_wait(&workers);
	if (job.lookups * job.cpus >= job.by_name.nr &&
	    tally->circles != job.by_name.nr)
		fail("circles: %llu of %zu addresses led back to themselves",
		     tally->circles, job.by_name.nr);
	report("circles", start,
	       "%llu addresses of %zu led to a symbol, its name, and back to themselves",
	       tally->circles, job.by_name.nr);
	detail("scans of one name returned %llu addresses, each name exactly its own",
	       tally->scanned);
	shared_free(tally, sizeof(*tally));
}
