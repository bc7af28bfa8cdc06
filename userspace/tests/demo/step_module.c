// SPDX-License-Identifier: GPL-2.0
/*
 * Erasing the symbols of one module, with several processes, and searching for them in
 * every way: the tree must have all other symbols, and none of these.
 */
#include <errno.h>
#include <stdlib.h>

#include "workers.h"

struct victims {
	struct symbol *symbols;
	size_t nr;
};

static void collect(const struct job *job, struct victims *victims, bool *gone)
{
	const struct symbols *symbols = &job->symbols;
	size_t i;

	victims->symbols = calloc(symbols->nr, sizeof(*victims->symbols));
	if (!victims->symbols)
		fail("no memory");
	for (i = 0; i < symbols->nr; i++) {
		const struct symbol *symbol = &symbols->sorted[i];

		gone[i] = symbols_in_module(symbols, symbol->position,
					    job->module);
		if (gone[i])
			victims->symbols[victims->nr++] = *symbol;
	}
	if (!victims->nr)
		fail("module: %s has no symbols", job->module);
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	const struct victims *victims = context;
	size_t i;

	for (i = worker; i < victims->nr; i += job->processes) {
		const struct symbol *victim = &victims->symbols[i];
		__u64 value;
		int err = blinktree_erase(tree, victim->address, &value);

		if (err || value != victim->position)
			fail("module: erase of %#llx: error %d, value %llu",
			     victim->address, -err, value);
	}
}

/* Compare with the table, which does not have the symbols any more. */
static void check_gone(struct job *job, const struct symbol *victim)
{
	const struct symbols *symbols = &job->symbols;
	ptrdiff_t left = symbols_floor(symbols, victim->address);
	struct blink_tree_entry entry;
	__u64 value, count;

	if (blinktree_get(job->tree, victim->address, &value) != -ENOENT ||
	    blinktree_erase(job->tree, victim->address, NULL) != -ENOENT)
		fail("module: %#llx is still there", victim->address);
	if (blinktree_count(job->tree, victim->address, victim->address,
			    &count) ||
	    count)
		fail("module: %#llx is still counted", victim->address);
	if (blinktree_floor(job->tree, victim->address, &entry) ||
	    entry.key != symbols->sorted[left].address)
		fail("module: the floor of %#llx is %#llx, not %#llx",
		     victim->address, entry.key, symbols->sorted[left].address);
}

void step_erase_module(struct job *job)
{
	bool *gone = calloc(job->symbols.nr, sizeof(*gone));
	struct victims victims = {};
	struct workers workers;
	double start = now();
	size_t i;

	if (!gone)
		fail("no memory");
	collect(job, &victims, gone);
	workers_start(&workers, job, job->processes, work, &victims);
	workers_wait(&workers);
	symbols_remove(&job->symbols, gone);
	for (i = 0; i < victims.nr; i++)
		check_gone(job, &victims.symbols[i]);
	if (entries_of(job->tree) != job->symbols.nr)
		fail("module: %llu entries are left, not %zu",
		     entries_of(job->tree), job->symbols.nr);
	report("module", start,
	       "%zu symbols of [%s] erased: no search finds them, %zu are left",
	       victims.nr, job->module, job->symbols.nr);
	free(victims.symbols);
	free(gone);
}
