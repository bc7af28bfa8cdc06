/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of which small ones are the more frequent the smaller they are. */
#ifndef BENCH_ZIPF_H
#define BENCH_ZIPF_H

#include <linux/kernel.h>
#include <stdlib.h>

#include "lab/zipf.h"

/* So many numbers below @limit, by Zipf's law with exponent 0.99. The caller frees them. */
static inline u32 *zipf_create(u64 nr, u64 limit, u64 *state)
{
	u32 *numbers = malloc(nr * sizeof(*numbers));
	struct lab_zipf zipf;
	u64 i;

	if (!numbers)
		shim_die(__FILE__, __LINE__, "no memory");
	lab_zipf_init(&zipf, limit, LAB_THETA);
	for (i = 0; i < nr; i++)
		numbers[i] = lab_zipf_next(&zipf, state);
	return numbers;
}

#endif /* BENCH_ZIPF_H */
