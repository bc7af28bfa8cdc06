// SPDX-License-Identifier: GPL-2.0
/*
 * The cache lines that phase one of module/lab/schemes/two_phase.c prefetches, compared
 * with the lines that its options say of the nodes on the way to the key. Prints TAP.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/prefetch.h>
#include <stdlib.h>

static void note(const void *line);

#undef prefetch
#define prefetch(address) note(address)

#include "kernel/init.h"
#include "lab/schemes/two_phase.c"

/* Enough for four layers. */
#define KEYS 600000
#define LOOKUPS 200
#define LINES_MAX 256

/* Lines, each once. */
struct lines {
	unsigned int nr;
	uintptr_t line[LINES_MAX];
};

static struct lines noted;

static void add(struct lines *lines, const void *address)
{
	uintptr_t line = (uintptr_t)address / L1_CACHE_BYTES;
	unsigned int i;

	for (i = 0; i < lines->nr; i++)
		if (lines->line[i] == line)
			return;
	if (lines->nr == LINES_MAX)
		shim_die(__FILE__, __LINE__, "more lines than a way has");
	lines->line[lines->nr++] = line;
}

static void note(const void *line)
{
	add(&noted, line);
}

static void add_slots(struct lines *lines, const struct blink_node *node,
		      unsigned int from, unsigned int end)
{
	for (; from < end; from++)
		add(lines, &node->slot[from]);
}

/* The lines that are prefetched on arrival, and before the keys are searched. */
static void expect_arrival(struct lines *lines, struct blink_node *node,
			   u64 key, unsigned int scheme)
{
	unsigned int middle = node->count / 2;

	if (has(scheme, 1))
		add(lines, node);
	if (has(scheme, 4)) {
		add(lines, node);
		add_slots(lines, node, 0, 2 * blink_node_slots(node));
	}
	if (!has(scheme, 3))
		return;
	add(lines, &node->slot[middle]);
	if (key < node->slot[middle])
		add_slots(lines, node, 0, middle);
	else
		add_slots(lines, node, middle, node->count);
}

/* The same way, while no other thread works. Returns the layers. */
static unsigned int expect(struct lines *lines, struct blink_node *node,
			   const struct blink_tree_ioc_op *op,
			   unsigned int scheme)
{
	unsigned int layer, pos;

	for (layer = 0;; layer++) {
		bool skip = has(scheme, 2) && layer < 2;

		if (layer && !skip)
			expect_arrival(lines, node, op->key, scheme);
		if (!node->level)
			break;
		pos = blink_inner_search(node, op->key);
		if (has(scheme, 5) && !skip)
			add(lines, &node->slot[BLINK_INNER_SLOTS + pos]);
		node = blink_inner_child(node, pos);
	}
	pos = blink_leaf_search(node, 0, op->key);
	if (has(scheme, 6) && op->opcode == BLINK_TREE_OP_LOOKUP)
		add(lines, &node->slot[BLINK_LEAF_SLOTS + pos]);
	return layer + 1;
}

static bool is_subset(const struct lines *a, const struct lines *b)
{
	unsigned int i, k;

	for (i = 0; i < a->nr; i++) {
		for (k = 0; k < b->nr && a->line[i] != b->line[k]; k++)
			;
		if (k == b->nr)
			return false;
	}
	return true;
}

/* A batch that is larger than one, but of one key. */
static bool check_key(struct blink_tree *tree, u64 key, unsigned int opcode,
		      unsigned int scheme)
{
	struct blink_tree_ioc_op op[2] = {
		{ .opcode = opcode, .key = key },
		{ .opcode = opcode, .key = key },
	};
	struct lines expected = {};
	unsigned int layers;

	noted.nr = 0;
	phase_one(tree, op, ARRAY_SIZE(op), scheme);
	layers = expect(&expected, tree->index[0].root, op, scheme);
	if (layers < 4 || !is_subset(&noted, &expected) ||
	    !is_subset(&expected, &noted)) {
		printf("# key %llu, opcode %u, %u layers: %u lines, not %u\n",
		       key, opcode, layers, noted.nr, expected.nr);
		return false;
	}
	return true;
}

static bool check_scheme(struct blink_tree *tree, unsigned int scheme)
{
	unsigned int i;

	for (i = 0; i < LOOKUPS; i++) {
		u64 key = i * 0x9e3779b97f4a7c15ULL;

		if (!check_key(tree, key, BLINK_TREE_OP_LOOKUP, scheme) ||
		    !check_key(tree, key, BLINK_TREE_OP_INSERT, scheme))
			return false;
	}
	return true;
}

static struct blink_tree *fill(void)
{
	const struct lab_params params = { .keys = KEYS };
	struct blink_tree *tree = lab_blink_ops.create(&lab_blink_ops, &params);
	u64 i;

	for (i = 0; tree && i < KEYS; i++)
		if (lab_blink_ops.insert(tree, i * 0x9e3779b97f4a7c15ULL, i))
			return NULL;
	return tree;
}

int main(void)
{
	struct blink_tree *tree;
	const struct lab_scheme *scheme;
	unsigned int options, nr = 0, failed = 0;

	standin_init();
	tree = fill();
	if (!tree)
		shim_die(__FILE__, __LINE__, "no tree");
	printf("TAP version 13\n");
	for (scheme = lab_schemes; scheme->name; scheme++) {
		bool right;

		if (sscanf(scheme->name, "two-phase:%u", &options) != 1)
			continue;
		right = check_scheme(tree, options);
		failed += !right;
		printf("%sok %u - lines of %s\n", right ? "" : "not ", ++nr,
		       scheme->name);
	}
	printf("1..%u\n", nr);
	lab_blink_ops.destroy(tree);
	return failed || !nr;
}
