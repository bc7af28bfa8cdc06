// SPDX-License-Identifier: GPL-2.0
/*
 * Do narrow leaves (core/node/narrow.h) keep their entries, whatever form they have?
 * Two leaves are compared with an array while entries of all widths are added,
 * removed and overwritten, and while the leaves are split and merged.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/index/walk.h"
#include "core/node/entries.h"
#include "core/node/form.h"
#include "core/node/search.h"
#include "core/node/section.h"
#include "core/op/batch.h"
#include "scenario.h"
#include "test.h"

#define ROUNDS 300
#define STEPS 400

static struct blink_tree *tree;
static u64 dice;

/* The entries that the leaf should have, in order. */
static struct blink_tree_entry model[BLINK_NARROW_SLOTS + 1];
static unsigned int nr;

/* A tree with keys from 0 on. */
static void fill(u64 max_entries, u64 nr, u64 value)
{
	const struct blink_tree_params params = {
		.flags = BLINK_TREE_COMPRESS,
		.max_entries = max_entries,
	};
	u64 key;

	tree = blink_tree_create(&params, GFP_KERNEL);
	for (key = 0; key < nr; key++)
		EXPECT_INSERT(tree, key, value);
}

/* Numbers of many sizes. */
static u64 any_number(unsigned int bits)
{
	return random_next(&dice) >> (64 - bits + random_below(&dice, bits));
}

static struct blink_node *make_leaf(void)
{
	struct blink_node *leaf =
		aligned_alloc(L1_CACHE_BYTES, BLINK_LEAF_BYTES);

	if (!leaf)
		shim_die(__FILE__, __LINE__, "no memory");
	blink_node_init(tree, leaf, 0);
	return leaf;
}

/* The place of a key in the model, and whether it is there. */
static unsigned int place(u64 key, bool *there)
{
	unsigned int i = 0;

	while (i < nr && model[i].key < key)
		i++;
	*there = i < nr && model[i].key == key;
	return i;
}

static void expect_search(const struct blink_node *leaf, unsigned int first,
			  u64 key)
{
	unsigned int form = blink_leaf_form(leaf), less = 0;

	while (less < leaf->count && model[first + less].key < key)
		less++;
	if (form)
		EXPECT_EQ(blink_leaf_search(leaf, form, key), less);
	else
		EXPECT_EQ(min_t(unsigned int, leaf->count,
				blink_leaf_search(leaf, 0, key)),
			  less);
}

/* The leaf has the entries of the model from @first on. */
static void expect_leaf(const struct blink_node *leaf, unsigned int first,
			unsigned int count)
{
	unsigned int form = blink_leaf_form(leaf), i;
	const struct blink_tree_entry *entry;

	EXPECT_EQ(leaf->count, count);
	EXPECT(count <= blink_leaf_slots(form));
	for (i = 0; i < count; i++) {
		entry = &model[first + i];
		EXPECT_EQ(blink_leaf_key(leaf, form, i), entry->key);
		EXPECT_EQ(blink_leaf_value(leaf, form, i), entry->value);
		expect_search(leaf, first, entry->key - 1);
		expect_search(leaf, first, entry->key);
		expect_search(leaf, first, entry->key + 1);
	}
	expect_search(leaf, first, leaf->low);
	expect_search(leaf, first, leaf->low + any_number(64));
	expect_search(leaf, first, U64_MAX);
	for (i = count; !form && i < BLINK_LEAF_SLOTS; i++)
		EXPECT_EQ(leaf->slot[i], BLINK_SLOT_UNUSED);
}

static void add_to_model(unsigned int at, u64 key, u64 value)
{
	memmove(model + at + 1, model + at, (nr - at) * sizeof(*model));
	model[at] = (struct blink_tree_entry){ .key = key, .value = value };
	nr++;
}

