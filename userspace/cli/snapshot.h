/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of snapshots, which Documentation/snapshots.rst describes. A *snapshot* is a
 * header, then *chunks* of records in the order of their keys, then a chunk without
 * records, the *end mark*. The functions below convert between these parts and bytes.
 * Numbers have their least significant byte first, keys their most significant one.
 */
#ifndef BLINKTREE_CLI_SNAPSHOT_H
#define BLINKTREE_CLI_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "../lib/blinktree_bytes.h"
#include "entry.h"
#include "message.h"

#define SNAPSHOT_MAGIC "\211BTSNAP\n"
#define SNAPSHOT_VERSION 1
#define SNAPSHOT_BYTE_ORDER 0x01020304u

/* Most bytes of the records of a chunk, and of one record. */
#define SNAPSHOT_RECORDS_MAX 65536
#define SNAPSHOT_RECORD_MAX (2 + KEY_BYTES_MAX + 2 + VALUE_BYTES_MAX)

struct snapshot_header {
	char magic[8];
	__le32 version;
	__le32 byte_order;
	__le32 key;
	__le32 mode;
	__le64 create_flags;
	__le64 max_entries;
	__le64 max_bytes;
	/* Entries of the tree when the snapshot began. */
	__le64 entries;
	__le32 uid;
	__le32 gid;
	char name[BLINK_TREE_NAME_MAX];
	__u8 replication;
	__u8 locking;
	__u8 placement;
	__u8 __reserved[9];
	/* Checksum of the bytes before it. */
	__le32 crc;
};

struct snapshot_chunk {
	/* Length of the records, and their number; both 0 in the end mark. */
	__le32 bytes;
	__le32 count;
	/* Entries of the chunks before this one. */
	__le64 before;
	__le32 records_crc;
	/* Checksum of the bytes before it. */
	__le32 crc;
};

/**
 * snapshot_write_header() - write the header of a snapshot
 * @header: the header
 * @attr: the attributes of the tree
 * @entries: the number of its entries
 */
void snapshot_write_header(struct snapshot_header *header,
			   const struct blink_tree_ioc_attr *attr,
			   __u64 entries);

/**
 * snapshot_read_header() - read the header of a snapshot
 * @header: the header
 * @len: how many bytes of it there are
 * @attr: the attributes of the tree; written if the header is good
 * @why: explains what is wrong; written if the header is not good
 *
 * Return: STATUS_OK; STATUS_USAGE for a file that is no snapshot; STATUS_TRUNCATED,
 * STATUS_CORRUPTED or STATUS_NEWER.
 */
enum status snapshot_read_header(const struct snapshot_header *header,
				 size_t len, struct blink_tree_ioc_attr *attr,
				 const char **why);

/* Write the head of a chunk of @count records, which have @bytes together. */
void snapshot_write_chunk(struct snapshot_chunk *chunk, const void *records,
			  size_t bytes, __u32 count, __u64 before);

/* Whether the head of a chunk is as it was written. */
bool snapshot_chunk_is_good(const struct snapshot_chunk *chunk);

/* Write an entry of a scan, up to SNAPSHOT_RECORD_MAX bytes. Returns their number. */
size_t snapshot_write_record(unsigned char *to, struct kinds kinds,
			     const struct blinktree_record *record);

/* Read an entry from @len bytes. Returns how many it has; 0 if it is no entry. */
size_t snapshot_read_record(const unsigned char *from, size_t len,
			    struct kinds kinds, struct entry *entry);

/* Whether an entry comes before another one in a tree. */
bool snapshot_ascends(const struct entry *a, const struct entry *b,
		      unsigned int kind);

#endif /* BLINKTREE_CLI_SNAPSHOT_H */
