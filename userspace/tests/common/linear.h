/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linearizability (Herlihy and Wing, 1990): operations that run at the same time are
 * correct if they give the answers of some order of them, one after the other, in
 * which no operation comes before one that had ended when it began.
 */
#ifndef TESTS_LINEAR_H
#define TESTS_LINEAR_H

#include "../../../kunit/model.h"

/**
 * struct record - an operation that ran
 * @asked: before
 * @got: the same with its answer
 * @fiber: the fiber that ran it
 * @begin: time of its begin, on a clock that never shows a time twice
 * @end: time of its end
 * @behind: it comes after the record before it
 * @with: it takes effect together with the record before it, as operations of a commit do
 * @any: its answer is not known
 * @done: the order does not have it, or, while one is sought, has it already
 */
struct record {
	struct blink_tree_ioc_op asked;
	struct blink_tree_ioc_op got;
	unsigned int fiber;
	u64 begin;
	u64 end;
	bool behind;
	bool with;
	bool any;
	bool done;
};

/*
 * Let the map be what the tree is, as a cursor finds it. Returns whether all its keys
 * are of the universe, and no key comes twice.
 */
bool linear_read(struct model *map, struct blink_tree *tree);

/*
 * Whether an order of @nr records leads from @map to @final and gives all answers. @map
 * is the same afterwards; both have the same universe.
 */
bool linear_explained(struct model *map, const struct model *final,
		      struct record *records, unsigned int nr);

/* For the report of a failure. @more: names of opcodes from BLINK_TREE_OP_NR on. */
void linear_print_map(const char *when, const struct model *map);
void linear_print(const struct record *records, unsigned int nr,
		  const char *const *more);

#endif /* TESTS_LINEAR_H */
