/* SPDX-License-Identifier: GPL-2.0 */
/*
 * DOC: an index of Malbrain's trees
 *
 * A template, as malbrain.h: MALBRAIN_INDEX() makes the operations of a scheme from its
 * policy. The index is one tree, or with replication (section 3.3.3 of the thesis) a tree
 * for each NUMA node, in its memory and with its own latches. Then a reader uses the tree
 * of its NUMA node.
 *
 * - *All copies*: a writer takes Write of the leaf in each tree, in the order of the NUMA
 *   nodes, changes all, and gives them up. So the change takes effect at one moment for
 *   all readers, lock-free ones too: all versions are odd while any copy changes.
 * - *Local only*: a writer changes the tree of its NUMA node alone. Promises less: a
 *   thread sees the changes by threads of its own NUMA node, and no others. Keys that are
 *   loaded before the threads start are in all trees (@load).
 *
 * Chosen here: the thesis has the same page numbers in all copies. Here each tree is
 * searched by itself, so that two copies may differ in their shape. NUMA nodes beyond
 * NUMA_RW_PARTS share a tree. The NUMA node of an operation is the one that it began on.
 *
 * Scans and floor searches are not in the thesis. They read leaf by leaf, and go down
 * from the root for each.
 */
#ifndef BLINK_LAB_SCHEMES_MALBRAIN_INDEX_H
#define BLINK_LAB_SCHEMES_MALBRAIN_INDEX_H

#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "lab_index.h"
#include "malbrain_change.h"
#include "malbrain_read.h"

/**
 * struct malbrain_index - an index
 * @nr: number of trees
 * @tree: the trees, each in the memory of its NUMA node
 */
struct malbrain_index {
	unsigned int nr;
	struct malbrain_tree *tree[];
};

/**
 * struct malbrain_writer - a change of all trees that it concerns
 * @index: the index
 * @first: the first tree
 * @end: the one after the last
 * @op: the operation on each
 * @leaf: the leaf of each, with Write
 * @pos: where the key is in it, or would be
 */
struct malbrain_writer {
	struct malbrain_index *index;
	unsigned int first;
	unsigned int end;
	struct malbrain_op op[NUMA_RW_PARTS];
	struct plain_node *leaf[NUMA_RW_PARTS];
	unsigned int pos[NUMA_RW_PARTS];
};

static __always_inline unsigned int malbrain_here(void)
{
	return (unsigned int)numa_node_id() % numa_rw_parts();
}

/* Which trees a writer changes; @load: all. */
static __always_inline void
malbrain_writer_begin(const struct malbrain_policy *p,
		      struct malbrain_writer *writer,
		      struct malbrain_index *index, bool load)
{
	unsigned int here = malbrain_here(), i;

	writer->index = index;
	writer->first =
		p->copies == MALBRAIN_LOCAL && !load ? here % index->nr : 0;
	writer->end = p->copies == MALBRAIN_ALL || load ? index->nr :
							  writer->first + 1;
	for (i = writer->first; i < writer->end; i++)
		writer->op[i] = (struct malbrain_op){
			.tree = index->tree[i],
			.part = here,
		};
}

/* Latch the leaf of each tree; @room: it has the key, or room for it. */
static __always_inline int malbrain_writer_lock(const struct malbrain_policy *p,
						struct malbrain_writer *writer,
						u64 key, bool room)
{
	unsigned int i = writer->first;
	int err;

	do {
		err = malbrain_find(p, &writer->op[i], key, room,
				    &writer->leaf[i]);
		if (err) {
			writer->end = i;
			return err;
		}
		writer->pos[i] = plain_search(&writer->op[i].tree->plain,
					      writer->leaf[i], key);
	} while (++i < writer->end);
	return 0;
}

/*
 * Give all leaves up, the last one first: a merge in a tree takes latches of that tree,
 * which a writer may have that waits for a later tree.
 */
static __always_inline void malbrain_writer_end(const struct malbrain_policy *p,
						struct malbrain_writer *writer)
{
	unsigned int i;

	for (i = writer->end; i-- > writer->first;) {
		malbrain_give_up(p, &writer->op[i], writer->leaf[i]);
		malbrain_op_end(&writer->op[i]);
	}
}

static __always_inline bool malbrain_has(const struct malbrain_writer *writer,
					 unsigned int i, u64 key)
{
	return plain_found(writer->leaf[i], writer->pos[i], key);
}

/* No reader sees a change of one tree while another one is still to change. */
static __always_inline void malbrain_change_all(const struct malbrain_policy *p,
						struct malbrain_writer *writer,
						bool end)
{
	unsigned int i;

	for (i = writer->first; i < writer->end; i++) {
		if (end)
			malbrain_change_end(p, writer->leaf[i]);
		else
			malbrain_change_begin(p, writer->leaf[i]);
	}
}

static __always_inline void malbrain_apply(struct malbrain_writer *writer,
					   unsigned int i, enum plain_op op,
					   u64 key, u64 value)
{
	struct plain_tree *plain = &writer->op[i].tree->plain;

	if (op == PLAIN_ERASE)
		plain_entry_remove(plain, writer->leaf[i], writer->pos[i]);
	else if (malbrain_has(writer, i, key))
		plain_set_value(plain, writer->leaf[i], writer->pos[i], value);
	else
		plain_entry_insert(plain, writer->leaf[i], writer->pos[i], key,
				   value);
}

