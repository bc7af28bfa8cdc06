// SPDX-License-Identifier: GPL-2.0
/*
 * Commits: several operations that take effect at one instant, or not at all.
 *
 * This file has the rules of the operations, and commits that change nothing. These take no
 * lock: they read all leaves, and then compare the sequences once more. All of them are
 * unchanged at the moment between. This needs *strict* leaves (BLINK_NODE_STRICT), in which an
 * overwritten value changes the sequence, too. The first commit that reads a leaf in this way
 * makes it strict, under the lock (commit_write.c).
 *
 * Linearization point: of a commit that takes no lock, in commit_unchanged(); of one that is a
 * single operation, that of this operation (commit_one()).
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "../tree/writer.h"
#include "at_leaf.h"
#include "commit.h"
#include "probe.h"

/**
 * struct commit_rule - the effects of an operation in a commit
 * @absent: enum blink_commit_change, if the key is absent
 * @present: enum blink_commit_change, if it is present
 * @compares: it needs the expected value
 * @sums: it needs values that are numbers
 */
struct commit_rule {
	u8 absent;
	u8 present;
	bool compares;
	bool sums;
};

static const struct commit_rule commit_rules[] = {
	[BLINK_TREE_OP_LOOKUP] = { BLINK_COMMIT_NOTHING, BLINK_COMMIT_NOTHING },
	[BLINK_TREE_OP_INSERT] = { BLINK_COMMIT_ADD, BLINK_COMMIT_FAILURE },
	[BLINK_TREE_OP_STORE] = { BLINK_COMMIT_ADD, BLINK_COMMIT_SET },
	[BLINK_TREE_OP_REPLACE] = { BLINK_COMMIT_FAILURE, BLINK_COMMIT_SET },
	[BLINK_TREE_OP_ERASE] = { BLINK_COMMIT_FAILURE, BLINK_COMMIT_REMOVE },
	[BLINK_TREE_OP_CMPXCHG] = { BLINK_COMMIT_FAILURE, BLINK_COMMIT_SET,
				    true },
	[BLINK_TREE_OP_CMPERASE] = { BLINK_COMMIT_FAILURE, BLINK_COMMIT_REMOVE,
				     true },
	[BLINK_TREE_OP_GET_OR_INSERT] = { BLINK_COMMIT_ADD,
					  BLINK_COMMIT_NOTHING },
	[BLINK_TREE_OP_EXPECT] = { BLINK_COMMIT_FAILURE, BLINK_COMMIT_NOTHING,
				   true },
	[BLINK_TREE_OP_ABSENT] = { BLINK_COMMIT_NOTHING, BLINK_COMMIT_FAILURE },
	[BLINK_TREE_OP_ADD] = { BLINK_COMMIT_ADD, BLINK_COMMIT_SET,
				.sums = true },
	[BLINK_TREE_OP_ADD_SATURATE] = { BLINK_COMMIT_ADD, BLINK_COMMIT_SET,
					 .sums = true },
};

/* The rule of an operation, or NULL if it cannot be part of a commit. */
static const struct commit_rule *commit_rule(const struct blink_tree_ioc_op *op)
{
	const struct commit_rule *rule;

	if (op->opcode >= ARRAY_SIZE(commit_rules))
		return NULL;
	rule = &commit_rules[op->opcode];
	return rule->absent ? rule : NULL;
}

static bool commit_rule_writes(const struct commit_rule *rule)
{
	return max(rule->absent, rule->present) > BLINK_COMMIT_NOTHING;
}

/* Find the order of the keys. Operations on one key stay in the caller's order. */
static void commit_sort(struct blink_commit *c)
{
	unsigned int i, k;

	for (i = 0; i < c->nr; i++) {
		for (k = i; k && blink_key_less(c->op[i].key,
						blink_commit_op(c, k - 1)->key);
		     k--)
			c->order[k] = c->order[k - 1];
		c->order[k] = i;
	}
}

/* Whether each key has one change at most; sets @writes. */
static bool commit_single(struct blink_commit *c)
{
	const struct blink_tree_ioc_op *op, *last = NULL;
	unsigned int k;

	for (k = 0; k < c->nr; k++) {
		op = blink_commit_op(c, k);
		if (!commit_rule_writes(commit_rule(op)))
			continue;
		if (last && blink_key_equal(last->key, op->key))
			return false;
		last = op;
	}
	c->writes = last || c->clear;
	return true;
}

/*
 * Find the gaps that have to be empty or are cleared. Several operations on one key have the
 * same gap. False: a flag has no meaning, or the last key has a gap.
 */
