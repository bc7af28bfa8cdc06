// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on the keys and the values of each kind, where the key is there and where it is
 * not; pairs; and trees that have no room for more.
 */
#include <string.h>

#define TAP_ELSEWHERE
#include "contract_kinds.h"
#include "memory.h"

#define MANY 100

/* Values of bytes by their lengths, and numbers. */
static const size_t lengths[] = { 0, 1, 7, 8, 9, 300, 4095, 4096 };
static const __u64 numbers[] = { 0, 1, 1ULL << 63, ~0ULL };

static unsigned int nr_values(void)
{
	return has_bytes() ? ARRAY_SIZE(lengths) : ARRAY_SIZE(numbers);
}

static struct string any_value(unsigned int which, unsigned int i)
{
	return has_bytes() ? value_nr(which, lengths[i]) :
			     value_nr(numbers[i], 8);
}

/* A key, and those around it, which are no keys if they have no data. */
struct spot {
	struct string less;
	struct string key;
	struct string more;
};

static void absent(int tree, const struct spot *p, struct string x)
{
	struct rec r;

	tap_check(bare(OP(LOOKUP, .key = p->key), -ENOENT));
	tap_check(bare(OP(REPLACE, .key = p->key, .value = x), -ENOENT));
	tap_check(bare(OP(CMPXCHG, .key = p->key, .value = x, .old = x),
		       -ENOENT));
	tap_check(bare(OP(CMPERASE, .key = p->key, .old = x), -ENOENT));
	tap_check(bare(OP(ERASE, .key = p->key), -ENOENT));
	tap_check(bare(OP(FLOOR, .key = p->key), -ENOENT));
	tap_check(bare(OP(CEILING, .key = p->key), -ENOENT));
	tap_check(bare(OP(POP_MIN, .key = p->key), -ENOENT));
	tap_check(bare(OP(POP_MAX, .key = p->key), -ENOENT));
}

/* The key has the value, and its neighbours find it. */
static void searched(int tree, const struct spot *p, struct string x)
{
	struct rec r;

	tap_check(has_value(OP(LOOKUP, .key = p->key), x));
	tap_check(found(OP(FLOOR, .key = p->key), p->key, x));
	tap_check(found(OP(CEILING, .key = p->key), p->key, x));
	if (p->less.data) {
		tap_check(bare(OP(LOOKUP, .key = p->less), -ENOENT));
		tap_check(bare(OP(FLOOR, .key = p->less), -ENOENT));
		tap_check(bare(OP(POP_MAX, .key = p->less), -ENOENT));
		tap_check(found(OP(CEILING, .key = p->less), p->key, x));
	}
	if (p->more.data) {
		tap_check(bare(OP(LOOKUP, .key = p->more), -ENOENT));
		tap_check(bare(OP(CEILING, .key = p->more), -ENOENT));
		tap_check(bare(OP(POP_MIN, .key = p->more), -ENOENT));
		tap_check(found(OP(FLOOR, .key = p->more), p->key, x));
	}
}

static void replaced(int tree, const struct spot *p, struct string x,
		     struct string y)
{
	const bool same = string_same(x, y);
	struct rec r;

	tap_check(bare(OP(INSERT, .key = p->key, .value = x), 0));
	tap_check(has_old(OP(INSERT, .key = p->key, .value = y), -EEXIST, x));
	tap_check(has_old(OP(GET_OR_INSERT, .key = p->key, .value = y), 1, x));
	searched(tree, p, x);
	tap_check(has_old(OP(STORE, .key = p->key, .value = y), 1, x));
	searched(tree, p, y);
	tap_check(has_old(OP(REPLACE, .key = p->key, .value = x), 0, y));
	if (!same) {
		tap_check(has_old(OP(CMPXCHG, .key = p->key, .value = y,
				     .old = y),
				  -ESTALE, x));
		tap_check(has_old(OP(CMPERASE, .key = p->key, .old = y),
				  -ESTALE, x));
	}
	tap_check(has_old(OP(CMPXCHG, .key = p->key, .value = y, .old = x), 0,
			  x));
	searched(tree, p, y);
	tap_check(has_old(OP(CMPERASE, .key = p->key, .old = y), 0, y));
	tap_check(bare(OP(LOOKUP, .key = p->key), -ENOENT));
}