/* @load: into all trees */
static __always_inline int malbrain_update(const struct malbrain_policy *p,
					   struct malbrain_index *index,
					   enum plain_op op, u64 key, u64 value,
					   bool load)
{
	struct malbrain_writer writer;
	unsigned int i;
	bool found;
	int ret;

	malbrain_writer_begin(p, &writer, index, load);
	ret = malbrain_writer_lock(p, &writer, key, op != PLAIN_ERASE);
	found = !ret && malbrain_has(&writer, writer.first, key);
	if (found && op == PLAIN_INSERT)
		ret = -EEXIST;
	if (!ret && !found && op == PLAIN_ERASE)
		ret = -ENOENT;
	if (!ret) {
		malbrain_change_all(p, &writer, false);
		for (i = writer.first; i < writer.end; i++)
			malbrain_apply(&writer, i, op, key, value);
		malbrain_change_all(p, &writer, true);
	}
	malbrain_writer_end(p, &writer);
	return ret;
}

/* A reader of the tree of its NUMA node. */
static __always_inline struct malbrain_reader
malbrain_reader(struct malbrain_index *index, u64 key,
		struct blink_tree_entry *entry, unsigned int nr)
{
	unsigned int here = malbrain_here();

	return (struct malbrain_reader){
		.tree = index->tree[here % index->nr],
		.part = here,
		.r = { .key = key, .entry = entry, .nr = nr },
	};
}

static __always_inline int malbrain_lookup(const struct malbrain_policy *p,
					   struct malbrain_index *index,
					   u64 key, u64 *value)
{
	struct blink_tree_entry entry = {};
	struct malbrain_reader reader = malbrain_reader(index, key, &entry, 1);

	malbrain_read(p, &reader, READING_LOOKUP);
	if (!reader.r.got)
		return -ENOENT;
	*value = entry.value;
	return 0;
}

static __always_inline unsigned int
malbrain_scan(const struct malbrain_policy *p, struct malbrain_index *index,
	      u64 key, struct blink_tree_entry *entry, unsigned int nr)
{
	struct malbrain_reader reader = malbrain_reader(index, key, entry, nr);

	do {
		malbrain_read(p, &reader, READING_SCAN);
	} while (reading_scan_next(&reader.r));
	return nr - reader.r.nr;
}

static __always_inline int malbrain_floor(const struct malbrain_policy *p,
					  struct malbrain_index *index, u64 key,
					  struct blink_tree_entry *entry)
{
	struct malbrain_reader reader = malbrain_reader(index, key, entry, 1);

	do {
		malbrain_read(p, &reader, READING_FLOOR);
	} while (reading_floor_next(&reader.r));
	return reader.r.got ? 0 : -ENOENT;
}

void *malbrain_create(const struct malbrain_policy *p,
		      const struct lab_params *params);
void malbrain_destroy(void *data);
int malbrain_verify(const struct malbrain_policy *p, void *data);
u64 malbrain_bytes(void *data);
u64 malbrain_retries(void *data);

/* Define lab_<symbol>_ops, the operations of a scheme; its policy is the rest. */
#define MALBRAIN_INDEX(symbol, ...)                                            \
	static const struct malbrain_policy symbol##_policy = { __VA_ARGS__ }; \
	static void *symbol##_create(const struct lab_index_ops *ops,          \
				     const struct lab_params *params)          \
	{                                                                      \
		return malbrain_create(&symbol##_policy, params);              \
	}                                                                      \
	static noinline int symbol##_write(void *data, u64 key, u64 value,     \
					   bool fresh, bool all)               \
	{                                                                      \
		return malbrain_update(&symbol##_policy, data,                 \
				       fresh ? PLAIN_INSERT : PLAIN_STORE,     \
				       key, value, all);                       \
	}                                                                      \
	static int symbol##_insert(void *data, u64 key, u64 value)             \
	{                                                                      \
		return symbol##_write(data, key, value, true, false);          \
	}                                                                      \
	static int symbol##_store(void *data, u64 key, u64 value)              \
	{                                                                      \
		return symbol##_write(data, key, value, false, false);         \
	}                                                                      \
	static int symbol##_load(void *data, u64 key, u64 value)               \
	{                                                                      \
		return symbol##_write(data, key, value, false, true);          \
	}                                                                      \
	static int symbol##_erase(void *data, u64 key)                         \
	{                                                                      \
		return malbrain_update(&symbol##_policy, data, PLAIN_ERASE,    \
				       key, 0, false);                         \
	}                                                                      \
	static int symbol##_lookup(void *data, u64 key, u64 *value)            \
	{                                                                      \
		return malbrain_lookup(&symbol##_policy, data, key, value);    \
	}                                                                      \
	static unsigned int symbol##_scan(void *data, u64 key,                 \
					  struct blink_tree_entry *entry,      \
					  unsigned int nr)                     \
	{                                                                      \
		return malbrain_scan(&symbol##_policy, data, key, entry, nr);  \
	}                                                                      \
	static int symbol##_floor(void *data, u64 key,                         \
				  struct blink_tree_entry *entry)              \
	{                                                                      \
		return malbrain_floor(&symbol##_policy, data, key, entry);     \
	}                                                                      \
	static int symbol##_verify(void *data)                                 \
	{                                                                      \
		return malbrain_verify(&symbol##_policy, data);                \
	}                                                                      \
	const struct lab_index_ops lab_##symbol##_ops = {                      \
		.create = symbol##_create,                                     \
		.destroy = malbrain_destroy,                                   \
		.load = symbol##_load,                                         \
		.retries = malbrain_retries,                                   \
		.insert = symbol##_insert,                                     \
		.lookup = symbol##_lookup,                                     \
		.store = symbol##_store,                                       \
		.erase = symbol##_erase,                                       \
		.scan = symbol##_scan,                                         \
		.floor = symbol##_floor,                                       \
		.verify = symbol##_verify,                                     \
		.bytes = malbrain_bytes,                                       \
	}

#endif /* BLINK_LAB_SCHEMES_MALBRAIN_INDEX_H */
