// SPDX-License-Identifier: GPL-2.0
/*
 * Every index against an oracle: a sorted array of all keys that may occur,
 * each with its value or none. Prints TAP.
 */
#include <linux/kernel.h>
#include <stdlib.h>

#include "keys.h"

#define KEYS 2048
#define OPERATIONS 100000
#define NO_VALUE (~0ULL)

static u64 keys[KEYS];
static u64 values[KEYS];
static u64 random_state;
static const struct index *ix;
static void *map;

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void make_oracle(void)
{
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		keys[i] = image(i);
		values[i] = NO_VALUE;
	}
	qsort(keys, KEYS, sizeof(*keys), compare);
}

static u64 some_value(void)
{
	return next_below(&random_state, KEY_MAX / 2);
}

static bool check_lookup(unsigned int i)
{
	u64 value = NO_VALUE;

	if (!ix->lookup(map, keys[i], &value))
		return values[i] == NO_VALUE;
	return value == values[i];
}

static bool check_insert(unsigned int i)
{
	if (values[i] != NO_VALUE)
		return true;
	values[i] = some_value();
	return ix->insert(map, keys[i], values[i]);
}

static bool check_store(unsigned int i)
{
	values[i] = some_value();
	return ix->store(map, keys[i], values[i]);
}

static bool check_erase(unsigned int i)
{
	bool present = values[i] != NO_VALUE;

	if (!ix->erase)
		return true;
	values[i] = NO_VALUE;
	return ix->erase(map, keys[i]) == present;
}

/* From a key of the oracle's, which need not be in the index. */
static bool check_scan(unsigned int i)
{
	struct blink_tree_entry entry[SCAN_ENTRIES];
	unsigned int got, seen = 0;
	int step = ix->scans_down ? -1 : 1;

	if (!ix->scan)
		return true;
	got = ix->scan(map, keys[i], entry, SCAN_ENTRIES);
	for (; i < KEYS && seen < SCAN_ENTRIES; i += step) {
		if (values[i] == NO_VALUE)
			continue;
		if (seen == got || entry[seen].key != keys[i] ||
		    entry[seen].value != values[i])
			return false;
		seen++;
	}
	return seen == got;
}

/* From a key, or from between it and the next. */
static bool check_floor(unsigned int i)
{
	struct blink_tree_entry entry = {
		.key = keys[i] + next_below(&random_state, 2),
	};

	if (!ix->floor)
		return true;
	while (i < KEYS && values[i] == NO_VALUE)
		i--;
	if (!ix->floor(map, &entry))
		return i >= KEYS;
	return i < KEYS && entry.key == keys[i] && entry.value == values[i];
}

/* Absent keys are inserted, present ones looked up; no key occurs twice. */
static bool check_batch(unsigned int i)
{
	struct blink_tree_ioc_op op[BATCH_MAX] = {};
	unsigned int nr = 1 + next_below(&random_state, BATCH_MAX), k;
	bool right = true;

	if (!ix->batch)
		return true;
	for (k = 0; k < nr; k++) {
		u64 *value = &values[(i + k) % KEYS];

		op[k].opcode = BLINK_TREE_OP_LOOKUP;
		op[k].key = keys[(i + k) % KEYS];
		if (*value != NO_VALUE)
			continue;
		*value = some_value();
		op[k].opcode = BLINK_TREE_OP_INSERT;
		op[k].value = *value;
	}
	ix->batch(map, op, nr);
	for (k = 0; k < nr; k++)
		right &= !op[k].result && op[k].value == values[(i + k) % KEYS];
	return right;
}

static const struct {
	const char *name;
	bool (*check)(unsigned int i);
	unsigned int weight;
} checks[] = {
	{ "insert", check_insert, 40 }, { "erase", check_erase, 50 },
	{ "lookup", check_lookup, 40 }, { "store", check_store, 20 },
	{ "scan", check_scan, 10 },	{ "floor", check_floor, 10 },
	{ "batch", check_batch, 1 },
};

/* One of the checks, by weight. */
static unsigned int draw(void)
{
	u64 at = next_below(&random_state, 171);
	unsigned int i = 0;

	while (at >= checks[i].weight)
		at -= checks[i++].weight;
	return i;
}

static bool check_index(u64 seed)
{
	unsigned int n, which;

	random_state = seed;
	make_oracle();
	map = ix->create(KEYS);
	if (!map)
		return false;
	for (n = 0; n < OPERATIONS; n++) {
		which = draw();
		if (!checks[which].check(next_below(&random_state, KEYS))) {
			printf("# operation %u, %s, seed %llu\n", n,
			       checks[which].name, seed);
			return false;
		}
	}
	ix->destroy(map);
	return true;
}

static unsigned int nr_checked;
static unsigned int nr_failed;

static void report(const struct index *index, u64 seed)
{
	bool right;

	ix = index;
	right = check_index(seed);
	nr_failed += !right;
	printf("%sok %u - %s %s\n", right ? "" : "not ", ++nr_checked, ix->name,
	       ix->version);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	const struct index *two_phase = two_phase_indexes();
	unsigned int i, k;

	for (i = 0; indexes[i]; i++)
		;
	for (k = 0; two_phase[k].name; k++)
		;
	printf("TAP version 13\n1..%u\n", i + k);
	for (i = 0; indexes[i]; i++)
		report(indexes[i], seed);
	for (k = 0; two_phase[k].name; k++)
		report(&two_phase[k], seed);
	return nr_failed > 0;
}
