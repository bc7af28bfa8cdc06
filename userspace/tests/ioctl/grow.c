// SPDX-License-Identifier: GPL-2.0
/*
 * A tree that grows to three levels and shrinks to one leaf again, in several
 * orders of insertion and erasure; neighbours by floor and ceiling on the way;
 * and whether BLINK_TREE_IOC_STATS and BLINK_TREE_IOC_VERIFY tell the same of it.
 *
 * Keys are GAP apart, so that there are absent ones between all of them.
 */
#include "kselftest_harness.h"

#include "blink_test.h"

#define GAP 10
#define BASE 1000
#define LEVELS 256

enum order { ASCENDING, DESCENDING, SHUFFLED, INWARDS };

/* A tree to be, and which of its keys comes when. */
struct plan {
	int tree;
	unsigned int nr;
	unsigned int *rank;
};

FIXTURE(grow)
{
	struct blink_tree_ioc_info info;
	struct plan plan;
};

FIXTURE_VARIANT(grow)
{
	enum order in;
	enum order out;
};

FIXTURE_VARIANT_ADD(grow, up_up)
MEMBERS(.in = ASCENDING, .out = ASCENDING);

FIXTURE_VARIANT_ADD(grow, up_down)
MEMBERS(.in = ASCENDING, .out = DESCENDING);

FIXTURE_VARIANT_ADD(grow, down_up)
MEMBERS(.in = DESCENDING, .out = ASCENDING);

FIXTURE_VARIANT_ADD(grow, down_inwards)
MEMBERS(.in = DESCENDING, .out = INWARDS);

FIXTURE_VARIANT_ADD(grow, shuffled)
MEMBERS(.in = SHUFFLED, .out = SHUFFLED);

FIXTURE_SETUP(grow)
{
	int device = device_open();

	ASSERT_GE(device, 0);
	ASSERT_EQ(0, call(device, BLINK_TREE_IOC_INFO, &self->info));
	self->plan.tree = tree_create(device, "", 0, 0);
	ASSERT_GE(self->plan.tree, 0);
	close(device);

	/* More than fit a root over leaves, in whatever order they come. */
	self->plan.nr = self->info.leaf_slots * (self->info.inner_slots + 4);
	self->plan.rank = calloc(self->plan.nr, sizeof(*self->plan.rank));
	ASSERT_NE(NULL, self->plan.rank);
}

FIXTURE_TEARDOWN(grow)
{
	free(self->plan.rank);
	close(self->plan.tree);
}

static __u64 key_of(unsigned int rank)
{
	return BASE + (__u64)rank * GAP;
}

static void shuffle(unsigned int *rank, unsigned int nr)
{
	__u64 state = random_stream(seed_get(), 0);
	unsigned int i, j, other;

	for (i = nr - 1; i; i--) {
		j = random_next(&state) % (i + 1);
		other = rank[j];
		rank[j] = rank[i];
		rank[i] = other;
	}
}

/* Which key comes when. */
static void arrange(struct plan *plan, enum order order)
{
	unsigned int nr = plan->nr, i;

	for (i = 0; i < nr; i++) {
		if (order == DESCENDING)
			plan->rank[i] = nr - 1 - i;
		else if (order == INWARDS)
			plan->rank[i] = i % 2 ? nr - 1 - i / 2 : i / 2;
		else
			plan->rank[i] = i;
	}
	if (order == SHUFFLED)
		shuffle(plan->rank, nr);
}

static int grow(struct plan *plan, enum order order)
{
	unsigned int i;
	int ret = 0;

	arrange(plan, order);
	for (i = 0; i < plan->nr && !ret; i++) {
		__u64 key = key_of(plan->rank[i]);

		ret = insert(plan->tree, key, value_of(key));
	}
	return ret;
}

static int nearest(int tree, unsigned int opcode, __u64 key, __u64 want)
{
	struct blink_tree_ioc_op op = { .opcode = opcode, .key = key };
	int ret = op_call(tree, &op);

	if (ret)
		return ret;
	return op.key == want && op.value == value_of(want) ? 0 : -EBADMSG;
}

TEST_F(grow, every_key_and_neighbour_is_found)
{
	unsigned int i;
	__u64 value;

	ASSERT_EQ(0, grow(&self->plan, variant->in));
	EXPECT_EQ(0, tree_check(self->plan.tree, self->plan.nr));
	EXPECT_LE(3, height_of(self->plan.tree));
	for (i = 0; i < self->plan.nr; i++) {
		__u64 key = key_of(i);

		ASSERT_EQ(0, lookup(self->plan.tree, key, &value));
		ASSERT_EQ(value_of(key), value);
		ASSERT_EQ(-ENOENT, lookup(self->plan.tree, key + 1, &value));
		ASSERT_EQ(0, nearest(self->plan.tree, BLINK_TREE_OP_FLOOR, key,
				     key));
		ASSERT_EQ(0, nearest(self->plan.tree, BLINK_TREE_OP_FLOOR,
				     key + GAP - 1, key));
		ASSERT_EQ(0, nearest(self->plan.tree, BLINK_TREE_OP_CEILING,
				     key, key));
		ASSERT_EQ(0, nearest(self->plan.tree, BLINK_TREE_OP_CEILING,
				     key - GAP + 1, key));
	}
	EXPECT_EQ(-ENOENT,
		  op_simple(self->plan.tree, BLINK_TREE_OP_FLOOR, BASE - 1, 0));
	EXPECT_EQ(-ENOENT, op_simple(self->plan.tree, BLINK_TREE_OP_CEILING,
				     key_of(self->plan.nr - 1) + 1, 0));
}