/* Split the leaf, with the entry or without it, and take both parts for one leaf. */
static struct blink_node *split(struct blink_node *leaf, unsigned int pos,
				u64 key, u64 value)
{
	bool adds = pos != BLINK_POS_NONE &&
		    blink_leaf_splits(leaf, pos, key, value);
	struct blink_node *right = make_leaf(), *keep = leaf, *drop = right;
	unsigned int left_count;

	if (adds)
		add_to_model(pos, key, value);
	blink_lock(&right->lock);
	blink_node_split(tree, leaf, right, adds ? pos : BLINK_POS_NONE, key,
			 value);
	left_count = leaf->count;
	EXPECT(left_count && right->count);
	EXPECT_EQ(left_count + right->count, nr);
	EXPECT_EQ(right->low, leaf->high);
	expect_leaf(leaf, 0, left_count);
	expect_leaf(right, left_count, nr - left_count);
	if (nr <= blink_node_merge_limit(leaf)) {
		blink_node_absorb(leaf, right);
	} else if (random_below(&dice, 2)) {
		keep = right;
		drop = leaf;
		nr -= left_count;
		memmove(model, model + left_count, nr * sizeof(*model));
	} else {
		nr = left_count;
		leaf->high = U64_MAX;
		RCU_INIT_POINTER(leaf->right, NULL);
	}
	blink_unlock(&drop->lock);
	free(drop);
	return keep;
}

static struct blink_node *insert(struct blink_node *leaf, u64 key, u64 value)
{
	bool there;
	unsigned int at = place(key, &there);

	if (there) {
		if (blink_leaf_set_value(leaf, at, value))
			model[at].value = value;
		else
			leaf = split(leaf, BLINK_POS_NONE, 0, 0);
	} else if (blink_leaf_room(leaf, key, value)) {
		blink_node_insert(leaf, at, key, value);
		add_to_model(at, key, value);
	} else {
		leaf = split(leaf, at, key, value);
	}
	return leaf;
}

static void remove_some(struct blink_node *leaf)
{
	unsigned int at = random_below(&dice, nr);
	unsigned int n = 1 + random_below(&dice, min(nr - at, 5U));

	blink_node_remove(leaf, at, n);
	nr -= n;
	memmove(model + at, model + at + n, (nr - at) * sizeof(*model));
}

/* Entries behind all others, as a bulk load adds them. */
static void append_some(struct blink_node *leaf, unsigned int key_bits,
			unsigned int value_bits)
{
	struct blink_tree_entry entries[20];
	u64 key = nr ? model[nr - 1].key : leaf->low;
	unsigned int i, n;

	for (n = 0; n < ARRAY_SIZE(entries); n++) {
		u64 step = 1 + any_number(key_bits) / 64;

		if (key > U64_MAX - step)
			break;
		key += step;
		entries[n].key = key;
		entries[n].value = any_number(value_bits);
	}
	n = blink_narrow_run(leaf, false, entries, n, 100);
	blink_leaf_append(leaf, entries, n);
	for (i = 0; i < n; i++)
		model[nr++] = entries[i];
}

/* A life of a leaf, with keys and values of at most so many bits. */
static void live(unsigned int key_bits, unsigned int value_bits)
{
	struct blink_node *leaf = make_leaf();
	unsigned int step, action, wide;
	u64 key;

	nr = 0;
	blink_lock(&leaf->lock);
	leaf->low = any_number(64) / 2;
	leaf->flags &= ~BLINK_NODE_LEFTMOST;
	for (step = 0; step < STEPS; step++) {
		action = random_below(&dice, 20);
		wide = random_below(&dice, 30) ? value_bits : 64;
		key = leaf->low + 1 + any_number(key_bits);
		if (key <= leaf->low)
			continue;
		if (action < 4 && nr)
			remove_some(leaf);
		else if (action == 5)
			append_some(leaf, key_bits, value_bits);
		else
			leaf = insert(leaf, key, any_number(wide));
		expect_leaf(leaf, 0, nr);
	}
	blink_unlock(&leaf->lock);
	free(leaf);
}

static void entries_kept(void)
{
	u64 i;

	dice = test_seed();
	fill(0, 0, 0);
	for (i = 0; i < test_scale(ROUNDS); i++)
		live(1 + random_below(&dice, 63), 1 + random_below(&dice, 64));
	blink_tree_destroy(tree);
}

