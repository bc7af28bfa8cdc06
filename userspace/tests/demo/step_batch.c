// SPDX-License-Identifier: GPL-2.0
/*
 * The savings of a batch: the same lookups with one call each and in batches. Each
 * answer is checked, and the cost of both ways is measured.
 *
 * The step compares instructions. Few guests have a counter of instructions, and QEMU
 * without KVM has none. There the step prints CPU time, without a ratio: an emulator
 * needs far more time to enter and leave the kernel than for other instructions.
 */
#include "cost.h"
#include "workers.h"

/* Lookups of a round, which is one batch; the first round is a warm-up. */
#define BATCH 1024
#define ROUNDS 41

struct round {
	size_t symbols[BATCH];
	struct blink_tree_ioc_op ops[BATCH];
};

static void choose(const struct symbols *symbols, struct round *round,
		   __u64 *random)
{
	size_t i;

	for (i = 0; i < BATCH; i++) {
		round->symbols[i] = random_below(random, symbols->nr);
		round->ops[i] = (struct blink_tree_ioc_op){
			.opcode = BLINK_TREE_OP_LOOKUP,
			.key = symbols->sorted[round->symbols[i]].address,
		};
	}
}

static void ask_alone(struct blinktree *tree, struct round *round)
{
	size_t i;

	for (i = 0; i < BATCH; i++)
		round->ops[i].result = blinktree_get(tree, round->ops[i].key,
						     &round->ops[i].value);
}

static void ask_batch(struct blinktree *tree, struct round *round)
{
	int err = blinktree_batch(tree, round->ops, BATCH, NULL);

	if (err)
		fail("batch: error %d", -err);
}

static void check(const struct symbols *symbols, const struct round *round)
{
	size_t i;

	for (i = 0; i < BATCH; i++) {
		const struct symbol *symbol =
			&symbols->sorted[round->symbols[i]];
		const struct blink_tree_ioc_op *op = &round->ops[i];

		if (op->result || op->key != symbol->address ||
		    op->value != symbol->position)
			fail("batch: lookup of %#llx gave %d: %llu, not %llu",
			     symbol->address, op->result, op->value,
			     symbol->position);
	}
}

static struct cost measure(struct job *job, struct round *round,
			   void (*ask)(struct blinktree *tree,
				       struct round *round),
			   int fd, __u64 *random)
{
	struct cost sum = {}, begin;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		choose(&job->symbols, round, random);
		begin = cost_now(fd);
		ask(job->tree, round);
		if (i)
			cost_add_since(&sum, &begin, fd);
		check(&job->symbols, round);
	}
	return sum;
}

static double per_lookup(__u64 cost)
{
	return cost / ((ROUNDS - 1.0) * BATCH);
}

static void tell_instructions(__u64 alone, __u64 batch)
{
	detail("instructions per lookup: %.0f with one call each, %.0f in batches (ratio %.1f)",
	       per_lookup(alone), per_lookup(batch), (double)alone / batch);
	/* A count does not depend on the load of the machine. */
	if (batch >= alone)
		fail("batch: a batch saves no instructions");
}

/* Without a ratio: on an emulated CPU it would have no meaning. */
static void tell_time(__u64 alone, __u64 batch)
{
	detail("CPU time per lookup: %.0f ns with one call each, %.0f ns in batches",
	       per_lookup(alone), per_lookup(batch));
	detail("(this machine does not count instructions, and on an emulated CPU system");
	detail("calls are too slow: make bench-kernel counts instructions in QEMU)");
}

void step_batch(struct job *job)
{
	__u64 random = random_seed(job, 3, 0);
	struct cost alone, batch;
	static struct round round;
	double start = now();
	int fd = cost_open();
	bool counted;

	alone = measure(job, &round, ask_alone, fd, &random);
	batch = measure(job, &round, ask_batch, fd, &random);
	counted = cost_now(fd).instructions;
	cost_close(fd);
	report("batch", start,
	       "%u lookups with as many system calls, and again with %u: all right",
	       ROUNDS * BATCH, ROUNDS);
	if (counted)
		tell_instructions(alone.instructions, batch.instructions);
	else
		tell_time(alone.nanoseconds, batch.nanoseconds);
}
