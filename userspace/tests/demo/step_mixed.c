// SPDX-License-Identifier: GPL-2.0
/*
 * A mixed load from all CPUs: each process reads, adds, overwrites and erases keys of
 * its own, one by one and in batches, and knows the right result of each operation. The
 * keys of all processes alternate, so that every leaf has keys of all of them.
 */
#include <errno.h>
#include <stdatomic.h>

#include "workers.h"

/* Keys of each process, in a range without symbols. */
#define OWN 4096
#define BASE 0x10000000000ULL
#define BATCH 32

struct oracle {
	unsigned int worker;
	unsigned int workers;
	bool present[OWN];
	__u64 values[OWN];
};

static __u64 key_of(const struct oracle *oracle, size_t i)
{
	return BASE + i * oracle->workers + oracle->worker;
}

static size_t index_of(const struct oracle *oracle, __u64 key)
{
	return (key - BASE) / oracle->workers;
}

static struct blink_tree_ioc_op choose(const struct oracle *oracle,
				       __u64 *random)
{
	static const unsigned char mix[16] = {
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_LOOKUP,  BLINK_TREE_OP_LOOKUP,
		BLINK_TREE_OP_INSERT,  BLINK_TREE_OP_INSERT,
		BLINK_TREE_OP_STORE,   BLINK_TREE_OP_STORE,
		BLINK_TREE_OP_REPLACE, BLINK_TREE_OP_CMPXCHG,
		BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_ERASE,
		BLINK_TREE_OP_ERASE,   BLINK_TREE_OP_FLOOR,
	};
	size_t i = random_below(random, OWN);
	struct blink_tree_ioc_op op = {
		.opcode = mix[random_below(random, 16)],
		.key = key_of(oracle, i),
		.value = random_next(random),
		.old = oracle->values[i],
	};

	/* Every other exchange expects a wrong value. */
	if (op.opcode == BLINK_TREE_OP_CMPXCHG)
		op.old ^= op.value & 1;
	return op;
}

static void execute_alone(struct blinktree *tree, struct blink_tree_ioc_op *op)
{
	struct blink_tree_entry entry = {};
	int ret = -EINVAL;

	switch (op->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		ret = blinktree_get(tree, op->key, &op->value);
		break;
	case BLINK_TREE_OP_INSERT:
		ret = blinktree_insert(tree, op->key, op->value, &op->old);
		break;
	case BLINK_TREE_OP_STORE:
		ret = blinktree_store(tree, op->key, op->value, &op->old);
		break;
	case BLINK_TREE_OP_REPLACE:
		ret = blinktree_replace(tree, op->key, op->value, &op->old);
		break;
	case BLINK_TREE_OP_ERASE:
		ret = blinktree_erase(tree, op->key, &op->old);
		break;
	case BLINK_TREE_OP_CMPXCHG:
		ret = blinktree_cmpxchg(tree, op->key, &op->old, op->value);
		break;
	case BLINK_TREE_OP_FLOOR:
		ret = blinktree_floor(tree, op->key, &entry);
		op->key = entry.key;
		op->value = entry.value;
		break;
	}
	op->result = ret;
}

/*
 * The floor can be a key of another process, but it is not less than the greatest key
 * of this process that is present: only this process erases its own keys.
 */
static bool right_floor(const struct oracle *oracle,
			const struct blink_tree_ioc_op *asked,
			const struct blink_tree_ioc_op *op)
{
	size_t i = index_of(oracle, asked->key) + 1;

	while (i > 0 && !oracle->present[i - 1])
		i--;
	if (op->result == -ENOENT)
		return !i;
	if (op->result || op->key > asked->key)
		return false;
	return !i || op->key > key_of(oracle, i - 1) ||
	       (op->key == key_of(oracle, i - 1) &&
		op->value == oracle->values[i - 1]);
}

static void set(struct oracle *oracle, size_t i, __u64 value)
{
	oracle->present[i] = true;
	oracle->values[i] = value;
}