/* A value that is too wide for a leaf needs memory, and nothing is lost without it. */
static void wide_values(void)
{
	struct blink_tree_ioc_op op = { .opcode = BLINK_TREE_OP_CMPXCHG };
	u64 key, old = 0;

	fill(0, BLINK_NARROW_SLOTS, 1);
	EXPECT_EQ(blink_tree_height(tree), 1);
	shim_self->fail_one_in = 1;
	EXPECT_EQ(blink_tree_replace(tree, 7, U64_MAX, &old), -ENOMEM);
	old = 1;
	EXPECT_EQ(blink_tree_cmpxchg(tree, 7, &old, U64_MAX), -ENOMEM);
	old = 2;
	EXPECT_EQ(blink_tree_cmpxchg(tree, 7, &old, U64_MAX), -ESTALE);
	EXPECT_EQ(old, 1);
	EXPECT_EQ(blink_tree_replace(tree, 1000, U64_MAX, &old), -ENOENT);
	shim_self->fail_one_in = 0;
	EXPECT_EQ(blink_tree_height(tree), 1);
	EXPECT_EQ(blink_tree_replace(tree, 7, U64_MAX, &old), 0);
	EXPECT_EQ(old, 1);
	op.key = 8;
	op.old = 1;
	op.value = U64_MAX - 1;
	blink_tree_op(tree, &op, GFP_KERNEL);
	EXPECT_EQ(op.result, 0);
	for (key = 0; key < BLINK_NARROW_SLOTS; key++)
		EXPECT_FOUND(tree, key,
			     key == 7 ? U64_MAX :
			     key == 8 ? U64_MAX - 1 :
					1);
	EXPECT(blink_tree_height(tree) > 1);
	tree_end(tree);
}

/*
 * Sums that a narrow leaf has no room for: it is split, as often as need be, and each number
 * is added once.
 */
static void wide_sums(void)
{
	struct blink_tree_ioc_op ops[2] = {
		{ .opcode = BLINK_TREE_OP_ADD, .value = -2ULL },
		{ .opcode = BLINK_TREE_OP_LOOKUP },
	};
	u64 key, old = 0;

	fill(0, BLINK_NARROW_SLOTS, 1);
	shim_self->fail_one_in = 1;
	EXPECT_EQ(blink_tree_add(tree, 0, -2ULL, &old, GFP_KERNEL), -ENOMEM);
	EXPECT_FOUND(tree, 0, 1);
	shim_self->fail_one_in = 0;
	for (key = 0; key < BLINK_NARROW_SLOTS; key++) {
		ops[0].key = key;
		ops[1].key = key;
		if (key % 2) {
			blink_tree_batch(tree, ops, 2, GFP_KERNEL);
			EXPECT_EQ(ops[0].result, 1);
			EXPECT_EQ(ops[0].old, 1);
			EXPECT_EQ(ops[1].value, U64_MAX);
		} else {
			EXPECT_EQ(blink_tree_add(tree, key, -2ULL, &old,
						 GFP_KERNEL),
				  1);
			EXPECT_EQ(old, 1);
		}
	}
	for (key = 0; key < BLINK_NARROW_SLOTS; key++)
		EXPECT_FOUND(tree, key, U64_MAX);
	EXPECT(blink_tree_height(tree) > 1);
	tree_end(tree);
}

/* A tree that is full of entries takes any value for those that it has. */
static void wide_values_at_limit(void)
{
	struct blink_tree_ioc_op ops[2] = {
		{ .opcode = BLINK_TREE_OP_STORE, .key = 3, .value = 1ULL << 40 },
		{ .opcode = BLINK_TREE_OP_LOOKUP, .key = 3 },
	};
	u64 old;

	fill(BLINK_NARROW_SLOTS, BLINK_NARROW_SLOTS, 1);
	EXPECT_EQ(blink_tree_add(tree, 4, 1ULL << 41, &old, GFP_KERNEL), 1);
	EXPECT_EQ(blink_tree_insert(tree, 1000, 1, NULL, GFP_KERNEL), -ENOSPC);
	EXPECT_EQ(blink_tree_store(tree, 1, 1ULL << 40, &old, GFP_KERNEL), 1);
	EXPECT_EQ(blink_tree_replace(tree, 2, 1ULL << 40, &old), 0);
	blink_tree_batch(tree, ops, ARRAY_SIZE(ops), GFP_KERNEL);
	EXPECT_EQ(ops[0].result, 1);
	EXPECT_EQ(ops[1].value, 1ULL << 40);
	tree_end(tree);
}

/* One leaf, and one inner node above, are enough if one split makes room. */
static void room_after_a_split(void)
{
	u64 old;

	/* Two more than there is room for with values of 8 bytes. */
	fill(0, blink_form_slots(3) + 2, 1);
	EXPECT_EQ(blink_tree_height(tree), 1);
	shim_self->fail_from = 3;
	EXPECT_EQ(blink_tree_store(tree, 0, U64_MAX, &old, GFP_KERNEL), 1);
	shim_self->fail_from = 0;
	EXPECT_EQ(blink_tree_height(tree), 2);
	tree_end(tree);
}

