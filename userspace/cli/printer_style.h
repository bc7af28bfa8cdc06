/* SPDX-License-Identifier: GPL-2.0 */
/* Data that the styles of the printer share. */
#ifndef BLINKTREE_CLI_PRINTER_STYLE_H
#define BLINKTREE_CLI_PRINTER_STYLE_H

#include <json-c/json.h>

#include "printer.h"

struct printer {
	const struct style *style;
	FILE *out;
	bool hex;
	enum key_form form;
	bool pretty;
	/* The position in the document. */
	bool in_object;
	const struct schema *list;
	/* Records of the list so far. */
	size_t nr;

	/* Text: the cells of a table, row by row, until their widths are known. */
	char **cells;
	size_t nr_cells;

	/* JSON: the object, and the list in it. */
	struct json_object *object;
	struct json_object *array;
};

/* Decimals of a FIELD_DIGITS. */
int real_decimals(double number);

extern const struct style text_style;
extern const struct style json_style;

/* Address of a field. */
static inline const void *field_at(const struct field *field,
				   const void *record)
{
	return (const char *)record + field->offset;
}

#endif /* BLINKTREE_CLI_PRINTER_STYLE_H */
