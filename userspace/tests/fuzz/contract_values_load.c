// SPDX-License-Identifier: GPL-2.0
/*
 * Loads of values of bytes, and random operations on them, of which an array tells the
 * results.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_values.h"
#include "memory.h"
#include "random.h"

/* A load of some keys, of which @done are added before it fails. */
static void load(int tree, unsigned int first, unsigned int nr, long err,
		 unsigned int done)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 70,
	};
	const __u64 before = values_entries(tree);
	size_t end = 0;
	struct values_rec r;
	unsigned int i;

	values_size = 0;
	for (i = 0; i < nr; i++) {
		ADD(INSERT, .key = values_key(first + i),
		    .value = values_like(first + i, 40 * i));
		end = i + 1 == done ? values_size : end;
	}
	tap_check(values_execute(tree, 0, &arg) == err);
	tap_check(arg.done == done && arg.input_used == end);
	tap_check(values_entries(tree) == before + done);
	for (i = 0; i < done; i++) {
		r = ONE(tree, LOOKUP, .key = values_key(first + i));
		tap_check(has_value(&r, 0, values_like(first + i, 40 * i)));
	}
}

static void loads(int tree)
{
	const struct string old = STRING("the value that is present");
	struct values_rec r;

	load(tree, 0, 6, 0, 6);
	load(tree, 6, 6, 0, 6);
	ONE(tree, STORE, .key = values_key(15), .value = old);
	load(tree, 12, 6, -EEXIST, 3);
	r = ONE(tree, LOOKUP, .key = values_key(15));
	tap_check(has_value(&r, 0, old));
	load(tree, 16, 6, -ENOSPC, 4);
	load(tree, 40, 6, -ENOSPC, 0);
	ONE(tree, ERASE, .key = values_key(3));
	load(tree, 50, 3, -ENOSPC, 1);
}

/* Memory fails anywhere in a load: the entries that are counted are there. */
static void loads_without_memory(int tree)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};
	unsigned int nth, i;
	long ret;

	for (nth = 1; nth < 30; nth++) {
		const __u64 before = values_entries(tree);

		values_size = 0;
		for (i = 0; i < 5; i++)
			ADD(INSERT, .key = values_key(nth * 5 + i),
			    .value = values_like(i, 100 * i));
		fail_allocation(nth);
		ret = values_execute(tree, 0, &arg);
		fail_allocation(0);
		tap_check(!ret ? arg.done == 5 : ret == -ENOMEM);
		tap_check(values_entries(tree) == before + arg.done);
	}
}

static void loads_into_little_memory(int tree)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};
	unsigned int first, done = 0;
	long ret;

	for (first = 0; first < 200; first += 2) {
		values_size = 0;
		ADD(INSERT, .key = values_key(first),
		    .value = values_like(1, 4000));
		ADD(INSERT, .key = values_key(first + 1),
		    .value = values_like(2, 4000));
		ret = values_execute(tree, 0, &arg);
		done += arg.done;
		if (ret)
			break;
	}
	tap_check(ret == -ENOSPC && done > 5 && done < 25);
	tap_check(values_entries(tree) == done);
}

void values_loaded(void)
{
	with_each_kind(loads, 20, 0);
	with_each_kind(loads_without_memory, 0, 0);
	with_each_kind(loads_into_little_memory, 0, 100000);
	tap_case("a load of values tells which entry it did not add");
}

/* A model of a tree: keys in order, each present or not, with the lengths of values. */
#define KEYS 60

static bool present[KEYS];
static size_t length[KEYS];
static __u64 random_state = 11;

static unsigned int any(unsigned int below)
{
	return random_below(&random_state, below);
}