TEST_F(grow, erased_to_one_leaf)
{
	struct blink_tree_ioc_stats arg;
	unsigned int i;

	ASSERT_EQ(0, grow(&self->plan, variant->in));
	arrange(&self->plan, variant->out);
	for (i = 0; i < self->plan.nr; i++) {
		__u64 key = key_of(self->plan.rank[i]);

		ASSERT_EQ(0, erase(self->plan.tree, key));
		ASSERT_EQ(-ENOENT, erase(self->plan.tree, key));
		if (i % (self->plan.nr / 16) == 0)
			ASSERT_EQ(0, tree_check(self->plan.tree,
						self->plan.nr - 1 - i));
	}
	EXPECT_EQ(0, tree_check(self->plan.tree, 0));
	EXPECT_EQ(1, height_of(self->plan.tree));
	ASSERT_EQ(0, tree_stats(self->plan.tree, &arg));
	EXPECT_EQ(self->plan.nr, arg.inserts);
	EXPECT_EQ(self->plan.nr, arg.erases);
	EXPECT_EQ(arg.splits, arg.merges);
	EXPECT_LE(2, arg.root_grows);
	EXPECT_EQ(arg.root_grows, arg.root_shrinks);
}

TEST_F(grow, half_erased_finds_the_rest)
{
	unsigned int i;
	__u64 value;

	ASSERT_EQ(0, grow(&self->plan, variant->in));
	arrange(&self->plan, variant->out);
	for (i = 0; i < self->plan.nr; i++) {
		if (self->plan.rank[i] % 4)
			ASSERT_EQ(0, erase(self->plan.tree,
					   key_of(self->plan.rank[i])));
	}
	EXPECT_EQ(0, tree_check(self->plan.tree, (self->plan.nr + 3) / 4));
	for (i = 0; i < self->plan.nr; i++) {
		__u64 key = key_of(i), below = key_of(i - i % 4);

		ASSERT_EQ(i % 4 ? -ENOENT : 0,
			  lookup(self->plan.tree, key, &value));
		ASSERT_EQ(0, nearest(self->plan.tree, BLINK_TREE_OP_FLOOR, key,
				     below));
	}
}

static struct blink_tree_level_stats levels[LEVELS];

TEST_F(grow, levels_add_up)
{
	struct blink_tree_ioc_levels arg = {
		.capacity = LEVELS,
		.levels = ptr_to_u64(levels),
		.level_size = sizeof(struct blink_tree_level_stats),
	};
	struct blink_tree_ioc_verify verify = {};
	struct blink_tree_ioc_stats stats;
	__u64 keys = 0, children = 0, inner = 0, leaves = 0, bytes = 0;
	unsigned int i;

	ASSERT_EQ(0, grow(&self->plan, variant->in));
	ASSERT_EQ(0, call(self->plan.tree, BLINK_TREE_IOC_VERIFY, &verify));
	ASSERT_EQ(0, tree_stats(self->plan.tree, &stats));
	ASSERT_EQ(0, call(self->plan.tree, BLINK_TREE_IOC_LEVELS, &arg));
	EXPECT_EQ(sizeof(levels[0]), arg.known);
	EXPECT_EQ(verify.height, arg.height);
	ASSERT_LE(arg.height, arg.count);
	ASSERT_LE(arg.count, LEVELS);
	for (i = 0; i < arg.count; i++) {
		const struct blink_tree_level_stats *at = &levels[i];
		unsigned int slots = at->level ? self->info.inner_slots :
						 self->info.leaf_slots;
		unsigned int size = at->level ? self->info.inner_bytes :
						self->info.leaf_bytes;

		EXPECT_LT(at->level, arg.height);
		EXPECT_EQ(at->nodes * slots, at->slots);
		EXPECT_EQ(at->nodes * size, at->bytes);
		EXPECT_LE(at->used, at->slots);
		*(at->level ? &inner : &leaves) += at->nodes;
		*(at->level ? &children : &keys) += at->used;
		bytes += at->bytes;
	}
	EXPECT_EQ(self->plan.nr, keys);
	EXPECT_EQ(verify.leaves, leaves);
	EXPECT_EQ(verify.inner, inner);
	/* Each node but the root is somebody's child. */
	EXPECT_EQ(leaves + inner - 1, children);
	EXPECT_EQ(bytes, stats.bytes - stats.limbo_bytes);
	EXPECT_EQ(self->plan.nr, stats.entries);
	EXPECT_EQ(0, stats.max_entries);
}

TEST_F(grow, too_few_levels_are_counted_all_the_same)
{
	struct blink_tree_ioc_levels all = {
		.capacity = LEVELS,
		.levels = ptr_to_u64(levels),
		.level_size = sizeof(struct blink_tree_level_stats),
	};
	struct blink_tree_ioc_levels one = all, none = all;
	struct blink_tree_level_stats *at = (void *)guard_alloc(1);

	ASSERT_NE(NULL, at);
	at--;
	one.capacity = 1;
	one.levels = ptr_to_u64(at);
	none.capacity = 0;
	none.levels = 0;
	ASSERT_EQ(0, grow(&self->plan, variant->in));
	ASSERT_EQ(0, call(self->plan.tree, BLINK_TREE_IOC_LEVELS, &all));
	ASSERT_EQ(0, call(self->plan.tree, BLINK_TREE_IOC_LEVELS, &one));
	ASSERT_EQ(0, call(self->plan.tree, BLINK_TREE_IOC_LEVELS, &none));
	EXPECT_EQ(all.count, one.count);
	EXPECT_EQ(0, memcmp(levels, at, sizeof(*at)));
	EXPECT_EQ(all.height, none.height);
	EXPECT_EQ(0, none.count);

	one.levels = ptr_to_u64(at + 1);
	EXPECT_EQ(-EFAULT, call(self->plan.tree, BLINK_TREE_IOC_LEVELS, &one));
}

TEST_HARNESS_MAIN
