// SPDX-License-Identifier: GPL-2.0
/* Numbers as keys: the most significant byte first, in the order of memcmp(). */
#include <endian.h>

#include "internal.h"

void blinktree_key_from_number(void *key, __u64 number)
{
	number = htobe64(number);
	memcpy(key, &number, sizeof(number));
}

__u64 blinktree_key_number(const void *key)
{
	__u64 number;

	memcpy(&number, key, sizeof(number));
	return be64toh(number);
}
