/* SPDX-License-Identifier: GPL-2.0 */
/* Schemes that give wrong answers, for the test of points. */
#ifndef BLINK_TESTS_LAB_BROKEN_H
#define BLINK_TESTS_LAB_BROKEN_H

#include "schemes/lab_index.h"

/* A wrong answer of such a scheme. */
enum fault {
	NOTHING,
	LOOKUP_VALUE,
	LOOKUP_ABSENT,
	LOOKUP_ERROR,
	MISS_FOUND,
	INSERT_ERROR,
	INSERT_LOST,
	INSERT_MEMORY,
	STORE_VALUE,
	ERASE_LOST,
	SCAN_EMPTY,
	SCAN_SHORT,
	SCAN_FIRST,
	SCAN_TWICE,
	SCAN_VALUE,
	SCAN_MANY,
	FLOOR_ABSENT,
	FLOOR_FIRST,
	FLOOR_VALUE,
	FLOOR_AFTER,
	BATCH_ERROR,
	BATCH_VALUE,
	BATCH_MEMORY,
	BATCH_SCAN_FEW,
	BATCH_SCAN_VALUE,
	LOAD_LOST,
	GET_VALUE,
	GET_LOST,
	COUNT_MANY,
	POP_VALUE,
	POP_LOST,
	RANGE_FEW,
};

/* That of the broken scheme. */
extern enum fault fault;

extern const struct lab_index_ops broken_ops;
/* As spiderman:123, but for the batches, once scanning_init() was called. */
extern struct lab_index_ops scanning_ops;
/* The least that a scheme may have. */
extern const struct lab_index_ops bare_ops;

void scanning_init(void);

#endif /* BLINK_TESTS_LAB_BROKEN_H */
