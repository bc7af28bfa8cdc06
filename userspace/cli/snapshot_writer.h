/* SPDX-License-Identifier: GPL-2.0 */
/* Writing a snapshot, entry by entry. */
#ifndef BLINKTREE_CLI_SNAPSHOT_WRITER_H
#define BLINKTREE_CLI_SNAPSHOT_WRITER_H

#include "output.h"
#include "snapshot.h"

/**
 * struct snapshot_writer - a snapshot that is being written
 * @output: the file
 * @kinds: kinds of the tree
 * @before: entries in the chunks that were written
 * @count: entries in @records
 * @bytes: bytes in @records
 * @records: the records of the next chunk
 */
struct snapshot_writer {
	struct output *output;
	struct kinds kinds;
	__u64 before;
	__u32 count;
	size_t bytes;
	unsigned char records[SNAPSHOT_RECORDS_MAX];
};

/*
 * These functions return false if the output cannot be written, after its message, or
 * after a signal.
 */

/* Begin a snapshot of a tree with these attributes and about so many entries. */
bool snapshot_begin(struct snapshot_writer *writer, struct output *output,
		    const struct blink_tree_ioc_attr *attr, __u64 entries);

/* Add the next entry of a scan. */
bool snapshot_add(struct snapshot_writer *writer,
		  const struct blinktree_record *record);

/* The number of entries so far. */
static inline __u64 snapshot_entries(const struct snapshot_writer *writer)
{
	return writer->before + writer->count;
}

/* Write the end mark. */
bool snapshot_end(struct snapshot_writer *writer);

#endif /* BLINKTREE_CLI_SNAPSHOT_WRITER_H */