static bool commit_gaps(struct blink_commit *c)
{
	unsigned int k, flags = 0;

	for (k = 0; k < c->nr; k++) {
		flags |= blink_commit_op(c, k)->flags;
		if (flags &
		    ~(BLINK_TREE_COMMIT_EMPTY | BLINK_TREE_COMMIT_CLEAR))
			return false;
		if (k + 1 < c->nr &&
		    blink_key_equal(blink_commit_op(c, k)->key,
				    blink_commit_op(c, k + 1)->key))
			continue;
		if (flags & BLINK_TREE_COMMIT_EMPTY)
			c->empty |= BIT(k);
		if (flags & BLINK_TREE_COMMIT_CLEAR)
			c->clear |= BIT(k);
		flags = 0;
	}
	return !(c->empty & c->clear) &&
	       !((c->empty | c->clear) >> (c->nr - 1));
}

/* Make the new entries. */
static int commit_make(struct blink_commit *c, gfp_t gfp)
{
	struct blink_tree_ioc_op *op;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr && !ret; i++) {
		op = &c->op[i];
		if (commit_rule(op)->absent != BLINK_COMMIT_ADD)
			continue;
		ret = blink_entry_make(c->state.tree, op->key,
				       blink_value_after(op->opcode, 0,
							 op->value),
				       gfp, blink_commit_place(c, i));
		if (!ret)
			c->made |= BIT(i);
	}
	return ret;
}

/* Free the entries that were not added, and those that were removed. */
static void commit_free(struct blink_commit *c, int ret)
{
	struct blink_tree *tree = c->state.tree;
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		if (c->made & BIT(i))
			blink_entry_end(tree, *blink_commit_place(c, i),
					ret || c->change[i] !=
							BLINK_COMMIT_ADD);
		else if (!ret && c->change[i] == BLINK_COMMIT_REMOVE)
			blink_entry_drop(tree, *blink_commit_place(c, i));
	}
}

/**
 * blink_commit_decide() - decide on the effect of an operation
 * @c: the commit
 * @i: number of the operation
 * @found: its key is present
 * @present: the value of the key, found in a valid section or under the lock
 *
 * Context: rcu_read_lock() held since @present was found.
 */
void blink_commit_decide(struct blink_commit *c, unsigned int i, bool found,
			 u64 present)
{
	struct blink_tree_ioc_op *op = &c->op[i];
	const struct commit_rule *rule = commit_rule(op);
	struct blink_expected expected = { .value = op->old };

	if (rule->compares && c->state.tree->flags & BLINK_TREE_BYTE_VALUES) {
		expected.data = blink_value(op->old)->data;
		expected.length = blink_value(op->old)->length;
	}
	c->value[i] = present;
	if (found)
		c->present |= BIT(i);
	else
		c->present &= ~BIT(i);
	c->change[i] = found ? rule->present : rule->absent;
	if (c->change[i] == BLINK_COMMIT_FAILURE ||
	    (rule->compares &&
	     !blink_is_expected(c->state.tree, &expected, present)))
		c->failed = min_t(unsigned int, c->failed, i);
}

/**
 * struct commit_look - a key that a commit looks up without a lock
 * @probe: the lookup
 * @strict: its leaf is strict
 */
struct commit_look {
	struct blink_probe probe;
	bool strict;
};

/* The descent has fetched one group of the keys. */
static __always_inline void commit_look(struct blink_node *leaf, void *arg)
{
	struct commit_look *look = arg;
	unsigned int form = blink_leaf_form(leaf);

	if (likely(!form))
		blink_probe_at(leaf, 0,
			       blink_leaf_search_group(leaf, look->probe.key),
			       &look->probe);
	else
		blink_probe(leaf, &look->probe);
	look->strict = blink_leaf_strict(leaf);
}

/* Whether all leaves are as they were read. */
static bool commit_unchanged(const struct blink_commit *c)
{
	unsigned int k;

	/*
	 * Each sequence is loaded after the contents of all leaves. Pairs with the
	 * smp_wmb() in blink_write_begin(), as that of blink_read_retry().
	 *
	 * LP: commit that only reads: here
	 */
	smp_rmb();
	for (k = 0; k < c->nr; k++) {
		if (READ_ONCE(c->leaf[k].node->seq) != c->leaf[k].seq)
			return false;
	}
	return true;
}

/*
 * Read all leaves without their locks. -EAGAIN: one of them has changed; -ENOLCK: one of
 * them is not strict.
 */