/* The sum of two numbers, within the limits of a value. @y has a sign. */
static __u64 sum_within(__u64 x, __u64 y)
{
	const __int128 exact = (__int128)x + (__s64)y;

	return exact < 0 ? 0 : exact > ~0ULL ? ~0ULL : exact;
}

/* Numbers are added to the value of a key that is absent, and of one that is present. */
static void added(int tree, const struct spot *p, struct string x,
		  struct string y)
{
	__u64 a, b;
	struct rec r;

	if (has_bytes()) {
		tap_check(
			bare(OP(ADD, .key = p->key, .value = y), -EOPNOTSUPP));
		tap_check(bare(OP(ADD_SATURATE, .key = p->key, .value = y),
			       -EOPNOTSUPP));
		return;
	}
	memcpy(&a, x.data, sizeof(a));
	memcpy(&b, y.data, sizeof(b));
	tap_check(bare(OP(ADD, .key = p->key, .value = x), 0));
	tap_check(has_old(OP(ADD, .key = p->key, .value = y), 1, x));
	searched(tree, p, WORD(a + b));
	tap_check(
		has_old(OP(STORE, .key = p->key, .value = x), 1, WORD(a + b)));
	tap_check(has_old(OP(ADD_SATURATE, .key = p->key, .value = y), 1, x));
	searched(tree, p, WORD(sum_within(a, b)));
	tap_check(has_old(OP(ERASE, .key = p->key), 0, WORD(sum_within(a, b))));
	tap_check(bare(OP(ADD_SATURATE, .key = p->key, .value = y), 0));
	tap_check(has_old(OP(ERASE, .key = p->key), 0, WORD(sum_within(0, b))));
}

static void removed(int tree, const struct spot *p, struct string y)
{
	const struct string less = p->less.data ? p->less : p->key;
	const struct string more = p->more.data ? p->more : p->key;
	struct rec r;

	tap_check(bare(OP(GET_OR_INSERT, .key = p->key, .value = y), 0));
	tap_check(popped(OP(POP_MIN, .key = less), p->key, y));
	tap_check(bare(OP(STORE, .key = p->key, .value = y), 0));
	tap_check(popped(OP(POP_MAX, .key = more), p->key, y));
	tap_check(bare(OP(STORE, .key = p->key, .value = y), 0));
	tap_check(has_old(OP(ERASE, .key = p->key), 0, y));
	tap_check(!entries_of(tree));
}

/* Each operation on each value, of a key between others. */
static void operations_at(int tree, const struct spot *p)
{
	unsigned int i, j;

	for (i = 0; i < nr_values(); i++) {
		absent(tree, p, any_value(1, i));
		for (j = 0; j < nr_values(); j++) {
			replaced(tree, p, any_value(1, i), any_value(2, j));
			added(tree, p, any_value(1, i), any_value(2, j));
		}
		removed(tree, p, any_value(2, i));
	}
}

/* A number between its neighbours, if it has them. */
static void operations_at_number(int tree, __u64 number)
{
	unsigned char bytes[3][8];
	struct spot p = { .key = number_put(bytes[1], BLINK_TREE_KEY_U64, 0,
					    number) };

	if (number)
		p.less =
			number_put(bytes[0], BLINK_TREE_KEY_U64, 0, number - 1);
	if (number + 1)
		p.more =
			number_put(bytes[2], BLINK_TREE_KEY_U64, 0, number + 1);
	operations_at(tree, &p);
}

static void operations(int tree)
{
	static const __u64 ends[] = { 0, 1, 1ULL << 63, ~0ULL - 1, ~0ULL };
	unsigned char bytes[3][RECORD_KEY_MAX];
	struct string keys[3] = { key_nr(8), key_nr(9), key_nr(10) };
	struct spot p;
	unsigned int i;

	/* Their content stays. */
	for (i = 0; i < 3; i++)
		keys[i].data = memcpy(bytes[i], keys[i].data, keys[i].length);
	p = (struct spot){ keys[0], keys[1], keys[2] };
	operations_at(tree, &p);
	for (way = BY_OP; way < WAYS && is_u64(); way++)
		for (i = 0; i < ARRAY_SIZE(ends); i++)
			operations_at_number(tree, ends[i]);
	way = BY_RECORDS;
	/* The values that remain are freed with their tree. */
	for (i = 0; i < nr_values(); i++)
		ONE(tree, STORE, .key = key_nr(i), .value = any_value(i, i));
}

