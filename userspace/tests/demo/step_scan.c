// SPDX-License-Identifier: GPL-2.0
/*
 * Scanning, up and down. The first scans run during noise: a scan must return every
 * symbol exactly once and in order. It must also return every noise key that was in the
 * tree all the time, and must not return one that was absent all the time. The later
 * scans run without noise: a range, its count, and a scan that a second one continues.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "noise.h"

/* Scans of each process: one of the whole table, the others of the hot part. */
#define PASSES 8

struct scans {
	struct noise *noise;
	atomic_ullong entries;
	/* Noise keys that a scan had to return, or must not return. */
	atomic_ullong decided;
};

/* One scan, from the symbol @first to the symbol @last, or back. */
struct pass {
	const struct symbols *symbols;
	struct noise *noise;
	size_t first;
	size_t last;
	bool desc;
	/* Number of symbols seen; noise keys seen, by index from @first on. */
	size_t nr;
	bool *seen;
	__u32 *before;
};

/* The symbol that the scan must return next. */
static size_t next_symbol(const struct pass *pass)
{
	return pass->desc ? pass->last - pass->nr : pass->first + pass->nr;
}

/* The symbol whose noise key can come now: the last one; downwards the next. */
static size_t noisy_symbol(const struct pass *pass)
{
	return pass->desc ? next_symbol(pass) : next_symbol(pass) - 1;
}

static bool all_seen(const struct pass *pass)
{
	return pass->nr == pass->last - pass->first + 1;
}

static bool take_symbol(struct pass *pass, const struct blink_tree_entry *entry)
{
	const struct symbol *symbol;

	if (all_seen(pass))
		return false;
	symbol = &pass->symbols->sorted[next_symbol(pass)];
	if (entry->key != symbol->address || entry->value != symbol->position)
		return false;
	pass->nr++;
	return true;
}

static bool take_noise(struct pass *pass, const struct blink_tree_entry *entry)
{
	size_t i = noisy_symbol(pass);

	if (pass->desc ? all_seen(pass) : !pass->nr)
		return false;
	if (!noise_possible(pass->symbols, i) || pass->seen[i - pass->first] ||
	    entry->key != noise_key(pass->symbols, i) ||
	    entry->value != noise_value(entry->key))
		return false;
	pass->seen[i - pass->first] = true;
	return true;
}

static void read_all(struct pass *pass, struct blinktree *tree)
{
	const struct symbol *sorted = pass->symbols->sorted;
	struct blinktree_scan *scan;
	struct blink_tree_entry entry;
	int ret;

	ret = blinktree_scan_open(tree, sorted[pass->first].address,
				  sorted[pass->last].address,
				  pass->desc ? BLINK_TREE_SCAN_DESC : 0, 0,
				  &scan);
	if (ret)
		fail("scan: error %d", -ret);
	while ((ret = blinktree_scan_next(scan, &entry)) == 1) {
		if (!take_symbol(pass, &entry) && !take_noise(pass, &entry))
			fail("scan %s: %#llx with %llu after %zu symbols",
			     pass->desc ? "down" : "up", entry.key, entry.value,
			     pass->nr);
	}
	blinktree_scan_close(scan);
	if (ret || !all_seen(pass))
		fail("scan %s: ended after %zu of %zu symbols, error %d",
		     pass->desc ? "down" : "up", pass->nr,
		     pass->last - pass->first + 1, -ret);
}

/* Check the noise keys that did not change during the scan. */
static __u64 check_noise(const struct pass *pass)
{
	__u64 decided = 0;
	size_t i;

	/* The range ends before the noise key of the last symbol. */
	for (i = pass->first; i < pass->last; i++) {
		size_t at = i - pass->first;
		__u32 after = noise_look(pass->noise, i);
		enum noise_known known = noise_between(pass->before[at], after);

		if (known == NOISE_PRESENT && !pass->seen[at])
			fail("scan: %#llx was in the tree during the scan and was not returned",
			     noise_key(pass->symbols, i));
		if (known == NOISE_ABSENT && pass->seen[at])
			fail("scan: %#llx was returned and was not in the tree",
			     noise_key(pass->symbols, i));
		decided += known == NOISE_PRESENT ||
			   (known != NOISE_UNKNOWN && after);
	}
	return decided;
}

