// SPDX-License-Identifier: GPL-2.0
/*
 * Where nodes are put. The memory of this build lies nowhere, but it is known which
 * NUMA node each was asked for on.
 */
#include <linux/hash.h>
#include <linux/topology.h>
#include <string.h>

#include "fiber.h"
#include "nodes.h"
#include "test.h"

#ifdef SHIM_POINTS
#define FIBERS 3
#define EACH 24
#define RUNS 300
#define NOTES_BITS 14
#define NOTES BIT(NOTES_BITS)

static struct blink_tree *tree;

/* Of each object that there ever was, the last one at its address. */
static struct {
	const void *object;
	int nid;
} notes[NOTES];

static unsigned int note_of(const void *object)
{
	unsigned int i = hash_ptr(object, NOTES_BITS);

	while (notes[i].object && notes[i].object != object)
		i = (i + 1) % NOTES;
	return i;
}

static void note(const void *object, int nid)
{
	unsigned int i = note_of(object);

	notes[i].object = object;
	notes[i].nid = nid;
}

static int nid_of(const struct blink_node *node)
{
	return notes[note_of(node)].nid;
}

static void begin(const struct blink_tree_params *params)
{
	memset(notes, 0, sizeof(notes));
	shim_hooks.placed = note;
	tree = blink_tree_create(params, GFP_KERNEL);
}

static void end(void)
{
	shim_hooks.placed = NULL;
	tree_end(tree);
}

/* All of them are where their index is. */
static void expect_inner_placed(void)
{
	struct blink_node *first, *node;
	struct blink_index *idx;

	for_each_blink_index(idx, tree) {
		first = rcu_access_pointer(idx->root);
		for (; first->level; first = blink_inner_child(first, 0))
			for (node = first; node;
			     node = rcu_access_pointer(node->right))
				EXPECT_EQ(nid_of(node), idx->nid);
	}
}

/* Key @i of fiber @id: all of them split the same inner nodes. */
static void add(unsigned int id)
{
	u64 i;

	for (i = 0; i < EACH; i++)
		EXPECT_INSERT(tree, i * FIBERS + id, i);
}

/*
 * The interleaving: a fiber has got a spare inner node for one index, where another
 * one has split the node before it came to that. It has it still when it tells the
 * next index, which it is not for, be it for a root or below.
 */
static void inner_nodes(void)
{
	u64 random = test_seed(), runs = test_scale(RUNS), points = 0, i;
	struct fiber_run run;

	for (i = 0; i < runs && !test_failed(); i++) {
		begin(&test_params);
		fibers_run(FIBERS, add, points, &random, &run);
		points = i % 2 ? run.points : 0;
		expect_inner_placed();
		test_did(EACH * FIBERS);
		end();
	}
}

/* Each leaf without copies lies on the node after the last one's. */
static void leaves_in_turn(void)
{
	const struct blink_tree_params params = {
		.placement = BLINK_TREE_PLACE_INTERLEAVE,
	};
	struct blink_node *leaf;
	int nid = -1;
	u64 key;

	begin(&params);
	/* Full leaves stay behind: they are in the order of their birth. */
	for (key = 0; key < 100 * BLINK_LEAF_SLOTS; key++)
		EXPECT_INSERT(tree, key, key);
	for (leaf = first_of(tree->index, 0); leaf;
	     leaf = rcu_access_pointer(leaf->right)) {
		if (nid >= 0)
			EXPECT_EQ(nid_of(leaf), (nid + 1) % shim_nodes);
		nid = nid_of(leaf);
	}
	end();
}
#endif

const struct test TESTS(place)[] = {
#ifdef SHIM_POINTS
	{ "place: an inner node lies where its index is", inner_nodes },
	{ "place: leaves lie on all NUMA nodes in turn", leaves_in_turn },
#endif
	{}
};