/* Values that fall give their leaf another base now and then only. */
static void falling_values(void)
{
	const u64 high = 1000000;
	struct blink_node *leaf;
	u32 seq;
	u64 i, old;

	fill(0, BLINK_LEAF_SLOTS, high);
	leaf = rcu_access_pointer(tree->index[0].root);
	seq = leaf->seq;
	for (i = 1; i <= 1000; i++)
		EXPECT_EQ(blink_tree_replace(tree, i % BLINK_LEAF_SLOTS,
					     high - i, &old),
			  0);
	EXPECT(leaf->seq - seq <= 2 * 20);
	tree_end(tree);
}

/* Key @i of a tree whose leaves have keys of eight bytes. */
static u64 far_key(unsigned int i)
{
	return (i + 1ULL) << 40;
}

/* The node of a level that covers a key. No other thread is there. */
static struct blink_node *covering(u64 key, unsigned int level)
{
	struct blink_node *node;

	rcu_read_lock();
	node = blink_descend(tree, &tree->index[0], key, level, NULL);
	rcu_read_unlock();
	return node;
}

/* A leaf behind the first one, with as many entries as one of form 0 has at most. */
static struct blink_node *make_widenable(unsigned int *first)
{
	struct blink_node *leaf;
	unsigned int i;

	fill(0, 0, 0);
	for (i = 0; i < 4 * BLINK_NARROW_SLOTS; i++)
		EXPECT_INSERT(tree, far_key(i), i);
	leaf = rcu_access_pointer(covering(0, 0)->right);
	*first = blink_leaf_bound(leaf, 0) / far_key(0) - 1;
	for (i = *first + leaf->count - 1; leaf->count > BLINK_LEAF_SLOTS; i--)
		EXPECT_ERASE(tree, far_key(i));
	EXPECT(leaf->form);
	return leaf;
}

/*
 * The lookups of a batch arrive at a narrow leaf. Then its first operation gives the leaf
 * the form 0, and the sequence that the node above has: a lookup that takes the read
 * section of that node for one of the leaf finds it valid.
 */
static void widened_in_a_batch(void)
{
	struct blink_tree_ioc_op ops[BLINK_BATCH_WIDTH_MAX] = {};
	unsigned int first, nr, i;
	struct blink_node *leaf, *parent;

	leaf = make_widenable(&first);
	nr = min_t(unsigned int, ARRAY_SIZE(ops), leaf->count);
	for (i = 0; i < nr; i++)
		ops[i].key = far_key(first + i * (leaf->count - 1) / (nr - 1));
	ops[0].opcode = BLINK_TREE_OP_REPLACE;
	ops[0].value = U64_MAX;
	parent = covering(ops[0].key, 1);
	parent->seq = leaf->seq + 2;
	blink_tree_batch(tree, ops, nr, GFP_KERNEL);
	EXPECT_EQ(leaf->form, 0);
	EXPECT_EQ(leaf->seq, parent->seq);
	for (i = 1; i < nr; i++) {
		EXPECT_EQ(ops[i].result, 0);
		EXPECT_EQ(ops[i].value, ops[i].key / far_key(0) - 1);
	}
	blink_tree_destroy(tree);
}

/* A leaf is split more than once for a value, and each index knows all parts of it. */
static void parts_indexed(void)
{
	struct blink_tree_params params = test_params;
	struct blink_tree_ioc_verify report;
	u64 key;

	params.flags |= BLINK_TREE_COMPRESS;
	tree = blink_tree_create(&params, GFP_KERNEL);
	for (key = 0; key < BLINK_NARROW_SLOTS; key++)
		EXPECT_INSERT(tree, key, 1);
	EXPECT_EQ(blink_tree_replace(tree, 7, U64_MAX, NULL), 0);
	EXPECT_EQ(blink_tree_verify(tree, &report), 0);
	EXPECT(report.leaves > 2);
	EXPECT_EQ(report.unindexed, 0);
	blink_tree_destroy(tree);
}

#ifdef SHIM_POINTS

/*
 * Two fibers overwrite values of a leaf by values that take more bytes. If the leaf has
 * no room for them it is split, once or twice. Both begin with a cmpxchg that expects the
 * same value, and at most one of these succeeds.
 */
