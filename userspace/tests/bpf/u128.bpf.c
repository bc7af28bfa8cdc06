// SPDX-License-Identifier: GPL-2.0
/* A program that a process runs: it executes a query, and answers in its context. */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "u128.h"

static void answer(struct u128_query *query,
		   const struct blink_u128_entry *entry)
{
	query->found_high = entry->high;
	query->found_low = entry->low;
	query->value = entry->value;
}

static void find(struct u128_query *query)
{
	struct blink_u128_entry entry = {};

	if (query->kind == U128_LOOKUP)
		query->result = bpf_blink_u128_lookup(
			query->handle, query->high, query->low, &entry.value);
	else if (query->kind == U128_FLOOR)
		query->result = bpf_blink_u128_floor(query->handle, query->high,
						     query->low, &entry);
	else
		query->result = bpf_blink_u128_ceiling(
			query->handle, query->high, query->low, &entry);
	answer(query, &entry);
}

/* Whether an entry is on the wrong side of the one before. */
static int jumps(const struct u128_query *query,
		 const struct blink_u128_entry *entry)
{
	int less = entry->high < query->found_high ||
		   (entry->high == query->found_high &&
		    entry->low < query->found_low);

	return query->count && less != !!query->flags;
}

static void walk(struct u128_query *query)
{
	struct blink_u128 first = { query->high, query->low };
	struct blink_u128 last = { query->last_high, query->last_low };
	const struct blink_u128_entry *entry;
	struct bpf_iter_blink_u128 it;

	query->result = bpf_iter_blink_u128_new(&it, query->handle, &first,
						&last, query->flags);
	while ((entry = blink_u128_next(&it))) {
		query->jumps += jumps(query, entry);
		answer(query, entry);
		query->count++;
	}
	query->error = bpf_blink_u128_iter_error(&it);
	bpf_iter_blink_u128_destroy(&it);
}

SEC("syscall")
int run_query(struct u128_query *query)
{
	if (query->kind == U128_WALK)
		walk(query);
	else
		find(query);
	return 0;
}

char _license[] SEC("license") = "GPL";
