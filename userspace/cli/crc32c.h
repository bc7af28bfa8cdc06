/* SPDX-License-Identifier: GPL-2.0 */
/* The checksum CRC-32C (Castagnoli), as in iSCSI, ext4 and btrfs. */
#ifndef BLINKTREE_CLI_CRC32C_H
#define BLINKTREE_CLI_CRC32C_H

#include <stddef.h>

#include <linux/types.h>

/**
 * crc32c() - compute the checksum of bytes
 * @crc: the checksum of the bytes before these; 0 for none
 * @bytes: the bytes
 * @len: number of bytes
 *
 * Return: the checksum.
 */
__u32 crc32c(__u32 crc, const void *bytes, size_t len);

#endif /* BLINKTREE_CLI_CRC32C_H */