static void fill_wide_values(struct scenario *s, unsigned int at, u64 *random)
{
	unsigned int fiber, i;

	for (i = 0; i < s->keys.nr; i++)
		if (random_chance(random, 90))
			scenario_add(s, i);
	for (fiber = 0; fiber < 2; fiber++) {
		scenario_op(s, fiber, BLINK_TREE_OP_CMPXCHG, at);
		s->op[fiber][0].old = at;
		scenario_op(s, fiber, BLINK_TREE_OP_REPLACE, at + fiber);
		scenario_op(s, fiber, BLINK_TREE_OP_STORE, at + 2);
		for (i = 0; i < 3; i++)
			s->op[fiber][i].value <<= random_below(random, 50);
	}
	scenario_op(s, 2, BLINK_TREE_OP_ERASE, at + 1);
	scenario_op(s, 2, BLINK_TREE_OP_INSERT, at + 1);
	scenario_scan(s, 3, random_chance(random, 50), at, at + 7, 3);
	scenario_op(s, 3, BLINK_TREE_OP_LOOKUP, at);
	s->batched[0] = random_chance(random, 50);
	s->failing[1] = random_chance(random, 20);
}

/*
 * A leaf is as full as it can be with a wide value, gets a narrow one instead, and then
 * more entries than it had slots. Readers can find the form of one state and the count
 * of the other.
 */
static void fill_grown(struct scenario *s, unsigned int at, u64 *random)
{
	/* Keys of one byte and values of eight. */
	unsigned int nr = blink_form_slots(3), fiber, i;

	(void)at;
	for (i = 0; i < nr; i++)
		scenario_add(s, i);
	scenario_op(s, 0, BLINK_TREE_OP_REPLACE, 0);
	s->op[0][0].value = U64_MAX;
	scenario_op(s, 0, BLINK_TREE_OP_REPLACE, 0);
	scenario_op(s, 0, BLINK_TREE_OP_INSERT, nr);
	scenario_op(s, 0, BLINK_TREE_OP_INSERT, nr + 1);
	for (fiber = 1; fiber < FIBERS_MAX; fiber++)
		for (i = 0; i < SCENARIO_OPS; i++)
			scenario_op(s, fiber, BLINK_TREE_OP_LOOKUP,
				    nr - 1 + random_below(random, 3));
}

/*
 * The first leaf has form 0 for its last keys, which are far from the others. It is
 * split, and becomes narrow, while batches look up the keys that stay in it.
 */
static void fill_narrowed(struct scenario *s, unsigned int at, u64 *random)
{
	const unsigned int near = BLINK_LEAF_SLOTS - 1, far = near + 2;
	unsigned int fiber, i;

	(void)at;
	for (i = near; i < s->keys.nr; i++)
		s->key[i] = far_key(i);
	for (i = 0; i < s->keys.nr; i++)
		if (i < near || i >= far)
			scenario_add(s, i);
	scenario_erase(s, far);
	scenario_op(s, 0, BLINK_TREE_OP_INSERT, near);
	scenario_op(s, 0, BLINK_TREE_OP_INSERT, near + 1);
	for (fiber = 1; fiber < FIBERS_MAX; fiber++) {
		s->batched[fiber] = true;
		for (i = 0; i < SCENARIO_OPS; i++)
			scenario_op(s, fiber, BLINK_TREE_OP_LOOKUP,
				    random_below(random, 2));
	}
}

#endif

const struct test narrow_tests[] = {
	{ "narrow: entries are kept", entries_kept },
	{ "narrow: a wide value needs memory", wide_values },
	{ "narrow: wide sums", wide_sums },
	{ "narrow: a wide value needs no more entries", wide_values_at_limit },
	{ "narrow: one split can be enough", room_after_a_split },
	{ "narrow: values that fall", falling_values },
	{ "narrow: a leaf gets form 0 within a batch", widened_in_a_batch },
	{ "narrow: indexes know all parts of a leaf", parts_indexed },
#ifdef SHIM_POINTS
	RACE("narrow: a wide value, set by several at once", 32,
	     fill_wide_values),
	RACE("narrow: a leaf gets more slots while it is read", 32, fill_grown),
	RACE("narrow: a leaf becomes narrow while batches read it",
	     2 * BLINK_LEAF_SLOTS + 2, fill_narrowed),
#endif
	{}
};
