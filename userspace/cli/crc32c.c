// SPDX-License-Identifier: GPL-2.0
/* The checksum CRC-32C, a byte at a time. */
#include "crc32c.h"

/* The polynomial, with the coefficient of the greatest power in bit 0. */
#define POLYNOMIAL 0x82f63b78u

/* The remainder of each byte. That of the byte 128 is the polynomial itself. */
static __u32 table[256];

static void fill_table(void)
{
	unsigned int byte, bit;

	for (byte = 0; byte < 256; byte++) {
		__u32 rest = byte;

		for (bit = 0; bit < 8; bit++)
			rest = rest >> 1 ^ (rest & 1 ? POLYNOMIAL : 0);
		table[byte] = rest;
	}
}

__u32 crc32c(__u32 crc, const void *bytes, size_t len)
{
	const unsigned char *byte = bytes;

	if (!table[128])
		fill_table();
	for (crc = ~crc; len--; byte++)
		crc = crc >> 8 ^ table[(crc ^ *byte) & 0xff];
	return ~crc;
}