void operations_of_all_ways(void)
{
	with_each_kind(KIND_UNIQUE, 0, 0, operations);
	tap_case("each operation on unique keys tells what it found");
}

static struct string value_of(unsigned int number)
{
	return value_nr(number, number * 7);
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
	struct rec r;
	unsigned int i, key;

	for (i = 0; i < MANY; i++) {
		key = i * 7 % MANY * 2 + 2;
		tap_check(bare(OP(INSERT, .key = key_nr(key),
				  .value = value_of(key)),
			       0));
	}
	tap_check(entries_of(tree) == MANY);
	tap_check(!has_bytes() || value_bytes(tree) >= MANY * (MANY + 1) * 7);
	for (key = 2; key < 2 * MANY; key++) {
		tap_check(found(OP(FLOOR, .key = key_nr(key)),
				key_nr(key & ~1u), value_of(key & ~1u)));
		i = (key + 1) & ~1u;
		tap_check(found(OP(CEILING, .key = key_nr(key)), key_nr(i),
				value_of(i)));
	}
	for (i = 2; i <= MANY; i += 2) {
		key = 2 * MANY + 2 - i;
		tap_check(popped(OP(POP_MIN, .key = key_nr(1)), key_nr(i),
				 value_of(i)));
		tap_check(popped(OP(POP_MAX, .key = key_nr(201)), key_nr(key),
				 value_of(key)));
	}
	tap_check(!entries_of(tree));
	if (!STAND_INS || !has_bytes())
		return;
	live_objects();
	tap_check(!value_bytes(tree));
}

void operations_on_many_keys(void)
{
	with_each_kind(KIND_UNIQUE, 0, 0, many_keys);
	tap_case("keys are found beside others, and the memory of values told");
}

#define ROOM 30
#define EXCESS 10

/* All operations of a batch, each of which fails by itself. */
static void fill_by_batch(int tree)
{
	struct blink_tree_ioc_op *ops = array((ROOM + EXCESS) * sizeof(*ops));
	struct blink_tree_ioc_batch arg = {
		.count = ROOM + EXCESS,
		.ops = array_address(),
		.op_size = sizeof(*ops),
	};
	unsigned int i;

	for (i = 0; i < arg.count; i++)
		ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_INSERT, .key = i
		};
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &arg));
	tap_check(arg.done == ROOM + EXCESS);
	for (i = 0; i < arg.done; i++)
		tap_check(ops[i].result == (i < ROOM ? 0 : -ENOSPC));
	tap_check(entries_of(tree) == ROOM);
	for (i = 0; i < arg.count; i++)
		ops[i].opcode = BLINK_TREE_OP_ERASE;
	tap_check(!call(tree, BLINK_TREE_IOC_BATCH, &arg));
}

/* So does each of a stream. A key that is there needs no room, one that goes makes some. */
static void limited(int tree)
{
	const bool pairs = kind->group == KIND_PAIRS;
	struct blink_tree_ioc_records arg = {};
	struct rec r = {};
	size_t at = 0;
	unsigned int i;

	if (is_u64())
		fill_by_batch(tree);
	stream_fill(BLINK_TREE_OP_INSERT, ROOM + EXCESS);
	tap_check(!stream_execute(tree, STREAM_BYTES, &arg));
	tap_check(arg.done == ROOM + EXCESS);
	for (i = 0; i < arg.done; i++) {
		at += rec_get(output + at, arg.output_used - at, &r);
		tap_check(bare(&r, i < ROOM ? 0 : -ENOSPC));
	}
	tap_check(bare(OP(STORE, .key = key_short(40), .value = value_nr(0, 8)),
		       -ENOSPC));
	tap_check(has_old(OP(STORE, .key = key_short(29),
			     .value = value_nr(29, 8)),
			  1, pairs ? NO_STRING : value_nr(29, 8)));
	tap_check(OP(REPLACE, .key = key_short(29), .value = value_nr(29, 8))
			  ->result == (pairs ? -EOPNOTSUPP : 0));
	tap_check(OP(INSERT, .key = key_short(0), .value = value_nr(0, 8))
			  ->result == -EEXIST);
	tap_check(bare(OP(ERASE, .key = key_short(40)), -ENOENT));
	tap_check(OP(ERASE, .key = key_short(3))->result == pairs);
	tap_check(bare(OP(STORE, .key = key_short(40), .value = value_nr(0, 8)),
		       0));
	tap_check(bare(OP(INSERT, .key = key_short(3), .value = value_nr(0, 8)),
		       -ENOSPC));
	tap_check(entries_of(tree) == ROOM);
}

