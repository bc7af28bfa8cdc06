// SPDX-License-Identifier: GPL-2.0
/*
 * The workloads. Keys are the images of 0, 1, 2, ... under a bijection of the
 * 64-bit numbers, so that they are random, distinct, and need no memory of
 * their own; the value of a key is the number that it is the image of, and
 * every answer is checked against that.
 */
#include <linux/blink_tree.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "bench.h"
#include "core/index/alloc.h"
#include "core/node/locking.h"

#define BATCH 64
#define SCAN 48

static void insert(struct worker *w)
{
	u64 n;

	for (n = w->m.id; n < nr_keys; n += nr_threads, w->m.done++)
		w->m.wrong += blink_tree_insert(tree, random_mix(n), n, NULL,
						GFP_KERNEL) != 0;
}

/* Another order: by steps that have no factor in common with any number. */
static void erase(struct worker *w)
{
	const u64 step = 2654435761ULL;
	u64 i, n, old;

	for (i = w->m.id; i < nr_keys; i += nr_threads, w->m.done++) {
		n = (__uint128_t)i * step % nr_keys;
		w->m.wrong += blink_tree_erase(tree, random_mix(n), &old) ||
			      old != n;
	}
}

static u64 look_up(struct worker *w, u64 n)
{
	u64 value = 0;

	w->m.wrong += blink_tree_lookup(tree, random_mix(n), &value) ||
		      value != n;
	w->m.done++;
	return value;
}

static void lookup(struct worker *w)
{
	look_up(w, next_below(w, nr_keys));
}

static void chase(struct worker *w)
{
	u64 value = look_up(w, w->random % nr_keys);

	/* Of no use until the value is there. */
	w->random = random_mix(w->random ^ value) >> 1;
}

static void batch(struct worker *w)
{
	struct blink_tree_ioc_op op[BATCH];
	u64 n[BATCH];
	unsigned int i;

	for (i = 0; i < BATCH; i++) {
		n[i] = next_below(w, nr_keys);
		op[i].opcode = BLINK_TREE_OP_LOOKUP;
		op[i].flags = 0;
		op[i].key = random_mix(n[i]);
	}
	blink_tree_batch(tree, op, BATCH, GFP_KERNEL);
	for (i = 0; i < BATCH; i++)
		w->m.wrong += op[i].result || op[i].value != n[i];
	w->m.done += BATCH;
}

static void mix(struct worker *w)
{
	u64 n;

	if (next_below(w, 100) >= 5) {
		lookup(w);
		return;
	}
	n = next_below(w, nr_keys);
	w->m.wrong +=
		blink_tree_store(tree, random_mix(n), n, NULL, GFP_KERNEL) != 1;
	w->m.done++;
}

/* The number of the @nth key that is only in the tree for a while. */
static u64 guest(const struct worker *w, u64 nth)
{
	return nr_keys + w->m.id + nth * nr_threads;
}

/* A key that was inserted is erased so many insertions later. */
#define GUESTS 1000

static void erase_guest(struct worker *w)
{
	u64 n = guest(w, w->erased++), old = 0;

	w->m.wrong += blink_tree_erase(tree, random_mix(n), &old) || old != n;
}

static void update(struct worker *w)
{
	u64 n;

	if (next_below(w, 100) >= 25) {
		lookup(w);
		return;
	}
	w->m.done++;
	if (w->inserted - w->erased == GUESTS) {
		erase_guest(w);
		return;
	}
	n = guest(w, w->inserted++);
	w->m.wrong += blink_tree_insert(tree, random_mix(n), n, NULL,
					GFP_KERNEL) != 0;
}

static void scan_from(struct worker *w, u64 key, bool desc)
{
	struct blink_scan range = {
		.first = desc ? 0 : key,
		.last = desc ? key : U64_MAX,
		.desc = desc,
	};
	struct blink_tree_entry entry[SCAN];
	unsigned int got = 0, i;
	int ret = 0;

	while (got < SCAN && !range.done && ret >= 0) {
		ret = blink_tree_scan(tree, &range, entry + got, SCAN - got);
		got += max(ret, 0);
	}
	for (i = 0; i < got; i++)
		w->m.wrong += random_mix(entry[i].value) != entry[i].key;
	w->m.wrong += got < SCAN && !range.done;
	w->m.done++;
}

static void scan(struct worker *w)
{
	scan_from(w, random_mix(next_below(w, nr_keys)), false);
}

static void scan_desc(struct worker *w)
{
	scan_from(w, random_mix(next_below(w, nr_keys)), true);
}

