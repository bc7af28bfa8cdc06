/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A *writer* has keys of a tree that no other one modifies, and an *account* of
 * their values in memory that outlives its process. Before each ioctl it notes
 * there what it is about to do; the ioctl writes its output there too, results
 * and how many operations were done. However the process ends, an operation was
 * done if and only if it was counted as done: the account stays exact, and the
 * writer's next process goes on from it.
 *
 * Include it after blink_test.h.
 */
#ifndef BLINK_WRITER_H
#define BLINK_WRITER_H

#include "writer_bytes.h"

#define WRITER_NR 4

/* Keys in turn with those of the other writers, a prime; and in a row. */
#define MIXED 701U
#define ROW 500U
#define MOST MIXED

/* A result that no operation has. */
#define UNTOUCHED (-EUCLEAN)

enum call_kind { CALL_OP, CALL_BATCH, CALL_COMMIT, CALL_LOAD };

/**
 * struct deed - an ioctl, and what it has to do with the account
 * @kind: which
 * @nr: operations, while it is under way or was when its process was killed
 * @batch: the argument of BLINK_TREE_IOC_BATCH, also for a commit
 * @load: the argument of BLINK_TREE_IOC_LOAD
 * @bytes: in their place, where keys are strings
 * @entries: for @load; @ops says the same
 * @ops: the operations, each on another key
 * @index: the account's place for the key of each
 */
struct deed {
	enum call_kind kind;
	unsigned int nr;
	struct blink_tree_ioc_batch batch;
	struct blink_tree_ioc_load load;
	struct bytes_deed bytes;
	struct blink_tree_entry entries[MOST];
	struct blink_tree_ioc_op ops[MOST];
	unsigned int index[MOST];
};

/**
 * struct writer - a writer's account, shared with its processes
 * @id: its number
 * @next: where it grows next
 * @keys: how many keys it has
 * @values: the value of each, 0 for one that is absent
 * @fill_most: percent of a leaf that its loads fill at most
 * @strings: whether the keys are strings
 * @short_of_memory: whether operations may fail with ENOMEM
 * @state: of its random numbers
 * @operations: done so far
 * @deed: its latest ioctl
 */
struct writer {
	unsigned int id;
	unsigned int next;
	unsigned int keys;
	__u64 *values;
	unsigned int fill_most;
	bool strings;
	bool short_of_memory;
	__u64 state;
	__u64 operations;
	struct deed deed;
};

static inline __u64 key_of(const struct writer *w, unsigned int index)
{
	if (index < MIXED)
		return (__u64)index * WRITER_NR + w->id;
	return ((__u64)(w->id + 1) << 32) + index;
}

/* Where the account has a key; beyond all places if it is not the writer's. */
static inline __u64 index_of(const struct writer *w, __u64 key)
{
	if (key < MIXED * WRITER_NR)
		return key % WRITER_NR == w->id ? key / WRITER_NR : U64_MAX;
	return key - ((__u64)(w->id + 1) << 32);
}

static inline bool account_open(struct writer *w, unsigned int id,
				unsigned int keys, __u64 seed)
{
	w->id = id;
	w->keys = keys;
	w->fill_most = 100;
	w->state = random_stream(seed, id);
	w->values = shared_alloc(keys * sizeof(*w->values));
	if (!w->values)
		return false;
	/* Touched here: no process is to be charged, nor to wait, for it. */
	memset(w->values, 0, keys * sizeof(*w->values));
	return true;
}

/* Neither the compiler nor the CPU may put off what comes before. */
static inline void set_under_way(struct deed *deed, unsigned int nr)
{
	__atomic_store_n(&deed->nr, nr, __ATOMIC_SEQ_CST);
}

/* How many operations were done, from the first on. */
static inline unsigned int done_of(const struct deed *deed)
{
	if (deed->bytes.nr)
		return deed->bytes.arg.done;
	switch (deed->kind) {
	case CALL_OP:
		return deed->ops[0].result != UNTOUCHED;
	case CALL_BATCH:
	case CALL_COMMIT:
		return deed->batch.done;
	default:
		return deed->load.done;
	}
}

/*
 * Put into the account what the deed did. A process that is killed at this is no
 * harm, as it may be done twice.
 */
static inline void settle(struct writer *w)
{
	struct deed *deed = &w->deed;
	unsigned int done = deed->nr ? done_of(deed) : 0, i;

	bytes_deed_answers(&deed->bytes, deed->ops);
	for (i = 0; i < done; i++) {
		const struct blink_tree_ioc_op *op = &deed->ops[i];

		if (op->result >= 0)
			w->values[deed->index[i]] =
				op->opcode == BLINK_TREE_OP_ERASE ? 0 :
								    op->value;
	}
	set_under_way(deed, 0);
	w->operations += done;
}

