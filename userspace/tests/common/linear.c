// SPDX-License-Identifier: GPL-2.0
/* The search for an order of operations that explains their answers: see linear.h. */
#include <linux/kernel.h>
#include <stdio.h>
#include <string.h>

#include "../../../kunit/keys_names.h"
#include "linear.h"

/* A search: the map so far, the map at the end, and the operations to order. */
struct search_of {
	struct model *map;
	const struct model *final;
	struct record *records;
	unsigned int nr;
};

static bool same_maps(const struct model *a, const struct model *b)
{
	unsigned int i;

	for (i = 0; i < a->nr; i++)
		if (a->present[i] != b->present[i] ||
		    (a->present[i] && a->value[i] != b->value[i]))
			return false;
	return true;
}

static bool explained(const struct search_of *s, struct record *last);

/* Take @r for the next one in the order. */
static bool explained_with(const struct search_of *s, struct record *r)
{
	struct model *map = s->map;
	unsigned int i = model_place(map, &r->asked), count = map->count;
	bool known = i < map->nr, present = known && map->present[i];
	u64 value = known ? map->value[i] : 0;
	struct blink_tree_ioc_op op = r->asked;
	bool ok;

	model_apply(map, &op);
	r->done = true;
	ok = (r->any || !memcmp(&op, &r->got, sizeof(op))) && explained(s, r);
	r->done = false;
	map->count = count;
	if (known) {
		map->present[i] = present;
		map->value[i] = value;
	}
	return ok;
}

/*
 * Search for an order of the operations that are not done yet. @last: the one that was
 * taken last, or NULL.
 */
static bool explained(const struct search_of *s, struct record *last)
{
	struct record *r, *end = s->records + s->nr;
	u64 first_end = U64_MAX;

	if (last && last + 1 < end && last[1].with)
		return explained_with(s, last + 1);
	for (r = s->records; r < end; r++)
		if (!r->done)
			first_end = min(first_end, r->end);
	if (first_end == U64_MAX)
		return same_maps(s->map, s->final);
	for (r = s->records; r < end; r++)
		if (!r->done && !r->with && r->begin < first_end &&
		    (!r->behind || r[-1].done) && explained_with(s, r))
			return true;
	return false;
}

bool linear_explained(struct model *map, const struct model *final,
		      struct record *records, unsigned int nr)
{
	const struct search_of s = { map, final, records, nr };

	return explained(&s, NULL);
}

bool linear_read(struct model *map, struct blink_tree *tree)
{
	struct blink_cursor cursor;
	struct blink_tree_entry entry;
	unsigned int i;

	memset(map->present, 0, map->nr * sizeof(*map->present));
	map->count = 0;
	blink_tree_for_each(&cursor, tree, &entry) {
		i = model_rank(map, entry.key);
		if (i == map->nr || map->key[i] != entry.key || map->present[i])
			return false;
		map->present[i] = true;
		map->value[i] = entry.value;
		map->count++;
	}
	return true;
}

void linear_print_map(const char *when, const struct model *map)
{
	unsigned int i;

	printf("# %s:", when);
	for (i = 0; i < map->nr; i++)
		if (map->present[i])
			printf(" %llu=%llu", map->key[i], map->value[i]);
	printf("\n");
}

void linear_print(const struct record *records, unsigned int nr,
		  const char *const *more)
{
	static const char *const names[BLINK_TREE_OP_NR] = {
		"lookup",  "insert",  "store",	  "replace",
		"erase",   "cmpxchg", "cmperase", "floor",
		"ceiling", "get",     "pop_min",  "pop_max",
		"expect",  "absent",  "add",	  "add_saturate",
	};
	const struct record *r;
	unsigned int op;

	for (r = records; r < records + nr; r++) {
		op = r->asked.opcode;
		printf("#   [%llu, %llu] fiber %u: %s %llu (%llu) = %d:",
		       r->begin, r->end, r->fiber,
		       op < BLINK_TREE_OP_NR ? names[op] :
					       more[op - BLINK_TREE_OP_NR],
		       r->asked.key, r->asked.value, r->got.result);
		printf(" key %llu, value %llu, old %llu%s\n", r->got.key,
		       r->got.value, r->got.old, r->end ? "" : ", under way");
	}
}
