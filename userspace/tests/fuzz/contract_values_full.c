// SPDX-License-Identifier: GPL-2.0
/* Values of bytes of many keys, their memory, and trees that have no room for more. */
#include <string.h>

#define TAP_ELSEWHERE
#include "../common/tap.h"
#include "contract_values.h"
#include "memory.h"

#define MANY 100

#define OP(op, ...) (r = ONE(tree, op, ##__VA_ARGS__), &r)

/* The entry that a search found, or that a pop removed. */
static bool found(const struct values_rec *r, unsigned int number)
{
	return !r->result && string_same(r->key, values_key(number)) &&
	       string_same(r->value, values_like(number, number * 7)) &&
	       !r->old.length;
}

static bool popped(const struct values_rec *r, unsigned int number)
{
	return !r->result && string_same(r->key, values_key(number)) &&
	       string_same(r->old, values_like(number, number * 7)) &&
	       !r->value.length;
}

static __u64 value_bytes(int tree)
{
	struct blink_tree_ioc_stats stats = {};

	tap_check(!call(tree, BLINK_TREE_IOC_STATS, &stats));
	return stats.block_bytes;
}

/* Keys with even numbers, in some order, and searches between them. */
static void many_keys(int tree)
{
	struct values_rec r;
	unsigned int i, key;

	for (i = 0; i < MANY; i++) {
		key = i * 7 % MANY * 2 + 2;
		tap_check(!OP(INSERT, .key = values_key(key),
			      .value = values_like(key, key * 7))
				   ->result);
	}
	tap_check(values_entries(tree) == MANY);
	tap_check(value_bytes(tree) >= MANY * (MANY + 1) * 7);
	for (key = 2; key < 2 * MANY; key++) {
		tap_check(found(OP(FLOOR, .key = values_key(key)), key & ~1u));
		tap_check(found(OP(CEILING, .key = values_key(key)),
				(key + 1) & ~1u));
	}
	for (i = 2; i <= MANY; i += 2) {
		tap_check(popped(OP(POP_MIN, .key = values_key(1)), i));
		tap_check(popped(OP(POP_MAX, .key = values_key(201)),
				 2 * MANY + 2 - i));
	}
	tap_check(!values_entries(tree));
	if (!STAND_INS)
		return;
	live_objects();
	tap_check(!value_bytes(tree));
}

void values_of_many_keys(void)
{
	with_each_kind(many_keys, 0, 0);
	tap_case(
		"values of bytes are found beside others, and their memory told");
}

/* To replace a value needs room for both; to remove one needs no room. */
static void replacing(int tree)
{
	const struct string x = STRING("x"), y = values_like(2, VALUES_MAX);
	const __u32 limit = BLINK_TREE_ATTR_MAX_BYTES;
	struct blink_tree_ioc_attr full = { .flags = limit, .max_bytes = 1 };
	struct blink_tree_ioc_attr none = { .flags = limit };
	struct values_rec r;

#define KEY .key = values_key(5)
	tap_check(!OP(INSERT, KEY, .value = x)->result);
	tap_check(!call(tree, BLINK_TREE_IOC_ATTR, &full));
	tap_check(OP(STORE, KEY, .value = y)->result == -ENOSPC);
	tap_check(OP(REPLACE, KEY, .value = y)->result == -ENOSPC);
	tap_check(OP(CMPXCHG, KEY, .value = y, .old = x)->result == -ENOSPC);
	tap_check(has_value(OP(LOOKUP, KEY), 0, x));
	tap_check(has_old(OP(CMPERASE, KEY, .old = y), -ESTALE, x));
	tap_check(has_old(OP(ERASE, KEY), 0, x));
	tap_check(!call(tree, BLINK_TREE_IOC_ATTR, &none));
	tap_check(!OP(INSERT, KEY, .value = y)->result);
	tap_check(values_entries(tree) == 1);
}

/* As many of the longest values as a limit of bytes has room for. */
static void filled(int tree)
{
	struct values_rec r = {};
	unsigned int nr, i;

	for (nr = 0; nr < MANY && !r.result; nr++)
		r = ONE(tree, INSERT, .key = values_key(nr),
			.value = values_like(nr, VALUES_MAX));
	nr--;
	tap_check(r.result == -ENOSPC && !r.old.length);
	tap_check(nr > 10 && nr < 200000 / VALUES_MAX);
	for (i = 0; i < nr; i++)
		tap_check(has_value(OP(LOOKUP, .key = values_key(i)), 0,
				    values_like(i, VALUES_MAX)));
	tap_check(OP(STORE, .key = values_key(nr),
		     .value = values_like(1, VALUES_MAX))
			  ->result == -ENOSPC);
	tap_check(values_entries(tree) == nr);
}

static void limited(int tree)
{
	struct values_rec r;
	unsigned int i;

	for (i = 0; i < 30; i++)
		tap_check(OP(INSERT, .key = values_key(i),
			     .value = values_like(i, i))
				  ->result == (i < 20 ? 0 : -ENOSPC));
	tap_check(has_old(OP(STORE, .key = values_key(19),
			     .value = values_like(1, 100)),
			  1, values_like(19, 19)));
	tap_check(values_entries(tree) == 20);
}

void values_in_full_trees(void)
{
	with_each_kind(replacing, 0, 0);
	with_each_kind(filled, 0, 200000);
	with_each_kind(limited, 20, 0);
	tap_case("a tree without room keeps the values that it has");
}