/* Whether the result is right. Record the new state of the key. */
static bool right(struct oracle *oracle, const struct blink_tree_ioc_op *asked,
		  const struct blink_tree_ioc_op *op)
{
	size_t i = index_of(oracle, asked->key);
	bool present = oracle->present[i];
	__u64 value = oracle->values[i];

	switch (asked->opcode) {
	case BLINK_TREE_OP_LOOKUP:
		return present ? !op->result && op->value == value :
				 op->result == -ENOENT;
	case BLINK_TREE_OP_INSERT:
		if (present)
			return op->result == -EEXIST && op->old == value;
		set(oracle, i, asked->value);
		return !op->result;
	case BLINK_TREE_OP_STORE:
		set(oracle, i, asked->value);
		return present ? op->result == 1 && op->old == value :
				 !op->result;
	case BLINK_TREE_OP_REPLACE:
		if (!present)
			return op->result == -ENOENT;
		set(oracle, i, asked->value);
		return !op->result && op->old == value;
	case BLINK_TREE_OP_ERASE:
		oracle->present[i] = false;
		return present ? !op->result && op->old == value :
				 op->result == -ENOENT;
	case BLINK_TREE_OP_CMPXCHG:
		if (!present)
			return op->result == -ENOENT;
		if (asked->old != value)
			return op->result == -ESTALE && op->old == value;
		set(oracle, i, asked->value);
		return !op->result;
	}
	return right_floor(oracle, asked, op);
}

static void check(struct oracle *oracle, const struct blink_tree_ioc_op *asked,
		  const struct blink_tree_ioc_op *op)
{
	size_t i = index_of(oracle, asked->key);
	bool present = oracle->present[i];
	__u64 value = oracle->values[i];

	if (!right(oracle, asked, op))
		fail("mixed: op %u on %#llx (%s: %#llx) gave %d: %#llx, %#llx, %#llx",
		     asked->opcode, asked->key, present ? "there" : "not there",
		     value, op->result, op->key, op->value, op->old);
}

static void round_of(struct blinktree *tree, struct oracle *oracle,
		     __u64 *random, size_t nr)
{
	struct blink_tree_ioc_op asked[BATCH], ops[BATCH];
	size_t i;
	int err = 0;

	for (i = 0; i < nr; i++) {
		asked[i] = choose(oracle, random);
		ops[i] = asked[i];
	}
	if (nr == 1)
		execute_alone(tree, ops);
	else
		err = blinktree_batch(tree, ops, nr, NULL);
	if (err)
		fail("mixed: batch: error %d", -err);
	for (i = 0; i < nr; i++)
		check(oracle, &asked[i], &ops[i]);
}

/* Erase all keys, and check the results. */
static void erase_all(struct blinktree *tree, struct oracle *oracle)
{
	size_t i;

	for (i = 0; i < OWN; i++) {
		struct blink_tree_ioc_op asked = {
			.opcode = BLINK_TREE_OP_ERASE,
			.key = key_of(oracle, i),
		};
		struct blink_tree_ioc_op op = asked;

		execute_alone(tree, &op);
		check(oracle, &asked, &op);
	}
}

static void work(struct job *job, struct blinktree *tree, unsigned int worker,
		 void *context)
{
	static struct oracle oracle;
	__u64 random = random_seed(job, 2, worker);
	atomic_ullong *total = context;
	size_t done, nr;

	oracle.worker = worker;
	oracle.workers = job->cpus;
	for (done = 0; done < job->mixed_ops; done += nr) {
		/* Half of the operations are in batches. */
		nr = random_below(&random, BATCH + 1) ? 1 : BATCH;
		round_of(tree, &oracle, &random, nr);
	}
	erase_all(tree, &oracle);
	atomic_fetch_add(total, done + OWN);
}

void step_mixed(struct job *job)
{
	const struct symbols *symbols = &job->symbols;
	atomic_ullong *total = shared_alloc(sizeof(*total));
	__u64 last = BASE + (__u64)OWN * job->cpus;
	struct workers workers;
	double start = now();

	if (symbols_floor(symbols, BASE) != symbols_floor(symbols, last))
		fail("mixed: the range of the keys has symbols");
	workers_start(&workers, job, job->cpus, work, total);
	workers_wait(&workers);
	if (entries_of(job->tree) != symbols->nr)
		fail("mixed: %llu entries are left, not %zu",
		     entries_of(job->tree), symbols->nr);
	report("mixed", start,
	       "%llu reads, inserts and erases from %u CPUs, all right", *total,
	       job->cpus);
	shared_free((void *)total, sizeof(*total));
}
