/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A symbol table as /proc/kallsyms prints it: "ADDRESS TYPE NAME [MODULE]" per
 * line. The *position* of a symbol is the offset of its name in the file. Of
 * several symbols at one address the last one counts.
 */
#ifndef BLINKTREE_MAIN_JOB_SYMBOLS_H
#define BLINKTREE_MAIN_JOB_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct symbol {
	__u64 address;
	__u64 position;
};

struct symbols {
	const char *text;
	size_t size;
	/* Every line, in the order of the file. */
	struct symbol *lines;
	size_t nr_lines;
	/* One per address, ascending. */
	struct symbol *sorted;
	size_t nr;
};

/* Read a file of symbols; ends the program if it is none. */
void symbols_read(struct symbols *symbols, const char *path);

/*
 * The index of the greatest address that is not above another, by a binary
 * search of the sorted table; -1 if there is none.
 */
ptrdiff_t symbols_floor(const struct symbols *symbols, __u64 address);

/* Likewise, the position, by going through the file line by line. */
__u64 symbols_straight_floor(const struct symbols *symbols, __u64 address);

/* The address that the file has in the line of a position. */
__u64 symbols_address_at(const struct symbols *symbols, __u64 position);

/* The name there, and its length. */
const char *symbols_name_at(const struct symbols *symbols, __u64 position,
			    int *len);

/* The address of a name; ends the program if there is none. */
__u64 symbols_find(const struct symbols *symbols, const char *name);

/* Is the symbol at a position one of a module? */
bool symbols_in_module(const struct symbols *symbols, __u64 position,
		       const char *module);

/* Forget the symbols of a sorted index for which @gone is true. */
void symbols_remove(struct symbols *symbols, const bool *gone);

#endif /* BLINKTREE_MAIN_JOB_SYMBOLS_H */
