/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing answers. A *record* is a C structure, a *schema* names its fields
 * and where they are. A *document* is what one command prints: a record, a
 * list of records, or an object of several of them. Commands only say what
 * there is; one *style* makes text of it and another JSON, so both always say
 * the same.
 */
#ifndef BLINKTREE_CLI_PRINTER_H
#define BLINKTREE_CLI_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

enum field_type {
	FIELD_U32,
	FIELD_U64,
	/* A key or a value: as the user wants numbers. */
	FIELD_KEY,
	/* Likewise, a struct maybe. */
	FIELD_MAYBE,
	/* A struct maybe, decimal. */
	FIELD_COUNT,
	/* A const char pointer. */
	FIELD_TEXT,
	/* An array of char, NUL-terminated. */
	FIELD_CHARS,
	/* Permission bits, u32. */
	FIELD_MODE,
	/* A double, one decimal; NaN if there is none. */
	FIELD_REAL,
	/* Likewise, two decimals. */
	FIELD_RATIO,
};

struct maybe {
	bool known;
	__u64 value;
};

static inline struct maybe known(__u64 value)
{
	return (struct maybe){ .known = true, .value = value };
}

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
	/* Only the values, one line per record: for other programs. */
	LAYOUT_ROWS,
};

struct schema {
	/* What it is called within an object; NULL: part of that object. */
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
 * @out: where to
 * @json: in JSON, instead of text
 * @pretty: JSON with line breaks
 * @hex: keys and values in hexadecimal
 *
 * Return: the printer, or NULL if there is no memory.
 */
struct printer *printer_new(FILE *out, bool json, bool pretty, bool hex);

/* End the document, well-formed however far it got, and the printer. */
void printer_finish(struct printer *printer);

/* Parts. An object holds records and lists, a list holds records. */
void print_object_begin(struct printer *printer);
void print_object_end(struct printer *printer);
void print_list_begin(struct printer *printer, const struct schema *schema);
void print_list_end(struct printer *printer);
void print_record(struct printer *printer, const struct schema *schema,
		  const void *record);

#endif /* BLINKTREE_CLI_PRINTER_H */
