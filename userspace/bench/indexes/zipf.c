// SPDX-License-Identifier: GPL-2.0
/*
 * Zipf's law by inversion of an integral: rank k, from 1 on, is as frequent as
 * k^-S. Where the sum of those is close to the integral of x^-S, from 3 on, the
 * latter is inverted; ranks 1 and 2, for which it is not, are drawn by their
 * exact share.
 */
#include <math.h>

#include "lab/keys.h"
#include "zipf.h"

#define S 0.99
#define EXACT 2

/* The integral of x^-S from 1 to @x, and its inverse. */
static double integral(double x)
{
	return (pow(x, 1 - S) - 1) / (1 - S);
}

static double inverse(double y)
{
	return pow(y * (1 - S) + 1, 1 / (1 - S));
}

/* Rank k takes the integral from k - 1/2 to k + 1/2. */
static u32 draw(double share, double begin, double rest)
{
	double weight = 1, at;
	unsigned int k;

	at = share * (weight + pow(2, -S) + rest);
	for (k = 1; k <= EXACT; k++) {
		weight = pow(k, -S);
		if (at < weight)
			return k - 1;
		at -= weight;
	}
	return (u32)(inverse(begin + at) + 0.5) - 1;
}

void zipf_fill(u32 *to, u64 nr, u64 limit, u64 *state)
{
	const double begin = integral(EXACT + 0.5);
	const double rest = integral((double)limit + 0.5) - begin;
	u64 i;

	for (i = 0; i < nr; i++) {
		double share = (double)lab_below(state, 1ULL << 53) / 0x1p53;
		u32 n = draw(share, begin, rest);

		to[i] = n < limit ? n : limit - 1;
	}
}
