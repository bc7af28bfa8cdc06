// SPDX-License-Identifier: GPL-2.0
/*
 * Commits beside each other and beside single operations: none of them finds a part of a
 * commit, nor the second of two stores without the first.
 */
#include "commit.h"
#include "threads.h"

/*
 * Accounts: writers move an amount from one to another, in commits. Their sum is the same
 * in every commit that reads them all, and each single account has what the commits before
 * and after say.
 */
struct bank {
	unsigned int accounts;
	u64 step;
	unsigned int commits;
	u64 deposits;
	atomic_t audits;
	atomic_t changes;
};

#define DEPOSIT 1000

static u64 account(const struct bank *bank, unsigned int i)
{
	return 3 + i * bank->step;
}

/* Read both accounts, and move an amount if they are still as they were. */
static void transfer(struct thread *me, struct bank *bank)
{
	unsigned int from = fixture_below(&me->rnd, bank->accounts);
	unsigned int to =
		(from + 1 + fixture_below(&me->rnd, bank->accounts - 1)) %
		bank->accounts;
	struct blink_tree_ioc_op ops[] = {
		OP(LOOKUP, account(bank, from), 0, 0),
		OP(LOOKUP, account(bank, to), 0, 0),
	};
	u64 amount;
	int ret;

	if (commit(me->threads->tree, ops, 2) || ops[0].result ||
	    ops[1].result) {
		thread_fail(me, "account %llu cannot be read", ops[0].key);
		return;
	}
	amount = fixture_below(&me->rnd, min(ops[0].value, 100ULL) + 1);
	ops[0].opcode = BLINK_TREE_OP_CMPXCHG;
	ops[0].old = ops[0].value;
	ops[0].value -= amount;
	ops[1].opcode = BLINK_TREE_OP_CMPXCHG;
	ops[1].old = ops[1].value;
	ops[1].value += amount;
	ret = commit(me->threads->tree, ops, 2);
	if (!ret)
		atomic_inc(&bank->changes);
	else if (ret != -ESTALE)
		thread_fail(me, "an amount is not moved: %d", ret);
}

static void teller(struct thread *me)
{
	struct bank *bank = me->arg;
	unsigned long n;

	for (n = 0; n < world_work(bank->commits) && thread_goes_on(me); n++)
		transfer(me, bank);
}

static void audit(struct thread *me, struct bank *bank)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX];
	unsigned int i;
	u64 sum = 0;
	int ret;

	for (i = 0; i < bank->accounts; i++)
		ops[i] = (struct blink_tree_ioc_op)OP(LOOKUP, account(bank, i),
						      0, 0);
	ret = commit(me->threads->tree, ops, bank->accounts);
	for (i = 0; i < bank->accounts; i++)
		sum += ops[i].value;
	if (ret || sum != (u64)bank->accounts * DEPOSIT)
		thread_fail(me, "sum %llu, %d", sum, ret);
	atomic_inc(&bank->audits);
}

static void auditor(struct thread *me)
{
	while (thread_goes_on(me))
		audit(me, me->arg);
}

/* Other keys come and go between the accounts, so leaves split and merge. */
static void neighbour(struct thread *me)
{
	struct bank *bank = me->arg;
	struct blink_tree *tree = me->threads->tree;
	u64 key, n = 0;

	while (thread_goes_on(me)) {
		for (key = 0; key < 40; key++) {
			u64 at = account(bank, n % bank->accounts) + 1 + key;

			if (n & 64)
				blink_tree_store(tree, at, n, NULL, GFP_KERNEL);
			else
				blink_tree_erase(tree, at, NULL);
		}
		n++;
	}
}

static void run_bank(struct kunit *test, u64 step, bool neighbours)
{
	struct bank bank = {
		.accounts = commit_max(test),
		.step = step,
		.commits = 4000,
	};
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	unsigned int i;

	for (i = 0; i < bank.accounts; i++)
		KUNIT_ASSERT_EQ(test,
				blink_tree_store(tree, account(&bank, i),
						 DEPOSIT, NULL, GFP_KERNEL),
				0);
	threads_lead(threads, 2, teller, &bank);
	threads_follow(threads, 2, auditor, &bank);
	if (neighbours)
		threads_follow(threads, 1, neighbour, &bank);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&bank.changes), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&bank.audits), 0);
	fixture_verified(test, tree);
}

