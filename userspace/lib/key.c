// SPDX-License-Identifier: GPL-2.0
/* Numbers as keys: the most significant byte first, in the order of memcmp(). */
#include "internal.h"

void blinktree_key_from_number(void *key, __u64 number)
{
	unsigned char *bytes = key;
	int i;

	for (i = 7; i >= 0; i--) {
		bytes[i] = number;
		number >>= 8;
	}
}

__u64 blinktree_key_number(const void *key)
{
	const unsigned char *bytes = key;
	__u64 number = 0;
	int i;

	for (i = 0; i < 8; i++)
		number = number << 8 | bytes[i];
	return number;
}
