/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The limit of the memory itself: pointers followed from line to line at random,
 * one chain by itself, as a search that is alone must, and several at a time,
 * as the searches of a batch can.
 */
#ifndef COMPARE_CHASE_H
#define COMPARE_CHASE_H

#include <linux/types.h>

/* Memory as large as an index of 16-byte entries in nodes two thirds full. */
#define CHASE_BYTES_PER_KEY 24

/* Measure memory for so many keys, and print a line for each number of chains. */
bool chase_measure(u64 keys, unsigned int threads);

#endif /* COMPARE_CHASE_H */
