/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tree by name, whose keys are strings. It has two keys for each line of the file. The
 * key NAME has the least address of the name as its value. The *pair* NAME, NUL, ADDRESS,
 * with the most significant byte of the address first, has this address. All addresses of
 * a name are therefore the keys that begin with NAME and NUL.
 *
 * The functions end the program when the tree returns an error or a wrong entry.
 */
#ifndef BLINKTREE_MAIN_JOB_BY_NAME_H
#define BLINKTREE_MAIN_JOB_BY_NAME_H

#include "../../lib/blinktree_bytes.h"
#include "names.h"

struct by_name_key {
	unsigned char bytes[BLINK_TREE_RECORD_KEY_MAX];
	size_t length;
};

/* The name and a NUL; and the pair. */
struct by_name_key by_name_prefix(const struct name *name);
struct by_name_key by_name_pair(const struct name *name);

/* The address that a value is. */
__u64 by_name_address(const void *value, size_t length);

/* Execute the operations of a stream, and return the next result. */
void by_name_run(struct blinktree_stream *stream, struct blinktree *tree);
const struct blinktree_record *by_name_next(struct blinktree_stream *stream);

/* Scan a range, and check that the next entry is this one, or that none is left. */
struct blinktree_bytes_scan *by_name_scan(struct blinktree *tree,
					  const struct blinktree_range *range,
					  size_t buffer);
void by_name_expect(struct blinktree_bytes_scan *scan, const void *key,
		    size_t length, const struct name *name);
void by_name_expect_pairs(struct blinktree_bytes_scan *scan,
			  const struct name *name, size_t nr);
void by_name_expect_end(struct blinktree_bytes_scan *scan);

#endif /* BLINKTREE_MAIN_JOB_BY_NAME_H */
