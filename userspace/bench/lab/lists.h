/* SPDX-License-Identifier: GPL-2.0 */
/* The names that command lines of the laboratory contain; NULL after the last one. */
#ifndef BENCH_LAB_LISTS_H
#define BENCH_LAB_LISTS_H

#include <stddef.h>

const char *lab_scheme_at(size_t i);
const char *lab_mix_at(size_t i);
/* The last one is "all". */
const char *lab_figure_at(size_t i);

#endif /* BENCH_LAB_LISTS_H */
