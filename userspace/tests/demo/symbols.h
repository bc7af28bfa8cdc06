/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A symbol table in the format of /proc/kallsyms: "ADDRESS TYPE NAME [MODULE]" per
 * line. The *position* of a symbol is the offset of its name in the file. If several
 * symbols have the same address, the table has the last one.
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
	/* One symbol for each address, in ascending order. */
	struct symbol *sorted;
	size_t nr;
};

/* Read a file of symbols. Ends the program if the file has another format. */
void symbols_read(struct symbols *symbols, const char *path);

/*
 * The index of the greatest address that is not above @address, by a binary search of
 * the sorted table; -1 if there is none.
 */
ptrdiff_t symbols_floor(const struct symbols *symbols, __u64 address);

/* The position of this symbol, by a linear search of the file. */
__u64 symbols_straight_floor(const struct symbols *symbols, __u64 address);

/* The address in the line of a position. */
__u64 symbols_address_at(const struct symbols *symbols, __u64 position);

/* The name at a position, and its length. */
const char *symbols_name_at(const struct symbols *symbols, __u64 position,
			    int *len);

/* The address of a name. Ends the program if there is none. */
__u64 symbols_find(const struct symbols *symbols, const char *name);

/* Whether the symbol at a position belongs to a module. */
bool symbols_in_module(const struct symbols *symbols, __u64 position,
		       const char *module);

/* Remove each symbol for whose index in the sorted table @gone is true. */
void symbols_remove(struct symbols *symbols, const bool *gone);

#endif /* BLINKTREE_MAIN_JOB_SYMBOLS_H */
