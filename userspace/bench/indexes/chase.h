/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the memory itself allows: pointers followed from line to line at random,
 * one chain by itself, as a search that is alone must, and several at a time,
 * as the searches of a batch can.
 */
#ifndef COMPARE_CHASE_H
#define COMPARE_CHASE_H

#include "work.h"

/* Memory as large as an index of 16-byte entries in nodes two thirds full. */
#define CHASE_BYTES_PER_KEY 24

extern const unsigned int chase_chains[CHASES];

/* Not an index: it stands among them in the plan, under the name "memory". */
extern const struct lab_scheme index_memory;

/* False if there is no memory. */
bool chase_measure(const struct setting *setting, struct sample *sample);

#endif /* COMPARE_CHASE_H */
