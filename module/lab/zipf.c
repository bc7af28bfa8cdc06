// SPDX-License-Identifier: GPL-2.0
/*
 * Zipf's law without a table of the size of the tree: numbers are drawn from an octave,
 * 2^o to 2^(o + 1) - 1, as if each were as frequent as the first one of the octave, and
 * accepted by their own probability in relation to that one.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "keys.h"
#include "zipf.h"

/* One, as a fraction of 2^62. */
#define ONE BIT_ULL(62)

/*
 * (1 - e)^theta by its series: 1 - theta e - theta (1 - theta) / 2 e^2 - ..., whose
 * terms from the fifth on are less than 2^-40 for e <= 1/257.
 */
static u64 power_of_less(u64 e, unsigned int percent)
{
	u64 term = mul_u64_u64_shr(e, ONE / 100 * percent, 62), power = ONE;
	unsigned int m;

	for (m = 1; m <= 4; m++) {
		power -= term;
		term = mul_u64_u64_shr(term, e, 62) / (100 * (m + 1)) *
		       (100 * m - percent);
	}
	return power;
}

/*
 * Prepare for Zipf's law of @nr numbers, from 1 to 2^40. @percent is theta, from 50
 * to 99 hundredths.
 */
void lab_zipf_init(struct lab_zipf *zipf, u64 nr, unsigned int percent)
{
	u64 f = ONE, weight = 1ULL << 40;
	unsigned int i;

	for (i = 0; i <= 256; i++) {
		zipf->accept[i] = f >> 31;
		f = mul_u64_u64_shr(f, power_of_less(ONE / (257 + i), percent),
				    62);
	}
	f = zipf->accept[256];
	zipf->nr = nr;
	zipf->octaves = 0;
	for (i = 0; nr >> i; i++) {
		zipf->until[i] = weight + (i ? zipf->until[i - 1] : 0);
		/* Twice as many numbers, each as frequent as 2^-theta. */
		weight = mul_u64_u64_shr(weight, f, 30);
		zipf->octaves++;
	}
}

/*
 * A number from 0 on, by Zipf's law; 0 is the most frequent one. @random is a state
 * of lab_below().
 *
 * It chooses an octave, and a number in it, and accepts more than one of four. Of an
 * octave of more than 256 numbers, neighbours are alike: they are up to 0.4 % more
 * frequent than they should be.
 */
u64 lab_zipf_next(const struct lab_zipf *zipf, u64 *random)
{
	unsigned int octave;
	u64 at, offset, i;

	do {
		at = lab_below(random, zipf->until[zipf->octaves - 1]);
		for (octave = 0; zipf->until[octave] <= at; octave++)
			;
		offset = lab_below(random, 1ULL << octave);
		i = octave < 8 ? offset << (8 - octave) :
				 offset >> (octave - 8);
	} while ((1ULL << octave) + offset > zipf->nr ||
		 lab_below(random, 1ULL << 31) >= zipf->accept[i]);
	return (1ULL << octave) + offset - 1;
}