/* To replace a value needs room for both; to remove one needs no room. */
static void replacing(int tree)
{
	const struct string x = STRING("x"), y = value_nr(2, RECORD_VALUE_MAX);
	const __u32 limit = BLINK_TREE_ATTR_MAX_BYTES;
	struct blink_tree_ioc_attr full = { .flags = limit, .max_bytes = 1 };
	struct blink_tree_ioc_attr none = { .flags = limit };
	struct rec r;

#define KEY .key = key_nr(5)
	tap_check(bare(OP(INSERT, KEY, .value = x), 0));
	tap_check(!call(tree, BLINK_TREE_IOC_ATTR, &full));
	tap_check(OP(STORE, KEY, .value = y)->result == -ENOSPC);
	tap_check(OP(REPLACE, KEY, .value = y)->result == -ENOSPC);
	tap_check(OP(CMPXCHG, KEY, .value = y, .old = x)->result == -ENOSPC);
	tap_check(has_value(OP(LOOKUP, KEY), x));
	tap_check(has_old(OP(CMPERASE, KEY, .old = y), -ESTALE, x));
	tap_check(has_old(OP(ERASE, KEY), 0, x));
	tap_check(!call(tree, BLINK_TREE_IOC_ATTR, &none));
	tap_check(bare(OP(INSERT, KEY, .value = y), 0));
	tap_check(entries_of(tree) == 1);
}

/* As many of the longest values as a limit of bytes has room for. */
static void filled(int tree)
{
	struct rec r = {};
	unsigned int nr, i;

	for (nr = 0; nr < MANY && !r.result; nr++)
		r = ONE(tree, INSERT, .key = key_nr(nr),
			.value = value_nr(nr, RECORD_VALUE_MAX));
	nr--;
	tap_check(bare(&r, -ENOSPC));
	tap_check(nr > 10 && nr < 200000 / RECORD_VALUE_MAX);
	for (i = 0; i < nr; i++)
		tap_check(has_value(OP(LOOKUP, .key = key_nr(i)),
				    value_nr(i, RECORD_VALUE_MAX)));
	tap_check(bare(OP(STORE, .key = key_nr(nr),
			  .value = value_nr(1, RECORD_VALUE_MAX)),
		       -ENOSPC));
	tap_check(entries_of(tree) == nr);
}

void full_trees(void)
{
	with_each_kind(KIND_ALL, ROOM, 0, limited);
	with_each_kind(KIND_BYTES, 0, 0, replacing);
	with_each_kind(KIND_BYTES, 0, 200000, filled);
	tap_case(
		"a full tree refuses each new key by itself, and keeps the others");
}

static void add_pairs(int tree, __u64 first, unsigned int nr)
{
	struct rec r;

	for (; nr; nr--, first++)
		tap_check(bare(OP(INSERT, .key = key_nr(5),
				  .value = value_nr(first, 8)),
			       0));
}

#define VALUE(number) .value = value_nr(number, 8)

