/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of which small ones are the more frequent the smaller they are. */
#ifndef COMPARE_ZIPF_H
#define COMPARE_ZIPF_H

#include <linux/types.h>

/* Fill @to with numbers below @limit, by Zipf's law with exponent 0.99. */
void zipf_fill(u32 *to, u64 nr, u64 limit, u64 *state);

#endif /* COMPARE_ZIPF_H */
