/* SPDX-License-Identifier: GPL-2.0 */
/* Reading a snapshot, chunk by chunk. */
#ifndef BLINKTREE_CLI_SNAPSHOT_READER_H
#define BLINKTREE_CLI_SNAPSHOT_READER_H

#include "input.h"
#include "snapshot.h"

/**
 * struct snapshot_reader - a snapshot that is being read
 * @input: the file
 * @attr: the attributes of the tree that was saved
 * @kinds: its kinds
 * @entries: entries that were returned
 * @start: position of the present chunk in the file
 * @left: entries of the present chunk that were not returned yet
 * @used: bytes of @records whose entries were returned
 * @bytes: bytes in @records
 * @records: the records of the present chunk
 * @last: the entry that was returned last, if there is one
 */
struct snapshot_reader {
	struct input *input;
	struct blink_tree_ioc_attr attr;
	struct kinds kinds;
	__u64 entries;
	__u64 start;
	__u32 left;
	size_t used;
	size_t bytes;
	unsigned char records[SNAPSHOT_RECORDS_MAX];
	struct entry last;
};

/*
 * These functions return a status other than STATUS_OK after a message, or
 * STATUS_INTERRUPTED.
 */

/* Begin to read a snapshot: read its header. */
enum status snapshot_open(struct snapshot_reader *reader, struct input *input);

/* Read the next chunk. Its @left is 0 at the end mark, which ends the file. */
enum status snapshot_next_chunk(struct snapshot_reader *reader);

/* Return the next of the @left entries of the chunk. */
enum status snapshot_next(struct snapshot_reader *reader, struct entry *entry);

#endif /* BLINKTREE_CLI_SNAPSHOT_READER_H */