/* Each present key from one to another comes once and in order, with its value. */
static void scan_at_random(int tree)
{
	const unsigned int first = any(KEYS), last = first + any(KEYS - first);
	struct blink_tree_ioc_record_scan arg = {
		.flags = any(2) ? BLINK_TREE_RECORD_SCAN_DESC : 0,
		.first_length = values_key(first).length,
		.last_length = values_key(last).length,
	};
	const int step = arg.flags ? -1 : 1;
	int at = arg.flags ? last : first;
	char *to = array(2 * BYTES_KEY_MAX);
	size_t bytes = VALUES_STREAM, from, size;
	struct values_rec r;
	char *out = memory_alias(values_output_address(), &bytes);

	memcpy(to, values_key(first).data, arg.first_length);
	memcpy(to + BYTES_KEY_MAX, values_key(last).data, arg.last_length);
	arg.first = array_address();
	arg.last = array_address() + BYTES_KEY_MAX;
	arg.output = values_output_address();
	do {
		arg.output_size = values_room(true) + any(5000);
		if (!tap_check(!call(tree, BLINK_TREE_IOC_RECORD_SCAN, &arg)))
			return;
		for (from = 0; from < arg.output_used; from += size) {
			size = values_get(out + from, arg.output_used - from,
					  &r);
			if (!tap_check(size))
				return;
			while (at >= 0 && at < KEYS && !present[at])
				at += step;
			if (!tap_check(at >= (int)first && at <= (int)last))
				return;
			tap_check(string_same(r.key, values_key(at)));
			tap_check(
				has_value(&r, 0, values_like(at, length[at])));
			at += step;
		}
		if (!tap_check(arg.count ||
			       arg.flags & BLINK_TREE_RECORD_SCAN_DONE))
			return;
	} while (!(arg.flags & BLINK_TREE_RECORD_SCAN_DONE));
	for (; at >= (int)first && at <= (int)last; at += step)
		tap_check(!present[at]);
}

static void erase_at_random(int tree)
{
	const unsigned int first = any(KEYS),
			   last = first + any(KEYS - first) / 4;
	struct blink_tree_ioc_record_erase arg = {
		.first = array_address(),
		.last = array_address() + BYTES_KEY_MAX,
		.first_length = values_key(first).length,
		.last_length = values_key(last).length,
	};
	char *to = array(2 * BYTES_KEY_MAX);
	unsigned int i, nr = 0;

	memcpy(to, values_key(first).data, arg.first_length);
	memcpy(to + BYTES_KEY_MAX, values_key(last).data, arg.last_length);
	for (i = first; i <= last; i++) {
		nr += present[i];
		present[i] = false;
	}
	tap_check(!call(tree, BLINK_TREE_IOC_RECORD_ERASE, &arg));
	tap_check(arg.count == nr && arg.flags & BLINK_TREE_RECORD_ERASE_DONE);
}

static void store_at_random(int tree)
{
	const unsigned int i = any(KEYS);
	const size_t new = any(3) ? any(600) : VALUES_MAX - any(3);
	const struct values_rec r = ONE(tree, STORE, .key = values_key(i),
					.value = values_like(i, new));

	tap_check(r.result == present[i]);
	tap_check(!present[i] || has_old(&r, 1, values_like(i, length[i])));
	present[i] = true;
	length[i] = new;
}

static void at_random(int tree)
{
	unsigned int round, i, nr = 0;
	struct values_rec r;

	memset(present, 0, sizeof(present));
	for (round = 0; round < 2000; round++) {
		i = any(KEYS);
		switch (any(8)) {
		case 0:
			r = ONE(tree, ERASE, .key = values_key(i));
			tap_check(r.result == (present[i] ? 0 : -ENOENT));
			present[i] = false;
			break;
		case 1:
			scan_at_random(tree);
			break;
		case 2:
			if (!any(4))
				erase_at_random(tree);
			break;
		default:
			store_at_random(tree);
		}
	}
	for (i = 0; i < KEYS; i++)
		nr += present[i];
	tap_check(values_entries(tree) == nr);
}

void values_at_random(void)
{
	with_each_kind(at_random, 0, 0);
	tap_case("random operations on values of bytes are those on an array");
}