/* Add an operation to the deed that will be done next. */
static inline void plan(struct writer *w, unsigned int i, unsigned int opcode,
			unsigned int index)
{
	__u64 key = key_of(w, index), value = random_next(&w->state) | 1;
	struct deed *deed = &w->deed;

	deed->index[i] = index;
	deed->ops[i] = (struct blink_tree_ioc_op){
		.opcode = opcode,
		.key = key,
		.value = value,
	};
	deed->entries[i] =
		(struct blink_tree_entry){ .key = key, .value = value };
}

/* Any that the key's being there or not lets succeed. */
static inline void plan_any(struct writer *w, unsigned int i,
			    unsigned int index)
{
	static const __u16 present[4] = { BLINK_TREE_OP_STORE,
					  BLINK_TREE_OP_REPLACE,
					  BLINK_TREE_OP_ERASE,
					  BLINK_TREE_OP_ERASE };
	static const __u16 absent[4] = { BLINK_TREE_OP_STORE,
					 BLINK_TREE_OP_INSERT,
					 BLINK_TREE_OP_INSERT,
					 BLINK_TREE_OP_INSERT };
	unsigned int any = random_next(&w->state) % 4;

	plan(w, i, w->values[index] ? present[any] : absent[any], index);
}

/* Whether an operation told of the key what the account says of it. */
static inline bool is_right(const struct writer *w, unsigned int i)
{
	const struct blink_tree_ioc_op *op = &w->deed.ops[i];
	__u64 was = w->values[w->deed.index[i]];
	bool stored_over = op->opcode == BLINK_TREE_OP_STORE && was;

	if (op->result == -ENOMEM && w->short_of_memory)
		return true;
	if (op->result == stored_over && (!was || op->old == was))
		return true;
	fprintf(stderr,
		"# writer %u: opcode %u key %llu result %d old %llu, not %llu\n",
		w->id, op->opcode, op->key, op->result, op->old, was);
	return false;
}

/* That an operation failed is told by its result. */
static inline int do_call(int tree, struct deed *deed)
{
	if (deed->bytes.nr)
		return call(tree, BLINK_TREE_IOC_RECORDS, &deed->bytes.arg);
	switch (deed->kind) {
	case CALL_OP:
		call(tree, BLINK_TREE_IOC_OP, deed->ops);
		return done_of(deed) ? 0 : -EBADMSG;
	case CALL_BATCH:
	case CALL_COMMIT:
		return call(tree, BLINK_TREE_IOC_BATCH, &deed->batch);
	default:
		return call(tree, BLINK_TREE_IOC_LOAD, &deed->load);
	}
}

/* Do the @nr operations that were planned. */
static inline int execute(int tree, struct writer *w, enum call_kind kind,
			  unsigned int nr)
{
	struct deed *deed = &w->deed;
	unsigned int i;
	int ret;

	deed->kind = kind;
	deed->batch = (struct blink_tree_ioc_batch){
		.flags = kind == CALL_COMMIT ? BLINK_TREE_BATCH_COMMIT : 0,
		.count = nr,
		.ops = ptr_to_u64(deed->ops),
		.op_size = sizeof(struct blink_tree_ioc_op),
	};
	deed->load = (struct blink_tree_ioc_load){
		.count = nr,
		.entries = ptr_to_u64(deed->entries),
		.entry_size = sizeof(struct blink_tree_entry),
		.fill = 1 + random_next(&w->state) % w->fill_most,
	};
	if (kind == CALL_OP)
		deed->ops[0].result = UNTOUCHED;
	bytes_deed_plan(&deed->bytes, deed->ops, w->strings ? nr : 0,
			kind == CALL_COMMIT ? BLINK_TREE_RECORDS_COMMIT :
			kind == CALL_LOAD   ? BLINK_TREE_RECORDS_LOAD :
					      0,
			deed->load.fill);
	set_under_way(deed, nr);
	ret = do_call(tree, deed);
	bytes_deed_answers(&deed->bytes, deed->ops);
	for (i = 0; i < done_of(deed); i++) {
		if (kind != CALL_LOAD && !is_right(w, i))
			return -EUCLEAN;
	}
	settle(w);
	return ret == -ENOMEM && w->short_of_memory ? 0 : ret;
}

static inline int do_op(int tree, struct writer *w)
{
	plan_any(w, 0, random_next(&w->state) % MIXED);
	return execute(tree, w, CALL_OP, 1);
}

/* So many keys at most, in no order, none of them twice. */
static inline int do_several(int tree, struct writer *w, enum call_kind kind,
			     unsigned int most)
{
	unsigned int at = random_next(&w->state) % MIXED;
	unsigned int step = 1 + random_next(&w->state) % (MIXED - 1);
	unsigned int nr = 1 + random_next(&w->state) % most, i;

	for (i = 0; i < nr; i++) {
		plan_any(w, i, at);
		at = (at + step) % MIXED;
	}
	return execute(tree, w, kind, nr);
}