static void pairs(int tree)
{
	const struct string last = WORD(~0ULL);
	struct rec r;

	add_pairs(tree, 10, 3);
	tap_check(bare(OP(INSERT, .key = key_nr(7), .value = last), 0));
	tap_check(bare(OP(INSERT, KEY, VALUE(11)), -EEXIST));
	tap_check(bare(OP(STORE, KEY, VALUE(11)), 1));
	tap_check(has_value(OP(LOOKUP, KEY), value_nr(10, 8)));
	tap_check(bare(OP(LOOKUP, .key = key_nr(4)), -ENOENT));
	tap_check(bare(OP(LOOKUP, .key = key_nr(6)), -ENOENT));
	tap_check(
		found(OP(FLOOR, .key = key_nr(6)), key_nr(5), value_nr(12, 8)));
	tap_check(found(OP(FLOOR, KEY), key_nr(5), value_nr(12, 8)));
	tap_check(found(OP(FLOOR, KEY, VALUE(11)), key_nr(5), value_nr(11, 8)));
	tap_check(found(OP(CEILING, KEY), key_nr(5), value_nr(10, 8)));
	tap_check(found(OP(CEILING, KEY, VALUE(13)), key_nr(7), last));
	tap_check(bare(OP(REPLACE, KEY), -EOPNOTSUPP));
	tap_check(bare(OP(CMPXCHG, KEY), -EOPNOTSUPP));
	tap_check(bare(OP(GET_OR_INSERT, KEY), -EOPNOTSUPP));
	tap_check(bare(OP(ADD, KEY, VALUE(1)), -EOPNOTSUPP));
	tap_check(bare(OP(ADD_SATURATE, KEY, VALUE(1)), -EOPNOTSUPP));
	tap_check(bare(OP(CMPERASE, KEY), -EINVAL));
	tap_check(bare(OP(ERASE, KEY, VALUE(0)), -EINVAL));
	tap_check(bare(OP(CMPERASE, KEY, .old = value_nr(9, 8)), -ENOENT));
	tap_check(bare(OP(CMPERASE, KEY, .old = value_nr(10, 8)), 0));
	tap_check(entries_of(tree) == 3);
	tap_check(popped(OP(POP_MAX, KEY), key_nr(5), value_nr(12, 8)));
	tap_check(popped(OP(POP_MIN, .key = key_nr(6), VALUE(0)), key_nr(7),
			 last));
	add_pairs(tree, 100, 60);
	tap_check(bare(OP(ERASE, KEY), 61));
	tap_check(bare(OP(ERASE, KEY), -ENOENT));
	tap_check(!entries_of(tree));
}

/* More than a call erases before it looks for signals. */
#define PAIRS 3000

static void fill_pairs(int tree)
{
	struct blink_tree_ioc_records arg = {
		.flags = BLINK_TREE_RECORDS_LOAD,
		.fill = 100,
	};
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		stream_size = i % MANY ? stream_size : 0;
		ADD(INSERT, KEY, VALUE(i));
		if (i % MANY == MANY - 1)
			tap_check(!stream_execute(tree, 0, &arg) &&
				  arg.done == MANY);
	}
}

/* A signal comes after each part of an ERASE of many pairs. */
static void pairs_in_parts(int tree)
{
	unsigned int parts = 0;
	int removed = 0;
	struct rec r;
	bool pieces;

	fill_pairs(tree);
	tap_check(bare(OP(INSERT, .key = key_nr(6), VALUE(1)), 0));
	pieces = interrupt(true);
	do {
		r = ONE(tree, ERASE, KEY);
		tap_check(r.result > 0 || (parts && r.result == -ENOENT));
		tap_check(!r.flags || r.flags == BLINK_TREE_RECORD_MORE);
		removed += r.result > 0 ? r.result : 0;
	} while (r.flags && ++parts < PAIRS);
	interrupt(false);
	tap_check(removed == PAIRS && entries_of(tree) == 1);
	tap_check(!parts == !pieces);
}

/* The operations behind an ERASE wait for all of its parts. */
static void pairs_added_behind(int tree)
{
	struct blink_tree_ioc_records arg;
	unsigned int parts = 0;
	bool pieces;
	struct rec r;

	fill_pairs(tree);
	stream_size = 0;
	ADD(ERASE, KEY);
	ADD(INSERT, KEY, VALUE(PAIRS));
	ADD(INSERT, KEY, VALUE(PAIRS - 1));
	pieces = interrupt(true);
	do {
		arg = (struct blink_tree_ioc_records){};
		tap_check(!stream_execute(tree, STREAM_BYTES, &arg));
		rec_get(output, arg.output_used, &r);
		tap_check(arg.done == (r.flags ? 1 : 3));
		tap_check(r.flags ? arg.input_used < stream_size :
				    arg.input_used == stream_size);
	} while (r.flags && ++parts < PAIRS);
	interrupt(false);
	tap_check(!parts == !pieces && entries_of(tree) == 2);
}

void operations_on_pairs(void)
{
	with_each_kind(KIND_PAIRS, 0, 0, pairs);
	with_each_kind(KIND_PAIRS, 0, 0, pairs_in_parts);
	with_each_kind(KIND_PAIRS, 0, 0, pairs_added_behind);
	tap_case("a tree of pairs has several values for a key");
}
