/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of an index in the laboratory: a map from keys of 63 bits to values
 * of 62 bits, which every index can hold. The same source is compiled into the module
 * and, with the stand-ins of userspace/bench/indexes, into the native benchmark.
 *
 * A *scheme* is a kind of index (list.h), and its operations. An *index* is one map
 * of such a kind. A scheme does its own locking; threads call in process context, and
 * calls may sleep.
 *
 * The benchmark makes one indirect call for each operation, the same one for all
 * schemes: a template of its loops in each scheme's file would save one predicted
 * jump, or with retpolines some 20 cycles of an operation that takes hundreds.
 * In return a scheme is compiled once, and each measured call is the one tested.
 */
#ifndef BLINK_LAB_SCHEMES_LAB_INDEX_H
#define BLINK_LAB_SCHEMES_LAB_INDEX_H

#include <uapi/linux/blink_tree.h>

#include "list.h"

#ifdef __KERNEL__
#include <generated/utsrelease.h>
#define LAB_LINUX UTS_RELEASE
#else
#define LAB_LINUX LINUX_VERSION
#endif

/* An allocation that needs too much memory fails, without the OOM killer. */
#define LAB_GFP (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/* Most operations in a batch, and most entries that a benchmark scans at once. */
#define LAB_BATCH_MAX 64U
#define LAB_SCAN_MAX 48

/*
 * An operation of a batch (LAB_BATCH_SCANS): a scan from its key on, of up to @old entries,
 * which go to the address @value; @result is set to their number.
 */
#define LAB_BATCH_SCAN BLINK_TREE_OP_NR

struct blink_tree_params;

/**
 * struct lab_params - the parameters of a new index
 * @keys: most keys that it will hold; only a scheme that must know reads it
 * @node_bytes: bytes of a node, for schemes with LAB_SIZES; 0: the scheme's choice
 * @threads: threads that the scheme starts, if it does; 0 for one on each CPU
 * @tree: for blink_tree, or NULL
 */
struct lab_params {
	u64 keys;
	u32 node_bytes;
	u32 threads;
	const struct blink_tree_params *tree;
};

/**
 * struct lab_index_ops - the operations of a scheme
 * @version: release of the code, or NULL for that of this project
 * @variant: for create(), which several schemes of a file may share
 * @most_keys: it needs too much memory or time for more keys (0: no such number), of which
 *	those that @load stores are none
 * @create: a new index; NULL without memory, or an ERR_PTR()
 * @destroy: free it, and all entries; no other thread uses it
 * @leave: the calling thread will not use it any more
 * @load: store a key for all NUMA nodes before the benchmark starts; several threads
 *	may (LAB_CONCURRENT); NULL: store() does so
 * @retries: how often lookups had to search a node again; NULL: it is not counted
 * @insert: add a key; 0, -EEXIST (LAB_REFUSES) or an error
 * @lookup: read the value of a key; 0 or -ENOENT
 * @store: add a key or overwrite its value; 0 or an error
 * @erase: remove a key; 0, -ENOENT or an error
 * @erase_entry: remove the entry of a key that has this value; 0, -ENOENT or an error
 * @scan: copy up to @nr entries, in order, from the given key on; their number
 * @floor: copy the entry of the greatest key <= the given one; 0 or -ENOENT
 * @batch: execute up to LAB_BATCH_MAX operations, BLINK_TREE_OP_LOOKUP,
 *	BLINK_TREE_OP_INSERT and, with LAB_BATCH_SCANS, LAB_BATCH_SCAN, and set the
 *	@result of each, and its @value if that is a lookup
 * @commit: execute up to BLINK_TREE_COMMIT_MAX operations at one instant,
 *	BLINK_TREE_OP_LOOKUP or BLINK_TREE_OP_STORE, on keys that differ; 0 or an error
 * @get_or_insert: add a key, or read the value of a key that is present; 0, 1 or an
 *	error
 * @pop_min: remove the least key and copy its entry; 0 or -ENOENT
 * @count: the number of keys from @first to @last
 * @erase_range: remove the keys from @first to @last; their number
 * @verify: 0 or -EUCLEAN; no other thread uses the index
 * @bytes: the memory that it uses; NULL: unknown
 *
 * @create, @destroy, @insert, @lookup and @store are always there. A scheme has
 * @erase, @scan, @floor, @batch and @verify if it promises them, and NULL otherwise; and
 * @erase_entry if it promises LAB_MULTI. Our tree alone has @get_or_insert, @count and
 * @erase_range, and no other scheme of the module has @pop_min and @commit.
 */
struct lab_index_ops {
	const char *version;
	u32 variant;
	u32 most_keys;
	void *(*create)(const struct lab_index_ops *ops,
			const struct lab_params *params);
	void (*destroy)(void *data);
	void (*leave)(void *data);
	int (*load)(void *data, u64 key, u64 value);
	u64 (*retries)(void *data);
	int (*insert)(void *data, u64 key, u64 value);
	int (*lookup)(void *data, u64 key, u64 *value);
	int (*store)(void *data, u64 key, u64 value);
	int (*erase)(void *data, u64 key);
	int (*erase_entry)(void *data, u64 key, u64 value);
	unsigned int (*scan)(void *data, u64 key,
			     struct blink_tree_entry *entry, unsigned int nr);
	int (*floor)(void *data, u64 key, struct blink_tree_entry *entry);
	void (*batch)(void *data, struct blink_tree_ioc_op *op,
		      unsigned int nr);
	int (*commit)(void *data, struct blink_tree_ioc_op *op,
		      unsigned int nr);
	int (*get_or_insert)(void *data, u64 key, u64 *value);
	int (*pop_min)(void *data, struct blink_tree_entry *entry);
	u64 (*count)(void *data, u64 first, u64 last);
	u64 (*erase_range)(void *data, u64 first, u64 last);
	int (*verify)(void *data);
	u64 (*bytes)(void *data);
};

/**
 * struct lab_scheme - a line of the list
 * @name: its name
 * @author: its author, or authors
 * @paper: where it is described
 * @section: the place there
 * @promises: LAB_* bits (list.h)
 * @ops: its operations
 */
struct lab_scheme {
	const char *name;
	const char *author;
	const char *paper;
	const char *section;
	u32 promises;
	const struct lab_index_ops *ops;
};

/**
 * struct lab_index - an index
 * @ops: the operations of its scheme
 * @data: the first argument of these
 */
struct lab_index {
	const struct lab_index_ops *ops;
	void *data;
};

/* A declaration that ends the one before it, as a macro may not end itself. */
#define LAB_DECLARE(symbol, ...) \
	;                        \
	extern const struct lab_index_ops lab_##symbol##_ops

#define LAB_DECLARE_ALL(list) struct lab_index_ops list(LAB_DECLARE)

LAB_DECLARE_ALL(LAB_SCHEMES);
LAB_DECLARE_ALL(LAB_SCHEMES_BTREE);
LAB_DECLARE_ALL(LAB_SCHEMES_KERNEL);

/* A line of the list as an element of lab_schemes. */
#define LAB_SCHEME(symbol, name, author, paper, section, promises) \
	{ name, author, paper, section, promises, &lab_##symbol##_ops },

/* Behind the last element. */
#define LAB_SCHEMES_END { .name = NULL }

/* All schemes of this program or module; the last one has no name. */
extern const struct lab_scheme lab_schemes[];

const struct lab_scheme *lab_scheme_find(const char *name);
int lab_index_create(struct lab_index *index, const struct lab_scheme *scheme,
		     const struct lab_params *params);

#endif /* BLINK_LAB_SCHEMES_LAB_INDEX_H */