static void check_pass(struct pass *pass, struct blinktree *tree,
		       struct scans *scans)
{
	size_t i, nr = pass->last - pass->first + 1;

	pass->nr = 0;
	pass->seen = calloc(nr, sizeof(*pass->seen));
	pass->before = calloc(nr, sizeof(*pass->before));
	if (!pass->seen || !pass->before)
		fail("no memory");
	for (i = 0; i < nr; i++)
		pass->before[i] = noise_look(pass->noise, pass->first + i);
	read_all(pass, tree);
	atomic_fetch_add(&scans->decided, check_noise(pass));
	atomic_fetch_add(&scans->entries, nr);
	free(pass->seen);
	free(pass->before);
}

static void work_noisy(struct job *job, struct blinktree *tree,
		       unsigned int worker, void *context)
{
	struct scans *scans = context;
	struct noise *noise = scans->noise;
	struct pass pass = {
		.symbols = &job->symbols,
		.noise = noise,
		.last = job->symbols.nr - 1,
		.desc = worker % 2,
	};
	int i;

	for (i = 0; i < PASSES; i++) {
		check_pass(&pass, tree, scans);
		pass.first = noise->hot_first;
		pass.last = pass.first + noise->hot_nr - 1;
	}
}

void step_scan_noisy(struct job *job)
{
	struct scans *scans = shared_alloc(sizeof(*scans));
	struct workers workers;
	double start = now();
	__u64 rounds;

	scans->noise = noise_start(job, 2);
	workers_start(&workers, job, 2, work_noisy, scans);
	workers_wait(&workers);
	rounds = noise_stop(job, scans->noise);
	if (!rounds || !scans->decided)
		fail("scan: there was no noise, so the check is void");
	report("scan", start,
	       "%d scans up and %d down: %llu symbols, each once, while %llu other keys changed",
	       PASSES, PASSES, scans->entries, rounds);
	shared_free(scans, sizeof(*scans));
}

/* Scan up or down; a second scan object continues half way. */
static size_t check_range(struct job *job, size_t first, size_t last, bool desc)
{
	const struct symbol *sorted = job->symbols.sorted;
	__u64 from = sorted[first].address, to = sorted[last].address;
	unsigned int flags = desc ? BLINK_TREE_SCAN_DESC : 0;
	size_t i, nr = last - first + 1;
	struct blinktree_scan *scan = NULL;
	struct blink_tree_entry entry;
	bool more;

	for (i = 0; i <= nr; i++) {
		const struct symbol *symbol =
			&sorted[desc ? last - i : first + i];
		if (!i || i == nr / 2) {
			if (i && blinktree_scan_left(scan, &from, &to) != 1)
				fail("range: the scan ended half way");
			blinktree_scan_close(scan);
			if (blinktree_scan_open(job->tree, from, to, flags, 100,
						&scan))
				fail("range: the scan cannot be continued");
		}
		more = i < nr;
		if (blinktree_scan_next(scan, &entry) != more)
			fail("range: entry %zu of %zu", i, nr);
		if (more && (entry.key != symbol->address ||
			     entry.value != symbol->position))
			fail("range: entry %zu is %#llx with %llu", i,
			     entry.key, entry.value);
	}
	blinktree_scan_close(scan);
	return nr;
}

void step_scan(struct job *job)
{
	const struct symbols *symbols = &job->symbols;
	size_t first, last, up, down;
	double start = now();
	__u64 count;

	first = symbols_floor(symbols, symbols_find(symbols, "_stext"));
	last = symbols_floor(symbols, symbols_find(symbols, "_etext"));
	up = check_range(job, first, last, false);
	down = check_range(job, first, last, true);
	if (blinktree_count(job->tree, symbols->sorted[first].address,
			    symbols->sorted[last].address, &count) ||
	    count != up || count != down)
		fail("range: counted %llu, scanned %zu", count, up);
	report("range", start,
	       "_stext to _etext: %llu symbols, up, down and counted", count);
}
