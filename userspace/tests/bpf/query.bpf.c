// SPDX-License-Identifier: GPL-2.0
/* A program that a process runs: it executes a query, and answers in its context. */
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>
#include <blinktree/bpf.h>

#include "query.h"

static void find(struct query *query)
{
	struct blink_tree_entry entry = {};

	if (query->kind == QUERY_LOOKUP)
		query->result = bpf_blink_lookup(query->handle, query->key,
						 &entry.value);
	else if (query->kind == QUERY_FLOOR)
		query->result =
			bpf_blink_floor(query->handle, query->key, &entry);
	else
		query->result =
			bpf_blink_ceiling(query->handle, query->key, &entry);
	query->found = entry.key;
	query->value = entry.value;
}

static void note(struct query *query, const struct blink_tree_entry *entry)
{
	query->found = entry->key;
	query->value = entry->value;
	query->sum = query_sum(query->sum, entry->key, entry->value);
	query->count++;
}

static void walk(struct query *query)
{
	const struct blink_tree_entry *entry;
	struct bpf_iter_blink it;

	query->result = bpf_iter_blink_new(&it, query->handle, query->key,
					   query->last, query->flags);
	while ((entry = blink_next(&it)))
		note(query, entry);
	query->error = bpf_blink_iter_error(&it);
	bpf_iter_blink_destroy(&it);
}

static void loop(struct query *query)
{
	const struct blink_tree_entry *entry;

	blink_for_each(entry, query->handle, query->key, query->last,
		       query->flags)
	{
		note(query, entry);
		if (query->count == query->most)
			break;
	}
}

SEC("syscall")
int run_query(struct query *query)
{
	if (query->kind == QUERY_WALK)
		walk(query);
	else if (query->kind == QUERY_LOOP)
		loop(query);
	else
		find(query);
	return 0;
}

char _license[] SEC("license") = "GPL";