/* All accounts in one leaf. */
static void sum_of_a_leaf(struct kunit *test)
{
	run_bank(test, 1, false);
}

static void sum_across_leaves(struct kunit *test)
{
	run_bank(test, 100, true);
}

/*
 * Tokens move: each is at one key of several, and a commit that looks up all of them finds
 * it exactly once. Commits insert and erase, so leaves split and merge by them alone.
 */
#define PLACES 3

static u64 place_of(u64 token, unsigned int place)
{
	return token + place * 100000ULL;
}

static void mover(struct thread *me)
{
	struct bank *bank = me->arg;
	struct blink_tree *tree = me->threads->tree;
	unsigned long n;
	u64 token;

	for (n = 0; n < world_work(bank->commits) && thread_goes_on(me); n++) {
		token = fixture_below(&me->rnd, bank->accounts);
		struct blink_tree_ioc_op ops[] = {
			OP(ERASE, place_of(token, n % PLACES), 0, 0),
			OP(INSERT, place_of(token, (n + 1) % PLACES), token, 0),
		};
		int ret = commit(tree, ops, 2);

		if (!ret)
			atomic_inc(&bank->changes);
		else if (ret != -ESTALE)
			thread_fail(me, "move: %d", ret);
	}
}

static void watcher(struct thread *me)
{
	struct bank *bank = me->arg;
	unsigned int i, found;

	while (thread_goes_on(me)) {
		u64 token = fixture_below(&me->rnd, bank->accounts);
		struct blink_tree_ioc_op ops[PLACES];

		for (i = 0; i < PLACES; i++)
			ops[i] = (struct blink_tree_ioc_op)OP(
				LOOKUP, place_of(token, i), 0, 0);
		if (commit(me->threads->tree, ops, PLACES))
			thread_fail(me, "cannot read %llu", token);
		for (i = 0, found = 0; i < PLACES; i++)
			found += !ops[i].result;
		if (found != 1)
			thread_fail(me, "token %llu: %u times", token, found);
		atomic_inc(&bank->audits);
	}
}

static void moves(struct kunit *test)
{
	struct bank bank = { .accounts = 200, .commits = 8000 };
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);

	fixture_fill(test, tree, 0, 1, bank.accounts);
	threads_lead(threads, 2, mover, &bank);
	threads_follow(threads, 2, watcher, &bank);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&bank.changes), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&bank.audits), 0);
	fixture_verified(test, tree);
	fixture_content(test, tree, bank.accounts);
}

/*
 * Single stores, to one key and then to the other: a commit that reads both never finds the
 * second one alone, in one leaf or in two.
 */
#define FIRST 10

static u64 second_key(const struct bank *bank)
{
	return FIRST + bank->step;
}

static void storer(struct thread *me)
{
	const struct bank *bank = me->arg;
	struct blink_tree *tree = me->threads->tree;
	u64 n;

	for (n = 1; n < world_work(bank->commits) && thread_goes_on(me); n++) {
		blink_tree_store(tree, FIRST, n, NULL, GFP_KERNEL);
		blink_tree_replace(tree, second_key(bank), n, NULL);
	}
}

static void pair_reader(struct thread *me)
{
	struct bank *bank = me->arg;

	while (thread_goes_on(me)) {
		struct blink_tree_ioc_op ops[] = {
			OP(LOOKUP, second_key(bank), 0, 0),
			OP(LOOKUP, FIRST, 0, 0),
		};

		if (commit(me->threads->tree, ops, 2) ||
		    ops[1].value - ops[0].value > 1)
			thread_fail(me, "%llu and then %llu", ops[1].value,
				    ops[0].value);
		atomic_inc(&bank->audits);
	}
}

static void run_stores(struct kunit *test, u64 step)
{
	struct bank bank = { .step = step, .commits = 30000 };
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);
	u64 key;

	for (key = FIRST; key <= FIRST + step; key++)
		KUNIT_ASSERT_EQ(
			test, blink_tree_insert(tree, key, 0, NULL, GFP_KERNEL),
			0);
	threads_lead(threads, 1, storer, &bank);
	threads_follow(threads, 3, pair_reader, &bank);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&bank.audits), 0);
	fixture_verified(test, tree);
}