static void finger(struct worker *w)
{
	u64 key = random_mix(next_below(w, nr_keys));
	struct blink_tree_entry entry;
	struct blink_finger finger;
	unsigned int got;
	int ret;

	blink_finger_init(&finger, tree);
	rcu_read_lock();
	ret = blink_finger_ceiling(&finger, key, &entry);
	for (got = 0; !ret && got < SCAN; got++) {
		w->m.wrong += random_mix(entry.value) != entry.key;
		ret = blink_finger_next(&finger, &entry);
	}
	rcu_read_unlock();
	w->m.wrong += ret && ret != -ENOENT;
	w->m.done++;
}

/* The part of the key space that belongs to a thread. */
static struct blink_scan range_of(const struct worker *w)
{
	u64 width = U64_MAX / nr_threads;
	struct blink_scan range = { .first = w->m.id * width };

	range.last = w->m.id + 1 == nr_threads ? U64_MAX :
						 range.first + width - 1;
	return range;
}

/* Entries of a call on a range. */
#define RANGE 1024

static void count(struct worker *w)
{
	struct blink_scan range;
	int ret;

	while (w->m.done < nr_ops) {
		range = range_of(w);
		while (!range.done) {
			ret = blink_tree_count_range(tree, &range, RANGE);
			w->m.wrong += ret < 0;
			w->m.done += max(ret, 0);
		}
	}
}

static void pop(struct worker *w)
{
	struct blink_tree_entry entry = {};

	w->m.wrong += blink_tree_pop_min(tree, 0, &entry) ||
		      entry.key != random_mix(entry.value) ||
		      blink_tree_insert(tree, entry.key, entry.value, NULL,
					GFP_KERNEL);
	w->m.done++;
}

/* The number of ascending keys that a thread loads. */
static u64 keys_of(const struct worker *w)
{
	return nr_keys / nr_threads + (w->m.id < nr_keys % nr_threads);
}

static void load(struct worker *w)
{
	struct blink_tree_entry entry[RANGE];
	u64 left = keys_of(w), key = range_of(w).first;
	const u64 step = U64_MAX / nr_threads / left;
	unsigned int nr, i, done;

	for (; left; left -= nr) {
		nr = min_t(u64, left, RANGE);
		for (i = 0; i < nr; i++, key += step)
			entry[i] = (struct blink_tree_entry){ key, key };
		w->m.wrong += blink_tree_load(tree, entry, nr, 100, GFP_KERNEL,
					      &done) ||
			      done != nr;
		w->m.done += nr;
	}
}

static void erase_range(struct worker *w)
{
	struct blink_scan range = range_of(w);
	int ret;

	while (!range.done) {
		ret = blink_tree_erase_range(tree, &range, NULL, RANGE);
		w->m.wrong += ret < 0;
		w->m.done += max(ret, 0);
	}
	w->m.wrong += w->m.done != keys_of(w);
}

/* The leaf is in no tree: only its lock is made use of. */
static void lock(struct worker *w)
{
	struct blink_node *leaf = NULL;

	if (blink_leaf_get(tree, &leaf, GFP_KERNEL)) {
		w->m.wrong++;
		return;
	}
	for (; w->m.done < 8 * nr_ops; w->m.done++) {
		blink_node_lock_first(tree, leaf);
		blink_node_unlock(tree, leaf);
	}
	blink_node_free(tree, leaf, true);
}

void erase_guests(struct worker *w)
{
	while (w->erased < w->inserted)
		erase_guest(w);
}

const struct workload workloads[] = {
	{ "insert", "insert every key, in random order, into an empty tree",
	  .whole = insert },
	{ "lookup", "look up present keys at random", lookup },
	{ "chase", "the same, the value found decides the next key", chase },
	{ "batch", "the same, 64 operations a call (millions of operations/s)",
	  batch },
	{ "mix", "95 % lookups, 5 % stores to present keys", mix },
	{ "update", "75 % lookups, 25 % insertions and erasures of other keys",
	  update },
	{ "scan", "read 48 entries from a random key on (millions of scans/s)",
	  scan, .share = 8 },
	{ "down", "the same, downwards", scan_desc, .share = 8 },
	{ "finger", "the same entries, by steps of a finger", finger,
	  .share = 8 },
	{ "count", "count the keys of a range, all of them several times over",
	  .whole = count },
	{ "pop", "pop the least key and insert it again; threads meet there",
	  pop },
	{ "erase", "erase every key, in another random order", .whole = erase },
	{ "load", "load ascending keys, each thread into a range of its own",
	  .whole = load },
	{ "range", "erase the same ranges, 1024 keys a call",
	  .whole = erase_range },
	{ "lock",
	  "take a leaf's lock as writers do, and unlock it; each thread its own",
	  .whole = lock },
	{},
};
