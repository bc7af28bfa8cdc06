/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about a machine that bear on the figures of a benchmark. */
#ifndef BENCH_FACTS_H
#define BENCH_FACTS_H

/* A JSON object, which the caller frees; or NULL without memory. */
char *facts_json(void);

#endif /* BENCH_FACTS_H */
