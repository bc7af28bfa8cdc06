// SPDX-License-Identifier: GPL-2.0
/*
 * Loading: several processes store every line of the file at the same time. Each process
 * stores the addresses of its own share, in the order of the file, so that the last
 * symbol of an address stays. Then the whole tree is compared with the table.
 */
#include <stdatomic.h>

#include "workers.h"

#define BATCH 1024

struct tally {
	atomic_ullong added;
	atomic_ullong overwritten;
};

static bool is_mine(__u64 address, unsigned int worker, unsigned int processes)
{
	return (address * 0x9e3779b97f4a7c15ULL >> 32) % processes == worker;
}

static void store(struct blinktree *tree, struct blink_tree_ioc_op *ops,
		  size_t nr, struct tally *tally)
{
	__u64 added = 0, overwritten = 0;
	size_t i;
	int err = blinktree_batch(tree, ops, nr, NULL);

	if (err)
		fail("load: batch: error %d", -err);
	for (i = 0; i < nr; i++) {
		if (ops[i].result < 0)
			fail("load: %#llx: error %d", ops[i].key,
			     -ops[i].result);
		added += !ops[i].result;
		overwritten += ops[i].result;
	}
	atomic_fetch_add(&tally->added, added);
	atomic_fetch_add(&tally->overwritten, overwritten);
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	const struct symbols *symbols = &job->symbols;
	struct blink_tree_ioc_op ops[BATCH];
	size_t i, nr = 0;

	for (i = 0; i < symbols->nr_lines; i++) {
		const struct symbol *line = &symbols->lines[i];

		if (!is_mine(line->address, worker, job->processes))
			continue;
		ops[nr++] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_STORE,
			.key = line->address,
			.value = line->position,
		};
		if (nr == BATCH) {
			store(tree, ops, nr, context);
			nr = 0;
		}
	}
	store(tree, ops, nr, context);
}

void step_load(struct job *job)
{
	const struct symbols *symbols = &job->symbols;
	struct tally *tally = shared_alloc(sizeof(*tally));
	__u64 added, overwritten;
	struct workers workers;
	double start = now();

	workers_start(&workers, job, job->processes, work, tally);
	workers_wait(&workers);
	added = atomic_load(&tally->added);
	overwritten = atomic_load(&tally->overwritten);
	shared_free(tally, sizeof(*tally));

	if (added != symbols->nr || added + overwritten != symbols->nr_lines)
		fail("load: %llu addresses added, %llu overwritten, of %zu in %zu lines",
		     added, overwritten, symbols->nr, symbols->nr_lines);
	report("load", start,
	       "%zu symbols at %llu addresses, in batches of %u processes",
	       symbols->nr_lines, added, job->processes);
}

void step_compare(struct job *job)
{
	const struct symbols *symbols = &job->symbols;
	struct blinktree_scan *scan;
	struct blink_tree_entry entry;
	double start = now();
	size_t i = 0;
	int ret;

	ret = blinktree_scan_open(job->tree, 0, UINT64_MAX, 0, 0, &scan);
	while (!ret && (ret = blinktree_scan_next(scan, &entry)) == 1) {
		if (i == symbols->nr ||
		    entry.key != symbols->sorted[i].address ||
		    entry.value != symbols->sorted[i].position)
			fail("compare: entry %zu is %#llx with %llu", i,
			     entry.key, entry.value);
		i++;
		ret = 0;
	}
	if (ret || i != symbols->nr)
		fail("compare: the tree ends after %zu of %zu entries, error %d",
		     i, symbols->nr, -ret);
	blinktree_scan_close(scan);
	report("compare", start, "all %zu entries are those of the file", i);
}
