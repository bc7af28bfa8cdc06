/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing results. A *record* is a C structure. A *schema* has the names and the
 * offsets of its fields. A *document* is the output of one command: a record, a list
 * of records, or an object with several of them. A command passes its records to the
 * printer, and a *style* prints them as text or as JSON, so both have the same
 * content.
 */
#ifndef BLINKTREE_CLI_PRINTER_H
#define BLINKTREE_CLI_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#include "key.h"
#include "value.h"

enum field_type {
	FIELD_U32,
	FIELD_U64,
	/* The same, or hexadecimal with --hex. */
	FIELD_NUMBER,
	/* A struct key. */
	FIELD_KEY,
	/* A struct value. */
	FIELD_VALUE,
	/* A struct maybe, decimal. */
	FIELD_COUNT,
	/* A const char pointer. */
	FIELD_TEXT,
	/* An array of char, NUL-terminated. */
	FIELD_CHARS,
	/* Permission bits, u32. */
	FIELD_MODE,
	/* A double with one decimal; NaN if there is no value. */
	FIELD_REAL,
	/* The same with two decimals. */
	FIELD_RATIO,
	/* The same with three digits, or as a whole number if that has more. */
	FIELD_DIGITS,
};

struct maybe {
	bool known;
	__u64 value;
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset;
};

enum layout {
	/* One "name: value" line per field. */
	LAYOUT_LINES,
	/* Columns under the names of the fields. */
	LAYOUT_TABLE,
	/* Only the values, one line per record, for other programs to read. */
	LAYOUT_ROWS,
};

struct schema {
	/* Its name in an object; NULL if its fields are fields of that object. */
	const char *name;
	enum layout layout;
	const struct field *fields;
	size_t nr;
};

#define FIELD(type_, struct_, member_) \
	{ .name = #member_,            \
	  .type = type_,               \
	  .offset = offsetof(struct_, member_) }

struct printer;

struct style {
	void (*begin_object)(struct printer *printer);
	void (*end_object)(struct printer *printer);
	void (*begin_list)(struct printer *printer,
			   const struct schema *schema);
	void (*end_list)(struct printer *printer);
	void (*record)(struct printer *printer, const struct schema *schema,
		       const void *record);
};

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

/* Parts of a document: an object has records and lists, a list has records. */
void print_object_begin(struct printer *printer);
void print_object_end(struct printer *printer);
void print_list_begin(struct printer *printer, const struct schema *schema);
void print_list_end(struct printer *printer);
void print_record(struct printer *printer, const struct schema *schema,
		  const void *record);

#endif /* BLINKTREE_CLI_PRINTER_H */
