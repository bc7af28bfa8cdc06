/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of prefixes of IPv4 and of IPv6, and the trees that have them (filter.h). */
#ifndef EXAMPLES_BPF_PREFIXES_H
#define EXAMPLES_BPF_PREFIXES_H

#include <stddef.h>
#include <stdio.h>

#include <blinktree_bytes.h>

/* A prefix: its first address, as a key of a tree, and its length. */
struct prefix {
	unsigned char key[16];
	unsigned char length;
};

/* Prefixes of a family whose keys have @key_length bytes: 8 or 16. */
struct prefixes {
	size_t key_length;
	struct prefix *prefix;
	size_t nr;
	size_t room;
};

/* A list: the prefixes of both families. */
struct prefix_list {
	struct prefixes ipv4;
	struct prefixes ipv6;
};

void prefix_list_init(struct prefix_list *list);
void prefix_list_free(struct prefix_list *list);

/*
 * Read lines with an address and a length, such as 192.0.2.0/24; # begins a comment.
 * A line without a length is one address. Returns 0, the number of a line that is
 * neither, or a negative errno.
 */
long prefix_list_read(struct prefix_list *list, FILE *file);

/* Add a prefix. Bits behind its length are ignored. Returns 0 or -ENOMEM. */
int prefixes_add(struct prefixes *prefixes, const void *key, size_t length);

/* Sort prefixes, and drop those that another one contains. */
void prefixes_tidy(struct prefixes *prefixes);

/* Load tidy prefixes into an empty tree. Returns 0 or a negative errno. */
int prefixes_load(struct blinktree *tree, const struct prefixes *prefixes);

/*
 * Make a tree, which has tidy prefixes of @from or none, have those of @to instead.
 * Returns 0 or a negative errno.
 *
 * Programs use the tree meanwhile. For an address that is in both they always find a
 * prefix, and for one that is in neither they never do. Therefore the new prefixes are
 * stored in descending order, and the old ones erased after that.
 */
int prefixes_store(struct blinktree *tree, const struct prefixes *from,
		   const struct prefixes *to);

#endif /* EXAMPLES_BPF_PREFIXES_H */
