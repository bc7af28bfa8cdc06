/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing results. A *cell* has a name and a value. A *row* is a record with cells, an
 * *object* also has lists and other objects. A *document* is the output of one command: a
 * row, an object, or a list of rows. A command prints cells one by one, and the printer
 * writes them as text or as JSON, so both have the same content.
 */
#ifndef BLINKTREE_CLI_PRINTER_H
#define BLINKTREE_CLI_PRINTER_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/types.h>

#include "key.h"
#include "value.h"

/* The kinds of the parts of a document, as text. */
enum part_kind {
	/* A line "name: value" for each cell. */
	PART_OBJECT,
	/* A line for each row, with the values only, for other programs to read. */
	PART_LIST,
	/* Columns under the names of the cells. */
	PART_TABLE,
	/* A row, in a list or a table, or alone. */
	PART_ROW,
};

struct printer;

/**
 * printer_new() - begin a document
 * @out: the file to print to
 * @json: print JSON instead of text
 * @pretty: print JSON with line breaks
 * @hex: print keys and values in hexadecimal
 * @form: form of keys with 128 bits
 *
 * Return: the printer, or NULL if there is no memory.
 */
struct printer *printer_new(FILE *out, bool json, bool pretty, bool hex,
			    enum key_form form);

/* Complete the document, so that it is well-formed, and free the printer. */
void printer_finish(struct printer *printer);

/* Begin a part of the document, or of the present part; @name is for an object. */
void print_begin(struct printer *printer, enum part_kind kind,
		 const char *name);
/* End the part that began last. */
void print_end(struct printer *printer);
/* The line of names if the table has no rows, as text. */
void print_names(struct printer *printer, const char *names);

/* Print a cell. A key or a value can be none. */
void print_u64(struct printer *printer, const char *name, __u64 number);
/* The same, or hexadecimal with --hex. */
void print_number(struct printer *printer, const char *name, __u64 number);
void print_key(struct printer *printer, const char *name,
	       const struct key *key);
void print_value(struct printer *printer, const char *name,
		 const struct value *value);
void print_text(struct printer *printer, const char *name, const char *text);
/* Permission bits. */
void print_mode(struct printer *printer, const char *name, __u32 mode);
/* A cell without a value. */
void print_none(struct printer *printer, const char *name);

/* For print_real(): three digits, or a whole number if that has more. */
#define THREE_DIGITS (-1)

/* A number with so many decimals; NaN is no value. */
void print_real(struct printer *printer, const char *name, double number,
		int decimals);

#endif /* BLINKTREE_CLI_PRINTER_H */