static int commit_read_once(struct blink_commit *c)
{
	struct blink_node *near[BLINK_COMMIT_MAX];
	struct blink_tree *tree = c->state.tree;
	struct blink_node *leaf = NULL;
	unsigned int k, i;

	c->failed = c->nr;
	blink_commit_descend(c, NULL, near);
	for (k = 0; k < c->nr; k++) {
		struct commit_look look = {};

		i = c->order[k];
		look.probe.key = c->op[i].key;
		/* An index can lack the leaf: then each descent ends to the left of it. */
		if (!leaf || blink_node_beyond(leaf, look.probe.key))
			leaf = near[k];
		leaf = blink_read_covering(tree, leaf, look.probe.key,
					   commit_look, &look, &c->leaf[k].seq);
		if (!look.strict)
			return -ENOLCK;
		c->leaf[k].node = leaf;
		blink_commit_decide(c, i, look.probe.found, look.probe.value);
	}
	if (!commit_unchanged(c))
		return -EAGAIN;
	return c->failed < c->nr ? -ESTALE : 0;
}

/*
 * A commit that changes nothing. -EAGAIN or -ENOLCK: it has to take the locks.
 * Not inlined: its variables are on the stack only until it returns.
 */
static noinline_for_stack int commit_read(struct blink_commit *c)
{
	unsigned int tries;
	int ret = -EAGAIN;

	for (tries = 0; tries < BLINK_READ_TRIES && ret == -EAGAIN; tries++) {
		rcu_read_lock();
		ret = commit_read_once(c);
		rcu_read_unlock();
	}
	return ret;
}

/* The result of an operation that was decided on. */
static int commit_result(const struct blink_commit *c, unsigned int i)
{
	const struct commit_rule *rule = commit_rule(&c->op[i]);
	bool found = c->present & BIT(i);

	if (c->change[i] == BLINK_COMMIT_FAILURE)
		return found ? -EEXIST : -ENOENT;
	if (c->change[i] == BLINK_COMMIT_OCCUPIED)
		return -ENOTEMPTY;
	if (i == c->failed)
		return -ESTALE;
	if (c->op[i].opcode == BLINK_TREE_OP_LOOKUP)
		return found ? 0 : -ENOENT;
	return found && rule->absent == BLINK_COMMIT_ADD;
}

/* Tell the caller what the operations found. */
static void commit_report(const struct blink_commit *c, int ret)
{
	struct blink_tree_ioc_op *op;
	unsigned int i;

	for (i = 0; i < c->nr; i++) {
		op = &c->op[i];
		if (ret && (ret != -ESTALE || i != c->failed)) {
			op->result = -ECANCELED;
			continue;
		}
		op->result = commit_result(c, i);
		if (!(c->present & BIT(i)))
			continue;
		if (op->opcode == BLINK_TREE_OP_LOOKUP)
			op->value = c->value[i];
		else
			op->old = c->value[i];
	}
}

/* Whether the operations can be a commit. */
static int commit_check(struct blink_commit *c)
{
	bool numbers = !(c->state.tree->flags & BLINK_TREE_BYTE_VALUES);
	const struct commit_rule *rule;
	unsigned int i, adds = 0;

	for (i = 0; i < c->nr; i++) {
		rule = commit_rule(&c->op[i]);
		if (!rule || (rule->sums && !numbers))
			return -EINVAL;
		adds += rule->absent == BLINK_COMMIT_ADD;
	}
	if (adds > BLINK_COMMIT_ADDS)
		return -E2BIG;
	commit_sort(c);
	return commit_gaps(c) && commit_single(c) ? 0 : -EINVAL;
}

/*
 * One operation alone takes effect at one instant by itself. Values of bytes are compared in
 * another way there, and conditions are operations of commits alone. It has no gap.
 */
static bool commit_alone(const struct blink_tree *tree,
			 const struct blink_tree_ioc_op *op)
{
	return commit_rule(op) && op->opcode != BLINK_TREE_OP_EXPECT &&
	       op->opcode != BLINK_TREE_OP_ABSENT && !op->flags &&
	       !(tree->flags & BLINK_TREE_BYTE_VALUES);
}

static int commit_one(struct blink_tree *tree, struct blink_tree_ioc_op *op,
		      unsigned int *failed, gfp_t gfp)
{
	int ret;

	blink_op(tree, op, gfp);
	ret = op->result;
	if (ret >= 0 || (ret == -ENOENT && op->opcode == BLINK_TREE_OP_LOOKUP))
		return 0;
	if (ret == -EEXIST || ret == -ENOENT || ret == -ESTALE) {
		*failed = 0;
		return -ESTALE;
	}
	op->result = -ECANCELED;
	return ret;
}

/* A commit that was checked. */
static int commit_all(struct blink_commit *c, gfp_t gfp)
{
	int ret = c->writes || c->empty ? -ENOLCK : commit_read(c);

	if (ret == -EAGAIN || ret == -ENOLCK) {
		ret = commit_make(c, gfp) ?: blink_commit_write(c);
		commit_free(c, ret);
	}
	commit_report(c, ret);
	return ret;
}

/*
 * Several operations, or one that is not alone. Not inlined: its variables are on the stack
 * only where they are needed.
 */
