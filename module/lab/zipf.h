/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers by Zipf's law, in integers. */
#ifndef BLINK_LAB_ZIPF_H
#define BLINK_LAB_ZIPF_H

#include <linux/types.h>

/* The exponent of Zipf's law in YCSB, in percent. */
#define LAB_THETA 99

/**
 * struct lab_zipf - Zipf's law: the number k, from 1 on, is as frequent as k^-theta
 * @nr: the greatest k
 * @octaves: how many times k can double
 * @until: the weight of each octave 2^o <= k < 2^(o + 1), and of those before it, if
 *	each k in it were as frequent as the first
 * @accept: (1 + i/256)^-theta, times 2^31
 */
struct lab_zipf {
	u64 nr;
	unsigned int octaves;
	u64 until[41];
	u32 accept[257];
};

void lab_zipf_init(struct lab_zipf *zipf, u64 nr, unsigned int percent);
u64 lab_zipf_next(const struct lab_zipf *zipf, u64 *random);

#endif /* BLINK_LAB_ZIPF_H */
