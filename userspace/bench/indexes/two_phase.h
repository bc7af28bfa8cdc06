/* SPDX-License-Identifier: GPL-2.0 */
/* Our tree with the batches of Spiderman: see two_phase.c. */
#ifndef COMPARE_TWO_PHASE_H
#define COMPARE_TWO_PHASE_H

#include "lab/schemes/lab_index.h"

/* One for each set of options; the table ends without a name. */
const struct lab_scheme *two_phase_schemes(void);

#endif /* COMPARE_TWO_PHASE_H */