static noinline_for_stack int commit_several(struct blink_tree *tree,
					     struct blink_tree_ioc_op *ops,
					     unsigned int nr,
					     unsigned int *failed, gfp_t gfp)
{
	struct blink_commit c;
	int ret;

	if (nr > BLINK_COMMIT_MAX)
		return -E2BIG;
	/* Clear all fields except the arrays. */
	memset(&c, 0, offsetof(struct blink_commit, added));
	c.state.tree = tree;
	c.state.walk.posts = true;
	c.state.gfp = gfp;
	c.op = ops;
	c.nr = nr;
	ret = commit_check(&c);
	if (ret)
		return ret;
	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	ret = commit_all(&c, gfp);
	if (ret == -ESTALE)
		*failed = c.failed;
	return ret;
}

/**
 * blink_commit() - execute operations at one instant, or none of them
 * @tree: the tree
 * @ops: the operations; their results are stored in them
 * @nr: how many
 * @failed: set to the number of the first operation whose condition is not true, with
 *	-ESTALE
 * @gfp: how to allocate
 *
 * Context: as blink_tree_commit(); @tree fits.
 * Return: likewise.
 */
int blink_commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		 unsigned int nr, unsigned int *failed, gfp_t gfp)
{
	if (!nr)
		return 0;
	if (nr > 1 || !commit_alone(tree, ops))
		return commit_several(tree, ops, nr, failed, gfp);
	if (WARN_ON_ONCE(!blink_may_wait(tree)))
		return -EPERM;
	return commit_one(tree, ops, failed, gfp);
}

/**
 * blink_tree_commit() - execute operations at one instant, or none of them
 * @tree: the tree
 * @ops: the operations, in any order of their keys: each a LOOKUP, INSERT, STORE, REPLACE,
 *	ERASE, CMPXCHG, CMPERASE, GET_OR_INSERT, EXPECT, ABSENT, ADD or ADD_SATURATE; their
 *	results are stored in them
 * @nr: how many, at most BLINK_TREE_COMMIT_MAX
 * @failed: set to the number of the first operation whose condition is not true, with
 *	-ESTALE; may be NULL
 * @gfp: how to allocate, if leaves have to be split
 *
 * Each operation has the condition that its error tells when it is executed alone: INSERT
 * and ABSENT need the key to be absent, REPLACE, ERASE, CMPXCHG, CMPERASE and EXPECT need
 * it to be present, and those that compare need its value to be @old. A LOOKUP of an
 * absent key has the result -ENOENT, and does not fail the commit. All conditions are
 * tested, and all values found, before the first change. A key can have several
 * operations, of which one can change it.
 *
 * With the flag BLINK_TREE_COMMIT_EMPTY an operation has the condition that no key is
 * between its own and the next greater one of the commit, and with BLINK_TREE_COMMIT_CLEAR
 * the keys between are removed. Operations on one key share their flags.
 *
 * All operations take effect at one instant: a lookup, a scan of one leaf or another
 * commit that finds one of the changes finds the others, too. After an error nothing has
 * changed. Then the operation of @failed has its error as @result, and if it is not
 * -ENOENT, the present value in @old. The result is -ENOTEMPTY if a key is where the flag
 * EMPTY wants none; then the present value, if there is one, is in @old, or of a LOOKUP in
 * @value. The others have -ECANCELED. No result is set with -EPERM or -EOPNOTSUPP, nor if the
 * operations cannot be a commit: with -EINVAL, or -E2BIG because there are too many.
 *
 * A commit without changes and flags takes no lock, unless its leaves change while it reads
 * them, or are read by a commit for the first time.
 *
 * Context: as blink_tree_insert(), also if it only reads.
 * Return: 0; -ESTALE if a condition is not true; -EINVAL for an operation that cannot be in
 * a commit, for two changes of one key, for flags that are unknown or exclude each other, and
 * for a flag of the last key; -E2BIG if there are too many operations, or if they and the
 * leaves between them, where a flag needs these, are more than %BLINK_TREE_COMMIT_MAX;
 * -ENOSPC if the tree would have more than its max_entries after the commit, or if memory for
 * it would exceed max_bytes; -ENOMEM, -EDQUOT, -EAGAIN, -EPERM and -EOPNOTSUPP as
 * blink_tree_insert(). A commit that removes keys can need memory, too: a full leaf is split
 * before they are removed.
 */
int blink_tree_commit(struct blink_tree *tree, struct blink_tree_ioc_op *ops,
		      unsigned int nr, unsigned int *failed, gfp_t gfp)
{
	unsigned int place;

	if (!blink_tree_plain(tree))
		return -EOPNOTSUPP;
	return blink_commit(tree, ops, nr, failed ?: &place, gfp);
}
EXPORT_SYMBOL_GPL(blink_tree_commit);