static void stores_in_a_leaf(struct kunit *test)
{
	run_stores(test, 1);
}

static void stores_across_leaves(struct kunit *test)
{
	run_stores(test, 500);
}

/* Whether a thread has more to do: a leader a set amount, the others as long as it. */
static bool has_work(struct thread *me, const struct bank *bank,
		     unsigned long n)
{
	return (!me->leader || n < world_work(bank->commits)) &&
	       thread_goes_on(me);
}

/* Add to one account after the other. */
static void adder(struct thread *me)
{
	struct bank *bank = me->arg;
	unsigned long n;
	u64 key;

	for (n = 0; has_work(me, bank, n); n++) {
		key = account(bank, fixture_below(&me->rnd, bank->accounts));
		if (blink_tree_add(me->threads->tree, key, 1, NULL,
				   GFP_KERNEL) != 1)
			thread_fail(me, "nothing is added to %llu", key);
		atomic_inc(&bank->changes);
	}
}

/* Add to all accounts, in commits. */
static void committer(struct thread *me)
{
	struct blink_tree_ioc_op ops[BLINK_TREE_COMMIT_MAX];
	struct bank *bank = me->arg;
	unsigned long n;
	unsigned int i;
	int ret;

	for (n = 0; has_work(me, bank, n); n++) {
		for (i = 0; i < bank->accounts; i++)
			ops[i] = (struct blink_tree_ioc_op)OP(
				ADD, account(bank, i), 1, 0);
		ret = commit(me->threads->tree, ops, bank->accounts);
		if (ret)
			thread_fail(me, "nothing is added: %d", ret);
		atomic_add(bank->accounts, &bank->changes);
		atomic_inc(&bank->audits);
	}
}

static u64 sum_of(struct kunit *test, struct blink_tree *tree,
		  const struct bank *bank)
{
	u64 sum = 0, value = 0;
	unsigned int i;

	for (i = 0; i < bank->accounts; i++) {
		KUNIT_EXPECT_EQ(
			test, blink_tree_lookup(tree, account(bank, i), &value),
			0);
		sum += value;
	}
	return sum;
}

/* The leader gets its work done, whatever the others do: locks are queues. */
static void run_adds(struct kunit *test, thread_work_t leader,
		     thread_work_t others)
{
	struct bank bank = {
		.accounts = commit_max(test),
		.step = 500,
		.commits = 3000,
	};
	struct blink_tree *tree = fixture_tree(test);
	struct threads *threads = threads_create(test, tree);

	fixture_fill(test, tree, 0, 1, account(&bank, bank.accounts));
	bank.deposits = sum_of(test, tree, &bank);
	threads_lead(threads, 1, leader, &bank);
	threads_follow(threads, 3, others, &bank);
	threads_run(threads);
	KUNIT_EXPECT_GT(test, atomic_read(&bank.audits), 0);
	KUNIT_EXPECT_EQ(test, sum_of(test, tree, &bank) - bank.deposits,
			(u64)(u32)atomic_read(&bank.changes));
	fixture_verified(test, tree);
}

static void adds_beside_commits(struct kunit *test)
{
	run_adds(test, adder, committer);
}

static void commits_beside_adds(struct kunit *test)
{
	run_adds(test, committer, adder);
}

#define CASES                                                               \
	KUNIT_CASE_SLOW(sum_of_a_leaf), KUNIT_CASE_SLOW(sum_across_leaves), \
		KUNIT_CASE_SLOW(moves), KUNIT_CASE_SLOW(stores_in_a_leaf),  \
		KUNIT_CASE_SLOW(stores_across_leaves),                      \
		KUNIT_CASE_SLOW(adds_beside_commits),                       \
		KUNIT_CASE_SLOW(commits_beside_adds)

FIXTURE_SUITE("commit_threads", CASES);
FIXTURE_SUITE("commit_threads-inner", CASES);
FIXTURE_SUITE("commit_threads-full", CASES);
FIXTURE_SUITE("commit_threads-compress", CASES);
FIXTURE_SUITE("commit_threads-u128-inner", CASES);
FIXTURE_SUITE("commit_threads-bytes-inner", CASES);
