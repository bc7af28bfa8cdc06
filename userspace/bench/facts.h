/* SPDX-License-Identifier: GPL-2.0 */
/* What of the machine bears on the figures of a benchmark. */
#ifndef BENCH_FACTS_H
#define BENCH_FACTS_H

struct facts {
	char cpu[128];
	char kernel[136];
	char huge_pages[64];
	double load;
	long cpus;
	long l1d;
	long l2;
	long l3;
};

void facts_read(struct facts *facts);

#endif /* BENCH_FACTS_H */
