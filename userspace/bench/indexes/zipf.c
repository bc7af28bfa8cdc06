// SPDX-License-Identifier: GPL-2.0
#include "lab/zipf.h"
#include "zipf.h"

void zipf_fill(u32 *to, u64 nr, u64 limit, u64 *state)
{
	struct lab_zipf zipf;
	u64 i;

	lab_zipf_init(&zipf, limit, LAB_THETA);
	for (i = 0; i < nr; i++)
		to[i] = lab_zipf_next(&zipf, state);
}
