/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols by name: a sorted table, without the tree. Equal names are real, because
 * each source file can have a static function or variable of the same name.
 */
#ifndef BLINKTREE_MAIN_JOB_NAMES_H
#define BLINKTREE_MAIN_JOB_NAMES_H

#include "symbols.h"

struct name {
	const char *text;
	int len;
	__u64 address;
};

struct names {
	/* Each name with each of its addresses, once, in ascending order. */
	struct name *sorted;
	size_t nr;
	/* Different names, and those with several addresses. */
	size_t different;
	size_t shared;
	/* The most addresses of a name, and the first entry of this name. */
	size_t most;
	size_t example;
};

/* The name and the address in a line of the file. */
struct name names_of_line(const struct symbols *symbols, size_t line);

/* Sort all lines. */
void names_sort(struct names *names, const struct symbols *symbols);

/* The number of addresses of the name whose first entry is @first. */
size_t names_run(const struct names *names, size_t first);

/* The first entry of a name, by a binary search. Ends the program if there is none. */
size_t names_find(const struct names *names, const struct name *name);

#endif /* BLINKTREE_MAIN_JOB_NAMES_H */
