/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache lines that phase one of module/lab/schemes/two_phase.h prefetches, compared
 * with the lines that its options say of the nodes on the way to the key. Prints TAP.
 *
 * A file that includes this defines before: the host, whose prefetches are noted
 * (note_prefetch.h), SCHEMES, the names of its schemes, NODE_BYTES, and slots_of(), the slots
 * that lie between the keys and the values or children of a node.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <stdlib.h>

#include "kernel/init.h"

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

static void add_words(struct lines *lines, const u64 *from, const u64 *end)
{
	for (; from < end; from++)
		add(lines, from);
}

/* The lines that are prefetched on arrival, and before the keys are searched. */
static void expect_arrival(struct lines *lines, void *data,
			   const HOST_NODE *node, u64 key, unsigned int scheme)
{
	const u64 *keys = node->slot;
	unsigned int count = node->count, middle = count / 2;

	if (has(scheme, 1))
		add(lines, node);
	if (has(scheme, 4)) {
		add(lines, node);
		add_words(lines, keys, keys + 2 * slots_of(data, node));
	}
	if (!has(scheme, 3))
		return;
	add(lines, &keys[middle]);
	if (key < keys[middle])
		add_words(lines, keys, keys + middle);
	else
		add_words(lines, keys + middle, keys + count);
}

/* The same way, while no other thread works. Returns the layers. */
static unsigned int expect(struct lines *lines, void *data,
			   const struct blink_tree_ioc_op *op,
			   unsigned int scheme)
{
	HOST_NODE *node = host_root(data);
	unsigned int layer, pos;

	for (layer = 0;; layer++) {
		bool skip = has(scheme, 2) && layer < 2;

		if (layer && !skip)
			expect_arrival(lines, data, node, op->key, scheme);
		if (!node->level)
			break;
		pos = host_search(data, node, op->key, false);
		if (has(scheme, 5) && !skip)
			add(lines, node->slot + slots_of(data, node) + pos);
		node = host_child(data, node, pos);
	}
	pos = host_search(data, node, op->key, true);
	if (has(scheme, 6) && op->opcode == BLINK_TREE_OP_LOOKUP)
		add(lines, node->slot + slots_of(data, node) + pos);
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
static bool check_key(void *data, u64 key, unsigned int opcode,
		      unsigned int scheme)
{
	struct blink_tree_ioc_op op[2] = {
		{ .opcode = opcode, .key = key },
		{ .opcode = opcode, .key = key },
	};
	struct lines expected = {};
	unsigned int layers;

	noted.nr = 0;
	phase_one(data, op, ARRAY_SIZE(op), scheme);
	rcu_read_lock();
	layers = expect(&expected, data, op, scheme);
	rcu_read_unlock();
	if (layers < 4 || !is_subset(&noted, &expected) ||
	    !is_subset(&expected, &noted)) {
		printf("# key %llu, opcode %u, %u layers: %u lines, not %u\n",
		       key, opcode, layers, noted.nr, expected.nr);
		return false;
	}
	return true;
}

static bool check_scheme(void *data, unsigned int scheme)
{
	unsigned int i;

	for (i = 0; i < LOOKUPS; i++) {
		u64 key = i * 0x9e3779b97f4a7c15ULL;

		if (!check_key(data, key, BLINK_TREE_OP_LOOKUP, scheme) ||
		    !check_key(data, key, BLINK_TREE_OP_INSERT, scheme))
			return false;
	}
	return true;
}

static void fill(const struct lab_index *index)
{
	u64 i;

	for (i = 0; i < KEYS; i++)
		if (index->ops->insert(index->data, i * 0x9e3779b97f4a7c15ULL,
				       i))
			shim_die(__FILE__, __LINE__, "no memory");
}

int main(void)
{
	const struct lab_params params = { .keys = KEYS,
					   .node_bytes = NODE_BYTES };
	const struct lab_scheme *scheme;
	struct lab_index index = {};
	unsigned int options, nr = 0, failed = 0;

	standin_init();
	printf("TAP version 13\n");
	for (scheme = lab_schemes; scheme->name; scheme++) {
		bool right;

		if (sscanf(scheme->name, SCHEMES, &options) != 1)
			continue;
		if (!nr && lab_index_create(&index, scheme, &params))
			shim_die(__FILE__, __LINE__, "no tree");
		if (!nr)
			fill(&index);
		right = check_scheme(index.data, options);
		failed += !right;
		printf("%sok %u - lines of %s\n", right ? "" : "not ", ++nr,
		       scheme->name);
	}
	printf("1..%u\n", nr);
	if (nr)
		index.ops->destroy(index.data);
	return failed || !nr;
}
