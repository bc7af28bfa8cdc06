// SPDX-License-Identifier: GPL-2.0
/*
 * Names: processes on all CPUs insert the symbols into the tree by name at the same time,
 * and then its entries are compared with the sorted table. Several processes insert
 * addresses of one name, and agree on the least one.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "by_name.h"
#include "workers.h"

/* Lines at a time. */
#define BATCH 256
/* Addresses to print as an example. */
#define SHOWN 3

struct tally {
	/* Keys that were added, and names whose address a process had to lower. */
	atomic_ullong names;
	atomic_ullong pairs;
	atomic_ullong lowered;
};

static void add(struct blinktree_stream *stream, const void *key, size_t length,
		const __u64 *address)
{
	const struct blinktree_record record = {
		.opcode = BLINK_TREE_OP_GET_OR_INSERT,
		.key = key,
		.key_length = length,
		.value = address,
		.value_length = sizeof(*address),
	};

	if (blinktree_stream_add(stream, &record))
		fail("names: no memory");
}

/* Other processes add other addresses of the name at the same time. The least one stays. */
static void lower(struct blinktree *tree, const struct name *name,
		  __u64 present, struct tally *tally)
{
	struct blinktree_buffer found = { &present, sizeof(present), 0 };

	while (present > name->address) {
		const __u64 expected = present;
		int err = blinktree_bytes_cmpxchg(tree, name->text, name->len,
						  &expected, sizeof(expected),
						  &name->address,
						  sizeof(name->address),
						  &found);

		if (err && err != -ESTALE)
			fail("names: cmpxchg of %.*s: error %d", name->len,
			     name->text, -err);
		if (!err)
			present = name->address;
		atomic_fetch_add(&tally->lowered, !err);
	}
}

static void insert_lines(struct blinktree *tree,
			 struct blinktree_stream *stream,
			 const struct name *lines, size_t nr,
			 struct tally *tally)
{
	size_t i;

	blinktree_stream_clear(stream);
	for (i = 0; i < nr; i++) {
		const struct by_name_key pair = by_name_pair(&lines[i]);

		add(stream, lines[i].text, lines[i].len, &lines[i].address);
		add(stream, pair.bytes, pair.length, &lines[i].address);
	}
	by_name_run(stream, tree);
	for (i = 0; i < nr; i++) {
		const struct blinktree_record *result = by_name_next(stream);

		if (result->result)
			lower(tree, &lines[i],
			      by_name_address(result->old, result->old_length),
			      tally);
		else
			atomic_fetch_add(&tally->names, 1);
		atomic_fetch_add(&tally->pairs, !by_name_next(stream)->result);
	}
}

/* Insert every so many lines: several processes insert addresses of one name. */
static void load(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *tally)
{
	const struct symbols *symbols = &job->symbols;
	struct blinktree_stream *stream;
	struct name lines[BATCH];
	size_t i, nr = 0;

	if (blinktree_stream_open(&stream))
		fail("names: no memory");
	for (i = worker; i < symbols->nr_lines; i += job->cpus) {
		lines[nr++] = names_of_line(symbols, i);
		if (nr < BATCH && i + job->cpus < symbols->nr_lines)
			continue;
		insert_lines(tree, stream, lines, nr, tally);
		nr = 0;
	}
	blinktree_stream_close(stream);
}

static void compare(struct blinktree *tree, const struct names *names)
{
	struct blinktree_bytes_scan *scan = by_name_scan(tree, NULL, 0);
	size_t i, nr;

	for (i = 0; i < names->nr; i += nr) {
		const struct name *name = &names->sorted[i];

		nr = names_run(names, i);
		by_name_expect(scan, name->text, name->len, name);
		by_name_expect_pairs(scan, name, nr);
	}
	by_name_expect_end(scan);
}

static void show(const struct names *names)
{
	const struct name *name = &names->sorted[names->example];
	size_t i, nr = names->most < SHOWN ? names->most : SHOWN;
	char text[SHOWN * 24] = "";

	for (i = 0; i < nr; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%#llx", i ? ", " : "", name[i].address);
	detail("%.*s is at %s%s", name->len, name->text, text,
	       names->most > SHOWN ? " and elsewhere" : "");
}

void step_names(const struct job *all)
{
	struct tally *tally = shared_alloc(sizeof(*tally));
	const struct names *names = &all->by_name;
	struct workers workers;
	struct job job = *all;
	double start = now();

	job.tree_name = job.names[JOB_NAMES];
	job.tree = open_tree(&job);
	workers_start(&workers, &job, job.cpus, load, tally);
	workers_wait(&workers);
	if (tally->names != names->different || tally->pairs != names->nr)
		fail("names: %llu of %zu names and %llu of %zu addresses were added",
		     tally->names, names->different, tally->pairs, names->nr);
	compare(job.tree, names);
	blinktree_close(job.tree);
	report("names", start,
	       "%llu names with %llu addresses; %zu names have several, up to %zu",
	       tally->names, tally->pairs, names->shared, names->most);
	detail("all entries are those of the file; %llu times a lower address came later",
	       tally->lowered);
	show(names);
	shared_free(tally, sizeof(*tally));
}