/* Erase up to MOST keys from that place on, in one batch. */
static inline int erase_from(int tree, struct writer *w, unsigned int *index)
{
	unsigned int nr = 0;

	for (; *index < w->keys && nr < MOST; ++*index) {
		if (w->values[*index])
			plan(w, nr++, BLINK_TREE_OP_ERASE, *index);
	}
	return nr ? execute(tree, w, CALL_BATCH, nr) : 0;
}

/* Load the keys in a row, or take away those that are there. */
static inline int do_row(int tree, struct writer *w)
{
	unsigned int index = MIXED, i;

	for (i = 0; i < ROW; i++) {
		if (w->values[MIXED + i])
			return erase_from(tree, w, &index);
	}
	for (i = 0; i < ROW; i++)
		plan(w, i, BLINK_TREE_OP_INSERT, MIXED + i);
	return execute(tree, w, CALL_LOAD, ROW);
}

/* How many keys are there by the account. */
static inline __u64 present(const struct writer *w)
{
	__u64 count = 0;
	unsigned int i;

	for (i = 0; i < w->keys; i++)
		count += !!w->values[i];
	return count;
}

/* Count the entries that are the writer's, each with the value that it should have. */
static inline int count_own(const struct writer *w,
			    const struct blink_tree_entry *entries,
			    unsigned int nr, __u64 *found)
{
	unsigned int i;
	__u64 index;

	for (i = 0; i < nr; i++) {
		index = index_of(w, entries[i].key);
		if (index >= w->keys)
			continue;
		++*found;
		if (w->values[index] != entries[i].value)
			return -EUCLEAN;
	}
	return 0;
}

static inline int scan_numbers(int tree, const struct writer *w, __u64 *found)
{
	static struct blink_tree_entry entries[1000];
	struct blink_tree_ioc_scan arg = {
		.last = U64_MAX,
		.capacity = ARRAY_SIZE(entries),
		.entries = ptr_to_u64(entries),
		.entry_size = sizeof(struct blink_tree_entry),
	};
	int ret;

	do {
		ret = call(tree, BLINK_TREE_IOC_SCAN, &arg);
		if (!ret)
			ret = count_own(w, entries, arg.count, found);
	} while (!ret && !(arg.flags & BLINK_TREE_SCAN_DONE));
	return ret;
}

static inline int scan_strings(int tree, const struct writer *w, __u64 *found)
{
	static struct blink_tree_entry entries[BYTES_SCANNED];
	struct bytes_scanner scanner = {};
	int ret;

	do {
		ret = bytes_scanner_next(&scanner, tree, entries);
		if (ret >= 0)
			ret = count_own(w, entries, ret, found);
	} while (!ret && !scanner.done);
	return ret;
}

/* Whether the tree has just those of the writer's keys that it should have. */
static inline int do_scan(int tree, struct writer *w)
{
	__u64 found = 0;
	int ret = w->strings ? scan_strings(tree, w, &found) :
			       scan_numbers(tree, w, &found);

	if (!ret && found == present(w))
		return 0;
	fprintf(stderr, "# writer %u: scan %d, %llu of %llu keys\n", w->id, ret,
		found, present(w));
	return ret ? ret : -EUCLEAN;
}

static inline int do_verify(int tree, struct writer *w)
{
	struct blink_tree_ioc_verify arg = {};
	int ret = call(tree, BLINK_TREE_IOC_VERIFY, &arg);

	if (!ret && arg.violation == BLINK_TREE_OK)
		return 0;
	fprintf(stderr, "# writer %u: verify %d, violation %u at key %llu\n",
		w->id, ret, arg.violation, arg.key);
	return ret ? ret : -EUCLEAN;
}

static inline int do_any(int tree, struct writer *w)
{
	switch (random_next(&w->state) % 16) {
	case 0:
		return do_scan(tree, w);
	case 1:
		return do_verify(tree, w);
	case 2 ... 4:
		return do_row(tree, w);
	case 5 ... 6:
		return do_several(tree, w, CALL_BATCH, MIXED);
	case 7 ... 8:
		return do_several(tree, w, CALL_COMMIT, BLINK_TREE_COMMIT_MAX);
	default:
		return do_op(tree, w);
	}
}

/* One ioctl that adds keys behind those that were added. */
static inline int do_grow(int tree, struct writer *w)
{
	static const unsigned int most[] = {
		[CALL_OP] = 1,
		[CALL_BATCH] = 300,
		[CALL_COMMIT] = BLINK_TREE_COMMIT_MAX,
		[CALL_LOAD] = 300,
	};
	enum call_kind kind = random_next(&w->state) % ARRAY_SIZE(most);
	unsigned int nr = 1 + random_next(&w->state) % most[kind], i;

	if (w->next + nr > w->keys)
		return -ENOSPC;
	for (i = 0; i < nr; i++)
		plan(w, i, BLINK_TREE_OP_INSERT, w->next + i);
	w->next += nr;
	return execute(tree, w, kind, nr);
}

#endif /* BLINK_WRITER_H */
